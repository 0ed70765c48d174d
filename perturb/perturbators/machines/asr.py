"""The transcript that a speech recogniser gives of a text."""

from __future__ import annotations

from functools import cache
from typing import Self

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.grouped_sites import GroupedSites
from perturb.engine.places import touching
from perturb.engine.sites import Sites
from perturb.engine.text import scripts
from perturb.engine.text.case import case_maps
from perturb.engine.text.strings import Strings, column, concatenate, packed, repeated, same, stack
from perturb.engine.text.unicode import Kind, Script
from perturb.errors import UsageError
from perturb.lexicon.numerals import named
from perturb.lexicon.phrases import among, before
from perturb.perturbators.declaration import perturbator
from perturb.perturbators.layout.punctuation import loose_signs
from perturb.perturbators.shared.written import Written
from perturb.perturbators.words.numbers import quantities_in_digits
from perturb.perturbators.words.substitutions import homophones
from perturb.registry.definition import WHOLE
from perturb.resources import read_rows
from perturb.rng import uniform
from perturb.values.arrays import Bool, Codes

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
    english=True,
    touches={"case", "punctuation", "digits", "words", "space", "meaning"},
    expect="same",
    source="own rules; words that sound alike by counts of the Birkbeck spelling error corpus "
    "(wordlists/english/homophone_confusions.tsv)",
    intensities=WHOLE,
    example="I know, they're in the right place: it's a big sale, and we have 24 days to wait.",
)
def asr(batch: Batch, *, errors: float = 0.08) -> Sites:
    """Leave what a recogniser of speech leaves; `p` is a share of the texts.

    All letters are small, signs at the edges of words are gone, quantities in digits are spelled
    out. Of the words `errors` are misheard: one that sounds like another is written as that one, an
    unstressed one (the, of, is) is lost, and before three in ten of the others a hesitation is
    written down (uh). What is protected stays as it is, and the rest changes.

    Args:
        batch: the texts.
        errors: the share of the words that are misheard, from 0 to 1.
    """
    if not 0 <= errors <= 1:
        raise UsageError(f"asr: errors must be from 0 to 1; got {errors}")
    parts = _parts(batch, errors)
    sizes = batch.count(parts.starts)
    return _Remains(parts.starts, parts.ends, sizes[sizes > 0], "text", parts.write)


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


def _parts(batch: Batch, errors: float) -> Written:
    """Return all that changes, in order and apart: words, numbers and signs."""
    words = _words(batch, errors)
    numbers = quantities_in_digits(batch)
    (signs,) = loose_signs(batch).nonzero()
    starts = np.concatenate([words.starts, numbers.starts, signs])
    ends = np.concatenate([words.ends, numbers.ends, signs + 1])
    texts = stack(stack(words.texts, named(numbers.values)), repeated("", len(signs)))
    order = np.argsort(starts, kind="stable")
    starts, ends = starts[order], ends[order]
    apart = starts >= np.append(0, np.maximum.accumulate(ends))[:-1]
    latin = scripts.of_texts(batch) == Script.LATIN
    parts = Written(starts, ends, texts.take(order))
    return parts.keep(apart & latin[batch.text_of(starts)])


def _words(batch: Batch, errors: float) -> Written:
    """Return the words that change, with what is heard for each: small letters, or an error."""
    words, rows = batch.words, np.arange(len(batch.words))
    small = packed(_small(words.flat()), words.lengths)
    wrong = uniform(batch.draw(words.starts, _WRONG)) < errors
    table = homophones("common")
    matches = table.find(batch)
    matches = matches.keep((matches.first == matches.last) & wrong[matches.first])
    heard = table.write(matches.rows, small.take(matches.first), batch.draw(matches.starts, _BY))
    heard = packed(_small(heard.flat()), heard.lengths)
    alike = np.zeros(len(rows), np.bool_)
    alike[matches.first] = True
    lost = wrong & ~alike & among(batch, rows, _WEAK) & (before(batch, rows) >= 0)
    number = of_kind(Kind.DIGIT).mask(batch.codes[words.starts])
    hesitates = wrong & ~(alike | lost | number)
    hesitates &= uniform(batch.draw(words.starts, _HOW)) < _FILLED
    fillers = _hesitations()
    pauses = fillers.take(batch.chosen(words).below(len(fillers), _BY))
    pauses.ends[~hesitates] = pauses.starts[~hesitates]
    rows[matches.first] = len(rows) + np.arange(len(matches.first))
    texts = stack(small, heard).take(rows)
    texts.ends[lost] = texts.starts[lost]
    changed = alike | lost | hesitates | ~same(words, small)
    return Written(words.starts - lost, words.ends, concatenate(pauses, texts)).keep(changed)


def _small(codes: Codes) -> Codes:
    """Return the code points in lower case; those of Latin-1 stay in it."""
    lower, _ = case_maps()
    return lower[:256].astype(np.uint8)[codes] if codes.dtype == np.uint8 else lower[codes]


@cache
def _hesitations() -> Strings:
    """Return the hesitations, as often as their weight, each with a space behind it."""
    rows = read_rows("english", "fillers.tsv")
    weights = {words: int(weight) for words, kind, _, weight in rows if kind == "hesitation"}
    return column(f"{words} " for words, weight in weights.items() for _ in range(weight))
