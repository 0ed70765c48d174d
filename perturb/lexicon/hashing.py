"""Words as 64-bit hashes: how a word in a buffer of code points finds its row in a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.native import words
from perturb.values.arrays import Bool, Codes, Int32, Int64, UInt8, UInt64

# Letters taken at once, as one little-endian integer.
_STEP = 8
# A longer word is in no table (the longest entry of the lexicon has 40 letters), so the rest of it
# isn't read.
_LONGEST = 48
# Keeps the first n letters of a step.
_KEPT = np.array([(1 << 8 * count) - 1 for count in range(_STEP + 1)], np.uint64)
# The multipliers of SplitMix64's finaliser (G. L. Steele, D. Lea, C. H. Flood, OOPSLA 2014); the
# shifts are of half a number each.
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_HIGH = np.uint64(32)

_FOLDED = np.frombuffer(bytes(range(256)).lower(), np.uint8)
# The same with the letters of Latin-1 beyond ASCII; ß and ÿ have no capital there.
LATIN_FOLDED = np.frombuffer(
    bytes(range(256)).decode("latin-1").lower().encode("latin-1"), np.uint8
)
_CURLY = 0x2019
# Slots for each hash: a word outside the table then falls into a taken slot 1 time in 16 to 32, and
# costs no search otherwise. Twice as many slots would halve that and double the table.
_SPARSE = 16


def fold(codes: Codes, accents: bool = False) -> UInt8:
    """Lower the letters A-Z and straighten the curly apostrophe, as the lexicon is spelled.

    Every word of the lexicon is ASCII, so all that is not Latin-1 becomes 255.

    Args:
        codes: code points, Latin-1 bytes or UTF-32.
        accents: whether the capitals of Latin-1 beyond ASCII, such as É, are lowered too.

    Returns:
        One byte a code point, and eight zeros after the last.

    Examples:
        >>> bytes(fold(np.frombuffer(b"Don't", np.uint8)))[:5]
        b"don't"
    """
    table = LATIN_FOLDED if accents else _FOLDED
    translated = narrow(codes).tobytes().translate(table.tobytes())
    return np.frombuffer(translated + bytes(_STEP), np.uint8)


def narrow(codes: Codes) -> UInt8:
    """Return code points in a byte each: 255 for all but Latin-1, curly apostrophes straight."""
    if codes.dtype == np.uint8:
        return codes.view(np.uint8)
    narrowed = np.minimum(codes, 255).astype(np.uint8)
    narrowed[codes == _CURLY] = ord("'")
    return narrowed


def letters_of(batch: Batch, accents: bool = False) -> UInt8:
    """Return `fold` of the code points of a batch."""
    return batch.once(_letters, accents)


def _letters(batch: Batch, accents: bool) -> UInt8:
    return fold(narrow_codes(batch), accents)


def narrow_codes(batch: Batch) -> UInt8:
    """Return `narrow` of the code points of a batch."""
    return batch.once(_narrow)


def _narrow(batch: Batch) -> UInt8:
    return narrow(batch.codes)


class Vocabulary(NamedTuple):
    """The words of a batch by numbers, so that each distinct word is looked up once.

    Attributes:
        numbers: shape (words + 1,); the number of each word, and at the end, where -1 leads, a
            number that no word has. Words with different hashes have different numbers.
        hashes: shape (numbers,); `hash_words` of the words with each number.
        forms: the shapes of all words and the kinds of code point before each, as in
            `perturb.lexicon.tokens`, if a kernel found them on the way; else None.
    """

    numbers: Int64
    hashes: UInt64
    forms: tuple[UInt8, UInt8] | None


def vocabulary(batch: Batch, accents: bool = False) -> Vocabulary:
    """Return the numbers of all words of a batch."""
    return batch.once(_vocabulary, accents)


def hashes_of(batch: Batch, rows: Int64) -> UInt64:
    """Return `hash_words` of the words at `rows`."""
    numbers, hashes, _ = vocabulary(batch)
    return hashes[numbers[rows]]


def _vocabulary(batch: Batch, accents: bool) -> Vocabulary:
    starts, ends = batch.words.starts, batch.words.ends
    codes, table = narrow_codes(batch), LATIN_FOLDED if accents else _FOLDED
    native = words.read_words(codes, table, starts, ends)
    if native is not None:
        numbers, hashes, *forms = native
        numbers[-1] = len(hashes)
        return Vocabulary(numbers, hashes, (forms[0], forms[1]))
    # NumPy would take longer to find equal words than to look up each.
    numbers = np.arange(len(starts) + 1)
    return Vocabulary(numbers, hash_words(letters_of(batch, accents), starts, ends), None)


def hash_spans(batch: Batch, starts: Int64, ends: Int64, accents: bool = False) -> UInt64:
    """Return `hash_words` of spans of a batch."""
    table = LATIN_FOLDED if accents else _FOLDED
    native = words.hash_words(narrow_codes(batch), table, starts, ends)
    return hash_words(letters_of(batch, accents), starts, ends) if native is None else native


def hash_words(folded: UInt8, starts: Int64, ends: Int64) -> UInt64:
    """Hash many words of one buffer at once, eight letters at a time.

    Args:
        folded: from `fold`.
        starts: where each word starts.
        ends: where each word ends, not before it starts.

    Returns:
        One hash for each word. Words that differ only after 48 letters hash alike.
    """
    steps = np.ndarray(len(folded) - _STEP + 1, "<u8", folded, strides=(1,))
    left = np.minimum(ends - starts, _LONGEST)
    hashes = _mixed(steps[starts] & _KEPT[np.minimum(left, _STEP)])
    places = np.flatnonzero(left > _STEP)
    for done in range(_STEP, _LONGEST, _STEP):
        if not len(places):
            break
        letters = steps[starts[places] + done] & _KEPT[np.minimum(left[places] - done, _STEP)]
        hashes[places] = _mixed(hashes[places] ^ letters)
        places = places[left[places] > done + _STEP]
    return hashes


def _mixed(x: UInt64) -> UInt64:
    x ^= x >> _HIGH
    x *= _FIRST
    x ^= x >> _HIGH
    x *= _SECOND
    x ^= x >> _HIGH
    return x


def hash_strings(words: Sequence[str]) -> UInt64:
    """Hash words given as strings.

    Examples:
        >>> hash_strings(["Mice"]) == hash_strings(["mice"])
        array([ True])
    """
    lengths = np.array([len(word) for word in words], np.intp)
    ends = np.cumsum(lengths)
    codes = np.frombuffer("".join(words).encode("utf-32-le"), "<u4")
    return hash_words(fold(codes), ends - lengths, ends)


class HashTable(NamedTuple):
    """Hashes in a table, each in the slot of its highest bits.

    Attributes:
        hashes: ascending, no two alike, and one above them.
        bits: how many bits choose the slot.
        firsts: shape (1 << bits,); the first place in `hashes` of each slot, or after it.
        taken: shape (1 << bits,); whether any is in the slot.
        taken_bits: the same, a bit each.
    """

    hashes: UInt64
    bits: int
    firsts: Int32
    taken: Bool
    taken_bits: UInt8

    @classmethod
    def of(cls, hashes: UInt64, bits: int | None = None) -> HashTable:
        """Make a table of hashes.

        Args:
            hashes: ascending, no two alike.
            bits: how many bits choose the slot; None for as many as leave most slots empty.
        """
        bits = (_SPARSE * max(len(hashes), 1)).bit_length() if bits is None else bits
        slots = (hashes >> np.uint64(64 - bits)).astype(np.intp)
        filled = np.bincount(slots, minlength=1 << bits)
        firsts = (np.cumsum(filled) - filled).astype(np.int32)
        taken = filled > 0
        bounded = np.append(hashes, np.uint64(2**64 - 1))
        return cls(bounded, bits, firsts, taken, np.packbits(taken, bitorder="little"))

    def find(self, hashes: UInt64) -> tuple[Int64, Int64]:
        """Return the rows of `hashes` that are in the table, and their places in it."""
        native = words.find_hashes(hashes, self.hashes, self.taken_bits, self.firsts, self.bits)
        if native is not None:
            return native
        slots = (hashes >> np.uint64(64 - self.bits)).astype(np.intp)
        near = np.flatnonzero(self.taken.take(slots))
        place, wanted = self.firsts.take(slots[near]).astype(np.intp), hashes[near]
        # A step for each lower hash in its slot; cheaper than a binary search.
        below = np.flatnonzero(self.hashes[place] < wanted)
        while len(below):
            place[below] += 1
            below = below[self.hashes[place[below]] < wanted[below]]
        known = (self.hashes[place] == wanted) & (place < len(self.hashes) - 1)
        return near[known], place[known]

    def places(self, hashes: UInt64) -> Int64:
        """Return the place of each hash, -1 if it is not in the table; a -1 more ends them."""
        places = np.full(len(hashes) + 1, -1)
        known, found = self.find(hashes)
        places[known] = found
        return places
