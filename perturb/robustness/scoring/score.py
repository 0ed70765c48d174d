"""One function from scored rows to the verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain, islice
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, Unpack

import numpy as np

from perturb.errors import DataError, door, shown
from perturb.robustness.grading.against import by_original, compared_rows
from perturb.robustness.grading.grade import (
    Grade,
    by_fields,
    by_match,
    compared,
    with_abstention,
    without_reasoning,
)
from perturb.robustness.grading.plan import AT_LEAST, Grading, Judging, spelled_out
from perturb.robustness.grading.reasoning import behind_reasoning
from perturb.robustness.grading.reply_state import MISSING, NO_REPLY, UNREAD, reply_state
from perturb.robustness.grading.ways import BY_JUDGE, REFERENCE
from perturb.robustness.linking.conditions import link
from perturb.robustness.linking.sources import Row, RowSource, all_rows, listed_source
from perturb.robustness.measures.human import draw_of, human_grades, with_human
from perturb.robustness.measures.judgement import CANNOT_JUDGE
from perturb.robustness.measures.metric import (
    ROUNDED,
    SCORE,
    Metric,
    answer_metric,
    metrics_of,
    ranged,
)
from perturb.robustness.measures.obstacles import lost, too_few
from perturb.robustness.measures.unanswered import settled
from perturb.robustness.pairs.columns import Columns, collect
from perturb.robustness.pairs.join import Pairs, join
from perturb.robustness.pairs.selection import NO_DRAW, apart
from perturb.robustness.scoring.hints import hints
from perturb.robustness.scoring.ladders import curves
from perturb.robustness.scoring.verdict import Verdict, verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from perturb.robustness.metrics.corpus import Corpus


# The percent of lost replies from which another match is looked for: some replies are lost with
# every match, and a hint about one in a hundred would send people after nothing.
_MANY_LOST = 5.0
# The matches that are tried, from the strictest, on the first 300 clean rows, whose shares have
# a standard error of .03 at most; one that reads fewer than 95 % would lose replies again.
_TRIED, _SAMPLE, _READ = ("normalized", "number", "choice", "contains"), 300, 0.95


@dataclass(frozen=True)
class Judged:
    """Pairs of rows, and the verdict on them, which is found when it is first asked for.

    Attributes:
        pairs: the pairs.
        metrics: by name, when the values of each are good.
        judge: finds the verdict.
    """

    pairs: Pairs
    metrics: dict[str, Metric]
    judge: Callable[[], Verdict]

    @cached_property
    def verdict(self) -> Verdict:
        """The verdict."""
        return self.judge()


@door
@spelled_out(Judging)
def score(rows: Iterable[Row], *, at_least: float = AT_LEAST, **how: Unpack[Judging]) -> Verdict:
    """Judge how perturbing changed the scores of rows.

    Args:
        rows: perturbed rows with their records, the originals among them; a row without a record
            is an original, known by its `id`.
        at_least: where the answers should change, the smallest reaction that counts: the share that
            does, less that under a condition which keeps the answer.
        target: the field of the right answer.
        prediction: the field of what the system said.
        match: how the two are compared, as for `perturb score --match`; or a function from a
            reply and a right answer to a score, such as one that asks a judge; or `OfCorpus` of one
            from all replies and right answers to a measure of all.
        score: in place of these three, a field with a score; higher is better.
        metrics: in place of all four, fields that hold scores: for each its `threshold` and, if
            not the default, `higher_is_better` and `rule`, as for `metric_flip`, and `range`.
        cluster: a field that originals share which belong together, such as a passage, or several.
        range: the least score and the largest, where scores don't lie in [0, 1].
        unanswered: what lost replies count as: "bounds" for either, so that the verdict holds
            whatever they were; "out" for nothing, "wrong" for wrong.
        against: "original" compares answers with that to the original, in place of a target.
        embed: for `match="embedding"`, a function, model, path or name as for `RobustnessScorer`.
        margin: differences within it, in the unit of the score, are robust.
        human: a field in which a person says right or wrong of all rows of some originals, drawn at
            random: the differences that `match` sees are corrected by them.

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
    grading = Grading.of(at_least=at_least, **how)
    sources = listed(rows, grading)
    return judge_pairs(sources, grading, grader(sources, grading)).verdict


def listed(rows: Iterable[Row], grading: Grading) -> list[RowSource]:
    """Return rows in memory, with the fields that a plan names by their paths."""
    return [listed_source(rows, grading.given).reading(*grading.paths)]


class Grader(NamedTuple):
    """What grades rows.

    Attributes:
        grade: what gives a row its scores; a person's stand behind those of the metrics.
        metrics: when each score is good.
        draw: the place of each original that was drawn to be graded; empty where no draw is known.
        corpus: the measure of all replies together, whose numbers stand behind the score.
    """

    grade: Grade
    metrics: dict[str, Metric]
    draw: Mapping[str, int] = NO_DRAW
    corpus: Corpus | None = None


