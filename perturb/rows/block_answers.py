"""Right answers in blocks of rows: they follow options that move, in texts or in lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from perturb.engine.answers import Permuted
from perturb.engine.memory import collector_paused
from perturb.engine.native.blocks import OTHER, Read
from perturb.engine.step import CHANGED
from perturb.engine.text.strings import decode, packed
from perturb.io import json_path
from perturb.io.jsonl import dumps, loads
from perturb.plan.job import Job, Version
from perturb.plan.recipe_text import first_label
from perturb.records.option_sets import listings, run_among, value_at
from perturb.rows import block_values
from perturb.rows.block_values import LabelLists, Made, Moved, refuse
from perturb.rows.target_field import Known, Moving, at_once, followed, is_fixed, is_followed
from perturb.values.lists import NUMBERINGS, holds_kept_ends, run_from

Paths = Sequence[str]
Labels = Mapping[int, Sequence[str]]
Spans = LabelLists | None
_LETTERS = NUMBERINGS["upper"]


def options_in(read: Read, job: Job, paths: Sequence[str]) -> dict[int, Sequence[str]]:
    """Return the labels that rows give their options, by the numbers of these among the values.

    Args:
        read: the rows.
        job: the instructions for each row.
        paths: the paths to texts, options, answers and other values.

    Raises:
        ValuesError: the options of a row have no usual labels or signs, or are in other fields too.
    """
    found, path = read.found, read.found["path"]
    numbers = np.flatnonzero((path >= len(job.field)) & (path < len(job.field + job.choices)))
    for own, source in (read.narrow, read.wide):
        if holds_kept_ends(decode(source.codes)):
            pairs = zip(own.tolist(), source.to_list(), strict=True)
            refuse([at for at, text in pairs if holds_kept_ends(text)])
    first = first_label(job.choices)
    if job.moves_whole_items is None and not first:
        return {}  # no step asks for them
    homes: dict[str, json_path.Location] = {
        path: tuple(json_path.selections(path)) for path in job.choice_paths
    }
    of_row = np.arange(read.rows).repeat(read.counts)[numbers]
    json, lines = read.arrays["json"].tobytes(), read.arrays["rows"][of_row, :2].tolist()

    def labels(number: int, path: str, line: tuple[int, int]) -> Sequence[str]:
        row = loads(json[slice(*line)] + b"}", look_at_numbers=False)
        home = (path,) if path in row else homes[path]
        items, around = value_at(row, home), value_at(row, home[:-1])
        count = len(items)
        own = run_from(first, count) if first else run_among(around.values(), count)
        if (first and not own) or listings(row, own, items, ()):
            refuse([number])
        return own

    columns = numbers.tolist(), map(paths.__getitem__, found["path"][numbers].tolist()), lines
    return dict(zip(columns[0], block_values.each_of(columns[0], labels, *columns), strict=True))


def moved_in(
    read: Read, paths: Paths, labels: Labels, spans: Spans, version: Version, made: Made
) -> Moved:
    """Move the answers and spans of a version.

    Args:
        read: the rows.
        paths: the paths to texts, answers and other values.
        labels: those of options; see `options_in`.
        spans: those that are carried along.
        version: the version.
        made: the texts with their records.

    Raises:
        DataError: an answer or a tag can't follow.
    """
    with collector_paused(len(read.found)):
        job = version.job
        answers = _answers(read, job, paths, labels, made) if job.target else {}
    moved, mapped = ({}, []) if spans is None else block_values.moved_spans(spans, version, made)
    written = answers | moved
    lengths = np.zeros(len(read.found), np.int64)
    lengths[list(written)] = list(map(len, written.values()))
    codes = b"".join([written[number] for number in sorted(written)])
    return Moved(packed(np.frombuffer(codes, np.uint8), lengths), [*answers], mapped)


def _said(made: Made) -> tuple[dict[int, list[Any]], dict[int, list[int]]]:
    """Return the notes on texts that answers follow, and the orders of those with nothing else."""
    notes: dict[int, list[Any]] = {}
    orders: dict[int, list[int]] = {}
    for texts, batch in made:
        said = [tally.notes() for tally in batch.outcome.tallies]
        ordered = [each for each in said if isinstance(each, Permuted)]
        others = [one for each in said if not isinstance(each, Permuted) for one in each.values()]
        if len(ordered) == 1 and not any(map(is_followed, others)):
            orders |= zip(texts[ordered[0].texts].tolist(), ordered[0].orders(), strict=True)
            continue
        for each in said:
            for row, note in each.items():
                if is_followed(note):
                    notes.setdefault(int(texts[row]), []).append(note)
    return notes, orders


def _answers(read: Read, job: Job, paths: Paths, labels: Labels, made: Made) -> dict[int, bytes]:
    """Return the answers that changed, by their numbers."""
    path, row_of = read.found["path"], np.arange(read.rows).repeat(read.counts)
    first_path = len(job.field + job.choices)
    is_answer = (path >= first_path) & (path < first_path + len(job.target))
    is_option = (path >= len(job.field)) & (path < first_path)
    is_moving, changed = read.found["items"] > 0, np.zeros(len(path), np.bool_)
    for texts, batch in made:
        changed[texts] = batch.outcome.reasons == CHANGED
    notes, orders = _said(made)
    moving_texts = np.array([*notes, *orders], np.intp)
    is_moving[moving_texts[~is_answer[moving_texts]]] = True
    if job.moves_whole_items is None:  # no step is on options
        is_moving &= ~is_option
    changed &= is_answer
    (rows,) = np.bincount(row_of[is_moving | changed], minlength=read.rows).nonzero()
    of_rows = np.isin(row_of, rows)
    texts, answers = (np.flatnonzero(each & of_rows) for each in (is_moving, is_answer))
    before = block_values.before_of(texts, made)
    after = block_values.after_of(np.append(texts, np.flatnonzero(changed)), made)
    items = read.found["items"][texts].tolist()
    moving: dict[int, list[tuple[int, int]]] = {}
    for text, row, count in zip(texts.tolist(), row_of[texts].tolist(), items, strict=True):
        moving.setdefault(row, []).append((text, count))
    written: dict[int, bytes] = {}
    first = first_label(job.choices)

    def moved(text: int, count: int, is_alone: bool) -> Moving:
        lines = (before[text].split("\n"), after[text].split("\n")) if count else None
        said = notes.get(text, ())
        if text in orders:
            columns = zip(_LETTERS, orders[text], before[text].split("\n"), strict=False)
            said = [{"options": [[own, _LETTERS[at], at, item] for own, at, item in columns]}]
        # Only of several texts is it asked where they stand.
        place = () if is_alone else block_values.location_of(read, text, paths)
        of_set = labels.get(text, ()), first if is_option[text] else "", place
        return Moving(json_path.written(place), before[text], lines, said, *of_set)

    def follow(number: int, row: int, value: Any) -> None:
        own, now = moving.get(row, ()), None
        text, count = own[0] if len(own) == 1 else (-1, 0)
        if not is_fixed(value, job.fixed) and text in orders and count and number not in after:
            order, lines = orders[text], after[text].split("\n")
            names = labels.get(text) or _LETTERS[: len(order)]
            of_set = (), lines, first if is_option[text] else ""
            known = Known(names, [names[at] for at in order], order, *of_set)
            now = at_once(value, known, before[text].split("\n"))
        if now is None:
            place = block_values.location_of(read, number, paths) if len(own) > 1 else ()
            options = [moved(*each, len(own) == 1) for each in own]
            now = followed(value, after.get(number, value), options, "", job.fixed, place)
        if now is not value and now != value:  # NaN stays itself
            written[number] = dumps(now)[:-1]

    columns = answers.tolist(), row_of[answers].tolist(), block_values.values_at(read, answers)
    block_values.each_of(columns[0], follow, *columns)
    # Records name the answers that are strings first, and lines have them in the order of paths.
    is_other = read.found["items"] == OTHER
    beside = ((a, b) for a, b in pairwise(sorted(written)) if row_of[a] == row_of[b])
    refuse([b for a, b in beside if is_other[a] and not is_other[b]])
    return written
