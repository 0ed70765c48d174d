"""Numbers as what a change to letters must not touch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from perturb.engine.batch import Batch, of_kind
from perturb.engine.sites import Sites
from perturb.engine.text.characters import CharacterSet
from perturb.engine.text.unicode import Kind

Bool = NDArray[np.bool_]


def digits() -> CharacterSet:
    """Return the decimal digits of all scripts."""
    return of_kind(Kind.DIGIT)


def in_numbers(batch: Batch) -> Bool:
    """Mark the digits of a batch, and every single character between two of them: 3.14, 9:30."""
    codes = batch.codes
    if codes.dtype == np.uint8:
        mask: Bool = codes - np.uint8(ord("0")) < 10
    else:
        mask = digits().mask(codes).copy()
    mask[1:-1] |= mask[:-2] & mask[2:] & (codes[1:-1] != 0)
    return mask


def keep_numbers(batch: Batch, sites: Sites) -> Sites:
    """Return the sites that neither hold a part of a number nor insert beside one."""
    inside = in_numbers(batch)
    return sites.free(inside) if inside.any() else sites


def without_digits(table: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return a table of alternatives without those that have a digit, on either side."""
    kept = {
        written: [option for option in options if not has_digit(option)]
        for written, options in table.items()
        if not has_digit(written)
    }
    return {written: options for written, options in kept.items() if options}


def has_digit(text: str) -> bool:
    """Say whether a string has a decimal digit of any script."""
    return any(character.isdecimal() for character in text)
