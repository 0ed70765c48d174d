"""The shards of an output folder: their states, and how one is perturbed."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Any

from perturb import resources
from perturb.errors import DataError
from perturb.io.addresses import exists, file_system, is_address, opened, public
from perturb.io.files import sha256_at
from perturb.io.inputs import FOLDER_MANIFEST, MANIFEST, Inputs, Member
from perturb.io.jsonl import parsed
from perturb.io.outputs import locked, make_parents, writing_together
from perturb.plan.job import Job
from perturb.rows.row_texts import row_texts
from perturb.rows.seen_ids import Ids, SeenIds, id_column, ids_of
from perturb.stream import manifest
from perturb.stream.perturb_file import Progress, Reading, bad_lines_file, perturb_file
from perturb.stream.pieces import limited

# Unfinished shards are here, in a folder that readers of datasets pass over.
_STATE = ".perturb"
# The end of the name of the file there with the bad lines of a shard.
_BAD = ".bad"


def _has_texts(row: Any, job: Job) -> bool:
    with contextlib.suppress(DataError):
        return bool(row_texts(row, job))
    return False


class Done:
    """A shard that is done.

    Args:
        ids: the ids of its rows.
        before: whether it was done already.

    Attributes:
        data: nothing; a result of `shared_out` has some.
    """

    def __init__(self, ids: Ids, *, before: bool) -> None:
        self.ids, self.before, self.data = ids, before, b""


class Folder:
    """An output folder, and the states of its shards.

    Args:
        path: the path of the folder.
        job: the instructions for each row.
        reading: how the inputs are read.
    """

    def __init__(self, path: str, job: Job, reading: Reading) -> None:
        self._path, self._job, self._reading = path, job, reading
        self._keeps = bool(bad_lines_file(reading.bad_lines))
        self._remote = is_address(path)
        described = manifest.described_job(job, ())
        self._same = {key: described[key] for key in ("contract", "plugins", "recipe")}
        self._before: dict[str, Any] = {}

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Read the state of the folder, and let no other process write to it meanwhile."""
        with contextlib.ExitStack() as stack:
            if not self._remote:
                stack.enter_context(locked(Path(self._path, _STATE, "lock"), self._path))
            content = manifest.read(f"{self._path}/") or {}
            if content.get(manifest.CHECKSUM) == manifest.checksum(content):
                self._before = {key: content[key] for key in (*self._same, "tables", "shards")}
            yield

    def _state_of(self, shard: Member, end: str = MANIFEST) -> str:
        """Return the path of the state of a shard, which is kept until all are done."""
        return f"{self._path}/{_STATE}/{shard.place}{end}"

    def perturbed(self, shard: Member, workers: int, progress: Progress | None) -> Done:
        """Perturb a shard if that is not done."""
        ids = self._ids_if_done(shard)
        if ids is not None:
            return Done(ids, before=True)
        path, reading = f"{self._path}/{shard.place}", self._reading
        if self._keeps:
            reading = reading._replace(bad_lines=self._state_of(shard, _BAD))
        if not self._remote:
            for file in (path, self._state_of(shard)):
                make_parents(Path(file))
        done = perturb_file(
            str(shard),
            path,
            self._job,
            reading,
            workers=workers,
            progress=progress,
            described=self._state_of(shard),
        )
        return Done(done.ids.given, before=False)

    def of(self, shard: Member) -> Folder:
        """Return the folder as another machine needs it for a shard: it knows of no other."""
        alone, known = copy(self), self._before.get("shards", {}).get(shard.place)
        alone._before = {**self._before, "shards": {shard.place: known}} if known else {}
        return alone

    def known(self, shard: Member) -> dict[str, Any]:
        """Return the manifest of a shard that is done."""
        content = self._last_known(shard)
        if content is None:
            raise DataError(
                f"{shard.place} is not in {public(self._path)} here, though a worker has written "
                "it: name an output that all machines share, such as an address"
            )
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
        """Return the ids of the rows of a shard that is done and up to date; else None."""
        content = self._last_known(shard)
        if content is None or not self._is_current(content):
            return None
        if (
            self._keeps
            and content["input"]["bad_lines"]
            and not exists(self._state_of(shard, _BAD))
        ):
            return None
        path = f"{self._path}/{shard.place}"
        if not exists(path) or sha256_at(path) != content["output"]["sha256"]:
            return None
        ids, digest = self._ids_and_sha256(shard, bool(content["input"]["bad_lines"]))
        return ids if digest == content["input"]["sha256"] else None

    def _is_current(self, content: Mapping[str, Any]) -> bool:
        """Return true if the job and its tables are those of a manifest."""
        if any(content[key] != value for key, value in self._same.items()):
            return False
        read, now = content["input"], self._reading
        if (read.get("encoding"), read.get("limit")) != (now.encoding, now.limit):
            return False
        if read["bad_lines"] and now.bad_lines == "stop":
            return False
        with contextlib.suppress(resources.TableError):
            tables = content["tables"]
            return all(resources.sha256_of(name) == said for name, said in tables.items())
        return False

    def _ids_and_sha256(self, shard: Member, has_bad: bool) -> tuple[Ids, str]:
        """Return the ids of a file's rows, numbered as when it is perturbed, and its SHA-256.

        If it has bad lines, those of rows without texts are left out, as they were then.
        """
        file = Inputs(
            *([str(shard)], self._reading.format),
            encoding=self._reading.encoding,
            inner=self._job.inner_rows,
        )
        seen, id_field = SeenIds(), self._job.id_field
        with contextlib.closing(file):
            is_typed = file.format.typed and file.inner is None
            blocks = file.blocks(is_typed)
            for first, data in limited(blocks, self._reading.limit, to_end=True):
                if is_typed:
                    column = id_column(data.column_names, id_field)
                    names = [] if column is None else [column]
                    rows = dict(enumerate(data.select(names).to_pylist(), first))
                else:  # what can't be read was left out
                    lines = (line for line in parsed(first, data) if line.error is None)
                    rows = {
                        line.number: line.value
                        for line in lines
                        if not has_bad or _has_texts(line.value, self._job)
                    }
                seen.add(ids_of([*rows.values()], [*rows], id_field))
        return seen.given, file.digests[0].hexdigest()

    def finish(self, with_bad_lines: Sequence[Member], content: Mapping[str, Any]) -> None:
        """Write the manifest of the folder, in place of those of the shards, and bad lines."""
        with writing_together() as writing:
            if self._keeps:
                kept = writing(self._reading.bad_lines)
                for shard in with_bad_lines:
                    with opened(self._state_of(shard, _BAD)) as file:
                        shutil.copyfileobj(file, kept)
            writing(f"{self._path}/{FOLDER_MANIFEST}").write(manifest.dumped(content))
        state = f"{self._path}/{_STATE}"
        if not self._remote:
            shutil.rmtree(state, ignore_errors=True)  # whoever waits for the lock may be in it
            return
        with contextlib.suppress(FileNotFoundError), file_system(state) as (system, inner):
            system.rm(inner, recursive=True)
