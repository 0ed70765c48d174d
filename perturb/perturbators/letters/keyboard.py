"""Slips on a keyboard."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import chain

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.substitution import substitutions
from perturb.engine.text.characters import Alternatives
from perturb.engine.text.unicode import Script
from perturb.errors import UsageError, unknown
from perturb.perturbators.shared.by_script import in_scripts, script_of_each, scripts_of
from perturb.perturbators.shared.numbers_kept import keep_numbers, without_digits
from perturb.registry.definition import PLACES
from perturb.registry.registry import perturbator
from perturb.resources import path, read_rows

# The keyboards of "auto" beside us.
LAYOUTS = {
    Script.CYRILLIC: "ru",
    Script.GREEK: "gr",
    Script.HEBREW: "il",
    Script.ARABIC: "ara",
    Script.ARMENIAN: "am",
    Script.GEORGIAN: "ge",
    Script.DEVANAGARI: "in",
    Script.BENGALI: "bd",
    Script.THAI: "th",
}
# How many keys the rows of `wordlists/keys` have, summed up.
_ROW_ENDS = (14, 26, 38, 50)
# How often a slip stays in its row, for each that leaves it.
_SAME_ROW = 4


@perturbator(
    "keyboard_typos",
    unit="character",
    summary="Hit a neighbouring key.",
    label_risk="medium",
    touches={"letters", "punctuation"},
    source="neighbours within 1.25 key widths, from the X keyboard layouts (xkb-data)",
    version=2,
    aliases={"random_keyboard_typos": {"digits": True}},
)
def keyboard_typos(batch: Batch, *, layout: str = "auto", digits: bool = False) -> Sites:
    """Replace characters by a neighbour on the keyboard.

    Shifted keys have shifted neighbours, so case is kept. Characters that the layout can't type
    are no site, nor are signs that stand in a text of letters that it can't type.

    Args:
        batch: the texts.
        layout: the keyboard: us, gb, de, fr, es, it, ru, dvorak, ... (`wordlists/keyboards`); or
            "auto" for one by the script of each letter: us for Latin, ru for Cyrillic, and those
            of Greek, Hebrew, Arabic, Armenian, Georgian, Hindi, Bengali and Thai.
        digits: whether numbers are hit as well, and digits written.
    """
    sites = substitutions(batch, neighbours(layout, digits=digits))
    sites = sites if digits else keep_numbers(batch, sites)
    signs = frozenset({Script.LATIN}) if layout == "auto" else None
    return in_scripts(batch, sites, typed_scripts(layout), signs)


@lru_cache(maxsize=8)
def neighbours(layout: str, *, digits: bool) -> Alternatives:
    """Return for each character of a keyboard those on the keys beside it, in the same case.

    Args:
        layout: the keyboard, or "auto".
        digits: whether digits have neighbours, and are neighbours.

    Raises:
        UsageError: there is no such keyboard.
    """
    table = _table(layout)
    return Alternatives(table if digits else without_digits(table))


@lru_cache(maxsize=8)
def typed_scripts(layout: str) -> frozenset[Script]:
    """Return the scripts of the letters on a keyboard, or on those of "auto".

    Raises:
        UsageError: there is no such keyboard.
    """
    return scripts_of(_table(layout))


@lru_cache(maxsize=8)
def slips(layout: str) -> Alternatives:
    """Return for each letter of a keyboard the letters beside it, those of its row four to one.

    Args:
        layout: the keyboard, or "auto".

    Raises:
        UsageError: there is no such keyboard.
    """
    rows = _rows("us" if layout == "auto" else layout)
    if layout == "auto":
        rows = {key: row for own in LAYOUTS.values() for key, row in _rows(own).items()} | rows
    table = {}
    for key, near in _table(layout).items():
        letters = [one for one in near if one.isalpha()]
        beside = [one for one in letters if rows[key] == rows[one]]
        apart = [one for one in letters if rows[key] != rows[one]]
        if key.isalpha() and letters:
            table[key] = beside * max(_SAME_ROW * len(apart), 1) + apart * max(len(beside), 1)
    return Alternatives(table)


def _rows(layout: str) -> dict[str, int]:
    """Return for each character of a layout the row of its key."""
    return {
        key: bisect(_ROW_ENDS, place)
        for name, *levels in read_rows("keys", "keys.tsv")
        if name == layout
        for level in levels
        for place, key in enumerate(level)
    }


@lru_cache(maxsize=8)
def _table(layout: str) -> Mapping[str, list[str]]:
    if layout != "auto":
        return _read(layout)
    table = _read("us")
    for script, own in LAYOUTS.items():
        read = _read(own)
        of = script_of_each({*read, *chain.from_iterable(read.values())})
        for key, near in read.items():
            if of[key] == script:
                table[key] = [one for one in near if of[one] in (script, Script.OTHER)]
    return {key: near for key, near in table.items() if near}


@cache
def _layouts() -> frozenset[str]:
    return frozenset(file.stem for file in path("keyboards").glob("*.tsv"))


def unknown_layout(layout: str, known: Iterable[str]) -> UsageError:
    """Return the error for a layout that there is not; many know one by its first letters."""
    rows = read_rows("keys", "keys.tsv")
    called = [name for name, plain, _ in rows if len(layout) > 3 and layout.lower() in plain]
    if called:
        return UsageError(
            f"unknown keyboard layout {layout!r}: a layout is named by its country; these letters "
            f"are on {', '.join(called)}"
        )
    return unknown("keyboard layout", layout, known)


def _read(layout: str) -> dict[str, list[str]]:
    if layout not in _layouts():
        raise unknown_layout(layout, ["auto", *_layouts()])
    return {key: list(near) for key, near in read_rows("keyboards", f"{layout}.tsv")}


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
    return substitutions(batch, _YZ, unit="place")
