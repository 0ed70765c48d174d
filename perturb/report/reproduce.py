"""The command lines that make rows again, and those that go on from them."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.errors import PerturbError
from perturb.report.headline import Commands

if TYPE_CHECKING:
    from collections.abc import Sequence

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
# The options of `perturb run` that name the system, which `perturb explain` has as well.
_SYSTEM = (
    "endpoint model key_env header temperature top_p max_tokens extra_body command field system "
    "prompt concurrency rpm tpm"
).split()


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


def next_commands(
    manifest: Any, scored: str, page: Sequence[str], graded: Sequence[str], match: Sequence[str]
) -> Commands:
    """Return the command lines that may come next.

    Args:
        manifest: of the scored file; None where there is none.
        scored: the name of the file.
        page: the words that end the command of the page.
        graded: the options by which rows are graded, without the match.
        match: that option.
    """
    options = system_options(manifest)
    asked = [w for name in _SYSTEM if name in options for w in _option(name, options[name])]
    answers = [*graded, *match]
    rows = _rows_manifest(manifest)

    def again(*more: str, read: str | None = None) -> str:
        return _apply(rows, "again.jsonl", more=more, read=read) or ""

    return Commands(
        rematch=lambda way: shlex.join(["perturb", "report", scored, *graded, "--match", way, *page]),
        explain=shlex.join(
            ["perturb", "explain", scored, *(asked or ["--command", "PROGRAM"]), *answers]
            + ["-o", "explained.jsonl"]
        ),
        protect=lambda words: again(*shlex.split(words)),
        more=again(read="MORE.jsonl"),
        gate=shlex.join(["perturb", "score", scored, *answers, "--fail-if", "drop>0.02"]),
        again=shlex.join(["perturb", "compare", scored, "AFTER.jsonl", *answers]),
    )


def system_options(manifest: Any) -> dict[str, Any]:
    """Return the options by which the system was asked, as a manifest says; {} if it does not."""
    match manifest:
        case {"asked": {"options": dict(options)}}:
            return options
    return {}


def system_name(manifest: Any) -> str:
    """Return the name of the system: its model, or its command; "" if the manifest has none."""
    options = system_options(manifest)
    name = options.get("model") or options.get("command") or options.get("endpoint")
    return str(name) if name else ""


def _rows_manifest(manifest: Any) -> Any:
    match manifest:
        case {"asked": _, "input": {"manifest": before}}:
            return _rows_manifest(before)
    return manifest


def _option(name: str, value: Any) -> list[str]:
    option = f"--{name.replace('_', '-')}" if len(name) > 1 else f"-{name}"
    values = value if isinstance(value, list) else [value]
    return [word for one in values for word in (option, str(one))]


def _apply(
    manifest: Any, output: str, *, more: Sequence[str] = (), read: str | None = None
) -> str | None:
    """Return the `perturb apply` that a manifest describes; None where it describes none."""
    from perturb.pipeline.grids import Grid
    from perturb.pipeline.pipeline import Pipeline

    try:
        pipelines = tuple(Pipeline.of(one) for one in manifest["pipelines"])
    except (KeyError, TypeError, PerturbError):  # another program's, or a perturbator is missing
        return None
    steps = [Grid(pipelines)] if len(pipelines) > 1 else pipelines[0].steps
    words = ["perturb", "apply", *map(str, steps)]
    for name, (option, default) in _OPTIONS.items():
        words += _words(option, manifest.get(name, default), default)
    read = read or manifest.get("input", {}).get("path")
    return shlex.join([*words, *more, *(["-i", read] if read else []), "-o", output])


def _words(option: str, value: Any, default: Any) -> list[str]:
    if value == default:
        return []
    if value is True:
        return [option]
    values = value if isinstance(value, list) else [value]
    return [word for one in values for word in (option, str(one))]
