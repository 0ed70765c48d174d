"""Rows: find the texts in them, perturb these, and write rows with their linkage records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from perturb import answers, paths
from perturb.engine.protect import Span
from perturb.engine.run import REASONS, Outcome
from perturb.errors import DataError, UsageError
from perturb.fields import items_of, kind_of, text_of
from perturb.linkage import Settings, Texts, batches, checked_id, checked_settings, id_of_text
from perturb.pipeline import Pipeline
from perturb.record import CONTRACT

LINKAGE = "perturbation"


@dataclass(frozen=True)
class Job:
    """What to do with every row.

    Attributes:
        settings: what to do with its texts; each gives a row of its own.
        field: the path to the texts.
        id_field: the field that names a row; a row without it is named by its texts.
        protect_field: the field with spans that no edit may touch; one list for one text.
        only_field: the field with spans where alone edits may be.
        spans_field: the field with spans to carry along; the output row has them moved.
        answer_field: the field with the right one of several options; the output row has it named
            as it is after the steps.
        with_original: whether the untouched row comes first.
        compact: whether to leave the original out, and keep in each edit what it removed.
    """

    settings: Sequence[Settings]
    field: str = "text"
    id_field: str = "id"
    protect_field: str | None = None
    only_field: str | None = None
    spans_field: str | None = None
    answer_field: str | None = None
    with_original: bool = False
    compact: bool = False

    @cached_property
    def reads_more(self) -> bool:
        """Whether more is read of a row than its texts and its id."""
        fields = (self.protect_field, self.only_field, self.spans_field, self.answer_field)
        return any(field is not None for field in fields)

    @property
    def versions(self) -> int:
        """How many rows come of one."""
        return len(self.settings) + self.with_original


class Target(NamedTuple):
    """One row and the texts in it.

    Attributes:
        row: the row.
        id: what names it.
        locations: where the texts stand.
        texts: the texts; the items of a list are the lines of one.
        items: how many items each text has; None for one that is a string.
        protect: where no edit may be.
        only: where alone edits may be.
        spans: what is carried along.
        answer: where the right answer stands, and what it is.
    """

    row: Mapping[str, Any]
    id: str
    locations: list[paths.Location]
    texts: list[str]
    items: list[int | None]
    protect: Sequence[Span] = ()
    only: Sequence[Span] = ()
    spans: Sequence[Mapping[str, Any] | Sequence[Any]] = ()
    answer: tuple[paths.Location, Any] | None = None


@dataclass
class Counts:
    """What came of the rows so far."""

    rows: int = 0
    written: int = 0
    changed: int = 0
    edits: int = 0
    units: int = 0
    reasons: dict[str, int] = field(default_factory=dict)

    def add(self, more: Counts) -> None:
        """Count what was counted elsewhere too."""
        self.rows += more.rows
        self.written += more.written
        self.changed += more.changed
        self.edits += more.edits
        self.units += more.units
        for reason, number in more.reasons.items():
            self.reasons[reason] = self.reasons.get(reason, 0) + number


def job_of(
    pipelines: Sequence[Pipeline],
    *,
    replicates: int = 1,
    field: str = "text",
    id_field: str = "id",
    spans_field: str | None = None,
    answer_field: str | None = None,
    with_original: bool = False,
    compact: bool = False,
    seed: int = 0,
    protect: Any = None,
    only: Any = None,
    span_policy: str = "grow",
) -> Job:
    """Make a job of what a caller wrote; every pipeline gives `replicates` rows for each row.

    Raises:
        UsageError: a value that can't be.
        TypeError: a value of a wrong type.
    """
    if not isinstance(replicates, int) or isinstance(replicates, bool) or replicates < 1:
        raise UsageError(f"replicates must be a whole number from 1; got {replicates!r}")
    labels = [str(pipeline) for pipeline in pipelines]
    if len(set(labels)) < len(labels):
        raise UsageError(f"two of the pipelines are the same: {', '.join(labels)}")
    protect, protect_field = _field_rule(protect, "protect")
    only, only_field = _field_rule(only, "only")
    if only_field is not None:
        if only is not None and "json" in only:
            raise UsageError(f"only json and only field:{only_field} exclude each other: give one")
        only = only or []
    made = []
    for pipeline, label in zip(pipelines, labels, strict=True):
        settings = checked_settings(
            pipeline, seed=seed, protect=protect, only=only, span_policy=span_policy
        )
        label = label if len(pipelines) > 1 else ""
        made += [replace(settings, replicate=r, label=label) for r in range(replicates)]
    for path in (field, spans_field, answer_field, protect_field, only_field):
        if path is not None:
            paths.parse(path)
    for taken, use in ((LINKAGE, "the linkage record"), (field, "the text")):
        if id_field == taken:
            raise UsageError(f"the field {taken!r} holds {use}; the id needs a field of its own")
    for taken, use in ((LINKAGE, "the linkage record"), (field, "the text"), (id_field, "the id")):
        if answer_field == taken:
            raise UsageError(f"the field {taken!r} holds {use}; the answer needs one of its own")
    return Job(
        made,
        field,
        id_field,
        protect_field,
        only_field,
        spans_field,
        answer_field,
        with_original,
        compact,
    )


def _field_rule(rules: Any, name: str) -> tuple[Any, str | None]:
    """Take `field:PATH` out of the rules."""
    rules = [rules] if isinstance(rules, str) else list(rules or ())
    fields = [rule[6:] for rule in rules if isinstance(rule, str) and rule.startswith("field:")]
    if len(fields) > 1:
        raise UsageError(f"{name} takes spans from one field; got {' and '.join(fields)}")
    rest = [rule for rule in rules if not (isinstance(rule, str) and rule.startswith("field:"))]
    return rest or None, fields[0] if fields else None


def target(row: Any, job: Job) -> Target:
    """Find what to perturb in a row.

    Raises:
        DataError: the row is no mapping, or a field is missing or not of its kind.
    """
    if not isinstance(row, (dict, Mapping)):  # the first is found faster
        raise DataError(f"a row is a JSON object; got {kind_of(row)}")
    if LINKAGE in row:
        raise DataError(
            f"the row has a {LINKAGE!r} already; to perturb a text several times "
            "give all steps in one run"
        )
    found = _texts(row, job.field)
    locations = [location for location, _ in found]
    texts = [
        value if isinstance(value, str) else text_of(value, paths.written(location))
        for location, value in found
    ]
    items = [len(value) if isinstance(value, list) else None for _, value in found]
    name = _id(row, job.id_field, texts)
    if not job.reads_more:
        return Target(row, name, locations, texts, items)
    return Target(
        row,
        name,
        locations,
        texts,
        items,
        _spans(row, job.protect_field, texts),
        _spans(row, job.only_field, texts),
        _labels(row, job.spans_field, texts),
        _answer(row, job.answer_field, texts),
    )


def perturb_rows(
    targets: Sequence[Target], job: Job, counts: Counts | None = None, *, as_json: bool = False
) -> list[dict[str, Any]]:
    """Perturb the texts of rows.

    Args:
        targets: the rows, as `target` found them.
        job: what to do.
        counts: what is counted is added here.
        as_json: whether the rows are only to be written as JSON, their edits being so already.

    Returns:
        For each row, in order, what comes of it.
    """
    counts = counts or Counts()
    texts = _columns(targets, job)
    as_json = as_json and not job.compact
    runs = [(settings, _run(texts, settings, counts, as_json)) for settings in job.settings]
    made: list[dict[str, Any]] = []
    for one in targets:
        if job.with_original:
            made.append({**one.row, job.id_field: one.id, LINKAGE: _untouched(one, job)})
        for settings, results in runs:
            row = {**one.row, job.id_field: one.id + settings.suffix}
            made.append(_version(row, one, results, job))
    counts.rows += len(targets)
    counts.written += len(made)
    return made


def _run(
    texts: Texts, settings: Settings, counts: Counts, as_json: bool
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The texts perturbed, in order, each with its linkage."""
    made: list[Any] = [None] * len(texts.texts)
    for rows, columns in batches(texts, settings):
        _count(counts, columns.outcome)
        linkages = columns.fragments if as_json else columns.linkages
        for row, text, linkage in zip(rows, columns.texts, linkages, strict=True):
            made[row] = text, linkage
    return iter(made)


