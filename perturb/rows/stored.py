"""Records as rows of files hold them: restored, and read back as objects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from functools import cached_property
from itertools import accumulate, product
from typing import Any, NamedTuple

from perturb.errors import DataError, PerturbError, UsageError, VerificationError, shown
from perturb.io import json_path
from perturb.io.jsonl import text_of_json, value_of_json
from perturb.plan import recipe
from perturb.plan.arguments import remembered
from perturb.plan.job import Job, Version
from perturb.plan.options import LINKAGE
from perturb.plan.parts import SpanSource, span_sources, suffix_of
from perturb.plan.recipe_text import cut, read_options, split
from perturb.records.batch import StepResult
from perturb.records.edit import Edit, restore
from perturb.records.ids import check_of, given_id, row_in, with_id
from perturb.records.notation import ABSENT, NAMES, Changes, checked, read
from perturb.records.option_sets import option_sets
from perturb.records.perturb_texts import perturb_batches
from perturb.records.record import KeptText, Record
from perturb.records.text_field import holds_json, kind_of, texts_at
from perturb.rows.perturb import columns
from perturb.rows.row_texts import row_texts
from perturb.rows.seen_ids import id_column


class StoredRow(NamedTuple):
    """A row that `perturb apply` wrote, taken apart.

    Attributes:
        given: the row as it is, with the values that its recipe names as values of JSON.
        row: as it was before the steps.
        apart: the hash of the row in its id, where that is made of a text.
        linkage: its record.
        changes: what its record says of them.
        options: the options of the recipe, by their names.
        before: the texts and string answers before, by their paths, in the order of the recipe.
        after: the texts and string answers after, by their paths.
    """

    given: Mapping[str, Any]
    row: dict[str, Any]
    apart: str
    linkage: dict[str, str]
    changes: Changes
    options: Mapping[str, Any]
    before: Mapping[str, str]
    after: Mapping[str, str]


def linkage_in(row: Any) -> Any:
    """Return the record of a row, as an object; of a table of columns, put together of these.

    Raises:
        DataError: the row has none.
    """
    if isinstance(row, Mapping):
        if row.get(LINKAGE) is not None:
            return row[LINKAGE]
        if f"{LINKAGE}.edits" in row:
            return {name: row.get(f"{LINKAGE}.{name}") for name in NAMES}
    raise DataError(
        f"the row has no {LINKAGE!r}: perturb apply didn't write it, or wrote a format without "
        "records, such as plain text, CoNLL or --nested, whose manifest names the input "
        "(a manifest isn't rows: name the file beside it)"
    )


def stored(row: Mapping[str, Any]) -> StoredRow:
    """Take a row apart, and prove its original.

    Raises:
        DataError: the row holds no record, or a damaged one.
        VerificationError: its texts are not those that its edits wrote, or its original is not
            the one of its check.
    """
    linkage = checked(linkage_in(row))
    changes = read(linkage["edits"])
    _, options = _split(linkage["recipe"]), read_options(linkage["recipe"])
    if LINKAGE in row:
        return _restored(row, linkage, changes, options)
    errors: list[PerturbError] = []
    for reading in _readings(row, linkage["recipe"], changes):
        try:
            return _restored(reading, linkage, changes, options)
        except (DataError, VerificationError) as error:
            errors.append(error)
    raise errors[0]


def _readings(row: Mapping[str, Any], text: str, changes: Changes) -> Iterator[dict[str, Any]]:
    """Yield what a row of a table of text may have been, in which a list and a number are strings.

    Its check tells which it was, and the values before tell all that is no text.
    """
    (_, options), usual = split(text), read_options(text)
    rules = (*options.get("protect", ()), *options.get("only", ()))
    sources = (*map(SpanSource.of, options.get("spans", ())), *span_sources(rules))
    spans = [source.path for source in sources]
    cells: dict[str, list[Any]] = {}
    choices = [cut(choice)[1] for choice in usual["choices"]]
    ids = [usual["id_field"]] * json_path.is_path(usual["id_field"])
    for path in (*usual["field"], *choices, *usual["target"], *spans, *ids):
        root = json_path.root_of(path, row)
        if isinstance(cell := row.get(root), str):
            values = _values_of(cell)
            is_text = path not in spans and isinstance(changes.values.get(root, cell), str)
            cells[root] = [cell, *values] if is_text or not values else values
    for path in (*changes.texts, *changes.values):
        root = json_path.root_of(path, row)
        is_text = root == path and isinstance(changes.values.get(path, ""), str)
        is_text |= path == usual["id_field"]  # which names the row, whatever stood there
        if not is_text and isinstance(cell := row.get(root), str):
            cells[root] = _values_of(cell) or [cell]
    for reading in product(*cells.values()):
        yield {**row, **dict(zip(cells, reading, strict=True))}


def _values_of(cell: str) -> list[Any]:
    """Return the value other than a string that a cell may stand for, if there is one."""
    if not cell:
        return [None]
    try:
        value = value_of_json(cell)
    except ValueError:
        return []
    return [] if isinstance(value, str) else [value]


def _restored(
    row: Mapping[str, Any], linkage: dict[str, str], changes: Changes, options: Mapping[str, Any]
) -> StoredRow:
    original = {key: value for key, value in row.items() if key.partition(".")[0] != LINKAGE}
    after = texts_in(original, options)
    values: list[tuple[json_path.Location, Any]] = []
    for path, edits in changes.texts.items():
        location, value = _one(original, path)
        before: Any = restore(_joined(value, path), edits)
        if not isinstance(value, str):
            before = value_of_json(before) if holds_json(value) else before.split("\n")
        values.append((location, before))
    for path, value in changes.values.items():
        if value is ABSENT:
            original.pop(path, None)
            continue
        is_key = not ("." in path or "[" in path)
        location = (path,) if is_key else json_path.locate(original, path)[0][0]
        values.append((location, value))
    json_path.put_into(original, values)
    id_field = options["id_field"]
    name = str(given_id(row, id_field))
    if id_field not in changes.values:
        name_before = _original_id(given_id(row, id_field), linkage, options)
        original = with_id(original, id_field, name_before)
    texts = texts_in(original, options)
    if check_of(texts.values()) != linkage["check"]:
        raise VerificationError(
            f"{name}: its edits don't restore its original: the check is "
            f"{linkage['check']}, and that of these texts {check_of(texts.values())}"
        )
    return StoredRow(row, original, row_in(name), linkage, changes, options, texts, after)


def restored(row: Mapping[str, Any]) -> dict[str, Any]:
    """Give a row back as it was before it was perturbed, from its record alone.

    Args:
        row: a row that `perturb.augment` or `perturb apply` wrote.

    Returns:
        The row with its own id, texts, answers and labels, without the record.

    Raises:
        DataError: the row holds no record, or a damaged one.
        VerificationError: the row was changed since, so that what comes out would not be the
            original; `check` in the record tells.

    Examples:
        >>> import perturb
        >>> rows = [{"id": 7, "question": "How many eggs?"}]
        >>> (row,) = perturb.augment(rows, "char_delete", p=0.2, field="question")
        >>> restored(row)
        {'id': 7, 'question': 'How many eggs?'}
    """
    return stored(row).row


def categories(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the categories of a row, as suites of tests name them.

    Args:
        row: a row that `perturb.augment` or `perturb apply` wrote.

    Returns:
        `("original",)` for an untouched row; else "perturbed", and "perturbed_by:STEP" for each
        step. Where steps were drawn, or have a quoted parameter, the condition names them.

    Raises:
        DataError: the row holds no record, or a damaged one.

    Examples:
        >>> import perturb
        >>> (row,) = perturb.augment([{"text": "Hi there"}], "char_swap", p=0.1)
        >>> categories(row)
        ('perturbed', 'perturbed_by:char_swap:p=0.1')
    """
    linkage = checked(linkage_in(row))
    if linkage["status"] == "original":
        return ("original",)
    steps, _ = _split(linkage["recipe"])
    names = [linkage["condition"]]
    if not set(steps) & set('|("'):
        names = [re.sub(r"@\d+", "", step, count=1) for step in steps.split()]
    return ("perturbed", *(f"perturbed_by:{name}" for name in names))


