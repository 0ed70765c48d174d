"""Check that rows and records are what their steps make of their originals."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import chain, pairwise
from operator import itemgetter
from typing import Any

import numpy as np

from perturb.boundary import Code, File, Lexicon, trusting
from perturb.errors import PerturbError, UnknownStepError, VerificationError, shown
from perturb.plan.job import Job, Version
from perturb.plan.options import LINKAGE
from perturb.plan.recipe import read
from perturb.plan.recipe_text import read_options
from perturb.records.batch import RecordBatch
from perturb.records.ids import given_id
from perturb.records.perturb_texts import perturb_batch
from perturb.records.record import Record
from perturb.registry.registry import is_of_library
from perturb.rows.block import perturb_lines
from perturb.rows.perturb import perturb_each
from perturb.rows.stored import StoredRow, StoredText, stored, version_of
from perturb.rows.stored_block import StoredLine, stored_lines

# Rows that agree in these are made again together.
_MADE_BY = itemgetter("recipe", "condition")


def verify(record: Record | Mapping[str, Any], *, trust: Collection[str] = ()) -> bool:
    """Check that a record's edits give its text, and that its steps give the same again.

    A record of a function that is not reproducible, or that has no name here, is checked by
    restoring its original alone.

    Args:
        record: the record; or a row that holds one, in any of its fields.
        trust: files (by their paths) and functions (as "module:function") that the steps of the
            record may use. A record is data: its names are neither opened nor run otherwise.

    Returns:
        True.

    Raises:
        VerificationError: they do not; the message says what differs.
        UsageError: a version of a perturbator is not installed; or the record names a file or a
            function that is not trusted.
        DataError: the row holds no record, or a damaged one.
        TypeError: it is neither a record nor a row.

    Examples:
        >>> import perturb
        >>> perturb.verify(perturb.apply("The quick brown fox", "keyboard_typos", p=0.2))
        True
        >>> rows = [{"question": "How many eggs?"}]
        >>> (row,) = perturb.augment(rows, "keyboard_typos", p=0.2, field="question")
        >>> perturb.verify(row)
        True
    """
    if not isinstance(record, Record | Mapping):
        raise TypeError(
            f"expected a record, as perturb.apply returns it; got {shown(record)}; "
            "perturb verify FILE verifies a file, and perturb.read_records(FILE) gives its records"
        )
    if isinstance(record, Record) and _knows_its_steps(record):
        _verify_again(record)
        return True
    if isinstance(record, Record):  # one that was read knows its row
        source = record._source
        record = source.parts.given if isinstance(source, StoredText) else record.to_dict()
    verify_rows([record], trust=trust)
    return True


def _knows_its_steps(record: Record) -> bool:
    """Return true if a record was made by steps of this process, which open and import nothing."""
    batch = record._source
    return isinstance(batch, RecordBatch) and not any(
        not step.perturbator.reproducible
        or is_of_library(step.perturbator.name)
        or any(isinstance(value, File | Code | Lexicon) for value in step.parameters.values())
        for step in batch.version.condition.pipeline.steps
    )


def _verify_again(record: Record) -> None:
    """Refuse a record whose steps make another of its text.

    Raises:
        VerificationError: they do; the message names what differs.
    """
    source = record._source
    assert isinstance(source, RecordBatch)
    text = source.given.where(np.arange(len(source)) == record._row)
    again = Record(perturb_batch(text, source.version), 0)
    fields = ("text", "edits", "status")
    before, now = ({name: getattr(each, name) for name in fields} for each in (record, again))
    check_same(record.id, before, now)
    if record.restore() != record.original:
        raise VerificationError(f"{record.id}: its edits don't restore its original")


def verify_rows(
    rows: Sequence[Mapping[str, Any]], job: Job | None = None, trust: Collection[str] = ()
) -> int:
    """Check many rows, those of one version together; see `verify`.

    Args:
        rows: the rows.
        job: what made them, where a manifest tells; else their recipes tell.
        trust: see `verify`.

    Returns:
        The number of rows that were checked by restoring alone, since a step of theirs can't be
        made again.

    Raises:
        VerificationError: the first row that is not as it was written.
    """
    alike: dict[tuple[str, ...], list[int]] = {}
    parts = [stored(row) for row in rows]
    for number, part in enumerate(parts):
        alike.setdefault(_MADE_BY(part.linkage), []).append(number)
    restored_alone = 0
    with trusting(trust):
        for numbers in alike.values():
            group = [parts[number] for number in numbers]
            again = _made_again(group, job)
            if again is None:
                restored_alone += len(group)
                continue
            for number, row in zip(numbers, again, strict=True):
                _compare(parts[number], row)
    return restored_alone


def verify_lines(
    lines: Sequence[bytes], job: Job | None = None, trust: Collection[str] = ()
) -> list[StoredLine | None]:
    """Check many lines of JSON; return those that their originals give again.

    Args:
        lines: the lines, without their ends.
        job: see `verify_rows`.
        trust: see `verify`.

    Returns:
        None for each that differs in a byte, or can't be told so: `verify_rows` says which it is.
    """
    parts = stored_lines(lines, proven=False)  # lines made again have the check too
    alike: dict[tuple[str, ...], list[int]] = {}
    for number, part in enumerate(parts):
        if part is not None:
            alike.setdefault(_MADE_BY(part.record), []).append(number)
    checked: list[StoredLine | None] = [None] * len(lines)
    with trusting(trust):
        for numbers in alike.values():
            own = [part for number in numbers if (part := parts[number]) is not None]
            try:
                alone = _alone(own[0].record, job)
            except PerturbError:
                continue
            originals = b"\n".join([part.original for part in own])
            made = alone and perturb_lines(1, originals, alone)
            if not made:
                continue
            taken = [numbers[at - 1] for at in made.numbers.tolist()]
            given = b"".join([lines[number] + b"\n" for number in taken])
            data = made.data.tobytes()
            if data != given:  # as it is where something was changed
                edges = zip(taken, pairwise([0, *made.ends.tolist()]), strict=True)
                taken = [at for at, (start, end) in edges if data[start : end - 1] == lines[at]]
            for number in taken:
                checked[number] = parts[number]
    return checked


def _made_again(parts: Sequence[StoredRow], job: Job | None) -> list[dict[str, Any]] | None:
    """Make the rows of one version again; return None where a step of theirs can't be."""
    alone = _alone(parts[0].linkage, job)
    if alone is None:
        return None
    # The home of a row may have been another one, which the hash in its id is of.
    rows, apart = [part.row for part in parts], [part.apart for part in parts]
    return [*chain.from_iterable(perturb_each(rows, alone, apart=apart))]


