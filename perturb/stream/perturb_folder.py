"""Perturb folders: each shard as the file that it is, with one manifest over all.

A shard goes the way of any file (`perturb.stream.perturb_file`), and gets the same bytes. Until
all shards are done, `.perturb/` in the output says which are, and then `_manifest.json`; so a
second run goes on where the first stopped.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from itertools import accumulate, product
from pathlib import Path
from typing import Any

from perturb.errors import DataError, PerturbError, UsageError
from perturb.io.addresses import is_address, plain_path, public, size_of
from perturb.io.files import STANDARD
from perturb.io.inputs import FOLDER_MANIFEST, Member, check_apart, expanded, is_folder, one_format
from perturb.plan.job import Job
from perturb.rows.counts import RowCounts, Summary
from perturb.rows.seen_ids import SeenIds
from perturb.stream import manifest
from perturb.stream.perturb_file import (
    AS_THEY_ARE,
    Progress,
    Reading,
    bad_lines_file,
    shared_out,
    with_spans,
)
from perturb.stream.shards import Done, Folder

# From calls without arguments to their results, in order, wherever they are made; a call whose
# process is lost is made again, and may be made twice.
Mapper = Callable[[Sequence[Callable[[], Any]]], Generator[Any]]
# So many shards for each process are worked on at the same time, and not one after the other.
_SHARDS_EACH = 2
# The parts of the manifest of a shard; the others are the same in all.
_OF_SHARD = ("input", "output", "counts")


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
    reading: Reading = AS_THEY_ARE,
    *,
    workers: int = 1,
    progress: Progress | None = None,
    mapper: Mapper | None = None,
) -> Summary:
    """Perturb files, each into one of the same name and format in a folder.

    Shards that are done are passed over: those whose input, recipe, tables and output have the
    hashes that are known of them. Who writes to a local folder holds it alone; at an address each
    shard appears whole, and gets the same bytes from whoever writes it.

    Args:
        source: files, folders, patterns or addresses; see `perturb_file`.
        target: the folder, which is made if it is not there; or an address.
        job: what to do with a row.
        reading: how each shard is read.
        workers: the number of processes: each works on shards of its own where there are many,
            else all work on one shard at a time.
        progress: see `perturb_file`.
        mapper: has the shards perturbed elsewhere, in place of `workers`, by machines that have the
            same files at the same paths and addresses.

    Raises:
        DataError: as `perturb_file`; or another process writes to the folder.
        UsageError: as `perturb_file`; or the folder holds other files of rows.
    """
    sources = [source] if isinstance(source, str) else source
    shards, target = expanded(sources), plain_path(target).rstrip("/")
    check_places(sources, shards, target, reading.format, reading.bad_lines)
    job = with_spans(job, one_format(shards, reading.format))
    folder = Folder(target, job, reading)
    seen, counts = SeenIds(), RowCounts()
    described: dict[str, Any] = {}
    tables: set[str] = set()
    done_before, shared, places = 0, list[tuple[str, str]](), [shard.place for shard in shards]
    with folder.held():
        for index, done in enumerate(_each(folder, shards, workers, mapper, progress)):
            shard, content = shards[index], folder.known(shards[index])
            done_before += done.before
            described[shard.place] = {key: content[key] for key in _OF_SHARD}
            tables.update(content["tables"])
            counts.add(RowCounts.of(content["counts"]))
            seen.not_kept += content["input"]["ids_not_kept"]
            shared += seen.add_shard(done.ids, index, places)
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
    return Summary(
        public(sources[0]) + f" and {len(sources) - 1} more" * (len(sources) > 1),
        counts,
        job,
        left_out,
        seen,
        shards=len(shards),
        done_before=done_before,
        shared_ids=shared,
    )


def _each(
    folder: Folder,
    shards: Sequence[Member],
    workers: int,
    mapper: Mapper | None,
    progress: Progress | None,
) -> Iterator[Done]:
    """Perturb the shards, in order; see `perturb_folder`."""
    starts = list(accumulate(map(size_of, shards), initial=0)) if progress else []
    if mapper is not None:
        each = _mapped(mapper, folder, shards)
    elif workers > 1 and len(shards) >= _SHARDS_EACH * workers:
        tasks = ((index, b"") for index in range(len(shards)))
        each = shared_out(partial(_perturb_shard, folder, shards), tasks, workers)
    else:
        shown = (progress and partial(_shifted, progress, starts, at) for at in range(len(shards)))
        each = (folder.perturbed(shard, workers, next(shown)) for shard in shards)
    for index, done in enumerate(each, 1):
        yield done
        if progress:
            progress(starts[index], starts[-1])


def _perturb_shard(folder: Folder, shards: Sequence[Member], index: int, _: bytes) -> Done:
    return folder.perturbed(shards[index], 1, None)


def _mapped(mapper: Mapper, folder: Folder, shards: Sequence[Member]) -> Iterator[Done]:
    calls = [partial(_answer, folder.of(shard), shard) for shard in shards]
    with contextlib.closing(mapper(calls)) as answers:
        for answer in answers:
            if isinstance(answer, PerturbError):
                raise answer
            yield answer


def _answer(folder: Folder, shard: Member) -> Done | PerturbError:
    """Return an error of the data, which no second try fixes, and which engines would wrap."""
    try:
        return folder.perturbed(shard, 1, None)
    except PerturbError as error:
        return error


def _shifted(progress: Progress, starts: Sequence[int], at: int, read: int, _: int) -> None:
    progress(starts[at] + read, starts[-1])


def check_places(
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
    kept = bad_lines_file(bad_lines)
    if any(_is_inside(path, target) for _, path in kept):
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
    each = (("output", f"{target}/{place}") for place in (*places, FOLDER_MANIFEST))
    check_apart(shards, *each, *kept)
    for (what, path), source in product([("output", target), *kept], sources):
        if _is_inside(path, source):
            raise UsageError(
                f"the {what} {public(path)} lies in the input {public(source)}, and would be "
                "read when that is read again: name another place"
            )
    with contextlib.suppress(DataError):  # nothing is there
        for member in expanded(f"{target}/") if is_folder(target) else ():
            if member.place not in places:
                raise UsageError(
                    f"{public(target)} holds {member.place}, which no input gives: remove it, "
                    "or name another folder"
                )


def _is_inside(path: str, folder: str) -> bool:
    if is_address(path) or is_address(folder):
        return public(path).startswith(public(folder).rstrip("/") + "/")
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))
