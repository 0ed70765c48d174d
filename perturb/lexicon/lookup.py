"""From words in a buffer to their numbers in the lexicon, and back to spellings."""

from __future__ import annotations

import numpy as np

from perturb.arrays import Bool, Codes, Int32, Int64, UInt8
from perturb.lexicon.hashing import fold, hash_words
from perturb.lexicon.store import BUCKET_BITS, load
from perturb.lexicon.tags import BIT


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
    lexicon = load()
    hashes = hash_words(fold(codes), starts, ends)
    slots = (hashes >> np.uint64(64 - BUCKET_BITS)).view(np.int64)
    places = lexicon.buckets.take(slots).astype(np.int64)
    # A step for each word that stands before in its bucket; cheaper than a binary search.
    below = np.flatnonzero(lexicon.hashes[places] < hashes)
    while len(below):
        places[below] += 1
        below = below[lexicon.hashes[places[below]] < hashes[below]]
    return np.where(lexicon.hashes[places] == hashes, lexicon.hash_order[places], np.int32(-1))


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
