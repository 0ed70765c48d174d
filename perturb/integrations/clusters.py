"""Perturb folders on a cluster: shard by shard as on one machine, with the same manifest.

A cluster is another way to call a function for each shard; `perturb.stream.perturb_folder` writes,
skips and checks them. A shard is made again if its process is lost; a shard that is made twice gets
the same bytes and appears whole.
"""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from operator import methodcaller
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple, Unpack

from perturb.api import Steps
from perturb.boundary import needed
from perturb.errors import UsageError, door, shown
from perturb.io.addresses import is_address, plain_path, public
from perturb.io.formats import suffix_format
from perturb.io.inputs import is_folder
from perturb.pipeline.pipeline import Grid
from perturb.plan.arguments import Options, spelled_out
from perturb.plan.job import job_of
from perturb.rows.counts import Summary
from perturb.rows.seen_ids import of_shared_ids
from perturb.stream.perturb_file import MAX_LINE, Reading
from perturb.stream.perturb_folder import Mapper, perturb_folder
from perturb.values.fields import plain

Calls = Sequence[Callable[[], Any]]
_Path = str | PathLike[str]


class Cluster(NamedTuple):
    """An engine that runs processes.

    Attributes:
        mapper: makes calls on its processes.
    """

    mapper: Mapper

    @door
    @spelled_out
    def augment(
        self,
        input: _Path | list[_Path] | tuple[_Path, ...],
        output: _Path,
        steps: Steps | Grid,
        p: float | None = None,
        *,
        format: str | None = None,
        encoding: str | None = None,
        limit: int | None = None,
        bad_lines: str = "stop",
        max_line: int = MAX_LINE,
        **options: Unpack[Options],
    ) -> Summary:
        """Perturb files on a cluster, each into a file of the same name and format in a folder.

        The folder has the bytes that `perturb apply -i INPUT -o OUTPUT` writes, including
        `_manifest.json`, and finished files aren't made again. All machines need perturb, and the
        same files at the same paths: a shared folder, or addresses such as s3://.

        Args:
            input: a file, a folder, a pattern or an address; or several.
            output: the folder, which is made if it doesn't exist; or an address.
            steps: see `perturb.apply`; or a grid.
            p: see `perturb.apply`.
            format: the format of files without a known suffix.
            encoding: the encoding of the text of the inputs; None for UTF-8.
            limit: the most rows to read of each file; None for all.
            bad_lines: "stop" at a line that can't be perturbed; "skip" to count such lines; or a
                path to keep them.
            max_line: the most bytes of a row.
            field: see `perturb.augment`, as for all that follow.

        Returns:
            The numbers of `shards` and of those `done_before`, the `counts` of rows, the number of
            `bad_lines`, and `shared_ids`: the places of two rows with one id in two shards.

        Raises:
            UsageError: as `perturb.augment`; or the engine isn't installed or running, or the
                output isn't a folder.
            DataError: a file can't be read or written, or a row is wrong; the message says where.

        Warns:
            UserWarning: two shards have the same id.

        Examples:
            >>> from perturb.ray import augment
            >>> augment("s3://corpora/web/", "s3://corpora/noisy/", "ocr")  # doctest: +SKIP
        """
        target = _whole_path(output)
        if suffix_format(target) is not None and not is_folder(target):
            raise UsageError(
                "the output of a cluster must be a folder, for a file from each input; got "
                f"{public(target)}"
            )
        inputs = input if isinstance(input, list | tuple) else [input]
        done = perturb_folder(
            list(map(_whole_path, inputs)),
            target,
            job_of(steps, p, **options),
            Reading(format, encoding, plain(limit), bad_lines, plain(max_line)),
            mapper=self.mapper,
        )
        if done.shared_ids:
            warnings.warn(of_shared_ids(done.shared_ids), stacklevel=3)
        return done


def _whole_path(path: _Path) -> str:
    """Return a path from the root, since other machines work in other folders; or an address."""
    if not isinstance(path, str | PathLike):
        raise TypeError(
            f"input and output must be paths or addresses; got {shown(path)}: "
            "perturb.Transform(STEPS)(data) takes tables and datasets"
        )
    text = plain_path(fspath(path))
    return text if is_address(text) else f"{Path(text).absolute()}{'/' * text.endswith('/')}"


def _on_ray(calls: Calls) -> Generator[Any]:
    """Make calls on the Ray cluster of this process, or on one of this machine."""
    ray = needed("ray", "ray", "perturb.ray needs")
    task = ray.remote(lambda call: call())
    yield from _in_turn(map(task.remote, calls), ray.get, lambda rest: [*map(ray.cancel, rest)])


def _on_dask(calls: Calls) -> Generator[Any]:
    """Make calls on the Dask cluster that this process has a client of."""
    distributed = needed("distributed", "dask", "perturb.dask needs")
    try:
        client = distributed.get_client()
    except ValueError:
        raise UsageError(
            "perturb.dask needs a client: make dask.distributed.Client(ADDRESS) of a cluster, or "
            "Client() of this machine"
        ) from None
    answers = client.map(lambda call: call(), calls, pure=False)
    yield from _in_turn(answers, methodcaller("result"), client.cancel)


def _in_turn(
    answers: Iterable[Any], get: Callable[[Any], Any], cancel: Callable[[list[Any]], Any]
) -> Generator[Any]:
    """Yield answers as they arrive; cancel the rest if the caller stops."""
    waiting = deque(answers)
    try:
        while waiting:
            yield get(waiting[0])
            waiting.popleft()
    finally:
        cancel([*waiting])


def _on_spark(calls: Calls) -> Generator[Any]:
    """Make calls in the Spark session of this process, or in a new one."""
    pyspark = needed("pyspark", "spark", "perturb.spark needs")
    context = pyspark.sql.SparkSession.builder.getOrCreate().sparkContext
    answers = context.parallelize(calls, len(calls)).map(lambda call: call())
    answers.persist(pyspark.StorageLevel.DISK_ONLY)
    try:
        answers.count()  # makes all in parallel; the iterator would make one after the other
        yield from answers.toLocalIterator()
    finally:
        answers.unpersist()


RAY, DASK, SPARK = map(Cluster, (_on_ray, _on_dask, _on_spark))
