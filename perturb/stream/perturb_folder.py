"""Perturb folders: each shard as the file that it is, with one manifest over all.

A shard goes the way of any file (`perturb.stream.perturb_file`), and gets the same bytes. What is
known of the shards that are done stands in `.perturb/` in the output until all of them are, and
then in `_manifest.json`; so whoever comes again finds what is left to do.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from perturb import resources
from perturb.errors import DataError, UsageError
from perturb.io.addresses import (
    file_system,
    is_address,
    opened,
    plain_path,
    public,
    remote_errors,
    size_of,
)
from perturb.io.files import STANDARD
from perturb.io.inputs import (
    FOLDER_MANIFEST,
    MANIFEST,
    STRIDE,
    Inputs,
    Member,
    expanded,
    is_folder,
    one_format,
    place_of,
    readable,
)
from perturb.io.jsonl import lines_of, loads
from perturb.io.outputs import locked, make_parents, writing
from perturb.plan.job import Job
from perturb.rows.counts import RowCounts
from perturb.rows.seen_ids import SeenIds, ids_of
from perturb.stream import manifest
from perturb.stream.perturb_file import MAX_LINE, Progress, perturb_file

# What is under way stands here, in a folder that readers of data sets pass over.
_STATE = ".perturb"
# The parts of the manifest of a shard; the others are the same in all.
_OF_SHARD = ("input", "output", "counts")


class FolderSummary(NamedTuple):
    """The result of perturbing a folder.

    Attributes:
        source: the name of the input.
        shards: how many there are.
        done_before: how many of them were done already.
        counts: of all rows.
        bad_lines: how many lines were left out.
        ids_not_kept: how many rows came after the most whose ids are kept.
        shared_ids: two rows of one id in two shards, by their places; one pair a shard at most.
    """

    source: str
    shards: int
    done_before: int
    counts: RowCounts
    bad_lines: int
    ids_not_kept: int
    shared_ids: list[tuple[str, str]]


def is_to_be_folder(sources: Sequence[str], target: str) -> bool:
    """Return true if each input gets an output of its own, since the output is a folder.

    It is one where it is there, ends in a slash, or has no suffix and an input is a folder.
    """
    if target == STANDARD:
        return False
    bare = not Path(public(target)).suffix
    return is_folder(target) or (bare and any(map(is_folder, sources)))


def perturb_folder(
    source: str | Sequence[str],
    target: str,
    job: Job,
    *,
    format: str | None = None,
    encoding: str | None = None,
    bad_lines: str = "stop",
    workers: int = 1,
    max_line: int = MAX_LINE,
    progress: Progress | None = None,
) -> FolderSummary:
    """Perturb files, each into one of the same name and format in a folder.

    Shards that are done are passed over: those whose input, recipe, tables and output have the
    hashes that are known of them. Who writes to a local folder holds it alone; at an address each
    shard appears whole, and gets the same bytes from whoever writes it.

    Args:
        source: files, folders, patterns or addresses; see `perturb_file`.
        target: the folder, which is made if it is not there; or an address.
        job: what to do with a row.
        format: see `perturb_file`.
        encoding: see `perturb_file`.
        bad_lines: "stop" or "skip".
        workers: see `perturb_file`; they work on one shard at a time.
        max_line: see `perturb_file`.
        progress: see `perturb_file`.

    Raises:
        DataError: as `perturb_file`; or another process writes to the folder.
        UsageError: as `perturb_file`; or the folder holds other files of rows.
    """
    sources = [source] if isinstance(source, str) else source
    shards, target = expanded(sources), plain_path(target).rstrip("/")
    _check(sources, shards, target, format, bad_lines)
    folder = _Folder(target, job, format, encoding, skips=bad_lines == "skip")
    seen, counts = SeenIds(), RowCounts()
    total = sum(map(size_of, shards)) if progress else 0
    described: dict[str, Any] = {}
    tables: set[str] = set()
    done_before, read, shared = 0, 0, []
    with folder.held():
        for index, shard in enumerate(shards):
            ids = folder.ids_if_done(shard)
            done_before += ids is not None
            if ids is None:
                ids = perturb_file(
                    str(shard),
                    folder.prepared(shard),
                    job,
                    format=format,
                    encoding=encoding,
                    bad_lines=bad_lines,
                    workers=workers,
                    max_line=max_line,
                    progress=progress and partial(_shifted, progress, read, total),
                    described=folder.state_of(shard),
                ).ids
            content = folder.known(shard)
            described[shard.place] = {key: content[key] for key in _OF_SHARD}
            tables.update(content["tables"])
            read += content["input"]["bytes"]
            counts.add(RowCounts.of(content["counts"]))
            if (pair := seen.add_all(ids, index * STRIDE)) is not None:
                places = [shard.place for shard in shards]
                shared.append((place_of(places, pair[0]), place_of(places, pair[1])))
        paths = manifest.one_or_all(list(map(manifest.named, sources)))
        folder.finish(
            {
                **manifest.described_job(job, tables),
                "input": {"path": paths, "ids_not_kept": seen.not_kept},
                "shards": described,
                "ids_in_two_shards": shared,
                "counts": counts.to_dict(),
            }
        )
    left_out = sum(about["input"]["bad_lines"] for about in described.values())
    name = public(sources[0]) + f" and {len(sources) - 1} more" * (len(sources) > 1)
    return FolderSummary(name, len(shards), done_before, counts, left_out, seen.not_kept, shared)


def _shifted(progress: Progress, before: int, total: int, read: int, _: int) -> None:
    progress(before + read, total)


def _check(
    sources: Sequence[str],
    shards: Sequence[Member],
    target: str,
    format: str | None,
    bad_lines: str,
) -> None:
    """Refuse what would write over an input, or leave what no input gives beside the shards."""
    one_format(shards, format)
    if bad_lines not in ("stop", "skip"):
        raise UsageError(
            f"--bad-lines {bad_lines} keeps the lines of one file, and the output is a folder: "
            "give skip, or stop"
        )
    if STANDARD in shards:
        raise UsageError("standard input is one file and has no name: give -o a file, or -")
    places: dict[str, Member] = {}
    for shard in shards:
        if (other := places.setdefault(shard.place, shard)) is not shard:
            raise UsageError(
                f"{public(other)} and {public(shard)} would both become {target}/{shard.place}: "
                "name the folder above them"
            )
        if _is_inside(shard, target):
            raise UsageError(f"the input {public(shard)} lies in the output: name another folder")
    for source in sources:
        if is_folder(source) and _is_inside(target, source):
            raise UsageError(
                f"the output {public(target)} lies in the input {public(source)}, and would be "
                "read when that is read again: name another folder"
            )
    with contextlib.suppress(DataError):  # nothing is there
        for member in expanded([f"{target}/"]) if is_folder(target) else ():
            if member.place not in places:
                raise UsageError(
                    f"{public(target)} holds {member.place}, which comes of no input: remove it, "
                    "or name another folder"
                )


def _is_inside(path: str, folder: str) -> bool:
    if is_address(path) or is_address(folder):
        return public(path).startswith(public(folder).rstrip("/") + "/")
    return Path(path).resolve().is_relative_to(Path(folder).resolve())


class _Folder:
    """An output folder, and what is known of its shards.

    Args:
        path: of the folder.
        job: the instructions for each row.
        format: of the inputs, if it is given.
        encoding: as `format`.
        skips: whether bad lines are left out.
    """

    def __init__(
        self, path: str, job: Job, format: str | None, encoding: str | None, *, skips: bool
    ) -> None:
        self._path, self._job, self._skips = path, job, skips
        self._format, self._encoding = format, encoding
        self._remote = is_address(path)
        described = manifest.described_job(job, ())
        self._same = {key: described[key] for key in ("contract", "plugins", "recipe")}
        self._before: dict[str, Any] = {}
        self._known: dict[str, dict[str, Any]] = {}

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Read what is known of the folder, and let no other process write to it meanwhile."""
        with contextlib.ExitStack() as stack:
            if not self._remote:
                stack.enter_context(locked(Path(self._path, _STATE, "lock"), self._path))
            content = manifest.read(f"{self._path}/") or {}
            if content.get(manifest.CHECKSUM) == manifest.checksum(content):
                self._before = content
            yield

    def state_of(self, shard: Member) -> str:
        """Return the path of the manifest of a shard until all are done."""
        return f"{self._path}/{_STATE}/{shard.place}{MANIFEST}"

    def prepared(self, shard: Member) -> str:
        """Return the path of the output of a shard, the folders of which are there."""
        path = f"{self._path}/{shard.place}"
        if not self._remote:
            for file in (path, self.state_of(shard)):
                make_parents(Path(file))
        return path

    def known(self, shard: Member) -> dict[str, Any]:
        """Return the manifest of a shard that is done."""
        content = self._known.get(shard.place) or manifest.read_from(self.state_of(shard))
        assert content is not None  # it was written with the shard
        if any(content[key] != value for key, value in self._same.items()):
            raise DataError(
                f"another process wrote {shard.place} in {public(self._path)} with another "
                "recipe meanwhile: run one after the other, each into a folder of its own"
            )
        return content

    def ids_if_done(self, shard: Member) -> SeenIds | None:
        """Return the ids of the rows of a shard that is done as it is to be; else None."""
        content = manifest.read_from(self.state_of(shard))
        if content is None and shard.place in self._before.get("shards", ()):
            content = {**self._before, **self._before["shards"][shard.place]}
        if content is None or not self._is_current(content):
            return None
        if _sha256_at(f"{self._path}/{shard.place}") != content["output"]["sha256"]:
            return None
        ids, digest = self._ids_and_sha256(shard)
        if digest != content["input"]["sha256"]:
            return None
        self._known[shard.place] = content
        return ids

    def _is_current(self, content: Mapping[str, Any]) -> bool:
        """Return true if the job and its tables are those of a manifest."""
        if any(content[key] != value for key, value in self._same.items()):
            return False
        if content["input"].get("encoding") != self._encoding:
            return False
        if content["input"]["bad_lines"] and not self._skips:
            return False
        with contextlib.suppress(resources.TableError):
            tables = content["tables"]
            return all(resources.sha256_of(name) == said for name, said in tables.items())
        return False

    def _ids_and_sha256(self, shard: Member) -> tuple[SeenIds, str]:
        """Return the ids of a file's rows, numbered as when it is perturbed, and its SHA-256."""
        file = Inputs([str(shard)], self._format, encoding=self._encoding)
        seen, id_field = SeenIds(), self._job.id_field
        with contextlib.closing(file):
            for first, data in file.blocks(file.format.typed):
                if file.format.typed:
                    names = [id_field] if id_field in data.column_names else []
                    rows = list(enumerate(data.select(names).to_pylist(), first))
                else:
                    rows = list(_numbered(first, data))
                seen.add(ids_of([row for _, row in rows], [number for number, _ in rows], id_field))
        return seen, file.digests[0].hexdigest()

    def finish(self, content: Mapping[str, Any]) -> None:
        """Write the manifest of the folder, in place of those of the shards."""
        with writing(f"{self._path}/{FOLDER_MANIFEST}") as (file, _):
            file.write(manifest.dumped(content))
        state = f"{self._path}/{_STATE}"
        if not self._remote:
            shutil.rmtree(state, ignore_errors=True)  # who waits for the lock may stand in it
            return
        system, inner = file_system(state)
        with contextlib.suppress(FileNotFoundError), remote_errors(state):
            system.rm(inner, recursive=True)


def _sha256_at(path: str) -> str | None:
    """Return the SHA-256 of a file; None where there is none."""
    with readable(path), contextlib.suppress(FileNotFoundError), opened(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
    return None


def _numbered(first: int, lines: bytes) -> Iterator[tuple[int, Any]]:
    for number, line in lines_of(first, lines):
        with contextlib.suppress(DataError):  # it was left out
            yield number, loads(line)[0]
