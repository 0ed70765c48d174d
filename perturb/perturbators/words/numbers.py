"""Numbers in another form: in words, in digits, with commas or without."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Literal

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.sites import Sites
from perturb.engine.text.characters import set_of
from perturb.engine.text.strings import Strings, stack
from perturb.engine.text.unicode import Kind
from perturb.lexicon.numerals import Numbers, digits, in_digits, in_words, named
from perturb.lexicon.phrases import after, among, before, latin
from perturb.perturbators.words._quantities import alone, is_pronoun
from perturb.registry.definition import PLACES
from perturb.registry.registry import perturbator
from perturb.resources import read_rows
from perturb.values.arrays import Int64

_OPENING = "([{\"'“‘«"
_CURRENCIES = "$€£¥"


@perturbator(
    "number_format",
    unit="place",
    summary="Write a number in words, in digits, or with or without commas.",
    label_risk="low",
    english=True,
    touches={"digits", "words", "punctuation"},
    version=4,
    source="own table (wordlists/english/numbers.tsv)",
    intensities=PLACES,
    example="She sold 12500 tickets in 24 days, twelve a minute, and 1,200 more to 3 schools.",
)
def number_format(batch: Batch, *, to: Literal["words", "digits", "separators"] = "words") -> Sites:
    """Write whole numbers below a million millions in another form; `p` is a share of them.

    Only quantities change: no parts of decimals, fractions, dates, times, ranges, phone numbers,
    formulas, code and percentages; no labels (page 7, Apollo 11, 10 Downing Street), markers of
    lists, and what may be a year. In doubt a number stays as it is.

    Args:
        batch: the texts.
        to: "words" spells numbers in digits (21 becomes twenty-one), but no amounts of money;
            "digits" writes numbers in words as digits; "separators" adds the commas of thousands
            where a number has none, and takes them away where it has them.
    """
    if to == "digits":
        spelled = _quantities(batch, in_words(batch))
        return _sites(spelled, lambda rows: digits(spelled.values[rows], commas=False))
    if to == "words":
        numbers = quantities_in_digits(batch)
        return _sites(numbers, lambda rows: _spelled(batch, numbers, rows))
    large = in_digits(batch)
    large = alone(batch, large.keep(large.values >= 1000), _OPENING + _CURRENCIES)
    return _sites(large, lambda rows: _regrouped(large, rows))


def quantities_in_digits(batch: Batch) -> Numbers:
    """Return the numbers in digits that can be spelled out, beside no word of another script."""
    numbers = alone(batch, in_digits(batch), _OPENING)
    words, codes = batch.words, batch.codes
    left, right = before(batch, numbers.first), after(batch, numbers.last)
    fits = (left < 0) | latin().mask(codes[words.ends[left] - 1])
    return numbers.keep(fits & ((right < 0) | latin().mask(codes[words.starts[right]])))


def _sites(numbers: Numbers, write: Callable[[Int64], Strings]) -> Sites:
    """Return a site at each number; `write` gives the replacements of those at some rows."""
    return Sites(numbers.starts, numbers.ends, "place", lambda chosen: write(chosen.rows))


def _spelled(batch: Batch, numbers: Numbers, rows: Int64) -> Strings:
    """Spell the numbers at `rows`, with a capital at the start of a text or sentence."""
    spelled, codes, starts = named(numbers.values[rows]), batch.codes, numbers.starts[rows]
    before_it, beyond = codes[starts - 1], codes[starts - 2]
    opens = (before_it == 0) | of_kind(Kind.NEWLINE).mask(before_it)
    opens |= of_kind(Kind.SPACE).mask(before_it) & set_of(".!?").mask(beyond)
    spelled.codes[spelled.starts[opens]] -= ord("a") - ord("A")
    return spelled


def _regrouped(numbers: Numbers, rows: Int64) -> Strings:
    """Add commas to the numbers at `rows` that have none, and remove them from the others."""
    values, had = numbers.values[rows], numbers.grouped[rows]
    other = np.arange(len(rows)) + np.where(had, len(rows), 0)
    return stack(digits(values, commas=True), digits(values, commas=False)).take(other)


def _quantities(batch: Batch, numbers: Numbers) -> Numbers:
    """Return the spelled numbers without "one" as a pronoun and without parts of fractions."""
    left, right = before(batch, numbers.first), after(batch, numbers.last)
    part = among(batch, left, frozenset(["point"])) | among(batch, right, _parts())
    return numbers.keep(~part & ~is_pronoun(batch, numbers))


@cache
def _parts() -> frozenset[str]:
    """Return the words that make a fraction or a decimal of the number before them."""
    ordinals = [ordinal for _, _, ordinal in read_rows("english", "numbers.tsv")]
    plurals = [ordinal + "s" for ordinal in ordinals]
    return frozenset([*ordinals, *plurals, *"half halves quarter quarters point".split()])
