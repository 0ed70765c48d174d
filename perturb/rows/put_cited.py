"""Spans of passages after the steps.

They follow a passage wherever it goes, as right answers do, and the edits of its text. A step that
rewrites items lists the edits in its note `rewritten`: for each the place of the item, the number
of the text among the strings of the item, the start and end there, and the new text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from perturb.engine.scope import Span
from perturb.io import json_path
from perturb.io.json_path import Location
from perturb.io.jsonl import value_of_json
from perturb.plan.job import Version
from perturb.records.batch import RecordBatch, is_dropped
from perturb.records.edit import Edit, growth, project
from perturb.records.notation import written_value
from perturb.records.option_sets import options_in, value_at
from perturb.rows.cited_field import Cited, Quoted, strings_in
from perturb.rows.counts import RowCounts
from perturb.rows.item_field import Told, histories
from perturb.rows.row_texts import RowText, RowTexts
from perturb.rows.span_field import labels_of, with_spans
from perturb.values.spans import ends_of, rebuild


class Written(NamedTuple):
    """A text after the steps, with what may follow it.

    Attributes:
        text: the text.
        edits: from the original to the text.
        spans: its spans now; None for one that was dropped.
        notes: the notes of the steps.
    """

    text: str
    edits: tuple[Edit, ...]
    spans: tuple[Span | None, ...]
    notes: list[Any]


def put_cited(
    perturbed: dict[str, Any],
    row: RowTexts,
    written: Sequence[Written],
    batch: RecordBatch,
    answers: Sequence[str],
    counts: RowCounts,
) -> tuple[list[str], list[str], bool]:
    """Put the spans of passages as they are now into a row.

    Args:
        perturbed: the row, with right answers in place.
        row: the row as it was.
        written: its texts now.
        batch: the batch that its texts are in.
        answers: the changes of right answers, some of them in spans.
        counts: the counts of lists that stayed, and of values with offsets into rewritten texts
            that no span names.

    Returns:
        The changes of right answers outside of these spans; those of the spans; and whether the
        text of one was changed, not merely moved.
    """
    changes, mapped, version = list[str](), False, batch.version
    pairs = [*zip(row.texts, written, strict=True)]
    lists = {text.options.home: (text, now) for text, now in pairs if text.options is not None}
    noise = {text.location: now.edits for text, now in pairs if text.options is None}
    for cited in row.cited:
        (text, now), location = lists[cited.home], cited.labels.location
        states = histories(cited.size, now.notes)
        moves_along = cited.at > 0 and now.text != text.text  # and the record has the whole list
        to = {location: {place: told for place, told in reversed(states) if place is not None}}
        if moves_along:  # with each copy of its item
            to = {
                (*location[: cited.at], at, *location[cited.at + 1 :]): {place: told}
                for at, (place, told) in enumerate(states)
                if place == location[cited.at]
            }
        for where, told in to.items():
            labels = labels_of(where, value_at(perturbed, where), None)  # with its answers
            moved = _moved(cited, told, noise, version)
            spans, texts, changed = zip(*moved, strict=True)
            value = with_spans(labels, spans, texts, version.job.offsets)
            if value != labels.value:
                json_path.put_into(perturbed, [(where, value)])
                mapped |= any(changed)
                path = json_path.written(location)
                changes += [written_value(path, cited.labels.value)] * (not moves_along)
    refused = counts.refused.setdefault(version.condition.label, Counter())
    for text, now in lists.values():
        refused.update(why for note in now.notes for why in note.get("refused", ()))
        if version.job.copies != "ignore" and any("rewritten" in note for note in now.notes):
            counts.copies.update(_unnamed(row, text))
    inside = tuple(change.partition("=")[0] + sign for change in changes for sign in ".[")
    return [each for each in answers if not each.startswith(inside)], changes, mapped


def _unnamed(row: RowTexts, text: RowText) -> set[str]:
    """Return, in words, the objects with offsets into items that are no spans of the job."""
    from perturb.rows.copies import OFFSETS, copies_of, sources_of  # few steps rewrite items

    assert text.options is not None  # it is a list of choices
    home, is_json = text.options.home, text.options.is_json
    items = [value_of_json(item) if is_json else item for item in options_in(text.text, is_json)]
    strings = (value_at(item, at) for item in items for at in strings_in(item, ()))
    texts = [
        (0, text._replace(location=(*home, 0), text=each, items=None, options=None))
        for each in strings
    ]
    named = {home, *(each.labels.location for each in row.cited)}
    found = copies_of(row.row, (), named, sources_of(texts))
    return {copy.told for copy in found if copy.how == OFFSETS}


def _moved(
    cited: Cited,
    told: Mapping[int, Sequence[Told]],
    noise: Mapping[Location, Sequence[Edit]],
    version: Version,
) -> Iterator[tuple[Span | None, str | None, bool]]:
    """Yield where each span is now, None for one that is dropped.

    And with it its text, None where that stays as it is; and whether its own words are others.

    Args:
        cited: the spans.
        told: the edits that each step made of items, by their places.
        noise: the edits of texts by their own steps.
        version: the job.
    """
    for label, quoted in zip(cited.labels.spans, cited.texts, strict=True):
        span: Span | None = ends_of(label)
        text = quoted.text if quoted else ""
        said = text[slice(*ends_of(label))]
        for edits in _steps(quoted, told, noise) if quoted else ():
            made = [Edit(start, end, new, text[start:end]) for start, end, new, *_ in edits]
            if span is not None:
                touched = any(each.start < span[1] and each.end > span[0] for each in made)
                gone = touched and is_dropped(version.job.span_policy)
                span = None if gone else project(made, growth(made), *span)
            text = rebuild(text, made)
        is_other = bool(quoted) and (span is None or said != text[slice(*span)])
        yield span, None if quoted is None or text == quoted.text else text, is_other


def _steps(
    quoted: Quoted, told: Mapping[int, Sequence[Told]], noise: Mapping[Location, Sequence[Edit]]
) -> Iterator[Sequence[Any]]:
    """Yield the edits of a text by noise of its own, and by each step on its list."""
    yield noise.get(quoted.location, ())
    for edits in told.get(quoted.place, ()):
        yield [edit for number, *edit in edits if number == quoted.string]
