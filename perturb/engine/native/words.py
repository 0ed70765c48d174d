"""The kernels of words; all but one are for texts of Latin-1."""

from __future__ import annotations

import numpy as np

from perturb.engine.native import binding
from perturb.engine.text.strings import Strings
from perturb.values.arrays import Bool, Codes, Float64, Int32, Int64, UInt8, UInt64

# For fewer words NumPy is about as fast as a call of a kernel. Chosen by hand.
_FEW = 32
# Bits for a stop or a pause before a word, and for a word that ends with an apostrophe and s.
STOP, PAUSE, OWNS = 1, 2, 4
# Words further apart than this many code points count as parts of different sentences, whatever is
# between. That bounds the look back; chosen by hand, above any gap of quotes and brackets.
FAR = 8
KINDS = np.zeros(256, np.uint8)
KINDS[[ord(mark) for mark in ".!?:\n"]] = STOP | PAUSE
KINDS[[ord(mark) for mark in ',;()[]"/*=+<>|']] = PAUSE


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
    # A view would keep the unused rest of the array in memory.
    return None if count is None else (starts[:count].copy(), ends[:count].copy())


def hash_words(codes: Codes, folded: UInt8, starts: Int64, ends: Int64) -> UInt64 | None:
    """Return the hash of each word.

    Args:
        codes: the code points of the texts.
        folded: shape (256,); the character as which each one is hashed.
        starts: shape (words,); where each word starts.
        ends: shape (words,); where it ends.
    """
    if codes.dtype != np.uint8 or len(starts) < _FEW:
        return None
    hashes = np.empty(len(starts), np.uint64)
    words = starts, ends, len(starts)
    count = binding.called("perturb_hash_words", codes, len(codes), folded, *words, hashes)
    return None if count is None else hashes


def find_hashes(
    hashes: UInt64, table: UInt64, taken: UInt8, firsts: Int32, bits: int
) -> tuple[Int64, Int64] | None:
    """Return the rows of the hashes that are in a table, and their places there.

    Args:
        hashes: shape (words,); the hashes to look up.
        table: ascending; the last is above all others.
        taken: a bit for each value of the highest bits: whether the table has any such hash.
        firsts: shape (1 << bits,); the first place in the table for each value of the highest bits.
        bits: how many bits these are.
    """
    if len(hashes) < _FEW:
        return None
    rows, places = np.empty((2, len(hashes)), np.int64)
    known = table, len(table), taken, firsts, bits
    count = binding.called("perturb_find_hashes", hashes, len(hashes), *known, rows, places)
    return None if count is None else (rows[:count], places[:count])


def asking(
    codes: Codes, sentences: tuple[Int64, Int64], starts: Int64, numbers: Int64, opens: Bool
) -> Bool | None:
    """Return which words belong to a clause that asks.

    Args:
        codes: the code points of the texts.
        sentences: where each sentence starts and ends.
        starts: shape (words,); where each word starts.
        numbers: shape (words,); a number for each word.
        opens: the numbers of words that begin such a clause.
    """
    if codes.dtype != np.uint8:
        return None
    asks = np.empty(len(starts), np.bool_)
    questions = codes, len(codes), *sentences, len(sentences[0])
    words = starts, numbers, len(starts), opens, len(opens)
    count = binding.called("perturb_asking", *questions, *words, asks)
    return None if count is None else asks


def read_words(
    codes: Codes, folded: UInt8, starts: Int64, ends: Int64
) -> tuple[Int64, UInt64, UInt8, UInt8] | None:
    """Return a number for each word, the same for the same hash, and other facts about words.

    Args:
        codes: the code points of the texts.
        folded: as for `hash_words`.
        starts: shape (words,); where each word starts.
        ends: shape (words,); where it ends.

    Returns:
        The number of each word, with room for one more; the hash of each number; the shape of each
        word, as in `perturb.lexicon.tokens`; and the bits above.
    """
    count = len(starts)
    if codes.dtype != np.uint8 or count < _FEW:
        return None
    numbers, distinct = np.empty(count + 1, np.int64), np.empty(count, np.uint64)
    shapes, between = np.empty((2, count), np.uint8)
    arguments = codes, len(codes), folded, KINDS, STOP | PAUSE, starts, ends, count
    made = binding.called("perturb_read_words", *arguments, numbers, distinct, shapes, between)
    return None if made is None else (numbers, distinct[:made].copy(), shapes, between)


def languages(
    texts: Strings, vocabulary: binding.Struct, is_any: bool
) -> tuple[UInt8, Float64] | None:
    """Return the number of the likeliest language of each text, and the evidence for it.

    Args:
        texts: the texts.
        vocabulary: the words of languages, as in languages.h.
        is_any: whether to judge texts without letters of Latin script beyond ASCII, too.
    """
    likeliest, most = np.empty(len(texts), np.uint8), np.empty(len(texts), np.float64)
    arguments = *binding.column_of(texts), len(texts), vocabulary.numbers, is_any
    count = binding.called("perturb_languages", *arguments, likeliest, most)
    return None if count is None else (likeliest, most)
