"""The number in a text, in one notation."""

from __future__ import annotations

import re
from collections import deque
from decimal import Context, Decimal
from fractions import Fraction

from perturb.robustness.scoring.boxed import boxed

_PLAIN = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+"
# A mixed number, a fraction, or what is written with slashes but is neither, as a date; with its
# sign, which may stand before a currency.
_NUMBER = re.compile(
    rf"[-+\u2212]?[$€£¥]?(?:\d+ \d+/\d+(?![\d/])|(?:{_PLAIN})(?:[eE][-+]?\d{{1,3}}\b)?(?:/\d+)*)"
)
# Between words or numbers a minus is none.
_BETWEEN = re.compile(r"[\w)\]}]")
_SLASHES = re.compile(r"([-+]?)(?:(\d{1,300}) )?(\d{1,300})/(\d{1,300})")
_GROUPED = re.compile(r"(?<=\d)(?:\{,\}|\\[,!;: ]|[\u00a0\u2009\u202f])(?=\d{3}(?!\d))")
_FRACTION = re.compile(r"\\[dt]?frac\s*(?:\{\s*(\d+)\s*\}|(\d))\s*(?:\{\s*(\d+)\s*\}|(\d))")
_CURRENCY = re.compile(r"[$€£¥]")
_FINAL = re.compile(r"####[^\n]*\d")


def last_number(text: str) -> str | None:
    r"""Return the last number of a text in one notation, so that `1,200.0` and `1200` are equal.

    Where there is a box with a number, or a number after `####`, it is the last one of these.
    Fractions are values: `3/4` is `0.75`.

    Examples:
        >>> last_number("2 * 600 = $1,200.00."), last_number("none")
        ('1200', None)
        >>> last_number(r"So \boxed{\frac{1}{3}}, in 2 steps."), last_number("1 1/2 cups")
        ('1/3', '1.5')
    """
    if "\\" in text:
        inside = boxed(text)
        if inside is not None and _NUMBER.search(inside):
            text = inside
        text = _FRACTION.sub(_as_slash, text)
    elif "####" in text:
        finals = _FINAL.findall(text)
        text = finals[-1] if finals else text
    text = without_grouping(text)
    last = deque(_NUMBER.finditer(text), maxlen=1)
    if not last:
        return None
    start, number = last[0].start(), last[0][0]
    if number[0] in "-+\u2212" and start and _BETWEEN.match(text, start - 1):
        number = number[1:]
    return _written(number)


def without_grouping(text: str) -> str:
    r"""Return a text without the marks that TeX and typesetters put between thousands, and `\$`."""
    if text.isascii() and "\\" not in text and "{,}" not in text:
        return text
    return _GROUPED.sub("", text.replace("\\$", ""))


def _as_slash(found: re.Match[str]) -> str:
    above, below = (part for part in found.groups() if part is not None)
    mixed = found.string[max(0, found.start() - 1) : found.start()].isdigit()
    return f"{' ' * mixed}{above}/{below}"


def _written(number: str) -> str:
    bare = _CURRENCY.sub("", number).replace(",", "").replace("\u2212", "-")
    if "/" in bare:
        found = _SLASHES.fullmatch(bare)
        if found is not None and int(found[4]):
            value = int(found[2] or 0) + Fraction(int(found[3]), int(found[4]))
            return decimal_or_fraction(-value if found[1] == "-" else value)
        bare = bare.rpartition("/")[2]
    exact = Decimal(bare).normalize(Context(prec=len(bare)))
    return f"{exact:f}" if exact else "0"


def decimal_or_fraction(value: Fraction) -> str:
    """Return a value as a decimal where that ends, else as a reduced fraction.

    Examples:
        >>> decimal_or_fraction(Fraction(3, 4)), decimal_or_fraction(Fraction(2, 6))
        ('0.75', '1/3')
    """
    rest = value.denominator
    for factor in (2, 5):
        while rest % factor == 0:
            rest //= factor
    if rest > 1:
        return str(value)
    exact = Context(prec=2000)
    decimal = exact.divide(exact.create_decimal(value.numerator), value.denominator)
    return f"{decimal:f}"
