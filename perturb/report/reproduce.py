"""The command lines that make rows again."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.errors import PerturbError

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    "answer_field": ("--answer", None),
    "with_original": ("--with-original", False),
    "compact": ("--compact", False),
}


def commands(manifest: Mapping[str, Any] | None, output: str) -> list[tuple[str, str]]:
    """What it took to make a file, each step with its command line, as its manifest says.

    A step that the manifest of another program describes is left out.
    """
    if manifest is None:
        return []
    if "asked" not in manifest:
        return [("The perturbed rows:", line)] if (line := _apply(manifest, output)) else []
    asked, read = manifest["asked"], Path(manifest["input"]["path"]).name
    options = [word for name, value in asked["options"].items() for word in _option(name, value)]
    line = shlex.join(["perturb", asked["command"], read, *options, "-o", output])
    return [
        *commands(manifest["input"]["manifest"], read),
        ("The answers:" if asked["command"] == "run" else "The explanations:", line),
    ]


def _option(name: str, value: Any) -> list[str]:
    return [f"--{name.replace('_', '-')}" if len(name) > 1 else f"-{name}", str(value)]


def _apply(manifest: Mapping[str, Any], output: str) -> str | None:
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
