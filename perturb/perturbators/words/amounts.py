"""Amounts in another form: of money in words, by symbol or code; measures in other units."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial
from math import log
from typing import Literal, NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.text.characters import set_of
from perturb.perturbators.declaration import english_perturbator
from perturb.perturbators.shared.written import Match, number_heads, rewrites, word_heads
from perturb.resources import read_rows

Form = Literal["random", "words", "symbol", "code"]
Mode = Literal["name", "scale", "system"]


class _Currency(NamedTuple):
    symbol: str
    code: str
    one: str
    many: str


_CURRENCIES = (
    _Currency("$", "USD", "dollar", "dollars"),
    _Currency("€", "EUR", "euro", "euros"),
    _Currency("£", "GBP", "pound sterling", "pounds sterling"),
    _Currency("¥", "JPY", "yen", "yen"),
    _Currency("₹", "INR", "rupee", "rupees"),
)
_IN_CENTS = ("USD", "EUR")
_BY_NAME = {name: currency for currency in _CURRENCIES for name in currency}
_BY_NAME["US$"] = _CURRENCIES[0]
_PRICE = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d{2})?"
_LARGE = r"(?: (?:thousand|million|billion|trillion))?"
_SIGNS = "$€£¥₹"
_SYMBOLS = rf"US\$|[{_SIGNS}]"
# The symbols and codes of three characters that may begin an amount.
_LEADS = ("US$", *(currency.code for currency in _CURRENCIES))
_CODES = "|".join(currency.code for currency in _CURRENCIES)
_NAMES = "|".join(name for currency in _CURRENCIES for name in (currency.many, currency.one))
_AMOUNT = re.compile(
    rf"(?<![\w.,$€£¥₹\\/-])(?:"
    rf"(?P<before>(?:{_SYMBOLS}|{_CODES}) ?)(?P<number>{_PRICE})(?P<large>{_LARGE})(?!\w)"
    rf"|(?P<count>{_PRICE})(?P<scale>{_LARGE}) (?P<after>{_NAMES}|{_CODES})(?!\w)"
    # No range, formula, part of a number, or possessive.
    r")(?!['’%]|[.,]?\d|\.\d|\s?[-–+*=^\\<>]\s?[\d$€£]|\s?\$(?!\d)|[-–][A-Za-z])"
)
# Before any other word an amount describes a thing: a $5 bill.
_GOES_ON = re.compile(
    r"(?![ ]?[/\w])| (?:and|or|for|per|in|on|to|from|each|a|an|more|less|off|of|if|when|every"
    r"|while|but|with|at|by|is|was|are|were|as|than|total|altogether|after|before|he|she|they|it|I"
    r"|we|how|so|left|the|his|her|their|who|which|that|because|into|out|during|between|over|since"
    r"|she|apiece|will|would|can|could|has|had|worth|back|extra|plus|not|only|this|then|through"
    r"|until|instead|short|daily|weekly|monthly|annually|toward|towards)\b"
)


@english_perturbator(
    "currency_format",
    touches={"words", "punctuation", "space"},
    version=4,
    consistent=True,
    source="ISO 4217 (codes), and use in English",
    example="Ann paid $5 for a pen, 12.50 euros for a book and USD 1,200 for a bike.",
)
def currency_format(batch: Batch, *, to: Form = "random") -> Sites:
    """Write an amount of money in another form: 5 dollars for $5.

    Write amounts of money in another form, the same amount; `p` is a share of the amounts.

    Dollars are read as those of the United States. Names are not written before a noun (a $5 bill);
    ranges, formulas, amounts below zero, cents, and pounds, which may be a weight, stay.

    Args:
        batch: the texts.
        to: "words" (5 dollars), "symbol" ($5), "code" (USD 5), or "random" for one of these.
    """
    symbols = set_of(_SIGNS).mask(batch.codes).nonzero()[0]
    heads = number_heads(batch), symbols, word_heads(batch, _LEADS)
    places = np.sort(np.concatenate(heads))
    return rewrites(batch, _AMOUNT, lambda match: _sums(match, to), places, consistent=True)


def _sums(match: Match, to: Form) -> list[str]:
    """Return the other forms of an amount of money."""
    currency = _BY_NAME[(match["before"] or match["after"]).strip()]
    number, large = match["number"] or match["count"], match["large"] or match["scale"] or ""
    forms = {
        "symbol": f"{currency.symbol}{number}{large}",
        "code": f"{currency.code} {number}{large}",
    }
    if _GOES_ON.match(match.string, match.end()) and match["after"] != currency.code:
        forms["words"] = _in_words(currency, number, large)
    texts = forms.values() if to == "random" else [forms.get(to, "")]
    # USD5 and US$5 are only other spellings of the same form.
    had = match[0].replace(" ", "").replace("US$", "$")
    return [text for text in texts if text and text.replace(" ", "") != had]


def _in_words(currency: _Currency, number: str, large: str) -> str:
    amount = Decimal(number.replace(",", ""))
    if 0 < amount < 1 and not large and currency.code in _IN_CENTS:
        cents = int(amount * 100)
        return f"{cents} cent{'s' if cents > 1 else ''}"
    name = currency.one if amount == 1 and not large else currency.many
    return f"{number}{large} {name}"


# A converted number may have this many digits, this many of them after the point, and a value in
# this range; nobody would write others, such as 0.003 miles. Set by hand on 22 November 2026.
_DIGITS, _PLACES = 9, 6
_SMALLEST, _LARGEST = Fraction(1, 5), Fraction(100_000)
_NUMBER = r"(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
# The words after one foot or four feet that make it a measure.
_MEASURED = (
    r"(?= (?:of|long|wide|tall|high|deep|away|from|to|by|per|in|and|above|below|apart|across|down"
    r"|up|off|into|long|thick|every|each|farther|further|taller|longer|shorter)\b|(?! \w))"
)


class _Unit(NamedTuple):
    """A unit: its kind of measure, its system, its size in the first of its kind, and its names."""

    kind: str
    system: str
    size: Fraction
    short: str
    one: str
    many: str

    def name(self, form: str, number: str) -> str:
        """Return the unit in a form, after a number."""
        if form == "short":
            return self.short
        return self.one if form == "one" or number == "1" else self.many


@english_perturbator(
    "unit_format",
    touches={"digits", "words"},
    version=4,
    consistent=True,
    source="own table (wordlists/english/units.tsv), with the definitions of the SI and of the "
    "international yard and pound of 1959",
    example="The 3 km run took 25 minutes; she then drank 2 liters and lifted a 12 lb box.",
)
def unit_format(batch: Batch, *, mode: Mode = "name") -> Sites:
    """Write a measure in another form: 5 kilometers for 5 km, or 5,000 m.

    Write measures in another form, the same quantity; `p` is a share of them.

    A measure is a number in digits and a unit of length, area, weight, volume, time, speed or data.
    Some stay: those with a hyphen (a 5-mile run), those whose number is part of something else, and
    those that may count things (4 feet may be an animal's: it counts as a measure before words such
    as long or of, or if no word follows). A part of a measure (5 ft 7 in) changes its name alone.

    Args:
        batch: the texts.
        mode: "name" exchanges the name of a unit and its abbreviation (km, kilometers); "scale"
            writes another unit of the same system, if the number is exact and short (2 hours, 120
            minutes); "system" exchanges metric and imperial units, exactly, if nine digits are
            enough (5 miles, 8.04672 kilometers).
    """
    ways = partial(_measures, mode=mode)
    return rewrites(batch, _pattern(), ways, number_heads(batch), consistent=True)


def _measures(match: Match, mode: Mode) -> list[str]:
    """Return the other forms of a measure."""
    unit, form = _unit_names()[match["unit"]]
    number, space = match["number"], match["space"]
    if mode == "name":
        other = "short" if form != "short" else "many"
        return [f"{number} {unit.name(other, number)}"]
    if _is_compound(match):
        return []
    value = Fraction(number.replace(",", ""))
    # Before a noun a unit has no plural: a 2 hour walk.
    form = "many" if value == 1 and form == "one" else form
    return [
        f"{converted}{space}{other.name(form, converted)}"
        for other in _alike(unit, mode)
        if (converted := _exact(value * unit.size / other.size, mode))
    ]


def _is_compound(match: Match) -> bool:
    """Return whether another measure is beside this one, as in 5 ft 7 in."""
    text, start, end = match.string, match.start(), match.end()
    left = re.search(r"[0-9] ?([^\W\d]+) $", text[max(start - 16, 0) : start])
    follows = re.match(r" ?[0-9]", text[end : end + 2])
    return follows is not None or bool(left and left[1] in _unit_names())


def _exact(value: Fraction, mode: Mode) -> str:
    """Return a number as a decimal, with the commas of thousands; "" if it is too long."""
    shifted = value * 10**_PLACES
    if shifted.denominator != 1 or not _SMALLEST <= value < _LARGEST:
        return ""
    decimal = (Decimal(shifted.numerator) / 10**_PLACES).normalize()
    digits = len(decimal.as_tuple().digits)
    return f"{decimal:,f}" if digits <= (4 if mode == "scale" else _DIGITS) else ""


def _alike(unit: _Unit, mode: Mode) -> list[_Unit]:
    """Return the other units for a measure."""
    units = dict.fromkeys(other for other, _ in _unit_names().values())
    same = [other for other in units if other.kind == unit.kind and other != unit]
    if mode == "scale":
        return [other for other in same if other.system == unit.system]
    others = [other for other in same if other.system != unit.system]
    return sorted(others, key=lambda other: abs(log(unit.size / other.size)))[:1]


@cache
def _unit_names() -> dict[str, tuple[_Unit, str]]:
    """Return the unit and the form for each name of a unit."""
    names: dict[str, tuple[_Unit, str]] = {}
    for kind, system, size, abbreviated, one, many in read_rows("english", "units.tsv"):
        shorts = [name.replace("_", " ") for name in abbreviated.split(" ")]
        unit = _Unit(kind, system, Fraction(size), shorts[0].strip("*"), one, many)
        # A name with a star is written but not read.
        forms = [(name, "short") for name in shorts if not name.endswith("*")]
        for form, name in (("one", one), ("many", many)):
            british = name.replace("meter", "metre"), name.replace("liter", "litre")
            forms += [(spelling, form) for spelling in (name, *british)]
        for spelling, form in forms:
            names.setdefault(spelling, (unit, form))
    return names


@cache
def _pattern() -> re.Pattern[str]:
    names = sorted(_unit_names(), key=len, reverse=True)
    plain = "|".join(
        re.escape(name) for name in names if name not in ("foot", "feet") and len(name) > 1
    )
    letters = "".join(name for name in names if len(name) == 1)
    return re.compile(
        rf"(?<![\w.,:$€£¥/+*=^-]){_NUMBER}(?P<space> ?)"
        rf"(?P<unit>(?:{plain}|(?<= )[{letters}])(?![\w/²³^°'’-]|\.\w)|feet(?![\w/'’-]){_MEASURED})"
    )
