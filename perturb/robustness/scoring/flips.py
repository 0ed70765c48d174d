"""Metric flips: a score that crosses its threshold when the input is perturbed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple, Unpack

import numpy as np

from perturb.errors import UsageError, door
from perturb.records.edit import Edit
from perturb.robustness.grading.grade import plain_text
from perturb.robustness.grading.plan import Graded, Grading, Settings, spelled_out
from perturb.robustness.linking.conditions import condition_name, link
from perturb.robustness.linking.record_text import original_and_edits, prompts
from perturb.robustness.linking.sources import Row, RowSource, rows_at
from perturb.robustness.measures.metric import Metric, MetricFlip, crossings, metric_flip
from perturb.robustness.pairs.columns import collect
from perturb.robustness.pairs.join import Pairs, join
from perturb.robustness.scoring.score import grader, listed


class RobustnessProblem(NamedTuple):
    """A flip, and the pair of rows that shows it.

    A prompt that is no string is None, and so is an answer that is not in the rows. `sample` is the
    seed that the system answered with, if it was asked with several.
    """

    metric: str
    flip: MetricFlip
    original_id: str
    replicate: Any
    perturbator: str
    p: float | None
    original_prompt: str | None
    perturbed_prompt: str | None
    original_answer: str | None = None
    perturbed_answer: str | None = None
    edits: tuple[Edit, ...] = ()
    severity: int | None = None
    sample: Any = None

    @property
    def condition(self) -> str:
        """The perturbator with its strength."""
        return condition_name(self.perturbator, self.p, self.severity)


@door
@spelled_out(Graded)
def flips(
    rows: Iterable[Row],
    metrics: Settings | None = None,
    *,
    against: str | None = None,
    embed: Any = None,
    **how: Unpack[Graded],
) -> list[RobustnessProblem]:
    """List every flip of every metric between perturbed rows and their originals.

    Args:
        rows: scored rows with their linkage records, the originals among them; a row without a
            record is an original, known by its `id`.
        metrics: for each metric, a field of the rows, its `threshold` and, if not the default,
            `higher_is_better` and `rule`, as for `metric_flip`. Without any, the one score that
            `perturb.robustness.score` would give, with the threshold 0.5.
        against: as for `perturb.robustness.score`, as the following ones are.
        embed: as `against`.
        target: as `against`.
        prediction: as `against`.
        match: as `against`.
        score: as `against`.

    Returns:
        The problems in the order of the rows; every row with an edit counts whose right answer is
        known, as the step tells, and whose reply was not lost.

    Raises:
        DataError: rows cannot be linked, joined or scored (named), or a metric's settings are
            wrong.
        UsageError: arguments contradict each other, or lower scores of the way to compare are
            better, so that it has no threshold.

    Source: "Perturbations" (H2O Eval Studio), section "Perturbations guide".

    Examples:
        >>> import perturb
        >>> rows = list(perturb.augment([{"id": 7, "text": "Hi"}], "char_swap", 1.0))
        >>> rows = [{"id": 7, "score": 0.9}, {**rows[0], "score": 0.2}]
        >>> [problem.flip.direction for problem in flips(rows, {"score": {"threshold": 0.5}})]
        ['good_to_bad']
    """
    grading = Grading.of(metrics=metrics, against=against, embed=embed, **how)
    sources = listed(rows, grading)
    by = grader(sources, grading)
    settings = turning(grading, by.metrics)
    pairs = join(collect(sources, by.grade, grading.reply, grading.right), sources)
    return list(stream_flips(sources, pairs, settings, grading.reply))


def turning(grading: Grading, metrics: Mapping[str, Metric]) -> Mapping[str, Metric]:
    """Return the metrics of a plan with the threshold at which each flips.

    Raises:
        UsageError: the one score has none.
    """
    if grading.metrics is not None:
        return metrics
    ((name, metric),) = metrics.items()
    if not metric.higher_is_better:
        raise UsageError(
            f"--match {grading.way} has no threshold: give numbers one by --match close:DISTANCE "
            "(match= in Python), and other scores one by --metrics, for the field that has them"
        )
    return {"correct" if name == "score" else name: metric._replace(threshold=0.5)}


def stream_flips(
    sources: Sequence[RowSource],
    pairs: Pairs,
    metrics: Mapping[str, Metric],
    prediction: str | None = None,
) -> Iterator[RobustnessProblem]:
    """Yield the flips of rows with an edit, from rows that are read again instead of kept.

    A row without an edit that flips shows how much the system varies by itself, and is no problem
    of robustness.

    Args:
        sources: the rows, with their originals.
        pairs: the same rows, joined.
        metrics: one for each column of the scores, with a threshold each.
        prediction: the field of the answers to show; None for none.
    """
    by_place = groupby(crossed(pairs, metrics), lambda one: int(pairs.place[one[0]]))
    flipped = {place: [*same] for place, same in by_place}
    rows = np.array([at for same in flipped.values() for at, *_ in same], np.intp)
    places = sorted({*pairs.take(rows).clean_place.tolist()}) if prediction is not None else []
    found = zip(places, rows_at(sources, places), strict=True)
    clean = {place: _answer(row, prediction) for place, (*_, row) in found}
    for (place, same), (*_, row) in zip(flipped.items(), rows_at(sources, flipped), strict=True):
        origin, condition = link(row), int(pairs.columns.condition[place])
        original, text = prompts(row)
        for at, metric, flip in same:
            yield RobustnessProblem(
                metric=metric,
                flip=flip,
                original_id=origin.original_id,
                replicate=origin.instance[1],
                perturbator=pairs.labels[condition],
                p=pairs.conditions[condition].p,
                original_prompt=original,
                perturbed_prompt=text,
                original_answer=clean.get(int(pairs.clean_rows[pairs.partner[at]])),
                perturbed_answer=_answer(row, prediction),
                edits=original_and_edits(row)[1],
                severity=pairs.conditions[condition].severity,
                sample=origin.sample,
            )


def _answer(row: Row, prediction: str | None) -> str | None:
    value = None if prediction is None else row.get(prediction)
    return None if value is None else plain_text(value)


def summary(pairs: Pairs, metrics: Mapping[str, Metric]) -> list[str]:
    """Return how many rows flipped each way, with an edit and without, one line a metric."""
    lines = []
    clean, perturbed, changed = pairs.clean, pairs.perturbed, pairs.changed
    counted = changed & pairs.counted
    for measure, (name, metric) in enumerate(metrics.items()):
        there = pairs.by(measure).there
        edited, alone = counted & there, ~changed & there
        sides = crossings(clean[:, measure], perturbed[:, measure], metric)
        bad, good = (int((flags & edited).sum()) for flags in sides)
        line = (
            f"{name}: of {int(edited.sum()):,} rows with edits {bad:,} broke and {good:,} recovered"
        )
        if alone.any():
            bad, good = (int((flags & alone).sum()) for flags in sides)
            line += f"; of {int(alone.sum()):,} without an edit {bad:,} and {good:,}"
        if gaps := int(np.count_nonzero(pairs.there & ~there)):
            line += f"; left out: {gaps:,} where it is null, or that of their original"
        lines.append(line)
    if lost := int(np.count_nonzero(~pairs.there)):
        lines.append(
            f"left out: {lost:,} rows whose reply, or the reply to their original, never came, was "
            "refused or was cut off; perturb score says what depends on them"
        )
    return lines


def crossed(pairs: Pairs, metrics: Mapping[str, Metric]) -> Iterator[tuple[int, str, MetricFlip]]:
    """Yield the place of each flip among the pairs, its metric and the flip, by the rows' order."""
    # A reply that never came, or that says no, shows nothing about the edits.
    there = np.stack([pairs.by(measure).there for measure in range(len(metrics))], axis=1)
    differs = there & (pairs.clean != pairs.perturbed)
    rows = np.flatnonzero(pairs.changed & pairs.counted & differs.any(axis=1))
    rows = rows[np.argsort(pairs.place[rows])]
    flipped = pairs.take(rows)
    of_rows = zip(rows.tolist(), differs[rows], flipped.clean, flipped.perturbed, strict=True)
    for at, *of_row in of_rows:
        for (name, metric), some, before, after in zip(metrics.items(), *of_row, strict=True):
            flip = metric_flip(float(before), float(after), *metric[:3]) if some else None
            if flip is not None:
                yield at, name, flip