def grader(
    sources: Sequence[RowSource],
    grading: Grading,
    *,
    judge: Callable[[str, str], Grade] | None = None,
    beside: Sequence[RowSource] = (),
) -> Grader:
    """Return what grades rows as a plan says.

    Args:
        sources: the rows, with their originals.
        grading: the plan.
        judge: grades by what a judge said, from the fields of the reply and of the right answer.
        beside: further rows that a person graded.

    Raises:
        UsageError: there is no such way to compare answers.
        DataError: settings of metrics are wrong, or no row is graded by a person.
    """
    if grading.metrics is not None:
        metrics = metrics_of(grading.metrics)
        grade = without_reasoning(by_fields([*metrics], grading.reply), grading.reply)
        ranges = {name: each for name, each in metrics.items() if each.range is not None}
        return Grader(grade, ranged(metrics, grading.range) | ranges)
    way, reply, right, corpus = grading.way, grading.reply, grading.right, None
    if grading.score is not None:
        grade, metrics = by_fields([grading.score], reply), {grading.score: SCORE}
    else:
        is_against = grading.against is not None
        of = str(reply), right or REFERENCE
        if judge is not None and way == BY_JUDGE:
            grade = judge(*of)
        else:
            grade, corpus = compared(way, *of, grading.embed)
        if is_against:
            grade = by_original(grade, compared_rows(sources, of[0], moved=way != "choice"))
        grade, metrics = with_abstention(grade, of[0]), answer_metric(way, is_against)
    grade = without_reasoning(grade, reply)
    if grading.human is None:
        return Grader(grade, ranged(metrics, grading.range), corpus=corpus)
    grades = human_grades([*sources, *beside], grading.human, reply, right)
    if not grades:
        raise DataError(
            f"no row has right or wrong in its field {grading.human!r}: a person grades it; "
            f"perturb score FILE --human {grading.human} --draw 200 writes rows to grade"
        )
    grade = with_human(grade, grades, reply, right)
    return Grader(grade, ranged(metrics, grading.range), draw_of(beside))


def judge_pairs(
    sources: Sequence[RowSource], grading: Grading, by: Grader, *, seed: int | None = None
) -> Judged:
    """Read, grade and join rows of sources, ready to be judged; see `score`.

    Args:
        sources: the rows, with their originals.
        grading: the plan.
        by: what grades them; see `grader`.
        seed: asks for the interval of the bootstrap and decides its resamples, and nothing else.
    """
    pairs = paired(sources, grading, by)
    return Judged(pairs, by.metrics, partial(_judge, pairs, sources, grading, by, seed))


def _judge(
    pairs: Pairs, sources: Sequence[RowSource], grading: Grading, by: Grader, seed: int | None
) -> Verdict:
    margin, at_least = grading.margin, grading.at_least
    result = verdict(pairs, by.metrics, margin=margin, at_least=at_least, seed=seed)
    steps = [step for step in curves(result, pairs, grading.loss) if len(step.curve) > 1]
    result, told = replace(result, tolerances=steps, lose=grading.loss), hints(result, pairs)
    if grading.right is not None and grading.way != BY_JUDGE:
        told = chain(_match_hint(result, sources, grading), told)
    return replace(result, hints=tuple(told))


def paired(sources: Sequence[RowSource], grading: Grading, by: Grader) -> Pairs:
    """Read, grade and join rows, ready to be judged.

    Args:
        sources: the rows, with their originals.
        grading: the plan.
        by: what grades them.

    Raises:
        DataError: rows cannot be linked, joined or scored, or a score is out of its range.
    """
    return apart(join(_scored(sources, grading, by), sources), len(by.metrics), by.draw).kept


def _scored(sources: Sequence[RowSource], grading: Grading, by: Grader) -> Columns:
    """Read and grade rows; a function of its own, so that nothing else holds what `join` drops."""
    metrics, clusters = by.metrics, grading.cluster
    columns = collect(sources, by.grade, grading.reply, grading.right, clusters, len(metrics))
    if by.corpus is not None:
        table, scores = columns.scores[:, 1:], columns.scores[:, :1].copy()
        columns = columns._replace(scores=scores, statistics=table, corpus=by.corpus)
    for (name, metric), scores in zip(metrics.items(), columns.scores.T, strict=False):
        low, high = metric.ends(scores)
        if low == high:
            raise DataError(
                f"{name} is {low:g} in all rows, so they don't show how far it can move: state its "
                "range (--range LOW,HIGH, or range= in Python)"
            )
        if scores.min() < low - ROUNDED or scores.max() > high + ROUNDED:
            raise DataError(
                f"{name} lies between {low:g} and {high:g}, and here from {scores.min():g} to "
                f"{scores.max():g}: state another range"
            )
    if columns.scores.shape[1] > len(metrics) and np.abs(columns.scores[:, 0]).max() > 1:
        raise DataError(
            f"a person's grades are 0 and 1, and {next(iter(metrics))} reaches "
            f"{np.abs(columns.scores[:, 0]).max():g}: bring it to a range from 0 to 1"
        )
    return settled(columns, metrics, clusters, grading.unanswered)


