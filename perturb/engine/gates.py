"""Gates: conditions for a text to take a step, drawn only from the key of the text."""

from __future__ import annotations

import numpy as np

from perturb.rng import hash32, mix64, uniform
from perturb.values.arrays import Bool, UInt64
from perturb.values.fields import Frozen


class Between(Frozen):
    """Open to the texts whose draw lies in [low, high), of [0, 1).

    Attributes:
        stream: the number of the stream of draws; gates that share it draw the same.
        low: where the interval begins.
        high: where it ends.
    """

    stream: int
    low: float
    high: float

    def open(self, keys: UInt64) -> Bool:
        """Mark the keys of the texts for which the gate is open."""
        drawn = uniform(hash32(mix64(keys, self.stream), np.zeros(len(keys), np.intp)))
        return (self.low <= drawn) & (drawn < self.high)


class Lowest(Frozen):
    """Open to the texts for which one of several places draws one of the lowest numbers.

    Attributes:
        stream: the number of the stream of draws; gates that share it draw the same.
        place: the place in question, from 0.
        places: how many there are.
        count: how many of these places are open to each text.
    """

    stream: int
    place: int
    places: int
    count: int

    def open(self, keys: UInt64) -> Bool:
        """Mark the keys for which the gate is open; places of one text never draw the same."""
        mixed = mix64(keys, self.stream)
        draws = np.stack([hash32(mixed, np.full(len(keys), n)) for n in range(self.places)])
        below: Bool = (draws < draws[self.place]).sum(axis=0) < self.count
        return below


# A condition for a text to take a step.
Gate = Between | Lowest
