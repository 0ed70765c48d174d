"""The manifest beside an output file: everything needed to reproduce and check the file."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from perturb._version import CONTRACT, __version__
from perturb.boundary import sha256, trusting
from perturb.errors import DataError, PerturbError, UnknownStepError, VerificationError, reason
from perturb.io.addresses import exists, is_address, plain_path, public, read_whole, size_of
from perturb.io.files import STANDARD, SeenBytes, sha256_at
from perturb.io.formats import FORMATS
from perturb.io.inputs import FOLDER_MANIFEST, MANIFEST, Inputs, expanded, is_folder
from perturb.io.jsonl import loads
from perturb.plan import recipe
from perturb.plan.job import Job
from perturb.registry import registry
from perturb.resources import sha256_of

if TYPE_CHECKING:
    from perturb.rows.counts import Summary

# The key of the checksum of all that a manifest says beside it.
CHECKSUM = "manifest_sha256"

# The parts of a manifest that are read, each with its types or values; `*` is any key.
_TEXTS = "a list of texts"
_FORMAT = {*FORMATS}
_SOURCE = {"path": {str, _TEXTS, type(None)}, "sha256": {str, _TEXTS}, "bytes": {int}}
_BOUNDS = {"encoding": {str, type(None)}, "limit": {int, type(None)}}
_INPUT = {**_SOURCE, **_BOUNDS, "format": _FORMAT, "bad_lines": {int}, "ids_not_kept": {int}}
_CONDITION = {"statuses": {"*": {int}}, "units": {int}, "edits": {int}}
_ROW_COUNTS = {"rows_read": {int}, "rows_repeated": {int, type(None)}, "rows_written": {int}}
_COUNTS = {**_ROW_COUNTS, "conditions": {"*": _CONDITION}}
_OUTPUT = {"sha256": {str}, "bytes": {int}}
_FILE = {"input": _INPUT, "output": {**_OUTPUT, "format": _FORMAT}, "counts": _COUNTS}
_JOB = {"recipe": {str}, "contract": {int}, "tables": {"*": {str}}, "plugins": {"*": {str}}}
_ALL = {"path": {str, _TEXTS}, "ids_not_kept": {int}}
_FOLDER = {**_JOB, "input": _ALL, "shards": {"*": _FILE}, "counts": _COUNTS}
_ROWS = {**_SOURCE, "manifest": {dict, type(None)}}
_ASKED = {"command": {str}, "options": {dict}}
_ANSWERS = {"asked": _ASKED, "input": _ROWS, "output": _OUTPUT}


def path_of(output: str) -> str:
    """Return the path of the manifest of an output: beside a file, in a folder."""
    if is_folder(output):
        return f"{plain_path(output).rstrip('/')}/{FOLDER_MANIFEST}"
    return f"{plain_path(output)}{MANIFEST}"


def manifest_of(
    job: Job, source: Inputs, form: str, output: SeenBytes, summary: Summary, tables: Iterable[str]
) -> bytes:
    """Return the manifest of an output file.

    Args:
        job: the instructions that were followed for each row.
        source: the inputs, which were read.
        form: the format of the output.
        output: the digest of the output.
        summary: the summary of the run.
        tables: the names of those that were used.
    """
    digests = [digest.hexdigest() for digest in source.digests]
    about = (("encoding", source.encoding), ("limit", summary.limit))
    manifest = {
        **described_job(job, tables),
        "input": {
            "path": one_or_all(list(map(named, source.paths))),
            "sha256": one_or_all(digests),
            "bytes": source.read,
            "format": source.format.name,
            **{name: value for name, value in about if value is not None},
            "bad_lines": summary.bad_lines,
            "ids_not_kept": summary.ids_not_kept,
        },
        "output": {"sha256": output.hexdigest(), "bytes": output.size, "format": form},
        "counts": summary.counts.to_dict(),
    }
    return dumped(manifest)


def described_job(job: Job, tables: Iterable[str]) -> dict[str, Any]:
    """Return what a manifest says of a job, whatever its input.

    Args:
        job: the instructions that were followed for each row.
        tables: the names of those that were used.
    """
    return {
        "contract": CONTRACT,
        "versions": _versions(),
        "tables": {name: sha256_of(name) for name in sorted(tables)},
        "plugins": registry.files_of(step.perturbator.name for step in job.steps),
        "recipe": recipe.written(job),
    }


def named(path: str) -> str | None:
    """Return an input as manifests name it; None for standard input."""
    if path == STANDARD:
        return None
    return public(path) if is_address(path) else os.path.realpath(plain_path(path))


def one_or_all(values: list[Any]) -> Any:
    """Return the only value, or all of them."""
    return values if len(values) > 1 else values[0]


def asked_manifest(
    *, asked: Mapping[str, Any], source: str, written: SeenBytes, counts: Mapping[str, Any]
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
    paths = expanded(source)
    manifest = {
        "versions": _versions(),
        "asked": asked,
        "input": {
            "path": named(source),
            "sha256": one_or_all(list(map(sha256_at, paths))),
            "bytes": sum(map(size_of, paths)),
            "manifest": read(source),
        },
        "output": {"sha256": written.hexdigest(), "bytes": written.size},
        "counts": counts,
    }
    return dumped(manifest)


def _versions() -> dict[str, str]:
    return {"perturb": __version__, "python": sys.version.split()[0], "numpy": np.__version__}


def dumped(manifest: Mapping[str, Any]) -> bytes:
    """Return a manifest as the bytes of its file, with its checksum."""
    # Escapes hold file names that are not UTF-8.
    return json.dumps({**manifest, CHECKSUM: checksum(manifest)}, indent=2).encode() + b"\n"


def read(output: str) -> dict[str, Any] | None:
    """Return the content of the manifest of a file; None if there is none.

    Raises:
        DataError: it can't be read, or is no JSON object.
    """
    return read_from(path_of(output))


def read_from(path: str) -> dict[str, Any] | None:
    """Return the content of a manifest at its own path; see `read`."""
    try:
        if not exists(path):
            return None
        manifest = loads(read_whole(path))
    except OSError as error:
        raise DataError(f"can't read the manifest {public(path)}: {reason(error)}") from error
    except DataError as error:
        raise DataError(f"can't read the manifest {public(path)}: {error}") from None
    if misfit := next(_misfits(manifest, path.endswith(f"/{FOLDER_MANIFEST}")), None):
        raise DataError(f"{public(path)} is not a manifest of perturb: {misfit}")
    return dict(manifest)


def _misfits(manifest: Any, of_folder: bool) -> Iterator[str]:
    """Yield the faults of the parts of a manifest that are read."""
    if not isinstance(manifest, dict):
        yield f"it must hold a JSON object, and holds {manifest!r:.60}"
    elif "asked" not in manifest:
        yield from _misfit(manifest, _FOLDER if of_folder else {**_JOB, **_FILE})
    else:
        yield from _misfit(manifest, _ANSWERS)
        if before := manifest["input"].get("manifest"):
            yield from _misfits(before, "shards" in before)


def _misfit(value: Any, schema: Any, name: str = "") -> Iterator[str]:
    """Yield which parts of a value are not of a schema."""
    kind: Any = type(value)
    if kind is dict and isinstance(schema, dict):
        for key, part in schema.items():
            for each in value if key == "*" else [key]:
                yield from _misfit(value.get(each), part, f"{name}.{each}".lstrip("."))
        return
    if kind is list and {*map(type, value)} <= {str}:
        kind = _TEXTS
    if isinstance(schema, dict) or not {kind, value if kind is str else kind} & schema:
        yield f"it has no {name!r}" if value is None else f"its {name!r} is {value!r:.60}"


class Manifest(NamedTuple):
    """The manifest of a file of perturbed rows.

    Attributes:
        path: the path of the manifest.
        content: all that it says.
        job: the instructions that were followed for each row; None where a step has no name here.
    """

    path: str
    content: dict[str, Any]
    job: Job | None

    @property
    def has_records(self) -> bool:
        """True if the rows of the file have records."""
        is_nested = self.job is not None and self.job.nested
        return FORMATS[self.content["output"]["format"]].records and not is_nested

    def of_shard(self, place: str) -> Manifest:
        """Return what the manifest of a folder says of one of its files."""
        content = {**self.content, "tables": {}, **self.content["shards"][place]}
        return self._replace(content=content)


def load(output: str, trust: Collection[str] = ()) -> Manifest | None:
    """Return the manifest of a file of perturbed rows; None if there is none.

    Args:
        output: the path of the file.
        trust: files and functions that the steps of the manifest may use.

    Raises:
        DataError: it can't be read, or is no manifest.
        VerificationError: it was changed since it was written.
    """
    path, content = path_of(output), read(output)
    if content is None:
        return _of_shard(output, trust)
    if "asked" in content:
        return None
    if content.get(CHECKSUM) != checksum(content):
        raise VerificationError(
            f"{path}: it was changed since it was written: {CHECKSUM} is not that of its content"
        )
    try:
        with trusting(trust):
            return Manifest(path, content, recipe.read(content["recipe"]))
    except (PerturbError, TypeError) as error:
        files = content["plugins"]
        if isinstance(error, UnknownStepError) and not files:
            return Manifest(path, content, None)
        used = "".join(f" --plugin {file}" for file in files)
        hint = f"; it was written with{used}" if used else ""
        raise DataError(f"can't use the manifest {path}: {error}{hint}") from error


def _of_shard(output: str, trust: Collection[str]) -> Manifest | None:
    """Return what the manifest of a folder says of a file in it; None if there is none."""
    if is_folder(output) or is_address(output) or output == STANDARD:
        return None
    file = Path(plain_path(output)).absolute()
    for folder in file.parents:
        place, content = file.relative_to(folder).as_posix(), None
        with contextlib.suppress(DataError):  # another program's, in some folder above
            content = read_from(str(folder / FOLDER_MANIFEST))
        if content is not None and place in content.get("shards", ()):
            described = load(f"{folder}/", trust)
            return described and described.of_shard(place)
    return None


def checksum(manifest: Mapping[str, Any]) -> str:
    """Return the SHA-256 of all that a manifest says beside its checksum."""
    content = {key: value for key, value in manifest.items() if key != CHECKSUM}
    return sha256(json.dumps(content, sort_keys=True).encode())
