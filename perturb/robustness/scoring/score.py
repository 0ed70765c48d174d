"""One function from scored rows to the verdict."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from perturb.errors import DataError, shown
from perturb.robustness.scoring.columns import collect
from perturb.robustness.scoring.conditions import link
from perturb.robustness.scoring.damage import KINDS, PROTECT
from perturb.robustness.scoring.grade import Compare, Grade, by_fields, by_match
from perturb.robustness.scoring.join import Pairs, join
from perturb.robustness.scoring.judgement import CANNOT_JUDGE
from perturb.robustness.scoring.metric import SCORE, Metric, metrics_of
from perturb.robustness.scoring.sources import Row, RowSource, listed_source
from perturb.robustness.scoring.verdict import ALL, MARGIN, UNDAMAGED, Verdict, verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from perturb.robustness.metrics.embedding import Embed

# What is tried where a match does not work, on so many clean rows; it must read so many of them.
_TRIED, _SAMPLE, _READ = ("normalized", "number", "choice", "contains"), 300, 0.95


class Judged(NamedTuple):
    """A verdict, and the pairs of rows that it judges."""

    verdict: Verdict
    pairs: Pairs


def score(
    rows: Iterable[Row],
    *,
    target: str = "answer",
    prediction: str = "prediction",
    match: str | Compare = "exact",
    metrics: Mapping[str, Mapping[str, Any]] | None = None,
    margin: float = MARGIN,
    embed: Embed | None = None,
) -> Verdict:
    """Judge how perturbing changed the scores of rows.

    Args:
        rows: perturbed rows with their records, the originals among them; a row without a record
            is an original, known by its `id`.
        target: the field of the right answer.
        prediction: the field of what the system said.
        match: how the two are compared, as for `perturb score --match`; or a function from what
            was said and what is right to a score, such as one that asks a judge.
        metrics: in place of these three, fields that hold scores: for each its `threshold` and, if
            not the default, `higher_is_better` and `rule`, as for `metric_flip`.
        margin: differences within it, in the unit of the score, are robust.
        embed: for `match="embedding"`, as for `RobustnessScorer`.

    Returns:
        The verdict, with `sentence`, `conditions`, `to_dict()` and `to_pandas()`.

    Raises:
        DataError: rows cannot be linked, joined or scored (named).

    Examples:
        >>> record = {"original_id": "7", "status": "changed", "replicate": 0, "field": "text",
        ...           "original": "Hi", "edits": [], "steps": [{"name": "swap", "p": 0.1}]}
        >>> rows = [{"id": 7, "prediction": "4", "answer": "4"},
        ...         {"id": "7-0", "prediction": "5", "answer": "4", "perturbation": record}]
        >>> score(rows).sentence
        'Cannot judge: there is one original.'
    """
    sources = [listed_source(rows)]
    if metrics is not None:
        return judge(sources, by_fields(list(metrics)), metrics=metrics_of(metrics), margin=margin)
    found = judge(
        sources, by_match(match, prediction, target, embed), prediction=prediction, margin=margin
    )
    return with_match_hint(found, sources, match, prediction, target)


def judge(
    sources: Sequence[RowSource],
    grade: Grade,
    *,
    metrics: Mapping[str, Metric] | None = None,
    prediction: str | None = None,
    margin: float = MARGIN,
    seed: int | None = None,
) -> Verdict:
    """Judge rows that are read from sources; see `judge_pairs`."""
    return judge_pairs(
        sources, grade, metrics=metrics, prediction=prediction, margin=margin, seed=seed
    ).verdict


def judge_pairs(
    sources: Sequence[RowSource],
    grade: Grade,
    *,
    metrics: Mapping[str, Metric] | None = None,
    prediction: str | None = None,
    margin: float = MARGIN,
    seed: int | None = None,
) -> Judged:
    """Judge rows that are read from sources, and return the pairs as well; see `score`.

    Args:
        sources: the rows, with their originals.
        grade: what gives a row its scores.
        metrics: when each score is good; without, there is one score, and higher is better.
        prediction: the field of what the system said, where there is one.
        margin: as for `score`.
        seed: asks for the interval of the bootstrap and decides its resamples, and nothing else.
    """
    pairs = join(collect(sources, grade, prediction), sources)
    found = verdict(pairs, metrics or {"score": SCORE}, margin=margin, seed=seed)
    return Judged(replace(found, hints=tuple(_hints(found, pairs))), pairs)


def _hints(found: Verdict, pairs: Pairs) -> Iterator[str]:
    several = len(found.metrics) > 1
    wholes = [one for one in found.overall if one.scope == ALL]
    for one in wholes:
        quality = one.comparison.quality
        if quality.unedited and quality.unedited_flips:
            name = f"{one.metric}: " if several else ""
            yield (
                f"{name}{quality.unedited_flips} of {quality.unedited} rows without an edit "
                "flipped too: the system varies by itself, and these are no flips of perturbing."
            )
    whole = wholes[0]
    rest = next((one for one in found.overall if one.scope == UNDAMAGED), None)
    touched = whole.comparison.quality[-len(KINDS) :]
    if rest is not None and whole.verdict != CANNOT_JUDGE:
        kinds = [
            f"{count} touch {kind}" for count, kind in zip(touched, KINDS, strict=True) if count
        ]
        protect = ",".join(preset for count, preset in zip(touched, PROTECT, strict=True) if count)
        yield (
            f"Edits change what is asked: of {whole.comparison.rows} rows {', '.join(kinds)}; "
            f"without these rows the difference{f' of {whole.metric}' * several} is "
            f"{rest.comparison.difference:+.3f}. To leave them alone, perturb with --protect "
            f"{protect}."
        )
    if rest is None and pairs.damage.any():
        yield "Every row has an edit that touches a number, a negation or an option."


def with_match_hint(
    found: Verdict,
    sources: Sequence[RowSource],
    match: str | Compare,
    prediction: str,
    target: str,
) -> Verdict:
    """Add the way to compare answers that would work, where the one that was taken does not.

    Where none would, add what is compared in the first original.
    """
    whole = next(one for one in found.overall if one.scope == ALL)
    if whole.verdict != CANNOT_JUDGE or whole.comparison.originals < 2:
        return found
    tried = [
        (*_tried(other, sources, prediction, target), other) for other in _TRIED if other != match
    ]
    most = max((right for right, read, _ in tried if read >= _READ), default=0.0)
    if most <= whole.comparison.clean_mean + 0.05:
        first = next(_clean_rows(sources))
        hint = (
            f"For example, the right answer of the first original is {shown(first.get(target))}, "
            f"and its reply is {shown(first.get(prediction))}."
        )
        return replace(found, hints=(hint, *found.hints))
    right, read, other = next(one for one in tried if one[0] >= most - 0.03 and one[1] >= _READ)
    hint = f"--match {other} reads {read:.0%} and finds {right:.0%} of the originals right."
    return replace(found, hints=(hint.replace("%", " %"), *found.hints))


def _tried(
    match: str, sources: Sequence[RowSource], prediction: str, target: str
) -> tuple[float, float]:
    """The share of clean rows that another match finds right, and the share that it reads."""
    grade = by_match(match, prediction, target)
    try:
        graded = list(grade(list(islice(_clean_rows(sources), _SAMPLE))))
    except DataError:  # it does not read the targets
        return 0.0, 0.0
    right = sum(scores[0] for scores, _ in graded) / len(graded)
    return right, sum(answer is not None for _, answer in graded) / len(graded)


def _clean_rows(sources: Sequence[RowSource]) -> Iterator[Row]:
    return (row for source in sources for _, row in source.rows if link(row).condition is None)
