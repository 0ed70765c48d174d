"""Rounds of asking that end when the verdicts are decided, at looks that are planned."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from perturb.errors import DataError, UsageError
from perturb.evaluation.questions import Row
from perturb.rng import key64
from perturb.robustness.grading.grade import Compare
from perturb.robustness.metrics.looks import Look
from perturb.robustness.scoring.conditions import link
from perturb.robustness.scoring.findings import ALL, MARGIN
from perturb.robustness.scoring.judgement import CANNOT_JUDGE, CONTROL, UNDECIDED
from perturb.robustness.scoring.score import score
from perturb.robustness.scoring.verdict import Verdict

LOOKS = 5
# The verdicts that have to be decided, by the word for it.
UNTIL: dict[str, Callable[[Verdict], Sequence[Any]]] = {
    "decided": lambda verdict: verdict.conditions,
    "overall": lambda verdict: verdict.overall,
}


def rounds(rows: Iterable[Row]) -> Iterator[tuple[Look, frozenset[str]]]:
    """Yield each look, and the originals that are asked up to it.

    Originals come whole, in an order that follows from their ids alone, and a fifth of them before
    each look.

    Raises:
        DataError: a row does not say which original it is of, or no row is perturbed.
    """
    links = [link(row) for row in rows]
    if all(each.condition is None for each in links):
        raise DataError("no row is perturbed, so there is no verdict to wait for")
    names = {each.original_id for each in links}
    order = sorted(names, key=lambda name: key64("round", name))
    looks = min(LOOKS, len(order))
    for number in range(1, looks + 1):
        count = math.ceil(len(order) * number / looks)
        yield Look(number, looks), frozenset(order[:count])


def is_decided(verdict: Verdict, until: str) -> bool:
    """Return whether no verdict that is waited for is undecided.

    Controls and conditions under which nothing changed are waited for by nobody. What cannot be
    judged is not decided: more rows may make it so.
    """
    words = [
        finding.verdict
        for finding in UNTIL[until](verdict)
        if finding.scope == ALL and finding.verdict != CONTROL and finding.comparison.changed
    ]
    return bool(words) and not {UNDECIDED, CANNOT_JUDGE} & {*words}


def decided(
    until: str = "decided",
    *,
    target: str = "answer",
    prediction: str = "prediction",
    match: str | Compare = "exact",
    metrics: Mapping[str, Mapping[str, Any]] | None = None,
    margin: float = MARGIN,
) -> Callable[[list[Row]], bool]:
    """Return a function that tells whether answers are enough, for `until` of `evaluate`.

    Args:
        until: "decided" where every condition has a verdict, "overall" where all together do.
        target: as for `score`.
        prediction: as for `score`.
        match: as for `score`.
        metrics: as for `score`.
        margin: as for `score`; score with the same one.

    Raises:
        UsageError: `until` is another word.

    Examples:
        >>> import perturb
        >>> from perturb.evaluation import evaluate
        >>> rows = [{"id": at, "text": f"number {at}", "answer": "number"} for at in range(500)]
        >>> noisy = perturb.augment(rows, "char_delete", p=0.2, with_original=True)
        >>> answered = evaluate(lambda text: text.split()[0], noisy, until=decided())
        >>> len(answered), answered[0]["response"]["look"]
        (200, '1/5')
    """
    if until not in UNTIL:
        raise UsageError(f"until is {' or '.join(UNTIL)}; got {until!r}")

    def enough(rows: list[Row]) -> bool:
        verdict = score(
            rows,
            target=target,
            prediction=prediction,
            match=match,
            metrics=metrics,
            margin=margin,
        )
        return is_decided(verdict, until)

    return enough
