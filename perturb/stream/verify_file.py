"""Check a file of perturbed rows: make its rows again, and compare."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from io import BytesIO
from itertools import islice, zip_longest
from typing import Any, NamedTuple

from perturb.errors import DataError, PerturbError, VerificationError
from perturb.io.files import Digest, InputFile
from perturb.io.formats import Inputs, expanded, open_input, read_rows
from perturb.io.jsonl import at_line
from perturb.io.parquet_files import ParquetInput
from perturb.records.record import text_records_in
from perturb.records.schema import LINKAGE
from perturb.records.verify import are_same_again, verify_all
from perturb.registry.parameters import trusting
from perturb.rows.job import RowCounts
from perturb.rows.read_records import records_of
from perturb.stream import manifest
from perturb.stream.compare_manifest import SeenRecords, compare, compare_with_records, counted
from perturb.stream.manifest import Manifest
from perturb.stream.output import row_writer
from perturb.stream.perturb_blocks import perturb_blocks
from perturb.stream.pieces import pieces

# The number of rows that are read at a time.
_ROWS = 256
_WITHOUT_MANIFEST = (
    "there is no manifest beside the file, so fields other than the texts and their records, the "
    "order and the number of rows, and whether all rows are of one run were not compared"
)
_WITHOUT_INPUT = (
    "without --input FILE it was not compared with the input: a manifest and a file that were "
    "both made anew from another input would pass"
)


class Checked(NamedTuple):
    """The checks that a file passed.

    Attributes:
        rows: how many rows were checked.
        manifest: whether the file is the one that its manifest describes.
        consistent: how many of the records could only be checked for consistency, since a step of
            theirs is not reproducible.
        not_compared: what could not be compared, and why.
    """

    rows: int
    manifest: bool
    consistent: int
    not_compared: str = ""


def verify_file(
    path: str,
    *,
    id_field: str | None = None,
    source: str | Sequence[str] | None = None,
    format: str | None = None,
    trust: Collection[str] = (),
) -> Checked:
    """Check that the rows of a file reproduce their texts, and that it is as its manifest says.

    Args:
        path: of a file that `perturb apply` wrote; "-" is standard input.
        id_field: the field that names a row; by default the manifest's, or "id".
        source: the path of the input, or several, to make the whole file again; without it a file
            that has no records can't be checked.
        format: see `perturb_file`; by default the manifest's.
        trust: files (by their paths) and functions (as "module:function") that records may use.

    Raises:
        VerificationError: a row, or the file, is not as it was written; the message says where.
        DataError: the file or its manifest can't be read.
    """
    with trusting(trust):
        said = manifest.load(path)
    if said is not None and said.form.record == "none":
        return _check_without_records(path, source, said)
    if id_field is None:
        id_field = "id" if said is None else said.job.id_field
    form = format if said is None else said.form.format
    digest, rows, consistent, seen = _check_records(path, form, id_field, trust)
    if said is None:
        return Checked(rows, False, consistent, _WITHOUT_MANIFEST)
    _check_digest(path, digest, source, said)
    compare_with_records(str(manifest.path_of(path)), said.said, said.job, seen, rows)
    if source is None:
        return Checked(rows, True, consistent, _WITHOUT_INPUT)
    _check_against_input(path, source, said)
    return Checked(rows, True, consistent)


def _check_without_records(
    path: str, source: str | Sequence[str] | None, said: Manifest
) -> Checked:
    """Check a file whose manifest says that records were left out."""
    if source is None:
        raise DataError(
            f"{path}: it was written without records (--record none), so it can only be made again "
            "as a whole: give the input with --input FILE"
        )
    with contextlib.closing(InputFile(path)) as file:
        for _ in file.blocks():
            pass
    _check_digest(path, file.digest, source, said)
    return Checked(_check_against_input(path, source, said).written, True, 0)


def _check_digest(
    path: str, digest: Digest, source: str | Sequence[str] | None, said: Manifest
) -> None:
    """Compare the bytes of a file with what its manifest says of them."""
    name = str(manifest.path_of(path))
    if digest.hexdigest() != said.sha256:
        raise VerificationError(
            f"{path}: its SHA-256 is not the one in {name}: "
            + _found_against_input(path, source, said)
        )
    compare(name, "output", said.said["output"], {"bytes": digest.size}, "the file has")


def _check_records(
    path: str, form: str | None, id_field: str, trust: Collection[str]
) -> tuple[Digest, int, int, SeenRecords]:
    """Make the text of each record again; return the file's digest, its rows, and see `Checked`."""
    rows, consistent, seen = 0, 0, SeenRecords()
    with contextlib.closing(open_input(path, form)) as file:
        lines = read_rows(file)
        while chunk := list(islice(lines, _ROWS)):
            linkages = _same_again(chunk, id_field, trust)
            if linkages is None:
                linkages, unproven = _with_care(file.name, chunk, id_field, trust)
                consistent += unproven
            for linkage in linkages:
                seen.see(linkage)
            rows += len(chunk)
        return file.digest, rows, consistent, seen


def _same_again(
    chunk: Sequence[tuple[int, Any]], id_field: str, trust: Collection[str]
) -> list[Mapping[str, Any]] | None:
    """Return the records of rows, if all of them come out the same when they are made again."""
    try:
        found = [one for _, row in chunk for one in text_records_in(row, id_field)]
    except PerturbError:
        return None
    return [one.linkage for one in found] if are_same_again(found, trust) else None


