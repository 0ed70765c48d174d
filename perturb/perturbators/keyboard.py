"""Slips on a keyboard."""

from __future__ import annotations

from functools import lru_cache

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.text.characters import Alternatives
from perturb.errors import unknown
from perturb.perturbators._numbers_kept import keep_numbers, without_digits
from perturb.registry.registry import PLACES, perturbator
from perturb.resources import path, read_rows


@perturbator(
    "keyboard_typos",
    unit="character",
    summary="Hit a neighbouring key.",
    label_risk="low",
    touches={"letters", "punctuation"},
    source="neighbours within 1.25 key widths, from the X keyboard layouts (xkb-data)",
    version=2,
    aliases={"random_keyboard_typos": {"digits": True}},
)
def keyboard_typos(batch: Batch, *, layout: str = "us", digits: bool = False) -> Sites:
    """Replace characters by a neighbour on the keyboard.

    Shifted keys have shifted neighbours, so case is kept. Characters that the layout can't type
    are no site.

    Args:
        batch: the texts.
        layout: the keyboard: us, gb, de, fr, es, it, ru, dvorak, ... (`wordlists/keyboards`).
        digits: whether numbers are hit as well, and digits written.
    """
    keys = neighbours(layout, digits=digits)
    sites = batch.sites_where(
        keys.characters, lambda chosen: keys.draw(chosen.first, chosen.draw())
    )
    return sites if digits else keep_numbers(batch, sites)


@lru_cache(maxsize=8)
def neighbours(layout: str, *, digits: bool) -> Alternatives:
    """Return for each character of a keyboard those on the keys beside it, in the same case.

    Args:
        layout: the keyboard.
        digits: whether digits have neighbours, and are neighbours.

    Raises:
        UsageError: there is no such keyboard.
    """
    known = [file.stem for file in path("keyboards").glob("*.tsv")]
    if layout not in known:
        raise unknown("keyboard layout", layout, known)
    table = {key: list(near) for key, near in read_rows("keyboards", f"{layout}.tsv")}
    return Alternatives(table if digits else without_digits(table))


_YZ = Alternatives({"y": ["z"], "z": ["y"], "Y": ["Z"], "Z": ["Y"]})


@perturbator(
    "yz_swap",
    unit="place",
    summary="Write z for y and y for z, as on a German keyboard taken for an English one.",
    label_risk="low",
    touches={"letters"},
    source="H2O Eval Studio, QWERTY Perturbation",
    intensities=PLACES,
    aliases={"qwerty": {}},
)
def yz_swap(batch: Batch) -> Sites:
    """Exchange y and z, in both cases.

    Args:
        batch: the texts.
    """
    return batch.sites_where(
        _YZ.characters, lambda chosen: _YZ.draw(chosen.first, chosen.draw()), unit="place"
    )
