"""Copies of perturbed texts in their rows, changed by the edits of the texts."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from perturb.errors import DataError, UsageError
from perturb.io import json_path
from perturb.io.jsonl import parsed_line
from perturb.plan.job import Job
from perturb.records.edit import Edit
from perturb.records.notation import written_text, written_value
from perturb.records.option_sets import value_at, with_line_ends
from perturb.rows.copies import (
    HOLDS_PART,
    IS_VALUE,
    LISTS_PARTS,
    OFFSETS,
    TOKENS,
    copies_in,
    value_of,
)
from perturb.rows.counts import RowCounts
from perturb.rows.row_texts import Copy, RowTexts, Window, row_texts
from perturb.rows.span_field import check_span, labels_of
from perturb.values.spans import rebuild


def has_copies(line: bytes, job: Job) -> bool:
    """Return whether a line is a row with copies of its texts, or none that can be perturbed."""
    with contextlib.suppress(DataError, RecursionError):
        row = parsed_line(0, line, True)
        if row.error is None:
            return bool(copies_in(row_texts(row.value, job, apart=""), job))
    return True


def with_copies(row: RowTexts, job: Job) -> RowTexts:
    """Return a row with the copies in it; offsets become spans of their texts."""
    copies: list[Copy] = []
    labels = [*row.labels]
    for copy in copies_in(row, job):
        path = json_path.written(copy.location)
        try:
            # A record names the place by its path, which a key with a dot in it is not.
            is_found = json_path.locate(row.row, path) == [(copy.location, copy.value)]
            if copy.how == OFFSETS and copy.windows is not None and is_found:
                own = labels_of(copy.location, copy.value, None)
                for span in own.spans:
                    check_span(span, path, row.texts[copy.owner].text)
                labels.append((copy.owner, own))
        except (DataError, UsageError):
            is_found = False
        copies.append(copy if is_found else copy._replace(windows=None))
    return row._replace(copies=copies, labels=labels)


def put_copies(
    perturbed: dict[str, Any], row: RowTexts, edits: Sequence[Sequence[Edit]], counts: RowCounts
) -> tuple[list[str], bool]:
    """Put the copies of texts as they are now into a row, each wholly or not at all.

    Args:
        perturbed: the row.
        row: the row as it was.
        edits: those of each of its texts.
        counts: the counts of what followed, and of what did not.

    Returns:
        The changes; and whether a part of a text was changed, which may be the right answer.
    """
    changes: list[str] = []
    values: list[tuple[json_path.Location, Any]] = []
    mapped, seen = False, {True: set[str](), False: set[str]()}
    for _, group in groupby(row.copies, attrgetter("location")):
        copies = [*group]
        if copies[0].how == IS_VALUE and copies[0].windows is not None:
            location, before, owner = copies[0][:3]
            seen[False].add(copies[0].told)
            if edits[owner]:  # no value at all where the text is no JSON any more
                now = value_of(rebuild(row.texts[owner].text, edits[owner]))
                changes.append(written_value(json_path.written(location), before))
                values.append((location, now))
            continue
        edited = _edited(copies, row, edits)
        seen[edited is None].update(copy.told for copy in copies)
        for location, value, own in edited or ():
            changes.append(written_text(json_path.written(location), own))
            values.append((location, rebuild(value, own)))
            mapped |= bool(own) and copies[0].how in (HOLDS_PART, LISTS_PARTS)
    json_path.put_into(perturbed, values)
    counts.copies.update(seen[True])
    counts.followed.update(seen[False])
    return [*filter(None, changes)], mapped


def _edited(
    copies: Sequence[Copy], row: RowTexts, edits: Sequence[Sequence[Edit]]
) -> list[tuple[json_path.Location, str, list[Edit]]] | None:
    """Return the strings of a value with their edits; None where these can't be told.

    Args:
        copies: the value, once for each text that it depends on.
        row: the row.
        edits: those of each of its texts.
    """
    parts: dict[json_path.Location, list[tuple[Window, int]]] = {}
    for copy in copies:
        if copy.windows is None:
            return None
        for window in copy.windows:
            place = (*copy.location, *window.inside)
            parts.setdefault(place, []).append((window, copy.owner))
    edited = []
    for location, windows in parts.items():
        together: list[Edit] = []
        end = 0
        for window, owner in sorted(windows, key=lambda pair: pair[0].at):
            own = _within(edits[owner], window, row.texts[owner].options is not None)
            if own is None or window.at < end:
                return None
            end = window.at + window.end - window.start
            together += own
        edited.append((location, value_at(row.row, location), together))
    if copies[0].how == TOKENS:
        before = row.texts[copies[0].owner].text
        after = rebuild(before, edits[copies[0].owner]).split()
        tokens = [rebuild(token, own) for _, token, own in edited]
        is_one_each = all(len(token.split()) == 1 for token in tokens)
        is_all = len(after) == len(before.split()) and "".join(after) == "".join(tokens)
        if not is_one_each or not is_all:
            return None
    return edited


def _within(edits: Sequence[Edit], window: Window, of_options: bool) -> list[Edit] | None:
    """Return the edits within a window, as those of the string; None if one crosses its ends."""
    start, end = window.start, window.end
    own: list[Edit] = []
    for edit in edits:
        if edit.start == edit.end:
            is_inside = start < edit.start < end
            is_inside |= edit.start == start and window.opens
            is_inside |= edit.start == end and window.closes
        else:
            is_inside = edit.start < end and edit.end > start
        if is_inside:
            if edit.start < start or edit.end > end:
                return None
            shift = window.at - start
            moved = Edit(edit.start + shift, edit.end + shift, edit.text, edit.removed)
            own.append(with_line_ends(moved) if of_options else moved)
    return own
