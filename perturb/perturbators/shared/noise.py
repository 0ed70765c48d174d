"""Noise that was counted: what is written for what, beside what, and how often."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import orjson

from perturb.boundary import File, content_of
from perturb.engine.native.noise import Places
from perturb.engine.sites import Chosen
from perturb.engine.text.characters import CODE_POINTS
from perturb.engine.text.strings import Strings, column
from perturb.errors import UsageError
from perturb.perturbators.shared.character_tables import scripts_of
from perturb.perturbators.shared.edit_tables import ANY, EDGE, FIRST, KINDS, WHOLE, WORD, EditTable
from perturb.values.arrays import UInt8

# What edits write, and their rates.
_Options = list[tuple[str, float]]

FORMAT = "perturb noise 1"
# What stands beside an edit at the border of a text; a space there is that or a space.
BORDER = "\n"
# The characters that a table may tell apart, beside all others and the border of a text.
MOST_CHARACTERS = 125
LONGEST_REMOVED, LONGEST_WRITTEN, LONGEST_WORD, _MOST_EDITS = 3, 8, 40, 100_000
PLACE, ONE, TWO, THREE, _ = KINDS
# Whether edits of a kind may depend on the character before them, and on that behind.
_BOTH = ((0, 0), (1, 0), (0, 1), (1, 1))
_SIDES = {PLACE: _BOTH, ONE: _BOTH, TWO: _BOTH[:2], THREE: _BOTH[:1]}
# The same of the three characters of a cell; of kinds with fewer groups the rest is 0.
_SHAPES = np.zeros_like(WHOLE)
_SHAPES[PLACE] = [(left, right, 0) for left, right in _BOTH]
_SHAPES[ONE] = [(left, 1, right) for left, right in _BOTH]
_SHAPES[TWO, :2] = [(left, 1, 1) for left, _ in _BOTH[:2]]
_SHAPES[THREE, 0] = 1


class Counted(NamedTuple):
    """An edit that was counted.

    Attributes:
        left: the character before it, a space for the border of a text too, a line break for that
            alone; "" for any. One that removes three has any on both sides, one that removes two
            has any on its right.
        removed: what it removes, up to three characters.
        right: the character behind it, as `left`.
        written: what it writes.
        rate: how often it is made where it could be, above 0.
    """

    left: str
    removed: str
    right: str
    written: str
    rate: float


class Noise(EditTable):
    """A table of counted edits.

    Args:
        content: as a file has it, see `checked`.
    """

    shapes = _SHAPES

    def __init__(self, content: dict[str, Any]) -> None:
        edits = [Counted(*row) for row in content["edits"]]
        known = {c for row in edits for c in row.left + row.removed + row.right} - {BORDER}
        characters = sorted(known, key=lambda character: (not character.isspace(), character))
        numbers = {character: FIRST + number for number, character in enumerate(characters)}
        self.blank = FIRST + sum(map(str.isspace, characters))
        ids = np.zeros(CODE_POINTS, np.uint8)
        ids[[*map(ord, characters)]] = [*numbers.values()]
        ids[0] = EDGE
        size = FIRST + len(characters)
        cells = _by_cell(edits, numbers, size)
        words: dict[str, _Options] = {}
        for word, written, rate in content["words"]:
            words.setdefault(word, []).append((written, rate))
        options: list[_Options] = [[], *cells.values(), *words.values()]  # 0 is none
        groups = np.zeros((size, size, size, WORD), np.int32)
        groups.reshape(-1)[list(cells)] = np.arange(1, len(cells) + 1)
        rates = np.array([rate for some in options for _, rate in some], np.float64)
        rates /= max(content["rate"], 1e-6)
        super().__init__(ids, groups, rates, [*map(len, options)], [*words])
        self.bursts = content["bursts"]
        self.scripts = scripts_of(known.union(*(word for word, _, _ in content["words"])))
        self._written = column(written for some in options for written, _ in some)

    def write(self, chosen: Chosen, places: Places, kinds: UInt8) -> Strings:
        """Return what is written at each chosen site, see `drawn`."""
        return self._written.take(self.drawn(chosen, places, kinds))


def _by_cell(edits: list[Counted], numbers: dict[str, int], size: int) -> dict[int, _Options]:
    """Return what is written at each cell, and how often."""
    sides: dict[str, list[int]] = {c: [number] for c, number in numbers.items()}
    sides |= {"": [ANY], BORDER: [EDGE]}
    if " " in sides:
        sides[" "].append(EDGE)
    cells: dict[int, _Options] = {}
    for row in edits:
        kind, inner = len(row.removed), [numbers[c] for c in row.removed]
        for left in sides[row.left]:
            for right in sides[row.right]:
                first, second, third = (left, *inner, right, ANY)[kind == THREE :][:3]
                cell = ((first * size + second) * size + third) * WORD + kind
                cells.setdefault(cell, []).append((row.written, row.rate))
    return cells


@lru_cache(maxsize=8)
def noise_of(file: File) -> Noise:
    """Return the noise in a file that `perturb fit` wrote.

    Raises:
        UsageError: the file can't be read, is no such file, or holds something else than its hash
            says.
    """
    try:
        content = orjson.loads(content_of(file))
    except orjson.JSONDecodeError as error:
        raise UsageError(
            f"{file.path} is not JSON: {error}; perturb fit writes such files"
        ) from None
    return Noise(checked(content, file.path))


def checked(content: Any, name: str) -> dict[str, Any]:
    """Return what a file of noise holds, if it holds what it should.

    Raises:
        UsageError: it does not; the message says where.
    """
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise UsageError(f'{name} is no file of noise: it has no "format": "{FORMAT}"')
    for key, most in (("rate", 1), ("bursts", 4)):
        if not _is_number(content.get(key)) or not 0 <= content[key] <= most:
            raise UsageError(f"{name}: {key} must be from 0 to {most}; got {content.get(key)!r}")
    for key, most, check in (("edits", _MOST_EDITS, _is_edit), ("words", _MOST_EDITS, _is_word)):
        rows = content.get(key)
        if not isinstance(rows, list) or len(rows) > most:
            raise UsageError(f"{name}: {key} must be a list of at most {most:,} rows")
        for number, row in enumerate(rows):
            if not isinstance(row, list) or not check(row):
                raise UsageError(f"{name}: row {number} of {key} is none: {str(row)[:80]}")
    if not content["edits"] and not content["words"]:
        raise UsageError(f"{name} has no edits")
    characters = {c for row in content["edits"] for text in row[:3] for c in text}
    if len(characters) > MOST_CHARACTERS:
        raise UsageError(f"{name}: edits are of at most {MOST_CHARACTERS} different characters")
    return content


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _is_edit(row: list[Any]) -> bool:
    texts = ["" if side == BORDER else side for side in row[:3:2]] + row[1:4:2]
    if len(row) != 5 or not _are_texts(texts, (1, 1, LONGEST_REMOVED, LONGEST_WRITTEN)):
        return False
    left, removed, right, written, rate = row
    sided = (bool(left), bool(right)) in _SIDES[len(removed)]
    return sided and removed != written and _is_number(rate) and 0 < rate <= 1


def _is_word(row: list[Any]) -> bool:
    if len(row) != 3 or not _are_texts(row[:2], (LONGEST_WORD, LONGEST_WORD)):
        return False
    return row[0] not in ("", row[1]) and _is_number(row[2]) and 0 < row[2] <= 1


def _are_texts(values: list[Any], longest: tuple[int, ...]) -> bool:
    """Return whether values are texts without control characters, of such lengths."""
    return all(
        isinstance(value, str) and len(value) <= most and not any(c < " " for c in value)
        for value, most in zip(values, longest, strict=True)
    )