def _match_hint(result: Verdict, sources: Sequence[RowSource], grading: Grading) -> Iterator[str]:
    """Yield the way to compare answers that would work, where the one that was taken does not.

    If none would, yield an example of the obstacle.
    """
    whole = result.overall[0]
    compared = whole.comparison
    few = compared.originals < 2 or too_few(result.margin, compared)
    if whole.verdict != CANNOT_JUDGE or few:
        return
    loss, hint = lost(compared, _MANY_LOST), ""
    if loss[1] in (NO_REPLY, MISSING) if loss else compared.quality.lost:
        return  # there is nothing to read, or few replies decide
    if loss is None or loss[1] == UNREAD:  # no match reads a refusal, or a reply that is cut off
        hint = _other_match(sources, grading, compared.clean_mean)
    yield hint or _example(loss, sources, grading)


def _names(grading: Grading) -> tuple[str, str]:
    """Return the fields of the reply and of the right answer, of a plan that compares them."""
    return str(grading.reply), str(grading.right)


def _other_match(sources: Sequence[RowSource], grading: Grading, now: float) -> str:
    """Return the match to take in place of that of a plan; "" if none finds more right.

    Args:
        sources: the rows.
        grading: the plan.
        now: the share of clean rows that are right by it.
    """
    rows, tries = list(islice(_clean_rows(sources), _SAMPLE)), []
    for way in _TRIED:
        try:
            graded = [] if way == grading.way else list(by_match(way, *_names(grading))(rows))
        except DataError:  # it does not read the targets
            continue
        if graded:
            right = sum(scores[0] for scores, _ in graded) / len(graded)
            tries.append((right, sum(answer is not None for _, answer in graded) / len(rows), way))
    most = max((right for right, *_ in tries), default=0.0)
    # Less may be chance in so small a sample. Within .03, its standard error, matches are as good,
    # and the strictest of them comes first.
    if most <= now + 0.05:
        return ""
    near = [each for each in tries if each[0] >= most - 0.03]
    share, read, way = next((each for each in near if each[1] >= _READ), near[0])
    reads = "" if way == "contains" else f"reads {read:.0%} and "  # that takes every reply
    return f"--match {way} {reads}finds {share:.0%} of the originals right.".replace("%", " %")


def _example(
    loss: tuple[str, int, float] | None, sources: Sequence[RowSource], grading: Grading
) -> str:
    """Return an example of a reply that is lost in this way, or else of any."""
    prediction, target = _names(grading)
    if loss is None:
        row = next(_clean_rows(sources))
        return (
            f"For example, the right answer of the first original is {shown(row.get(target))}, "
            f"and its reply is {_shown(row, prediction)}."
        )
    kind, state, _ = loss
    grade = by_match(grading.way, prediction, target)
    for row in all_rows(sources):
        if (link(row).condition is None) == (kind == "clean"):
            ((_, answer),) = grade([row])
            if reply_state(row, row.get(prediction), answer) == state:
                break
    words = ("", "was not read", "is a refusal", "was cut off")[state]
    return (
        f"For example, this {kind} reply {words}: {_shown(row, prediction)}; "
        f"the right answer is {shown(row.get(target))}."
    )


def _shown(row: Row, prediction: str) -> str:
    """Return the beginning of a reply behind its reasoning, or else of all that it says."""
    reply = row.get(prediction)
    return shown(behind_reasoning(reply) or reply)


def examples(sources: Sequence[RowSource], grading: Grading, grade: Grade) -> Iterator[str]:
    """Yield which reply to the first originals has the highest score, and which the lowest.

    Args:
        sources: the rows.
        grading: the plan, by which replies are compared with right answers.
        grade: what grades the rows by it.
    """
    names = _names(grading)
    rows = [row for row in islice(_clean_rows(sources), _SAMPLE) if row.get(names[0]) is not None]
    graded = [(scores[0], place, answer) for place, (scores, answer) in enumerate(grade(rows))]
    ends = [choose(graded, key=itemgetter(0)) for choose in (max, min) if graded]
    for score, place, answer in dict.fromkeys(ends):
        reply, right = (rows[place].get(name) for name in names)
        # An answer of most of the reply is just the reply without capitals and signs.
        short = answer is not None and 2 * len(answer) < len(str(reply))
        read = f", read as {shown(answer)}" * short
        yield f"graded {score:.3g}: {shown(reply)}{read}, where {shown(right)} is right"


def _clean_rows(sources: Sequence[RowSource]) -> Iterator[Row]:
    return (row for row in all_rows(sources) if link(row).condition is None)
