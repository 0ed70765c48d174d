"""Find ids that name two rows, in bounded memory."""

from __future__ import annotations

import contextlib
import mmap
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from perturb.engine.text.strings import Strings
from perturb.errors import DataError
from perturb.io import json_path
from perturb.io.inputs import STRIDE, place_of
from perturb.records.ids import ROW_BITS, given_id, record_keys, rows_of_ids
from perturb.values.arrays import Bool, Int64, Intp, NDArray, UInt32, UInt64

# The ids of so many rows are kept, at 12 or 16 bytes each, in 190 MB at the most. One among them is
# found again in any later row; two that both come later are not found, and `SeenIds.not_kept` says
# how many rows these are.
MOST_IDS = 1 << 23
# Runs are merged up to this length: merging takes four times their memory for a moment.
_LONGEST_RUN = 1 << 19
# The values that the last bits of a hash can have. Each has a byte that says whether an id with it
# is kept; most ids have one that no other has, and are known to be new without a search.
_MARKS = 1 << 24
# Up to so many ids a search takes less than the memory of marks, which costs 10 ms to touch.
_FEW = 1 << 17
_OF_TEXT = np.uint64(1)
_NONE = np.zeros(1, np.uint64)


class Ids(NamedTuple):
    """The ids of some rows.

    Attributes:
        hashes: of 64 bits; two of the most ids that are kept are alike by chance once in 250,000
            files of that size. The last bit says whether the id is made of a text, which a row
            that stands there twice has twice.
        numbers: the numbers of the rows, or their lines, in order; few bits where these do.
    """

    hashes: UInt64
    numbers: UInt32 | Int64

    @classmethod
    def of(
        cls,
        keys: UInt64,
        numbers: Sequence[int] | Int64,
        of_texts: bool | Bool = False,
        apart: UInt64 = _NONE,
    ) -> Ids:
        """Return the ids of rows of these numbers, which rise, by their keys and rows."""
        hashes = keys ^ apart << (np.uint64(64) - ROW_BITS)
        marked = hashes & ~_OF_TEXT | np.asarray(of_texts, np.uint64)
        return cls(marked, _narrow(np.array(numbers, np.int64)))

    def before(self, number: int) -> Ids:
        """Return the ids of the rows before one."""
        rows = slice(int(self.numbers.searchsorted(number)))
        return Ids(self.hashes[rows], self.numbers[rows])

    def in_order(self) -> tuple[Ids, Intp]:
        """Return the ids by their hashes, and the place that each had."""
        order = np.argsort(self.hashes, kind="stable")
        return Ids(self.hashes[order], self.numbers[order]), order

    def with_others(self, others: Ids) -> Ids:
        """Return these ids and those of rows between these."""
        numbers = np.concatenate([self.numbers, others.numbers]).astype(np.int64)
        order = np.argsort(numbers, kind="stable")
        hashes = np.concatenate([self.hashes, others.hashes])
        return Ids(hashes[order], _narrow(numbers[order]))


def _narrow(numbers: Int64) -> UInt32 | Int64:
    return numbers.astype(np.uint32) if numbers[-1:].sum() < 1 << 32 else numbers


def ids_of(
    rows: Sequence[Any], numbers: Sequence[int], id_field: str, names: Sequence[Any] = ()
) -> Ids:
    """Return the ids of the rows that have one, and of others those that they got.

    Args:
        rows: the rows.
        numbers: of each row, or its line.
        id_field: the field that names a row.
        names: the ids that rows without one got, where they are known.
    """
    return ids_in(own_ids(rows, id_field), numbers, names)


def own_ids(rows: Sequence[Any], id_field: str) -> list[Any]:
    """Return the ids that rows have, None for those without one."""
    if json_path.is_path(id_field):
        return [_id_of(row, id_field) for row in rows]
    plain = set(map(type, rows)) == {dict}  # to ask each whether it is a mapping takes longer
    return [row.get(id_field) if plain or isinstance(row, Mapping) else None for row in rows]


