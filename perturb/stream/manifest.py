"""The manifest beside an output file: everything needed to reproduce and check the file."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from perturb import __version__
from perturb._version import CONTRACT
from perturb.errors import DataError, PerturbError
from perturb.io.files import STANDARD, Digest
from perturb.io.formats import Inputs
from perturb.io.jsonl import loads
from perturb.registry import plugins
from perturb.resources import read_whole, sha256_of
from perturb.rows.job import Job, RowCounts
from perturb.stream.compare_manifest import CHECKSUM, checksum, counted
from perturb.stream.output import OutputForm


def path_of(output: str) -> Path:
    """Return the path of the manifest of an output file."""
    return Path(f"{output}.manifest.json")


def made(
    *,
    job: Job,
    source: Inputs,
    form: Mapping[str, str],
    written: Digest,
    counts: RowCounts,
    bad_lines: int,
    ids_not_kept: int,
    tables: Iterable[str],
) -> bytes:
    """Return the manifest of an output file.

    Args:
        job: the instructions that were followed for each row.
        source: the inputs, which were read.
        form: the format of the output, and that of its records.
        written: of the output.
        counts: the counts of the rows.
        bad_lines: how many lines were left out.
        ids_not_kept: how many rows came after the most whose ids are kept.
        tables: the names of those that were used.
    """
    manifest = {
        "contract": CONTRACT,
        "versions": _versions(),
        "tables": {name: sha256_of(name) for name in sorted(tables)},
        "plugins": plugins.files(),
        **job.to_dict(),
        "input": {**_described(source), "bad_lines": bad_lines, "ids_not_kept": ids_not_kept},
        "output": {"sha256": written.hexdigest(), "bytes": written.size, **form},
        "counts": counted(counts),
    }
    return _dumped(manifest)


def _described(source: Inputs) -> dict[str, Any]:
    """Return the paths, the SHA-256 and the size of inputs; of several, lists of both."""
    paths = [None if path == STANDARD else str(Path(path).resolve()) for path in source.paths]
    digests = [digest.hexdigest() for digest in source.digests]
    return {
        "path": paths if len(paths) > 1 else paths[0],
        "sha256": digests if len(paths) > 1 else digests[0],
        "bytes": source.read,
        "format": source.format,
    }


def asked_manifest(
    *, asked: Mapping[str, Any], source: str, written: Digest, counts: Mapping[str, Any]
) -> bytes:
    """Return the manifest of rows with answers; it holds that of the rows, if there is one.

    Args:
        asked: the command that made them and its options, by their names.
        source: the file of the rows.
        written: of the output.
        counts: the counts of these rows.

    Raises:
        DataError: the file of the rows can't be read.
    """
    manifest = {
        "versions": _versions(),
        "asked": asked,
        "input": {"path": str(Path(source).resolve()), **_digest(source), "manifest": read(source)},
        "output": {"sha256": written.hexdigest(), "bytes": written.size},
        "counts": counts,
    }
    return _dumped(manifest)


def _versions() -> dict[str, str]:
    return {
        "perturb": __version__,
        "python": sys.version.split()[0],
        "numpy": np.__version__,
    }


def _digest(path: str) -> dict[str, Any]:
    try:
        with Path(path).open("rb") as file:
            return {"sha256": hashlib.file_digest(file, "sha256").hexdigest(), "bytes": file.tell()}
    except OSError as error:
        raise DataError(f"can't read {path}: {error.strerror}") from error


def _dumped(manifest: Mapping[str, Any]) -> bytes:
    # Escapes hold file names that are not UTF-8.
    whole = {**manifest, CHECKSUM: checksum(manifest)}
    return json.dumps(whole, indent=2).encode() + b"\n"


def read(output: str) -> dict[str, Any] | None:
    """Return the content of the manifest of a file; None where there is none.

    Raises:
        DataError: it can't be read, or is no JSON object.
    """
    path = path_of(output)
    if not path.exists():
        return None
    try:
        if not path.is_file():  # reading a device or a pipe might not end
            raise DataError("it is no file")
        manifest, _ = loads(read_whole(path))
    except OSError as error:
        raise DataError(f"can't read the manifest {path}: {error.strerror}") from error
    except DataError as error:
        raise DataError(f"can't read the manifest {path}: {error}") from None
    if not isinstance(manifest, dict):
        raise DataError(f"the manifest {path} must hold a JSON object")
    return manifest


class Manifest(NamedTuple):
    """The content of a manifest that is needed to check its file.

    Attributes:
        sha256: of the file.
        sources: the input files; none where that was standard input.
        source_sha256: of each input.
        source_format: of the inputs.
        form: the format of the file, and that of its records.
        id_field: the field that names a row.
        job: the instructions that were followed for each row.
        said: all that it says.
    """

    sha256: str
    sources: list[str]
    source_sha256: list[str]
    source_format: str
    form: OutputForm
    id_field: str
    job: Job
    said: dict[str, Any]


def load(output: str) -> Manifest | None:
    """Return the manifest of a file of perturbed rows; None where there is none.

    Raises:
        DataError: it can't be read, or is no manifest.
    """
    path, manifest = path_of(output), read(output)
    if manifest is None or "asked" in manifest:
        return None
    try:
        given, written = manifest["input"], manifest["output"]
        sources = _listed(given["path"], str | None)
        checked = Manifest(
            written["sha256"],
            [path for path in sources if path is not None],
            _listed(given["sha256"], str),
            given["format"],
            OutputForm(written["format"], written["record"]),
            manifest["id_field"],
            Job.from_dict(manifest),
            manifest,
        )
    except KeyError as error:
        raise DataError(f"{path} is not a manifest of perturb: it has no {error}") from error
    except (PerturbError, TypeError) as error:
        files = manifest.get("plugins")
        used = "".join(f" --plugin {file}" for file in files) if isinstance(files, dict) else ""
        hint = f"; it was written with{used}" if used else ""
        raise DataError(f"can't use the manifest {path}: {error}{hint}") from error
    return checked


def _listed(value: Any, kind: Any) -> list[Any]:
    """Return a value of a kind, or a list of such, as a list."""
    values = value if isinstance(value, list) else [value]
    if not all(isinstance(one, kind) for one in values):
        raise TypeError(f"its input is {value!r}")
    return values
