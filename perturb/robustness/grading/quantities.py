"""The quantity in a text: a number with its scale and unit, a compound, a clock time or a date."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from perturb.robustness.grading.boxed import boxed
from perturb.robustness.grading.number_words import PART, in_digits
from perturb.robustness.grading.numbers import (
    CURRENCY,
    FRACTION_SIGN,
    NUMBER,
    decimal_or_fraction,
    in_one_notation,
    value_of,
)

# What multiplies the number before it, in the languages that write digits and such a word.
_SCALES = {
    word: 10 ** int(line.split()[0])
    for line in """\
2 hundred
3 thousand tausend mille mil тыс тысяча тысячи тысяч ألف हज़ार 千 천
4 万 萬 만
5 lakh lakhs लाख
6 million millions mn mio millionen millones millón milhões milhão milioni milione млн миллион
6 миллиона миллионов مليون
7 crore crores करोड़
8 億 亿 억
9 billion billions bn mrd milliarde milliarden milliard milliards miliardi miliardo bilhão bilhões
9 млрд миллиард миллиарда миллиардов مليار
12 trillion trillions tn billionen billones billón 兆 조
""".splitlines()
    for word in line.split()[1:]
}
# A letter scales the number that it touches: 5 m are metres, and 5M are millions.
_LETTERS = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9}
# Dimension, factor, names and after + the prefixes that people write before them; a name in two
# entries may be either, and a hyphen in one is a space of two words. Factors are exact by
# definition (international yard and pound, US gallon and its content); speed is in metres per hour.
_TABLE = """\
length 1 m metre meter +nµmck; length 0.0254 in inch inches " ″; length 0.3048 ft foot feet ' ′
length 0.9144 yd yard; length 1609.344 mi mile; length 1852 nmi nautical-mile
length 9460730472580800 ly light-year; length^2 4046.8564224 acre; length^2 10000 ha hectare
mass 1 g gram gramme +nµmk; mass 28.349523125 oz ounce; mass 453.59237 lb lbs pound
mass 1000 kilo; mass 1000000 t tonne ton metric-ton; mass 6350.29318 stone
volume 1 l litre liter +mc; volume 1 L +m; volume 3.785411784 gal gallon
volume 0.946352946 qt quart; volume 0.473176473 pt pint; volume 0.2365882365 cup
volume 0.01478676478125 tbsp tablespoon; volume 0.00492892159375 tsp teaspoon
time 1 s sec second +nµm; time 60 min minute; time 3600 h hr hrs hour; time 86400 day
time 604800 week; time 1209600 fortnight; months 1 month; months 12 yr year; months 120 decade
months 1200 century centuries; speed 1609.344 mph mi/h; speed 1000 km/h kph kmh
speed 3600 m/s; speed 1852 knot kn
power 1 W watt +mkMGT; energy 1 J joule +mkM; energy 3600 Wh +kMGT; food 1 cal calorie +k
voltage 1 V volt +mk; current 1 A amp ampere +mk; frequency 1 Hz hertz +kMG; data 1 B byte +kMGT
data 0.125 b bit +kMGT; data 1024 KiB; data 1048576 MiB; data 1073741824 GiB
data 1099511627776 TiB; pressure 1 Pa pascal +kM; pressure 100000 bar +m; pressure 6894.757 psi
force 1 N newton +k; loudness 1 dB decibel; horsepower 1 hp horsepower; kelvin 1 K kelvin
percent 1 % percent per-cent; percent 0.1 ‰ per-mille permille; percent 0.01 bp bps basis-point
angle 1 ° degree; celsius 1 °C ° degree degree-celsius celsius centigrade degree-centigrade
fahrenheit 1 °F ° degree degree-fahrenheit fahrenheit
count 12 dozen
usd 1 $ US$ USD dollar buck; usd 0.01 ¢ cent; eur 1 € EUR euro; eur 0.01 ¢ cent
gbp 1 £ GBP pound quid; gbp 0.01 pence penny p; jpy 1 ¥ JPY yen; cny 1 ¥ CNY RMB yuan
inr 1 ₹ INR Rs rupee; krw 1 ₩ KRW won; chf 1 CHF franc; rub 1 ₽ RUB ruble rouble
mxn 1 MXN peso; brl 1 BRL real reais; sek 1 SEK krona kronor; nok 1 NOK krone kroner
dkk 1 DKK krone kroner; pln 1 PLN zloty; try 1 TRY lira; zar 1 ZAR rand
thb 1 THB baht; ils 1 ILS shekel; aed 1 AED dirham; sar 1 SAR riyal; vnd 1 VND dong
"""
_PREFIXES = {"n": (-9, "nano"), "µ": (-6, "micro"), "m": (-3, "milli"), "c": (-2, "centi"),
             "k": (3, "kilo"), "M": (6, "mega"), "G": (9, "giga"), "T": (12, "tera")}  # fmt: skip
# Times in words, and the words without which a text has none.
_HOURS_SAID = "one two three four five six seven eight nine ten eleven twelve".split()
_CLOCKS = {name: at for at, name in enumerate(_HOURS_SAID, 1)}
_CLOCKS |= {"quarter": 15, "twenty": 20, "twenty-five": 25, "half": 30}
_HOUR = rf"(?:{'|'.join(_HOURS_SAID)}|\d\d?)\b"
_CLOCK = re.compile(
    rf"\b(?:(?:(?P<past>{'|'.join(_CLOCKS)}|\d\d?)(?: minutes?)? past|(?P<to>quarter) to) "
    rf"(?P<hour>{_HOUR})(?: ?o['’]clock\b)?|(?P<sharp>{_HOUR})(?= ?o['’]clock\b))",
    re.IGNORECASE,
)
_O_CLOCK = re.compile(r" ?o['’]clock\b", re.IGNORECASE)
_OF_CLOCKS = "past", "clock", "uarter to"
_NOON = re.compile(r"\b(noon|midday|midnight)\W*$", re.IGNORECASE)
_SECONDS = {"hour": 3600, "minute": 60, "second": 1}
# Feet and inches; texts that are read whole: times, ratios, dates, places on a globe, versions.
_TOKEN = re.compile(
    r"(?<![\w.,])(?P<feet>\d{1,9})(?:['′’]| ?(?:ft|foot|feet)\.?(?! ?\d+ [^\W\di])) ?"
    r"(?P<inches>\d{1,9}(?:\.\d{1,9})?)(?:[\"″”]|''|’’|(?![\w'’.,]))"
    r"|(?<![\w.,])(?P<hours>\d{1,9}) ?h ?(?P<minutes>[0-5]\d)(?: ?m(?:in)?)?(?!\w)"
    r"|(?<![\w:.])(?P<clock>\d{1,9}(?::\d{1,9})+|\d{1,2}\.[0-5]\d(?= ?[ap]\.? ?m\b))(?![\d:])"
    r"|(?<![\w-])(?P<date>\d{4}-\d\d-\d\d)(?![\d-])"
    r"|(?P<globe>\d{1,3}° ?\d{1,2}['′’](?: ?\d{1,2}(?:\.\d{1,9})?(?:[\"″”]|''))?)"
    r"|(?<![\d.])(?P<dotted>\d{1,9}(?:\.\d{1,9}){2,})(?![.\d])"
    rf"|(?P<sign>[-+]?)(?P<currency>{CURRENCY})?(?P<number>{NUMBER})"
)
# Of tokens in two parts: the first, and the units of both.
_COMPOUNDS = {"inches": ("feet", "ft", "in"), "minutes": ("hours", "h", "min")}
_SCALE = re.compile(r"([ \u00a0\u202f-]?)([^\W\d_]+)\.?")
_HOURS = re.compile(r" ?(?:hours?|hrs?|h)\b")
_HALF_DAY = re.compile(
    r"(?: ?o['’]clock)? ?(?:([ap])\.? ?m\b\.?|in the (morning|afternoon|evening)|at (night)"
    r"|(noon|midnight))",
    re.IGNORECASE,
)
_EARLY = "a", "morning", "midnight"
# The rest of a number that isn't read.
_MORE = re.compile(
    rf"(?: [a-z]+){{0,2}} and (?:an? {PART}|[a-z-]+(?: [a-z]+)? (?:cent|pence|minute|second|inch))"
)
_UNIT = re.compile(
    r"[ \u00a0\u202f]?-?(?P<power>(?:square|sq\.?|cubic|cu\.?) )?"
    r"(?P<name>[^\W\d_²³]+/[^\W\d_²³]+|[°º] ?[CF]\b|[^\W\d_²³]+|[%‰°€£¥₹₩₽¢$\"″'′])"
    r"(?P<raised>[²³])?"
)
_NEXT = re.compile(r"[ -]([^\W\d_]+)")
_PER = re.compile(r" (?:per|an?) (hour|second|minute)\b")
# Of a preposition and a unit, "in" is the unit where nothing else follows.
_ENDS = re.compile(r"\.?\s*(?:[^\w\s]|$)")
_JOINS = re.compile(r"[\s,.]{0,9}(?:and\s|&\s?)?")
# Between words or numbers a minus is none.
_BETWEEN = re.compile(r"[\w)\]}]")
_TEX = re.compile(r"\\[a-z]+|[{}]")
_FINAL = re.compile(r"####([^\n]*\w)")
_DIGIT = re.compile(rf"\d|{FRACTION_SIGN}")
# Longer ones are no result of anything, and no exact value is made of them.
_LONGEST = 400


class Quantity(NamedTuple):
    """What a text says how much there is.

    Attributes:
        number: in one notation, without its unit; of a compound that in its smallest unit; of a
            date or the like, all of it.
        readings: the pairs of a dimension and a value in it that it may mean; none where its unit
            isn't known.
        others: numbers that it is as well where the other has no unit: a compound in its larger
            units, the year of a date.
    """

    number: str
    readings: frozenset[tuple[str, str | Fraction]] = frozenset()
    others: frozenset[str] = frozenset()

    def equals(self, other: Quantity) -> bool:
        """Return whether both are one quantity; a number without a unit has that of the other."""
        if self.readings and other.readings:
            return not self.readings.isdisjoint(other.readings)
        return bool({self.number, *self.others} & {other.number, *other.others})

    def to_float(self) -> float | None:
        """Return the number; None for a time, a date, or a number beyond floating point."""
        try:
            return float(Fraction(self.number))
        except (ValueError, OverflowError):
            return None


class _Part(NamedTuple):
    """A number of a text, its scale included, and its units: by dimension, how much one is."""

    value: Fraction
    scale: int
    units: Mapping[str, Fraction]
    start: int
    end: int


def last_number(text: str) -> str | None:
    r"""Return the number of the last quantity of a text, as `last_quantity` reads it.

    Examples:
        >>> last_number("2 * 600 = $1,200.00."), last_number("none")
        ('1200', None)
        >>> last_number(r"So \boxed{\frac{1}{3}}, in 2 steps."), last_number("1 1/2 cups")
        ('1/3', '1.5')
        >>> last_number("about 1.5 * 10^3 m^2"), last_number("That makes twenty-one.")
        ('1500', '21')
        >>> last_number("2.5 million"), last_number("½"), last_number("at 9:05")
        ('2500000', '0.5', '9:05')
    """
    quantity = last_quantity(text)
    return None if quantity is None else quantity.number


def last_quantity(text: str) -> Quantity | None:
    r"""Return the last quantity of a text, so that `1,200.0` and `1.2 thousand` are equal.

    Where there is a box with a number, or a number after `####`, it is the last one of these.
    Fractions and powers are values: `3/4` is `0.75`. A text may end with a number in words, after
    any digits. `1 h 30 min` is one quantity, and so are times and dates.

    Examples:
        >>> tall, far = last_quantity("She is 5'10\" tall."), last_quantity("3 km")
        >>> tall.equals(last_quantity("5 ft 10 in")), far.equals(last_quantity("3 miles"))
        (True, False)
    """
    text = in_one_notation(_final(text))
    if any(word in text for word in _OF_CLOCKS):
        text = _CLOCK.sub(_in_digits, text)
    tokens = deque(_TOKEN.finditer(text), maxlen=4)
    end = tokens[-1].end() if tokens else 0
    if end and _MORE.match(text, end):
        return None
    if words := in_digits(text, end):
        text = words
        tokens = deque(_TOKEN.finditer(text), maxlen=4)
    if not tokens:
        noon = _NOON.search(text)
        is_night = noon is not None and noon[1].lower() == "midnight"
        return noon and _time("12:00", _HALF_DAY.match(" am" if is_night else " pm"))
    parts: list[_Part] = []
    while tokens:
        part = _read(text, tokens.pop())
        if isinstance(part, Quantity):
            if not parts:
                return part
            break
        if parts and not _goes_on(text, part, parts[0]):
            break
        parts.insert(0, part)
    return _sum(parts)


def _in_digits(clock: re.Match[str]) -> str:
    """Return a time in words as one in digits; other words stay."""
    hour, past = (
        _CLOCKS.get(said.lower()) or int(said)
        for said in (clock["hour"] or clock["sharp"], clock["past"] or "0")
    )
    if clock["sharp"]:
        return str(hour)
    if clock["to"]:
        hour, past = (hour - 2) % 12 + 1, 45
    return f"{hour}:{past:02}" if hour < 25 and past < 60 else clock[0]


def _final(text: str) -> str:
    """Return the part of a text that is said to be the answer, if it holds a number."""
    if "\\" in text:
        said = [boxed(text) or ""]
    elif "####" in text:
        said = _FINAL.findall(text)
    else:
        return text
    return next(filter(_has_number, reversed(said)), text)


def _has_number(text: str) -> bool:
    return bool(_DIGIT.search(text)) or in_digits(_TEX.sub(" ", text)) is not None


def _read(text: str, token: re.Match[str]) -> _Part | Quantity:
    """Return a number with its scale and units, or a quantity that is no number."""
    kind, written = token.lastgroup, token[0]
    if kind in _COMPOUNDS:
        above, *names = _COMPOUNDS[kind]
        quantity = _compound(token, (token[above], token[kind]), names)
        if kind == "minutes" and written[-1].isdigit() and int(token[above]) < 24:  # or a time
            clock = _time(f"{int(token[above])}:{token[kind]}", _HALF_DAY.match(text, token.end()))
            quantity = quantity._replace(readings=quantity.readings | clock.readings)
        return quantity
    if kind == "clock":
        hour, minutes = written.replace(".", ":").split(":", 1)
        if minutes.isdecimal() and _HOURS.match(text, token.end()):
            return _compound(token, (hour, minutes), ("h", "min"))
        return _time(f"{int(hour)}:{minutes}", _HALF_DAY.match(text, token.end()))
    if kind == "date":
        return _whole(written, written[:4])
    if kind in ("dotted", "globe"):
        return _whole(written.replace(" ", ""))
    if written.count("/") > 1:
        *rest, last = (part.lstrip("0") for part in token["number"].split("/"))
        return _whole("/".join((*rest, last)), last)
    if len(written) > _LONGEST:
        return _whole(written)
    return _measured(text, token)


def _compound(token: re.Match[str], values: Sequence[str], names: Sequence[str]) -> Quantity:
    """Return the quantity of two numbers with their units."""
    parts = zip(map(Fraction, values), map(unit_named, names), strict=True)
    return _sum([_Part(value, 1, units, *token.span()) for value, units in parts])


def _whole(written: str, *others: str) -> Quantity:
    return Quantity(written, frozenset({("whole", written)}), frozenset(others))


def _time(clock: str, half: re.Match[str] | None, number: str = "") -> Quantity:
    """Return a time of the day, which may be in either half where nobody says in which."""
    hour, rest = clock.split(":", 1)
    if not 1 <= int(hour) <= 12:
        return _whole(clock)
    if half is None:
        readings = {("whole", clock), ("am", clock), ("pm", clock)}
    else:
        said = str(half[half.lastindex or 0]).lower()
        is_late = 6 <= int(hour) <= 11 if said == "night" else said not in _EARLY
        name = "pm" if is_late else "am"
        readings = {("whole", f"{int(hour) % 12 + 12 * (name == 'pm')}:{rest}"), (name, clock)}
    return Quantity(number or clock, frozenset(readings))


def _measured(text: str, token: re.Match[str]) -> _Part | Quantity:
    """Return the number of a token with its scale and unit; or the hour of a day."""
    start, end = token.span()
    value = value_of(token["number"])
    if token["sign"] == "-" and not (start and _BETWEEN.match(text, start - 1)):
        value = -value
    half = _HALF_DAY.match(text, end)
    if (half or _O_CLOCK.match(text, end)) and value in range(1, 13):
        return _time(f"{value}:00", half, str(value))
    scale, end = _scale(text, end)
    units, end = _unit(text, start, end, token["currency"])
    return _Part(value * scale, scale, units, start, end)


def _scale(text: str, end: int) -> tuple[int, int]:
    """Return what the words behind a number multiply it by, and where they end."""
    scale = 1
    while word := _SCALE.match(text, end):
        space, name = word.groups()
        if not space and name in _LETTERS:
            return scale * _LETTERS[name], word.end()
        factor = _SCALES.get(name.lower())
        if factor is None:
            if (factor := _SCALES.get(name[0])) is None:  # 3万円: one letter is a word
                break
            scale, end = scale * factor, word.start(2) + 1
        else:
            scale, end = scale * factor, word.end()
    return scale, end


def _unit(
    text: str, start: int, end: int, currency: str | None
) -> tuple[Mapping[str, Fraction], int]:
    """Return the dimensions that a number may have, with the value of one, and where it ends."""
    if currency:
        return _units().get(currency.rstrip(" ."), {}), end
    found = _UNIT.match(text, end)
    if found is None:
        return {}, end
    name = found["name"].replace("μ", "µ").replace("º", "°").replace("° ", "°")
    if name in "\"'" and name in text[:start]:  # it closes a quotation
        return {}, end
    if name == "in" and not _ENDS.match(text, found.end()):
        return {}, end
    if (more := _NEXT.match(text, found.end())) and (
        two := unit_named(f"{name}-{more[1]}") or unit_named(f"{name.removesuffix('s')}-{more[1]}")
    ):
        return two, more.end()
    units = unit_named(name)
    if not units:
        units = unit_named(name.partition("/")[0])
        return units, found.start("name") + len(name.partition("/")[0])
    power = 2 if found["raised"] == "²" or (found["power"] or "").startswith("s") else 3
    if found["raised"] or found["power"]:
        units = {f"{each}^{power}": factor**power for each, factor in units.items()}
    per = _PER.match(text, found.end())
    if per and "length" in units:
        return {"speed": units["length"] * 3600 / _SECONDS[per[1]]}, per.end()
    return units, found.end()


def unit_named(name: str) -> Mapping[str, Fraction]:
    """Return what a unit may measure; a word may be in capitals, or in the plural."""
    known, word = _units(), name.lower()
    return known.get(name) or known.get(word) or known.get(word.removesuffix("s")) or {}


@cache
def _units() -> dict[str, dict[str, Fraction]]:
    """Return the known units by their names, each with its dimensions and the value of one."""
    units: dict[str, dict[str, Fraction]] = {}
    for entry in re.split("[;\n]", _TABLE.strip()):
        given, _, prefixes = entry.partition(" +")
        dimension, factor, symbol, *words = given.split()
        for prefix, (power, said) in ({"": (0, "")} | _PREFIXES).items():
            for name in (prefix + symbol, *(said + word for word in words)) * (prefix in prefixes):
                units.setdefault(name, {})[dimension] = Fraction(factor) * Fraction(10) ** power
    return units


def _goes_on(text: str, before: _Part, after: _Part) -> bool:
    """Return whether two numbers are parts of one: 1 h 30 min, 3万5千."""
    gap = text[before.end : after.start]
    if after.value < 0 or not _JOINS.fullmatch(gap):
        return False
    if before.units:
        both = before.units.keys() & after.units.keys()
        return any(after.value * after.units[each] < before.units[each] for each in both)
    return before.scale > after.value and (not gap or after.scale > 1)


def _sum(parts: Sequence[_Part]) -> Quantity:
    """Return the quantity that the parts of a compound make."""
    units = parts[-1].units
    if len({*map(id, (part.units for part in parts))}) == 1 or not parts[0].units:
        value = sum((part.value for part in parts), Fraction(0))
        readings = {(each, value * factor) for each, factor in units.items()}
        counted = {decimal_or_fraction(many) for each, many in readings if each == "count"}
        return Quantity(decimal_or_fraction(value), frozenset(readings), frozenset(counted))
    both = set.intersection(*({*part.units} for part in parts))
    totals = {each: sum((p.value * p.units[each] for p in parts), Fraction(0)) for each in both}
    dimension, total = min(totals.items())
    smallest, *others = (total / part.units[dimension] for part in reversed(parts))
    return Quantity(
        decimal_or_fraction(smallest),
        frozenset(totals.items()),
        frozenset(map(decimal_or_fraction, others)),
    )
