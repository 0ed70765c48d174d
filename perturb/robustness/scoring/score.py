"""One function from scored rows to the verdict."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from perturb.errors import DataError, shown
from perturb.robustness.grading.grade import Compare, Grade, by_fields, by_match
from perturb.robustness.grading.reply_state import UNREAD, reply_state
from perturb.robustness.scoring.columns import collect
from perturb.robustness.scoring.conditions import link
from perturb.robustness.scoring.damage import KINDS, PROTECT
from perturb.robustness.scoring.findings import ALL, MARGIN, UNDAMAGED, Finding
from perturb.robustness.scoring.headline import footnote
from perturb.robustness.scoring.join import Pairs, join
from perturb.robustness.scoring.judgement import CANNOT_JUDGE, lost, too_few
from perturb.robustness.scoring.metric import SCORE, Metric, metrics_of
from perturb.robustness.scoring.sources import Row, RowSource, listed_source
from perturb.robustness.scoring.verdict import Verdict, noise, verdict
from perturb.robustness.tables.tables import shown as shown_findings

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
        >>> import perturb
        >>> row = {"id": 7, "text": "Two and two?", "answer": "4"}
        >>> (noisy,) = perturb.augment([row], "char_swap", 1.0)
        >>> rows = [{**row, "prediction": "4"}, {**noisy, "prediction": "5"}]
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
    return Judged(replace(found, hints=tuple(_hints(found))), pairs)


def _hints(found: Verdict) -> Iterator[str]:
    several = len(found.metrics) > 1
    wholes = [one for one in found.overall if one.scope == ALL]
    for metric in found.metrics:
        flips, unedited = noise(found, metric)
        if flips:
            name = f"{metric}: " if several else ""
            yield (
                f"{name}{flips:,} of {unedited:,} rows without an edit flipped too: the system "
                "varies by itself, and these are no flips of perturbing."
            )
    yield from _damage_hints(found, wholes[0], f" of {wholes[0].metric}" * several)
    yield from footnote(shown_findings(found))


def _damage_hints(found: Verdict, whole: Finding, of: str) -> Iterator[str]:
    """Yield what the edits do beside what they are meant to, as in the findings over all."""
    compared = whole.comparison
    touched, unknown = compared.quality.touching, compared.quality.damage_unknown
    if unknown:
        yield (
            f"What the edits touch is not known of {unknown:,} of {compared.rows:,} rows: the text "
            "is not in them; keep it through scoring, or perturb without --lean."
        )
    rest = next((one for one in found.overall if one.scope == UNDAMAGED), None)
    if any(touched) and rest is None:
        yield "Every row has an edit that touches a number, a negation or an option."
    elif any(touched) and rest is not None and whole.verdict != CANNOT_JUDGE:
        kinds = [
            f"{count:,} touch {kind}" for count, kind in zip(touched, KINDS, strict=True) if count
        ]
        said = (
            f"Edits change what is asked: of {compared.rows:,} rows {', '.join(kinds)}; without "
            f"these rows the difference{of} is {rest.comparison.difference:+.3f}."
        )
        # Else they are not what breaks it, and the advice would mend nothing.
        if abs(compared.difference) - abs(rest.comparison.difference) > found.margin:
            presets = [one for count, one in zip(touched, PROTECT, strict=True) if count]
            said += f" To leave them alone, perturb with --protect {','.join(presets)}."
        yield said
    if compared.quality.writing_digits:
        yield (
            f"In {compared.quality.writing_digits:,} of {compared.rows:,} rows a step writes "
            "digits into words; no number of the original changes by these edits."
        )


def with_match_hint(
    found: Verdict,
    sources: Sequence[RowSource],
    match: str | Compare,
    prediction: str,
    target: str,
) -> Verdict:
    """Add the way to compare answers that would work, where the one that was taken does not.

    Where none would, add an example of what is in the way.
    """
    whole = next(one for one in found.overall if one.scope == ALL)
    compared = whole.comparison
    if whole.verdict != CANNOT_JUDGE or compared.originals < 2 or too_few(found.margin, compared):
        return found
    gone = lost(compared)
    tried = []
    if gone is None or gone[1] == UNREAD:  # no match mends a refusal, or a reply that is cut off
        tried = [
            (*_tried(other, sources, prediction, target), other)
            for other in _TRIED
            if other != match
        ]
    most = max((right for right, _, _ in tried), default=0.0)
    if most > compared.clean_mean + 0.05:
        near = [one for one in tried if one[0] >= most - 0.03]
        right, read, other = next((one for one in near if one[1] >= _READ), near[0])
        reads = "" if other == "contains" else f"reads {read:.0%} and "  # that takes every reply
        hint = f"--match {other} {reads}finds {right:.0%} of the originals right."
        return replace(found, hints=(hint.replace("%", " %"), *found.hints))
    if gone is None:
        first = next(_clean_rows(sources))
        hint = (
            f"For example, the right answer of the first original is {shown(first.get(target))}, "
            f"and its reply is {shown(first.get(prediction))}."
        )
    else:
        row = _lost_row(*gone[:2], sources, by_match(match, prediction, target), prediction)
        state = ("", "was not read", "is a refusal", "was cut off")[gone[1]]
        hint = (
            f"For example, this {gone[0]} reply {state}: {shown(row.get(prediction))}; "
            f"the right answer is {shown(row.get(target))}."
        )
    return replace(found, hints=(hint, *found.hints))


def _lost_row(
    kind: str, state: int, sources: Sequence[RowSource], grade: Grade, prediction: str
) -> Row:
    """Return the first clean or perturbed row whose reply is lost in this way."""
    rows = (row for source in sources for _, row in source.rows)
    for row in rows:
        if (link(row).condition is None) == (kind == "clean"):
            ((_, answer),) = grade([row])
            if reply_state(row, row.get(prediction), answer) == state:
                return row
    raise AssertionError("what was counted is there")


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
