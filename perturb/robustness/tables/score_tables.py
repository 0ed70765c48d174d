"""A verdict as a table for people, in the formats of papers and sheets, and as JSON."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import orjson

from perturb.robustness.scoring.verdict import ALL, CHANGED
from perturb.robustness.tables.formats import (
    WIDTH,
    Table,
    as_csv,
    as_html,
    as_latex,
    as_markdown,
    folded,
    wrapped,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from perturb.robustness.scoring.verdict import Finding, Verdict

_NARROW = ("condition", "clean -> perturbed", "difference [95 %]", "verdict")
_WIDE = (
    "rows",
    "changed",
    "originals",
    "more needed",
    "p adj.",
    "change %",
    "h/pi",
    "d",
    "flips -/+",
    "unedited flips",
    "worst (clean)",
    "agree %",
    "unread %",
    "detectable",
)
_NESTED = ("comparison", "uncertainty", "effect", "quality")


def to_dict(verdict: Verdict) -> dict[str, Any]:
    """Return the sentence, the hints, and every measure of each finding under its own name."""
    return {
        "sentence": verdict.sentence,
        "hints": list(verdict.hints),
        "margin": verdict.margin,
        "conditions": list(map(flat, verdict.conditions)),
        "overall": list(map(flat, verdict.overall)),
    }


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
    """Return one JSON object; see `to_dict`."""
    return orjson.dumps(to_dict(verdict), option=orjson.OPT_INDENT_2).decode()


def to_csv(verdict: Verdict, delimiter: str = ",") -> str:
    """Return one line a finding, under a line of names; an empty cell is a missing measure."""
    return as_csv([flat(one) for one in (*verdict.conditions, *verdict.overall)], delimiter)


def to_tsv(verdict: Verdict) -> str:
    """Return the lines of `to_csv`, with tabs."""
    return to_csv(verdict, "\t")


def shown(verdict: Verdict) -> list[Finding]:
    """Return the findings for people: on changed rows only where some were not changed."""
    findings = [*verdict.conditions, *verdict.overall]
    rows = {_key(finding): finding.comparison.rows for finding in findings if finding.scope == ALL}
    kept = [
        finding
        for finding in findings
        if finding.scope == ALL
        or (finding.scope == CHANGED and finding.comparison.rows < rows[_key(finding)])
    ]
    return sorted(kept, key=lambda finding: [*rows].index(_key(finding)))


def _key(finding: Finding) -> tuple[str, str]:
    return finding.metric, finding.name


def to_table(verdict: Verdict, *, wide: bool = False, paint: Callable[[str], str] = str) -> str:
    """Return the sentence, a table that fits into 80 columns, and the hints.

    Names that are too long for their column go on in the next line. The reason why a condition
    cannot be judged stands below it, where it is another than that of the whole.

    Args:
        verdict: what to show.
        wide: show all measures; the table is as wide as it needs to be.
        paint: colours a verdict.
    """
    header, rows = cells(verdict, wide)
    lines, groups = folded(header, rows, None if wide else WIDTH)
    known = {finding.reason for finding in verdict.overall}
    for (first, *more), finding in zip(groups, shown(verdict), strict=True):
        word = finding.verdict
        lines += [first.replace(f"| {word}", f"| {paint(word)}", 1), *more]
        if finding.reason not in known:
            lines += [f"  {line}" for line in wrapped(finding.reason, WIDTH - 2)]
    return "\n".join([*wrapped(verdict.sentence), "", *lines, *_hints(verdict)])


def _hints(verdict: Verdict) -> list[str]:
    return [line for hint in verdict.hints for line in ("", *wrapped(hint))]


def cells(verdict: Verdict, wide: bool = False) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the header and the rows of the table, one for each of the findings `shown`."""
    findings = shown(verdict)
    several = len(verdict.metrics) > 1
    totals = {_key(one): one.comparison.rows for one in findings if one.scope == ALL}
    rows = [
        _row(one, several, totals[_key(one)]) + (_more(one) if wide else ()) for one in findings
    ]
    return _NARROW + (_WIDE if wide else ()), rows


def explained_cells(
    verdict: Verdict, wide: bool = False
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return what `cells` does, and beside "cannot judge" the reason."""
    header, rows = cells(verdict, wide)
    at = header.index("verdict")
    return header, [
        (*row[:at], f"{row[at]}: {finding.reason}" if finding.reason else row[at], *row[at + 1 :])
        for row, finding in zip(rows, shown(verdict), strict=True)
    ]


def _row(finding: Finding, several: bool, total: int) -> tuple[str, ...]:
    compared, sure = finding.comparison, finding.comparison.uncertainty
    of = f"{finding.metric}: " if several else ""
    part = f"- {compared.rows:,} of {total:,} changed"
    name = f"{of}{finding.name}" if finding.scope == ALL else part
    interval = f"[{_number(sure.low, '+.3f')}, {_number(sure.high, '+.3f')}]"
    return (
        name,
        f"{compared.clean_mean:.3f} -> {compared.perturbed_mean:.3f}",
        f"{compared.difference:+.3f} {interval}",
        finding.verdict,
    )


def _more(finding: Finding) -> tuple[str, ...]:
    compared, size, quality = (
        finding.comparison,
        finding.comparison.effect,
        finding.comparison.quality,
    )
    lost = quality.unread + quality.refused + quality.truncated
    return (
        str(compared.rows),
        str(compared.changed),
        str(compared.originals),
        _number(finding.more_originals, ",d"),
        _number(finding.p_adjusted, ".2g"),
        _number(size.relative_change, "+.1f"),
        f"{_number(size.cohens_h, '+.3f')} {_initial(size.cohens_h_words)}".strip(),
        f"{_number(size.cohens_d, '+.3f')} {_initial(size.cohens_d_words)}".strip(),
        "-" if size.flips_to_bad is None else f"{size.flips_to_bad}/{size.flips_to_good}",
        f"{quality.unedited_flips}/{quality.unedited}",
        f"{compared.worst_of_k:.3f} ({compared.clean_worst_of_k:.3f})",
        f"{compared.consistency:.1f}",
        f"{lost:.1f}",
        _number(compared.uncertainty.minimum_detectable_drop, ".4f"),
    )


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def _initial(words: str | None) -> str:
    return "" if words is None else words.split()[0].lower()


def to_markdown(verdict: Verdict, *, wide: bool = False) -> str:
    """Return the verdict in Markdown."""
    return as_markdown(_table(verdict, wide))


def to_latex(verdict: Verdict, *, wide: bool = False) -> str:
    """Return the verdict as a table of LaTeX."""
    return as_latex(_table(verdict, wide))


def to_html(verdict: Verdict) -> str:
    """Return the verdict as notebooks show it."""
    return as_html(_table(verdict, False))


def _table(verdict: Verdict, wide: bool) -> Table:
    return Table(verdict.sentence, *explained_cells(verdict, wide), verdict.hints)
