"""The transcript that a speech recogniser gives of a text."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple, Self

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.grouped_sites import GroupedSites
from perturb.engine.places import touching
from perturb.engine.sites import Sites
from perturb.engine.text import scripts
from perturb.engine.text.case import case_maps
from perturb.engine.text.strings import Strings, column, concatenate, packed, repeated, stack
from perturb.engine.text.unicode import Kind, Script
from perturb.errors import UsageError
from perturb.lexicon.numerals import named
from perturb.lexicon.phrases import among, before
from perturb.perturbators.layout.punctuation import loose_signs
from perturb.perturbators.shared.english import Language, in_english
from perturb.perturbators.words.numbers import quantities_in_digits
from perturb.perturbators.words.substitutions import homophones
from perturb.registry.definition import WHOLE
from perturb.registry.registry import perturbator
from perturb.resources import read_rows
from perturb.rng import uniform
from perturb.values.arrays import Bool, Codes, Int64

# Unstressed words, which recognisers lose.
_WEAK = frozenset("a an and are as at for had has have in is of that the to was were will".split())
# Lanes of the draws: whether a word is wrong, in which way, and by what.
_WRONG, _HOW, _BY = range(1, 4)
_FILLED = 0.3


@perturbator(
    "asr",
    unit="text",
    summary="Write as a speech recogniser does: no case, no signs, numbers in words, errors.",
    label_risk="medium",
    languages=("en",),
    touches={"case", "punctuation", "digits", "words", "space", "meaning"},
    expect="same",
    source="own rules; words that sound alike by counts of the Birkbeck spelling error corpus "
    "(wordlists/english/homophone_confusions.tsv)",
    intensities=WHOLE,
    example="I know, they're in the right place: it's a big sale, and we have 24 days to wait.",
)
def asr(batch: Batch, *, errors: float = 0.08, language: Language = "auto") -> Sites:
    """Leave what a recogniser of speech leaves; `p` is a share of the texts.

    All letters are small, signs at the edges of words are gone, quantities in digits are spelled
    out. Of the words `errors` are misheard: one that sounds like another is written as that one, an
    unstressed one (the, of, is) is lost, and before three in ten of the others a hesitation is
    written down (uh). What is protected stays as it is, and the rest changes.

    Args:
        batch: the texts.
        errors: the share of the words that are misheard, from 0 to 1.
        language: "auto" leaves texts alone that are evidently not English; "en" takes all for
            English.
    """
    if not 0 <= errors <= 1:
        raise UsageError(f"asr: errors must be from 0 to 1; got {errors}")
    parts = _parts(batch, errors)
    edges = np.append(batch.texts.starts, len(batch.codes))
    sizes = np.diff(np.searchsorted(parts.starts, edges))
    sites = _Remains(
        parts.starts,
        parts.ends,
        sizes[sizes > 0],
        "text",
        lambda chosen: parts.written.take(chosen.rows),
    )
    return in_english(batch, sites, language)


class _Remains(GroupedSites):
    """The parts of texts that change, without those that may not."""

    def free(self, blocked: Bool) -> Self:
        """Return the parts that hold no blocked code point."""
        return self._of(~touching(blocked, *self._parts))

    def whole(self, boundaries: Bool) -> Self:
        """Return the parts that begin and end where grapheme clusters do."""
        starts, ends = self._parts
        return self._of(boundaries[starts] & boundaries[ends])

    def keep(self, mask: Bool) -> Self:
        """Return the texts where `mask` is true."""
        return self._of(mask.repeat(self.sizes))

    def _of(self, good: Bool) -> Self:
        if not len(self.sizes):
            return self
        sizes = np.add.reduceat(good, self._firsts, dtype=np.int64)
        starts, ends = (column[good] for column in self._parts)
        return type(self)(starts, ends, sizes[sizes > 0], self.unit, self._write)._like(self)


class _Part(NamedTuple):
    """Spans of the batch, in order and apart, and what is written for each."""

    starts: Int64
    ends: Int64
    written: Strings


def _parts(batch: Batch, errors: float) -> _Part:
    """Return all that changes: words, numbers and signs."""
    words = _words(batch, errors)
    numbers = quantities_in_digits(batch)
    (at,) = loose_signs(batch).nonzero()
    signs = _Part(at, at + 1, repeated("", len(at)))
    spelled = _Part(numbers.starts, numbers.ends, named(numbers.values))
    starts, ends = (
        np.concatenate([words[field], spelled[field], signs[field]]) for field in (0, 1)
    )
    written = stack(stack(words.written, spelled.written), signs.written)
    order = np.argsort(starts, kind="stable")
    apart = np.ones(len(order), np.bool_)
    apart[1:] = starts[order][1:] >= np.maximum.accumulate(ends[order])[:-1]
    order = order[apart]
    latin = scripts.of_texts(batch) == Script.LATIN
    order = order[latin[batch.text_of(starts[order])]]
    return _Part(starts[order], ends[order], written.take(order))


def _words(batch: Batch, errors: float) -> _Part:
    """Return the words that change, with what is heard for each: small letters, or an error."""
    words, rows = batch.words, np.arange(len(batch.words))
    small = packed(_small(words.flat()), words.lengths)
    wrong = uniform(batch.draw(words.starts, _WRONG)) < errors
    table = homophones("common")
    found = table.find(batch)
    found = found.keep((found.first == found.last) & wrong[found.first])
    spans = small.take(found.first)
    heard = table.write(found.rows, spans, batch.draw(found.starts, _BY))
    heard = packed(_small(heard.flat()), heard.lengths)
    alike = np.zeros(len(rows), np.bool_)
    alike[found.first] = True
    lost = wrong & ~alike & among(batch, rows, _WEAK) & (before(batch, rows) >= 0)
    number = of_kind(Kind.DIGIT).mask(batch.codes[words.starts])
    hesitates = wrong & ~(alike | lost | number)
    hesitates &= uniform(batch.draw(words.starts, _HOW)) < _FILLED
    fillers = _hesitations()
    said = fillers.take(batch.chosen(words).below(len(fillers), _BY))
    said.ends[~hesitates] = said.starts[~hesitates]
    made = stack(small, heard)
    which = rows.copy()
    which[found.first] = len(rows) + np.arange(len(found.first))
    made = made.take(which)
    made.ends[lost] = made.starts[lost]
    made = concatenate(said, made)
    changed = alike | lost | hesitates | _capitals_in(words)
    (kept,) = changed.nonzero()
    starts = words.starts - lost
    return _Part(starts[kept], words.ends[kept], made.take(kept))


def _small(codes: Codes) -> Codes:
    """Return the code points in lower case; those of Latin-1 stay in it."""
    lower, _ = case_maps()
    return lower[:256].astype(np.uint8)[codes] if codes.dtype == np.uint8 else lower[codes]


def _capitals_in(words: Strings) -> Bool:
    """Mark the words with a capital."""
    flat = words.flat()
    ends = np.cumsum(words.lengths)
    found: Bool = np.logical_or.reduceat(_small(flat) != flat, ends - words.lengths)
    return found


@cache
def _hesitations() -> Strings:
    """Return the hesitations, as often as their weight, each with a space behind it."""
    rows = read_rows("english", "fillers.tsv")
    return column(
        f"{words} "
        for words, kind, _, weight in rows
        if kind == "hesitation"
        for _ in range(int(weight))
    )
