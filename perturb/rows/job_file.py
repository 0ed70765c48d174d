"""Jobs in files: steps with the options of a job, or the manifest of an output."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from perturb._version import CONTRACT
from perturb.errors import UsageError
from perturb.pipeline.grids import Grid
from perturb.pipeline.pipeline import Pipeline, from_file
from perturb.registry.parameters import trusting
from perturb.rows.job import Job
from perturb.rows.job_options import split_options


def read_job(
    path: str | Path, make_grid: Callable[[Any], Grid], trust: Collection[str] = ()
) -> Job:
    """Read a job from a YAML or JSON file.

    Args:
        path: a file that holds what names steps, where it is a mapping also options of a job by
            their names in Python; or the manifest of an output, for the job that made it.
        make_grid: makes the pipelines of what names steps.
        trust: files and functions that the steps of a manifest may use.

    Raises:
        UsageError: the file can't be read, or what it says can't be; the message names it.
    """

    def make(said: Any) -> Job:
        options, steps = split_options(said) if isinstance(said, Mapping) else ({}, said)
        if isinstance(said, Mapping) and {"pipelines", "contract"} <= said.keys():
            with trusting(trust):  # a manifest comes with data, and is read as data
                steps = _of_manifest(said)
        return Job(pipelines=make_grid(steps).pipelines, **options)

    return from_file(path, make)


def _of_manifest(manifest: Mapping[str, Any]) -> Grid:
    if manifest["contract"] != CONTRACT:
        raise UsageError(
            f"the manifest is of contract {manifest['contract']!r}, and this release makes the "
            f"bytes of contract {CONTRACT}: use the release that wrote it"
        )
    return Grid(tuple(map(Pipeline.of, manifest["pipelines"])))
