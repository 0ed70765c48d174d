"""The edits that explain a flip, found by delta debugging over the edits of a record."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, MutableMapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import chain, pairwise
from operator import ne
from typing import Any, NamedTuple, TypeVar

import numpy as np

from perturb.errors import PerturbError, UsageError
from perturb.records.edit import Edit, rebuild
from perturb.records.record import Record
from perturb.values.arrays import Float64
from perturb.values.scalars import checked_whole, plain

System = Callable[[str], Awaitable[Any]]

T = TypeVar("T")

_REPEATS, _FALSE = 3, 0.05


class BudgetSpentError(PerturbError):
    """One more text would have to be asked than the budget allows."""


@dataclass
class BudgetedSystem:
    """A system that keeps its answers.

    Args:
        system: from a text to its answer; equal texts must have equal answers.
        budget: how many different texts may be asked, at least 2; None for any number.
        answers: answers by text that are known already, to which new ones are added. What is known
            counts as asked, so that a run that goes on from here ends as one in a single go.

    Attributes:
        calls: how often the system itself was called.
        seen: the different texts that were asked, known ones included.

    Raises:
        UsageError: the budget is below 2: the original and one perturbed text.
    """

    system: System
    budget: int | None
    answers: MutableMapping[str, Any] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set, init=False)
    calls: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        if self.budget is not None and self.budget < 2:
            raise UsageError(
                f"budget must be at least 2, the original and one perturbed text; got {self.budget}"
            )

    async def __call__(self, text: str) -> Any:
        """Return the answer to a text.

        Raises:
            BudgetSpentError: it is new, and the budget is spent.
        """
        if text not in self.seen:
            if len(self.seen) == self.budget:
                raise BudgetSpentError(f"the budget of {self.budget} texts is spent")
            if text not in self.answers:
                self.calls += 1
                self.answers[text] = await self.system(text)
            self.seen.add(text)
        return self.answers[text]


class Explanation(NamedTuple):
    """The edits of a record that are enough to flip the system's answer.

    Attributes:
        status: "minimal": together the edits flip the answer, and without any one of them it does
            not flip. "budget spent": they flip it, but fewer of them might too. "no flip": all
            edits of the record together do not. "varies": they do at times, but so rarely, or the
            answer to the original varies so much, that a system which pays no heed to edits
            would do the same.
        edits: in order; none where there is no flip, or the answers vary.
        text: the original with these edits.
        original_answer: to the original.
        answer: to `text`.
        calls: how often the system was called.
        repeats: how often the original, the perturbed text and `text` were asked.
        flips: how many of the answers to `text` are flips.
        original_flips: how many of those to the original are.
    """

    status: str
    edits: tuple[Edit, ...]
    text: str
    original_answer: Any
    answer: Any
    calls: int
    repeats: int
    flips: int
    original_flips: int


def minimal_edits(
    system: Callable[[str], Any],
    record: Record,
    *,
    flips: Callable[[Any, Any], bool] = ne,
    budget: int | None = None,
    repeats: int = _REPEATS,
) -> Explanation:
    """Find a smallest part of a record's edits that flips a system's answer, by delta debugging.

    Smallest is meant of its parts: no edit can be left out. Another, smaller set of edits may flip
    the answer too.

    The original, the perturbed text and the text that is found are asked several times; only where
    one of them has had different answers, so is every other. With three repeats or more, a system
    whose answers do not depend on the edits is said to flip in at most 5 % of calls, however its
    answers are distributed. One that answers a text always alike costs 6 calls more than with one
    repeat; one that is right in 9 of 10 cases, and in 1 of 10 after an edit, needs about 8.

    Args:
        system: from a text to its answer, which may differ from call to call.
        record: the record of the perturbed text.
        flips: whether, after this answer to the original, that answer is a flip; by default,
            whether the two differ.
        budget: how many different texts the system may be asked, at least 2; None for any number.
            A single cause among n edits takes about 2 log2(n) texts; the worst case is about
            n**2 + 3 n.
        repeats: how often a text is asked at most, at least 1. With 1 or 2, equal texts must have
            equal answers.

    Raises:
        UsageError: the budget is below 2, or `repeats` below 1.

    Source: A. Zeller and R. Hildebrandt (2002), Simplifying and Isolating Failure-Inducing Input,
    the algorithm ddmin.

    Examples:
        >>> import perturb
        >>> record = perturb.apply("How many eggs are left?", "char_delete", p=0.3, seed=4)
        >>> found = minimal_edits(lambda text: "egg" in text, record)
        >>> found.text, found.status, len(found.edits), len(record.edits)
        ('How many egs are left?', 'minimal', 1, 7)
    """
    return at_once(lambda ask: smallest_flip(ask, record, flips, budget, repeats), system)


def at_once(search: Callable[[System], Coroutine[Any, Any, T]], system: Callable[[str], Any]) -> T:
    """Return what a search finds of a plain function, which has nobody wait."""

    async def answer(text: str) -> Any:
        return system(text)

    try:
        search(answer).send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    raise AssertionError("a search waits for nothing but its system")


async def smallest_flip(
    system: System,
    record: Record,
    flips: Callable[[Any, Any], bool],
    budget: int | None,
    repeats: int,
) -> Explanation:
    """Do what `minimal_edits` does with a system that is waited for."""
    repeats, budget = checked_whole("repeats", repeats, 1), plain(budget)
    asks = [BudgetedSystem(system, budget) for _ in range(repeats)]
    original, edits = record.original, record.edits
    before = await asks[0](original)

    async def count(part: Sequence[Edit], least: int = 0, times: int = repeats) -> int:
        """Return how many answers flip; where they can't be as many as `least`, fewer are asked."""
        text, flipped = rebuild(original, part), 0
        for rest, ask in zip(range(times, 0, -1), asks, strict=False):
            if flipped + rest < least:
                break
            flipped += flips(before, await ask(text))
        return flipped

    async def outcome(
        status: str, part: Sequence[Edit], flipped: int, varied: int = 0
    ) -> Explanation:
        text, calls = rebuild(original, part), sum(ask.calls for ask in asks)
        answer = await asks[0](text)
        return Explanation(
            status, tuple(part), text, before, answer, calls, repeats, flipped, varied
        )

    least = _fewest_flips(repeats)
    if not edits or (flipped := await count(edits, least)) < least:
        return await outcome("varies" if edits and flipped else "no flip", (), 0)
    varied = await count(())
    if flipped < (least := least + varied):
        return await outcome("varies", (), varied, varied)

    async def reaches(least: int, times: int, part: Sequence[Edit]) -> bool:
        return await count(part, least, times) >= least

    part: Sequence[Edit]
    # Each text but those that decide is asked once, as long as no answer varies.
    once = [(1, 1)] if flipped == repeats and not varied else []
    for enough, times in (*once, (least, repeats)):
        part, status = edits, "minimal"
        try:
            async for smaller in ddmin(edits, partial(reaches, enough, times)):
                part = smaller
        except BudgetSpentError:
            status = "budget spent"
        if (flipped := await count(part)) >= least:
            break
    return await outcome(status, part, flipped, varied)


