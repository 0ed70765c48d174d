"""Everything the page shows, as plain values; the numbers are those of the verdict."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from perturb.report.edit_kinds import Tally, tally
from perturb.report.flip_data import flip_data
from perturb.report.geometry import Axis, Panel, axis, panels, with_bands
from perturb.report.listing import NO_FIELDS, Fields, Reading, Texts, read_listing
from perturb.report.series import Series, Shared, key_of, share
from perturb.robustness.linking.conditions import OVERALL
from perturb.robustness.measures.comparison import is_binary
from perturb.robustness.measures.findings import ALL, Contrast, Finding
from perturb.robustness.measures.metric import Metric, crossings
from perturb.robustness.pairs.alignment import shared_rows
from perturb.robustness.scoring.contrast import Contrasts
from perturb.robustness.scoring.standings import Standings
from perturb.robustness.scoring.verdict import Verdict, by_slice, noise, verdict, worst_slice
from perturb.robustness.tables.headline import Headline, headlines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from perturb.values.arrays import Bool, Float64, Int32

# The values of a field and the rows that a page lists. It takes some 110 bytes a row, so this many
# are 11 MB, which a browser still opens at once; a table of more values is one that nobody reads.
_SLICES, _ROWS = 100, 100_000


class Strip(NamedTuple):
    """One condition: the finding of each series, and what lies between two.

    Attributes:
        marks: one for each series, on all rows.
        parts: for one series, the findings on its changed and its undamaged rows, where these are
            fewer.
        contrast: the contrast of two series.
        bars: the marks on the rows that all series have, which are drawn, with curves too.
    """

    marks: list[Finding]
    parts: list[Finding]
    contrast: Contrast | None
    bars: list[Finding]

    @property
    def dots(self) -> list[float]:
        """The differences to draw: those that are written beside the bars."""
        if self.contrast is None:
            return [mark.difference for mark in self.bars]
        return [self.contrast.change_a, self.contrast.change_b]


class View(NamedTuple):
    """The results in one metric.

    Attributes:
        name: the name of the metric.
        metric: its direction and threshold; 0.5 for scores of 0 and 1.
        flips: whether scores have two sides, so that a change of side is a flip.
        overall: over all conditions.
        noise: how many rows without an edit changed sides, and how many there are.
        strips: the conditions, the largest drop first.
        changes: the axis of differences.
        scores: the axis of scores.
        panels: the perturbators with two strengths or more.
        broken: what broke, by series and group; empty groups where nothing did.
    """

    name: str
    metric: Metric
    flips: bool
    overall: Strip
    noise: tuple[int, int]
    strips: list[Strip]
    changes: Axis
    scores: Axis
    panels: list[Panel]
    broken: list[dict[str, list[Tally]]]


class Sliced(NamedTuple):
    """Results by the values of a field: those with the most rows, and how many were left out.

    Of each system, `worst` has the value whose loss is largest for sure; see `worst_slice`.
    """

    field: str
    slices: list[list[Finding]]
    worst: list[Finding | None]
    left_out: int


class Data(NamedTuple):
    """The contents of the page.

    Attributes:
        series: the system, or those that are compared.
        views: one for each metric.
        headlines: the findings in words; one for each metric.
        contrasts: what lies between two series.
        standings: the standings of more than two; then no row is listed.
        slices: one for each field.
        listed: how many flips the page holds.
        others: how many rows beside them.
        left_out: how many rows are in no list, as there are too many.
        explained: how many of them are explained.
        flips: the rows, for the script of the page.
        further: rows that have no room in the page, as they are read.
    """

    series: list[Series]
    views: list[View]
    headlines: list[Headline]
    contrasts: Contrasts | None
    standings: Standings | None
    slices: list[Sliced]
    listed: int
    others: int
    left_out: int
    explained: int
    flips: dict[str, object]
    further: Iterator[dict[str, object]]


def gather(
    series: Sequence[Series],
    *,
    fields: Fields = NO_FIELDS,
    compared: Contrasts | Standings | None = None,
) -> Data:
    """Gather what the page shows of verdicts and of their rows, which are read again.

    Args:
        series: one system, or several that were asked the same rows.
        fields: those to slice by, and those with the answers, to show.
        compared: the findings between several.

    Raises:
        DataError: rows can't be read, or lack a field (named).
    """
    standings = compared if isinstance(compared, Standings) else None
    contrasts = compared if isinstance(compared, Contrasts) else None
    shared = share([one.judged.pairs for one in series])
    metrics = {
        name: _sided(metric, shared, at)
        for at, (name, metric) in enumerate(series[0].judged.verdict.metrics.items())
    }
    by = [shared.by(at) for at in range(len(metrics))]
    listed = np.stack([_listed(by[at], at, one) for at, one in enumerate(metrics.values())])
    in_any = listed.any(axis=0)
    listed &= (np.cumsum(in_any) <= _ROWS) & (standings is None)
    rest = ~in_any & (np.cumsum(~in_any) <= _ROWS - np.count_nonzero(in_any))
    chosen = np.asarray(listed.any(axis=0) | (rest & (standings is None)))
    others = chosen & ~listed
    texts = Texts()
    readings = [
        read_listing(one.sources, one.judged.pairs, rows[chosen], fields, texts)
        for one, rows in zip(series, shared.rows, strict=True)
        if standings is None
    ]
    drawn = [*_on_shared_rows(series)]
    views = [
        _view(at, name, metric, series, by[at], readings, contrasts, drawn)
        for at, (name, metric) in enumerate(metrics.items())
    ]
    told = series[0].judged.verdict if contrasts is None else contrasts
    if standings is None:
        views = [view._replace(panels=with_bands(view.panels, told.tolerances)) for view in views]
    conditions = [strip.marks[0] for strip in views[0].strips]
    flips, further = dict[str, object](), iter(list[dict[str, object]]())
    if readings:
        flips, further = flip_data(series, shared, readings, metrics, listed, others, conditions)
    return Data(
        series=list(series),
        views=views,
        headlines=headlines(told),
        contrasts=contrasts,
        standings=standings,
        slices=[_sliced(field, series, readings) for field in fields.slices],
        listed=int(listed.sum()),
        others=int(others.sum()),
        left_out=int(chosen.size - chosen.sum()),
        explained=sum(reading.explanations for reading in readings[:1]),
        flips=flips,
        further=further,
    )


def _sided(metric: Metric, shared: Shared, measure: int) -> Metric:
    """Give a metric without a threshold that of scores of 0 and 1, if it has only these."""
    if not math.isnan(metric.threshold):
        return metric
    binary = all(is_binary(*scores) for scores in shared.scores(measure))
    return metric._replace(threshold=0.5) if binary else metric


def _listed(shared: Shared, measure: int, metric: Metric) -> Bool:
    """Return the pairs to list: they changed sides in a series, or in score if it has no sides."""
    crossed = np.zeros_like(shared.judged)
    for scores in shared.scores(measure):
        if math.isnan(metric.threshold):
            crossed |= scores[0] != scores[1]
        else:
            crossed |= np.logical_or(*crossings(*scores, metric))
    return np.asarray(crossed & shared.judged)


def _view(
    measure: int,
    name: str,
    metric: Metric,
    series: Sequence[Series],
    shared: Shared,
    readings: Sequence[Reading],
    contrasts: Contrasts | None,
    drawn: Sequence[Verdict],
) -> View:
    verdicts, sign = [one.judged.verdict for one in series], 1 if metric.higher_is_better else -1
    wholes, bars = ([each.whole(name) for each in some] for some in (verdicts, drawn))
    of_series, of_bars = (
        [{key_of(finding): finding for finding in each} for each, _ in some]
        for some in (wholes, bars)
    )
    overall = [each for _, each in wholes]
    contrasted = [] if contrasts is None else [*contrasts.conditions, *contrasts.overall]
    between = {finding.condition: finding for finding in contrasted if finding.metric == name}
    rest = verdicts[0] if len(series) == 1 else None
    strips = [
        Strip(
            [each[key] for each in of_series],
            _parts(rest.conditions if rest else [], whole),
            between.get(whole.name),
            [(marks | each)[key] for marks, each in zip(of_series, of_bars, strict=True)],
        )
        for key, whole in of_series[0].items()
        if all(key in each for each in of_series)
    ]
    strips.sort(key=lambda strip: sign * strip.marks[0].difference)
    if contrasts is not None:
        strips.sort(key=lambda strip: -abs(strip.contrast.difference) if strip.contrast else 0)
    parts = _parts(rest.overall if rest else [], overall[0])
    total = Strip(overall, parts, between.get(OVERALL), [each for _, each in bars])
    compared = [mark.comparison for strip in strips for mark in strip.bars]
    means = [(each.perturbed_mean, *each.uncertainty[:2]) for each in compared]
    changes = [
        (dot, mark.low, mark.high)
        for strip in (*strips, total)
        for dot, mark in zip(strip.dots, strip.bars, strict=True)
    ]
    scores = axis([*_known(means), *(finding.comparison.clean_mean for finding in total.bars)], 4)
    tallies = [
        _broken(shared, rows, reading, scores, metric)
        for rows, reading, scores in zip(
            shared.rows, readings, shared.scores(measure), strict=False
        )
    ]
    some = any(one.broke for groups in tallies for each in groups.values() for one in each)
    return View(
        name=name,
        metric=metric,
        flips=not math.isnan(metric.threshold),
        overall=total,
        noise=noise(verdicts[0], name),
        strips=strips,
        changes=axis([0.0, *_known(changes)]),
        scores=scores,
        panels=panels([[strip.bars[at] for strip in strips] for at in range(len(series))], scores),
        broken=tallies if some else [{} for _ in tallies],
    )


def _on_shared_rows(series: Sequence[Series]) -> Iterator[Verdict]:
    """Yield the verdict on each series of the rows that all have; of one alone, its own."""
    every = [system.judged.pairs for system in series]
    for system, pairs, rows in zip(series, every, shared_rows(*every), strict=True):
        whole, some = system.judged.verdict, pairs.take(rows)
        yield whole if some is pairs else verdict(some, whole.metrics, margin=whole.margin)


def _known(values: Iterable[tuple[float | None, ...]]) -> list[float]:
    return [value for each in values for value in each if value is not None]


def _parts(findings: Sequence[Finding], whole: Finding) -> list[Finding]:
    """Return the findings on a part of the rows of a condition."""
    return [
        finding
        for finding in findings
        if key_of(finding) == key_of(whole)
        and (finding.metric, finding.scope != ALL) == (whole.metric, True)
        and finding.reaction.reaction is None
        and finding.comparison.rows < whole.comparison.rows
    ]


def _broken(
    shared: Shared, rows: Int32, reading: Reading, scores: tuple[Float64, Float64], metric: Metric
) -> dict[str, list[Tally]]:
    clean, perturbed = scores
    sign = 1 if metric.higher_is_better else -1
    if math.isnan(metric.threshold):
        good, broke = shared.judged, sign * (perturbed - clean) < 0
    else:
        good = sign * (clean - metric.threshold) > 0
        if metric.rule == "pass_fail":
            good |= clean == metric.threshold
        broke, _ = crossings(clean, perturbed, metric)
        good &= shared.judged
    causes, of = reading.explained[rows] * broke, (shared.condition, shared.original)
    return tally(reading.kinds[rows], causes, good, broke & good, *of)


def _sliced(field: str, series: Sequence[Series], readings: Sequence[Reading]) -> Sliced:
    names, number = readings[0].values[field]
    counts = dict(zip(names, np.bincount(number).tolist(), strict=True))
    most_rows = sorted(counts, key=lambda name: (-counts[name], name))[:_SLICES]
    slices, worst = [], []
    for system, reading in zip(series, readings, strict=True):
        verdict, pairs = system.judged.verdict, system.judged.pairs
        names, number = reading.values[field]
        shown = {name: names.index(name) for name in sorted({*most_rows} & {*names})}
        slices.append(by_slice(pairs, number, shown, verdict.metrics, margin=verdict.margin))
        worst.append(worst_slice(pairs, number, shown, verdict.metrics))
    return Sliced(field, slices, worst, len(counts) - len(most_rows))