def id_column(names: Collection[str], id_field: str) -> str | None:
    """Return the column that holds the ids, of a table with columns of these names."""
    root = json_path.root_of(id_field, names) if json_path.is_path(id_field) else id_field
    return root if root in names else None


def _id_of(row: Any, id_field: str) -> Any:
    """Return the id of a row; None where a path leads nowhere, which perturbing the row says."""
    with contextlib.suppress(DataError):
        return given_id(row, id_field) if isinstance(row, Mapping) else None
    return None


def ids_in(
    ids: Sequence[Any] | Strings, numbers: Sequence[int], names: Sequence[str | None] = ()
) -> Ids:
    """Return the ids of a column, None where a row has none; see `ids_of`."""
    if isinstance(ids, Strings):
        return _named(ids, numbers)
    given = _ids(ids, numbers)
    if type(None) not in set(map(type, ids)):  # an array would compare its items with None
        return given
    pairs = zip(ids, names, strict=False)
    made = [name if own is None else None for own, name in pairs]
    return given.with_others(_ids(made, numbers[: len(made)], of_texts=True))


def _ids(ids: Sequence[Any], numbers: Sequence[int], of_texts: bool = False) -> Ids:
    if type(None) in set(map(type, ids)):
        numbers = [number for number, each in zip(numbers, ids, strict=True) if each is not None]
        ids = [each for each in ids if each is not None]
    return _named(list(map(str, ids)), numbers, of_texts)


def _named(ids: Sequence[str] | Strings, numbers: Sequence[int], of_texts: bool = False) -> Ids:
    return Ids.of(record_keys(ids, None), numbers, of_texts, rows_of_ids(ids))


class SeenIds:
    """The ids of rows so far, as sorted runs: long ones, and then each twice as long as the next.

    Attributes:
        not_kept: the number of rows whose ids came after the most that are kept: they were
            compared with those, but not with each other.
        repeats: the number of rows that are another one again.
        are_there: whether any row has an id.
    """

    def __init__(self) -> None:
        self._runs: list[Ids] = []
        self._marks: Bool | None = None
        self._kept = self.not_kept = self.repeats = 0
        self.are_there = False

    def add(self, ids: Ids) -> tuple[int, int] | None:
        """Add the ids of further rows; return the numbers of two rows that were given the same."""
        new, _ = ids.in_order()
        twice = np.flatnonzero(new.hashes[1:] == new.hashes[:-1])
        pairs = [(int(new.numbers[at]), at + 1) for at in twice.tolist()]
        if self._runs:
            pairs += self._again(new)
        if self._kept >= MOST_IDS:
            self.not_kept += len(new.hashes)
        elif len(new.hashes):
            self._keep(new)
        given = new.hashes & _OF_TEXT == 0
        self.are_there |= bool(given.any())
        self.repeats += len({at for _, at in pairs if not given[at]})
        twice_given = [(first, int(new.numbers[at])) for first, at in pairs if given[at]]
        return min(twice_given, key=lambda pair: pair[::-1], default=None)

    def first_rows(self, hashes: Sequence[int], numbers: Sequence[int]) -> list[int]:
        """Add further rows; return of each the number of the first row with its hash.

        All are kept, however many they are.
        """
        if not hashes:
            return []
        new, order = Ids.of(np.array(hashes, np.int64).view(np.uint64), numbers).in_order()
        starts = np.append(True, new.hashes[1:] != new.hashes[:-1])
        first = new.numbers[np.maximum.accumulate(np.where(starts, np.arange(len(order)), 0))]
        for number, at in self._again(new):
            first[at] = number
        if (fresh := first == new.numbers).any():
            self._keep(Ids(new.hashes[fresh], new.numbers[fresh]))
        of_rows = np.empty_like(first)
        of_rows[order] = first
        told: list[int] = of_rows.tolist()
        return told

    @property
    def given(self) -> Ids:
        """The ids that rows were given, as far as they are kept, in no order."""
        none = Ids(np.empty(0, np.uint64), np.empty(0, np.uint32))
        hashes, numbers = map(np.concatenate, zip(none, *self._runs, strict=True))
        given = hashes & _OF_TEXT == 0
        return Ids(hashes[given], numbers[given])

    def add_shard(self, ids: Ids, shard: int, places: Sequence[str]) -> list[tuple[str, str]]:
        """Add the ids of one of several files; return the places of two rows that share one.

        Args:
            ids: the ids of its rows.
            shard: its number.
            places: the places of all of them.
        """
        pair = self.add(Ids(ids.hashes, ids.numbers.astype(np.int64) + shard * STRIDE))
        return [] if pair is None else [(place_of(places, pair[0]), place_of(places, pair[1]))]

    def _again(self, new: Ids) -> Iterator[tuple[int, int]]:
        """Yield the numbers of earlier rows, each with the place of a new one of the same id."""
        if self._marks is None and self._kept > _FEW:
            self._marks = np.frombuffer(mmap.mmap(-1, _MARKS), np.bool_)
            for run in self._runs:
                self._marks[_place_of_mark(run)] = True
        rows = np.arange(len(new.hashes))
        if self._marks is not None:
            # Those whose mark an earlier one has set: all that are old, and few new ones.
            rows = np.flatnonzero(self._marks[_place_of_mark(new)])
        old = new.hashes[rows]
        for run in self._runs:
            places = np.searchsorted(run.hashes, old)
            places[places == len(run.hashes)] = 0
            for at in np.flatnonzero(run.hashes[places] == old).tolist():
                yield int(run.numbers[places[at]]), int(rows[at])

    def _keep(self, new: Ids) -> None:
        self._kept += len(new.hashes)
        if self._marks is not None:
            self._marks[_place_of_mark(new)] = True
        self._runs.append(new)
        while len(self._runs) > 1:
            longer, shorter = (len(run.hashes) for run in self._runs[-2:])
            if longer >= 2 * shorter or longer + shorter > _LONGEST_RUN:
                break
            hashes, numbers = map(np.concatenate, zip(*self._runs[-2:], strict=True))
            order = np.argsort(hashes, kind="stable")
            self._runs[-2:] = [Ids(_taken(hashes, order), _taken(numbers, order))]


