"""The command lines that make the rows and the page again."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any

from perturb.errors import DataError, PerturbError
from perturb.io.manifest import path_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

# The options of `perturb apply`, by their names in a manifest, with what they are left out at.
_OPTIONS = {
    "field": ("--field", "text"),
    "id_field": ("--id-field", "id"),
    "seed": ("--seed", 0),
    "replicates": ("--replicates", 1),
    "protect": ("--protect", None),
    "only": ("--only", None),
    "spans_field": ("--spans", None),
    "span_policy": ("--span-policy", "grow"),
    "with_original": ("--with-original", False),
    "compact": ("--compact", False),
}


def manifest_of(scored: Path) -> dict[str, Any] | None:
    """What the manifest beside a file holds; None where there is none.

    Raises:
        DataError: it can't be read, or is no JSON object.
    """
    path = path_of(str(scored))
    if not path.exists():
        return None
    try:
        manifest = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise DataError(f"can't read the manifest {path}: {error}") from None
    if not isinstance(manifest, dict):
        raise DataError(f"the manifest {path} must hold a JSON object")
    return manifest


def apply_command(manifest: Mapping[str, Any], output: str) -> str | None:
    """The `perturb apply` that a manifest describes; None where it describes none."""
    from perturb.grids import Grid
    from perturb.pipeline import Pipeline

    try:
        pipelines = tuple(Pipeline.of(one) for one in manifest["pipelines"])
    except (KeyError, TypeError, PerturbError):  # another program's, or a perturbator is missing
        return None
    steps = [Grid(pipelines)] if len(pipelines) > 1 else pipelines[0].steps
    words = ["perturb", "apply", *map(str, steps)]
    for name, (option, default) in _OPTIONS.items():
        words += _words(option, manifest.get(name, default), default)
    read = manifest.get("input", {}).get("path")
    return shlex.join([*words, *(["-i", read] if read else []), "-o", output])


def _words(option: str, value: Any, default: Any) -> list[str]:
    if value == default:
        return []
    if value is True:
        return [option]
    values = value if isinstance(value, list) else [value]
    return [word for one in values for word in (option, str(one))]