def _with_care(
    name: str, chunk: Sequence[tuple[int, Any]], id_field: str, trust: Collection[str]
) -> tuple[list[Mapping[str, Any]], int]:
    """Check each record of rows, and say which is wrong.

    Returns:
        The records, and how many could only be checked for consistency.
    """
    found = []
    for number, row in chunk:
        with at_line(name, number):
            found.append((number, list(records_of(row, id_field))))
    try:
        consistent = verify_all([one for _, records in found for one in records], trust)
    except PerturbError:
        for number, records in found:
            with at_line(name, number):
                verify_all(records, trust)
        raise
    return [one.to_dict()[LINKAGE] for _, records in found for one in records], consistent


def _found_against_input(path: str, given: str | Sequence[str] | None, said: Manifest) -> str:
    """Make the whole file again from its input, where the caller named it, and find the row.

    Returns:
        What can be said where no row is found that differs.

    Raises:
        VerificationError: the first row that differs.
    """
    try:
        source = _checked_inputs(given, said)
    except DataError as error:
        return (
            "something outside of the perturbed texts and their records was changed since it was "
            f"written; in which row can't be said, since {error}"
        )
    _compare_lines(path, source, said)
    return "its rows are as they were written, but the bytes around them are not"


def _check_against_input(path: str, given: str | Sequence[str], said: Manifest) -> RowCounts:
    """Make the whole file again from its input, and compare it and all that its manifest counts.

    Returns:
        The counts of its rows.

    Raises:
        VerificationError: the input is another one, or something differs; the message says where.
    """
    try:
        source = _checked_inputs(given, said)
    except DataError as error:
        raise VerificationError(f"{path}: it can't be made again: {error}") from None
    counts, bad_lines = _compare_lines(path, source, said)
    name, again = str(manifest.path_of(path)), f"made again from {source.name} it is"
    compare(name, "counts", said.said["counts"], counted(counts), again)
    read = {"bytes": source.read, "bad_lines": bad_lines}
    compare(name, "input", said.said["input"], read, again)
    return counts


def _compare_lines(path: str, source: Inputs, said: Manifest) -> tuple[RowCounts, int]:
    """Compare the lines of a file with those made again from its input.

    Returns:
        The counts of the rows, and how many lines of the input were left out.

    Raises:
        VerificationError: the first row that differs.
    """
    counts, bad = RowCounts(), [0]
    with contextlib.closing(source):
        pairs = zip_longest(_lines_in(path, said), _lines_again(source, said, counts, bad))
        for number, (line, again) in enumerate(pairs, 1):
            if line != again:
                raise VerificationError(f"{path}:{number}: {_difference(line, again, source.name)}")
    return counts, bad[0]


def _lines_in(path: str, said: Manifest) -> Iterator[bytes]:
    """Yield the lines of a file; of Parquet the rows, as lines of JSON."""
    parquet = said.form.format == "parquet"
    with contextlib.closing(ParquetInput(path) if parquet else InputFile(path)) as written:
        for _, block in written.blocks():
            yield from _cut(block)


def _lines_again(
    source: Inputs, said: Manifest, counts: RowCounts, bad: list[int]
) -> Iterator[bytes]:
    """Yield the lines that a file should have; of Parquet the rows, as lines of JSON.

    Args:
        source: the inputs.
        said: the manifest.
        counts: the counts to which the rows are added.
        bad: the number to which the lines that are left out are added.
    """
    out = _Kept()
    # The rows of Parquet come as JSON here, and are compared so.
    form = said.form._replace(format="jsonl") if said.form.format == "parquet" else said.form
    rows = row_writer(out, "", form, source, said.job)
    blocks = pieces(source.blocks(), said.job.versions)
    for block in perturb_blocks(said.job, blocks, stop_at_bad=False, workers=1):
        rows.write(block.data)
        counts.add(block.counts)
        bad[0] += len(block.bad)
        yield from out.lines()
    rows.finish()
    yield from out.lines()


class _Kept(BytesIO):
    """A file in memory, whose lines can be taken out."""

    def lines(self) -> list[bytes]:
        """Return the lines that were written since the last time."""
        data = self.getvalue()
        self.seek(0)
        self.truncate()
        return _cut(data) if data else []


def _checked_inputs(given: str | Sequence[str] | None, said: Manifest) -> Inputs:
    """Return the inputs, if the caller named them and they still hold what they held."""
    if given is None:
        named = f" (it was {', '.join(said.sources)})" if said.sources else ""
        raise DataError(f"its input was not given: --input FILE finds the row{named}")
    paths = expanded([given] if isinstance(given, str) else given)
    with contextlib.closing(Inputs(paths, said.source_format)) as source:
        for _ in source.blocks():
            pass
    if [digest.hexdigest() for digest in source.digests] != said.source_sha256:
        raise DataError(f"{source.name} does not hold what was perturbed")
    return Inputs(paths, said.source_format)


def _cut(block: bytes) -> list[bytes]:
    return block.removesuffix(b"\n").split(b"\n")


def _difference(line: bytes | None, again: bytes | None, origin: str) -> str:
    if line is None:
        return f"the file ends here; made again from {origin} it has more rows"
    if again is None:
        return f"made again from {origin} the file ends before this row"
    pairs = enumerate(zip(line, again, strict=False))
    at = next((i for i, (a, b) in pairs if a != b), min(len(line), len(again)))
    near = slice(max(at - 20, 0), at + 20)
    return (
        f"at byte {at + 1} of the line stands {line[near]!r}; "
        f"made again from {origin} it is {again[near]!r}"
    )
