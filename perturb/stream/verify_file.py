"""Check a file of perturbed rows, or a folder of such: make the rows again, and compare."""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import zip_longest
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from perturb.boundary import trusting
from perturb.errors import DataError, PerturbError, VerificationError, shown
from perturb.io.addresses import plain_path, public, text_beside
from perturb.io.files import InputFile, sha256_at
from perturb.io.formats import FORMATS, format_of
from perturb.io.inputs import FOLDER_MANIFEST, Inputs, expanded, open_input
from perturb.io.jsonl import at_line, loads
from perturb.plan.job import Job
from perturb.records.ids import TEXT_PREFIX
from perturb.resources import TableError, sha256_of
from perturb.rows.counts import RowCounts
from perturb.rows.read_records import rows_and_lines
from perturb.rows.seen_ids import Ids, SeenIds, ids_in
from perturb.rows.stored import id_in, linkage_in, stored
from perturb.rows.verify import check_same, same, verify_lines, verify_rows
from perturb.stream import manifest
from perturb.stream.manifest import Manifest
from perturb.stream.perturb_file import Reading, perturb_file

_COUNTED = itemgetter("status", "condition")
_WITHOUT_MANIFEST = (
    "there is no manifest beside the file, so whether rows are missing, or are in another order, "
    "and fields that no record names, were not compared"
)
_WITHOUT_RECORDS = (
    "its format has no place for records, so nothing but its SHA-256 was compared; --input FILE "
    "makes it again"
)
_WITHOUT_INPUT = (
    "without --input FILE it was not compared with the input, so a file and a manifest that both "
    "come from another input pass"
)
# What the manifest of a file made again must say too, by the keys that lead there.
_SAME = (
    *((key,) for key in ("contract", "recipe", "counts")),
    *(("input", key) for key in ("sha256", "bytes", "format", "bad_lines", "ids_not_kept")),
    ("output", "format"),
)


class Checked(NamedTuple):
    """The checks that a file passed.

    Attributes:
        rows: how many rows were checked.
        manifest: whether the file is the one that its manifest describes.
        consistent: how many of the rows could only be checked by restoring them, since a step of
            theirs can't be made again.
        not_compared: what could not be compared, and why.
        ids: the ids of the rows that have one.
        shards: of a folder how many files were checked.
        shared_ids: rows of one id in two shards, by their places; one pair a shard at most.
    """

    rows: int
    manifest: bool
    consistent: int
    not_compared: str
    ids: SeenIds
    shards: int = 0
    shared_ids: Sequence[tuple[str, str]] = ()


def verify_file(
    path: str,
    *,
    source: str | Sequence[str] | None = None,
    format: str | None = None,
    trust: Collection[str] = (),
    described: Manifest | None = None,
) -> Checked:
    """Check that the rows of a file reproduce their texts, and that it is as its manifest says.

    Args:
        path: the path of a file that `perturb apply` wrote; "-" is standard input.
        source: the path of the input, or several, to make the whole file again.
        format: see `perturb_file`; by default the manifest's.
        trust: files (by their paths) and functions (as "module:function") that records may use.
        described: the manifest; by default that beside the file.

    Raises:
        VerificationError: a row, or the file, is not as it was written; the message says where.
        DataError: the file or its manifest can't be read.
    """
    described, form = described or manifest.load(path, trust), format
    if described is not None:
        form = described.content["output"]["format"]
        if not described.has_records:
            return _checked_whole(path, source, described, trust)
        if format_of(path, form).typed:
            _check_hash(path, described)  # what parses it was not made for what others damaged
    elif source is not None:
        raise DataError(
            f"{public(path)} has no manifest of perturb apply, which says how to make it again "
            "from --input; without --input its rows are checked alone"
        )
    with contextlib.closing(open_input(path, form)) as file:
        statuses, consistent, ids = _check_rows(file, described and described.job, trust)
        (digest,) = file.digests
    rows = sum(map(Counter.total, statuses.values()))
    if described is None:
        return Checked(rows, False, consistent, _WITHOUT_MANIFEST, ids)
    output, where = described.content["output"], described.path
    is_same = (output.get("sha256"), output.get("bytes")) == (digest.hexdigest(), digest.size)
    if source is not None:
        _check_against_input(path, source, described, trust, digest.hexdigest())
    if not is_same:
        raise VerificationError(
            f"{path}: its SHA-256 is not the one in {where}: something outside the texts "
            "and their records was changed since it was written"
            + ("" if source else "; --input FILE finds the row")
        )
    counts: dict[tuple[str, ...], Any] = {("counts", "rows_written"): rows}
    for label, counter in statuses.items():
        if label is not None:
            counts["counts", "conditions", label, "statuses"] = dict(sorted(counter.items()))
    _compare(where, described.content, counts, "the rows of the file give")
    return Checked(rows, True, consistent, "" if source else _WITHOUT_INPUT, ids)


