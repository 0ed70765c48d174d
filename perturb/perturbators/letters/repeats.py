"""Letters written too often, or not often enough."""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np

from perturb.engine.batch import Batch, letters, of_kind
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.characters import CharacterSet
from perturb.engine.text.strings import Strings, packed, same
from perturb.engine.text.unicode import Kind
from perturb.errors import UsageError
from perturb.registry.definition import WORDS
from perturb.registry.registry import perturbator
from perturb.values.arrays import Int64

# Letters that a speaker can hold, by script: Latin, Greek, Cyrillic, Armenian, Georgian, Arabic.
_LONGEST = 1000
_VOWELS = (
    "aeiouyàáâãäåāăąæèéêëēĕėęěìíîïĩīĭįıòóôõöøōŏőœùúûüũūŭůűųýÿŷ"
    "αεηιουωάέήίόύώϊϋΐΰ"
    "аеёиоуыэюяіїє"
    "աեէըիոօ"
    "აეიოუ"
    "اوي"
)


@perturbator(
    "char_repeat",
    unit="character",
    summary="Type a letter twice, as a key that bounces does; or write double letters once.",
    label_risk="low",
    touches={"letters"},
    source="F. J. Damerau, A technique for computer detection and correction of errors, 1964",
    example="The yellow balloon will happily drift across the street.",
)
def char_repeat(batch: Batch, *, mode: Literal["double", "collapse"] = "double") -> Sites:
    """Double letters, or undo it.

    Args:
        batch: the texts.
        mode: "double" repeats letters of any script; "collapse" leaves out each letter that the one
            before it equals, and `p` is a share of these.
    """
    units = batch.sites_at_clusters(letters())
    spans = Strings(batch.codes, units.starts, units.ends)
    if mode == "collapse":
        again = 1 + np.flatnonzero(spans.ends[:-1] == spans.starts[1:])
        again = again[same(spans.take(again), spans.take(again - 1))]
        return Sites(spans.starts[again], spans.ends[again], "place")

    def repeated(chosen: Chosen) -> Strings:
        return spans.take(chosen.rows)

    return Sites(spans.starts, spans.starts, "character", repeated)


@perturbator(
    "elongate",
    unit="word",
    summary="Stretch a word as speech does: sooo, pleaseee.",
    label_risk="low",
    touches={"letters"},
    source="S. Brody, N. Diakopoulos, Using word lengthening to detect sentiment, 2011",
    intensities=WORDS,
)
def elongate(batch: Batch, *, where: Literal["vowel", "last"] = "vowel", longest: int = 4) -> Sites:
    """Write a letter of a word several times more.

    Words of one letter and those with digits in them are no site.

    Args:
        batch: the texts.
        where: "vowel" stretches the last vowel of a word (Latin, Greek, Cyrillic, Armenian,
            Georgian or Arabic); "last" its last letter, in any script.
        longest: how often the letter is added at most, in [1, 1000]; each number from 1 on is as
            likely.
    """
    if not 1 <= longest <= _LONGEST:
        raise UsageError(f"elongate: longest must be in [1, {_LONGEST}]; got {longest}")
    words = batch.words
    at = _last_vowels(batch) if where == "vowel" else words.ends - 1
    digits = np.flatnonzero(of_kind(Kind.DIGIT, Kind.NUMBER).mask(batch.codes))
    rows = np.flatnonzero(
        batch.marked(of_kind(Kind.LETTER))[at]
        & (at >= words.starts)
        & (words.lengths > 1)
        & (np.searchsorted(digits, words.starts) == np.searchsorted(digits, words.ends))
    )
    starts = at[rows]

    def stretched(chosen: Chosen) -> Strings:
        more = 1 + chosen.below(longest)
        return packed(chosen.first.repeat(more), more)

    return Sites(starts, starts, "word", stretched)


def _last_vowels(batch: Batch) -> Int64:
    """Return the place of each word's last vowel; for a word without one, a place before it."""
    found = np.append(0, np.flatnonzero(batch.marked(_vowels())))
    places: Int64 = found[np.searchsorted(found, batch.words.ends) - 1]
    return places


@cache
def _vowels() -> CharacterSet:
    capitals = (vowel.upper() for vowel in _VOWELS)
    return CharacterSet.of({*_VOWELS, *(capital for capital in capitals if len(capital) == 1)})
