"""The scripts that a table of characters can write, and signs that stand in texts of others."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.text.characters import CharacterSet
from perturb.engine.text.unicode import Script, scripts

# Up to here letters are Latin.
_LAST_LATIN = 0x24F


def scripts_of(characters: Iterable[str]) -> frozenset[Script]:
    """Return the scripts of some characters, without `Script.OTHER`."""
    codes = [ord(character) for character in characters]
    return frozenset(map(Script, set(scripts()[codes].tolist()))) - {Script.OTHER}


def in_scripts(
    batch: Batch,
    sites: Sites,
    written: frozenset[Script],
    signs: frozenset[Script] | None = None,
) -> Sites:
    """Return the sites, without signs that follow a letter of a script that is not theirs.

    Args:
        batch: the texts.
        sites: sites at letters of the scripts that are written, and at signs and digits.
        written: the scripts that the step can write; units of others are closed.
        signs: the scripts whose letters signs may follow; without them, those that are written.
    """
    foreign = _after_foreign(batch, written if signs is None else signs)
    if foreign is not None and signs is not None:
        foreign &= ~_letters().mask(batch.codes)
    kept = sites if foreign is None else sites.free(foreign)
    return kept.limited(scripts=written)


def _after_foreign(
    batch: Batch, written: frozenset[Script]
) -> np.ndarray[tuple[int], np.dtype[np.bool_]] | None:
    """Mark foreign letters and what follows them up to the next letter; None if there is none."""
    codes = batch.codes
    if Script.LATIN in written:
        if codes.dtype == np.uint8:
            return None
        beyond = np.flatnonzero(codes > _LAST_LATIN)
        if not _foreign(written).mask(codes[beyond]).any():
            return None
    letter = _letters().mask(codes) | (codes == 0)
    places = np.flatnonzero(letter)
    foreign = _foreign(written).mask(codes[places])
    return foreign.repeat(np.diff(places, append=len(codes)))


@cache
def _foreign(written: frozenset[Script]) -> CharacterSet:
    return CharacterSet(~np.isin(scripts(), [Script.OTHER, *written]))


@cache
def _letters() -> CharacterSet:
    return CharacterSet(scripts() != Script.OTHER)
