"""Jobs in files: steps with the options of a job, or the manifest of an output."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from perturb.errors import UsageError
from perturb.pipeline.pipeline import from_file
from perturb.plan.options import NAMES


def read_job_file(path: str | Path) -> tuple[Any, dict[str, Any] | None]:
    """Read a job from a YAML or JSON file.

    Args:
        path: a file that holds what names steps, where it is a mapping also options of a job by
            their names in Python; or the manifest of an output, for the job that made it.

    Returns:
        What names steps, and the options; of a manifest its recipe, and None.

    Raises:
        UsageError: the file can't be read; the message names it.
    """
    return from_file(path, _parted)


def _parted(said: Any) -> tuple[Any, dict[str, Any] | None]:
    if not isinstance(said, Mapping):
        return said, {}
    if "recipe" in said:
        recipe = said["recipe"]
        if not isinstance(recipe, str):
            raise UsageError(f"its recipe must be a string; got {recipe!r}")
        return recipe, None
    options = {name: said[name] for name in NAMES if name in said}
    return {name: value for name, value in said.items() if name not in options}, options
