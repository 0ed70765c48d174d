"""Tables of hashes, in which the words of whole batches are found at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from perturb.engine.native.words import find_hashes
from perturb.values.arrays import Bool, Int32, Int64, UInt8, UInt64

# Slots for each hash: few of those that are in no table fall into one that is taken.
_SPARSE = 16


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
        slots = (hashes >> np.uint64(64 - bits)).astype(np.int64)
        filled = np.bincount(slots, minlength=1 << bits)
        firsts = (np.cumsum(filled) - filled).astype(np.int32)
        taken = filled > 0
        bounded = np.append(hashes, np.uint64(2**64 - 1))
        return cls(bounded, bits, firsts, taken, np.packbits(taken, bitorder="little"))

    def find(self, hashes: UInt64) -> tuple[Int64, Int64]:
        """Return the rows of `hashes` that are in the table, and their places in it."""
        native = find_hashes(hashes, self.hashes, self.taken_bits, self.firsts, self.bits)
        if native is not None:
            return native
        slots = (hashes >> np.uint64(64 - self.bits)).view(np.int64)
        near = np.flatnonzero(self.taken.take(slots))
        place, wanted = self.firsts.take(slots[near]).astype(np.int64), hashes[near]
        # A step for each hash that stands before in its slot; cheaper than a binary search.
        below = np.flatnonzero(self.hashes[place] < wanted)
        while len(below):
            place[below] += 1
            below = below[self.hashes[place[below]] < wanted[below]]
        known = self.hashes[place] == wanted
        return near[known], place[known]