@lru_cache
def _fewest_flips(repeats: int) -> int:
    """Return by how many flips a text must surpass the original, of which the first is none.

    Where all answers are drawn alike, so many more are found in at most 5 % of cases, whatever the
    share of them that would be a flip; with too few repeats, where all are flips and none is.
    """
    shares = np.linspace(0.0, 1.0, 101)[:, None]

    def chances(asked: int) -> Float64:
        ways = np.cumprod([1.0, *((asked - k) / (k + 1) for k in range(asked))])
        flipped = np.arange(asked + 1)
        return np.asarray(ways * shares**flipped * (1 - shares) ** (asked - flipped))

    both = chances(repeats)[:, :, None] * chances(repeats - 1)[:, None, :]
    more = np.subtract.outer(np.arange(repeats + 1), np.arange(repeats))
    found = (least for least in range(1, repeats)
             if both[:, more >= least].sum(axis=1).max() <= _FALSE)  # fmt: skip
    return next(found, repeats)


async def ddmin(
    items: Sequence[T], holds: Callable[[Sequence[T]], Awaitable[bool]]
) -> AsyncIterator[Sequence[T]]:
    """Yield ever smaller parts of the items for which a test holds.

    Args:
        items: for which it holds.
        holds: the test; it need not be monotone.

    Yields:
        Parts in the order of the items; from the last, or from `items` where none is yielded, no
        item can be taken away.
    """
    part, pieces = items, 2
    if part and await holds(part[:0]):
        yield part[:0]
        return
    while len(part) > 1:
        pieces = min(pieces, len(part))
        spans = list(pairwise(len(part) * piece // pieces for piece in range(pieces + 1)))
        alone = ((part[start:end], 2) for start, end in spans)
        rests = (([*part[:start], *part[end:]], max(pieces - 1, 2)) for start, end in spans)
        for smaller, then in chain(alone, rests):
            if await holds(smaller):
                part, pieces = smaller, then
                yield part
                break
        else:
            if pieces == len(part):
                return
            pieces *= 2
