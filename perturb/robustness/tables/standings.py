"""Systems by conditions as tables: one for a terminal, one for a paper."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from perturb.robustness.scoring.judgement import CONTROL
from perturb.robustness.tables.formats import Table
from perturb.robustness.tables.tables import interval_cell

if TYPE_CHECKING:
    from perturb.robustness.scoring.standings import Standings


def standing_table(standings: Standings) -> Table:
    """Return the systems under each condition, by rank, and then what each of them bears."""
    rows: list[tuple[str, ...]] = []
    reasons: list[str] = []
    every = [*standings.conditions, *standings.overall]
    for (metric, condition), members in groupby(every, lambda one: (one.metric, one.condition)):
        name = f"{metric}: {condition}" if len(standings.metrics) > 1 else condition
        rows.append((name, "", "", "", ""))
        reasons.append("")
        for one in members:
            finding = one.finding
            score = f"{finding.comparison.perturbed_mean:.3f}"
            cells = score, interval_cell(finding), one.place, finding.verdict
            rows.append((f"  {one.system}", *cells))
            reasons.append(finding.reason)
    for name, borne in groupby(standings.tolerances, standings.named):
        rows.append((name, "", "", "", ""))
        reasons.append("")
        for step in borne:
            rows.append((f"  {step.system}", "", step.span, "", step.verdict))
            reasons.append(step.reason)
    header = ("condition", "score", "change [95 %]", "rank", "verdict")
    return Table(standings.sentence, header, rows, reasons, {""}, standings.hints)


def paper_table(standings: Standings) -> Table:
    """Return a row for each system, the best first, with its change under each condition.

    What is decidedly the best of its column is bold.
    """
    cells = {(one.metric, one.system, one.condition): one for one in standings.conditions}
    judged = (one for one in standings.conditions if one.finding.verdict != CONTROL)
    conditions = list(dict.fromkeys(one.condition for one in judged))
    spans = {
        (step.metric, step.system, standings.named(step)): step.span
        for step in standings.tolerances
    }
    steps = list(dict.fromkeys(map(standings.named, standings.tolerances)))
    rows, bold = [], set()
    for at, one in enumerate(standings.overall):
        of = one.metric, one.system
        each = [cells[*of, condition] for condition in conditions]
        bold |= {(at, 2 + place) for place, cell in enumerate([*each, one]) if cell.rank_high == 1}
        rows.append(
            (
                f"{one.metric}: {one.system}" if len(standings.metrics) > 1 else one.system,
                f"{one.finding.comparison.clean_mean:.3f}",
                *("-" if cell.rank is None else f"{cell.finding.difference:+.3f}" for cell in each),
                interval_cell(one.finding),
                one.place,
                *(spans[*of, step] for step in steps),
            )
        )
    header = ("system", "clean", *conditions, "overall [95 %]", "rank", *steps)
    return Table(
        standings.sentence, header, rows, [""] * len(rows), {""}, standings.hints, frozenset(bold)
    )
