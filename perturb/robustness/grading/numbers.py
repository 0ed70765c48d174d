"""Numbers in one notation, whatever people, TeX and typesetters write."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Context, Decimal
from fractions import Fraction
from unicodedata import normalize

from perturb.values.patterns import lazy_re

PLAIN = r"(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d\d){1,5},\d{3}|\d+)(?:\.\d+)?|\.\d+"
# A mixed number, a fraction, or something else with slashes, such as a date.
NUMBER = rf"\d+[ -]\d+/\d+(?![\d/])|(?:{PLAIN})(?:[eE][-+]?\d{{1,3}}\b)?(?:/\d+)*"
CURRENCY = (
    r"(?:(?<![^\W\d_])[A-Z]{1,2})?[$£¥\u0e3f\u20a0-\u20c0]"
    r"|\b(?:USD|EUR|GBP|JPY|CNY|INR|KRW|CHF|CAD|AUD|NZD|SGD|HKD|TWD|RMB|Rs\.?) ?"
)
FRACTION_SIGN = "[\u00bc-\u00be\u2150-\u215e\u2189]"
_FRACTION_SIGN = lazy_re(FRACTION_SIGN)
# Minus, plus, point and colon of other keyboards and scripts; and the bar of a fraction.
_SIGNS = str.maketrans("\u2212\uff0d\uff0b\uff0e\uff1a\u066b\u066c\u066a\uff05\u2044", "--+.:.'%%/")
# A dash that touches a number, and nothing before it.
_EN_DASH = lazy_re(r"(?:(?<=\s)|^)\u2013(?=[$€£¥₹₩]?[.\d])")
_MINUS = lazy_re(
    r"(?:(?<=\bis )|(?<=\bare )|(?<=\bwas )|(?<=\bof )|(?<=[=:(] )|(?<=[=:(])|^)"
    r"(?:minus|negative) (?=[$€£¥₹₩]?[.\d])",
    re.IGNORECASE,
)
_BELOW = lazy_re(
    r"(?<![\w.,-])([\d.]{1,9}(?: ?(?:°|degrees?)(?: ?(?:C|F|Celsius|Fahrenheit)\b)?)?) below zero\b"
)
# Of more than 4,300 digits, int() makes no number.
_SLASHES = lazy_re(r"(?:(\d{1,300})[ -])?(\d{1,300})/(\d{1,300})")
# A wide comma parts thousands of wide digits alone; between others it may part a list.
_WIDE = "[\uff10-\uff19]"
_GROUPED = lazy_re(
    r"(?<=\d)(?:(?:\\!)?(?:\{,\}|,)\\!|\{,\}|\\[,!;: ]|[\u00a0\u2009\u202f'’_])(?=\d{3}(?!\d))"
    rf"|(?<={_WIDE})\uff0c(?={_WIDE}{{3}}(?!{_WIDE}))"
)
_MONTHS = (
    "January|February|March|April|May|June|July|August|September|October|November|December"
    "|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec"
)
# Two numbers side by side have a word or a sign between them, unless one is the day of a month.
_SPACED = lazy_re(
    rf"(?:\b(?:{_MONTHS})\.? )?"
    r"(?<![\w.,/-])(?<!\d )\d{1,3}(?: \d{3})+(?!\w| \d|,\d{3}|/\d)"
)
_AND_A_PART = lazy_re(r"(?<=\d)[ -]and[ -]a[ -](half|quarter)\b")
_SAID = lazy_re(r" *\\(?:text|mathrm|mbox)\s*\{\s*~?([^{}]*)\}")
_TERM = r"\s*(?:\{\s*(-?\d+|[A-Za-z]+)\s*\}|(\d))"
_FRACTION = lazy_re(rf"\\[dt]?frac{_TERM}{_TERM}")
_TEX = lazy_re(
    r"\\(pm|ne(?=q?\b)|le(?=q?\b)|ge(?=q?\b)|infty|[{}])(?:(?<=e)q)?|\\(?:left|right)\b"
    r"|\^\{?\\circ\b\}?| *(?:\\[ ,;:!]|(?<=\d)~) *"
)
_TEX_SIGNS = {"pm": "±", "ne": "≠", "le": "≤", "ge": "≥", "infty": "∞", "{": "{", "}": "}"}
# 2^10, 10**3, 1.5 x 10^{-3}; and the exponent of a unit or a variable, which is no number. 15
# digits to the power of 99 are 1,485 digits; without a bound, an exponent could fill the memory.
_POWER = lazy_re(
    r"(?<![\d.,^*])(?:(\d{1,15}(?:\.\d{1,15})?) ?(?:[*×·x]|\\times|\\cdot) ?(?=10\D))?"
    r"(\d{1,3}(?:,\d{3}){1,4}|\d{1,15})"
    r"(?:\^(?:([-+]?\d{1,2})|\{([-+]?\d{1,2})\})|\*\*([-+]?\d{1,2}))(?![\d^*])"
)
# The square or the cube of a length, as in 18 m2.
_SQUARED = lazy_re(r"(?<=\d)( ?(?:[ckm]?m|ft|in|yd|mi))([23])(?!\w)")
_OF_LETTERS = lazy_re(r"([A-Za-z]\}?)\^([-+]?\d+|\{[-+]?\d+\})")
_RAISED = lazy_re(r"(?<![\d.,])(\d{1,3})([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})")
_LOWERED = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")
# 1.234,5 and 12,50; a comma before three digits may part thousands, one in brackets two numbers.
_COMMA = lazy_re(
    r"(?<![\w.,])(\d{1,3}(?:\.\d{3})+|\d+),(\d{1,2}|\d{4,}|(?<=0,)(?<!\d0,)\d+)(?![\d/]|[.,]\d)"
)
_POINTS = lazy_re(r"(?<![\w.,])\d{1,3}(?:\.\d{3}){2,9}(?![.,]?\d)")
# It is a thousand in Spanish and Portuguese, which have a decimal comma or some other word of
# theirs beside it, and a million in English, where it follows dollars or a decimal point. A bare
# "2 mil" may be either, and a thickness as well: it isn't read.
_MIL = lazy_re(r"((?:(?<![A-Z])\$ ?|£ ?)?\b\d(?:[\d.,]{0,20}\d)?) ?mil\b")
_IBERIAN = lazy_re(
    r"(?i)R\$|\d,\d\d? ?mil\b|\bmil mill|\b(?:el|es|hay|una|del|que|por|são|foi|há|uma|tem|em|reais"
    r"|personas|pessoas|habitantes|respuesta|resposta)\b"
)
_POINT = lazy_re(r"\d\.(?:\d{1,2}|\d{4,})(?!\d)")


def in_one_notation(text: str) -> str:
    r"""Return a text with its numbers as programs write them: fractions, powers, signs, points.

    A comma is a decimal comma unless it may part thousands, or the text has decimal points too.

    Examples:
        >>> in_one_notation(r"\frac{1}{2} or 1½, and 10³"), in_one_notation("1 234,5")
        ('1/2 or 1 1/2, and 1000', '1234.5')
    """
    if not text.isascii():
        text = _FRACTION_SIGN.sub(_as_fraction, text.translate(_SIGNS))
        text = _EN_DASH.sub("-", text)
        text = _RAISED.sub(lambda match: f"{match[1]}^{match[2].translate(_LOWERED)}", text)
    if "\\" in text:
        text = _FRACTION.sub(_as_slash, _SAID.sub(r" \1", text.replace("\\%", "%")))
        text = without_grouping(text.replace("\\$", "$"))
        text = _TEX.sub(lambda sign: _TEX_SIGNS.get(sign[1], " °"[sign[0][0] == "^"]), text)
    text = _SPACED.sub(_as_one_number, without_grouping(text))
    if any(word in text.lower() for word in ("minus", "negative")):
        text = _MINUS.sub("-", text)
    if "below zero" in text:
        text = _BELOW.sub(r"-\1", text)
    if " a " in text or "-a-" in text:
        text = _AND_A_PART.sub(lambda match: f" 1/{2 if match[1] == 'half' else 4}", text)
    if "2" in text or "3" in text:
        text = _SQUARED.sub(lambda unit: f"{unit[1]}{'²³'[int(unit[2]) - 2]}", text)
    if "^" in text or "**" in text:
        text = _POWER.sub(_value_of_power, _OF_LETTERS.sub(_raised, text))
    if "mil" in text:
        text = _MIL.sub(r"\1 mille" if _IBERIAN.search(text) else _as_million, text)
    text = _POINTS.sub(lambda match: match[0].replace(".", ""), text)
    if "," in text:
        text = _COMMA.sub(_with_point(_POINT.search(text) is None), text)
    return text


def _as_one_number(match: re.Match[str]) -> str:
    """Return a number without the blanks between its thousands; a day and a number as they are."""
    return match[0] if match[0][0].isalpha() else match[0].replace(" ", "")


def _as_million(mil: re.Match[str]) -> str:
    """Return "mil" behind a number as a million where English has no other, else as it is."""
    return f"{mil[1]} mn" if mil[1][0] in "$£" or "." in mil[1] else mil[0]


def _as_fraction(match: re.Match[str]) -> str:
    """Return a fraction in one character as one with a slash."""
    is_mixed = match.string[: match.start()][-1:].isdecimal()
    return " " * is_mixed + normalize("NFKC", match[0]).replace("\u2044", "/")


def _raised(match: re.Match[str]) -> str:
    """Return a letter with its exponent as a sign, which no number begins with."""
    return match[1] + {"2": "²", "3": "³"}.get(match[2].strip("{}"), "")


def _with_point(any_decimals: bool) -> Callable[[re.Match[str]], str]:
    """Return what writes numbers with a decimal point; if not wanted, only those that end in 00."""

    def written(match: re.Match[str]) -> str:
        whole, part = match.groups()
        around = match.string[match.start() - 1 : match.start()] + match.string[match.end() :][:1]
        if re.fullmatch(r"[(\[{][)\]}]", around) or not (any_decimals or part == "00"):
            return match[0]
        return f"{whole.replace('.', '')}.{part}"

    return written


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


def value_of(number: str) -> Fraction:
    """Return the value of a match of `NUMBER`; if it isn't a fraction, that of its last part.

    Examples:
        >>> value_of("1,234.50"), value_of("1 1/2"), value_of("1/0")
        (Fraction(2469, 2), Fraction(3, 2), Fraction(0, 1))
    """
    bare = number.replace(",", "")
    match = _SLASHES.fullmatch(bare)
    if match is not None and int(match[3]):
        return int(match[1] or 0) + Fraction(int(match[2]), int(match[3]))
    return Fraction(Decimal(bare.rpartition("/")[2]))


def decimal_or_fraction(value: Fraction) -> str:
    """Return a value as a decimal where that ends, else as a reduced fraction.

    Examples:
        >>> decimal_or_fraction(Fraction(3, 4)), decimal_or_fraction(Fraction(2, 6))
        ('0.75', '1/3')
    """
    # A decimal ends if a power of 10 holds the denominator, all whose factors are then 2 or 5.
    if 10 ** value.denominator.bit_length() % value.denominator:
        return str(value)
    # The longest power has 1,485 digits, and its factor 30; a power below 1 may be rounded.
    exact = Context(prec=2000)
    decimal = exact.divide(exact.create_decimal(value.numerator), value.denominator)
    return f"{decimal:f}"
