"""Rounds of asking that end at planned looks, once the verdicts are decided."""

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

# More looks stop sooner but widen all intervals; fewer stop later. Chosen by hand.
LOOKS = 5
# The verdicts that must be decided, by the word of the option.
UNTIL: dict[str, Callable[[Verdict], Sequence[Any]]] = {
    "decided": lambda verdict: verdict.conditions,
    "overall": lambda verdict: verdict.overall,
}


def rounds(rows: Iterable[Row]) -> Iterator[tuple[Look, frozenset[str]]]:
    """Yield each look, and the originals that are asked up to it.

    Originals come whole, in an order that depends only on their ids, a fifth of them before each
    look.

    Raises:
        DataError: a row doesn't name its original, or no row is perturbed.
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
    """Return whether all verdicts are decided.

    Controls and conditions under which nothing changed don't count. A verdict that can't be judged
    is undecided, since more rows may decide it.
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
    """Return a function that says whether answers are enough, for `until` of `evaluate`.

    Args:
        until: "decided" if each condition needs a verdict, "overall" for one of all together.
        target: as for `score`.
        prediction: as for `score`.
        match: as for `score`.
        metrics: as for `score`.
        margin: as for `score`, which must get the same one.

    Raises:
        UsageError: `until` is neither of these.

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
        raise UsageError(f"until must be {' or '.join(UNTIL)}; got {until!r}")

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