def _split(text: str) -> tuple[str, Mapping[str, Any]]:
    """Return the steps and the options of a row's recipe."""
    try:
        return split(text)
    except UsageError as error:
        raise DataError(f"the recipe of the row is damaged: {error}") from error


def texts_in(row: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, str]:
    """Return the texts and the string answers of a row, by their paths, as a job reads them."""
    texts = {
        json_path.written(location): _joined(value, path)
        for path in options["field"]
        for location, value in texts_at(row, path, required=options["missing"] == "error")
    }
    for each, text in option_sets(row, options["choices"]):
        texts[json_path.written(each.home or each.places[0])] = text
    for path in options["target"]:
        for location, value in json_path.locate(row, path):
            if isinstance(value, str):
                texts[json_path.written(location)] = value
    return texts


def _one(row: Mapping[str, Any], path: str) -> tuple[json_path.Location, Any]:
    located = json_path.locate(row, path)
    if len(located) != 1:
        raise DataError(f"the edits are of {path!r}, which isn't a text of the row")
    return located[0]


def _joined(value: Any, path: str) -> str:
    """Return a text; the items of a list are its lines."""
    if isinstance(value, str):
        return value
    if holds_json(value):
        return text_of_json(value)
    if not isinstance(value, list):
        raise DataError(
            f"the field {path!r} must be a string or a list of strings; got {kind_of(value)}"
        )
    return "\n".join(map(str, value))


