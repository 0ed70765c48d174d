"""The comparison of two systems as a table for people, in the formats of papers, and as JSON."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import orjson

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

    from perturb.robustness.scoring.contrast import Contrast, Contrasts

_HEADER = ("condition", "A", "B", "B - A [95 %]", "verdict")


def to_json(found: Contrasts) -> str:
    """Return one JSON object; see `Contrasts.to_dict`."""
    return orjson.dumps(found.to_dict(), option=orjson.OPT_INDENT_2).decode()


def to_csv(found: Contrasts, delimiter: str = ",") -> str:
    """Return one line a contrast, under a line of names."""
    return as_csv([one._asdict() for one in _all(found)], delimiter)


def to_tsv(found: Contrasts) -> str:
    """Return the lines of `to_csv`, with tabs."""
    return to_csv(found, "\t")


def to_markdown(found: Contrasts) -> str:
    """Return the comparison in Markdown."""
    return as_markdown(_table(found))


def to_latex(found: Contrasts) -> str:
    """Return the comparison as a table of LaTeX."""
    return as_latex(_table(found))


def to_html(found: Contrasts) -> str:
    """Return the comparison as notebooks show it."""
    return as_html(_table(found))


def to_table(found: Contrasts, *, listed: int = 0, paint: Callable[[str], str] = str) -> str:
    """Return the sentence, a table that fits into 80 columns, hints, and rows where A holds.

    Args:
        found: what to show.
        listed: how many to list of the originals that A keeps right and B does not, with the
            condition; those with the most such versions first.
        paint: colours a verdict.
    """
    rows = [_cells(one, len(found.overall) > 1) for one in _all(found)]
    head, groups = folded(_HEADER, rows, WIDTH)
    known = {one.reason for one in found.overall}
    lines = [*wrapped(found.sentence), "", *head]
    for (first, *more), one in zip(groups, _all(found), strict=True):
        lines += [first.replace(f"| {one.verdict}", f"| {paint(one.verdict)}", 1), *more]
        if one.reason not in known:
            lines += [f"  {line}" for line in wrapped(one.reason, WIDTH - 2)]
    lines += [line for hint in found.hints for line in ("", *wrapped(hint))]
    if found.a_holds and listed:
        most = Counter(found.a_holds).most_common()[:listed]
        shown = [
            f"  {original}, {condition}{f', {times} versions' * (times > 1)}"
            for (original, condition), times in most
        ]
        left = len(found.a_holds) - sum(times for _, times in most)
        lines += ["", "A holds and B breaks:", *shown]
        lines += [f"  rows left: {left:,}; -n 0 lists all"] if left else []
    return "\n".join(lines)


def _all(found: Contrasts) -> list[Contrast]:
    """Return the contrasts by metric, that over all conditions last."""
    return [
        one
        for overall in found.overall
        for one in (*found.conditions, overall)
        if one.metric == overall.metric
    ]


def _table(found: Contrasts) -> Table:
    rows = [_cells(one, len(found.overall) > 1) for one in _all(found)]
    explained = [
        (*row[:-1], f"{row[-1]}: {one.reason}" if one.reason else row[-1])
        for row, one in zip(rows, _all(found), strict=True)
    ]
    return Table(found.sentence, _HEADER, explained, found.hints)


def _cells(one: Contrast, several: bool) -> tuple[str, ...]:
    interval = "-" if one.low is None else f"[{one.low:+.3f}, {one.high:+.3f}]"
    return (
        f"{one.metric}: {one.condition}" if several else one.condition,
        f"{one.change_a:+.3f}",
        f"{one.change_b:+.3f}",
        f"{one.difference:+.3f} {interval}",
        one.verdict,
    )
