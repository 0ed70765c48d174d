"""The scripts that a table of characters can write, and signs that stand in texts of others."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.text.scripts import FOREIGN, letter_classes
from perturb.engine.text.strings import ranges, runs
from perturb.engine.text.unicode import Script, scripts
from perturb.values.arrays import Bool, Codes, UInt8


def script_of_each(characters: Collection[str]) -> dict[str, Script]:
    """Return the script of each of some characters."""
    codes = [ord(character) for character in characters]
    members = tuple(Script)  # numbered from 0
    return dict(zip(characters, map(members.__getitem__, scripts()[codes].tolist()), strict=True))


def scripts_of(characters: Collection[str]) -> frozenset[Script]:
    """Return the scripts of some characters, without `Script.OTHER`."""
    return frozenset(script_of_each(characters).values()) - {Script.OTHER}


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
    classes = letter_classes(batch, written if signs is None else signs)
    if classes is not None:
        foreign = _after_foreign(batch.codes, classes)
        if signs is None:
            foreign |= classes == FOREIGN
        sites = sites.free(foreign)
    return sites.limited(scripts=written)


def _after_foreign(codes: Codes, classes: UInt8) -> Bool:
    """Mark what follows a foreign letter, up to the next letter."""
    starts, ends = runs((classes == 0) & (codes != 0))
    led = classes[starts - 1] == FOREIGN
    marked = np.zeros(len(classes), np.bool_)
    marked[ranges(starts[led], (ends - starts)[led])] = True
    return marked
