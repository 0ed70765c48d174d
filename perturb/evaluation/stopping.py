"""Rounds of asking that end at planned looks, once the verdicts are decided."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from statistics import NormalDist
from typing import Any, NamedTuple, Unpack

import numpy as np

from perturb.errors import DataError, UsageError, door
from perturb.evaluation.questions import Row
from perturb.io.jsonl import dumps
from perturb.rng import key64
from perturb.robustness.grading.grade import field_of
from perturb.robustness.grading.plan import AT_LEAST, MARGIN, Scored, spelled_out
from perturb.robustness.linking.conditions import link
from perturb.robustness.measures.findings import ALL, Finding
from perturb.robustness.measures.judgement import CANNOT_JUDGE, CONTROL, UNDECIDED
from perturb.robustness.measures.unanswered import together
from perturb.robustness.metrics.bounded import bounded_interval
from perturb.robustness.metrics.distributions import normal_quantile
from perturb.robustness.metrics.looks import Look, look_of
from perturb.robustness.scoring.score import score
from perturb.robustness.scoring.verdict import Verdict

# More looks stop sooner but widen all intervals; fewer stop later. Chosen by hand.
LOOKS = 5
# With fewer originals a system may yet be found to answer, and chances are hardly known.
FEW = 20
# The least chance that is waited for. With .08 a loss that could be found is missed in up to 3 % of
# sets; with .03 the median system that loses nothing is asked 60 % and not 40 % of its originals.
LEAST_CHANCE = 0.05
# The remark on a condition for which no more originals are asked.
_CLOSED = {UNDECIDED: ", no loss in sight", CANNOT_JUDGE: ", for good"}
# The verdicts that must be decided, by the word of the option.
UNTIL: dict[str, Callable[[Verdict], Sequence[Any]]] = {
    "decided": lambda verdict: verdict.conditions,
    "overall": lambda verdict: verdict.overall,
}


def rounds(
    rows: Iterable[Row], cluster: Sequence[str] = ()
) -> Iterator[tuple[Look, frozenset[str]]]:
    """Yield each look, and the originals that are asked up to it.

    Originals come whole, and so do clusters of them, in an order that depends only on their ids, a
    fifth of them before each look.

    Args:
        rows: the rows.
        cluster: fields that originals share which belong together.

    Raises:
        DataError: a row doesn't name its original or lacks a cluster, or no row is perturbed.
    """
    originals, perturbed = dict[str, list[bytes]](), False
    for row in rows:
        origin = link(row)
        perturbed |= origin.condition is not None
        if origin.original_id not in originals:
            originals[origin.original_id] = [dumps(field_of(row, name)) for name in cluster]
    if not perturbed:
        raise DataError("no row is perturbed, so there is no verdict to wait for")
    order = sorted(originals, key=lambda name: key64("round", name))
    fields = zip(*(originals[name] for name in order), strict=True) if cluster else [order]
    unit = together([np.unique(each, return_inverse=True)[1].astype(np.int32) for each in fields])
    first = np.unique(unit, return_index=True)[1]
    place = np.argsort(np.argsort(first))[unit]  # of each original's unit, in order
    looks = min(LOOKS, first.size)
    for number in range(1, looks + 1):
        count = math.ceil(first.size * number / looks)
        yield Look(number, looks), frozenset(np.array(order)[place < count].tolist())


class State(NamedTuple):
    """The state of a condition at a look.

    Attributes:
        finding: its finding.
        open: whether more originals may decide it.
    """

    finding: Finding
    open: bool

    def __str__(self) -> str:
        """Its verdict, and the reason for it."""
        one, reason = self.finding, self.finding.reason.partition(":")[0]
        if not reason and one.low is not None:
            reason = f"{one.difference:+.3f}, {one.low:+.3f} to {one.high:+.3f}"
        closed = "" if self.open else _CLOSED.get(one.verdict, "")
        return f"{one.verdict}{closed} ({reason})"


def told(found: Sequence[State]) -> Iterator[str]:
    """Yield the states of conditions, those that have the same one on a line."""
    names = dict[str, list[str]]()
    for state in found:
        names.setdefault(str(state), []).append(state.finding.name)
    every = max(map(len, names.values()), default=0) == len(found) > 1
    for words, same in names.items():
        yield f"{'each condition' if every else ', '.join(same)}: {words}"


def states(verdict: Verdict, until: str, look: Look) -> list[State]:
    """Return the state at a look of the conditions that are waited for.

    Controls and conditions under which nothing changed don't count. A condition that can't be
    judged because of its replies stays so. An undecided one counts as closed if the rest of the
    originals would hardly show a loss, or that it is robust: in less than 5 % of the ways in which
    they may come. That makes no verdict false. It loses at most 2 % of the losses that the last
    look would find, and those gains, and verdicts of no worse, that only this look would see.

    Source: Spiegelhalter, Freedman and Blackburn (1986), Monitoring clinical trials: conditional
    or predictive power?
    """
    found = [
        finding
        for finding in UNTIL[until](verdict)
        if finding.scope == ALL and finding.verdict != CONTROL and finding.comparison.changed
    ]
    return [State(finding, _may_decide(finding, look, verdict)) for finding in found]


def _may_decide(finding: Finding, look: Look, verdict: Verdict) -> bool:
    """Return whether more originals may decide a finding, with enough chance to ask them."""
    low, high, compared = finding.low, finding.high, finding.comparison
    if finding.verdict == CANNOT_JUDGE:
        return compared.originals < FEW
    if finding.verdict != UNDECIDED or low is None or high is None:
        return False
    early = look.number == 1 or compared.units < FEW
    if early or look.number == look.planned or finding.reaction.reaction is not None:
        return True
    sign = 1 if verdict.metrics[finding.metric].higher_is_better else -1
    by = compared.units, look, verdict.margin, compared.score_range
    return chance_ahead(sign * finding.difference, (high - low) / 2, *by) >= LEAST_CHANCE


def chance_ahead(
    difference: float, reach: float, units: int, look: Look, margin: float, size: float = 1.0
) -> float:
    """Return the chance that the last look finds a loss, or finds the system robust.

    Args:
        difference: as it is at this look, which isn't the last.
        reach: half the width of its interval.
        units: how many originals or clusters it rests on.
        look: this look.
        margin: differences within it are robust.
        size: the range of the scores.
    """
    part, last = look.number / look.planned, Look(look.planned, look.planned)
    now, then = (normal_quantile((1 + each.level) / 2) for each in (look, last))
    # The part of an interval for unseen answers shrinks as they come.
    unseen = [(z**2 / 2 + 1) * size / count for z, count in ((now, units), (then, units / part))]
    varied = max(reach**2 - unseen[0] ** 2, (size / units) ** 2) / now**2
    ahead = NormalDist(difference, math.sqrt(varied * (1 - part)))
    room = math.hypot(then * math.sqrt(varied * part), unseen[1]) - margin
    robust = ahead.cdf(-room) - ahead.cdf(room) if room < 0 else 0.0
    return ahead.cdf(-room - margin) + robust


def fewest_robust() -> int:
    """Return with how many originals a condition can be robust at the last look, within `MARGIN`.

    That is if no answer changes.
    """
    level, most = Look(LOOKS, LOOKS).level, math.ceil(LOOKS / MARGIN)

    def is_robust(count: int) -> bool:
        return bounded_interval(np.zeros(count), np.arange(count), level).high <= MARGIN

    return bisect_left(range(most), True, lo=2, key=is_robust)


def is_over(found: Sequence[State]) -> bool:
    """Return whether no condition is still open."""
    return bool(found) and not any(state.open for state in found)


def is_decided(found: Sequence[State]) -> bool:
    """Return whether all conditions that are waited for have a verdict."""
    return bool(found) and not {UNDECIDED, CANNOT_JUDGE} & {one.finding.verdict for one in found}


@door
@spelled_out(Scored)
def decided(
    until: str = "decided",
    *,
    margin: float = MARGIN,
    at_least: float = AT_LEAST,
    **how: Unpack[Scored],
) -> Callable[[list[Row]], bool]:
    """Return a function that says whether answers are enough, for `until` of `evaluate`.

    They are enough if each condition that is waited for has a verdict, or will never have one.

    Args:
        until: "decided" if each condition needs a verdict, "overall" for one of all together.
        margin: as for `score`, which must get the same one.
        at_least: as `margin`.
        target: as for `score`.
        prediction: as for `score`.
        match: as for `score`.
        metrics: as for `score`.
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
        verdict = score(rows, margin=margin, at_least=at_least, **how)
        return is_over(states(verdict, until, look_of({link(row).look for row in rows} - {""})))

    return enough
