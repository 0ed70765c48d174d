"""Rows: find the texts in them, perturb these, and write rows with their linkage records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, pairwise, repeat
from typing import Any, NamedTuple

import numpy as np

from perturb.engine.scope import Span
from perturb.engine.step import REASONS
from perturb.errors import DataError, shown
from perturb.io import json_path
from perturb.plan.job import Job, Version
from perturb.plan.options import LINKAGE
from perturb.plan.recipe import written_original
from perturb.records.batch import RecordBatch, check_of, expected
from perturb.records.edit import Edit
from perturb.records.ids import hashes_of_rows, id_change, id_changes, is_no_id
from perturb.records.notation import ABSENT, NAMES, written_value
from perturb.records.perturb_texts import in_batches, perturb_batches
from perturb.records.texts import Texts, in_order
from perturb.registry.definition import EXPECTS
from perturb.rows.counts import RowCounts
from perturb.rows.row_texts import RowText, RowTexts, by_text, row_texts
from perturb.rows.span_field import check_tags, ends_of, moved_labels
from perturb.rows.text_field import items_of
from perturb.values.arrays import Bool, Int64


def perturb_rows(
    rows: Sequence[Any], job: Job, counts: RowCounts | None = None
) -> list[dict[str, Any]]:
    """Perturb the texts of rows; see `perturb_each`.

    Returns:
        The output rows of each row, in order.
    """
    return list(chain.from_iterable(perturb_each(rows, job, counts)))


def perturb_each(
    rows: Sequence[Any],
    job: Job,
    counts: RowCounts | None = None,
    apart: Sequence[str] | None = None,
) -> list[tuple[dict[str, Any], ...]]:
    """Perturb the texts of rows.

    Args:
        rows: the rows.
        job: the instructions for each row.
        counts: the counts to which these rows are added.
        apart: the hashes of rows without an id, where they are known; see `hashes_of_rows`.

    Returns:
        The output rows of each row; none where it is left out.

    Raises:
        DataError: one of the rows is wrong.
    """
    counts = counts or RowCounts()
    texts = _texts_of_dicts(rows, job, apart)
    missing: dict[int, RowTexts] = {}
    if texts is not None:
        versions = [_plain_rows(rows, texts, version, counts) for version in job.versions]
    else:
        parts = list(map(row_texts, rows, repeat(job), apart or repeat(None)))
        if job.missing != "error":
            missing = {at: part for at, part in enumerate(parts) if part.is_missing}
            parts = [part for at, part in enumerate(parts) if at not in missing]
        texts = columns(parts, job)
        versions = [list(_rows(parts, texts, version, counts)) for version in job.versions]
        if job.with_original:
            versions.insert(0, [untouched(part, job) for part in parts])
    by_row = list(zip(*versions, strict=True))
    for at, part in missing.items():
        by_row.insert(at, (untouched(part, job),) if job.missing == "keep" else ())
    counts.rows += len(rows)
    counts.texts += len(texts)
    counts.written += sum(map(len, by_row))
    return by_row


def perturb_numbered(
    rows: Sequence[Any], job: Job, numbers: Sequence[int], counts: RowCounts | None = None
) -> list[dict[str, Any]]:
    """Perturb rows as `perturb_rows` does; an error has the number of its row.

    Args:
        rows: the rows.
        job: the instructions for each row.
        numbers: the number of each row.
        counts: the counts to which these rows are added.
    """
    try:
        return perturb_rows(rows, job, counts)
    except DataError:
        for number, row in zip(numbers, rows, strict=True):
            try:
                perturb_rows([row], job)
            except DataError as error:
                raise DataError(f"row {number}: {error}") from None
        raise


def _texts_of_dicts(rows: Sequence[Any], job: Job, apart: Sequence[str] | None) -> Texts | None:
    """Return the texts of rows where these are plain; see `plain_texts`."""
    if not job.is_plain or set(map(type, rows)) != {dict}:
        return None
    if any(LINKAGE in row or f"{LINKAGE}.edits" in row for row in rows):
        return None
    texts = [row.get(job.field[0]) for row in rows]
    ids = [row.get(job.id_field, ABSENT) for row in rows]
    return plain_texts(texts, ids, job, lambda: apart or hashes_of_rows(rows))


def plain_texts(
    texts: Sequence[Any], ids: Sequence[Any], job: Job, apart: Callable[[], Sequence[str]]
) -> Texts | None:
    """Return the texts of rows that each have one string in a field of their own, and no spans.

    Most data are like this, and checking all rows together is faster.

    Args:
        texts: what the rows have in the field.
        ids: what they have as ids; None or `ABSENT` for nothing.
        job: the instructions for each row.
        apart: returns the hashes of the rows, where these have no ids.

    Returns:
        None where one of them is not like this.
    """
    if not job.is_plain or not set(map(type, texts)) <= {str}:
        return None
    kinds = set(map(type, ids))
    is_named = kinds <= {str, int}
    if not is_named and not (len(kinds) == 1 and is_no_id(ids[0])):
        return None
    return Texts(
        texts,
        list(map(str, ids)) if is_named else None,
        fields=[job.field[0]] * len(ids),
        id_changes=id_changes(job.id_field, ids) if is_named else id_change(job.id_field, ids[0]),
        apart=None if is_named else apart(),
    )


def _plain_rows(
    rows: Sequence[Any], texts: Texts, version: Version, counts: RowCounts
) -> list[dict[str, Any]]:
    """Return the rows of one version of rows with one string to perturb."""
    field, id_field = version.job.field[0], version.job.id_field

    def perturbed(batch: RecordBatch) -> Iterator[tuple[str, str, dict[str, str]]]:
        counts.see(batch)
        return zip(batch.ids, batch.texts, batch.linkages, strict=True)

    pairs = zip(rows, in_batches(texts, version, perturbed), strict=True)
    return [
        {**row, id_field: name, field: text, LINKAGE: linkage}
        for row, (name, text, linkage) in pairs
    ]


def columns(rows: Sequence[RowTexts], job: Job) -> Texts:
    """Return the texts of all rows, as columns."""
    texts = [text for row in rows for text in row.texts]
    several = any(len(row.texts) != 1 for row in rows)
    named = several or any(row.id is not None for row in rows)
    return Texts(
        [text.text for text in texts],
        [row.name for row in rows for _ in row.texts] if named else None,
        fields=[text.path for text in texts],
        key_paths=[text.key_path for text in texts],
        lists=[text.items is not None for text in texts],
        apart=None if named else [row.apart for row in rows],
        groups=[number for number, row in enumerate(rows) for _ in row.texts] if several else None,
        followers=[text.follows for text in texts] if job.target and several else None,
        protect=[spans for row in rows for spans in row.protect] if job.protect_sources else None,
        only=[spans for row in rows for spans in row.only] if job.only_sources else None,
        spans=[spans for row in rows for spans in by_text(row.labels, row.texts)]
        if job.spans
        else None,
    )


class Written(NamedTuple):
    """What became of a text in one version.

    Attributes:
        id: the id of the original.
        text: after.
        changes: in the notation of records.
        edits: from the original to the text.
        spans: where its spans are now; None for one that was dropped.
        notes: what the steps say of it.
        status: changed, or why not.
    """

    id: str
    text: str
    changes: str
    edits: tuple[Edit, ...]
    spans: tuple[Span | None, ...]
    notes: list[Any]
    status: str


def _rows(
    rows: Sequence[RowTexts], texts: Texts, version: Version, counts: RowCounts
) -> Iterator[dict[str, Any]]:
    """Yield the rows of one version of rows of any form."""
    order: list[Int64] = []
    unsorted: list[Written] = []
    acted = np.zeros((len(version.stages), len(texts)), np.bool_)
    for places, batch in perturb_batches(texts, version):
        counts.see_edits(batch)
        order.append(places)
        acted[:, places] = batch.acted()
        ids, spans, notes = batch.original_ids, batch.spans, batch.notes()
        unsorted += map(
            Written, ids, batch.texts, batch.changes(), batch.edits, spans, notes, batch.statuses
        )
    written = in_order(order, unsorted)
    statuses = counts.statuses.setdefault(version.condition.label, Counter())
    ends = np.cumsum([len(row.texts) for row in rows]).tolist()
    for row, (first, last) in zip(rows, pairwise([0, *ends]), strict=True):
        perturbed = _row(row, written[first:last], acted[:, first:last], version)
        statuses[perturbed[LINKAGE]["status"]] += 1
        yield perturbed


def _row(
    row: RowTexts, written: Sequence[Written], acted: Bool, version: Version
) -> dict[str, Any]:
    """Return one row of one version."""
    job = version.job
    name = written[0].id if written else row.name
    perturbed = {**row.row, job.id_field: name + version.suffix}
    values = _put_texts(perturbed, row, written, name)
    moved, mapped = _put_labels(perturbed, row, written, version)
    noise = zip(row.texts, written, strict=True)
    changes = [after.changes for text, after in noise if after.changes and not text.follows]
    status = "changed"
    if not (changes or values):  # the first reason in the order of all reasons
        status = min((text.status for text in written), key=REASONS.index, default="no site")
    acted = np.any(acted, axis=1, keepdims=True)
    expect = EXPECTS[expected(version, acted, np.array([status == "changed"]))[0]]
    perturbed[LINKAGE] = _record(
        row,
        name,
        job,
        condition=version.condition.label,
        status=status,
        expect="mapped" if expect == "same" and (values or mapped) else expect,
        edits=";".join(filter(None, [row.id_change, *changes, *values, *moved])),
        recipe=version.recipe,
    )
    return perturbed


def _record(row: RowTexts, name: str, job: Job, **said: str) -> dict[str, str]:
    """Return the record of a row, of which its texts do not say what is `said`."""
    texts = [text.text for text in row.texts]
    is_alone = len(job.field) == 1 and not json_path.is_many(job.field[0]) and not job.lean
    said |= {"original_id": name, "check": check_of(texts)}
    said["original"] = texts[0] if is_alone and texts else ""
    return {field: said[field] for field in NAMES}


def _put_texts(
    perturbed: dict[str, Any], row: RowTexts, written: Sequence[Written], name: str
) -> list[str]:
    """Put the texts and the right answers into a row; return the changes of the answers."""
    answers: list[tuple[json_path.Location, Any, Any]] = []
    values: list[tuple[json_path.Location, Any]] = []
    moving: list[tuple[RowText, Written]] = []
    for text, after in zip(row.texts, written, strict=True):
        if text.follows:
            answers.append((text.location, text.text, after.text))
            continue
        if text.items or any("options" in note for note in after.notes):
            moving.append((text, after))
        value = after.text if text.items is None else items_of(after.text, text.items, name)
        values.append((text.location, value))
    answers += ((location, value, value) for location, value in row.answers)
    changes = []
    for location, before, after_steps in answers:
        value = _followed(before, after_steps, moving, name)
        values.append((location, value))
        if value != before:
            changes.append(written_value(json_path.written(location), before))
    json_path.put_into(perturbed, values)
    return changes


def _followed(answer: Any, after: Any, moving: Sequence[tuple[RowText, Written]], name: str) -> Any:
    """Return an answer as it is after the steps, where these moved options; else `after`.

    Args:
        answer: the answer.
        after: what the steps made of it.
        moving: the texts whose options may have moved.
        name: the id of the original.
    """
    from perturb.rows.target_field import follow  # few rows have answers

    answers: dict[str, Any] = {}
    for text, now in moving:
        moved = any("options" in note for note in now.notes)
        items = None if text.items is None else (text.text.split("\n"), now.text.split("\n"))
        try:
            followed = follow(answer, now.notes, text.text, items)
        except DataError as error:
            raise DataError(f"the record {name}: {error}") from None
        if moved or followed != answer:
            answers[text.path] = followed
    if len(set(answers.values())) > 1:
        several = ", ".join(f"{shown(value)} of {path}" for path, value in answers.items())
        raise DataError(
            f"the record {name}: the answer {shown(answer)} is to several texts, whose options "
            f"moved otherwise, so it would be {several}; perturb one of them"
        )
    followed = next(iter(answers.values()), answer)
    return after if followed == answer else followed


def _put_labels(
    perturbed: dict[str, Any], row: RowTexts, written: Sequence[Written], version: Version
) -> tuple[list[str], bool]:
    """Put spans as they are now into a row.

    Returns:
        Their changes; and whether the text of one was changed, not merely moved.
    """
    changes, values, mapped = [], [], False
    places = [iter(text.spans) for text in written]
    for owner, labels in row.labels:
        before, after = row.texts[owner].text, written[owner].text
        if not labels.spans:
            if labels.value:
                check_tags(labels, before, after, written[owner].edits, version)
            continue
        spans = [next(places[owner]) for _ in labels.spans]
        for label, span in zip(labels.spans, spans, strict=True):
            mapped |= span is None or before[slice(*ends_of(label))] != after[slice(*span)]
        value = moved_labels(labels, spans, after)
        if value != labels.value:
            values.append((labels.location, value))
            changes.append(written_value(json_path.written(labels.location), labels.value))
    json_path.put_into(perturbed, values)
    return changes, mapped


def untouched(row: RowTexts, job: Job) -> dict[str, Any]:
    """Return a row as it is, with a record that says so.

    Raises:
        DataError: it has neither an id nor a text that could name it.
    """
    if row.id is None and not row.texts and job.missing == "error":
        raise DataError(
            f"the row has no text in {' or '.join(job.field)} and no {job.id_field!r}, so nothing "
            "names it; say with --field (field= in Python) which field holds the text"
        )
    said = {"condition": "original", "status": "original", "expect": "same"}
    recipe = written_original(job)
    record = _record(row, row.name, job, **said, edits=row.id_change, recipe=recipe)
    return {**row.row, job.id_field: row.name, LINKAGE: record}
