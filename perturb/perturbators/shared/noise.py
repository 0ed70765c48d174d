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
from perturb.engine.sites import Chosen
from perturb.engine.text.strings import Strings, column, stack
from perturb.engine.text.unicode import CODE_POINTS
from perturb.errors import UsageError
from perturb.perturbators.shared.character_tables import scripts_of
from perturb.rng import uniform
from perturb.values.arrays import Bool, Float64, Int64, NDArray, UInt8, UInt64

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

    Args:
        content: as a file has it, see `checked`.
    """

    def __init__(self, content: dict[str, Any]) -> None:
        edits = [Counted(*row) for row in content["edits"]]
        self.bursts: float = content["bursts"]
        self._scale = 1 / max(content["rate"], 1e-6)
        known = {c for row in edits for c in row.left + row.removed + row.right} - {BORDER}
        characters = sorted(known, key=lambda character: (not character.isspace(), character))
        self._blank = _FIRST + sum(map(str.isspace, characters))
        self._numbers = {character: _FIRST + n for n, character in enumerate(characters)}
        self._size = size = _FIRST + len(characters)
        words = [word for word, _, _ in content["words"]]
        self.scripts = scripts_of(set(characters) | set("".join(words)))
        self._ids = np.zeros(CODE_POINTS, np.uint8)
        self._ids[[*map(ord, characters)]] = np.arange(_FIRST, size)
        self._ids[0] = _BORDER
        # Rates by three characters in a row: of edits at the middle one, by kind, and at all three.
        self._rates: NDArray[np.float32] = np.zeros((size, size, size, WORD), np.float32)
        groups: dict[int, list[tuple[str, float]]] = {}
        for row in edits:
            self._enter(row, groups)
        self._rates[..., :THREE] = self._rates[..., :THREE].cumsum(axis=-1)
        self._rates = self._rates.reshape(-1, WORD)
        self._enter_options(groups)
        self._enter_words(content["words"])

    def _places(self, character: str) -> tuple[int, ...]:
        """Return the numbers that a neighbour may have; 0 alone stands for any."""
        if not character:
            return (_OTHER,)
        if character == BORDER:
            return (_BORDER,)
        number = self._numbers[character]
        return (number, _BORDER) if character == " " else (number,)

    def _enter(self, row: Counted, groups: dict[int, list[tuple[str, float]]]) -> None:
        kind, inner = len(row.removed), [self._numbers[c] for c in row.removed]
        for left in self._places(row.left):
            for right in self._places(row.right):
                key = _key(kind, [left, *inner, right])
                groups.setdefault(key, []).append((row.written, row.rate))
                spots = [number or slice(None) for number in (left, *inner, right)]
                spots = spots[1:4] if kind == THREE else spots[:3]
                self._rates[(*spots, *[slice(None)] * (3 - len(spots)), kind)] += row.rate

    def _enter_options(self, groups: dict[int, list[tuple[str, float]]]) -> None:
        self._keys = np.array(sorted(groups), np.int64)
        listed = [groups[key] for key in self._keys.tolist()]
        rates = np.array([rate for options in listed for _, rate in options])
        ends = np.cumsum([len(options) for options in listed], dtype=np.int64)
        self._ends = np.append(0, np.append(0, np.cumsum(rates))[ends])
        self._sums = np.cumsum(rates)
        self._written = column(written for options in listed for written, _ in options)

    def _enter_words(self, words: Sequence[tuple[str, str, float]]) -> None:
        rows = sorted(words)
        names = sorted({word for word, _, _ in rows})
        # By length and first character: most words have no edits, and need no hash.
        self._likely = np.zeros((LONGEST_WORD + 1, 256), np.bool_)
        self._likely[[*map(len, names)], [ord(name[0]) & 255 for name in names]] = True
        hashes = hash_spans(column(names)) if names else np.zeros(0, np.uint64)
        order = np.argsort(hashes)
        self._hashes, place = hashes[order], np.argsort(order)
        number = dict(zip(names, place.tolist(), strict=True))
        rows.sort(key=lambda row: number[row[0]])
        of_word = np.bincount([number[row[0]] for row in rows], minlength=len(names))
        self._word_sums = np.cumsum([rate for _, _, rate in rows])
        self._word_ends = np.append(0, np.append(0, self._word_sums)[np.cumsum(of_word)])
        words_written = column(written for _, written, _ in rows)
        self._written = stack(self._written, words_written) if rows else self._written

    def kinds(self, batch: Batch, draws: Float64) -> tuple[UInt8, Float64]:
        """Return the kind of edit that each place of a batch is for, and its rate.

        Args:
            batch: the texts.
            draws: shape (code points - 1,); uniform draws for all places but the first, by which
                one of several kinds is chosen, as often as its rate says.
        """
        size = len(batch.codes)
        numbers = np.full(size + 2, _BORDER, np.intp)
        table = self._ids[:256] if batch.codes.dtype == np.uint8 else self._ids
        numbers[:size] = table.take(batch.codes)
        cells = numbers[:-2] * self._size
        cells += numbers[1:-1]
        cells *= self._size
        cells += numbers[2:]
        rates = self._rates.take(cells, axis=0)
        total = rates[:-1, TWO] + rates[1:, THREE].astype(np.float64)
        of_three = total
        if len(self._hashes):
            at, number = self._found(batch.words)
            total = total.copy()
            total[batch.words.starts[at] - 1] += np.diff(self._word_ends)[number]
        levels = draws * total
        kinds = (levels >= of_three).view(np.uint8)
        for kind in (PLACE, ONE, TWO):
            kinds += levels >= rates[:-1, kind]
        kinds *= total > 0
        return kinds, total * self._scale

    def knows(self, batch: Batch) -> Bool:
        """Mark the texts with a character, beside white space, that edits were counted at."""
        table = self._ids[:256] if batch.codes.dtype == np.uint8 else self._ids
        numbers = table.take(batch.codes)
        known: Bool = np.maximum.reduceat(numbers, batch.edges[:-1]) >= self._blank
        return known | (batch.count(batch.words.starts) > 0) if len(self._hashes) else known

    def _found(self, words: Strings) -> tuple[Int64, Int64]:
        """Return which words of a batch have edits, and their numbers in the table."""
        lengths, firsts = np.minimum(words.lengths, LONGEST_WORD), words.codes[words.starts] & 255
        (likely,) = self._likely[lengths, firsts].nonzero()
        hashes = hash_spans(words.take(likely))
        number = np.minimum(self._hashes.searchsorted(hashes), len(self._hashes) - 1)
        (at,) = (self._hashes[number] == hashes).nonzero()
        return likely[at], number[at]

    def write(self, chosen: Chosen, kinds: UInt8) -> Strings:
        """Draw what each chosen edit writes.

        Args:
            chosen: the chosen sites.
            kinds: shape (n,); the kind of each.
        """
        draws = uniform(chosen.draw())
        codes, starts = chosen.texts.codes, chosen.texts.starts
        places = np.minimum(starts[:, None] + np.arange(-1, 4), len(codes) - 1)
        around = self._ids.take(codes[places]).astype(np.int64)
        options = np.zeros(len(draws), np.int64)
        for kind in (PLACE, ONE, TWO, THREE):
            (rows,) = (kinds == kind).nonzero()
            if len(rows):
                options[rows] = self._option(kind, around[rows], draws[rows])
        (rows,) = (kinds == WORD).nonzero()
        if len(rows):
            _, number = self._found(chosen.texts.take(rows))
            low, high = self._word_ends[number], self._word_ends[number + 1]
            word = self._word_sums.searchsorted(low + draws[rows] * (high - low), "right")
            options[rows] = len(self._sums) + np.minimum(word, len(self._word_sums) - 1)
        return self._written.take(options)

    def _option(self, kind: int, around: Int64, draws: Float64) -> Int64:
        """Draw the edit at each place among all that fit it, by their rates."""
        inner = [around[:, 1 + at] for at in range(kind)]
        keys = np.array(
            [
                _key(kind, [around[:, 0] * left, *inner, around[:, 1 + kind] * right])
                for left, right in _SIDES[kind]
            ]
        )
        group = np.minimum(self._keys.searchsorted(keys), len(self._keys) - 1)
        sizes = np.where(self._keys[group] == keys, np.diff(self._ends)[group], 0)
        sums = np.cumsum(sizes, axis=0)
        level = draws * sums[-1]
        shape = np.minimum((sums <= level).sum(axis=0), len(sums) - 1)
        columns = np.arange(len(draws))
        within = level - (sums - sizes)[shape, columns]
        place = group[shape, columns]
        options: Int64 = self._sums.searchsorted(self._ends[place] + within, "right")
        return np.minimum(options, len(self._sums) - 1, out=options)


def _key(kind: int, numbers: Sequence[Any]) -> Any:
    """Return one number for a kind and the numbers of up to five characters."""
    key = kind
    for number in numbers:
        key = key * 128 + number
    return key


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
