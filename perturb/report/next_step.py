"""What to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from perturb.robustness.scoring.judgement import CANNOT_JUDGE, UNDECIDED, WORSE, too_few

if TYPE_CHECKING:
    from collections.abc import Callable

    from perturb.robustness.scoring.headline import Headline
    from perturb.robustness.scoring.verdict import Verdict


class Next(NamedTuple):
    """A step to take: why, and the command to copy ("" where there is none)."""

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


def next_step(verdict: Verdict, found: Headline, explained: bool, commands: Commands) -> Next:
    """Choose what to do next."""
    match = next((hint.split()[1] for hint in verdict.hints if hint.startswith("--match")), "")
    if found.verdicts == {CANNOT_JUDGE}:
        if too_few(verdict.margin, verdict.overall[0].comparison):
            return Next("Perturb with other steps, or other texts.", "")
        if match:
            return Next("Grade the answers in another way.", commands.rematch(match))
        return Next("Look at the answers: the score says nothing about perturbing yet.", "")
    protect = next((hint.partition("perturb with ")[2] for hint in verdict.hints if
                    "perturb with --protect" in hint), "").rstrip(".")  # fmt: skip
    breaks = WORSE in found.verdicts
    if breaks and not explained and commands.explain:
        return Next("Find the edits that flip the answers.", commands.explain)
    if breaks and protect and commands.protect(protect):
        why = "Perturb again without touching what the answer depends on."
        return Next(why, commands.protect(protect))
    if breaks:
        return Next("Mend the system, ask again, and compare.", commands.again)
    if UNDECIDED in found.verdicts:
        count = verdict.overall[0].more_originals
        more = "more originals" if count is None else f"about {count:,} more originals"
        return Next(f"Decide with {more}.", commands.more)
    return Next("Keep it so: fail in continuous integration where it drops.", commands.gate)
