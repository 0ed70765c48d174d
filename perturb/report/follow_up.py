"""The command lines that go on from a page."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from perturb.report.headline import Commands
from perturb.stream.reproduce import apply_command, rows_manifest, system_options, system_words

if TYPE_CHECKING:
    from collections.abc import Sequence


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
    explain = ["perturb", "explain", scored, *asked, *answers, "-o", "explained.jsonl"]
    return Commands(
        rematch=lambda way: shlex.join(
            ["perturb", "report", scored, *graded, "--match", way, *page]
        ),
        explain=shlex.join(explain),
        protect=lambda words: apply_command(rows, "again.jsonl", shlex.split(words)) or "",
        more=apply_command(rows, "more.jsonl", read="MORE.jsonl") or "",
        gate=shlex.join(["perturb", "score", scored, *answers, "--fail-if", "drop>0.02"]),
        again=shlex.join(["perturb", "compare", scored, "AFTER.jsonl", *answers]),
    )


def system_name(manifest: Any) -> str:
    """Return the name of the system: its model, or its command; "" if the manifest has none."""
    options = system_options(manifest)
    return str(options.get("model") or options.get("command") or options.get("endpoint") or "")
