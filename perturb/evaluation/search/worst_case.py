"""The worst case within a budget: the best of many replicates, then a greedy walk over edits."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from perturb.api import Steps, apply
from perturb.evaluation.search.minimal_edits import (
    BudgetedSystem,
    BudgetSpentError,
    System,
    at_once,
    ddmin,
)
from perturb.records.edit import Edit
from perturb.values.spans import rebuild


class Worst(NamedTuple):
    """The worst case found within the budget.

    Attributes:
        status: "minimal": the score is below that of the original, and without any one of the edits
            it is higher, or above the floor. "budget spent": it is below, but the budget ended
            before every edit was shown to be needed. "not lower": no text scored below.
        text: the original with the edits.
        edits: the edits in order; none if nothing scored lower.
        score: the score of `text`.
        original_score: the score of the original.
        answer: the answer of the system to `text`.
        calls: the number of calls of the system.
    """

    status: str
    text: str
    edits: tuple[Edit, ...]
    score: float
    original_score: float
    answer: Any
    calls: int


class _Candidate(NamedTuple):
    score: float
    edits: tuple[Edit, ...]


def worst_case(
    system: Callable[[str], Any],
    text: str,
    pipeline: Steps,
    budget: int,
    *,
    score: Callable[[Any], float] | None = None,
    floor: float = 0.0,
    seed: int = 0,
    answers: MutableMapping[str, Any] | None = None,
    p: float | None = None,
    id: str | int | None = None,
    protect: Any = None,
    only: Any = None,
) -> Worst:
    """Search for the perturbed text with the lowest score.

    Replicates of the pipeline come first, until one scores at or below the floor, or until half of
    the budget is spent and one scored below the original. Then, in turns, edits that aren't needed
    for the low score are dropped (`ddmin`), and edits of other replicates that lower it are added,
    up to the largest number of edits in a replicate. The result depends only on the arguments and
    on the system's answers.

    Args:
        system: from a text to its answer; equal texts must have equal answers.
        text: the original.
        pipeline: the steps, as for `perturb.apply`.
        budget: the most different texts to ask, including the original; at least 2.
        score: from an answer to its score, lower is worse; by default 1 for the answer to the
            original and 0 for any other.
        floor: the score that is bad enough: from there on the search looks for fewer edits instead
            of a lower score.
        seed: any integer.
        answers: known answers by text. New ones are added, so that another call with them and a
            larger budget continues the search.
        p: as for `perturb.apply`.
        id: as for `perturb.apply`.
        protect: as for `perturb.apply`.
        only: as for `perturb.apply`.

    Raises:
        UsageError: the budget is below 2, or `perturb.apply` refuses the pipeline or the settings.

    Examples:
        >>> system = lambda text: 16 if "eggs" in text else None
        >>> worst = worst_case(system, "How many eggs are left?", "char_delete", budget=40, p=0.1)
        >>> worst.text, worst.status, worst.original_score, worst.score
        ('How many ggs are left?', 'minimal', 1.0, 0.0)
    """
    draw = partial(apply, text, pipeline, p, seed=seed, id=id, protect=protect, only=only)

    async def search(asked: System) -> Worst:
        answer = BudgetedSystem(asked, budget, {} if answers is None else answers)
        original_answer = await answer(text)
        rate = score or (lambda answer: float(answer == original_answer))

        async def rated(edits: Sequence[Edit]) -> _Candidate:
            return _Candidate(rate(await answer(rebuild(text, edits))), tuple(edits))

        best = original = await rated(())
        half, status = (budget + 1) // 2, "minimal"
        candidates: list[_Candidate] = []
        try:
            for replicate in range(budget):
                candidates.append(await rated(draw(replicate=replicate).edits))
                best = min(best, candidates[-1], key=_badness)
                is_lower = best.score < original.score
                if best.score <= floor or (is_lower and len(answer.seen) >= half):
                    break
            if best.score < original.score:
                async for worse in _walk(best, candidates, rated, floor):
                    best = worse
        except BudgetSpentError:
            status = "budget spent"
        if best.score >= original.score:
            best, status = original, "not lower"
        worst = rebuild(text, best.edits)
        return Worst(
            status, worst, best.edits, best.score, original.score, await answer(worst), answer.calls
        )

    return at_once(search, system)


def _badness(candidate: _Candidate) -> tuple[float, int]:
    return candidate.score, len(candidate.edits)


async def _walk(
    best: _Candidate,
    candidates: list[_Candidate],
    rated: Callable[[Sequence[Edit]], Awaitable[_Candidate]],
    floor: float,
) -> AsyncIterator[_Candidate]:
    """Yield ever worse texts, or equally bad ones with fewer edits, until no change helps."""
    pool = [edit for candidate in sorted(candidates, key=_badness) for edit in candidate.edits]
    room = max(len(candidate.edits) for candidate in candidates)
    while True:
        limit = max(best.score, floor)

        async def is_as_bad(edits: Sequence[Edit]) -> bool:
            return (await rated(edits)).score <= limit  # noqa: B023

        async for edits in ddmin(best.edits, is_as_bad):
            yield (best := await rated(edits))
        smallest = best
        if best.score > floor:
            for edit in pool:
                edits = sorted([*best.edits, edit])
                if len(edits) <= room and _apart(edits):
                    candidate = await rated(edits)
                    if candidate.score < best.score:
                        yield (best := candidate)
        if best is smallest:
            return


def _apart(edits: Sequence[Edit]) -> bool:
    """Return whether no edits overlap, and none inserts where another begins or ends."""
    return all(
        left.end < right.start
        or (left.end == right.start and left.start < left.end and right.start < right.end)
        for left, right in pairwise(edits)
    )
