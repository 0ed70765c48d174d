"""A verdict as a table for people, as CSV and as JSON."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.robustness.scoring.verdict import Finding, Verdict

_HEADER = (
    "perturbator",
    "p",
    "rows",
    "originals",
    "clean",
    "perturbed",
    "difference [95 %]",
    "p adj.",
    "verdict",
    "drop %",
    "h",
    "d",
    "flips -/+",
    "worst",
    "agree %",
    "detectable",
)
_NESTED = ("comparison", "uncertainty", "effect")


def name_of(finding: Finding) -> str:
    """Return the perturbator with its strength."""
    return finding.perturbator if finding.p is None else f"{finding.perturbator} p={finding.p:g}"


def flat(finding: Finding) -> dict[str, Any]:
    """Return every measure of a finding under its own name; infinities as "inf" and "-inf"."""
    fields: dict[str, Any] = {}
    _flatten(finding, fields)
    return fields


def _flatten(record: Any, into: dict[str, Any]) -> None:
    for name, value in record._asdict().items():
        if name in _NESTED:
            _flatten(value, into)
        else:
            into[name] = str(value) if value in (math.inf, -math.inf) else value


def to_json(verdict: Verdict) -> str:
    """Return one JSON object with the lists `conditions` and `overall`."""
    report = {name: list(map(flat, found)) for name, found in verdict._asdict().items()}
    return orjson.dumps(report, option=orjson.OPT_INDENT_2).decode()


def to_csv(verdict: Verdict) -> str:
    """Return one CSV line a finding, under a line of names; an empty cell is a missing measure."""
    rows = [flat(finding) for finding in (*verdict.conditions, *verdict.overall)]
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().rstrip("\n")


def to_table(verdict: Verdict) -> str:
    """Return aligned lines; a finding on changed rows is shown where some rows were unchanged."""
    findings = [*verdict.conditions, *verdict.overall]
    rows = {
        (finding.perturbator, finding.p): finding.comparison.rows
        for finding in findings
        if finding.scope == "all"
    }
    shown = [
        finding
        for finding in findings
        if finding.scope == "all" or finding.comparison.rows < rows[finding.perturbator, finding.p]
    ]
    cells = [_HEADER, *map(_cells, shown)]
    if any(finding.severity is not None for finding in shown):
        severities = [_number(finding.severity, "d") for finding in shown]
        cells = [
            (*row[:2], severity, *row[2:])
            for row, severity in zip(cells, ["severity", *severities], strict=True)
        ]
    return aligned(cells)


def _cells(finding: Finding) -> tuple[str, ...]:
    compared, sure, size = (
        finding.comparison,
        finding.comparison.uncertainty,
        finding.comparison.effect,
    )
    return (
        finding.perturbator,
        "-" if finding.p is None else f"{finding.p:g}",
        f"{compared.rows}{' changed' if finding.scope == 'changed' else ''}",
        str(compared.originals),
        f"{compared.clean_mean:.4f}",
        f"{compared.perturbed_mean:.4f}",
        f"{compared.difference:+.4f} [{_number(sure.low, '+.4f')}, {_number(sure.high, '+.4f')}]",
        _number(finding.p_adjusted, ".2g"),
        finding.verdict,
        _number(size.drop_rate, ".1f"),
        f"{_number(size.cohens_h, '+.3f')} {_initial(size.cohens_h_words)}",
        f"{_number(size.cohens_d, '+.3f')} {_initial(size.cohens_d_words)}",
        "-" if size.flips_to_bad is None else f"{size.flips_to_bad}/{size.flips_to_good}",
        f"{compared.worst_of_k:.4f}",
        f"{compared.consistency:.1f}",
        _number(sure.minimum_detectable_drop, ".4f"),
    )


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def _initial(words: str | None) -> str:
    return "" if words is None else words.removesuffix(" effect").lower()


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of cells in columns, with a rule under the first row."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    rule = "-" * (sum(widths) + 3 * (len(widths) - 1))
    return "\n".join([lines[0], rule, *lines[1:]])