def _version(
    row: dict[str, Any], one: Target, results: Iterator[tuple[str, dict[str, Any]]], job: Job
) -> dict[str, Any]:
    """The row with its texts perturbed, its answer and labels moved, and its records."""
    said: list[dict[str, Any]] = []
    for location, items in zip(one.locations, one.items, strict=True):
        text, linkage = next(results)
        value = text if items is None else items_of(text, items, one.id)
        paths.put_into(row, location, value)
        if one.answer is not None:
            linkage["answer"] = _said_answer(*one.answer)
            paths.put_into(row, one.answer[0], _followed(one, linkage, value))
        if job.spans_field is not None:
            row = _with_labels(row, job.spans_field, one.spans, linkage["spans"])
        said.append(_compact(linkage) if job.compact else linkage)
    row[LINKAGE] = _one_or_many(said, job)
    return row


def _one_or_many(said: list[dict[str, Any]], job: Job) -> Any:
    return said if paths.is_many(job.field) else said[0]


def _columns(targets: Sequence[Target], job: Job) -> Texts:
    """The texts of all rows, as columns."""

    def each(value: Callable[[Target], Any]) -> list[Any]:
        return [value(one) for one in targets for _ in one.texts]

    return Texts(
        [text for one in targets for text in one.texts],
        each(lambda one: one.id),
        [paths.written(location) for one in targets for location in one.locations],
        each(lambda one: one.protect) if job.protect_field else None,
        each(lambda one: one.only) if job.only_field else None,
        each(lambda one: [_ends(span) for span in one.spans]) if job.spans_field else None,
    )


def _texts(row: Mapping[str, Any], path: str) -> list[tuple[paths.Location, Any]]:
    try:
        return paths.locate(row, path)
    except DataError as error:
        raise DataError(f"{error}; say with --field which field holds the text") from None


