"""Rows: find the texts in them, perturb these, and write rows with their linkage records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, repeat
from typing import Any

import numpy as np

from perturb.errors import DataError, shown
from perturb.io import json_path
from perturb.io.jsonl import value_of_json
from perturb.plan.job import Job, Version
from perturb.plan.options import LINKAGE
from perturb.plan.recipe import written_original
from perturb.records.batch import RecordBatch, StaysError, expected
from perturb.records.ids import check_of, given_id, with_id
from perturb.records.notation import NAMES, written_value
from perturb.records.option_sets import OptionSet, check_form, listings, options_in, placed
from perturb.records.perturb_texts import perturb_batches
from perturb.records.text_field import items_of
from perturb.records.texts import LISTED, Texts
from perturb.registry.definition import EXPECTS
from perturb.rows.counts import RowCounts
from perturb.rows.item_field import following
from perturb.rows.object_names import check_names
from perturb.rows.put_cited import Written, put_cited
from perturb.rows.row_texts import RowText, RowTexts, by_text, row_texts
from perturb.rows.span_field import check_place, check_tags, moved_labels
from perturb.rows.target_field import Moving, followed, is_followed
from perturb.values.spans import ends_of


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
    parts = list(map(row_texts, rows, repeat(job), apart or repeat(None)))
    missing: dict[int, RowTexts] = {}
    if job.missing != "error":
        missing = {at: part for at, part in enumerate(parts) if part.is_missing}
        parts = [part for at, part in enumerate(parts) if at not in missing]
    if job.copies == "follow":
        from perturb.rows.put_copies import with_copies  # most jobs need none of it

        parts = [with_copies(part, job) for part in parts]
    texts = columns(parts, job)
    versions = [_version(parts, texts, version, counts) for version in job.versions]
    if job.with_original:
        versions.insert(0, [untouched(part, job) for part in parts])
    by_row = list(zip(*versions, strict=True))
    for at, part in missing.items():
        by_row.insert(at, (untouched(part, job),) if job.missing == "keep" else ())
    counts.rows += len(rows)
    counts.texts += len(texts)
    counts.written += sum(map(len, by_row))
    return by_row


def columns(rows: Sequence[RowTexts], job: Job) -> Texts:
    """Return the texts of all rows, as columns."""
    texts = [text for row in rows for text in row.texts]
    has_numbers = job.by_field or any(text.number < 0 for text in texts)
    # A text alone is a row's question, or else its answer, which no noise may reach.
    several = has_numbers or {len(row.texts) for row in rows} != {1}
    named = several or any(row.id is not None for row in rows)
    id_changes = [row.id_change for row in rows for _ in row.texts]
    return Texts(
        [text.text for text in texts],
        [row.name for row in rows for _ in row.texts] if named else None,
        fields=[json_path.written(text.location) for text in texts],
        id_changes=id_changes if any(id_changes) else None,
        key_paths=[text.key_path for text in texts],
        lists=[text.items is not None for text in texts],
        apart=None if named else [row.apart for row in rows],
        groups=[number for number, row in enumerate(rows) for _ in row.texts] if several else None,
        numbers=[text.number for text in texts] if has_numbers else None,
        options=[text.options is not None for text in texts] if job.choices else None,
        beside=[text.beside for text in texts] if job.moves_whole_items or job.beside else None,
        protect=[spans for row in rows for spans in row.protect] if job.protect_sources else None,
        only=[spans for row in rows for spans in row.only] if job.only_sources else None,
        spans=[spans for row in rows for spans in by_text(row.labels, row.texts)]
        if job.spans or job.copies == "follow"
        else None,
    )


def _version(
    rows: Sequence[RowTexts], texts: Texts, version: Version, counts: RowCounts
) -> list[dict[str, Any]]:
    """Return one version of rows, in order."""
    made: list[Any] = [None] * len(rows)
    job, suffix = version.job, version.suffix
    for places, batch in perturb_batches(texts, version):
        counts.see_edits(batch)
        heads = range(len(batch)) if texts.groups is None else batch.given.heads.tolist()
        numbers = (places if texts.groups is None else np.array(batch.given.groups)[heads]).tolist()
        notes = batch.notes if texts.lists and any(texts.lists) else repeat(())
        after = zip(batch.texts, notes, strict=False)
        edges = pairwise([*heads, len(batch)])
        for number, record in zip(numbers, batch.linkages, strict=True):
            row = rows[number]
            perturbed = with_id(row.row, job.id_field, name := record["original_id"] + suffix)
            if job.has_followers:
                own = slice(*next(edges))
                try:
                    record = _put_followers(perturbed, row, batch, own, record, counts)
                except StaysError as error:
                    counts.see_left(batch, own, str(error))
                    record = (perturbed := _unedited(row, job, suffix, version, "no site"))[LINKAGE]
            else:
                values = [
                    (text.location, _in_field(text, *next(after), record)) for text in row.texts
                ]
                json_path.put_into(perturbed, values)
            if any(text.is_json for text in row.texts):
                check_names(row, perturbed)
            if given_id(perturbed, job.id_field) != name:
                raise DataError(
                    f"the id in {job.id_field!r} is within a value that the steps rewrite; name "
                    "the rows by another field with --id-field (id_field= in Python)"
                )
            perturbed[LINKAGE] = record
            made[number] = perturbed
    for number, row in enumerate(rows):
        if not row.texts:
            made[number] = _unedited(row, job, suffix, version, "no site")
    statuses = counts.statuses.setdefault(version.condition.label, Counter())
    statuses.update(row[LINKAGE]["status"] for row in made)
    return made


def _in_field(
    text: RowText, now: str, notes: Iterable[Mapping[str, Any]], record: Mapping[str, str]
) -> Any:
    """Return a text in the form of its field; a step may say that it added an item to a list."""
    if text.is_json:
        return value_of_json(now)
    if text.items is None:
        return now
    added = sum("added" in note for note in notes)
    return items_of(now, text.items + added, record["original_id"])


def _put_followers(
    perturbed: dict[str, Any],
    row: RowTexts,
    batch: RecordBatch,
    own: slice,
    record: dict[str, str],
    counts: RowCounts,
) -> dict[str, str]:
    """Put texts, right answers, spans and copies into a row; return its record.

    Args:
        perturbed: the row.
        row: the row as it was.
        batch: the batch that its texts are in.
        own: their places in it.
        record: the record of the row, but for what follows its texts.
        counts: the counts of copies.
    """
    columns = batch.texts, batch.edits, batch.spans, batch.notes
    written = list(map(Written, *(column[own] for column in columns)))
    options, values = _put_texts(perturbed, row, written, record, batch.version)
    moved, mapped = _put_labels(perturbed, row, written, batch.version)
    if row.cited or batch.version.moves_whole_items:
        values, changes, is_other = put_cited(perturbed, row, written, batch, values, counts)
        moved, mapped = moved + changes, mapped or is_other
    if row.copies:
        from perturb.rows.put_copies import put_copies  # most jobs need none of it

        changes, parts = put_copies(perturbed, row, [text.edits for text in written], counts)
        moved, mapped = moved + changes, mapped or parts
    status, expect = record["status"], record["expect"]
    if values and status != "changed":
        acted = np.any(batch.acted()[:, own], axis=1, keepdims=True)
        status = "changed"
        expect = EXPECTS[expected(batch.version, acted, np.array([True]))[0]]
    # What follows whole items names these, and is no answer to a question.
    if expect == "same" and (mapped or (values and not batch.version.moves_whole_items)):
        expect = "mapped"
    edits = ";".join(filter(None, [record["edits"], *options, *values, *moved]))
    return {**record, "status": status, "expect": expect, "edits": edits}


def _put_texts(
    perturbed: dict[str, Any],
    row: RowTexts,
    written: Sequence[Written],
    record: Mapping[str, str],
    version: Version,
) -> tuple[list[str], list[str]]:
    """Put texts, options and right answers into a row; return the changes of the last two."""
    answers: list[tuple[Sequence[json_path.Location], Any, Any]] = []
    values: list[tuple[json_path.Location, Any]] = []
    moving: list[Moving] = []
    told: list[tuple[json_path.Location, Any, Any]] = []
    for text, after in zip(row.texts, written, strict=True):
        if text.follows and text.options is None:
            answers.append(([text.location], text.text, after.text))
            continue
        if text.options is None:
            value = _in_field(text, after.text, after.notes, record)
            values.append((text.location, value))
            items = None if text.items is None else (text.text.split("\n"), value)
            if items or any(map(is_followed, after.notes)):
                found = Moving(text.path, text.text, items, after.notes, location=text.location)
                moving.append(found)
            continue
        _, labels, first, _, is_json = text.options
        items = options_in(text.text, is_json), options_in(after.text, is_json)
        told += placed(row.row, text.options, *items, version.moves_whole_items)
        told += _listed_too(row, text.options, *items)
        whole = None
        if version.moves_whole_items:
            whole = following(row.row, text.options, items, after.notes, version.job)
        elif items[0] != items[1]:
            check_form(row.row, text.options, False)  # a consistent step may have written in ids
        elif version.job.moves_whole_items is not False:
            continue  # no step on options is there, and nothing has to follow
        found = Moving(
            text.path, text.text, items, after.notes, labels, first, text.location, whole
        )
        moving.append(found)
    options, told = told, []
    answers += ((places, value, value) for places, value in row.answers)
    for places, before, after_steps in answers:
        value = followed(
            before, after_steps, moving, record["original_id"], version.job.fixed, places[0]
        )
        each = ([before], [value]) if len(places) == 1 else (before, value)
        told += zip(places, *each, strict=True)
    changed = [(location, new) for location, old, new in options + told if _differ(old, new)]
    _check_apart(row, written, [location for location, _ in changed])
    json_path.put_into(perturbed, values + changed)
    return _changes(options), _changes(told)


def _check_apart(
    row: RowTexts, written: Sequence[Written], changed: Sequence[json_path.Location]
) -> None:
    """Refuse edits of texts in lists that changed as a whole."""
    for text, after in zip(row.texts, written, strict=True) if changed else ():
        edited = after.edits and not text.follows
        if edited and any(text.location[: len(at)] == at for at in changed):
            raise DataError(
                f"the steps edit {text.path!r} and move the list that holds it: make two "
                "conditions of them, as by --grid"
            )


def _listed_too(
    row: RowTexts, options: OptionSet, before: Sequence[str], after: Sequence[str]
) -> list[tuple[json_path.Location, Any, Any]]:
    """Return the fields that list the options of a set too, and follow it.

    Raises:
        DataError: one can't.
    """
    found = listings(row.row, options.labels, before, after)
    perturbed = {text.location for text in row.texts}
    for location, value, _ in found:
        if location in perturbed or len(before) != len(after):
            name = json_path.written(location)
            raise DataError(
                f"the field {name!r} lists the options too: {shown(value)}; leave {name} out of "
                "--field, and it follows them, but takes no further option"
            )
    return found


def _changes(told: Iterable[tuple[json_path.Location, Any, Any]]) -> list[str]:
    """Return the changes of values, as records have them."""
    return [written_value(json_path.written(at), old) for at, old, new in told if _differ(old, new)]


def _differ(old: Any, new: Any) -> bool:
    """Return whether a value has changed; NaN that stays is itself."""
    return new is not old and bool(new != old)


def _put_labels(
    perturbed: dict[str, Any], row: RowTexts, written: Sequence[Written], version: Version
) -> tuple[list[str], bool]:
    """Put spans as they are now into a row.

    Returns:
        Their changes; and whether the text of one was changed, not merely moved.
    """
    values, mapped = [], False
    places = [iter(text.spans) for text in written]
    for owner, labels in row.labels:
        before, after = row.texts[owner].text, written[owner].text
        if not labels.spans:
            if labels.value:
                across = any("\n" in edit.removed + edit.text for edit in written[owner].edits)
                check_tags(labels, before, after, across, version)
            continue
        spans = [next(places[owner]) for _ in labels.spans]
        for label, span in zip(labels.spans, spans, strict=True):
            check_place(own := ends_of(label), span, before, written[owner].edits, version)
            mapped |= span is None or before[slice(*own)] != after[slice(*span)]
        value = moved_labels(labels, spans, after, version)
        values.append((labels.location, labels.value, value))
    json_path.put_into(perturbed, [(at, new) for at, old, new in values if new != old])
    return _changes(values), mapped


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
    return _unedited(row, job, "", None, "original")


def _unedited(
    row: RowTexts, job: Job, suffix: str, version: Version | None, status: str
) -> dict[str, Any]:
    """Return a row as it is, with a record that says so.

    Args:
        row: the row.
        job: the instructions for each row.
        suffix: the end of its id.
        version: the version that it is of; None for the original.
        status: why it is as it was.
    """
    texts = [text.text for text in row.texts if text.number != LISTED]
    record = (
        row.name,
        texts[0] if job.has_original and texts else "",
        version.condition.label if version else "original",
        status,
        "same",
        row.id_change,
        check_of(texts),
        version.recipe if version else written_original(job),
    )
    linkage = dict(zip(NAMES, record, strict=True))
    return {**with_id(row.row, job.id_field, row.name + suffix), LINKAGE: linkage}
