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
from itertools import accumulate, product
from pathlib import Path
from typing import Any, NamedTuple

from perturb import resources
from perturb.errors import DataError, UsageError
from perturb.io.addresses import (
    exists,
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
from perturb.io.outputs import locked, make_parents, writing_together
from perturb.plan.job import Job
from perturb.rows.counts import RowCounts
from perturb.rows.seen_ids import Ids, SeenIds, ids_of
from perturb.stream import manifest
from perturb.stream.perturb_file import MAX_LINE, Progress, perturb_file
from perturb.stream.pieces import limited

# What is under way stands here, in a folder that readers of data sets pass over.
_STATE = ".perturb"
# The end of the name of the file there with the bad lines of a shard.
_BAD = ".bad"
# So many shards for each process are worked on at the same time, and not one after the other.
_SHARDS_EACH = 2
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
    limit: int | None = None,
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
        limit: how many rows of each shard are read; None for all.
        bad_lines: see `perturb_file`; one file keeps those of all shards, in order.
        workers: the number of processes: each works on shards of its own where there are many,
            else all work on one shard at a time.
        max_line: see `perturb_file`.
        progress: see `perturb_file`.

    Raises:
        DataError: as `perturb_file`; or another process writes to the folder.
        UsageError: as `perturb_file`; or the folder holds other files of rows.
    """
    sources = [source] if isinstance(source, str) else source
    shards, target = expanded(sources), plain_path(target).rstrip("/")
    check_apart(sources, shards, target, format, bad_lines)
    reading = {"format": format, "encoding": encoding, "limit": limit, "max_line": max_line}
    folder = _Folder(target, job, reading, bad_lines)
    seen, counts = SeenIds(), RowCounts()
    described: dict[str, Any] = {}
    tables: set[str] = set()
    done_before, shared = 0, []
    with folder.held():
        for index, done in enumerate(_each(folder, shards, workers, progress)):
            shard, content = shards[index], folder.known(shards[index])
            done_before += done.before
            described[shard.place] = {key: content[key] for key in _OF_SHARD}
            tables.update(content["tables"])
            counts.add(RowCounts.of(content["counts"]))
            seen.not_kept += content["input"]["ids_not_kept"]
            if (pair := seen.add_at(done.ids, index * STRIDE)) is not None:
                places = [shard.place for shard in shards]
                shared.append((place_of(places, pair[0]), place_of(places, pair[1])))
        paths = manifest.one_or_all(list(map(manifest.named, sources)))
        folder.finish(
            [shard for shard in shards if described[shard.place]["input"]["bad_lines"]],
            {
                **manifest.described_job(job, tables),
                "input": {"path": paths, "ids_not_kept": seen.not_kept},
                "shards": described,
                "ids_in_two_shards": shared,
                "counts": counts.to_dict(),
            },
        )
    left_out = sum(about["input"]["bad_lines"] for about in described.values())
    name = public(sources[0]) + f" and {len(sources) - 1} more" * (len(sources) > 1)
    return FolderSummary(name, len(shards), done_before, counts, left_out, seen.not_kept, shared)


def _each(
    folder: _Folder, shards: Sequence[Member], workers: int, progress: Progress | None
) -> Iterator[_Done]:
    """Perturb the shards, in order; see `perturb_folder`."""
    starts = list(accumulate(map(size_of, shards), initial=0)) if progress else []
    if workers > 1 and len(shards) >= _SHARDS_EACH * workers:
        from perturb.stream.workers import shared_out  # most runs need none of it

        tasks = ((index, b"") for index in range(len(shards)))
        each = shared_out(partial(_perturb_shard, folder, shards), tasks, workers)
    else:
        shown = (progress and partial(_shifted, progress, starts, at) for at in range(len(shards)))
        each = (folder.perturbed(shard, workers, next(shown)) for shard in shards)
    for index, done in enumerate(each, 1):
        yield done
        if progress:
            progress(starts[index], starts[-1])


def _perturb_shard(folder: _Folder, shards: Sequence[Member], index: int, _: bytes) -> _Done:
    return folder.perturbed(shards[index], 1, None)


def _shifted(progress: Progress, starts: Sequence[int], at: int, read: int, _: int) -> None:
    progress(starts[at] + read, starts[-1])


def check_apart(
    sources: Sequence[str],
    shards: Sequence[Member],
    target: str,
    format: str | None = None,
    bad_lines: str = "stop",
) -> None:
    """Refuse what would write over an input, or leave what no input gives beside the shards.

    Raises:
        UsageError: the message says what, and what to do.
    """
    one_format(shards, format)
    targets = [("output", target)]
    if bad_lines not in ("stop", "skip"):
        targets.append(("file for bad lines", bad_lines))
        if _is_inside(bad_lines, target):
            raise UsageError(f"{bad_lines} lies in the output, which holds shards alone")
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
    for (what, path), source in product(targets, sources):
        if _is_inside(path, source):
            raise UsageError(
                f"the {what} {public(path)} lies in the input {public(source)}, and would be "
                "read when that is read again: name another place"
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


class _Done:
    """A shard that is done.

    Args:
        ids: of its rows.
        before: whether it was done already.

    Attributes:
        data: nothing; a result of `shared_out` has some.
    """

    def __init__(self, ids: Ids, *, before: bool) -> None:
        self.ids, self.before, self.data = ids, before, b""


class _Folder:
    """An output folder, and what is known of its shards.

    Args:
        path: of the folder.
        job: the instructions for each row.
        reading: how the inputs are read, as `perturb_file` takes it.
        bad_lines: "stop", "skip" or a path.
    """

    def __init__(self, path: str, job: Job, reading: Mapping[str, Any], bad_lines: str) -> None:
        self._path, self._job, self._reading = path, job, reading
        self._bad_lines, self._keeps = bad_lines, bad_lines not in ("stop", "skip")
        self._remote = is_address(path)
        described = manifest.described_job(job, ())
        self._same = {key: described[key] for key in ("contract", "plugins", "recipe")}
        self._before: dict[str, Any] = {}

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

    def _state_of(self, shard: Member, end: str = MANIFEST) -> str:
        """Return the path of what is known of a shard until all are done."""
        return f"{self._path}/{_STATE}/{shard.place}{end}"

    def perturbed(self, shard: Member, workers: int, progress: Progress | None) -> _Done:
        """Perturb a shard if that is not done."""
        ids = self._ids_if_done(shard)
        if ids is not None:
            return _Done(ids, before=True)
        path = f"{self._path}/{shard.place}"
        if not self._remote:
            for file in (path, self._state_of(shard)):
                make_parents(Path(file))
        done = perturb_file(
            str(shard),
            path,
            self._job,
            **self._reading,
            bad_lines=self._state_of(shard, _BAD) if self._keeps else self._bad_lines,
            workers=workers,
            progress=progress,
            described=self._state_of(shard),
        )
        return _Done(done.ids.all, before=False)

    def known(self, shard: Member) -> dict[str, Any]:
        """Return the manifest of a shard that is done."""
        content = self._last_known(shard)
        assert content is not None  # it was written with the shard
        if any(content[key] != value for key, value in self._same.items()):
            raise DataError(
                f"another process wrote {shard.place} in {public(self._path)} with another "
                "recipe meanwhile: run one after the other, each into a folder of its own"
            )
        return content

    def _last_known(self, shard: Member) -> dict[str, Any] | None:
        content = manifest.read_from(self._state_of(shard))
        if content is None and shard.place in self._before.get("shards", ()):
            content = {**self._before, **self._before["shards"][shard.place]}
        return content

    def _ids_if_done(self, shard: Member) -> Ids | None:
        """Return the ids of the rows of a shard that is done as it is to be; else None."""
        content = self._last_known(shard)
        if content is None or not self._is_current(content):
            return None
        if (
            self._keeps
            and content["input"]["bad_lines"]
            and not exists(self._state_of(shard, _BAD))
        ):
            return None
        if _sha256_at(f"{self._path}/{shard.place}") != content["output"]["sha256"]:
            return None
        ids, digest = self._ids_and_sha256(shard)
        return ids if digest == content["input"]["sha256"] else None

    def _is_current(self, content: Mapping[str, Any]) -> bool:
        """Return true if the job and its tables are those of a manifest."""
        if any(content[key] != value for key, value in self._same.items()):
            return False
        if any(content["input"].get(key) != self._reading[key] for key in ("encoding", "limit")):
            return False
        if content["input"]["bad_lines"] and self._bad_lines == "stop":
            return False
        with contextlib.suppress(resources.TableError):
            tables = content["tables"]
            return all(resources.sha256_of(name) == said for name, said in tables.items())
        return False

    def _ids_and_sha256(self, shard: Member) -> tuple[Ids, str]:
        """Return the ids of a file's rows, numbered as when it is perturbed, and its SHA-256."""
        file = Inputs([str(shard)], self._reading["format"], encoding=self._reading["encoding"])
        seen, id_field = SeenIds(), self._job.id_field
        with contextlib.closing(file):
            blocks = file.blocks(file.format.typed)
            for first, data in limited(blocks, self._reading["limit"], to_end=True):
                if file.format.typed:
                    names = [id_field] if id_field in data.column_names else []
                    rows = list(enumerate(data.select(names).to_pylist(), first))
                else:
                    rows = list(_numbered(first, data))
                seen.add(ids_of([row for _, row in rows], [number for number, _ in rows], id_field))
        return seen.all, file.digests[0].hexdigest()

    def finish(self, with_bad_lines: Sequence[Member], content: Mapping[str, Any]) -> None:
        """Write the manifest of the folder, in place of those of the shards, and bad lines."""
        with writing_together() as writing:
            if self._keeps:
                kept = writing(self._bad_lines)
                for shard in with_bad_lines:
                    with opened(self._state_of(shard, _BAD)) as file:
                        shutil.copyfileobj(file, kept)
            writing(f"{self._path}/{FOLDER_MANIFEST}").write(manifest.dumped(content))
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
