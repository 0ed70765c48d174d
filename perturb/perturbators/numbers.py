"""Numbers in another form: in words, in digits, with commas or without."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Literal

import numpy as np

from perturb.arrays import Bool, Codes, Int64
from perturb.engine.batch import Batch, of_kind
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.characters import blank, set_of
from perturb.engine.text.strings import Strings, stack
from perturb.engine.text.unicode import Kind
from perturb.lexicon.numerals import Numbers, digits, in_digits, in_words, named
from perturb.lexicon.phrases import after, among, before, latin
from perturb.perturbators._english import Language, in_english
from perturb.registry.registry import PLACES, perturbator
from perturb.resources import read_rows

_OPENING, _CLOSING = "([{\"'“‘«", ".,;:?!)]}\"'”’»"
_CURRENCIES = "$€£¥"
# Four digits that are more likely a year than a quantity.
_FIRST_YEAR, _LAST_YEAR = 1900, 2099
_MONTHS = frozenset(
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
# Where "one" is a pronoun: after some words, before others.
_LEADS_TO_ONE = frozenset(
    "no any every some each this that the which another other either neither first last".split()
)
_FOLLOWS_ONE = frozenset("another by day who".split())


@perturbator(
    "number_format",
    unit="place",
    summary="Write a number in words, in digits, or with or without commas.",
    label_risk="low",
    languages=("en",),
    touches={"digits", "words", "punctuation"},
    version=3,
    source="own table (wordlists/english/numbers.tsv)",
    intensities=PLACES,
    example="She sold 12500 tickets in 24 days, twelve a minute, and 1,200 more to 3 schools.",
)
def number_format(
    batch: Batch,
    *,
    to: Literal["words", "digits", "separators"] = "words",
    language: Language = "auto",
) -> Sites:
    """Write whole numbers below a million millions in another form; `p` is a share of them.

    Parts of something larger stay as they are: of decimals, fractions, dates, times, ranges, codes
    and percentages; so do years from 1900 to 2099.

    Args:
        batch: the texts.
        to: "words" spells numbers in digits (21 becomes twenty-one), but no amounts of money;
            "digits" writes numbers in words as digits; "separators" adds the commas of thousands
            where a number has none, and takes them away where it has them.
        language: "auto" leaves texts alone that are evidently not English; "en" takes all for
            English.
    """
    return in_english(batch, _numbers(batch, to), language)


def _numbers(batch: Batch, to: str) -> Sites:
    if to == "digits":
        spelled = _quantities(batch, in_words(batch))
        return _sites(spelled, lambda rows: digits(spelled.values[rows], commas=False))
    numbers = in_digits(batch)
    if to == "words":
        numbers = _in_english(batch, _alone(batch, numbers, _OPENING))
        return _sites(numbers, lambda rows: _spelled(batch, numbers, rows))
    numbers = _alone(batch, numbers.keep(numbers.values >= 1000), _OPENING + _CURRENCIES)
    return _sites(numbers, lambda rows: _regrouped(numbers, rows))


def _sites(numbers: Numbers, write: Callable[[Int64], Strings]) -> Sites:
    """Return a site at each number; `write` gives the replacements of those at some rows."""

    def written(chosen: Chosen) -> Strings:
        return write(chosen.rows)

    return Sites(numbers.starts, numbers.ends, "place", written)


def _spelled(batch: Batch, numbers: Numbers, rows: Int64) -> Strings:
    """Spell the numbers at `rows`, with a capital at the start of a text or sentence."""
    made, codes, starts = named(numbers.values[rows]), batch.codes, numbers.starts[rows]
    before_it, beyond = codes[starts - 1], codes[starts - 2]
    opens = (before_it == 0) | of_kind(Kind.NEWLINE).mask(before_it)
    opens |= of_kind(Kind.SPACE).mask(before_it) & set_of(".!?").mask(beyond)
    made.codes[made.starts[opens]] -= ord("a") - ord("A")
    return made


def _regrouped(numbers: Numbers, rows: Int64) -> Strings:
    """Add commas to the numbers at `rows` that have none, and remove them from the others."""
    values, had = numbers.values[rows], numbers.grouped[rows]
    other = np.arange(len(rows)) + np.where(had, len(rows), 0)
    return stack(digits(values, commas=True), digits(values, commas=False)).take(other)


def _alone(batch: Batch, numbers: Numbers, opening: str) -> Numbers:
    """Return the numbers that are not part of something larger."""
    codes, ends = batch.codes, numbers.ends
    bounded = _bounds(opening, codes[numbers.starts - 1]) & _bounds(_CLOSING, codes[ends])
    # What a sign ties to the number, as in 5.a, makes a code of it.
    apart = blank().mask(codes[ends]) | (codes[ends] == 0)
    bounded &= apart | ~_starts_word(batch, ends + 1)
    return numbers.keep(bounded & ~_dates(batch, numbers))


def _dates(batch: Batch, numbers: Numbers) -> Bool:
    """Mark the numbers that are years or stand beside the name of a month."""
    values, first = numbers.values, numbers.first
    dates: Bool = (values >= _FIRST_YEAR) & (values <= _LAST_YEAR) & ~numbers.grouped
    dates |= among(batch, before(batch, first), _MONTHS)
    dates |= among(batch, after(batch, first), _MONTHS)
    # May 5, 1776.
    day = np.maximum(first - 1, 0)
    codes, starts = batch.codes, numbers.starts
    comma = (first > 1) & (codes[starts - 1] == ord(" ")) & (codes[starts - 2] == ord(","))
    dates |= comma & among(batch, before(batch, day), _MONTHS)
    return dates


def _in_english(batch: Batch, numbers: Numbers) -> Numbers:
    """Return the numbers that do not stand beside a word of another script."""
    words, codes = batch.words, batch.codes
    left, right = before(batch, numbers.first), after(batch, numbers.last)
    foreign = (left >= 0) & ~latin().mask(codes[words.ends[left] - 1])
    foreign |= (right >= 0) & ~latin().mask(codes[words.starts[right]])
    return numbers.keep(~foreign)


def _quantities(batch: Batch, numbers: Numbers) -> Numbers:
    """Return the spelled numbers without "one" as a pronoun and without parts of fractions."""
    left, right = before(batch, numbers.first), after(batch, numbers.last)
    pronoun = among(batch, left, _LEADS_TO_ONE) | among(batch, right, _FOLLOWS_ONE)
    part = among(batch, left, frozenset(["point"])) | among(batch, right, _parts())
    return numbers.keep(~part & ~(pronoun & (numbers.values == 1)))


@cache
def _parts() -> frozenset[str]:
    """Return the words that make a fraction or a decimal of the number before them."""
    ordinals = [ordinal for _, _, ordinal in read_rows("english", "numbers.tsv")]
    plurals = [ordinal + "s" for ordinal in ordinals]
    return frozenset([*ordinals, *plurals, *"half halves quarter quarters point".split()])


def _starts_word(batch: Batch, places: Int64) -> Bool:
    starts = np.append(batch.words.starts, -1)
    found: Bool = starts[np.searchsorted(batch.words.starts, places)] == places
    return found


def _bounds(signs: str, codes: Codes) -> Bool:
    """Mark the code points that are white space, one of `signs`, or the border of a text."""
    bounds: Bool = blank().mask(codes) | set_of(signs).mask(codes) | (codes == 0)
    return bounds