def _checked_whole(
    path: str, source: str | Sequence[str] | None, described: Manifest, trust: Collection[str]
) -> Checked:
    """Check a file without records, as a whole; see `verify_file`."""
    if source is not None:
        _check_against_input(path, source, described, trust, sha256_at(plain_path(path)))
    _check_hash(path, described)
    rows = described.content["counts"]["rows_written"] if source else 0
    return Checked(rows, True, 0, "" if source else _WITHOUT_RECORDS, SeenIds())


def _check_hash(path: str, described: Manifest) -> None:
    """Refuse a file that is not the one that its manifest describes.

    Raises:
        VerificationError: it is another one.
        DataError: it can't be read.
    """
    if sha256_at(plain_path(path)) != described.content["output"]["sha256"]:
        raise VerificationError(
            f"{path}: its SHA-256 is not the one in {described.path}: it was changed since it was "
            "written, and is read no further"
        )


def verify_folder(
    path: str, *, source: str | Sequence[str] | None = None, trust: Collection[str] = ()
) -> Checked:
    """Check every shard of a folder, and that it holds no other and all that its manifest says.

    Args:
        path: the path of a folder that `perturb apply` wrote, or its address.
        source: the input, to make all shards again.
        trust: see `verify_file`.

    Raises:
        VerificationError: a row, a shard or the manifest is not as it was written.
        DataError: a file can't be read, or the folder has no manifest.
    """
    root = plain_path(path).rstrip("/")
    described = manifest.load(f"{root}/", trust)
    if described is None:
        raise DataError(f"{public(path)} has no {FOLDER_MANIFEST}: apply it to the end")
    content, shards, inputs = described.content, described.content["shards"], None
    places = [member.place for member in expanded(f"{root}/")] if shards else []
    checks = [(places, "is not there", "is in no manifest")]
    if source is not None:
        members = expanded(source)
        inputs = {member.place: str(member) for member in members}
        checks.append(([*inputs], "is of a file that is not among the inputs", "is missing"))
    for there, without_file, without_shard in checks:
        for name in sorted({*there} ^ {*shards}):
            what = without_file if name in shards else without_shard
            raise VerificationError(f"{public(root)}/{name}: the shard {what}")
    seen, counts, shared = SeenIds(), RowCounts(), list[tuple[str, str]]()
    rows, consistent, not_compared = 0, 0, "" if inputs else _WITHOUT_INPUT
    for index, (name, about) in enumerate(shards.items()):
        done = verify_file(
            f"{root}/{name}",
            source=None if inputs is None else inputs[name],
            trust=trust,
            described=described.of_shard(name),
        )
        rows, consistent = rows + done.rows, consistent + done.consistent
        not_compared = done.not_compared  # the same of all: a folder has one format
        counts.add(RowCounts.of(about["counts"]))
        seen.not_kept += done.ids.not_kept
        shared += seen.add_shard(done.ids.given, index, [*shards])
    not_kept = sum(about["input"]["ids_not_kept"] for about in shards.values())
    sums = {("counts",): counts.to_dict(), ("input", "ids_not_kept"): not_kept}
    _compare(described.path, content, sums, "its shards give")
    if source is not None:
        _check_tables(described)
    return Checked(rows, True, consistent, not_compared, seen, len(shards), shared)


def _check_rows(
    file: Inputs, job: Job | None, trust: Collection[str]
) -> tuple[dict[str | None, Counter[str]], int, SeenIds]:
    """Check rows, some at a time; an error says which row it is about.

    Args:
        file: the file of the rows.
        job: the instructions that were followed for each row, if they are known.
        trust: files and functions that records may use.

    Returns:
        How many rows of each condition have each status, the originals as those of None; how many
        could only be checked by restoring them; and their ids.
    """
    statuses: dict[str | None, Counter[str]] = {}
    seen, consistent = SeenIds(), 0

    def check(rows: Sequence[tuple[int, Any]], checked: Ids) -> None:
        """Check rows that stand among others, which were checked."""
        nonlocal consistent
        try:
            consistent += verify_rows([row for _, row in rows], job, trust)
        except PerturbError:
            for number, row in rows:
                with at_line(file.at(number)):
                    verify_rows([row], job, trust)
            raise
        count([linkage_in(row) for _, row in rows])
        ids = checked.with_others(_ids_in(rows))
        if (pair := seen.add(ids)) is not None:
            raise VerificationError(
                f"{file.name}:{pair[1]}: its id is that of row {pair[0]} too, and an id names one "
                "row: two originals had one id, or the rows were written twice"
            )

    def count(records: Iterable[Mapping[str, str]]) -> None:
        """Count the rows of each status and condition."""
        for (status, condition), rows in Counter(map(_COUNTED, records)).items():
            label = None if status == "original" else str(condition)
            statuses.setdefault(label, Counter())[status] += rows

    for given, lines in rows_and_lines(file):
        checked = verify_lines(lines, job, trust)
        ids: dict[int, int] = {}
        left: list[tuple[int, Any]] = []
        for (number, row), stored_line in zip(given, checked, strict=True):
            if stored_line is None:
                with at_line(file.at(number)):
                    is_line = isinstance(row, bytes)
                    left.append((number, loads(row, as_written=True) if is_line else row))
            elif stored_line.id_key is not None:
                ids[number] = stored_line.id_key
        count(row.record for row in checked if row is not None)
        check(left, Ids.of(np.array([*ids.values()], np.uint64), [*ids]))
    return statuses, consistent, seen


