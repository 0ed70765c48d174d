"""The kernels of words; they are for texts of Latin-1."""

from __future__ import annotations

import numpy as np

from perturb.engine.native import binding
from perturb.values.arrays import Codes, Int32, Int64, UInt8, UInt64

# For fewer words NumPy takes as little time as a call of a kernel.
_FEW = 32


def find_words(codes: Codes, classes: UInt8) -> tuple[Int64, Int64] | None:
    """Return where the words of texts start and end.

    Args:
        codes: the code points of the texts, with separators around each.
        classes: shape (256,); the classes of each character, as in words.h.
    """
    if codes.dtype != np.uint8:
        return None
    starts, ends = np.empty((2, len(codes) // 2 + 8), np.int64)
    count = binding.called("perturb_words", codes, len(codes), classes, len(starts), starts, ends)
    # The rest of the room is not to be kept.
    return None if count is None else (starts[:count].copy(), ends[:count].copy())


def hash_words(codes: Codes, folded: UInt8, starts: Int64, ends: Int64) -> UInt64 | None:
    """Return the hash of each word.

    Args:
        codes: the code points of the texts.
        folded: shape (256,); the character that each is hashed as.
        starts: shape (words,); where each word starts.
        ends: shape (words,); where it ends.
    """
    if codes.dtype != np.uint8 or len(starts) < _FEW:
        return None
    hashes = np.empty(len(starts), np.uint64)
    words = starts, ends, len(starts)
    count = binding.called("perturb_hash_words", codes, len(codes), folded, *words, hashes)
    return None if count is None else hashes


def number_hashes(hashes: UInt64) -> tuple[Int64, UInt64] | None:
    """Return a number for each hash, the same for the same, and the hash of each number.

    The numbers have room for one more.
    """
    if len(hashes) < _FEW:
        return None
    numbers, distinct = np.empty(len(hashes) + 1, np.int64), np.empty_like(hashes)
    count = binding.called("perturb_number_hashes", hashes, len(hashes), numbers, distinct)
    return None if count is None else (numbers, distinct[:count].copy())


def find_hashes(
    hashes: UInt64, table: UInt64, taken: UInt8, firsts: Int32, bits: int
) -> tuple[Int64, Int64] | None:
    """Return which hashes are in a table, and where they are there.

    Args:
        hashes: shape (words,); what to look for.
        table: ascending; the last is above all others.
        taken: a bit for each value of the highest bits, whether any in the table has it.
        firsts: shape (1 << bits,); the first place in the table for each value of the highest bits.
        bits: how many bits these are.
    """
    if len(hashes) < _FEW:
        return None
    rows, places = np.empty((2, len(hashes)), np.int64)
    count = binding.called(
        "perturb_find_hashes",
        *(hashes, len(hashes), table, len(table), taken, firsts, bits, rows, places),
    )
    return None if count is None else (rows[:count], places[:count])


def word_forms(
    codes: Codes, kinds: UInt8, far: int, starts: Int64, ends: Int64
) -> tuple[UInt8, UInt8] | None:
    """Return the shape of each word, and the kinds of characters between it and the one before.

    Args:
        codes: the code points of the texts.
        kinds: shape (256,); the kind of each character, a bit each.
        far: the kinds for a word that is far from the one before.
        starts: shape (words,); where each word starts.
        ends: shape (words,); where it ends.
    """
    if codes.dtype != np.uint8 or len(starts) < _FEW:
        return None
    shapes, between = np.empty((2, len(starts)), np.uint8)
    count = binding.called(
        "perturb_word_forms",
        *(codes, len(codes), kinds, far, starts, ends, len(starts), shapes, between),
    )
    return None if count is None else (shapes, between)