def _alone(linkage: Mapping[str, str], job: Job | None) -> Job | None:
    """Return the job that makes the version of a row alone; None where a step of it can't.

    Args:
        linkage: the record of the row.
        job: what made it, where a manifest tells.
    """
    if linkage["status"] == "original":
        return read(linkage["recipe"]).replaced(with_original=True)
    try:
        version = _version(linkage, job)
    except UnknownStepError:
        return None
    if not all(step.perturbator.reproducible for step in version.condition.pipeline.steps):
        return None
    return version.job.replaced(
        conditions=(version.condition,),
        first_replicate=version.replicate,
        replicates=1,
        with_original=False,
    )


def _version(linkage: Mapping[str, str], job: Job | None) -> Version:
    """Return the version of a job that a row is of, or that its recipe tells."""
    recipe, label = linkage["recipe"], linkage["condition"]
    if job is None:
        return version_of(recipe, label)
    versions = {(each.condition.label, each.replicate): each for each in job.versions}
    version = versions.get((label, read_options(recipe)["replicate"]))
    if version is None or version.recipe != recipe:
        raise VerificationError(f"the recipe of a row, {shown(recipe)}, isn't in its manifest")
    return version


def _compare(part: StoredRow, again: Mapping[str, Any]) -> None:
    """Refuse a row that is not the one made again.

    Raises:
        VerificationError: they differ; the message names the field.
    """
    name = given_id(part.given, part.options["id_field"])
    flat = {key: value for key, value in part.given.items() if key.partition(".")[0] != LINKAGE}
    flat |= {f"{LINKAGE}.{key}": value for key, value in part.linkage.items()}
    expected = {key: value for key, value in again.items() if key != LINKAGE}
    expected |= {f"{LINKAGE}.{key}": value for key, value in again[LINKAGE].items()}
    check_same(f"{name}", flat, expected)


def check_same(where: str, row: Mapping[str, Any], again: Mapping[str, Any]) -> None:
    """Refuse a row that is not the one made again.

    Raises:
        VerificationError: they differ; the message says where, and names the field.
    """
    for key in dict.fromkeys([*again, *row]):
        got, now = row.get(key), again.get(key)
        if not same(got, now):
            raise VerificationError(
                f"{where}: {key} is {shown(got)}; made again it is {shown(now)}"
            )


def same(value: Any, other: Any) -> bool:
    """Return true if two values of rows are the same, of the same types; NaN is itself."""
    pairs = [(value, other)]  # not by recursion, which ends before the depth of JSON does
    while pairs:
        value, other = pairs.pop()
        if type(value) is not type(other):
            return False
        if isinstance(value, Mapping):
            if value.keys() != other.keys():
                return False
            pairs += [(value[key], other[key]) for key in value]
        elif isinstance(value, list | tuple):
            if len(value) != len(other):
                return False
            pairs += zip(value, other, strict=True)
        elif not (value == other or (value != value and other != other)):
            return False
    return True
