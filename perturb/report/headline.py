"""The first screen in words: what breaks, what holds, and what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from perturb.robustness.scoring.judgement import (
    BETTER,
    CANNOT_JUDGE,
    ROBUST,
    UNDECIDED,
    WORSE,
)
from perturb.robustness.scoring.verdict import ALL

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from perturb.robustness.scoring.metric import Metric
    from perturb.robustness.scoring.verdict import Finding, Verdict


class Headline(NamedTuple):
    """The outcome of perturbing, by perturbator.

    Attributes:
        cannot: why nothing can be judged; "" where it can.
        breaks: of each perturbator that makes the score worse, the worst finding, worst first.
        gains: of each that makes it better and nowhere worse, the best finding.
        holds: the names of those that are robust at every strength.
        undecided: the names of the others.
    """

    cannot: str
    breaks: list[Finding]
    gains: list[Finding]
    holds: list[str]
    undecided: list[str]


def headline(verdict: Verdict) -> Headline:
    """Sort the perturbators of the first metric by what they do."""
    name, metric = next(iter(verdict.metrics.items()))
    overall = next(one for one in verdict.overall if one.scope == ALL and one.metric == name)
    by_name: dict[str, list[Finding]] = {}
    for finding in by_drop(verdict.conditions, name, metric):
        by_name.setdefault(finding.perturbator, []).append(finding)
    breaks, gains, holds, undecided = [], [], [], []
    for perturbator, findings in by_name.items():
        words = [finding.verdict for finding in findings]
        if WORSE in words:
            breaks.append(findings[words.index(WORSE)])
        elif BETTER in words:
            gains.append(findings[-1])
        elif set(words) == {ROBUST}:
            holds.append(perturbator)
        else:
            undecided.append(perturbator)
    cannot = overall.reason if overall.verdict == CANNOT_JUDGE else ""
    return Headline(cannot, breaks, gains, holds, undecided)


def by_drop(findings: Sequence[Finding], name: str, metric: Metric) -> list[Finding]:
    """Return a metric's findings on all rows, the largest loss first."""
    sign = 1 if metric.higher_is_better else -1
    whole = [one for one in findings if one.metric == name and one.scope == ALL]
    return sorted(whole, key=lambda one: sign * one.comparison.difference)


def key_of(finding: Finding) -> tuple[str, float | None, int | None]:
    """Return what tells a condition from the others."""
    return finding.perturbator, finding.p, finding.severity


def strength(finding: Finding) -> str:
    """Return the strength of a finding in words; "" where it has none."""
    if finding.severity is not None:
        return f"severity {finding.severity}"
    return "" if finding.p is None else f"p = {finding.p:g}"


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
    overall = next(one for one in verdict.overall if one.scope == ALL)
    match = next((hint.split()[1] for hint in verdict.hints if hint.startswith("--match")), "")
    if found.cannot:
        if match:
            return Next("Grade the answers in another way.", commands.rematch(match))
        return Next("Look at the answers: the score says nothing about perturbing yet.", "")
    protect = next((hint.partition("perturb with ")[2] for hint in verdict.hints if
                    "perturb with --protect" in hint), "").rstrip(".")  # fmt: skip
    if found.breaks and not explained and commands.explain:
        return Next("Find the edits that flip the answers.", commands.explain)
    if found.breaks and protect and commands.protect(protect):
        why = "Perturb again without touching what the answer depends on."
        return Next(why, commands.protect(protect))
    if found.breaks:
        return Next("Mend the system, ask again, and compare.", commands.again)
    if overall.verdict == UNDECIDED or found.undecided:
        count = overall.more_originals
        more = "more originals" if count is None else f"about {count:,} more originals"
        return Next(f"Decide with {more}.", commands.more)
    return Next("Keep it so: fail in continuous integration where it drops.", commands.gate)
