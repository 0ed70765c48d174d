"""Right answers and spans in blocks of rows: read as columns, and moved with their texts."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from perturb.engine.native.blocks import FOUND, MOST_LISTS, NOTHING, Read
from perturb.engine.scope import Span
from perturb.engine.text.strings import Strings, ranges, same
from perturb.errors import DataError
from perturb.io import json_path
from perturb.io.jsonl import dumps, loads
from perturb.plan.job import Job, Version
from perturb.plan.parts import SpanSource
from perturb.records.batch import RecordBatch
from perturb.rows.span_field import (
    Labels,
    check_span,
    check_tags,
    has_text,
    labels_in_characters,
    labels_of,
    moved_labels,
    owners_of,
)
from perturb.values.arrays import Int64
from perturb.values.spans import ends_of

T = TypeVar("T")
# The texts of batches by their numbers among the values of a block, and their records.
Made = Sequence[tuple[Int64, RecordBatch]]
# The bytes of `FOUND` that say by which path, and by which places in lists, a value was found.
_PLACE = slice(16, 24 + 4 * MOST_LISTS)


class ValuesError(DataError):
    """Some values are wrong, or unusual: their rows are left, and no others."""

    def __init__(self, values: Int64 | list[int]) -> None:
        super().__init__("some values of the block are not usual")
        self.values = values


def refuse(values: Int64 | list[int]) -> None:
    """Raise a ValuesError if there are values, given by their numbers."""
    if len(values):
        raise ValuesError(values)


def each_of(numbers: Iterable[int], work: Callable[..., T], *columns: Iterable[Any]) -> list[T]:
    """Do some work with each value, and return the results.

    Raises:
        ValuesError: some can't be made.
    """
    results: list[T] = []
    wrong: list[int] = []
    for number, *values in zip(numbers, *columns, strict=True):
        try:
            results.append(work(*values))
        except DataError:
            wrong.append(number)
    refuse(wrong)
    return results


class LabelLists(NamedTuple):
    """The lists of spans in the rows of a block.

    Attributes:
        numbers: the number of each among the values.
        owners: the number of its text, likewise.
        labels: the lists.
        spans: shape (n, 2); the spans of all of them.
        of_list: shape (n,); which list each span is in.
        special: the lists of tags, and of objects that may repeat the texts of spans.
    """

    numbers: Int64
    owners: Int64
    labels: list[Labels]
    spans: Int64
    of_list: Int64
    special: list[int]

    def of_texts(self, texts: Int64) -> list[list[Span]]:
        """Return the spans of each of some texts."""
        owners = self.owners[self.of_list]
        order = np.argsort(owners, kind="stable")
        spans = list(map(tuple, self.spans[order].tolist()))
        edges = (owners[order].searchsorted(texts, side).tolist() for side in ("left", "right"))
        return [spans[first:last] for first, last in zip(*edges, strict=True)]


def location_of(read: Read, number: int, paths: Sequence[str]) -> json_path.Location:
    """Return the place of a value in its row."""
    _, _, path, lists, index, _ = read.found[number].tolist()
    left = iter(index[:lists].tolist())
    parts = json_path.selections(paths[path])
    place = tuple(next(left) if part[0] == "[" else part for part in parts)
    return (*place, *(key for part in left for key in (part, "text")))


def places_of(read: Read) -> list[bytes]:
    """Return the place of each value in its row, to compare."""
    data = np.ascontiguousarray(read.found.view(np.uint8).reshape(-1, FOUND.itemsize)[:, _PLACE])
    places: list[bytes] = data.view(f"V{data.shape[1]}").ravel().tolist()
    return places


def labels_in(read: Read, job: Job, paths: Sequence[str]) -> dict[str, LabelLists]:
    """Return the spans that are carried along, and those that edits avoid or are restricted to.

    Args:
        read: the rows.
        job: the instructions for each row.
        paths: the paths to texts, answers and other values.

    Raises:
        DataError: some are no spans of their text.
    """
    named = {"spans": job.spans, "protect": job.protect_sources, "only": job.only_sources}
    return {name: _lists(read, job, paths, sources) for name, sources in named.items() if sources}


def _lists(read: Read, job: Job, paths: Sequence[str], sources: Sequence[SpanSource]) -> LabelLists:
    firsts: dict[tuple[bytes, ...], list[int]] = {}
    places, first = places_of(read), 0
    for count in read.counts.tolist():
        firsts.setdefault((*places[first : first + count],), []).append(first)
        first += count
    columns, wrong = [], list[int]()
    for shape, alike in firsts.items():
        try:
            owned = [*_owned(read, job, alike[0], len(shape), paths, sources)]
        except DataError:
            wrong += alike
            continue
        firsts_alike = np.array(alike)
        columns += [(firsts_alike + at, firsts_alike + owner, place) for at, owner, place in owned]
    refuse(wrong)
    numbers, owners = (
        np.concatenate([*(each[at] for each in columns), np.empty(0, np.int64)]) for at in (0, 1)
    )
    locations = [each[2] for each in columns for _ in each[0]]
    items = read.found["items"][owners].tolist()
    labels = each_of(numbers.tolist(), _labels_of, locations, values_at(read, numbers), items)
    if job.offsets != "characters":
        whole = strings_of(np.unique(owners), (read.narrow, read.wide))
        strings = map(whole.__getitem__, owners.tolist())
        units = [job.offsets] * len(labels)
        labels = each_of(numbers.tolist(), labels_in_characters, labels, strings, units)
    flat = [label for each in labels for label in each.spans]
    of_list = np.arange(len(labels)).repeat([len(each.spans) for each in labels])
    is_object = [type(label) is not list for label in flat]
    ends = _ends(flat, is_object, numbers[of_list])
    sizes = (read.arrays["ends"] - read.arrays["starts"])[owners[of_list]]
    outside = (ends[:, 0] < 0) | (ends[:, 1] < ends[:, 0]) | (ends[:, 1] > sizes)
    refuse(numbers[of_list[outside]])
    others = [at for at, each in enumerate(labels) if each.value and not each.spans]
    repeating = [is_map and has_text(label) for is_map, label in zip(is_object, flat, strict=True)]
    special = sorted({*of_list[repeating].tolist(), *others})
    texts = strings_of(owners[special], (read.narrow, read.wide))
    own_texts = [texts[owner] for owner in owners[special].tolist()]
    each_of(numbers[special].tolist(), _check_spans, map(labels.__getitem__, special), own_texts)
    return LabelLists(numbers, owners, labels, ends, of_list, special)


def _labels_of(location: json_path.Location, value: Any, items: int) -> Labels:
    if type(value) is list and not items and (not value or type(value[0]) is not int):
        return Labels(location, value, value)
    return labels_of(location, value, items or None)


def _check_spans(labels: Labels, text: str) -> None:
    for label in labels.spans:
        check_span(label, "", text)


def _ends(labels: Sequence[Any], is_object: Sequence[bool], numbers: Int64) -> Int64:
    """Return the starts and ends of spans, in two columns; `numbers` are those of their lists."""
    if not any(is_object):
        with contextlib.suppress(ValueError, OverflowError):  # they are met again below
            ends: Int64 = np.array([label[:2] for label in labels])
            if ends.dtype == np.int64 and ends.shape == (len(labels), 2):
                return ends
    ends_of_each = each_of(numbers.tolist(), ends_of, labels)
    # None lies in a text whose ends take more bits, nor does what these become.
    within = [[min(max(end, -1), 1 << 62) for end in each] for each in ends_of_each]
    return np.array(within, np.int64).reshape(-1, 2)


def _owned(
    read: Read,
    job: Job,
    first: int,
    count: int,
    paths: Sequence[str],
    sources: Sequence[SpanSource],
) -> Iterator[tuple[int, int, json_path.Location]]:
    """Yield where in a row its lists of spans are, each with its text and its location."""
    path_of = read.found["path"][first : first + count].tolist()
    locations = [location_of(read, first + at, paths) for at in range(count)]
    pairs = zip(locations, path_of, strict=True)
    texts = [location for location, path in pairs if path < len(job.field)]
    for source in sources:
        owner_at = owners_of(source, texts)
        for at, path in enumerate(path_of):
            if paths[path] == source.path:
                yield at, owner_at(locations[at]), locations[at]


def values_at(read: Read, numbers: Int64) -> list[Any]:
    """Parse some of the values that were found."""
    found, json = read.found[numbers], read.arrays["json"].data
    places = zip(found["start"].tolist(), found["end"].tolist(), strict=True)
    lists = b"[%b]" % b",".join([json[a:b] for a, b in places])
    values: list[Any] = loads(lists, as_written=True)
    return values


def strings_of(numbers: Int64, columns: Iterable[tuple[Int64, Strings]]) -> dict[int, str]:
    """Return some texts as strings, by their numbers."""
    texts: dict[int, str] = {}
    for own, column in columns:
        (rows,) = np.isin(own, numbers).nonzero()
        texts |= zip(own[rows].tolist(), column.take(rows).to_list(), strict=True)
    return texts


def before_of(numbers: Int64, made: Made) -> dict[int, str]:
    """Return some texts before the steps, by their numbers."""
    return strings_of(numbers, ((texts, batch.outcome.source) for texts, batch in made))


def after_of(numbers: Int64, made: Made) -> dict[int, str]:
    """Return some texts after the steps, by their numbers."""
    return strings_of(numbers, ((texts, batch.outcome.result) for texts, batch in made))


def moved_spans(
    lists: LabelLists, version: Version, made: Made
) -> tuple[dict[int, bytes], list[int]]:
    """Return the lists that changed, and those with a span whose text did, by their numbers."""
    owners = lists.owners[lists.of_list]
    order = np.argsort(owners, kind="stable")
    now, touched, differs = lists.spans.copy(), *np.zeros((2, len(owners)), np.bool_)
    for texts, batch in made:
        outcome = batch.outcome
        assert outcome.spans is not None  # they were carried along
        first, last = (owners[order].searchsorted(texts, side) for side in ("left", "right"))
        at = order[ranges(first, last - first)]
        before, after = (
            each.starts.repeat(last - first)[:, None] for each in (outcome.source, outcome.result)
        )
        carried = np.stack(outcome.spans[:2], axis=1)
        now[at], touched[at] = carried - after, outcome.spans.touched
        old = Strings(outcome.source.codes, *(lists.spans[at] + before).T)
        differs[at] = ~same(old, Strings(outcome.result.codes, *carried.T))
        was_whole, whole = (
            (spans == each.lengths.repeat(last - first)[:, None] * [0, 1]).all(axis=1)
            for each, spans in ((outcome.source, lists.spans[at]), (outcome.result, now[at]))
        )
        refused = outcome.spans.touched & (version.job.span_policy == "refuse")
        refused |= whole & ~was_whole  # an empty one beside a text that goes is touched by nothing
        # A row may have to stay, which is said of a row alone.
        refuse(lists.numbers[lists.of_list[at[refused]]])
    if version.job.span_policy == "drop":
        differs |= touched
    moves = touched | (now != lists.spans).any(axis=1)
    wanted = sorted({*lists.of_list[moves].tolist(), *lists.special})
    owners_wanted = lists.owners[wanted]
    old_texts, new_texts = before_of(owners_wanted, made), after_of(owners_wanted, made)
    ends, dropped = now.tolist(), (touched & (version.job.span_policy == "drop")).tolist()
    first = lists.of_list.searchsorted(wanted).tolist()
    across = _across(made) if any(not lists.labels[at].spans for at in wanted) else ()
    written: dict[int, bytes] = {}

    def move(at: int, start: int, owner: int) -> None:
        labels = lists.labels[at]
        own = range(start, start + len(labels.spans))
        if not own:
            check_tags(labels, old_texts[owner], new_texts[owner], owner in across, version)
            return
        spans = [None if dropped[span] else (ends[span][0], ends[span][1]) for span in own]
        value = moved_labels(labels, spans, new_texts[owner], version)
        if value != labels.value:
            written[int(lists.numbers[at])] = dumps(value)[:-1]

    each_of(lists.numbers[wanted].tolist(), move, wanted, first, owners_wanted.tolist())
    return written, lists.numbers[lists.of_list[differs]].tolist()


def _across(made: Made) -> set[int]:
    """Return the texts with an edit that takes or writes the end of a line."""
    across: set[int] = set()
    for texts, batch in made:
        source, edits = batch.outcome.source, batch.outcome.edits
        touched = np.zeros(len(edits), np.bool_)
        removed = Strings(source.codes, edits.starts, edits.ends)
        for each in (removed, edits.replacements):
            ends = np.append(0, np.cumsum(each.codes == ord("\n")))
            touched |= ends[each.ends] > ends[each.starts]
        rows = source.starts.searchsorted(edits.starts[touched], "right") - 1
        across |= {*texts[rows].tolist()}
    return across


class Moved(NamedTuple):
    """What a version makes of the answers and spans in the rows of a block.

    Attributes:
        values: a string for each value; its JSON now, empty for one that stays.
        answered: the numbers of answers that changed.
        mapped: those of lists with a span whose text was changed, not merely moved.
    """

    values: Strings
    answered: list[int]
    mapped: list[int]


NOT_MOVED = Moved(NOTHING, [], [])
