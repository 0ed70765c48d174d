"""From words in a buffer to their numbers in the lexicon, and back to spellings."""

from __future__ import annotations

import numpy as np

from perturb.engine.batch import Batch
from perturb.lexicon.hashing import hash_codes, word_hashes
from perturb.lexicon.store import load
from perturb.lexicon.tags import BIT
from perturb.values.arrays import Bool, Codes, Int32, Int64, UInt8, UInt64


def lookup(codes: Codes, starts: Int64, ends: Int64) -> Int32:
    """Find many words of one buffer in the lexicon, in any case.

    Words are compared by a 64-bit hash alone.

    Args:
        codes: code points of the buffer, Latin-1 bytes or UTF-32.
        starts: shape (n,); where each word starts.
        ends: shape (n,); where each ends, not before it starts.

    Returns:
        Shape (n,): the surface of each word, -1 where the lexicon has none.

    Examples:
        >>> found = lookup(np.frombuffer(b"Mice qwx", np.uint8), np.array([0, 5]), np.array([4, 8]))
        >>> spell(found[0]), found[1]
        ('mice', np.int32(-1))
    """
    return _surfaces(hash_codes(codes, starts, ends))


def surfaces_of_words(batch: Batch) -> Int32:
    """Return the surface of each word of a batch, -1 where the lexicon has none."""
    return batch.once(_surfaces_of_words)


def _surfaces_of_words(batch: Batch) -> Int32:
    return _surfaces(word_hashes(batch))


def _surfaces(hashes: UInt64) -> Int32:
    lexicon = load()
    surfaces = np.full(len(hashes), -1, np.int32)
    rows, places = lexicon.table.find(hashes)
    surfaces[rows] = lexicon.hash_order.take(places)
    return surfaces


def spellings(surfaces: Int32) -> tuple[UInt8, Int64, Int64]:
    """Return how surfaces are spelled, without making strings.

    Args:
        surfaces: shape (n,); numbers from `lookup` or `Candidates`, none of them -1.

    Returns:
        The lexicon's code points, and where the spelling of each surface starts and ends there.
    """
    lexicon = load()
    return lexicon.codes, lexicon.bounds[surfaces], lexicon.bounds[surfaces + 1]


def takes_an(surfaces: Int32) -> Bool:
    """Say which surfaces are preceded by `an` where they are preceded by `a` or `an`.

    Args:
        surfaces: shape (n,); none of them -1.
    """
    found: Bool = load().facts[surfaces] & np.uint32(BIT["vowel"]) != 0
    return found


def spell(surface: int | np.integer) -> str:
    """Return the spelling of one surface, lower-case."""
    lexicon = load()
    return bytes(lexicon.codes[lexicon.bounds[surface] : lexicon.bounds[surface + 1]]).decode(
        "ascii"
    )
