"""`perturb verify`: make the rows of a file again, and compare."""

from __future__ import annotations

import argparse
import contextlib
from itertools import islice
from pathlib import Path
from typing import Any

from perturb.errors import PerturbError, VerificationError

_ROWS = 256


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.add_argument("file", help="a file that perturb apply wrote")


def run(args: argparse.Namespace) -> int:
    """Check the file, and say what was checked."""
    from perturb.io import manifest

    said = manifest.load(args.file)
    digest, rows = _check_records(args.file, "id" if said is None else said["id_field"])
    checked = f"{rows} rows give their own text again"
    if said is not None and digest.hexdigest() != said["output"]["sha256"]:
        _check_against_input(args.file, said)
        raise VerificationError(
            f"{args.file}: its SHA-256 is not the one in {manifest.path_of(args.file)}: something "
            "outside of the perturbed texts and their records was changed since it was written"
        )
    if said is not None:
        checked += ", and the file is as its manifest says"
    print(f"{args.file}: {checked}")
    return 0


def _check_records(path: str, id_field: str) -> tuple[Any, int]:
    """Make the text of each record again; return the digest of the file and its rows."""
    from perturb.io.files import Source
    from perturb.io.jsonl import at_line, read
    from perturb.verification import records_of, verify_all

    rows = 0
    with contextlib.closing(Source(path)) as source:
        lines = read(source)
        while chunk := list(islice(lines, _ROWS)):
            found = []
            for number, row in chunk:
                with at_line(path, number):
                    found.append((number, list(records_of(row, id_field))))
            try:
                verify_all([record for _, records in found for record in records])
            except PerturbError:
                for number, records in found:
                    with at_line(path, number):
                        verify_all(records)
                raise
            rows += len(chunk)
        return source.digest, rows


def _check_against_input(path: str, said: dict[str, Any]) -> None:
    """Make the whole file again from its input, where that is still there, and find the row."""
    from perturb.io.files import Source
    from perturb.io.stream import run as perturb_blocks
    from perturb.pipeline import Pipeline
    from perturb.rows import job_of

    origin = said["input"]["path"]
    if origin is None or not Path(origin).is_file():
        return
    keys = (
        "field",
        "id_field",
        "seed",
        "replicates",
        "protect",
        "only",
        "spans_field",
        "span_policy",
        "with_original",
        "compact",
    )
    job = job_of([Pipeline.of(one) for one in said["pipelines"]], **{k: said[k] for k in keys})
    with contextlib.closing(Source(origin)) as source, contextlib.closing(Source(path)) as written:
        blocks = perturb_blocks(job, source.blocks(), stop_at_bad=False, workers=1)
        wanted = (line for block in blocks for line in block.data.split(b"\n")[:-1])
        got = (
            (number, line)
            for first, lines in written.blocks()
            for number, line in enumerate(lines.removesuffix(b"\n").split(b"\n"), first)
        )
        for (number, line), again in zip(got, wanted, strict=False):
            if line != again:
                at = next(
                    (i for i, (a, b) in enumerate(zip(line, again, strict=False)) if a != b),
                    min(len(line), len(again)),
                )
                near = slice(max(at - 20, 0), at + 20)
                raise VerificationError(
                    f"{path}:{number}: at byte {at + 1} of the line stands {line[near]!r}; "
                    f"made again from {origin} it is {again[near]!r}"
                )
