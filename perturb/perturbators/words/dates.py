"""Dates in another form."""

from __future__ import annotations

import re
from calendar import monthrange
from typing import Literal

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.lexicon.stray import in_rows
from perturb.perturbators.declaration import english_perturbator
from perturb.perturbators.shared.written import Match, number_heads, rewrites, word_heads
from perturb.values.arrays import Int64

Form = Literal["random", "iso", "us", "gb", "short", "ordinal", "us_numeric", "gb_numeric"]
Order = Literal["auto", "mdy", "dmy"]

# The unambiguous forms, and those that need a year.
_CLEAR = ("iso", "us", "gb", "short", "ordinal")
_OF_YEARS = ("iso", "us_numeric", "gb_numeric")
MONTHS = (
    "January February March April May June July August September October November December"
).split()
_SHORT = {name[:3]: number for number, name in enumerate(MONTHS, 1)} | {"Sept": 9}
NUMBER = {name: number for number, name in enumerate(MONTHS, 1)} | _SHORT
_MONTH = rf"(?:{'|'.join(MONTHS)}|(?:{'|'.join(_SHORT)})\.?)"
# A day after a month may count the next word: in May 12 people came. These words aren't counted.
_GOES_ON = (
    "and|or|to|through|until|till|at|in|on|from|for|by|with|when|while|is|was|will|has|had|he|she"
    "|they|we|it|i|the|a|an|his|her|their|our|my|but|because|if|that|this"
)
_THE = "the "
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_YEAR = r"[12]\d{3}"
_DATE = re.compile(
    rf"(?<![\w./:$-])(?<!ersion )(?<!The )(?<![^\s],)(?:"
    rf"(?P<iso_year>{_YEAR})(?P<iso_sign>[-/])(?P<iso_month>\d\d)(?P=iso_sign)(?P<iso_day>\d\d)"
    rf"|(?P<first>\d\d?)(?P<sign>[/.])(?P<second>\d\d?)(?P=sign)(?P<year>{_YEAR})"
    rf"|(?<!the )(?P<us_month>{_MONTH}) (?P<us_day>{_DAY})(?:st|nd|rd|th)?(?![\w%])"
    rf"(?:,? (?P<us_year>{_YEAR})(?!\w)|(?!,? \d)(?= (?:{_GOES_ON})\b|(?! [\w$])))"
    rf"|(?:{_THE})?(?P<gb_day>{_DAY})(?:st|nd|rd|th)?(?: of)? (?P<gb_month>{_MONTH})(?!\w)"
    rf"(?:,? (?P<gb_year>{_YEAR})(?!\w))?"
    rf")(?![\w%]|[-–/:.+]\d|[-–]\s?[A-Z\d]|['`]\+|,\S|,? +(?:\d\d? +)?\d\d?:\d\d|,? {_YEAR}\b)"
)


@english_perturbator(
    "date_format",
    touches={"digits", "words", "punctuation", "space"},
    version=6,
    consistent=True,
    source="forms of ISO 8601, and of American and British English",
    example="Ann was born on March 5, 1998, and Tom on 1999-11-30; they met on 14 July 2021.",
)
def date_format(batch: Batch, *, to: Form = "random", order: Order = "auto") -> Sites:
    """Write a date in another form: 2024-03-05 for March 5, 2024.

    Write dates in another form, the same day; `p` is a share of the dates.

    A date has a day and a month, and a year of four digits if the form needs one; not ranges (May
    3-5) or months of a year (May 2020). A weekday before it stays.

    Args:
        batch: the texts.
        to: "iso" (2024-03-05), "us" (March 5, 2024), "gb" (5 March 2024), "short" (Mar 5, 2024),
            "ordinal" (March 5th, 2024), "us_numeric" (03/05/2024), "gb_numeric" (05/03/2024); or
            "random" for one of the first five, which are unambiguous.
        order: how to read 3/5/2024: "mdy" or "dmy"; "auto" leaves it alone, unless only one of the
            numbers can be a month.
    """
    starts, cells = batch.words.starts, in_rows(batch)

    def ways(match: Match) -> list[str]:
        forms = _ways(match, to, order)
        in_cell = cells[starts.searchsorted(match.start(), "right") - 1] and "," not in match[0]
        return [form for form in forms if not (in_cell and "," in form)]  # no cell more

    return rewrites(batch, _DATE, ways, _heads(batch), consistent=True)


def _heads(batch: Batch) -> Int64:
    """Return the places where a date may begin: digits, "the" before digits, and months."""
    digits, months = number_heads(batch), word_heads(batch, _SHORT)
    led = digits[digits > len(_THE)]
    for step, letter in enumerate(_THE):
        led = led[batch.codes[led - len(_THE) + step] == ord(letter)]
    return np.sort(np.concatenate([digits, led - len(_THE), months]))


def _ways(match: Match, to: Form, order: Order) -> list[str]:
    """Return the other forms of a date; none if it is not a day."""
    day = _read(match, order)
    forms = _forms(*day) if day else {}
    texts = [text for form, text in forms.items() if form in (_CLEAR if to == "random" else (to,))]
    return [text for text in dict.fromkeys(texts) if text != match[0]]


def _read(match: Match, order: Order) -> tuple[int, int, int] | None:
    """Return year, month and day of a date, with year 0 if it has none."""
    if match["iso_year"]:
        return _checked(int(match["iso_year"]), int(match["iso_month"]), int(match["iso_day"]))
    if match["year"]:
        year, first, second = int(match["year"]), int(match["first"]), int(match["second"])
        by_order = {"mdy": (year, first, second), "dmy": (year, second, first)}
        known = "dmy" if match["sign"] == "." else order
        readings = by_order.values() if known == "auto" else [by_order[known]]
        days = {_checked(*numbers) for numbers in readings} - {None}
        return days.pop() if len(days) == 1 else None
    side = "us" if match["us_month"] else "gb"
    month = NUMBER[match[f"{side}_month"].rstrip(".")]
    return _checked(int(match[f"{side}_year"] or 0), month, int(match[f"{side}_day"]))


def _checked(year: int, month: int, day: int) -> tuple[int, int, int] | None:
    """Return a day of the calendar; without a year, a day of some year."""
    fits = 1 <= month <= 12 and 1 <= day <= monthrange(year or 2000, month)[1]
    return (year, month, day) if fits else None


def _forms(year: int, month: int, day: int) -> dict[str, str]:
    """Return the forms of a day; those in numbers alone only with a year."""
    name, of_year = MONTHS[month - 1], f", {year}" if year else ""
    ending = "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    forms = {
        "iso": f"{year}-{month:02}-{day:02}",
        "us": f"{name} {day}{of_year}",
        "gb": f"{day} {name}{of_year.removeprefix(',')}",
        "short": f"{name[:3]} {day}{of_year}",
        "ordinal": f"{name} {day}{ending}{of_year}",
        "us_numeric": f"{month:02}/{day:02}/{year}",
        "gb_numeric": f"{day:02}/{month:02}/{year}",
    }
    return {form: text for form, text in forms.items() if year or form not in _OF_YEARS}
