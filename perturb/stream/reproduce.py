"""The command lines that make rows again."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from perturb.errors import PerturbError
from perturb.pipeline.grids import Grid
from perturb.pipeline.pipeline import Pipeline
from perturb.rows.job_options import repeated, to_words


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
    return repeated(f"--{name.replace('_', '-')}" if len(name) > 1 else f"-{name}", value)


def _apply(manifest: Any, output: str) -> str | None:
    """Return the `perturb apply` that a manifest describes; None where it describes none."""
    try:
        pipelines = tuple(Pipeline.of(one) for one in manifest["pipelines"])
    except (KeyError, TypeError, PerturbError):  # another program's, or a perturbator is missing
        return None
    steps = [Grid(pipelines)] if len(pipelines) > 1 else pipelines[0].parts
    files = repeated("--plugin", list(manifest.get("plugins", ())))
    words = ["perturb", "apply", *map(str, steps), *files, *to_words(manifest)]
    read = manifest.get("input", {}).get("path")
    read = [read] if isinstance(read, str) else read or []
    words += repeated("-i", read)
    record = manifest.get("output", {}).get("record")
    if record in ("columns", "none"):
        words += ["--record", record]
    return shlex.join([*words, "-o", output])
