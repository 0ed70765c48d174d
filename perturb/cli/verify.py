"""`perturb verify`: make the rows of a file again, and compare."""

from __future__ import annotations

import argparse
import contextlib
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Any

from perturb.errors import DataError, PerturbError, VerificationError

if TYPE_CHECKING:
    from perturb.stream.manifest import Manifest

_ROWS = 256


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.add_argument(
        "file", metavar="FILE", help="a file that perturb apply wrote; - for standard input"
    )
    parser.add_argument("--id-field", metavar="FIELD", help="default: the manifest's, or id")
    parser.add_argument(
        "-i", "--input", metavar="FILE", help="the input, to find the row where the file differs"
    )
    parser.add_argument(
        "--trust",
        action="append",
        default=[],
        metavar="NAME",
        help="a file (its path) or function (module:function) that the records may use; without "
        "this nothing that they name is opened or run; may be given again",
    )


def run(args: argparse.Namespace) -> int:
    """Check the file, and say what was checked."""
    from perturb.registry.parameters import trusting
    from perturb.stream import manifest

    with trusting(args.trust):
        said = manifest.load(args.file)
    id_field = args.id_field or ("id" if said is None else said.id_field)
    digest, rows = _check_records(args.file, id_field, args.trust)
    checked = f"{rows} {'row gives its' if rows == 1 else 'rows give their'} own text again"
    if said is not None and digest.hexdigest() != said.sha256:
        raise VerificationError(
            f"{args.file}: its SHA-256 is not the one in {manifest.path_of(args.file)}: "
            + _found_against_input(args.file, args.input, said)
        )
    if said is not None:
        checked += ", and the file is as its manifest says"
    print(f"{args.file}: {checked}")
    return 0


def _check_records(path: str, id_field: str, trust: list[str]) -> tuple[Any, int]:
    """Make the text of each record again; return the digest of the file and its rows."""
    from perturb.io.files import Source
    from perturb.io.jsonl import at_line, read
    from perturb.records.verify import verify_all
    from perturb.rows.read_records import records_of

    rows = 0
    with contextlib.closing(Source(path)) as source:
        lines = read(source)
        while chunk := list(islice(lines, _ROWS)):
            found = []
            for number, row in chunk:
                with at_line(source.name, number):
                    found.append((number, list(records_of(row, id_field))))
            try:
                verify_all([record for _, records in found for record in records], trust)
            except PerturbError:
                for number, records in found:
                    with at_line(source.name, number):
                        verify_all(records, trust)
                raise
            rows += len(chunk)
        return source.digest, rows


def _found_against_input(path: str, given: str | None, said: Manifest) -> str:
    """Make the whole file again from its input, where the caller named it, and find the row.

    Returns:
        What can be said where no row is found that differs.

    Raises:
        VerificationError: the first row that differs.
    """
    from perturb.io.files import Source
    from perturb.stream.run import run as perturb_blocks

    try:
        source = Source(_checked_input(given, said))
    except DataError as error:
        return (
            "something outside of the perturbed texts and their records was changed since it was "
            f"written; in which row can't be said, since {error}"
        )
    with contextlib.closing(source), contextlib.closing(Source(path)) as written:
        blocks = perturb_blocks(said.job, source.blocks(), stop_at_bad=False, workers=1)
        wanted = (line for block in blocks for line in bytes(block.data).split(b"\n")[:-1])
        lines = (line for _, block in written.blocks() for line in _cut(block))
        for number, (line, again) in enumerate(zip_longest(lines, wanted), 1):
            if line != again:
                raise VerificationError(f"{path}:{number}: {_difference(line, again, source.name)}")
    return "its rows are as they were written, but the bytes around them are not"


def _checked_input(given: str | None, said: Manifest) -> str:
    """The path of the input, if the caller named it and it still holds what it held."""
    from perturb.io.files import Source

    if given is None:
        named = "" if said.source is None else f" (it was {said.source})"
        raise DataError(f"its input was not given: --input FILE finds the row{named}")
    with contextlib.closing(Source(given)) as source:
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
