"""The words around the figures of a page: its rows, the date of the answers, and the next step."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from perturb.boundary import opened
from perturb.robustness.grading.plan import GRADED, MARGIN, Grading
from perturb.robustness.measures.judgement import (
    CANNOT_JUDGE,
    INSENSITIVE,
    INVENTS,
    UNDECIDED,
    WORSE,
)
from perturb.robustness.measures.obstacles import too_few
from perturb.stream.reproduce import apply_command, rows_manifest, system_options, system_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from perturb.robustness.scoring.verdict import Verdict
    from perturb.robustness.tables.headline import Headline

_ASKED_AT = re.compile(rb'"at":"(\d{4}-\d\d-\d\d)T[^"]*"}$')


class Next(NamedTuple):
    """A step to take: the reason, and the command to copy ("" for none)."""

    why: str
    command: str


class Commands(NamedTuple):
    """The command lines that a next step may need; "" where the manifest does not tell them.

    Attributes:
        rematch: makes the page again, with another match.
        explain: finds the edits that matter; "" where rows are not graded by answers as they are.
        protect: perturbs again, with some options more.
        more: perturbs further originals in the same way.
        gate: fails in continuous integration.
        again: compares with the system asked again.
    """

    rematch: Callable[[str], str]
    explain: str
    protect: Callable[[str], str]
    more: str
    gate: str
    again: str


class Surroundings(NamedTuple):
    """The words of the page beside the figures.

    Attributes:
        title: the name of the file, or of both.
        next: what to do next; None if there is nothing to say.
        hints: what else to know, each in one sentence.
        commands: command lines that make the page again, each with a description.
        flips_command: the command line that lists all flips; "" for none.
        manifests: the names and the texts of the manifests there are.
        grading: the plan of judging, as text.
    """

    title: str
    next: Next | None
    hints: Sequence[str]
    commands: Sequence[tuple[str, str]]
    flips_command: str
    manifests: Sequence[tuple[str, str]]
    grading: str = "{}"


def next_commands(
    manifest: Any, files: Sequence[str], grading: Grading, page: Sequence[str]
) -> Commands:
    """Return the command lines that may come next.

    Args:
        manifest: the manifest of the scored file; None if it has none.
        files: the words that name the scored file, and that of its originals.
        grading: the plan of the verdict.
        page: the words that end the command of the page.
    """
    answers, rows = grading.words(*GRADED), rows_manifest(manifest)
    asked = system_words(manifest) or ["--command", "PROGRAM"]
    explain = shlex.join(["perturb", "explain", *files, *asked, *answers, "-o", "explained.jsonl"])
    return Commands(
        rematch=lambda way: shlex.join(
            ["perturb", "report", *files, *replace(grading, match=way).words(*GRADED), *page]
        ),
        explain="" if grading.words("score", "metrics", "rows", "where") else explain,
        protect=lambda words: apply_command(rows, "again.jsonl", shlex.split(words)) or "",
        more=apply_command(rows, "more.jsonl", read="MORE.jsonl") or "",
        gate=shlex.join(["perturb", "score", *files, *answers, "--fail-if", f"drop>{MARGIN}"]),
        again=shlex.join(["perturb", "compare", files[0], "AFTER.jsonl", *answers]),
    )


def system_name(manifest: Any) -> str:
    """Return the name of the system: its model, or its command; "" if the manifest has none."""
    options = system_options(manifest)
    return str(options.get("model") or options.get("command") or options.get("endpoint") or "")


def next_step(verdict: Verdict, headline: Headline, explained: bool, commands: Commands) -> Next:
    """Choose what to do next."""
    match = next((hint.split()[1] for hint in verdict.hints if hint.startswith("--match")), "")
    if headline.verdicts == {CANNOT_JUDGE}:
        if too_few(verdict.margin, verdict.overall[0].comparison):
            return Next("Perturb with other steps, or other texts.", "")
        if match:
            return Next("Grade the answers in another way.", commands.rematch(match))
        if verdict.overall[0].reason.startswith("a person graded"):
            return Next("Have a person grade more of the originals that --draw draws.", "")
        return Next("Look at the answers: the score says nothing about perturbing yet.", "")
    protect = next((hint.partition("perturb with ")[2] for hint in verdict.hints if
                    "perturb with --protect" in hint), "").rstrip(".")  # fmt: skip
    breaks = WORSE in headline.verdicts
    if breaks and not explained and commands.explain:
        return Next("Find the edits that flip the answers.", commands.explain)
    if breaks and protect and commands.protect(protect):
        why = "Perturb again without touching what the answer depends on."
        return Next(why, commands.protect(protect))
    if breaks or {INSENSITIVE, INVENTS} & headline.verdicts:
        return Next("Fix the system, ask again, and compare.", commands.again)
    if UNDECIDED in headline.verdicts:
        count = verdict.overall[0].more_originals
        more = "more originals" if count is None else f"about {count:,} more originals"
        return Next(f"Decide with {more}.", commands.more)
    return Next("Keep it so: fail in continuous integration where it drops.", commands.gate)


def days(scored: Path) -> str:
    """Return the first and last day of the answers; "" where no journal tells.

    Args:
        scored: the file of the answered rows.
    """
    journal = Path(f"{scored}.journal")
    if not journal.is_file():
        return ""
    with opened(journal) as lines:
        dates = {match[1].decode() for line in lines if (match := _ASKED_AT.search(line.rstrip()))}
    if not dates:
        return ""
    return between(min(dates), max(dates))


def between(first: str, last: str) -> str:
    """Return two days in words; one where both are the same."""
    return first if first == last else f"{first} to {last}"
