"""Numbers in another form: in words, in digits, with commas or without.

Only quantities change; `_counted` says which numbers are some.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Literal

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.characters import Kind, set_of
from perturb.engine.text.strings import Strings, packed, stack
from perturb.lexicon.numerals import Numbers, digits, in_digits, in_words, named
from perturb.lexicon.phrases import after, among, before, is_digit, latin
from perturb.lexicon.store import may_be
from perturb.lexicon.tags import ADJECTIVE, NN, NOUN
from perturb.perturbators.declaration import english_perturbator
from perturb.perturbators.machines._spoken import numbers_said
from perturb.perturbators.shared.written import alike
from perturb.perturbators.words._counted import (
    CODE,
    CURRENCIES,
    DASHES,
    OPENING,
    alone,
    breaks,
    followed,
)
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64

To = Literal["words", "digits", "separators", "speech"]
# The bit of the positive form of adjectives.
_PLAIN = 1
# "one" is a pronoun after some words and before others.
_LEADS_TO_ONE = "no any every some each this that the which another other either neither first last"
_FOLLOWS_ONE = frozenset(
    "another by day who of should would could can may might must will shall needs has had is was "
    "does did".split()
)


@english_perturbator(
    "number_format",
    summary="Write a number in words, in digits, as it is said, or with or without commas.",
    touches={"digits", "words", "punctuation"},
    version=15,
    consistent=True,
    source="own table (wordlists/english/numbers.tsv)",
    example="She sold 12500 tickets in 24 days, twelve a minute, and 1,200 more to 3 schools.",
)
def number_format(batch: Batch, *, to: To = "words") -> Sites:
    """Write whole numbers below a trillion in another form; `p` is a share of them.

    Except for "speech", only quantities change: not parts of decimals, fractions, dates, times,
    ranges, phone numbers, formulas, code or percentages, nor labels (page 7, Apollo 11, 10 Downing
    Street), list markers and possible years; in documentation and law, only numbers that count
    something. In doubt a number stays.

    Args:
        batch: the texts.
        to: "words" spells numbers in digits (21 becomes twenty-one), but not amounts of money;
            "digits" writes numbers in words as digits; "separators" adds the commas of thousands to
            a number without them, and removes them from others; "speech" writes the spoken form of
            any number in digits, with its currency or percent sign and its unit: 99.2 is
            ninety-nine point two, 5:10 five ten, 5 kg five kilograms; JSON stays, and so does what
            an equals sign leads to.
    """
    if to == "speech":
        said = numbers_said(batch)
        tied = set_of(CODE + DASHES)
        before_it, behind = batch.codes[said.starts - 1], batch.codes[said.ends]
        said = said.keep(~tied.mask(before_it) & ~tied.mask(behind))
        said = said.keep(~_in_data(batch, said.starts))
        return _spelled(batch, said.starts, said.ends, said.texts.take)
    if to == "digits":
        spelled = _quantities(batch, in_words(batch))
        return _sites(batch, spelled, lambda rows: digits(spelled.values[rows], commas=False))
    if to == "words":
        numbers = followed(batch, quantities_in_digits(batch))
        values = numbers.values
        return _spelled(batch, numbers.starts, numbers.ends, lambda rows: named(values[rows]))
    large = in_digits(batch)
    large = alone(batch, large.keep(large.values >= 1000), OPENING + CURRENCIES)
    large = followed(batch, large)
    return _sites(batch, large, lambda rows: _regrouped(large, rows))


def _in_data(batch: Batch, starts: Int64) -> Bool:
    """Mark the numbers in texts that begin as JSON does, and behind an equals sign."""
    codes = batch.codes
    marks = set_of("{[").mask(codes[batch.texts.starts])[batch.text_of(starts)]
    marks |= codes[of_kind(Kind.SPACE).back(codes, starts) - 1] == ord("=")
    return marks


def quantities_in_digits(batch: Batch) -> Numbers:
    """Return the numbers in digits that can be spelled out, not next to another script."""
    numbers = alone(batch, in_digits(batch), OPENING)
    words, codes = batch.words, batch.codes
    left, right = before(batch, numbers.first), after(batch, numbers.last)
    fits = (left < 0) | latin().mask(codes[words.ends[left] - 1])
    return numbers.keep(fits & ((right < 0) | latin().mask(codes[words.starts[right]])))


def _sites(batch: Batch, numbers: Numbers, write: Callable[[Int64], Strings]) -> Sites:
    """Return a site at each number; `write` gives the replacements of those at some rows."""
    sites = Sites(numbers.starts, numbers.ends, "place", lambda chosen: write(chosen.rows))
    return alike(batch, sites)


def _spelled(batch: Batch, starts: Int64, ends: Int64, words: Callable[[Int64], Strings]) -> Sites:
    """Return sites whose words have a capital at the start of a text or sentence."""

    def write(chosen: Chosen) -> Strings:
        codes, places = batch.codes, chosen.texts.starts
        before_it, beyond = codes[places - 1], codes[places - 2]
        (ends,) = breaks(codes).nonzero()
        lasts = codes[ends[ends.searchsorted(places)] - 1]
        # A line without a stop, as an answer is among the texts of a row, may be no sentence.
        opens = of_kind(Kind.NEWLINE).mask(before_it) & set_of(".!?").mask(lasts)
        opens |= before_it == 0
        opens |= of_kind(Kind.SPACE).mask(before_it) & set_of(".!?").mask(beyond)
        spelled = words(chosen.rows)
        spelled = packed(spelled.flat(), spelled.lengths)
        spelled.codes[spelled.starts[opens]] -= ord("a") - ord("A")
        return spelled

    return alike(batch, Sites(starts, ends, "place", write))


def _regrouped(numbers: Numbers, rows: Int64) -> Strings:
    """Add commas to the numbers at `rows` that have none, and remove them from the others."""
    values, had = numbers.values[rows], numbers.grouped[rows]
    other = np.arange(len(rows)) + np.where(had, len(rows), 0)
    return stack(digits(values, commas=True), digits(values, commas=False)).take(other)


def _quantities(batch: Batch, numbers: Numbers) -> Numbers:
    """Return the spelled numbers without "one" as a pronoun and without parts of fractions."""
    left, right = before(batch, numbers.first), after(batch, numbers.last)
    part = among(batch, left, "point") | among(batch, right, _parts())
    codes, ends = batch.codes, np.minimum(numbers.ends, len(batch.codes) - 3)
    repeats = (codes[ends + 1] == ord("(")) & is_digit(codes[ends + 2])  # thirty (30) days
    return numbers.keep(~part & ~repeats & ~_is_pronoun(batch, numbers))


@cache
def _parts() -> frozenset[str]:
    """Return the words that make a fraction or a decimal of the number before them."""
    ordinals = [ordinal for _, _, ordinal in read_rows("english", "numbers.tsv")]
    plurals = [ordinal + "s" for ordinal in ordinals]
    return frozenset([*ordinals, *plurals, *"half halves quarter quarters point".split()])


def _is_pronoun(batch: Batch, numbers: Numbers) -> Bool:
    """Mark each "one" that is or may be a pronoun: not before a noun or adjective."""
    left, right = before(batch, numbers.first), after(batch, numbers.last)
    counts = may_be(batch, right, NOUN, NN) | may_be(batch, right, ADJECTIVE, _PLAIN)
    pronoun = among(batch, left, _LEADS_TO_ONE) | among(batch, right, _FOLLOWS_ONE) | ~counts
    marks: Bool = pronoun & (numbers.values == 1)
    return marks