def _answer(
    row: Mapping[str, Any], path: str | None, texts: Sequence[str]
) -> tuple[paths.Location, Any] | None:
    if path is None:
        return None
    if len(texts) != 1:
        raise DataError(f"the answer in {path!r} is to one text, but the row has {len(texts)}")
    found = paths.locate(row, path)
    if len(found) != 1:
        raise DataError(f"the path {path!r} must lead to one answer; found {len(found)}")
    return found[0]


def _said_answer(location: paths.Location, answer: Any) -> dict[str, Any]:
    return {"field": paths.written(location), "original": answer}


def _followed(one: Target, linkage: Mapping[str, Any], value: str | list[str]) -> Any:
    """The answer after the steps."""
    try:
        return answer_after(linkage, one.texts[0], value)
    except DataError as error:
        raise DataError(f"the record {one.id}: {error}") from None


def answer_after(linkage: Mapping[str, Any], original: str, value: str | list[str]) -> Any:
    """What the answer that a record holds is called after its steps.

    Args:
        linkage: the record.
        original: the text before.
        value: what the field of the text holds now.

    Raises:
        DataError: it is none of the options.
    """
    items = (original.split("\n"), value) if isinstance(value, list) else None
    return answers.follow(linkage["answer"]["original"], linkage["steps"], original, items)


def _id(row: Mapping[str, Any], field: str, texts: Sequence[str]) -> str:
    given = row.get(field)
    if given is None:
        return id_of_text("\0".join(texts))
    try:
        return checked_id(given)
    except TypeError as error:
        raise DataError(f"the field {field!r}: {error}") from None


def _spans(row: Mapping[str, Any], path: str | None, texts: Sequence[str]) -> Sequence[Span]:
    return () if path is None else [_ends(label) for label in _labels(row, path, texts)]


def _labels(row: Mapping[str, Any], path: str | None, texts: Sequence[str]) -> Sequence[Any]:
    """The spans in a field, as they stand there: pairs, pairs with a label, or mappings."""
    if path is None:
        return ()
    if len(texts) != 1:
        raise DataError(f"the spans in {path!r} are for one text, but the row has {len(texts)}")
    found = paths.locate(row, path)
    if len(found) != 1:
        raise DataError(f"the path {path!r} must lead to one list of spans; found {len(found)}")
    ((_, labels),) = found
    if not isinstance(labels, list):
        raise DataError(f"the field {path!r} must be a list of spans; got {kind_of(labels)}")
    for label in labels:
        start, end = _ends(label)
        if not 0 <= start <= end <= len(texts[0]):
            raise DataError(
                f"the span {label!r} in {path!r} does not lie in its text, "
                f"of {len(texts[0])} code points"
            )
    return labels


def _ends(label: Any) -> Span:
    if isinstance(label, Mapping):
        label = [label.get("start"), label.get("end")]
    match label:
        case [int(start), int(end), *_]:
            return start, end
    raise DataError(
        f"a span is written [start, end], [start, end, label] or "
        f'{{"start": ..., "end": ...}}; got {label!r}'
    )


def _with_labels(
    row: dict[str, Any], path: str, labels: Sequence[Any], moved: Sequence[Any]
) -> dict[str, Any]:
    """The row with its spans moved; those that were dropped are left out."""
    ((location, _),) = paths.locate(row, path)
    kept: list[Any] = []
    for label, span in zip(labels, moved, strict=True):
        if span is None:
            continue
        if isinstance(label, Mapping):
            kept.append({**label, "start": span[0], "end": span[1]})
        else:
            kept.append([*span, *label[2:]])
    changed: dict[str, Any] = paths.put(row, location, kept)
    return changed


def _untouched(one: Target, job: Job) -> Any:
    said: list[dict[str, Any]] = [
        {
            "original_id": one.id,
            "original": text,
            "field": paths.written(location),
            "replicate": 0,
            "seed": job.settings[0].seed,
            "steps": [],
            "edits": [],
            "status": "original",
            "reason": None,
            "rate": 0.0,
            "categories": ["original"],
            "contract": CONTRACT,
        }
        for location, text in zip(one.locations, one.texts, strict=True)
    ]
    if one.answer is not None:
        said[0]["answer"] = _said_answer(*one.answer)
    if job.compact:
        said = [_compact(linkage) for linkage in said]
    return _one_or_many(said, job)


def _compact(linkage: dict[str, Any]) -> dict[str, Any]:
    """The linkage without the original; each edit ends in what it removed."""
    original = linkage["original"]
    kept = {key: value for key, value in linkage.items() if key != "original"}
    kept["edits"] = [[*edit, original[edit[0] : edit[1]]] for edit in linkage["edits"]]
    return kept


def _count(counts: Counts, outcome: Outcome) -> None:
    for tally in outcome.tallies:
        counts.edits += int(tally.edits.sum())
        counts.units += int(tally.units.sum())
    for reason, number in zip(REASONS, np.bincount(outcome.reasons).tolist(), strict=False):
        if not reason:
            counts.changed += number
        elif number:
            counts.reasons[reason] = counts.reasons.get(reason, 0) + number
