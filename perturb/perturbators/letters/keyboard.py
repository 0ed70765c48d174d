"""Slips on a keyboard: a key beside the right one, shift too late, or the wrong layout."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from typing import Literal

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.places import touching
from perturb.engine.sites import Chosen, MaskSites, Sites, Substitution
from perturb.engine.text.characters import (
    CODE_POINTS,
    Alternatives,
    CharacterSet,
    Kind,
    Script,
    blank,
    kinds,
)
from perturb.engine.text.strings import Strings, ranges, runs
from perturb.errors import UsageError, suggestion
from perturb.perturbators.declaration import letter_perturbator, place_perturbator
from perturb.perturbators.shared.character_tables import (
    has_digit,
    in_scripts,
    script_of_each,
    scripts_of,
    without_digits,
)
from perturb.perturbators.shared.national import NATIONAL, by_language
from perturb.resources import path, read_rows
from perturb.values.arrays import UInt32

Mode = Literal["both", "missed", "held"]

# The keyboards of "auto", in addition to us.
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
# The scripts of all keyboards, by their names.
KEYS = ("latin", *(script.name.lower() for script in LAYOUTS))
# The numbers of keys in the rows of `wordlists/keys`, summed up.
_ROW_ENDS = (14, 26, 38, 50)


@letter_perturbator(
    "keyboard_typos",
    scripts=(*KEYS, "hangul"),
    touches={"letters", "punctuation"},
    source="neighbours within 1.25 key widths, from the X keyboard layouts (xkb-data)",
    version=4,
    aliases={"random_keyboard_typos": {"digits": True}},
)
def keyboard_typos(batch: Batch, *, layout: str = "auto", digits: bool = False) -> Sites:
    """Hit a neighbouring key.

    Shifted keys have shifted neighbours, so case is kept. Characters that the layout can't type
    stay. So does punctuation in a text whose letters it can't type, and so do the | and ruled lines
    of a table.

    Args:
        batch: the texts.
        layout: the keyboard: us, gb, de, fr, es, it, ru, dvorak, ... (`wordlists/keyboards`); or
            "auto" for one by the script of each letter: us for Latin, ru for Cyrillic, and those
            of Greek, Hebrew, Arabic, Armenian, Georgian, Hindi, Bengali and Thai; for a text with
            a letter such as ä and the words of its language, that of the language: de for German;
            and for a Korean text kr, on which a slip changes one part of a syllable.
        digits: whether to change numbers as well, and to write digits.
    """

    def typed(batch: Batch, layout: str) -> Sites:
        sites = batch.substitutions(neighbours(layout, digits=digits))
        sites = sites if digits else batch.outside_numbers(sites)
        sites = batch.outside_tables(sites)
        if layout != "auto":
            return in_scripts(batch, sites, typed_scripts(layout))
        # Korean is open to all texts, so that none depends on those beside it.
        written = typed_scripts(layout) | {Script.HANGUL}
        return in_scripts(batch, sites, written, frozenset({Script.LATIN}))

    return by_language(batch, layout, typed, NATIONAL | {"ko": "kr"})


@lru_cache(maxsize=32)
def neighbours(layout: str, *, digits: bool) -> Alternatives:
    """Return for each character of a keyboard those on the adjacent keys, in the same case.

    Args:
        layout: the keyboard, or "auto".
        digits: whether digits have neighbours, and are neighbours.

    Raises:
        UsageError: there is no such keyboard.
    """
    table = _table(layout)
    return Alternatives(table if digits else without_digits(table))


@lru_cache(maxsize=32)
def typed_scripts(layout: str) -> frozenset[Script]:
    """Return the scripts of the letters on a keyboard, or on those of "auto".

    Raises:
        UsageError: there is no such keyboard.
    """
    return scripts_of(_table(layout))


@lru_cache(maxsize=32)
def slips(layout: str, same_row: int) -> Alternatives:
    """Return for each letter of a keyboard the adjacent letters.

    Args:
        layout: the keyboard, or "auto".
        same_row: the number of slips that stay in their row, for each that leaves it.

    Raises:
        UsageError: there is no such keyboard.
    """
    near_keys = _table(layout)
    rows = {
        key: bisect(_ROW_ENDS, place)
        for name in ((*LAYOUTS.values(), "us") if layout == "auto" else (layout,))
        for level in _levels(name)
        for place, key in enumerate(level)
    }
    table = {}
    for key, near in near_keys.items():
        letters = [other for other in near if other.isalpha()]
        beside = [other for other in letters if rows[key] == rows[other]]
        apart = [other for other in letters if rows[key] != rows[other]]
        if key.isalpha() and letters:
            table[key] = beside * max(same_row * len(apart), 1) + apart * max(len(beside), 1)
    return Alternatives(table)


@lru_cache(maxsize=32)
def _table(layout: str) -> dict[str, str]:
    """Return the neighbours of each character of a keyboard, or of those of "auto"."""
    if layout != "auto":
        known = {file.stem for file in path("keyboards").glob("*.tsv")}
        if layout == "kr":
            return _two_set()
        if layout not in known:
            raise _unknown_layout(layout, ["auto", *known])
        return dict(read_rows("keyboards", f"{layout}.tsv"))
    table = dict(read_rows("keyboards", "us.tsv"))
    for script, name in LAYOUTS.items():
        rows = read_rows("keyboards", f"{name}.tsv")
        script_of = script_of_each(set("".join(chain.from_iterable(rows))))
        for key, near in rows:
            if script_of[key] == script:
                fits = (other for other in near if script_of[other] in (script, Script.OTHER))
                table[key] = "".join(fits)
    return {key: near for key, near in table.items() if near}


# The letters of syllables by place in Unicode, and the keys of KS X 5002 in the order of us.
_LEADS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
_VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
_TAILS = " ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"
_US_KEYS = "qwertyuiopasdfghjklzxcvbnm"
_KOREAN_KEYS = "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡ"


def _two_set() -> dict[str, str]:
    """Return the syllables that a slip on the two-set keyboard makes of each syllable.

    A slip of a letter that takes two keys, such as ㅘ, would move the rest to the next syllable, so
    those letters stay, as do those whose neighbour can't be in their place.
    """
    letter = dict(zip(_US_KEYS, _KOREAN_KEYS, strict=True))
    near = dict(read_rows("keyboards", "us.tsv"))
    beside = {letter[key]: [letter[to] for to in near[key] if to in letter] for key in letter}
    lead, vowel, tail = (
        [[row.index(other) for other in beside.get(own, ()) if other in row] for own in row]
        for row in (_LEADS, _VOWELS, _TAILS)
    )
    table = {}
    for code in range(len(_LEADS) * len(_VOWELS) * len(_TAILS)):
        rest, third = divmod(code, len(_TAILS))
        first, second = divmod(rest, len(_VOWELS))
        slipped = [code + (other - first) * len(_VOWELS) * len(_TAILS) for other in lead[first]]
        slipped += [code + (other - second) * len(_TAILS) for other in vowel[second]]
        slipped += [code + other - third for other in tail[third]]
        table[chr(0xAC00 + code)] = "".join(chr(0xAC00 + other) for other in slipped)
    return table


def _levels(layout: str) -> tuple[str, str]:
    """Return the characters on the keys of a layout, plain and shifted; a blank for none."""
    known = {name: (plain, shifted) for name, plain, shifted in read_rows("keys", "keys.tsv")}
    if layout not in known:
        raise _unknown_layout(layout, known)
    return known[layout]


def _unknown_layout(layout: str, known: Iterable[str]) -> UsageError:
    """Return the error for an unknown layout; many know one by its first letters."""
    rows = read_rows("keys", "keys.tsv")
    called = [name for name, plain, _ in rows if len(layout) > 3 and layout.lower() in plain]
    near = f"these letters are on {', '.join(called)}" if called else suggestion(layout, known)
    return UsageError(
        f"unknown keyboard layout {layout!r}: a layout is named by its country, such as de; {near}"
    )


_YZ = Alternatives({"y": ["z"], "z": ["y"], "Y": ["Z"], "Z": ["Y"]})


@place_perturbator(
    "yz_swap",
    scripts=("latin",),
    touches={"letters"},
    source="H2O Eval Studio, QWERTY Perturbation",
    aliases={"qwerty": {}},
)
def yz_swap(batch: Batch) -> Sites:
    """Swap y and z, as when a German keyboard is taken for an English one.

    Exchange y and z, in both cases.

    Args:
        batch: the texts.
    """
    return batch.substitutions(_YZ, unit="place")


@place_perturbator(
    "shift_slip",
    scripts=KEYS,
    touches={"case", "punctuation"},
    source="levels of the keys, from the X keyboard layouts (xkb-data)",
    version=5,
    example="Dr. Ann Lee paid $5 in New York! Did Bob?",
)
def shift_slip(
    batch: Batch, *, layout: str = "auto", mode: Mode = "both", digits: bool = False
) -> Sites:
    """Miss shift, or hold it for one key too long: hello, HEllo for Hello.

    Press or release shift too late; `p` is a share of the characters where that can show.

    Args:
        batch: the texts.
        layout: the keyboard: us, gb, de, fr, es, it, ru, ... (`wordlists/keys`); or "auto" for one
            by the script of each letter or the language of the text, as in `keyboard_typos`.
        mode: "missed" types a shifted character without shift: / for ?; "held" shifts the character
            after one: HEllo for Hello; "both" does either.
        digits: whether keys with digits and signs of formulas (7 + 5) slip as well: 1 for !, $% for
            $5.
    """
    from perturb.perturbators.shared.formulas import places_of_signs  # typos need no `regex`

    def typed(batch: Batch, layout: str) -> Sites:
        plain, shifted, other = _shift(layout, digits)
        mask = np.zeros(len(batch.codes), np.bool_)
        if mode != "held":
            mask |= batch.marked(shifted)
        if mode != "missed":
            mask[1:] |= batch.marked(plain)[1:] & shifted.mask(batch.codes)[:-1]
        if not digits:
            mask[places_of_signs(batch)] = False
        return MaskSites(mask, "place", Substitution(other))

    return by_language(batch, layout, typed)


@lru_cache(maxsize=32)
def _shift(layout: str, digits: bool) -> tuple[CharacterSet, CharacterSet, Alternatives]:
    """Return the characters with a shifted form, those forms, and the other form of each."""
    up: dict[str, str] = {}
    down: dict[str, str] = {}
    for plain, shifted in _pairs(layout):
        # Marks are not characters of their own, nor is the blank of an empty key.
        alone = all(kinds()[ord(key)] not in (Kind.MARK, Kind.SPACE) for key in (plain, shifted))
        if alone and plain != shifted and (digits or not has_digit(plain + shifted)):
            up.setdefault(plain, shifted)
            down.setdefault(shifted, plain)
    down = {shifted: plain for shifted, plain in down.items() if shifted not in up}
    return CharacterSet.of(up), CharacterSet.of(down), Alternatives({**down, **up})


def _pairs(layout: str) -> list[tuple[str, str]]:
    """Return the plain and the shifted character of each key; of "auto", letters by script."""
    if layout != "auto":
        return list(zip(*_levels(layout), strict=True))
    pairs = _pairs("us")
    for script, name in LAYOUTS.items():
        pairs += [pair for pair in _pairs(name) if all(scripts_of(key) == {script} for key in pair)]
    return pairs


@place_perturbator(
    "layout_swap",
    scripts=KEYS,
    touches={"letters", "punctuation"},
    source="characters of the keys, from the X keyboard layouts (xkb-data)",
    version=4,
    example="My lazy cat saw the привет message, anyway.",
)
def layout_swap(
    batch: Batch, *, layout: str = "auto", active: str = "auto", digits: bool = False
) -> Sites:
    """Type with the wrong keyboard layout active: ghbdtn for привет, lqwy for lazy.

    Write the characters that the same keys type on another layout.

    `p` is a share of the runs between white space that come out differently. A run changes as a
    whole, with its punctuation; a run with a character that either layout can't type with one key
    stays.

    Args:
        batch: the texts.
        layout: the keyboard that the writer has in mind: us, gb, de, fr, ru, ...
            (`wordlists/keys`); or "auto" for one by the script of each run, as in `keyboard_typos`.
        active: the keyboard that is active; "auto" for us, or fr if the writer has us in mind.
        digits: whether to change runs with digits, and runs that come out with digits, as well.
    """
    if layout == active != "auto":
        raise UsageError(f"layout_swap: layout and active are both {layout!r}; give two keyboards")
    codes = batch.codes
    starts, ends = runs(~blank().mask(codes) & (codes != 0))
    after, changed = codes.astype(np.uint32), np.zeros(len(starts), np.bool_)
    meant = {Script.LATIN: "us", **LAYOUTS} if layout == "auto" else {Script.LATIN: layout}
    present = {Script.LATIN, *np.bincount(batch.scripts).nonzero()[0].tolist()}
    for script, name in meant.items():
        got = ("fr" if name == "us" else "us") if active == "auto" else active
        if name == got or script not in present:
            continue
        typed, table = _typed(name, got, digits)
        changes = touching(table[codes] != codes, starts, ends)
        if script != Script.LATIN:  # signs alone are typed on the first keyboard
            changes &= touching(batch.scripts == script, starts, ends)
        changes &= ~touching(~typed.mask(codes), starts, ends)
        places = ranges(starts[changes], (ends - starts)[changes])
        after[places] = table[codes[places]]
        changed |= changes

    def written(chosen: Chosen) -> Strings:
        return Strings(after, chosen.texts.starts, chosen.texts.ends)

    return Sites(starts[changed], ends[changed], "place", written)


@lru_cache(maxsize=8)
def _typed(layout: str, active: str, digits: bool) -> tuple[CharacterSet, UInt32]:
    """Return the characters that both layouts can type, and what `active` types for each."""
    table: dict[str, str] = {}
    for key, typed in zip("".join(_levels(layout)), "".join(_levels(active)), strict=True):
        if key != " " != typed and (digits or not has_digit(key + typed)):
            table.setdefault(key, typed)
    others = np.arange(CODE_POINTS, dtype=np.uint32)
    others[[ord(key) for key in table]] = [ord(typed) for typed in table.values()]
    return CharacterSet.of(table), others
