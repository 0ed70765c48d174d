"""The number in a text, in one notation."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from decimal import Context, Decimal
from fractions import Fraction

from perturb.robustness.grading.boxed import boxed
from perturb.robustness.grading.number_words import number_in_words

_PLAIN = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+"
# A mixed number, a fraction, or something else with slashes, such as a date; with its
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
_FINAL = re.compile(r"####([^\n]*\w)")
# 2^10, 10**3, 1.5 x 10^{-3}; and the exponent of a unit or a variable, which is no number.
_POWER = re.compile(
    r"(?<![\d.,^*])(?:(\d{1,15}(?:\.\d{1,15})?) ?(?:[*×·]|\\times|\\cdot) ?(?=10\D))?"
    r"(\d{1,3}(?:,\d{3}){1,4}|\d{1,15})"
    r"(?:\^(?:([-+]?\d{1,2})|\{([-+]?\d{1,2})\})|\*\*([-+]?\d{1,2}))(?![\d^*])"
)
_OF_LETTERS = re.compile(r"([A-Za-z]\}?)\^(?:[-+]?\d+|\{[-+]?\d+\})")
_RAISED = re.compile(r"(?<!\d)10([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})")
_LOWERED = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")
# 1.234,5 and 12,50; a comma before three digits may part thousands, one in brackets two numbers.
_COMMA = re.compile(
    r"(?<![\w.,])(\d{1,3}(?:\.\d{3})+|\d+),(\d{1,2}|\d{4,}|(?<=0,)(?<!\d0,)\d+)(?![\d/]|[.,]\d)"
)
_POINT = re.compile(r"\d\.(?:\d{1,2}|\d{4,})(?!\d)")


def last_number(text: str, decimal_comma: bool = False) -> str | None:
    r"""Return the last number of a text in one notation, so that `1,200.0` and `1200` are equal.

    Where there is a box with a number, or a number after `####`, it is the last one of these.
    Fractions and powers are values: `3/4` is `0.75`. A text without digits may end with a number in
    English words.

    Args:
        text: the reply.
        decimal_comma: `3,5` is `3.5`, unless the text has decimal points too.

    Examples:
        >>> last_number("2 * 600 = $1,200.00."), last_number("none")
        ('1200', None)
        >>> last_number(r"So \boxed{\frac{1}{3}}, in 2 steps."), last_number("1 1/2 cups")
        ('1/3', '1.5')
        >>> last_number("about 1.5 * 10^3 m^2"), last_number("That makes twenty-one.")
        ('1500', '21')
    """
    if "\\" in text:
        inside = boxed(text)
        if inside is not None and _has_number(inside):
            text = inside
        text = _FRACTION.sub(_as_slash, text)
    elif "####" in text:
        finals = [each for each in _FINAL.findall(text) if _has_number(each)]
        text = finals[-1] if finals else text
    text = _without_powers(without_grouping(text))
    if "," in text:
        text = _COMMA.sub(_with_point(decimal_comma and not _POINT.search(text)), text)
    last = deque(_NUMBER.finditer(text), maxlen=1)
    if not last:
        words = number_in_words(text)
        return None if words is None else str(words)
    start, number = last[0].start(), last[0][0]
    if number[0] in "-+\u2212" and start and _BETWEEN.match(text, start - 1):
        number = number[1:]
    return _written(number)


def _has_number(text: str) -> bool:
    return bool(_NUMBER.search(text)) or number_in_words(text) is not None


def is_decimal_comma(text: str) -> bool:
    """Return whether a text is one number with a decimal comma."""
    return bool(_COMMA.fullmatch(text.strip(" +-\u2212$€£¥%")))


def _with_point(any_decimals: bool) -> Callable[[re.Match[str]], str]:
    """Return what writes numbers with a decimal point; if not wanted, only those that end in 00."""

    def written(match: re.Match[str]) -> str:
        whole, part = match.groups()
        around = match.string[match.start() - 1 : match.start()], match.string[match.end() :][:1]
        if around in (("(", ")"), ("[", "]"), ("{", "}")) or not (any_decimals or part == "00"):
            return match[0]
        return f"{whole.replace('.', '')}.{part}"

    return written


def _without_powers(text: str) -> str:
    """Return a text with its powers of numbers as values, and without exponents of letters."""
    if not text.isascii():
        text = _RAISED.sub(lambda match: f"10^{match[1].translate(_LOWERED)}", text)
    if "^" not in text and "**" not in text:
        return text
    return _POWER.sub(_value_of_power, _OF_LETTERS.sub(r"\1", text))


def _value_of_power(match: re.Match[str]) -> str:
    factor, base, *exponents = match.groups()
    value = Fraction(base.replace(",", ""))
    (exponent,) = (int(each) for each in exponents if each)
    if exponent < 0 and not value:
        return match[0]
    return decimal_or_fraction(Fraction(factor or 1) * value**exponent)


def without_grouping(text: str) -> str:
    r"""Return a text without the marks that TeX and typesetters put between thousands, and `\$`."""
    return _GROUPED.sub("", text.replace("\\$", ""))


def _as_slash(match: re.Match[str]) -> str:
    above, below = (part for part in match.groups() if part is not None)
    mixed = match.string[max(0, match.start() - 1) : match.start()].isdigit()
    return f"{' ' * mixed}{above}/{below}"


def _written(number: str) -> str:
    bare = _CURRENCY.sub("", number).replace(",", "").replace("\u2212", "-")
    if "/" in bare:
        match = _SLASHES.fullmatch(bare)
        if match is not None and int(match[4]):
            value = int(match[2] or 0) + Fraction(int(match[3]), int(match[4]))
            return decimal_or_fraction(-value if match[1] == "-" else value)
        bare = bare.rpartition("/")[2]
    exact = Decimal(bare).normalize(Context(prec=len(bare)))
    return f"{exact:f}" if exact else "0"


def decimal_or_fraction(value: Fraction) -> str:
    """Return a value as a decimal where that ends, else as a reduced fraction.

    Examples:
        >>> decimal_or_fraction(Fraction(3, 4)), decimal_or_fraction(Fraction(2, 6))
        ('0.75', '1/3')
    """
    # A decimal ends if a power of 10 holds the denominator, all whose factors are then 2 or 5.
    if 10 ** value.denominator.bit_length() % value.denominator:
        return str(value)
    exact = Context(prec=2000)
    decimal = exact.divide(exact.create_decimal(value.numerator), value.denominator)
    return f"{decimal:f}"