def _place_of_mark(ids: Ids) -> Intp:
    return (ids.hashes >> _OF_TEXT & np.uint64(_MARKS - 1)).astype(np.intp)


def _taken(values: NDArray[Any], order: Intp) -> NDArray[Any]:
    """Return values in an order, in memory of their own.

    Among what the rows of a moment need, arrays that stay would leave holes, in some 40 MB.
    """
    memory = np.frombuffer(mmap.mmap(-1, values.nbytes), values.dtype)
    return values.take(order, out=memory)


def check_apart(seen: SeenIds, ids: Ids, id_field: str) -> None:
    """Add the ids of rows; refuse two rows of one id, whose versions could not be told apart.

    Raises:
        DataError: two rows share an id; the message has their numbers.
    """
    if (pair := seen.add(ids)) is not None:
        raise DataError(
            f"row {pair[1]}: its {id_field!r} is that of row {pair[0]} too, and an id "
            "names one row: make them different, or name another field with id_field"
        )


def check_found(found: bool, id_field: str) -> None:
    """Refuse a field for ids that was named, if no row has it.

    Raises:
        DataError: it was not found.
    """
    if not found and id_field != "id":
        raise DataError(
            f"no row has an id in {id_field!r}; --id-field (id_field= in Python) names a field of "
            "the row, or a path to one: put that right, or leave the option out"
        )


def of_shared_ids(shared: Sequence[tuple[str, str]]) -> str:
    """Return a warning of ids in two shards: places of rows of one id, a pair for each shard."""
    first, second = shared[0]
    more = f"; {len(shared):,} shards share ids with earlier ones" * (len(shared) > 1)
    return f"two shards share an id, {first} and {second}, which names one row in each{more}"


def check_column(values: Sequence[Any], id_field: str) -> None:
    """Refuse a column of ids in which two rows have one, as `check_apart` does."""
    ids = [value for value in values if value is not None]
    if len(set(map(str, ids))) < len(ids):
        check_apart(SeenIds(), ids_in(values, range(1, 1 + len(values))), id_field)
