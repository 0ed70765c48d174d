"""Counted noise: the replacements of strings in their context, and their rates."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import orjson

from perturb.boundary import File, content_of
from perturb.engine.batch import Batch
from perturb.engine.native.noise import Places
from perturb.engine.sites import Chosen
from perturb.engine.text.characters import CODE_POINTS
from perturb.engine.text.strings import Strings, column
from perturb.errors import UsageError
from perturb.perturbators.shared.character_tables import scripts_of
from perturb.perturbators.shared.edit_tables import ANY, EDGE, FIRST, KINDS, WHOLE, WORD, EditTable
from perturb.values.arrays import Float64, Int64, UInt8

# The strings that edits write, and their rates.
_Options = list[tuple[str, float]]

FORMAT = "perturb noise 1"
# The tables of words that ship. A noise of words adds the errors of one of them, by its "factor".
WORD_TABLES = "asr", "whisper"
# The neighbour of an edit at the border of a text; a space matches a border as well.
BORDER = "\n"
# The characters that a table may tell apart, besides a number for all others, for the border and
# for any. A cell of three characters then takes 21 bits; rarer ones are edited too seldom to count.
MOST_CHARACTERS = 125
# An edit removes at most the three characters of a cell; longer edits are of whole words. The other
# limits, set by hand on 23 November 2026, bound the memory for a file that somebody else made.
LONGEST_REMOVED, LONGEST_WRITTEN, LONGEST_WORD, MOST_EDITS = 3, 8, 40, 100_000
PLACE, ONE, TWO, THREE, _ = KINDS
# Whether edits of a kind may depend on the character before them, and on the one after.
_BOTH = ((0, 0), (1, 0), (0, 1), (1, 1))
_SIDES = {PLACE: _BOTH, ONE: _BOTH, TWO: _BOTH[:2], THREE: _BOTH[:1]}
# The same for the three characters of a cell; for kinds with fewer groups the rest is 0.
_SHAPES = np.zeros_like(WHOLE)
_SHAPES[PLACE] = [(left, right, 0) for left, right in _BOTH]
_SHAPES[ONE] = [(left, 1, right) for left, right in _BOTH]
_SHAPES[TWO, :2] = [(left, 1, 1) for left, _ in _BOTH[:2]]
_SHAPES[THREE, 0] = 1


class Counted(NamedTuple):
    """An edit that was counted.

    Attributes:
        left: the character before it; a space matches the border of a text too, a line break only
            that; "" matches any. An edit that removes three characters has "" on both sides, one
            that removes two on its right.
        removed: the string that it removes, up to three characters.
        right: the character after it, like `left`.
        written: the string that it writes.
        rate: its share of the places where it is possible, above 0.
    """

    left: str
    removed: str
    right: str
    written: str
    rate: float


class Noise(EditTable):
    """A table of counted edits.

    Args:
        content: the content of a file, see `checked`.
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
        self.bursts, self.spread = content["bursts"], float(content["spread"])
        self.scripts = scripts_of(known.union(*(word for word, _, _ in content["words"])))
        self.of_words, self.like = content.get("unit") == "word", str(content.get("like"))
        self.factor = content.get("factor", 0) / max(content["rate"], 1e-6)
        self._written = column(written for some in options for written, _ in some)

    def write(self, chosen: Chosen, places: Places, kinds: UInt8) -> Strings:
        """Return the replacement at each chosen site, see `drawn`."""
        return self._written.take(self.drawn(chosen, places, kinds))

    def at_words(self, batch: Batch) -> tuple[Float64, Callable[[Int64, Float64], Strings]]:
        """Return the rate of the edits of each word, and what these write at a level below it."""
        groups = self.words(batch)[batch.words.starts - 1]

        def written(rows: Int64, levels: Float64) -> Strings:
            own = groups[rows]
            option = self._sums.searchsorted(self._bounds[own] + levels, "right")
            return self._written.take(option.clip(self._firsts[own], self._firsts[own + 1] - 1))

        return self._totals.take(groups), written


def _by_cell(edits: list[Counted], numbers: dict[str, int], size: int) -> dict[int, _Options]:
    """Return the replacements at each cell and their rates."""
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
        UsageError: the file can't be read, is not a file of noise, or doesn't match its hash.
    """
    try:
        content = orjson.loads(content_of(file))
    except orjson.JSONDecodeError as error:
        raise UsageError(
            f"{file.path} is not JSON: {error}; perturb fit writes such files"
        ) from None
    return Noise(checked(content, file.path))


def checked(content: Any, name: str) -> dict[str, Any]:
    """Return the content of a file of noise, if it is valid.

    Raises:
        UsageError: it is not; the message says where.
    """
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise UsageError(f'{name} is not a file of noise: it has no "format": "{FORMAT}"')
    limits = {"rate": 1, "bursts": 4, "spread": 4} | ({"factor": 1} if "factor" in content else {})
    for key, most in limits.items():
        if not _is_number(content.get(key)) or not 0 <= content[key] <= most:
            raise UsageError(f"{name}: {key} must be from 0 to {most}; got {content.get(key)!r}")
    if content.get("factor") and content.get("like") not in WORD_TABLES:
        raise UsageError(
            f"{name}: like must be {' or '.join(WORD_TABLES)}, the table of the factor"
        )
    for key, most, check in (("edits", MOST_EDITS, _is_edit), ("words", MOST_EDITS, _is_word)):
        rows = content.get(key)
        if not isinstance(rows, list) or len(rows) > most:
            raise UsageError(f"{name}: {key} must be a list of at most {most:,} rows")
        for number, row in enumerate(rows):
            if not isinstance(row, list) or not check(row):
                raise UsageError(f"{name}: row {number} of {key} is invalid: {str(row)[:80]}")
    if not (content["edits"] or content["words"] or content.get("factor")):
        raise UsageError(f"{name} has no edits")
    characters = {c for row in content["edits"] for text in row[:3] for c in text}
    if len(characters) > MOST_CHARACTERS:
        raise UsageError(f"{name}: edits may have at most {MOST_CHARACTERS} different characters")
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
