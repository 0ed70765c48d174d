"""The command lines that make rows again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from perturb.boundary import trusting
from perturb.errors import PerturbError
from perturb.plan import recipe
from perturb.plan.options import repeated, to_words
from perturb.plan.parts import shortened

# The options of `perturb run` that name the system; `perturb explain` has them as well.
_SYSTEM = (
    "endpoint model key_env header temperature top_p max_tokens extra_body command field choices "
    "system prompt concurrency rpm tpm"
).split()


def commands(
    manifest: Any, scored: str, perturbed: str = "perturbed.jsonl"
) -> list[tuple[str, str]]:
    """Return the steps that made a file, each with its command line, as its manifest says.

    Args:
        manifest: what the one beside the file holds; None if there is none.
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
    applied = apply_command(manifest, perturbed)
    return [] if applied is None else [("The perturbed rows:", applied)]


def _option(name: str, value: Any) -> list[str]:
    flag = f"--{name.replace('_', '-')}" if len(name) > 1 else f"-{name}"
    return [flag] if value is True else repeated(flag, value)


def system_options(manifest: Any) -> dict[str, Any]:
    """Return the options by which a system was asked; {} where a manifest does not tell."""
    match manifest:
        case {"asked": {"options": dict(options)}}:
            return options
    return {}


def system_words(manifest: Any) -> list[str]:
    """Return the words of a command line that name the system, as `perturb run` was given them."""
    options = system_options(manifest)
    return [word for name in _SYSTEM if name in options for word in _option(name, options[name])]


def rows_manifest(manifest: Any) -> Any:
    """Return the manifest of the perturbed rows, which that of their answers holds."""
    match manifest:
        case {"asked": _, "input": {"manifest": before}}:
            return rows_manifest(before)
    return manifest


def apply_command(
    manifest: Any, output: str, more: Sequence[str] = (), read: str | None = None
) -> str | None:
    """Return the `perturb apply` that a manifest describes; None where it describes none.

    Nor is one returned where a step names code or a file, which would be used to make the step.

    Args:
        manifest: the manifest of perturbed rows.
        output: the name of the file to write.
        more: further options.
        read: in place of its input, the file to read.
    """
    try:
        with trusting(()):
            job = recipe.read(manifest["recipe"])
    except (KeyError, TypeError, PerturbError):  # another program's, or a perturbator is missing
        return None
    (first, *others) = job.conditions
    is_plain = not others and first.label == shortened(str(first.pipeline))
    steps = first.pipeline.parts if is_plain else [job.grid]
    files = repeated("--plugin", list(manifest.get("plugins", ())))
    words = ["perturb", "apply", *map(str, steps), *files, *to_words(job.options), *more]
    path = read or manifest.get("input", {}).get("path")
    words += repeated("-i", [path] if isinstance(path, str) else path or [])
    return shlex.join([*words, "-o", output])
