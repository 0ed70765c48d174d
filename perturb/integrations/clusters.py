"""Perturb folders on a cluster: shard for shard as on one machine, with the same manifest.

A cluster is another way to call a function for each shard: what it writes, skips and checks is
`perturb.stream.perturb_folder`'s. A shard whose process is lost is made again; one that is made
twice gets the same bytes and appears whole.
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
from perturb.rows.seen_ids import of_shared_ids
from perturb.stream.perturb_file import MAX_LINE
from perturb.stream.perturb_folder import Mapper, perturb_folder
from perturb.stream.summary import Summary
from perturb.values.scalars import plain

Calls = Sequence[Callable[[], Any]]
_Path = str | PathLike[str]


class Cluster(NamedTuple):
    """An engine that processes run on.

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
        """Perturb files on a cluster, each into one of the same name and format in a folder.

        The folder has the bytes that `perturb apply -i INPUT -o OUTPUT` writes, `_manifest.json`
        too, and what is done of it is not done again. All machines need perturb, and the same
        files at the same paths: a folder that they share, or addresses such as s3://.

        Args:
            input: a file, a folder, a pattern or an address; or several.
            output: the folder, which is made if it is not there; or an address.
            steps: see `perturb.apply`; or a grid.
            p: see `perturb.apply`.
            format: the format of files whose names don't tell it.
            encoding: the encoding of the text of the inputs; None for UTF-8.
            limit: how many rows of each file are read; None for all.
            bad_lines: what to do with a line that is no row to perturb: "stop"; "skip" to count it;
                or a path, where such lines are kept.
            max_line: the bytes that a row may have.
            field: see `perturb.augment`, as for all that follow.

        Returns:
            The numbers of `shards` and of those `done_before`, the `counts` of rows, the number of
            `bad_lines`, and `shared_ids`: two rows of one id in two shards, by their places.

        Raises:
            UsageError: as `perturb.augment`; or the engine is not installed or not there, or the
                output is no folder.
            DataError: a file can't be read or written, or a row is wrong; the message says where.

        Warns:
            UserWarning: an id stands in two shards.

        Examples:
            >>> from perturb.ray import augment
            >>> augment("s3://corpora/web/", "s3://corpora/noisy/", "ocr")  # doctest: +SKIP
        """
        target = _whole_path(output)
        if suffix_format(target) is not None and not is_folder(target):
            raise UsageError(
                f"the output of a cluster is a folder, with a file for each of the inputs; got "
                f"{public(target)}"
            )
        inputs = input if isinstance(input, list | tuple) else [input]
        done = perturb_folder(
            list(map(_whole_path, inputs)),
            target,
            job_of(steps, p, **options),
            format=format,
            encoding=encoding,
            limit=plain(limit),
            bad_lines=bad_lines,
            max_line=plain(max_line),
            mapper=self.mapper,
        )
        if done.shared_ids:
            warnings.warn(of_shared_ids(done.shared_ids), stacklevel=3)
        return done


def _whole_path(path: _Path) -> str:
    """Return a path from the root, since other machines work in other folders; or an address."""
    if not isinstance(path, str | PathLike):
        raise TypeError(
            f"input and output are paths or addresses; got {shown(path)}: "
            "perturb.Transform(STEPS)(data) takes tables and data sets"
        )
    text = plain_path(fspath(path))
    return text if is_address(text) else f"{Path(text).absolute()}{'/' * text.endswith('/')}"


def _on_ray(calls: Calls) -> Generator[Any]:
    """Make calls on the cluster of Ray that this process is in, or on one of this machine."""
    ray = needed("ray", "ray", "perturb.ray needs")
    task = ray.remote(lambda call: call())
    yield from _in_turn(map(task.remote, calls), ray.get, lambda rest: [*map(ray.cancel, rest)])


def _on_dask(calls: Calls) -> Generator[Any]:
    """Make calls on the cluster of Dask that this process has a client of."""
    distributed = needed("distributed", "dask", "perturb.dask needs")
    try:
        client = distributed.get_client()
    except ValueError:
        raise UsageError(
            "perturb.dask needs a client: dask.distributed.Client(ADDRESS) of a cluster, or "
            "Client() of this machine"
        ) from None
    answers = client.map(lambda call: call(), calls, pure=False)
    yield from _in_turn(answers, methodcaller("result"), client.cancel)


def _in_turn(
    answers: Iterable[Any], get: Callable[[Any], Any], cancel: Callable[[list[Any]], Any]
) -> Generator[Any]:
    """Yield what each answer is, once it is there; cancel those that nobody takes any more."""
    waiting = deque(answers)
    try:
        while waiting:
            yield get(waiting[0])
            waiting.popleft()
    finally:
        cancel([*waiting])


def _on_spark(calls: Calls) -> Generator[Any]:
    """Make calls in the session of Spark that this process has, or in one that it begins."""
    pyspark = needed("pyspark", "spark", "perturb.spark needs")
    context = pyspark.sql.SparkSession.builder.getOrCreate().sparkContext
    answers = context.parallelize(calls, len(calls)).map(lambda call: call())
    answers.persist(pyspark.StorageLevel.DISK_ONLY)
    try:
        answers.count()  # all at a time, where the iterator makes one after the other
        yield from answers.toLocalIterator()
    finally:
        answers.unpersist()


RAY, DASK, SPARK = map(Cluster, (_on_ray, _on_dask, _on_spark))
