"""Words as 64-bit hashes: how a word in a buffer of code points finds its row in the lexicon."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

UInt64 = NDArray[np.uint64]
Int64 = NDArray[np.int64]
Codes = NDArray[np.uint8] | NDArray[np.uint32]

# FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo, public domain), over code points instead of bytes.
_OFFSET = np.uint64(0xCBF29CE484222325)
_PRIME = np.uint64(0x100000001B3)
# A word longer than this is in no lexicon, and is not read to its end.
_LONGEST = 48
_CURLY = 0x2019
_FOLD_LATIN1 = np.arange(256, dtype=np.uint8)
_FOLD_LATIN1[65:91] += 32


def fold(codes: Codes) -> Codes:
    """Lower the letters A-Z and straighten the curly apostrophe, as the lexicon is spelled.

    Other capitals stay: every word of the lexicon is ASCII.

    Args:
        codes: code points, Latin-1 bytes or UTF-32.

    Returns:
        An array of the same length and type.

    Examples:
        >>> bytes(fold(np.frombuffer(b"Don't", np.uint8)))
        b"don't"
    """
    if codes.dtype == np.uint8:
        return _FOLD_LATIN1[codes]
    lowered = codes + np.uint32(32) * (codes - np.uint32(65) < 26)
    lowered[codes == _CURLY] = 39
    return lowered


def hash_words(codes: Codes, starts: Int64, ends: Int64) -> UInt64:
    """Hash many words of one buffer at once, column by column.

    Args:
        codes: folded code points.
        starts: where each word starts in `codes`.
        ends: where each word ends, not before it starts.

    Returns:
        One hash a word. Words that differ only after 48 code points hash alike.
    """
    lengths = np.minimum(ends - starts, _LONGEST).astype(np.uint8)
    # Longest first, so that the words that still have a letter in a column are a prefix.
    order = np.argsort(_LONGEST - lengths, kind="stable")
    places = starts[order]
    alive = len(lengths) - np.cumsum(np.bincount(lengths, minlength=_LONGEST + 1))
    hashes = np.full(len(lengths), _OFFSET)
    for column, count in enumerate(alive):
        if not count:
            break
        part = hashes[:count]
        part ^= codes[places[:count] + column]
        part *= _PRIME
    result = np.empty_like(hashes)
    result[order] = hashes
    return result


def hash_strings(words: list[str]) -> UInt64:
    """Hash ASCII words given as strings.

    Examples:
        >>> [hex(word) for word in hash_strings(["a"])]
        ['0xaf63dc4c8601ec8c']
    """
    codes = np.frombuffer("".join(words).encode("ascii"), np.uint8)
    ends = np.cumsum([len(word) for word in words], dtype=np.int64)
    starts = np.concatenate(([0], ends[:-1])) if words else ends
    return hash_words(codes, starts, ends)
