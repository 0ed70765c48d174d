"""The quantity in a text: a number with its scale and unit, a compound, a clock time or a date."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import inf
from typing import NamedTuple

from perturb.robustness.grading.number_words import APART, BOUND, ONES, PART, TEENS, WORD, in_digits
from perturb.robustness.grading.numbers import CURRENCY, NUMBER, decimal_or_fraction, value_of
from perturb.robustness.grading.stated import stated
from perturb.robustness.grading.units import scale_behind, things_behind, unit_behind, unit_named
from perturb.values.patterns import lazy_re

# Times in words, and the words without which a text has none.
_HOURS_SAID = [*ONES, *TEENS[:3]]
_CLOCKS = {name: at for at, name in enumerate(_HOURS_SAID, 1)}
_CLOCKS |= {"quarter": 15, "twenty": 20, "twenty-five": 25, "half": 30}
_HOUR = rf"(?:{'|'.join(_HOURS_SAID)}|\d\d?)\b"
_CLOCK = lazy_re(
    rf"\b(?:(?:(?P<past>{'|'.join(_CLOCKS)}|\d\d?)(?: minutes?)? past|(?P<to>quarter) to) "
    rf"(?P<hour>{_HOUR})(?: ?o['’]clock\b)?|(?P<sharp>{_HOUR})(?= ?o['’]clock\b))",
    re.IGNORECASE,
)
_O_CLOCK = lazy_re(r" ?o['’]clock\b", re.IGNORECASE)
_OF_CLOCKS = "past", "clock", "uarter to"
_NOON = lazy_re(r"\b(noon|midday|midnight)\W*$", re.IGNORECASE)
# Feet and inches; texts that are read whole: times, ratios, dates, places on a globe, versions,
# intervals and pairs.
_END = r"[-+]?(?:∞|[\d.][\d./]*) ?"
_TOKEN = lazy_re(
    # Few characters begin one, so that most places are passed over at once.
    r"(?=[-+.\d({\[A-Z$£¥\u0e3f\u20a0-\u20c0])(?:"
    r"(?<![\w.,])(?P<feet>\d{1,9})(?:['′’]| ?(?:ft|foot|feet)\.?(?! ?\d+ [^\W\di])) ?"
    r"(?P<inches>\d{1,9}(?:\.\d{1,9})?)(?:[\"″”]|''|’’|(?![\w'’.,]))"
    r"|(?<![\w.,])(?P<hours>\d{1,9}) ?h ?(?P<minutes>[0-5]\d)(?: ?m(?:in)?)?(?!\w)"
    r"|(?<![\w:.])(?P<clock>\d{1,9}(?::\d{1,9})+|\d{1,2}\.[0-5]\d(?= ?[ap]\.? ?m\b))(?![\d:])"
    r"|(?<![\w-])(?P<date>\d{4}-\d\d-\d\d|\d\d?-\d\d?-\d{4})(?![\d-])"
    r"|(?P<globe>\d{1,3}° ?\d{1,2}['′’](?: ?\d{1,2}(?:\.\d{1,9})?(?:[\"″”]|''))?)"
    r"|(?<![\w.,/])(?P<part>\d{1,9})(?: [^\W\d_]+)? out of (?:the )?"
    r"(?P<share>\d{1,9})(?![\d.,:/]*\d)"
    rf"|(?P<pair>[(\[{{](?!\d{{1,3}}(?:,\d{{3}})+[)\]}}]){_END}(?:[,;] ?{_END})+[)\]}}])"
    r"|(?<![\d.])(?P<dotted>\d{1,9}(?:\.\d{1,9}){2,})(?![.\d])"
    rf"|(?P<sign>[-+]?)(?P<currency>{CURRENCY})?(?P<number>{NUMBER}))"
)
# Of tokens in two parts: the first, and the units of both.
_COMPOUNDS = {"inches": ("feet", "ft", "in"), "minutes": ("hours", "h", "min")}
_HOURS = lazy_re(r" ?(?:hours?|hrs?|h)\b")
_HALF_DAY = lazy_re(
    r"(?: ?o['’]clock)? ?(?:([ap])\.? ?m\b\.?|in the (morning|afternoon|evening)|at (night)"
    r"|(noon|midnight))",
    re.IGNORECASE,
)
_OF_TIMES = {"whole", "am", "pm"}
_EARLY = "a", "morning", "midnight"
# The rest of a number that isn't read.
_MORE = lazy_re(
    rf"(?: [a-z]+){{0,2}} and (?:an? {PART}|[a-z-]+(?: [a-z]+)? (?:cent|pence|minute|second|inch))"
    rf"| ?(?:π|\\pi\b|√)|(?: (?:to|or) | ?[-–] ?)(?!a\b)(?:{WORD})\b"
)
_JOINS = lazy_re(r"[\s,.]{0,9}(?:and\s|&\s?)?")
# Between words or numbers a minus is none.
_BETWEEN = lazy_re(r"[\w)\]}%°]")
_THING = lazy_re(r"(?: [^\W\d_]+)?")  # 3 eggs to 4 eggs
# Longer ones are no result of anything, and no exact value is made of them.
_LONGEST = 400

# Farther than that is no number of 64 bits.
_FARTHEST = 10**300


class Quantity(NamedTuple):
    """What a text says how much there is.

    Attributes:
        number: in one notation, without its unit; of a compound that in its smallest unit; of a
            date or the like, all of it.
        readings: the pairs of a dimension and a value in it that it may mean; none where its unit
            isn't known.
        others: numbers that it is as well where the other has no unit: a compound in its larger
            units, the year of a date, the 3 of 3 out of 5.
        things: the words behind it, where they are no known unit; "" for a unit, a time or a date.
        per: for each of what there is so much; "" where nobody says so.
        how: what the number bounds, such as the end of a range; "" for nothing.
        low: the other end of the range, or the other one of two.
    """

    number: str
    readings: frozenset[tuple[str, str | Fraction]] = frozenset()
    others: frozenset[str] = frozenset()
    things: frozenset[str] = frozenset()
    per: str = ""
    how: str = ""
    low: Quantity | None = None

    @property
    def notation(self) -> str:
        """The number and all that bounds it, such as 10 to 12."""
        return " ".join(filter(None, (self.low and self.low.notation, self.how, self.number)))

    def equals(self, other: Quantity) -> bool | None:
        """Return whether both are one quantity; a number without a unit has that of the other.

        None where they are the same number of things that may differ: 5 nights and 5 days. Words
        that one adds to those of the other are no difference: 5 eggs, 5 large eggs. A range is
        equal to the same range; of its last number and a range, nobody knows.
        """
        if (self.how == "mil") != (other.how == "mil"):
            return None
        if self.readings and other.readings:
            is_same = not self.readings.isdisjoint(other.readings)
        else:
            is_same = not self._numbers(other).isdisjoint(other._numbers(self))
        if is_same and self.low and other.low:
            is_same = self.low.equals(other.low) is True
        if is_same and self._may_differ(other):
            return None
        return is_same

    def _numbers(self, other: Quantity) -> set[str]:
        """Return the numbers that it is; 2 dozen are no 2 eggs, though the answer may be 2."""
        is_count = other.things and any(kind == "count" for kind, _ in self.readings)
        return {*self.others} if is_count else {self.number, *self.others}

    def _may_differ(self, other: Quantity) -> bool:
        one, two = self.things, other.things
        is_part = not (one and two) or one <= two or two <= one
        is_other = self.how != other.how or (self.low is None) != (other.low is None)
        return not is_part or is_other or bool(self.per and other.per and self.per != other.per)

    def apart(self, other: Quantity) -> float | None:
        """Return how far it is from another, in the unit of that; None where they aren't of a kind.

        A number without a unit has that of the other.
        """
        mine, theirs = dict(self.readings), dict(other.readings)
        if self.how or self._may_differ(other):
            return None
        if not (mine and theirs):
            one, two = self.to_float(), other.to_float()
            return None if one is None or two is None else abs(one - two)
        for kind in sorted(mine.keys() & theirs.keys()):
            said, known = mine[kind], theirs[kind]
            if isinstance(said, Fraction) and isinstance(known, Fraction):
                unit = known / Fraction(other.number) if known else Fraction(1)
                apart = abs(said - known) / unit
                return float(apart) if apart < _FARTHEST else inf
        return None

    def to_float(self) -> float | None:
        """Return the number; None for a time, a date, a range, or one beyond floating point."""
        try:
            return float(Fraction(self.notation))
        except (ValueError, OverflowError):
            return None


class _Part(NamedTuple):
    """A number of a text, its scale included, and its units: by dimension, how much one is."""

    value: Fraction
    scale: int
    units: Mapping[str, Fraction]
    start: int
    end: int

    def like(self, other: _Part) -> _Part:
        """Return it with the scale and the unit of another where it has none: 2 to 3 million km."""
        scale = other.scale if self.scale == 1 and self.value * other.scale < other.value else 1
        return self._replace(value=self.value * scale, units=self.units or other.units)


class Place(NamedTuple):
    """A quantity, the text that it was read in, and where; the part that it is, if it is one."""

    quantity: Quantity
    text: str
    start: int
    end: int
    part: _Part | None = None


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
    return None if quantity is None else quantity.notation


def last_quantity(text: str) -> Quantity | None:
    r"""Return the last quantity of a text, so that `1,200.0` and `1.2 thousand` are equal.

    It is the last in what `stated` leaves of the text. Fractions and powers are values: `3/4` is
    `0.75`. A text may end with a number in words, after any digits. `1 h 30 min` is one quantity,
    and so are times and dates.

    Examples:
        >>> tall, far = last_quantity("She is 5'10\" tall."), last_quantity("3 km")
        >>> tall.equals(last_quantity("5 ft 10 in")), far.equals(last_quantity("3 miles"))
        (True, False)
    """
    place = find_last(stated(text))
    return None if place is None else place.quantity


def find_last(text: str) -> Place | None:
    """Return the last quantity of what `stated` left of a text, and where it is."""
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
        half = _HALF_DAY.match(" am" if noon and noon[1].lower() == "midnight" else " pm")
        return noon and Place(_time("12:00", half), text, *noon.span(1))
    quantity, _, start, end, part = _bounded(_last(text, tokens), tokens)
    return Place(_counting(quantity, text, end), text, start, end, part)


def _last(text: str, tokens: deque[re.Match[str]]) -> Place:
    """Return the last quantity of tokens, from which it is taken."""
    parts: list[_Part] = []
    while tokens:
        part = _read(text, token := tokens[-1])
        if isinstance(part, Quantity):
            if not parts:
                tokens.pop()
                return Place(part, text, token.start(), _end_of_time(text, token.end()))
            break
        if parts and not _goes_on(text, part, parts[0]):
            break
        tokens.pop()
        parts.insert(0, part)
    lone = parts[0] if len(parts) == 1 else None
    return Place(_sum(parts), text, parts[0].start, parts[-1].end, lone)


def _bounded(place: Place, tokens: deque[re.Match[str]]) -> Place:
    """Return a quantity with what bounds it: another one, or words before it."""
    quantity, text, start, end, part = place
    bound = BOUND.search(text, max(0, start - 16), start)
    if bound is None:
        return place
    how, at = str(bound.lastgroup), bound.start()
    low = _bounded(_last(text, tokens), tokens) if tokens else None
    gap = text[low.end : at] if low else ""
    if low is None or not (_THING.fullmatch(gap) and text.startswith(gap, end)):
        is_pair = how in ("to", "and", "or")
        return place if is_pair else place._replace(quantity=quantity._replace(how=how), start=at)
    before, lower = text[max(0, low.start - 60) : low.start], low.quantity
    if APART.search(f"{before}\0{how}") or (how == "or" and lower.equals(quantity)):
        return place
    if part and low.part:
        if part.units and low.part.units and part.units.keys().isdisjoint(low.part.units):
            return place
        lower = _sum([low.part.like(part)])._replace(how=lower.how, low=lower.low)
        quantity = _sum([part.like(low.part)])
    how = "to" if how == "and" else how
    return Place(quantity._replace(how=how, low=lower), text, low.start, end)


def _counting(quantity: Quantity, text: str, end: int) -> Quantity:
    """Return a quantity with what the words behind it say it counts."""
    kinds = {kind for kind, _ in quantity.readings}
    is_measured = bool(kinds - _OF_TIMES - {"count", "share"})
    things, per = things_behind(text, end, is_measured=is_measured)
    if is_measured or kinds & _OF_TIMES:
        things |= {""}
    # A thousand, a million or a thickness: it bounds all that it may be.
    how = "mil" if "mil" in things else quantity.how
    return quantity._replace(things=things, per=per, how=how)


def _end_of_time(text: str, end: int) -> int:
    """Return where a time ends, with the half of the day behind it."""
    halves = (pattern.match(text, end) for pattern in (_HALF_DAY, _O_CLOCK, _HOURS))
    return next((half.end() for half in halves if half), end)


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
        return _whole(written, max(written.split("-"), key=len))
    if kind == "share" and (whole := int(token[kind])):  # 3 out of 5 are 3, and 3/5
        share = Fraction(int(token["part"]), whole)
        readings, others = frozenset({("share", share)}), frozenset({str(int(token["part"]))})
        return Quantity(decimal_or_fraction(share), readings, others)
    if kind in ("dotted", "globe", "share", "pair"):
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
        name, short = "pm" if is_late else "am", rest.removesuffix(":00")
        rests = {rest, short, f"{short}:00"} if len(short) == 2 else {rest}  # with no seconds
        readings = {("whole", f"{int(hour) % 12 + 12 * is_late}:{rest}") for rest in rests} | {
            (name, f"{hour}:{rest}") for rest in rests
        }
    return Quantity(number or clock, frozenset(readings))


def _measured(text: str, token: re.Match[str]) -> _Part | Quantity:
    """Return the number of a token with its scale and unit; or the hour of a day."""
    start, end = token.span()
    value = value_of(token["number"])
    if token["sign"] == "-":
        if start and _BETWEEN.match(text, start - 1):
            start += 1
        else:
            value = -value
    half = _HALF_DAY.match(text, end)
    if (half or _O_CLOCK.match(text, end)) and value in range(1, 13):
        return _time(f"{value}:00", half, str(value))
    scale, end = scale_behind(text, end, token["currency"])
    units, end = unit_behind(text, start, end, token["currency"])
    return _Part(value * scale, scale, units, start, end)


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
