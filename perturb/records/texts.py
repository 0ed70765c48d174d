"""Texts with what holds for each alone, and the batches in which they are perturbed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from itertools import compress, pairwise
from typing import Any

import numpy as np

from perturb.engine.native.kernels import checks_of_texts
from perturb.engine.protection import Rules
from perturb.engine.run import Rows
from perturb.engine.scope import Span, Spans
from perturb.engine.text.strings import Strings, encode, lengths_of
from perturb.records.ids import TEXT_PREFIX, check_of, digits_of, keys_of_texts, record_keys
from perturb.values.arrays import Bool, Int64, UInt64

# The characters of a batch: enough to spread the cost of the calls; more would leave the cache.
_BATCH_SIZE = 7 << 17
# Fewer texts are hashed sooner than a kernel is called.
_FEW = 4
# The cost of a text, however short it is, in characters.
_TEXT_COST = 64
# What there may be of each text.
_COLUMNS = (
    *("ids", "fields", "id_changes", "key_paths", "lists", "groups", "numbers", "options"),
    *("beside", "protect", "only", "spans", "given_keys", "row_keys", "apart"),
)


# The number of the field of an answer that is an item of a list. A step may write in it, but
# records have lists as they are, and check no item.
LISTED = -2


class Texts:
    """Texts, and what holds for each alone; every column is as long as `texts` or None.

    Derived columns are computed once, for all versions of the texts.

    Attributes:
        texts: the texts; given as strings, or as the engine takes them: all of ASCII, or none.
        ids: what names each original; None to name them by their texts.
        fields: where in its row each stands.
        id_changes: how the id in the row of each differs from `ids`, in the notation of records;
            one string where it is the same for all.
        key_paths: what the key of each is made of besides its id; "" for nothing.
        lists: whether each is a list of strings in its row, an item a line.
        beside: of each what steps may know of its row; see `Batch`.
        groups: the number of the row of each, in order, where rows have several texts.
        numbers: the number of the field that each is of, among those of the job; -1 for an answer
            or a set of options, which get no noise of their own, `LISTED` for an item of answers.
            None where each takes all steps.
        options: whether each is a set of options, where rows have some.
        protect: for each, further spans where no edit may be.
        only: for each, further spans that edits are restricted to.
        spans: for each, spans to carry along.
        given_keys: the key of each, where it is known already.
        row_keys: the key of each one's row, likewise.
        apart: the hash of each one's row, where ids are made of the texts.
        lengths: the length of each, in code points.
    """

    def __init__(
        self,
        texts: Sequence[str] | Strings,
        ids: Sequence[str] | Strings | None = None,
        *,
        fields: Sequence[str] | None = None,
        id_changes: Sequence[str] | str | None = None,
        key_paths: Sequence[str] | None = None,
        lists: Sequence[bool] | Bool | None = None,
        beside: Sequence[Any] | None = None,
        groups: Sequence[int] | Int64 | None = None,
        numbers: Sequence[int] | Int64 | None = None,
        options: Sequence[bool] | Bool | None = None,
        protect: Sequence[Sequence[Span]] | None = None,
        only: Sequence[Sequence[Span]] | None = None,
        spans: Sequence[Sequence[Span]] | None = None,
        given_keys: UInt64 | None = None,
        row_keys: UInt64 | None = None,
        apart: Sequence[str] | None = None,
        lengths: Int64 | None = None,
    ) -> None:
        self._given: Strings | None = None
        self._searched: dict[str, Spans] = {}
        if isinstance(texts, Strings):
            self._given = self.source = texts
        else:
            self.texts = texts
        self._count = len(texts)
        self.ids = ids
        self.fields = fields
        self.id_changes = id_changes
        self.key_paths = key_paths
        self.lists = lists
        self.beside = beside
        self.groups = groups
        self.numbers = numbers
        self.options = options
        self.protect = protect
        self.only = only
        self.spans = spans
        self.given_keys = given_keys
        self.row_keys = row_keys
        self.apart = apart
        self.lengths = lengths

    def __len__(self) -> int:
        return self._count

    @cached_property
    def texts(self) -> Sequence[str]:
        """The texts as strings."""
        return self.source.to_texts()

    @cached_property
    def source(self) -> Strings:
        """The texts as the engine takes them."""
        return Strings.of_texts(self.texts, self.lengths)

    @cached_property
    def keys(self) -> UInt64:
        """The key of each."""
        if self.given_keys is not None:
            return self.given_keys
        if self.ids is not None:
            return record_keys(self.ids, self.key_paths)
        return keys_of_texts(self.texts if len(self) == 1 else self.source)

    @cached_property
    def names(self) -> Sequence[str] | Strings:
        """The id of the original of each."""
        if self.ids is not None:
            return self.ids
        names = [TEXT_PREFIX + digits for digits in digits_of(self.keys, ",").split(",")]
        pairs = zip(names, self.apart or (), strict=False)
        return [f"{name}.{row}" if row else name for name, row in pairs] or names

    @cached_property
    def checks(self) -> list[str] | Strings:
        """The check of each row."""
        if self.groups is not None:
            edges = pairwise([*self.heads.tolist(), len(self)])
            if self.numbers is None or LISTED not in self.numbers:
                return [check_of(self.texts[first:last]) for first, last in edges]
            checked = [number != LISTED for number in self.numbers]
            return [check_of([*compress(self.texts[a:b], checked[a:b])]) for a, b in edges]
        hashes = None if len(self) < _FEW else checks_of_texts(self.source)
        if hashes is None:
            return [check_of((text,)) for text in self.texts]
        digits = "x" + digits_of(hashes.astype(np.uint32), "x")
        starts = np.arange(0, len(digits), len(digits) // len(self))
        return Strings(encode(digits), starts, np.append(starts[1:], len(digits)))

    @cached_property
    def heads(self) -> Int64:
        """The numbers of the first texts of rows with several."""
        return np.flatnonzero(self._first_of_row())

    @property
    def rows(self) -> Rows:
        """The rows that the texts are of; one with a single text has the key of that text."""
        fields = None if self.numbers is None else np.array(self.numbers, np.int64)
        options = None if self.options is None else np.array(self.options, np.bool_)
        keys, heads = self.row_keys, self._first_of_row()
        if keys is None:
            assert self.ids is not None  # rows with several texts are named
            alone = heads & np.append(heads[1:], True)
            keys = np.where(alone, self.keys, record_keys(self.ids, None))
        return Rows(heads, keys, fields, options)

    @cached_property
    def batches(self) -> list[tuple[Int64, Texts]]:
        """The texts cut into batches, each with the rows of its texts.

        Texts of ASCII are apart, as a byte holds their characters; those of one row are together.
        """
        batches = []
        for mask in self._kinds():
            (rows,) = mask.nonzero()
            texts = self if len(rows) == len(mask) else self.where(mask)
            batches += [(rows[part], batch) for part, batch in texts._cut()]
        return batches

    def where(self, mask: Bool, is_copied: bool = True) -> Texts:
        """Return the texts where `mask` is true.

        Args:
            mask: shape (texts,).
            is_copied: whether no other texts lie between them in their source.
        """
        marks, rows = mask.tobytes(), np.flatnonzero(mask)
        if is_copied:
            source = None if self._given is None else self._given.apart(rows)
        else:
            source = self.source.take(rows)

        def some(column: Any) -> Any:
            if isinstance(column, Strings):
                return column.take(rows)
            return column[mask] if isinstance(column, np.ndarray) else list(compress(column, marks))

        return self._with(some, source)

    def spans_of(self, rules: Rules, further: Sequence[Sequence[Span]] | None = None) -> Spans:
        """Return the spans that rules match, and further ones of each text; see `Rules`.

        Each rule is searched for once: all conditions ask for it, and so does who counts matches.
        """
        if rules.offsets or further is not None or not rules.written:
            return rules.spans_of(self.source, lambda: self.texts, further)
        for rule in rules.written:
            if rule not in self._searched:
                alone = Rules.of(rule) if rules.written[1:] else rules
                self._searched[rule] = alone.spans_of(self.source, lambda: self.texts)
        each = [self._searched[rule] for rule in rules.written]
        return Spans(*map(np.concatenate, zip(*each, strict=True))) if each[1:] else each[0]

    def _kinds(self) -> Sequence[Bool]:
        """Mark the texts of ASCII, and the others."""
        if self._given is not None:
            return (np.ones(len(self), np.bool_),)
        narrow = np.frombuffer(bytes(map(str.isascii, self.texts)), np.bool_)
        if self.groups is not None and len(narrow):
            first = self._first_of_row()
            by_row = np.logical_and.reduceat(narrow, np.flatnonzero(first))
            narrow = by_row[np.cumsum(first) - 1]
        return narrow, ~narrow

    def _first_of_row(self) -> Bool:
        """Mark the first text of each row."""
        groups = np.array(self.groups)
        return np.append(True, groups[1:] != groups[:-1])

    def _cut(self) -> Iterator[tuple[slice, Texts]]:
        """Yield the texts in batches of much the same size, with the rows of each."""
        given = self._given
        lengths = lengths_of(self.texts) if given is None else given.lengths
        ends = np.cumsum(lengths + _TEXT_COST)
        parts = 1 + int(ends[-1:].sum()) // _BATCH_SIZE
        edges = ends.searchsorted(ends[-1:] * np.arange(1, parts) // parts)
        if self.groups is not None and len(edges):
            firsts = np.flatnonzero(self._first_of_row())
            edges = firsts[firsts.searchsorted(edges, "right") - 1]
        for first, last in pairwise([0, *edges.tolist(), len(lengths)]):
            if first < last:
                part = slice(first, last)
                source = None if given is None else given.part(part)
                yield part, self._with(partial(_part, part), source, lengths[part])

    def _with(
        self, some: Callable[[Any], Any], source: Strings | None, lengths: Int64 | None = None
    ) -> Texts:
        """Return some entries of all columns; `source` holds the texts if they were given so."""

        def part(column: Any) -> Any:
            return column if column is None or isinstance(column, str) else some(column)

        columns = {name: part(getattr(self, name)) for name in _COLUMNS}
        return Texts(some(self.texts) if source is None else source, lengths=lengths, **columns)


def _part(rows: slice, column: Any) -> Any:
    return column.take(rows) if isinstance(column, Strings) else column[rows]
