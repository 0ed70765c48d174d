"""Uniform and normal draws for the measures, each a function of a key and a counter."""

from __future__ import annotations

import numpy as np

from perturb.rng import below, hash32, uniform
from perturb.values.arrays import Float64, Int64, UInt32


def _draws(key: int, count: int, lane: int = 0) -> UInt32:
    return hash32(np.array([key], np.uint64), np.arange(count), lane)  # one key for all counters


def uniforms(key: int, count: int) -> Float64:
    """Return `count` draws from [0, 1)."""
    return uniform(_draws(key, count))


def integers(key: int, count: int, limit: int) -> Int64:
    """Return `count` draws from the integers in [0, limit)."""
    return below(_draws(key, count), limit)


def normals(key: int, count: int) -> Float64:
    """Return `count` standard normal draws.

    Box and Muller's transform `sqrt(-2 ln u) cos(2 pi v)` of two uniform draws. `u` is taken at the
    middle of its step of 2**-32, so it is never 0 and no draw lies further out than 6.8.
    """
    radius = np.sqrt(-2 * np.log(uniform(_draws(key, count)) + 2.0**-33))
    return np.asarray(radius * np.cos(2 * np.pi * uniform(_draws(key, count, lane=1))))
