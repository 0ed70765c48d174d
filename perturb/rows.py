"""Rows: find the texts in them, perturb these, and write rows with their linkage records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from perturb import answers, paths
from perturb.engine.protect import Span
from perturb.errors import DataError
from perturb.fields import items_of, kind_of, text_of
from perturb.identity import checked_id, id_of_text
from perturb.jobs import Counts, Job
from perturb.labels import ends_of, labels_in, spans_in, with_moved
from perturb.linkage import Texts, batches
from perturb.record import CONTRACT, LINKAGE
from perturb.settings import Settings


class Target(NamedTuple):
    """One row and the texts in it.

    Attributes:
        row: the row.
        id: what names it; None for its one text.
        locations: where the texts stand.
        texts: the texts; the items of a list are the lines of one.
        items: how many items each text has; None for one that is a string.
        protect: where no edit may be.
        only: where alone edits may be.
        spans: what is carried along.
        answer: where the right answer stands, and what it is.
    """

    row: Mapping[str, Any]
    id: str | None
    locations: Sequence[paths.Location]
    texts: list[str]
    items: Sequence[int | None]
    protect: Sequence[Span] = ()
    only: Sequence[Span] = ()
    spans: Sequence[Mapping[str, Any] | Sequence[Any]] = ()
    answer: tuple[paths.Location, Any] | None = None


_STRING = (None,)


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
    value = row.get(job.field)
    if isinstance(value, str):  # as nearly always
        texts = [value]
        found = Target(row, _id(row, job, texts), ((job.field,),), texts, _STRING)
    else:
        found = _searched(row, job)
    if not job.reads_more:
        return found
    texts = found.texts
    return found._replace(
        protect=spans_in(row, job.protect_field, texts),
        only=spans_in(row, job.only_field, texts),
        spans=labels_in(row, job.spans_field, texts),
        answer=_answer(row, job.answer_field, texts),
    )


def _searched(row: Mapping[str, Any], job: Job) -> Target:
    """What to perturb in a row where that is not simply a string."""
    found = _texts(row, job.field)
    locations = [location for location, _ in found]
    texts = [text_of(value, paths.written(location)) for location, value in found]
    items = [len(value) if isinstance(value, list) else None for _, value in found]
    return Target(row, _id(row, job, texts), locations, texts, items)


class Version(NamedTuple):
    """What became of one text.

    Attributes:
        original_id: what names the original.
        text: the text after.
        linkage: its record, as an object or as JSON.
    """

    original_id: str
    text: str
    linkage: Any


def perturb_rows(
    targets: Sequence[Target], job: Job, counts: Counts | None = None, *, as_json: bool = False
) -> list[dict[str, Any]]:
    """Perturb the texts of rows.

    Args:
        targets: the rows, as `target` found them.
        job: what to do.
        counts: what is counted is added here.
        as_json: whether the rows are only to be written as JSON, their records being so already.

    Returns:
        For each row, in order, what comes of it.
    """
    counts = counts or Counts()
    texts = _columns(targets, job)
    # What a record says of an answer is added to the object, and its spans are read there.
    as_json = as_json and job.answer_field is None and job.spans_field is None
    runs = [_run(texts, settings, job.compact, as_json, counts) for settings in job.settings]
    made: list[dict[str, Any]] = []
    start = 0
    for one in targets:
        own = slice(start, start := start + len(one.texts))
        name = runs[0][own.start].original_id if one.id is None else one.id
        if job.with_original:
            made.append({**one.row, job.id_field: name, LINKAGE: _untouched(one, name, job)})
        for settings, versions in zip(job.settings, runs, strict=True):
            row = {**one.row, job.id_field: name + settings.suffix}
            made.append(_version(row, one, versions[own], job))
    counts.rows += len(targets)
    counts.written += len(made)
    return made


def _run(
    texts: Texts, settings: Settings, compact: bool, as_json: bool, counts: Counts
) -> list[Version]:
    """What becomes of the texts, in order."""
    made: list[Any] = [None] * len(texts.texts)
    for rows, columns in batches(texts, settings):
        counts.see(columns.outcome)
        linkages = (columns.json_in_rows if as_json else columns.in_rows)(compact)
        versions = map(Version, columns.original_ids, columns.texts, linkages)
        for row, version in zip(rows, versions, strict=True):
            made[row] = version
    return made


def _version(
    row: dict[str, Any], one: Target, versions: Sequence[Version], job: Job
) -> dict[str, Any]:
    """The row with its texts perturbed, its answer and labels moved, and its records."""
    said = [version.linkage for version in versions]
    for location, items, version in zip(one.locations, one.items, versions, strict=True):
        name, text, linkage = version
        value = text if items is None else items_of(text, items, name)
        paths.put_into(row, location, value)
        if one.answer is not None:
            linkage["answer"] = _said_answer(*one.answer)
            paths.put_into(row, one.answer[0], _followed(one, version, value))
        if job.spans_field is not None:
            row = with_moved(row, job.spans_field, one.spans, linkage["spans"])
    row[LINKAGE] = _one_or_many(said, job)
    return row


def _one_or_many(said: list[Any], job: Job) -> Any:
    return said if paths.is_many(job.field) else said[0]


def _columns(targets: Sequence[Target], job: Job) -> Texts:
    """The texts of all rows, as columns."""

    def each(value: Callable[[Target], Any]) -> list[Any]:
        return [value(one) for one in targets for _ in one.texts]

    return Texts(
        [text for one in targets for text in one.texts],
        _ids(targets),
        [paths.written(location) for one in targets for location in one.locations],
        each(lambda one: one.protect) if job.protect_field else None,
        each(lambda one: one.only) if job.only_field else None,
        each(lambda one: [ends_of(span) for span in one.spans]) if job.spans_field else None,
    )


def _ids(targets: Sequence[Target]) -> list[str] | None:
    """What names the original of each text; None where all are named by their texts."""
    if all(one.id is None for one in targets):
        return None
    return [id_of_text(text) if one.id is None else one.id for one in targets for text in one.texts]


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


def _followed(one: Target, version: Version, value: str | list[str]) -> Any:
    """The answer after the steps."""
    try:
        return answer_after(version.linkage, one.texts[0], value)
    except DataError as error:
        raise DataError(f"the record {version.original_id}: {error}") from None


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


def _id(row: Mapping[str, Any], job: Job, texts: Sequence[str]) -> str | None:
    """What names a row; None where that is its one text, which is hashed with others later."""
    given = row.get(job.id_field)
    if given is None:
        return id_of_text("\0".join(texts)) if paths.is_many(job.field) else None
    try:
        return checked_id(given)
    except TypeError as error:
        raise DataError(f"the field {job.id_field!r}: {error}") from None


def _untouched(one: Target, name: str, job: Job) -> Any:
    said: list[dict[str, Any]] = [
        {
            "original_id": name,
            **({} if job.compact else {"original": text}),
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
    return _one_or_many(said, job)
