"""The kernels of counted noise."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from perturb.engine.native import binding
from perturb.engine.native.binding import Struct as Struct
from perturb.values.arrays import Bool, Float64, Int32, Int64, UInt8, UInt32


class Places(NamedTuple):
    """All places of a batch but the first, as a table of noise sees them.

    Attributes:
        numbers: shape (places + 3,); the numbers of all characters, and of two borders behind.
        words: shape (places,); the group of edits of the word that starts there, or 0.
        closed: shape (places + 2,); the places where no edit may begin or end. None for no place.
        factors: shape (places,); the factors of the rates. None for 1.
        draws: shape (places,); the draws that choose the kind of edit.
        waits: shape (places,); the waiting times that give ranks.
    """

    numbers: UInt8
    words: Int32
    closed: Bool | None
    factors: Float64 | None
    draws: UInt32
    waits: UInt32


def noisy_sites(noise: Int64, places: Places) -> tuple[Int64, Int64, UInt32, UInt8] | None:
    """Return the start, end and rank of each site, and the kind of the edit at each place."""
    size = len(places.words)
    kinds, ranks = np.empty(size, np.uint8), np.empty(size, np.uint32)
    starts, ends = np.empty((2, size), np.int64)
    numbers, *columns = places
    count = binding.called(
        "perturb_noise", noise, numbers, size, *columns, kinds, starts, ends, ranks
    )
    return None if count is None else (starts[:count], ends[:count], ranks[:count], kinds)


def noisy_edits(
    noise: Int64, places: Places, kinds: UInt8, rows: Int64, draws: UInt32
) -> Int64 | None:
    """Return the edit made at each of some places, drawn by rate among those that fit.

    Args:
        noise: the table.
        places: all places.
        kinds: shape (places,); the kind of the edit at each.
        rows: shape (n,); the places with edits.
        draws: shape (n,); a draw for each.
    """
    edits = np.empty(len(rows), np.int64)
    arguments = noise, places.numbers, len(places.words), places.words, kinds
    count = binding.called("perturb_noise_edits", *arguments, rows, draws, len(rows), edits)
    return None if count is None else edits
