"""Rows: find the texts in them, perturb these, and write rows with their linkage records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np

from perturb.engine.protection import Span
from perturb.engine.step import REASONS
from perturb.errors import DataError, shown
from perturb.io import json_path
from perturb.plan.job import Job, Version
from perturb.plan.options import LINKAGE
from perturb.plan.recipe import written_original
from perturb.records.batch import check_of, expected
from perturb.records.edit import Edit
from perturb.records.ids import id_changes, id_of_text
from perturb.records.notation import written_value
from perturb.records.perturb_texts import perturb_batches
from perturb.records.schema import NAMES
from perturb.records.texts import Texts, in_order, places_in_order
from perturb.registry.vocabulary import EXPECTS
from perturb.rows.counts import RowCounts
from perturb.rows.row_texts import RowText, RowTexts, row_texts
from perturb.rows.span_field import check_tags, ends_of, moved_labels
from perturb.rows.text_field import items_of
from perturb.values.arrays import Bool, Int64


def perturb_rows(
    rows: Sequence[Any], job: Job, counts: RowCounts | None = None
) -> list[dict[str, Any]]:
    """Perturb the texts of rows.

    Args:
        rows: the rows.
        job: the instructions for each row.
        counts: the counts to which these rows are added.

    Returns:
        The output rows of each row, in order.

    Raises:
        DataError: one of the rows is wrong.
    """
    counts = counts or RowCounts()
    texts = plain_texts(rows, job)
    if texts is not None:
        versions = [_plain_rows(rows, texts, version, counts) for version in job.versions]
    else:
        found = [row_texts(row, job) for row in rows]
        texts = columns(found, job)
        versions = [list(_rows(found, texts, version, counts)) for version in job.versions]
        if job.with_original:
            versions.insert(0, [untouched(one, job) for one in found])
    counts.rows += len(rows)
    counts.texts += len(texts)
    counts.written += len(rows) * len(versions)
    return list(chain.from_iterable(zip(*versions, strict=True)))


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


def plain_texts(rows: Sequence[Any], job: Job) -> Texts | None:
    """Return the texts of rows that each have one string in a field of their own, and no spans.

    Most files are like this, and checking all rows together is faster.
    """
    if not job.is_plain or job.with_original or set(map(type, rows)) != {dict}:
        return None
    if any(LINKAGE in row or f"{LINKAGE}.edits" in row for row in rows):
        return None
    texts = [row.get(job.field[0]) for row in rows]
    ids = [row.get(job.id_field) for row in rows]
    if set(map(type, texts)) != {str} or not are_usual_ids(ids):
        return None
    return named_texts(texts, ids, job)


def named_texts(texts: Any, ids: Sequence[Any], job: Job) -> Texts:
    """Return the texts of a plain field, of rows with these usual ids."""
    is_named = None not in ids[:1]
    return Texts(
        texts,
        list(map(str, ids)) if is_named else None,
        fields=[job.field[0]] * len(ids),
        id_changes=id_changes(job.id_field, ids),
    )


def are_usual_ids(ids: Sequence[Any]) -> bool:
    """Return true if all are strings or whole numbers, or all None."""
    kinds = set(map(type, ids))
    return kinds <= {str, int} or kinds == {type(None)}


def _plain_rows(
    rows: Sequence[Any], texts: Texts, version: Version, counts: RowCounts
) -> list[dict[str, Any]]:
    """Return the rows of one version of rows with one string to perturb."""
    field, id_field, suffix = version.job.field[0], version.job.id_field, version.suffix
    order: list[Int64] = []
    ids: list[str] = []
    written: list[str] = []
    linkages: list[Any] = []
    for places, batch in perturb_batches(texts, version):
        counts.see(version.condition.label, batch.outcome)
        order.append(places)
        ids += batch.original_ids
        written += batch.texts
        linkages += batch.linkages
    columns = in_order(places_in_order(order), ids, written, linkages)
    return [
        {**row, id_field: name + suffix, field: text, LINKAGE: linkage}
        for row, name, text, linkage in zip(rows, *columns, strict=True)
    ]


def columns(rows: Sequence[RowTexts], job: Job) -> Texts:
    """Return the texts of all rows, as columns."""

    def each(value: Callable[[RowTexts, RowText, int], Any]) -> list[Any]:
        return [value(row, text, at) for row in rows for at, text in enumerate(row.texts)]

    several = any(len(row.texts) != 1 for row in rows)
    named = any(row.id is not None for row in rows)
    names = [
        id_of_text(row.texts[0].text) if row.id is None else row.id for row in rows if row.texts
    ]
    owners = [
        name
        for row, name in zip(filter(lambda r: r.texts, rows), names, strict=True)
        for _ in row.texts
    ]
    return Texts(
        each(lambda _, text, __: text.text),
        owners if named or several else None,
        fields=each(lambda _, text, __: text.path),
        key_paths=each(lambda _, text, __: text.key_path),
        lists=each(lambda _, text, __: text.items is not None),
        groups=[number for number, row in enumerate(rows) for _ in row.texts] if several else None,
        followers=each(lambda _, text, __: text.follows) if job.target and several else None,
        protect=each(lambda row, _, at: row.protect[at]) if job.protect_sources else None,
        only=each(lambda row, _, at: row.only[at]) if job.only_sources else None,
        spans=each(_label_spans) if job.spans else None,
    )


def _label_spans(row: RowTexts, _: RowText, at: int) -> list[Span]:
    """Return the spans of one text, of all fields that have some."""
    return [ends_of(span) for owner, labels in row.labels if owner == at for span in labels.spans]


class Written(NamedTuple):
    """What became of texts in one version; columns with an entry for each text.

    Attributes:
        acted: shape (steps, texts); which step acted.
        ids: of the originals.
        texts: after.
        changes: in the notation of records.
        edits: of each.
        spans: where the spans of each are now; None for one that was dropped.
        notes: what the steps say of each.
        statuses: changed, or why not.
    """

    acted: Bool
    ids: list[str]
    texts: list[str]
    changes: list[str]
    edits: list[tuple[Edit, ...]]
    spans: list[tuple[Span | None, ...]]
    notes: list[list[Any]]
    statuses: list[str]


def _written(texts: Texts, version: Version, counts: RowCounts) -> Written:
    order: list[Int64] = []
    columns: tuple[list[Any], ...] = ([], [], [], [], [], [], [])
    acted = np.zeros((len(version.stages), len(texts)), np.bool_)
    for places, batch in perturb_batches(texts, version):
        counts.see_edits(version.condition.label, batch.outcome)
        order.append(places)
        acted[:, places] = batch.acted()
        values: tuple[Sequence[Any], ...] = (
            batch.original_ids,
            batch.texts,
            batch.changes(),
            batch.edits,
            batch.spans,
            batch.notes(),
            batch.statuses,
        )
        for column, own in zip(columns, values, strict=True):
            column += own
    return Written(acted, *in_order(places_in_order(order), *columns))


def _rows(
    rows: Sequence[RowTexts], texts: Texts, version: Version, counts: RowCounts
) -> Iterator[dict[str, Any]]:
    """Yield the rows of one version of rows of any form."""
    written = _written(texts, version, counts)
    statuses = counts.statuses.setdefault(version.condition.label, Counter())
    ends = np.cumsum([len(row.texts) for row in rows]).tolist()
    for row, (first, last) in zip(rows, pairwise([0, *ends]), strict=True):
        part = slice(first, last)
        columns: list[Any] = [column[part] for column in written[1:]]
        own = Written(written.acted[:, part], *columns)
        made = _row(row, own, version)
        statuses[made[LINKAGE]["status"]] += 1
        yield made


def _row(row: RowTexts, written: Written, version: Version) -> dict[str, Any]:
    """Return one row of one version."""
    job = version.job
    name = written.ids[0] if written.ids else row.id or ""
    made = {**row.row, job.id_field: name + version.suffix}
    values = [*_put_texts(made, row, written, name), *_put_answers(made, row, written, name)]
    moved, mapped = _put_labels(made, row, written, version)
    noise = zip(row.texts, written.changes, strict=True)
    changes = [change for text, change in noise if change and not text.follows]
    status = "changed" if changes or values else _first_reason(written.statuses)
    acted = np.any(written.acted, axis=1, keepdims=True)
    code = expected(version, acted, np.array([status == "changed"]))[0]
    expect = EXPECTS[code]
    if expect == "same" and (values or mapped):
        expect = "mapped"
    made[LINKAGE] = _record(
        row, name, job, version.condition.label, status, expect,
        ";".join(filter(None, [row.id_change, *changes, *values, *moved])), version.recipe,
    )  # fmt: skip
    return made


def _record(
    row: RowTexts,
    name: str,
    job: Job,
    condition: str,
    status: str,
    expect: str,
    edits: str,
    recipe: str,
) -> dict[str, str]:
    texts = [text.text for text in row.texts]
    alone = len(job.field) == 1 and not json_path.is_many(job.field[0]) and not job.lean
    values = (
        *(name, texts[0] if alone else "", condition, status, expect, edits),
        *(check_of(texts), recipe),
    )
    return dict(zip(NAMES, values, strict=True))


def _first_reason(statuses: Sequence[str]) -> str:
    """Return why none of several texts changed: the first reason in the order of all reasons."""
    return min(statuses, key=REASONS.index, default="no site")


def _put_texts(made: dict[str, Any], row: RowTexts, written: Written, name: str) -> Iterator[str]:
    """Put the texts into a row; yield the changes of answers among them."""
    for text, after in zip(row.texts, written.texts, strict=True):
        if not text.follows:
            value = after if text.items is None else items_of(after, text.items, name)
            json_path.put_into(made, text.location, value)
        else:
            after = _followed(text.text, after, row, written, name)
            json_path.put_into(made, text.location, after)
            if after != text.text:
                yield written_value(text.path, text.text)


def _put_answers(made: dict[str, Any], row: RowTexts, written: Written, name: str) -> Iterator[str]:
    """Put the answers that are no strings into a row; yield their changes."""
    for location, value in row.answers:
        after = _followed(value, value, row, written, name)
        json_path.put_into(made, location, after)
        if after != value:
            yield written_value(json_path.written(location), value)


def _followed(answer: Any, after: Any, row: RowTexts, written: Written, name: str) -> Any:
    """Return an answer as it is after the steps, where these moved options; else `after`."""
    from perturb.rows.target_field import follow  # few rows have answers

    known: dict[str, Any] = {}
    for text, now, notes in zip(row.texts, written.texts, written.notes, strict=True):
        moved = any("options" in note for note in notes)
        if text.follows or not (text.items or moved):
            continue
        items = None if text.items is None else (text.text.split("\n"), now.split("\n"))
        try:
            followed = follow(answer, notes, text.text, items)
        except DataError as error:
            raise DataError(f"the record {name}: {error}") from None
        if moved or followed != answer:
            known[text.path] = followed
    if len(set(known.values())) > 1:
        told = ", ".join(f"{shown(value)} of {path}" for path, value in known.items())
        raise DataError(
            f"the record {name}: the answer {shown(answer)} is to several texts, whose options "
            f"moved otherwise, so it would be {told}; perturb one of them"
        )
    followed = next(iter(known.values()), answer)
    return after if followed == answer else followed


def _put_labels(
    made: dict[str, Any], row: RowTexts, written: Written, version: Version
) -> tuple[list[str], bool]:
    """Put spans as they are now into a row.

    Returns:
        Their changes; and whether the text of one was changed, not merely moved.
    """
    changes, mapped = [], False
    places = [iter(spans) for spans in written.spans]
    for owner, labels in row.labels:
        before, after = row.texts[owner].text, written.texts[owner]
        if not labels.spans:
            if labels.value:
                check_tags(labels, before, after, written.edits[owner], _moving(version))
            continue
        spans = [next(places[owner]) for _ in labels.spans]
        for label, span in zip(labels.spans, spans, strict=True):
            mapped |= span is None or before[slice(*ends_of(label))] != after[slice(*span)]
        value = moved_labels(labels, spans, after)
        if value != labels.value:
            json_path.put_into(made, labels.location, value)
            changes.append(written_value(json_path.written(labels.location), labels.value))
    return changes, mapped


def _moving(version: Version) -> list[str]:
    """Return the names of the steps that may move words."""
    steps = (step.perturbator for step in version.condition.pipeline.steps)
    return [one.name for one in steps if "order" in one.touches]


def untouched(row: RowTexts, job: Job) -> dict[str, Any]:
    """Return a row as it is, with a record that says so."""
    name = id_of_text(row.texts[0].text) if row.id is None else row.id
    record = _record(
        row, name, job, "original", "original", "same", row.id_change, written_original(job)
    )
    return {**row.row, job.id_field: name, LINKAGE: record}
