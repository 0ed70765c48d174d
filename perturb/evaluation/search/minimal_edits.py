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
from perturb.records.edit import Edit
from perturb.records.record import Record
from perturb.values.arrays import Float64
from perturb.values.fields import checked_whole, plain
from perturb.values.spans import rebuild

System = Callable[[str], Awaitable[Any]]

T = TypeVar("T")

# Three repeats are the fewest that bound false flips at the usual 5%.
_REPEATS, _FALSE = 3, 0.05


class BudgetSpentError(PerturbError):
    """The budget doesn't allow asking one more text."""


@dataclass
class BudgetedSystem:
    """A system that remembers its answers.

    Args:
        system: from a text to its answer; equal texts must have equal answers.
        budget: the most different texts to ask, at least 2; None for no limit.
        answers: known answers by text; new ones are added. Known texts count as asked, so that a
            continued run ends like an uninterrupted one.

    Attributes:
        calls: the number of calls of the system.
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
        status: "minimal": together the edits flip the answer, and without any one of them they
            don't. "budget spent": they flip it, but fewer of them might too. "no flip": all edits
            of the record together don't. "varies": they sometimes do, but so rarely, or the answer
            to the original varies so much, that a system indifferent to edits could do the same;
            or a part that flipped did so too rarely when it was asked again.
        edits: the edits in order; none if there is no flip, or the answers vary.
        text: the original with these edits.
        original_answer: the answer to the original.
        answer: the answer to `text`.
        calls: the number of calls of the system.
        repeats: how often the original, the perturbed text and `text` were asked.
        flips: the number of flips among the answers to `text`.
        original_flips: the number of flips among the answers to the original.
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
    """Find a minimal part of a record's edits that flips a system's answer, by delta debugging.

    Minimal means that no edit can be left out. Another, smaller set of edits may flip the answer
    too.

    The original, the perturbed text and the result are asked several times, the result again after
    the search; all other texts only if one of these had different answers. With three repeats or
    more, a system whose answers don't depend on the edits is reported to flip in at most 5% of
    calls, whatever the distribution of its answers. A deterministic system costs 7 calls more than
    with one repeat; one that is right in 9 of 10 cases, and in 1 of 10 after an edit, needs about 8
    repeats.

    Args:
        system: from a text to its answer, which may differ from call to call.
        record: the record of the perturbed text.
        flips: whether, given the answer to the original, another answer is a flip; by default,
            whether the two differ.
        budget: the most different texts to ask, at least 2; None for no limit. A single cause
            among n edits takes about 2 log2(n) texts; the worst case is about n**2 + 3 n.
        repeats: the most times a text is asked, at least 1. With 1 or 2, equal texts must have
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
    """Return the result of a search with a plain function, which never waits."""

    async def answer(text: str) -> Any:
        return system(text)

    try:
        search(answer).send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    raise AssertionError("a search waits only for its system")


async def smallest_flip(
    system: System,
    record: Record,
    flips: Callable[[Any, Any], bool],
    budget: int | None,
    repeats: int,
) -> Explanation:
    """Find minimal edits with an async system; see `minimal_edits`."""
    repeats, budget = checked_whole("repeats", repeats, 1), plain(budget)
    asks = [BudgetedSystem(system, budget) for _ in range(repeats)]
    original, edits = record.original, record.edits
    before = await asks[0](original)

    async def count(part: Sequence[Edit], least: int = 0, times: int = repeats, at: int = 0) -> int:
        """Return the number of flips; stop asking once `least` can't be reached."""
        text, flipped = rebuild(original, part), 0
        for rest, ask in zip(range(times, 0, -1), asks[at:], strict=False):
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
    # As long as no answer varies, each text is asked once, except those that decide.
    once = [(1, 1)] if flipped == repeats and not varied else []
    for enough, times in (*once, (least, repeats)):
        part, status = edits, "minimal"
        try:
            async for smaller in ddmin(edits, partial(reaches, enough, times)):
                part = smaller
        except BudgetSpentError:
            status = "budget spent"
        # Of many parts the search took one that flipped, perhaps by chance: it is asked again.
        at = 0
        if part is not edits and repeats >= _REPEATS:
            at, asks = len(asks), asks + [BudgetedSystem(system, None) for _ in range(repeats)]
        if (flipped := await count(part, at=at)) >= least:
            return await outcome(status, part, flipped, varied)
    return await outcome("varies", (), varied, varied)


@lru_cache
def _fewest_flips(repeats: int) -> int:
    """Return by how many flips a text must surpass the original, whose first answer is no flip.

    If all answers come from one distribution, that happens in at most 5% of cases, whatever the
    share of flips in it; with too few repeats, all answers must be flips, and none to the original.
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
        items: the items, for which the test holds.
        holds: the test, which may be non-monotone.

    Yields:
        Parts in the order of the items. No item can be removed from the last one, or from `items`
        if nothing is yielded.
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
