"""The words around the figures of a page: what it is of, and how to go on."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, NamedTuple

from perturb.report.next_step import Commands
from perturb.stream.reproduce import apply_command, rows_manifest, system_options, system_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.report.next_step import Next


class Surroundings(NamedTuple):
    """The words of the page beside the figures.

    Attributes:
        title: the name of the file, or of both.
        next: what to do next; None where nothing is told.
        hints: what else to know, each in one sentence.
        commands: command lines that make the page again, each with a description.
        flips_command: the command line that lists all flips; "" where there is none.
        manifests: the names and the texts of the manifests there are.
    """

    title: str
    next: Next | None
    hints: Sequence[str]
    commands: Sequence[tuple[str, str]]
    flips_command: str
    manifests: Sequence[tuple[str, str]]


def next_commands(
    manifest: Any, scored: str, graded: Sequence[str], match: Sequence[str], page: Sequence[str]
) -> Commands:
    """Return the command lines that may come next.

    Args:
        manifest: of the scored file; None where there is none.
        scored: the path of the file.
        graded: the options by which rows are graded, without the match.
        match: that option.
        page: the words that end the command of the page.
    """
    answers, rows = [*graded, *match], rows_manifest(manifest)
    asked = system_words(manifest) or ["--command", "PROGRAM"]
    explain = shlex.join(["perturb", "explain", scored, *asked, *answers, "-o", "explained.jsonl"])
    return Commands(
        rematch=lambda way: shlex.join(
            ["perturb", "report", scored, *graded, "--match", way, *page]
        ),
        explain="" if {"--score", "--metrics", "--row", "--where"} & {*graded} else explain,
        protect=lambda words: apply_command(rows, "again.jsonl", shlex.split(words)) or "",
        more=apply_command(rows, "more.jsonl", read="MORE.jsonl") or "",
        gate=shlex.join(["perturb", "score", scored, *answers, "--fail-if", "drop>0.02"]),
        again=shlex.join(["perturb", "compare", scored, "AFTER.jsonl", *answers]),
    )


def system_name(manifest: Any) -> str:
    """Return the name of the system: its model, or its command; "" if the manifest has none."""
    options = system_options(manifest)
    return str(options.get("model") or options.get("command") or options.get("endpoint") or "")
