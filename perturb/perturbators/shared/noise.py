"""Noise that was counted: what is written for what, beside what, and how often."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import orjson

from perturb.boundary import File, content_of
from perturb.engine.batch import Batch
from perturb.engine.native.noise import Places, noisy_edits, struct_of
from perturb.engine.sites import Chosen
from perturb.engine.text.strings import Strings, column, every
from perturb.engine.text.unicode import CODE_POINTS
from perturb.errors import UsageError
from perturb.perturbators.shared.character_tables import scripts_of
from perturb.rng import uniform
from perturb.values.arrays import Bool, Codes, Float32, Float64, Int32, Int64, UInt8, UInt16, UInt64

# What edits write, and their rates.
_Options = list[tuple[str, float]]

FORMAT = "perturb noise 1"
# What stands beside an edit at the border of a text; a space there is that or a space.
BORDER = "\n"
# The characters that a table may tell apart, beside all others and the border of a text.
MOST_CHARACTERS = 125
LONGEST_REMOVED, LONGEST_WRITTEN, LONGEST_WORD, _MOST_EDITS = 3, 8, 40, 100_000
# What an edit is at: a place between characters, one, two or three of them, or a word.
KINDS = PLACE, ONE, TWO, THREE, WORD = range(5)
_OTHER, _BORDER, _FIRST = range(3)
# Whether edits of a kind may depend on the character before them, and on that behind.
_BOTH = ((0, 0), (1, 0), (0, 1), (1, 1))
_SIDES = {PLACE: _BOTH, ONE: _BOTH, TWO: _BOTH[:2], THREE: _BOTH[:1]}
# The same of the three characters of a cell; of kinds with fewer groups the rest is 0.
_SHAPES = np.zeros((len(KINDS), len(_BOTH), 3), np.int64)
_SHAPES[PLACE] = [(left, right, 0) for left, right in _BOTH]
_SHAPES[ONE] = [(left, 1, right) for left, right in _BOTH]
_SHAPES[TWO, :2] = [(left, 1, 1) for left, _ in _BOTH[:2]]
_SHAPES[THREE, 0] = 1
# The characters of a cell that may be any, by kind.
_ANY = ((0, 1, 2), (0, 2), (0,), ())
_WORD_STEP = np.uint64(0x9E3779B97F4A7C15)


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


class Noise:
    """A table of counted edits, ready to be looked up for whole batches.

    Edits lie in groups: those of a kind at the same characters, or at the same word. The cells of
    the table are three characters in a row, and a kind: the removed ones, the one before these and
    the one behind them, as far as there is room; the number 0 stands for any.

    Args:
        content: as a file has it, see `checked`.

    Attributes:
        bursts: how much worse some stretches of a text are than others.
        scripts: the scripts of what the edits are of.
        struct: the table as kernels read it.
    """

    def __init__(self, content: dict[str, Any]) -> None:
        edits = [Counted(*row) for row in content["edits"]]
        self.bursts: float = content["bursts"]
        known = {c for row in edits for c in row.left + row.removed + row.right} - {BORDER}
        characters = sorted(known, key=lambda character: (not character.isspace(), character))
        numbers = {character: _FIRST + number for number, character in enumerate(characters)}
        self._blank = _FIRST + sum(map(str.isspace, characters))
        self.scripts = scripts_of(known.union(*(word for word, _, _ in content["words"])))
        self._ids = np.zeros(CODE_POINTS, np.uint8)
        self._ids[[*map(ord, characters)]] = [*numbers.values()]
        self._ids[0] = _BORDER
        self._latin = self._ids[:256].tobytes()
        self._size = size = _FIRST + len(characters)
        cells = _by_cell(edits, numbers, size)
        words = self._enter_words(content["words"])
        groups: list[_Options] = [[], *cells.values(), *words.values()]  # 0 is none
        self._first_word = len(groups) - len(words)
        self._lengths = np.zeros(len(groups), np.uint8)
        self._lengths[self._first_word :] = [*map(len, words)]
        rates = np.array([rate for options in groups for _, rate in options])
        self._sums = np.cumsum(rates / max(content["rate"], 1e-6))
        self._firsts = np.cumsum([0, *map(len, groups)], dtype=np.int64)
        self._bounds = np.append(0, self._sums)[self._firsts]
        self._totals = np.diff(self._bounds)
        self._written = column(written for options in groups for written, _ in options)
        self._groups = np.zeros(size**3 * WORD, np.int32)
        self._groups[list(cells)] = np.arange(1, self._first_word)
        self._steps = _SHAPES * np.array([size * size, size, 1]) * WORD
        self._rates = self._rates_at(list(cells))
        columns = self._rates, self._groups, self._steps, self._sums, self._bounds, self._firsts
        self.struct = struct_of([*columns, self._lengths], size, len(groups))

    def _enter_words(self, rows: Sequence[tuple[str, str, float]]) -> dict[str, _Options]:
        """Enter the words, and return what is written for each, in the order of their hashes."""
        options: dict[str, _Options] = {}
        for word, written, rate in rows:
            options.setdefault(word, []).append((written, rate))
        words = column(options)
        hashes = hash_spans(words)
        order = np.argsort(hashes)
        self._hashes = hashes[order]
        # Most words have no edits, and need no hash.
        self._likely = np.zeros(1 << 16, np.bool_)
        self._likely[_sketches(words)] = True
        return {word: options[word] for word in words.take(order).to_list()}

    def _rates_at(self, cells: list[int]) -> Float32:
        """Return rates by three characters in a row, each kind with those before it.

        Edits of the first three kinds are those at the middle one; edits that remove three
        characters are those of these three, and alone.
        """
        table: Float32 = np.zeros((self._size, self._size, self._size, WORD), np.float32)
        table.reshape(-1)[cells] = self._totals[1 : self._first_word]
        for kind, axes in enumerate(_ANY):
            for axis in axes:
                each = np.moveaxis(table[..., kind], axis, 0)
                each[1:] += each[0]
        for kind in (ONE, TWO):
            table[..., kind] += table[..., kind - 1]
        return table.reshape(-1, WORD)

    def numbers(self, codes: Codes) -> UInt8:
        """Return the number of each character, and of two borders behind the last."""
        if codes.dtype == np.uint8:
            known = codes.tobytes().translate(self._latin)
        else:
            known = self._ids.take(codes).tobytes()
        return np.frombuffer(known + bytes([_BORDER, _BORDER]), np.uint8)

    def words(self, batch: Batch) -> Int32:
        """Return the group of the word that starts at each place but the first, or 0."""
        groups = np.zeros(len(batch.codes) - 1, np.int32)
        if len(self._hashes):
            (likely,) = self._likely.take(_sketches(batch.words)).nonzero()
            words = batch.words.take(likely)
            hashes = hash_spans(words)
            rows = self._hashes.searchsorted(hashes)
            same = self._hashes.take(rows, mode="clip") == hashes
            groups[words.starts[same] - 1] = self._first_word + rows[same]
        return groups

    def edits_at(self, places: Places) -> tuple[UInt8, Int64, Float64]:
        """Return the kind of the edit at each place, how many characters it is of, and its rate.

        A place has edits of several kinds, and is for one of them, which is drawn by their rates.
        """
        cells = places.numbers[:-2].astype(np.intp)
        for after in (places.numbers[1:-1], places.numbers[2:]):
            cells *= self._size
            cells += after
        table = self._rates.take(cells, axis=0)
        of_three = table[1:, THREE].astype(np.float64)
        of_three += table[:-1, TWO]
        rates = of_three + self._totals.take(places.words)
        levels = uniform(places.draws)
        levels *= rates
        kinds = (levels >= of_three).view(np.uint8)
        for kind in (PLACE, ONE, TWO):
            kinds += levels >= table[:-1, kind]
        (rows,) = (kinds == WORD).nonzero()
        lengths = kinds.astype(np.int64)
        lengths[rows] = self._lengths[places.words[rows]]
        return kinds, lengths, rates

    def knows(self, batch: Batch, places: Places) -> Bool:
        """Mark the texts with a character, beside white space, that edits were counted at."""
        firsts = batch.edges[:-1]
        known: Bool = np.maximum.reduceat(places.numbers[:-2], firsts) >= self._blank
        return (
            known if every(known) else known | (np.maximum.reduceat(places.words, firsts - 1) > 0)
        )

    def write(self, chosen: Chosen, places: Places, kinds: UInt8) -> Strings:
        """Draw what each chosen edit writes, by rate.

        Args:
            chosen: the chosen sites.
            places: the places that they were chosen among.
            kinds: the kind of the edit at each of these.
        """
        rows, draws = chosen.texts.starts - 1, chosen.draw()
        edits = noisy_edits(self.struct, places, kinds, rows, draws)
        if edits is None:
            edits = self._drawn(places, kinds[rows], rows, uniform(draws))
        return self._written.take(edits)

    def _drawn(self, places: Places, kinds: UInt8, at: Int64, draws: Float64) -> Int64:
        """Do what the kernel does: draw one of the edits of a kind that fit each place."""
        edits = np.empty(len(draws), np.int64)
        for kind in KINDS:
            (rows,) = (kinds == kind).nonzero()
            groups = places.words[at[rows]][None]
            if kind < WORD:
                three = places.numbers[at[rows] + (kind == THREE) + np.arange(3)[:, None]]
                groups = self._groups.take(self._steps[kind] @ three + kind)
            sums = np.cumsum(self._totals.take(groups), axis=0)
            levels = draws[rows] * sums[-1]
            shapes = (sums <= levels).sum(axis=0)[None]
            group = np.take_along_axis(groups, shapes, axis=0)[0]
            levels += self._bounds[group + 1] - np.take_along_axis(sums, shapes, axis=0)[0]
            option = self._sums.searchsorted(levels, "right")
            edits[rows] = np.clip(option, self._firsts[group], self._firsts[group + 1] - 1)
        return edits


def _by_cell(edits: list[Counted], numbers: dict[str, int], size: int) -> dict[int, _Options]:
    """Return what is written at each cell, and how often."""
    sides: dict[str, list[int]] = {c: [number] for c, number in numbers.items()}
    sides |= {"": [_OTHER], BORDER: [_BORDER]}
    if " " in sides:
        sides[" "].append(_BORDER)
    cells: dict[int, _Options] = {}
    for row in edits:
        kind, inner = len(row.removed), [numbers[c] for c in row.removed]
        for left in sides[row.left]:
            for right in sides[row.right]:
                first, second, third = (left, *inner, right, _OTHER)[kind == THREE :][:3]
                cell = ((first * size + second) * size + third) * WORD + kind
                cells.setdefault(cell, []).append((row.written, row.rate))
    return cells


def _sketches(words: Strings) -> UInt16:
    """Return a number for each word: of its length, and of its first, middle and last character."""
    middles = (words.starts + words.ends) >> 1
    sketches: UInt16 = words.lengths.astype(np.uint16)
    for shift, places in ((11, words.starts), (7, middles), (3, words.ends - 1)):
        sketches ^= words.codes[places].astype(np.uint16) << np.uint16(shift)
    return sketches


def hash_spans(spans: Strings) -> UInt64:
    """Return a hash of each span of code points, none of them empty."""
    lengths = spans.lengths
    codes = spans.flat().astype(np.uint64)
    firsts = np.cumsum(lengths) - lengths
    place = (np.arange(len(codes)) - firsts.repeat(lengths)).astype(np.uint64)
    mixed = (codes + np.uint64(1)) * (place * np.uint64(2) + np.uint64(1)) * _WORD_STEP
    mixed ^= mixed >> np.uint64(29)
    mixed *= _WORD_STEP
    return np.add.reduceat(mixed, firsts) if len(lengths) else np.zeros(0, np.uint64)


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
