"""The command lines that make rows again."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from perturb.errors import PerturbError

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


def commands(
    manifest: Any, scored: str, perturbed: str = "perturbed.jsonl"
) -> list[tuple[str, str]]:
    """Return the steps that made a file, each with its command line, as its manifest says.

    Args:
        manifest: what the one beside the file holds; None where there is none.
        scored: the name of the file.
        perturbed: the name of the rows before they were answered, where that is not known.
    """
    match manifest:
        case {
            "asked": {"command": str(command), "options": dict(options)},
            "input": {"path": str(path), "manifest": before},
        }:
            read = Path(path).name
            words = [word for name, value in options.items() for word in _option(name, value)]
            line = shlex.join(["perturb", command, read, *words, "-o", scored])
            what = "The explanations:" if command == "explain" else "The answers:"
            return [*commands(before, read, read), (what, line)]
    applied = _apply(manifest, perturbed)
    return [] if applied is None else [("The perturbed rows:", applied)]


def _option(name: str, value: Any) -> list[str]:
    option = f"--{name.replace('_', '-')}" if len(name) > 1 else f"-{name}"
    values = value if isinstance(value, list) else [value]
    return [word for one in values for word in (option, str(one))]


def _apply(manifest: Any, output: str) -> str | None:
    """Return the `perturb apply` that a manifest describes; None where it describes none."""
    from perturb.pipeline.grids import Grid
    from perturb.pipeline.pipeline import Pipeline

    try:
        pipelines = tuple(Pipeline.of(one) for one in manifest["pipelines"])
    except (KeyError, TypeError, PerturbError):  # another program's, or a perturbator is missing
        return None
    steps = [Grid(pipelines)] if len(pipelines) > 1 else pipelines[0].steps
    words = ["perturb", "apply", *map(str, steps)]
    words += _words("--plugin", list(manifest.get("plugins", ())), [])
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