def _ids_in(rows: Sequence[tuple[int, Any]]) -> Ids:
    """Return the ids of rows; those that are named by their texts are one where these are equal."""
    ids = ((number, id_in(row)) for number, row in rows)
    named = {number: name for number, name in ids if not name.startswith(TEXT_PREFIX)}
    return ids_in([*named.values()], [*named])


def _check_against_input(
    path: str, source: str | Sequence[str], described: Manifest, trust: Collection[str], sha256: str
) -> None:
    """Make the whole file again, and compare the two and their manifests.

    What the manifest says of the file is not asked: who changes the one may change the other. Of
    steps that never make the same again the rows are compared as they were before.

    Raises:
        VerificationError: the input is another one, or something differs; the message says where.
    """
    if described.job is None:
        raise VerificationError(
            f"{path}: it can't be made again: one of its steps has no name here"
        )
    content = described.content
    form, read = content["output"]["format"], content["input"]
    bad_lines = "skip" if read.get("bad_lines") else "stop"
    sources = expanded(source)
    is_exact = all(step.perturbator.reproducible for step in described.job.steps)
    with tempfile.TemporaryDirectory() as folder:
        again = str(Path(folder, f"again{FORMATS[form].suffixes[0]}"))
        with trusting([*trust, *sources, *filter(None, map(text_beside, sources))]):
            perturb_file(
                sources,
                again,
                described.job,
                Reading(read["format"], read.get("encoding"), read.get("limit"), bad_lines),
                form_out=form,
            )
        now = manifest.read(again)
        assert now is not None  # `perturb_file` wrote it
        origin = f"made again from {' '.join(sources)} it is"
        keys = [keys for keys in _SAME if is_exact or keys != ("counts",)]
        _compare(described.path, content, {each: _value(now, each) for each in keys}, origin)
        _check_tables(described)
        if described.has_records and now["output"]["sha256"] != sha256:
            _compare_rows(path, again, form, is_exact)
        elif not described.has_records and _content(path) != _content(again):
            raise VerificationError(f"{path}: its bytes are not those that are made again")


def _check_tables(described: Manifest) -> None:
    """Refuse a manifest that names a table that is another one here, or none.

    It names all that its process had read until then, which may be more than its rows take.
    """
    try:
        here = {name: sha256_of(name) for name in described.content.get("tables", {})}
    except TableError as error:
        raise VerificationError(f"{described.path}: {error}") from None
    _compare(described.path, described.content, {("tables",): here}, "the tables here give")


def _compare_rows(path: str, again: str, form: str, is_exact: bool) -> None:
    """Find the first row that differs, or else the bytes that do.

    Args:
        path: the path of the file.
        again: that of the file that was made again.
        form: the format of both.
        is_exact: whether rows must be the same, and not only their perturbed parts.

    Raises:
        VerificationError: there is one.
    """
    with (
        contextlib.closing(open_input(path, form)) as file,
        contextlib.closing(open_input(again, form)) as other,
    ):
        pairs = zip_longest(file.rows(), other.rows(), fillvalue=(0, None))
        for (number, row), (_, now) in pairs:
            if row is None or now is None:
                what = "ends before" if row is None else "has one more row at"
                raise VerificationError(f"{path}: the file {what} the end of the rows made again")
            both = (row, now) if is_exact else (stored(row).row, stored(now).row)
            check_same(f"{path}:{number}", *both)
        schema, expected = file.schema, other.schema
    if FORMATS[form].typed:
        if not schema.equals(expected, check_metadata=True):
            raise VerificationError(f"{path}: the types of its columns are not those made again")
    elif is_exact and _content(path) != _content(again):
        raise VerificationError(
            f"{path}: it has the values that are made again, but not their bytes: white space, "
            "quotes, the order of keys, a repeated key or a number differs"
        )


def _content(path: str) -> bytes:
    """Return the SHA-256 of what a file holds, however it is compressed and its lines end."""
    digest = hashlib.sha256()
    for each in filter(None, (path, text_beside(path))):
        with contextlib.closing(InputFile(each, hashed=False)) as file:
            for _, lines in file.blocks():
                digest.update(lines.replace(b"\r\n", b"\n"))
    return digest.digest()


def _compare(name: str, content: Any, expected: Mapping[tuple[str, ...], Any], origin: str) -> None:
    """Compare a manifest with the expected content, by the keys that lead there.

    Raises:
        VerificationError: a value differs; the message names it.
    """
    for keys, value in expected.items():
        stated = _value(content, keys)
        if not same(stated, value):
            where = ".".join(keys)
            raise VerificationError(
                f"{name}: {where} is {shown(stated)}, but {origin} {shown(value)}"
            )


def _value(content: Any, keys: Sequence[str]) -> Any:
    """Return the value to which keys lead; None if there is none."""
    for key in keys:
        content = content.get(key) if isinstance(content, Mapping) else None
    return content
