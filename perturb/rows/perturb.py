"""Rows: find the texts in them, perturb these, and write rows with their linkage records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

from perturb._version import CONTRACT
from perturb.engine.protection import Span
from perturb.errors import DataError
from perturb.io import json_path
from perturb.io.jsonl import text_of_json
from perturb.records.ids import checked_id, id_of_text, is_name_of_text, may_name_texts
from perturb.records.perturb_texts import perturb_batches
from perturb.records.run_config import RunConfig
from perturb.records.schema import LINKAGE
from perturb.records.texts import Texts, in_order, places_in_order
from perturb.rows.job import Job, RowCounts
from perturb.rows.span_field import ends_of, labels_in, spans_in, with_moved
from perturb.rows.text_field import items_of, kind_of, text_of, texts_at
from perturb.values.arrays import Int64


class Target:
    """One row and the texts in it.

    Attributes:
        row: the row.
        id: the id of the row; None if its one text is to name it.
        places: where the texts stand, and how many items each has; None for a string.
        texts: the texts; the items of a list are the lines of one.
        protect: where no edit may be.
        only: the spans that edits are restricted to.
        spans: the spans to carry along.
        answer: the place of the right answer, and its value.
    """

    __slots__ = ("answer", "id", "only", "places", "protect", "row", "spans", "texts")

    def __init__(
        self,
        row: Mapping[str, Any],
        id: str | None,
        places: Sequence[tuple[json_path.Location, int | None]],
        texts: list[str],
    ) -> None:
        self.row = row
        self.id = id
        self.places = places
        self.texts = texts
        self.protect: Sequence[Span] = ()
        self.only: Sequence[Span] = ()
        self.spans: Sequence[Mapping[str, Any] | Sequence[Any]] = ()
        self.answer: tuple[json_path.Location, Any] | None = None


def target(row: Any, job: Job) -> Target:
    """Find the texts to perturb in a row.

    Raises:
        DataError: the row is no mapping, or a field is missing or not of its kind.
    """
    if not isinstance(row, Mapping):
        hint = "; in JSON lines each object has a line of its own" if isinstance(row, list) else ""
        raise DataError(f"a row is a JSON object; got {kind_of(row)}{hint}")
    if LINKAGE in row:
        raise DataError(
            f"the row has a {LINKAGE!r} already; to perturb a text several times "
            "give all steps in one run"
        )
    values = _texts(row, job.field)
    texts = [text_of(value, json_path.written(location)) for location, value in values]
    places = [
        (location, len(value) if isinstance(value, list) else None) for location, value in values
    ]
    found = Target(row, _id(row, job, texts), places, texts)
    if job.reads_more:
        found.protect = spans_in(row, job.protect_field, found.texts)
        found.only = spans_in(row, job.only_field, found.texts)
        found.spans = labels_in(row, job.spans_field, found.texts, places[0][1] if places else None)
        found.answer = _answer(row, job.target, found.texts)
    return found


class Versions(NamedTuple):
    """The perturbed versions of the texts of rows, in order.

    Attributes:
        original_ids: the ids of the originals.
        texts: the texts after.
        linkages: their records, as objects or as JSON.
    """

    original_ids: list[str]
    texts: list[str]
    linkages: list[Any]


def perturb_rows(
    rows: Sequence[Any], job: Job, counts: RowCounts | None = None, *, as_json: bool = False
) -> list[dict[str, Any]]:
    """Perturb the texts of rows.

    Args:
        rows: the rows.
        job: the instructions for each row.
        counts: the counts to which these rows are added.
        as_json: whether the rows are only to be written as JSON, their records being so already.

    Returns:
        The output rows of each row, in order.

    Raises:
        DataError: one of the rows is wrong.
    """
    counts = counts or RowCounts()
    targets: list[Target] = []
    texts = plain_texts(rows, job)
    names = texts and texts.ids
    if texts is None:
        targets = [target(row, job) for row in rows]
        names = _names(targets)
        texts = _columns(targets, names, job)
    # The answer is added to the object of a record, and the spans are read there.
    as_json = as_json and job.target is None and job.spans_field is None
    if job.compact:
        check_names_of_texts(texts)
    runs = [_run(texts, settings, job.compact, as_json, counts) for settings in job.settings]
    names = names or runs[0].original_ids
    made = [_untouched_rows(targets, names, job)] if job.with_original else []
    for settings, versions in zip(job.settings, runs, strict=True):
        ids = [name + settings.suffix for name in names]
        made.append(
            _rows(targets, ids, versions, job) if targets else _plain_rows(rows, ids, versions, job)
        )
    counts.rows += len(rows)
    counts.texts += len(texts)
    counts.written += len(rows) * len(made)
    return list(chain.from_iterable(zip(*made, strict=True)))


def check_names_of_texts(texts: Texts) -> None:
    """Refuse ids that look like the hash of a text and are that of another one.

    By such an id, and by nothing else, a compact record proves its original.

    Raises:
        DataError: there is one.
    """
    if texts.ids is None or not may_name_texts(texts.ids):
        return
    for name, text, field in zip(texts.ids, texts.texts, texts.fields or (), strict=False):
        if is_name_of_text(name, field) and name != id_of_text(text):
            raise DataError(
                f"the id {name} is that of a text without one, but not of this text: name another "
                "field with --id-field, or leave --compact out"
            )


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
    if job.reads_more or job.many or job.with_original or set(map(type, rows)) != {dict}:
        return None
    if any(LINKAGE in row for row in rows):
        return None
    texts = [row.get(job.field) for row in rows]
    ids = [row.get(job.id_field) for row in rows]
    if set(map(type, texts)) != {str} or not are_usual_ids(ids):
        return None
    return Texts(texts, names_of_rows(ids), [job.field] * len(texts))


def are_usual_ids(ids: Sequence[Any]) -> bool:
    """Return true if all are strings or whole numbers, or all None."""
    kinds = set(map(type, ids))
    return kinds <= {str, int} or kinds == {type(None)}


def names_of_rows(ids: Sequence[Any]) -> list[str] | None:
    """Return usual ids as strings; None where rows are named by their texts."""
    return None if None in ids[:1] else list(map(str, ids))


def _names(targets: Sequence[Target]) -> list[str] | None:
    """Return the id of each row; None where all are named by their one text."""
    if all(one.id is None for one in targets):
        return None
    return [id_of_text(one.texts[0]) if one.id is None else one.id for one in targets]


def _columns(targets: Sequence[Target], names: Sequence[str] | None, job: Job) -> Texts:
    """Return the texts of all rows, as columns."""

    def each(value: Callable[[Target], Any]) -> list[Any]:
        return [value(one) for one in targets for _ in one.texts]

    named = names and zip(names, targets, strict=True)
    return Texts(
        [text for one in targets for text in one.texts],
        [name for name, one in named for _ in one.texts] if named else None,
        [json_path.written(location) for one in targets for location, _ in one.places],
        each(lambda one: one.protect) if job.protect_field else None,
        each(lambda one: one.only) if job.only_field else None,
        each(lambda one: [ends_of(span) for span in one.spans]) if job.spans_field else None,
    )


def _run(
    texts: Texts, settings: RunConfig, compact: bool, as_json: bool, counts: RowCounts
) -> Versions:
    """Perturb the texts and return their versions."""
    order: list[Int64] = []
    made = Versions([], [], [])
    for rows, columns in perturb_batches(texts, settings):
        counts.see(columns.outcome)
        order.append(rows)
        made.original_ids.extend(columns.original_ids)
        made.texts.extend(columns.texts)
        made.linkages.extend((columns.json_in_rows if as_json else columns.in_rows)(compact))
    return Versions(*in_order(places_in_order(order), *made))


def _rows(
    targets: Sequence[Target], ids: Sequence[str], versions: Versions, job: Job
) -> list[dict[str, Any]]:
    """Return the rows with texts perturbed, answers and labels moved, and records added."""
    rows = [{**one.row, job.id_field: name} for one, name in zip(targets, ids, strict=True)]
    owners = [row for row, one in zip(rows, targets, strict=True) for _ in one.texts]
    places = [place for one in targets for place in one.places]
    for row, (location, items), name, text in zip(owners, places, *versions[:2], strict=True):
        value = text if items is None else items_of(text, items, name)
        json_path.put_into(row, location, value)
    if job.target is not None:
        for row, one, name, linkage in zip(rows, targets, *versions[::2], strict=True):
            _follow(row, one, name, linkage)
    if job.spans_field is not None:
        moved = zip(rows, targets, versions.texts, versions.linkages, strict=True)
        rows = [
            with_moved(
                row, job.spans_field, one.spans, linkage, (one.texts[0], text), job.reordering
            )
            for row, one, text, linkage in moved
        ]
    _put_records(rows, targets, versions.linkages, job)
    return rows


def _plain_rows(
    rows: Sequence[Any], ids: Sequence[str], versions: Versions, job: Job
) -> list[dict[str, Any]]:
    """Do as `_rows` does, for rows whose texts `plain_texts` found."""
    return [
        {**row, job.id_field: name, job.field: text, LINKAGE: linkage}
        for row, name, text, linkage in zip(rows, ids, *versions[1:], strict=True)
    ]


def _put_records(
    rows: Sequence[dict[str, Any]], targets: Sequence[Target], linkages: Iterable[Any], job: Job
) -> None:
    """Put the record of its one text, or a list of those of its texts, into each row."""
    said: Iterable[Any] = linkages
    if job.many:
        each = iter(linkages)
        said = (list(islice(each, len(one.texts))) for one in targets)
    for row, records in zip(rows, said, strict=True):
        row[LINKAGE] = records


def _texts(row: Mapping[str, Any], path: str) -> list[tuple[json_path.Location, Any]]:
    try:
        found = texts_at(row, path)
    except DataError as error:
        raise DataError(
            f"{error}; say with --field (field= in Python) which field holds the text"
        ) from None
    if len(found) != 1 and not json_path.is_many(path):
        raise DataError(
            f"the field {path!r} must be one text, but {len(found)} of its parts are; "
            f"give it as {path}[type=text].text"
        )
    return found


def _answer(
    row: Mapping[str, Any], path: str | None, texts: Sequence[str]
) -> tuple[json_path.Location, Any] | None:
    if path is None:
        return None
    if len(texts) != 1:
        raise DataError(f"the answer in {path!r} is to one text, but the row has {len(texts)}")
    found = json_path.locate(row, path)
    if len(found) != 1:
        raise DataError(f"the path {path!r} must lead to one answer; found {len(found)}")
    return found[0]


def _said_answer(location: json_path.Location, answer: Any) -> dict[str, Any]:
    return {"field": json_path.written(location), "original": text_of_json(answer)}


def _follow(row: dict[str, Any], one: Target, name: str, linkage: dict[str, Any]) -> None:
    """Put the answer as it is after the steps into a row, and as it was into its record."""
    from perturb.rows.target_field import answer_after  # most rows have no answer

    assert one.answer is not None  # `target` found it
    linkage["answer"] = _said_answer(*one.answer)
    ((location, _),) = one.places
    try:
        after = answer_after(linkage, one.texts[0], json_path.at(row, location))
    except DataError as error:
        raise DataError(f"the record {name}: {error}") from None
    json_path.put_into(row, one.answer[0], after)


def _id(row: Mapping[str, Any], job: Job, texts: Sequence[str]) -> str | None:
    """Return the id of a row; None where its one text names it, to be hashed with others later."""
    given = row.get(job.id_field)
    if given is None:
        return id_of_text("\0".join(texts)) if job.many else None
    try:
        return checked_id(given)
    except TypeError as error:
        raise DataError(f"the field {job.id_field!r}: {error}") from None


def _untouched_rows(
    targets: Sequence[Target], names: Sequence[str], job: Job
) -> list[dict[str, Any]]:
    """Return the rows as they are, with records that say so."""
    rows = [{**one.row, job.id_field: name} for one, name in zip(targets, names, strict=True)]
    linkages = [
        _untouched(one, name, text, location, job)
        for one, name in zip(targets, names, strict=True)
        for text, (location, _) in zip(one.texts, one.places, strict=True)
    ]
    _put_records(rows, targets, linkages, job)
    return rows


def _untouched(
    one: Target, name: str, text: str, location: json_path.Location, job: Job
) -> dict[str, Any]:
    return {
        "original_id": name,
        **({} if job.compact else {"original": text}),
        "field": json_path.written(location),
        "replicate": 0,
        "seed": job.settings[0].seed,
        "steps": [],
        "edits": [],
        "status": "original",
        "reason": "",
        "rate": 0.0,
        "categories": ["original"],
        "contract": CONTRACT,
        "pipeline": "",
        "scope": "",
        **({} if job.spans_field is None else {"spans": list(map(_object, one.spans))}),
        **({} if one.answer is None else {"answer": _said_answer(*one.answer)}),
    }


def _object(label: Mapping[str, Any] | Sequence[Any]) -> dict[str, int]:
    """Return a span as records hold it."""
    return dict(zip(("start", "end"), ends_of(label), strict=True))
