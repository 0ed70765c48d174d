"""The manifest beside an output file: everything needed to reproduce and check the file."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from perturb._version import CONTRACT, __version__
from perturb.boundary import sha256, trusting
from perturb.errors import DataError, PerturbError, UnknownStepError, VerificationError, reason
from perturb.io.addresses import exists, is_address, opened, plain_path, public, read_whole
from perturb.io.files import STANDARD, SeenBytes, readable
from perturb.io.inputs import FOLDER_MANIFEST, MANIFEST, Inputs, expanded, is_folder
from perturb.io.jsonl import loads
from perturb.plan import recipe
from perturb.plan.job import Job
from perturb.registry import plugins
from perturb.resources import sha256_of

if TYPE_CHECKING:
    from perturb.stream.summary import Summary

# The key of the checksum of all that a manifest says beside it.
CHECKSUM = "manifest_sha256"


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
        output: what was written.
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
        "plugins": plugins.files(),
        "recipe": recipe.written(job),
    }


def named(path: str) -> str | None:
    """Return an input as manifests name it; None for standard input."""
    if path == STANDARD:
        return None
    return public(path) if is_address(path) else str(Path(plain_path(path)).resolve())


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
    paths, digests, size = expanded([source]), [], 0
    for path in paths:
        with readable(path), opened(path) as file:
            digests.append(hashlib.file_digest(file, "sha256").hexdigest())
            size += file.tell()
    manifest = {
        "versions": _versions(),
        "asked": asked,
        "input": {
            "path": named(source),
            "sha256": one_or_all(digests),
            "bytes": size,
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
    """Return the content of the manifest of a file; None where there is none.

    Raises:
        DataError: it can't be read, or is no JSON object.
    """
    return read_from(path_of(output))


def read_from(path: str) -> dict[str, Any] | None:
    """Return the content of a manifest at its own path; see `read`."""
    try:
        if not exists(path):
            return None
        if not is_address(path) and not Path(path).is_file():  # a device or a pipe might not end
            raise DataError("it is no file")
        manifest, _ = loads(read_whole(path))
    except OSError as error:
        raise DataError(f"can't read the manifest {public(path)}: {reason(error)}") from error
    except DataError as error:
        raise DataError(f"can't read the manifest {public(path)}: {error}") from None
    if not isinstance(manifest, dict):
        raise DataError(f"the manifest {public(path)} must hold a JSON object")
    return manifest


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

    def of_shard(self, place: str) -> Manifest:
        """Return what the manifest of a folder says of one of its files."""
        content = {**self.content, "tables": {}, **self.content["shards"][place]}
        return self._replace(content=content)


def load(output: str, trust: Collection[str] = ()) -> Manifest | None:
    """Return the manifest of a file of perturbed rows; None where there is none.

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
    what = "shards" if path.endswith(f"/{FOLDER_MANIFEST}") else "output"
    for key in ("recipe", "input", what, "counts"):
        if key not in content:
            raise DataError(f"{path} is not a manifest of perturb: it has no {key!r}")
    if content.get(CHECKSUM) != checksum(content):
        raise VerificationError(
            f"{path}: it was changed since it was written: {CHECKSUM} is not that of its content"
        )
    try:
        with trusting(trust):
            return Manifest(str(path), content, recipe.read(content["recipe"]))
    except (PerturbError, TypeError) as error:
        files = content.get("plugins")
        if isinstance(error, UnknownStepError) and not files:
            return Manifest(str(path), content, None)
        used = "".join(f" --plugin {file}" for file in files) if isinstance(files, dict) else ""
        hint = f"; it was written with{used}" if used else ""
        raise DataError(f"can't use the manifest {path}: {error}{hint}") from error


def _of_shard(output: str, trust: Collection[str]) -> Manifest | None:
    """Return what the manifest of a folder says of a file in it; None where there is none."""
    if is_folder(output) or is_address(output) or output == STANDARD:
        return None
    file = Path(plain_path(output)).absolute()
    folder = next((up for up in file.parents if (up / FOLDER_MANIFEST).exists()), None)
    described = None if folder is None else load(f"{folder}/", trust)
    if folder is None or described is None:
        return None
    place = file.relative_to(folder).as_posix()
    return described.of_shard(place) if place in described.content["shards"] else None


def checksum(manifest: Mapping[str, Any]) -> str:
    """Return the SHA-256 of all that a manifest says beside its checksum."""
    content = {key: value for key, value in manifest.items() if key != CHECKSUM}
    return sha256(json.dumps(content, sort_keys=True).encode())