def id_in(row: Mapping[str, Any]) -> str:
    """Return the id of a row that perturb wrote."""
    name = read_options(linkage_in(row)["recipe"])["id_field"]
    column = id_column(row, name)
    if column != name and isinstance(cell := row.get(str(column)), str):  # of a table of text
        row = {**row, str(column): (_values_of(cell) or [cell])[0]}
    return str(given_id(row, name))


def _original_id(id: Any, linkage: Mapping[str, str], options: Mapping[str, Any]) -> str:
    """Return the id of the original: that of the row without its condition and replicate."""
    if not isinstance(id, str):
        raise DataError(f"the row has no id in {options['id_field']!r}; got {shown(id)}")
    if linkage["status"] == "original":
        return id
    suffix = suffix_of(linkage["condition"], options["replicate"])
    if not id.endswith(suffix):
        raise VerificationError(f"{id}: the id of the row does not end with {suffix}")
    return id.removesuffix(suffix)


def records_in(row: Mapping[str, Any]) -> Iterator[Record]:
    """Yield the records of the texts in a row of a file.

    Raises:
        DataError: the row holds no record, or a damaged one.
        VerificationError: its original is not the one of its check.
    """
    parts = stored(row)
    answers = {
        json_path.written(location)
        for target in parts.options["target"]
        for location, _ in json_path.locate(parts.row, target)
    } | {
        json_path.written(each.home or each.places[0])
        for each, _ in option_sets(parts.row, parts.options["choices"])
    }
    for path in parts.before:
        if path in parts.changes.texts or path not in answers:  # no step wrote in an answer
            yield Record(StoredText(parts, path), 0)


def changed_values(row: Mapping[str, Any]) -> Iterator[tuple[str, str, list[Edit]]]:
    """Yield what a step changed in a row besides its texts, such as options and passages.

    Yields:
        The path, the value before as JSON, with a line for each item of a list, and its edits.
    """
    parts = stored(row)
    for path, value in parts.changes.values.items():
        if path == parts.options["id_field"]:
            continue
        before, after = map(_lines, (value, _one(row, path)[1]))
        starts = [0, *accumulate(map(len, before))]
        matcher = SequenceMatcher(None, before, after, autojunk=False)
        changes = [each for each in matcher.get_opcodes() if each[0] != "equal"]
        edits = [
            Edit(starts[first], starts[last], "".join(after[a:b]), "".join(before[first:last]))
            for _, first, last, a, b in changes
        ]
        yield path, "".join(before), edits


def _lines(value: Any) -> list[str]:
    if not isinstance(value, list):
        return [text_of_json(value)]
    return [f"{text_of_json(item)}\n" for item in value]


def record_of(row: Mapping[str, Any]) -> Record:
    """Return the record of a row with one text.

    Raises:
        DataError: it holds no record, several, or a damaged one.
    """
    records = list(records_in(row))
    if len(records) != 1:
        raise DataError(f"the row must hold one text with a record; it holds {len(records)}")
    return records[0]


class StoredText(KeptText):
    """One text of a row of a file, as the source of its record.

    Args:
        parts: the parts of the row.
        path: to the text.
    """

    def __init__(self, parts: StoredRow, path: str) -> None:
        super().__init__(
            ids=[str(given_id(parts.given, parts.options["id_field"]))],
            fields=[path],
            texts=[parts.after[path]],
            originals=[parts.before[path]],
            original_ids=[parts.linkage["original_id"]],
            statuses=[parts.linkage["status"]],
            edits=[parts.changes.texts.get(path, ())],
            spans=[()],  # those of a row are in a field of it
            linkages=[parts.linkage],
        )
        self.parts = parts

    @cached_property
    def version(self) -> Version:
        """What made the text."""
        linkage = self.parts.linkage
        return version_of(linkage["recipe"], linkage["condition"])

    def steps(self, row: int) -> tuple[StepResult, ...]:  # noqa: ARG002
        """Make the steps again, and return what each did with the text."""
        texts = columns([row_texts(self.parts.row, self.version.job)], self.version.job)
        for places, batch in perturb_batches(texts, self.version):
            for number, place in enumerate(places.tolist()):
                if texts.fields is not None and [texts.fields[place]] == self.fields:
                    return batch.steps(number)
        return ()


def version_of(text: str, label: str) -> Version:
    """Return the version of a row by its recipe and its condition.

    Raises:
        UsageError: its steps are not known here.
        DataError: it is of another contract.
    """
    return _job_of(text, label).versions[0]


@remembered
def _job_of(text: str, label: str) -> Job:
    job = recipe.read(text)
    if len(job.conditions) != 1:
        raise DataError(f"the recipe of a row has the steps of one condition; got {shown(text)}")
    (condition,) = job.conditions
    return job.replaced(conditions=(condition._replace(label=label),))
