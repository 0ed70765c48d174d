"""Findings as tables for people, and their measures by name."""

from __future__ import annotations

import math
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from perturb.robustness.linking.conditions import ABSTAIN
from perturb.robustness.measures.findings import ALL, CHANGED, Contrast, Finding
from perturb.robustness.tables.formats import Table, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.robustness.measures.findings import Findings

_NARROW = ("condition", "clean -> perturbed", "difference [95 %]", "verdict")
_NESTED = ("finding", "comparison", "uncertainty", "effect", "quality", "reaction")


def flat(record: Any) -> dict[str, Any]:
    """Return every measure of a finding under its own name; infinities as "inf" and "-inf"."""
    fields: dict[str, Any] = {}
    for name, value in record._asdict().items():
        if name in _NESTED and isinstance(value, tuple):
            fields |= flat(value)
        else:
            fields[name] = str(value) if value in (math.inf, -math.inf) else value
    return fields


def shown(verdict: Findings[Finding], wide: bool = False) -> list[Finding]:
    """Return the findings for people; if wide, also those on changed rows where some were not."""
    findings = [*verdict.conditions, *verdict.overall]
    rows = _whole_rows(findings)
    places = {key: place for place, key in enumerate(rows)}
    shown = [
        finding
        for finding in findings
        if finding.scope == ALL
        or (
            wide
            and finding.scope == CHANGED
            and finding.comparison.rows < rows[_key(finding)]
            and finding.reaction.reaction is None
        )
    ]
    return sorted(shown, key=lambda finding: places[_key(finding)])


def _whole_rows(findings: Sequence[Finding]) -> dict[tuple[str, str], int]:
    """Return how many rows each condition has in all, by metric and name."""
    return {_key(finding): finding.comparison.rows for finding in findings if finding.scope == ALL}


def _key(finding: Finding) -> tuple[str, str]:
    return finding.metric, finding.name


def verdict_table(verdict: Findings[Finding], sentence: str, wide: bool = False) -> Table:
    """Return the table of one system; if wide, with all measures."""
    findings = shown(verdict, wide)
    rows, several = _whole_rows(findings), len(verdict.metrics) > 1
    cells, measures = [], MEASURES if wide else ()
    for finding in findings:
        compared, reaction = finding.comparison, finding.reaction
        ends = f"{compared.clean_mean:.3f} -> {compared.perturbed_mean:.3f}"
        if reaction.reaction is not None:
            ends = f"answers {reaction.control_changed:.3f} -> {reaction.answers_changed:.3f}"
            if finding.expect == ABSTAIN:
                ends = f"abstains {reaction.answers_changed:.3f}"
        name = named(finding, several)
        if finding.scope != ALL:
            name = f"- {compared.rows:,} of {rows[_key(finding)]:,} changed"
        narrow = name, ends, interval_cell(finding), finding.verdict
        cells.append(narrow + tuple(measure.cell(finding) for measure in measures))
    header = *_NARROW, *(measure.title for measure in measures)
    return table_of(verdict, sentence, header, cells, [finding.reason for finding in findings])


def table_of(
    findings: Findings[Any],
    sentence: str,
    header: tuple[str, ...],
    cells: Sequence[tuple[str, ...]],
    reasons: list[str],
) -> Table:
    """Return a table of rows, with the reasons that the sentence doesn't tell already."""
    known = {reason for reason in reasons if reason in sentence}
    return Table(sentence, header, cells, reasons, known, findings.hints)


def interval_cell(finding: Finding | Contrast) -> str:
    """Return a difference with its interval."""
    low, high = number(finding.low, "+.3f"), number(finding.high, "+.3f")
    return f"{finding.difference:+.3f} [{low}, {high}]"


def named(finding: Finding | Contrast, several: bool) -> str:
    """Return the name of a condition, behind that of the metric where there are several."""
    return f"{finding.metric}: {finding.name}" if several else finding.name


