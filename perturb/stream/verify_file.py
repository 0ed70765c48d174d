"""Check a file of perturbed rows: make its rows again, and compare."""

from __future__ import annotations

import contextlib
from collections.abc import Collection
from itertools import islice, zip_longest
from typing import NamedTuple

from perturb.errors import DataError, PerturbError, VerificationError
from perturb.io.files import Digest, InputFile
from perturb.io.jsonl import at_line, read
from perturb.records.verify import verify_all
from perturb.registry.parameters import trusting
from perturb.rows.read_records import records_of
from perturb.stream import manifest
from perturb.stream.manifest import Manifest
from perturb.stream.run import run

# The number of rows that are read at a time.
_ROWS = 256


class Checked(NamedTuple):
    """The checks that a file passed.

    Attributes:
        rows: how many rows were checked.
        manifest: whether the file is the one that its manifest describes.
        consistent: how many of the records could only be checked for consistency, since a step of
            theirs is not reproducible.
    """

    rows: int
    manifest: bool
    consistent: int


def verify_file(
    path: str,
    *,
    id_field: str | None = None,
    source: str | None = None,
    trust: Collection[str] = (),
) -> Checked:
    """Check that the rows of a file reproduce their texts, and that it is as its manifest says.

    Args:
        path: of a file that `perturb apply` wrote; "-" is standard input.
        id_field: the field that names a row; by default the manifest's, or "id".
        source: the path of the input, to find the row where the file differs from its manifest.
        trust: files (by their paths) and functions (as "module:function") that records may use.

    Raises:
        VerificationError: a row, or the file, is not as it was written; the message says where.
        DataError: the file or its manifest can't be read.
    """
    with trusting(trust):
        said = manifest.load(path)
    if id_field is None:
        id_field = "id" if said is None else said.job.id_field
    digest, rows, consistent = _check_records(path, id_field, trust)
    if said is not None and digest.hexdigest() != said.sha256:
        raise VerificationError(
            f"{path}: its SHA-256 is not the one in {manifest.path_of(path)}: "
            + _found_against_input(path, source, said)
        )
    return Checked(rows, said is not None, consistent)


def _check_records(path: str, id_field: str, trust: Collection[str]) -> tuple[Digest, int, int]:
    """Make the text of each record again; return the file's digest, its rows, and see `Checked`."""
    rows = consistent = 0
    with contextlib.closing(InputFile(path)) as file:
        lines = read(file)
        while chunk := list(islice(lines, _ROWS)):
            found = []
            for number, row in chunk:
                with at_line(file.name, number):
                    found.append((number, list(records_of(row, id_field))))
            try:
                consistent += verify_all([one for _, records in found for one in records], trust)
            except PerturbError:
                for number, records in found:
                    with at_line(file.name, number):
                        verify_all(records, trust)
                raise
            rows += len(chunk)
        return file.digest, rows, consistent


def _found_against_input(path: str, given: str | None, said: Manifest) -> str:
    """Make the whole file again from its input, where the caller named it, and find the row.

    Returns:
        What can be said where no row is found that differs.

    Raises:
        VerificationError: the first row that differs.
    """
    try:
        source = InputFile(_checked_input(given, said))
    except DataError as error:
        return (
            "something outside of the perturbed texts and their records was changed since it was "
            f"written; in which row can't be said, since {error}"
        )
    with contextlib.closing(source), contextlib.closing(InputFile(path)) as written:
        blocks = run(said.job, source.blocks(), stop_at_bad=False, workers=1)
        wanted = (line for block in blocks for line in bytes(block.data).split(b"\n")[:-1])
        lines = (line for _, block in written.blocks() for line in _cut(block))
        for number, (line, again) in enumerate(zip_longest(lines, wanted), 1):
            if line != again:
                raise VerificationError(f"{path}:{number}: {_difference(line, again, source.name)}")
    return "its rows are as they were written, but the bytes around them are not"


def _checked_input(given: str | None, said: Manifest) -> str:
    """Return the path of the input, if the caller named it and it still holds what it held."""
    if given is None:
        named = "" if said.source is None else f" (it was {said.source})"
        raise DataError(f"its input was not given: --input FILE finds the row{named}")
    with contextlib.closing(InputFile(given)) as source:
        for _ in source.blocks():
            pass
    if source.digest.hexdigest() != said.source_sha256:
        raise DataError(f"{given} does not hold what was perturbed")
    return given


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
