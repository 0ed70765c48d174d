"""Characters that the keys of a keyboard type when shift is late or another layout is active."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Literal, NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import MaskSites, Sites
from perturb.engine.substitution import Substitution
from perturb.engine.text.characters import Alternatives, CharacterSet, blank
from perturb.engine.text.strings import packed, runs
from perturb.engine.text.unicode import CODE_POINTS, Kind, kinds
from perturb.errors import UsageError
from perturb.perturbators.letters.keyboard import LAYOUTS, unknown_layout
from perturb.perturbators.shared.by_script import scripts_of
from perturb.perturbators.shared.numbers_kept import has_digit
from perturb.registry.definition import PLACES
from perturb.registry.registry import perturbator
from perturb.resources import read_rows
from perturb.values.arrays import Int64, UInt32


@perturbator(
    "shift_slip",
    unit="place",
    summary="Miss shift, or hold it for one key more: hello, HEllo for Hello.",
    label_risk="none",
    touches={"case", "punctuation"},
    source="levels of the keys, from the X keyboard layouts (xkb-data)",
    intensities=PLACES,
    version=2,
    example="Dr. Ann Lee paid $5 in New York! Did Bob?",
)
def shift_slip(
    batch: Batch,
    *,
    layout: str = "auto",
    mode: Literal["both", "missed", "held"] = "both",
    digits: bool = False,
) -> Sites:
    """Press or let go of shift too late; `p` is a share of the characters where that can show.

    Args:
        batch: the texts.
        layout: the keyboard: us, gb, de, fr, es, it, ru, ... (`wordlists/keys`); or "auto" for one
            by the script of each letter, as `keyboard_typos` has it.
        mode: "missed" types a character of the shifted level plain: / for ?; "held" types one
            shifted that follows such a character: HEllo for Hello; "both" does either.
        digits: whether keys with digits slip as well: 1 for !, $% for $5.
    """
    shift = _shift(layout, digits)
    mask = np.zeros(len(batch.codes), np.bool_)
    if mode != "held":
        mask |= batch.marked(shift.shifted)
    if mode != "missed":
        mask[1:] |= batch.marked(shift.plain)[1:] & shift.shifted.mask(batch.codes)[:-1]
    return MaskSites(mask, "place", Substitution(shift.other))


class _Shift(NamedTuple):
    """Characters that shift makes and takes back, and which each of them turns into."""

    plain: CharacterSet
    shifted: CharacterSet
    other: Alternatives


@lru_cache(maxsize=8)
def _shift(layout: str, digits: bool) -> _Shift:
    up: dict[str, str] = {}
    down: dict[str, str] = {}
    for plain, shifted in _pairs(layout):
        slips = digits or not has_digit(plain + shifted)
        if slips and plain != shifted and not {plain, shifted} & _not_alone():
            up.setdefault(plain, shifted)
            down.setdefault(shifted, plain)
    down = {shifted: plain for shifted, plain in down.items() if shifted not in up}
    table = {character: [other] for character, other in {**down, **up}.items()}
    return _Shift(CharacterSet.of(up), CharacterSet.of(down), Alternatives(table))


def _pairs(layout: str) -> list[tuple[str, str]]:
    """Return the plain and the shifted character of each key; of "auto", letters by script."""
    if layout != "auto":
        return list(zip(*_levels(layout), strict=True))
    pairs = _pairs("us")
    for script, own in LAYOUTS.items():
        pairs += [pair for pair in _pairs(own) if all(scripts_of(one) == {script} for one in pair)]
    return pairs


@cache
def _not_alone() -> set[str]:
    """Return the entries that are no character of their own: marks, and the blank for none."""
    typed = {key for _, plain, shifted in read_rows("keys", "keys.tsv") for key in plain + shifted}
    return {key for key in typed if kinds()[ord(key)] in (Kind.MARK, Kind.SPACE)}


@perturbator(
    "layout_swap",
    unit="place",
    summary="Type with the wrong keyboard layout active: ghbdtn for привет, lqwy for lazy.",
    label_risk="medium",
    touches={"letters", "punctuation"},
    source="characters of the keys, from the X keyboard layouts (xkb-data)",
    intensities=PLACES,
    version=2,
    example="My lazy cat saw the привет message, anyway.",
)
def layout_swap(
    batch: Batch, *, layout: str = "us", active: str = "fr", digits: bool = False
) -> Sites:
    """Write what the same keys type on another layout.

    `p` is a share of the runs between white space that come out differently. A run is changed as a
    whole, its punctuation too; one that holds a character which either layout can't type with one
    key is no site.

    Args:
        batch: the texts.
        layout: the keyboard that the text is meant for: us, gb, de, fr, ru, ... (`wordlists/keys`).
        active: the keyboard that is switched on.
        digits: whether runs with digits are changed as well, or come out with digits.
    """
    if layout == active:
        raise UsageError(f"layout_swap: layout and active are both {layout!r}; give two keyboards")
    typed, table = _typed(layout, active, digits)
    codes = batch.codes
    starts, ends = _runs(batch)
    ranges = np.stack([starts, ends], axis=1).ravel()
    able = np.logical_and.reduceat(typed.mask(codes), ranges)[::2]
    differs = np.logical_or.reduceat(table[codes] != codes, ranges)[::2]
    rows = np.flatnonzero(able & differs)
    return Sites(
        starts[rows],
        ends[rows],
        "place",
        lambda chosen: packed(table[chosen.texts.flat()], chosen.texts.lengths),
    )


def _runs(batch: Batch) -> tuple[Int64, Int64]:
    """Return the starts and the ends of the runs between white space."""
    return runs(~blank().mask(batch.codes) & (batch.codes != 0))


@lru_cache(maxsize=8)
def _typed(layout: str, active: str, digits: bool) -> tuple[CharacterSet, UInt32]:
    """Return the characters that both layouts can type, and what `active` types for each."""
    table: dict[str, str] = {}
    for meant, got in zip("".join(_levels(layout)), "".join(_levels(active)), strict=True):
        if meant != " " != got and (digits or not has_digit(meant + got)):
            table.setdefault(meant, got)
    others = np.arange(CODE_POINTS, dtype=np.uint32)
    others[[ord(meant) for meant in table]] = [ord(got) for got in table.values()]
    return CharacterSet.of(table), others


def _levels(layout: str) -> tuple[str, str]:
    """Return the characters on the keys of a layout, plain and shifted; a blank for none."""
    known = {name: (plain, shifted) for name, plain, shifted in read_rows("keys", "keys.tsv")}
    if layout not in known:
        raise unknown_layout(layout, known)
    return known[layout]
