"""Rounds of asking that end at planned looks, once the verdicts are decided."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from perturb.errors import DataError, UsageError
from perturb.evaluation.questions import Row
from perturb.rng import key64
from perturb.robustness.grading.grade import Compare
from perturb.robustness.metrics.distributions import normal_quantile, normal_two_sided
from perturb.robustness.metrics.looks import Look, look_of
from perturb.robustness.scoring.columns import BOUNDS
from perturb.robustness.scoring.conditions import link
from perturb.robustness.scoring.findings import ALL, MARGIN, Finding
from perturb.robustness.scoring.judgement import CANNOT_JUDGE, CONTROL, UNDECIDED
from perturb.robustness.scoring.score import score
from perturb.robustness.scoring.verdict import Verdict

# More looks stop sooner but widen all intervals; fewer stop later. Chosen by hand.
LOOKS = 5
# With fewer originals a system may yet be found to answer; and the least chance that is waited for.
_FEW, _LEAST_CHANCE = 20, 0.08
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


class State(NamedTuple):
    """The state of a condition at a look.

    Attributes:
        finding: its finding.
        open: whether more originals may decide it.
    """

    finding: Finding
    open: bool

    def __str__(self) -> str:
        one, reason = self.finding, self.finding.reason
        if not reason and one.low is not None:
            reason = f"{one.difference:+.3f}, {one.low:+.3f} to {one.high:+.3f}"
        hopeless = not self.open and one.verdict in (UNDECIDED, CANNOT_JUDGE)
        return f"{one.name}: {one.verdict}{', for good' * hopeless} ({reason})"


def states(verdict: Verdict, until: str, look: Look) -> list[State]:
    """Return the state at a look of the conditions that are waited for.

    Controls and conditions under which nothing changed don't count. A condition that can't be
    judged because of its replies stays so, and an undecided one may stay so: if less than 8% of the
    possible outcomes of the rest lead to a verdict at the last look, asking more originals is in
    vain. That makes no verdict false, and loses only those few verdicts.

    Source: Spiegelhalter, Freedman and Blackburn (1986), Monitoring clinical trials: conditional
    or predictive power?
    """
    found = [
        finding
        for finding in UNTIL[until](verdict)
        if finding.scope == ALL and finding.verdict != CONTROL and finding.comparison.changed
    ]
    return [State(finding, _may_decide(finding, look, verdict.margin)) for finding in found]


def _may_decide(finding: Finding, look: Look, margin: float) -> bool:
    """Return whether more originals may decide a finding, with enough chance to ask them."""
    if finding.verdict == CANNOT_JUDGE:
        return finding.comparison.originals < _FEW
    low, high = finding.low, finding.high
    if finding.verdict != UNDECIDED or low is None or high is None:
        return False
    if look.number == look.planned or finding.reaction.reaction is not None:
        return True
    part, last = look.number / look.planned, Look(look.planned, look.planned)
    now, then = (normal_quantile((1 + each.level) / 2) for each in (look, last))
    units, size = finding.comparison.units, finding.comparison.score_range
    # The part of an interval for unseen answers shrinks as they come.
    unseen = [(z**2 / 2 + 1) * size / count for z, count in ((now, units), (then, units / part))]
    varied = max((high - low) ** 2 / 4 - unseen[0] ** 2, (size / units) ** 2) / now**2
    ahead, reach = (
        math.sqrt(varied * (1 - part)),
        math.hypot(then * math.sqrt(varied * part), unseen[1]),
    )

    def beyond(limit: float) -> float:
        """Return the chance of a last mean beyond a limit, above or below by its sign."""
        z = (limit - finding.difference) / ahead
        tail = normal_two_sided(z) / 2
        return tail if z * limit > 0 else 1 - tail

    chance = beyond(reach) + beyond(-reach)
    chance += max(0.0, 1 - beyond(margin - reach) - beyond(reach - margin)) * (reach < margin)
    return chance >= _LEAST_CHANCE


def is_over(found: Sequence[State]) -> bool:
    """Return whether no condition is still open."""
    return bool(found) and not any(state.open for state in found)


def is_decided(found: Sequence[State]) -> bool:
    """Return whether all conditions that are waited for have a verdict."""
    return bool(found) and not {UNDECIDED, CANNOT_JUDGE} & {one.finding.verdict for one in found}


def decided(
    until: str = "decided",
    *,
    target: str = "answer",
    prediction: str = "prediction",
    match: str | Compare = "exact",
    metrics: Mapping[str, Mapping[str, Any]] | None = None,
    margin: float = MARGIN,
    cluster: str | Sequence[str] = (),
    range: tuple[float, float] | None = None,
    unanswered: str = BOUNDS,
) -> Callable[[list[Row]], bool]:
    """Return a function that says whether answers are enough, for `until` of `evaluate`.

    They are enough if each condition that is waited for has a verdict, or will never have one.

    Args:
        until: "decided" if each condition needs a verdict, "overall" for one of all together.
        target: as for `score`.
        prediction: as for `score`.
        match: as for `score`.
        metrics: as for `score`.
        margin: as for `score`, which must get the same one.
        cluster: as `margin`.
        range: as `margin`.
        unanswered: as `margin`.

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
            cluster=cluster,
            range=range,
            unanswered=unanswered,
        )
        look = look_of({link(row).look for row in rows} - {""})
        return is_over(states(verdict, until, look))

    return enough
