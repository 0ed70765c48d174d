"""The limits of other numbers in a story: facts stay, and quantities remain possible ones."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

from perturb.perturbators.words._chains import LIMIT, Token, decimals

# What things have in a number that is a fact.
BODIES = frozenset(
    "leg wheel eye wing arm hand ear finger toe side corner season paw horn face angle".split()
)
# Facts that words bring with them: a value that one of these is stays in the whole text.
_FACTS = """
half halve halves halfway halved twice double doubles doubled pair pairs couple both twin twins
 round-trip trip return second weekend weekends alternate other either two-thirds bicycle: 2 .5
third thirds triple tripled triplets thrice tricycle yard yards foot feet: 3
quarter quarters quarterly fourth fourths quadruple seasons: 4 .25 25
fifth fifths weekday weekdays workday workdays nickel nickels pentagon: 5 .2
sixth sixths hexagon insect: 6
seventh sevenths: 7
week weeks weekly daily: 7 52 4
day days: 7 24 30 31 365
hour hours hourly: 60 24
minute minutes second seconds: 60 3600
month months monthly: 12 4 30 52
year years yearly annual annually: 12 52 365
eighth eighths octopus spider spiders: 8
ninth ninths: 9
tenth tenths decade decades dime dimes: 10 .1
dozen dozens foot feet inches inch: 12
fortnight: 14
freeze freezes freezing boil boils boiling degrees: 32 212
pound pounds ounce ounces: 16
ton tons kilometer kilometers kilogram kilograms km kg liter liters g grams thousand ml: 1000 2000
cent cents penny pennies dollar dollars century percent meter meters cm hundred: 100
"""
# The most of a unit that another, in the text, may have.
_CAPS = {"hour": 24, "minute": 60, "second": 60, "month": 12, "year": 60, "percent": 100}


@cache
def _fact_words() -> dict[str, set[Fraction]]:
    """Return the facts of each word."""
    facts: dict[str, set[Fraction]] = {}
    for line in _FACTS.replace("\n ", " ").strip().splitlines():
        words, values = line.split(":")
        for word in words.split():
            facts.setdefault(word, set()).update(map(Fraction, values.split()))
    return facts


def facts_of(text: str) -> set[Fraction]:
    """Return the values that a text may mean without saying them."""
    known = _fact_words()
    words = set(re.findall(r"[a-z]+", text.lower()))
    facts = set().union(*(known[word] for word in words & {*known}))
    return facts | ({Fraction(100)} if "%" in text or "$" in text else set())


def cap_of(token: Token, text: str = "") -> Fraction:
    """Return the most that a number may become in its unit."""
    if token.percent:
        return Fraction(100)
    if token.unit == "day":
        return Fraction(7 if "week" in text else 31)
    if token.unit == "week":
        return Fraction(4 if "month" in text else 52)
    return Fraction(_CAPS.get(token.unit, LIMIT))


def stays_alike(old: Fraction, new: Fraction) -> bool:
    """Return whether a result stays of its kind: whole, positive, none."""
    sign = (old > 0) == (new > 0) and (old == 0) == (new == 0)
    return sign and decimals(new) <= max(decimals(old), 2 * (old.denominator > 1))


def stays_near(old: Fraction, new: Fraction) -> bool:
    """Return whether a result stays of its size, and isn't one thing in place of several."""
    return abs(old) / 4 <= abs(new) <= abs(old) * 4 and new != 1


def step_of(number: int, places: int, percent: bool) -> int:
    """Return the step of values as round as a number, given in units of its last place."""
    if places:
        return next((step for step in (25, 5) if places == 2 and number % step == 0), 1)
    zeros = len(str(number)) - len(str(number).rstrip("0"))
    if percent and number % 5 == 0:
        return 5
    if not zeros:
        return 1
    single = number // 10**zeros
    return int(10**zeros if single > 9 else 10 ** (zeros - 1) * (2 if single == 1 else 5))