class Measure(NamedTuple):
    """A measure of a finding: a column of a wide table, or what a rule of `--fail-if` is about.

    Attributes:
        title: its head; a rule takes percents of one that ends with them.
        form: the form of its figures; "" if it is no column.
        names: the fields of a comparison that hold them, or of a finding where one begins with a
            point; the last part of each is the name in JSON and CSV.
        about: an explanation, if the title needs one.
        between: what stands between two figures.
        rule: its name in rules; "" if it has none.
    """

    title: str
    form: str
    names: str
    about: str = ""
    between: str = ""
    rule: str = ""

    @property
    def paths(self) -> list[str]:
        """The fields of a finding that hold the figures."""
        names = self.names.split()
        return [one[1:] if one.startswith(".") else f"comparison.{one}" for one in names]

    @property
    def of_contrasts(self) -> bool:
        """Whether a contrast of two systems has it too."""
        return self.names.startswith(".")

    def of(self, finding: Finding | Contrast) -> list[Any]:
        """Return its figures; none of one that doesn't exist for the data."""
        values = [attrgetter(path)(finding) for path in self.paths]
        return [] if values[0] is None else values

    def cell(self, finding: Finding) -> str:
        """Return its figures as text; "-" for none."""
        return self.between.join(format(value, self.form) for value in self.of(finding)) or "-"


EVERY = (
    Measure("difference", "", ".difference", "perturbed minus clean; of two, B's less A's",
            rule="difference"),
    Measure("low", "", ".low", "the low limit of its interval", rule="low"),
    Measure("high", "", ".high", "the high limit", rule="high"),
    Measure("p adj.", ".2g", ".p_adjusted",
            "p-value, adjusted for the number of conditions (Benjamini and Hochberg)"),
    Measure("clean", ".3f", "clean_mean", "mean score of the clean rows, each beside its versions"),
    Measure("perturbed", ".3f", "perturbed_mean", "mean score of the perturbed rows",
            rule="score"),
    Measure("95 % of perturbed", ".3f", "uncertainty.perturbed_low uncertainty.perturbed_high",
            "the interval of that mean", " to "),
    Measure("rows", ",d", "rows", "pairs of a perturbed row and its clean one, both with a score"),
    Measure("changed", ",d", "changed", "those with an edit"),
    Measure("originals", ",d", "originals", "different originals among them"),
    Measure("more needed", ",d", ".more_originals", "about how many more originals would decide"),
    Measure("change %", "+.1f", "effect.relative_change", "in percent of the clean mean"),
    Measure("h/pi", "+.2f", "effect.cohens_h", "Cohen's h of scores of 0 and 1, divided by pi"),
    Measure("d", "+.2f", "effect.cohens_d", "Cohen's d of other scores, paired"),
    Measure("broke", ",d", "effect.flips_to_bad", "rows that are good clean, and bad perturbed"),
    Measure("recovered", ",d", "effect.flips_to_good", "the reverse"),
    Measure("unedited flips", ",d", "quality.unedited_flips quality.unedited",
            "rows without an edit that changed sides: the noise floor", " of "),
    Measure("worst", ".3f", "worst_of_k", "mean over originals of the worst of their versions"),
    Measure("clean worst", ".3f", "clean_worst_of_k", "the same of the clean rows"),
    Measure("agree %", ".1f", "consistency", "pairs of answers to one original that agree"),
    Measure("lost %", "", "quality.all_lost", "replies that are lost in any of these ways",
            rule="unread"),
    Measure("unread %", ".1f", "quality.unread", "replies in which no answer was read"),
    Measure("refused %", ".1f", "quality.refused", "refusals"),
    Measure("cut off %", ".1f", "quality.truncated", "replies that were cut off"),
    Measure("no reply %", ".1f", "quality.no_reply", "replies that never came"),
    Measure("missing %", ".1f", "quality.missing", "rows that the file lacks"),
    Measure("detectable", ".3f", "uncertainty.minimum_detectable_drop",
            "the smallest true drop that would be found in 4 of 5 such datasets"),
)  # fmt: skip
MEASURES = tuple(measure for measure in EVERY if measure.form)
RULED = {measure.rule: measure for measure in EVERY if measure.rule}
