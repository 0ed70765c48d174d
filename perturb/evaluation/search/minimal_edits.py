"""The edits that explain a flip, found by delta debugging over the edits of a record."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from operator import ne
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from perturb.errors import PerturbError, UsageError
from perturb.records.edit import Edit, rebuild
from perturb.values.arrays import Float64

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, MutableMapping, Sequence

    from perturb.records.record import Record

T = TypeVar("T")

_REPEATS, _FALSE = 3, 0.05


class BudgetSpentError(PerturbError):
    """One more text would have to be asked than the budget allows."""


class BudgetedSystem:
    """A system that keeps its answers.

    Args:
        system: from a text to its answer; equal texts must have equal answers.
        budget: how many different texts may be asked, at least 2; None for any number.
        answers: answers by text that are known already, to which new ones are added. What is known
            counts as asked, so that a run that goes on from here ends as one in a single go.

    Attributes:
        calls: how often the system itself was called.
        texts: how many different texts were asked, known ones included.

    Raises:
        UsageError: the budget is below 2: the original and one perturbed text.
    """

    def __init__(
        self,
        system: Callable[[str], Any],
        budget: int | None,
        answers: MutableMapping[str, Any] | None = None,
    ) -> None:
        if budget is not None and budget < 2:
            raise UsageError(
                f"budget must be at least 2, the original and one perturbed text; got {budget}"
            )
        self._system = system
        self._budget = budget
        self._answers = {} if answers is None else answers
        self._seen: set[str] = set()
        self.calls = 0

    @property
    def texts(self) -> int:  # noqa: D102 (the class describes all attributes)
        return len(self._seen)

    def __call__(self, text: str) -> Any:
        """Return the answer to a text.

        Raises:
            BudgetSpentError: it is new, and the budget is spent.
        """
        if text not in self._seen:
            if self.texts == self._budget:
                raise BudgetSpentError(f"the budget of {self._budget} texts is spent")
            if text not in self._answers:
                self.calls += 1
                self._answers[text] = self._system(text)
            self._seen.add(text)
        return self._answers[text]


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
    if repeats < 1:
        raise UsageError(f"repeats must be at least 1; got {repeats}")
    asks = [BudgetedSystem(system, budget) for _ in range(repeats)]
    original, edits = record.original, record.edits
    before = asks[0](original)

    def count(part: Sequence[Edit], least: int = 0) -> int:
        """Return how many answers flip; where they can't be as many as `least`, fewer are asked."""
        text, flipped = rebuild(original, part), 0
        for rest, ask in zip(range(repeats, 0, -1), asks, strict=True):
            if flipped + rest < least:
                break
            flipped += flips(before, ask(text))
        return flipped

    def outcome(status: str, part: Sequence[Edit], flipped: int, varied: int = 0) -> Explanation:
        text, calls = rebuild(original, part), sum(ask.calls for ask in asks)
        answer = asks[0](text)
        return Explanation(
            status, tuple(part), text, before, answer, calls, repeats, flipped, varied
        )

    least = _fewest_flips(repeats)
    if not edits or (flipped := count(edits, least)) < least:
        return outcome("varies" if edits and flipped else "no flip", (), 0)
    varied = count(())
    if flipped < (least := least + varied):
        return outcome("varies", (), varied, varied)
    tests: list[Callable[[Sequence[Edit]], bool]] = [lambda part: count(part, least) >= least]
    if flipped == repeats and not varied:
        tests.insert(0, lambda part: flips(before, asks[0](rebuild(original, part))))
    part: Sequence[Edit]
    for holds in tests:
        part, status = edits, "minimal"
        try:
            for smaller in ddmin(edits, holds):
                part = smaller
        except BudgetSpentError:
            status = "budget spent"
        if (flipped := count(part)) >= least:
            break
    return outcome(status, part, flipped, varied)


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


def ddmin(items: Sequence[T], holds: Callable[[Sequence[T]], bool]) -> Iterator[Sequence[T]]:
    """Yield ever smaller parts of the items for which a test holds.

    Args:
        items: for which it holds.
        holds: the test; it need not be monotone.

    Yields:
        Parts in the order of the items; from the last, or from `items` where none is yielded, no
        item can be taken away.
    """
    part, pieces = items, 2
    if part and holds(part[:0]):
        yield part[:0]
        return
    while len(part) > 1:
        smaller, pieces = _smaller(part, min(pieces, len(part)), holds)
        if smaller is not None:
            yield (part := smaller)
        elif pieces > len(part):
            return


def _smaller(
    part: Sequence[T], pieces: int, holds: Callable[[Sequence[T]], bool]
) -> tuple[Sequence[T] | None, int]:
    """Return the first piece, or rest without one, that holds; and the next number of pieces."""
    cuts = [len(part) * piece // pieces for piece in range(pieces + 1)]
    spans = list(pairwise(cuts))
    for start, end in spans:
        if holds(part[start:end]):
            return part[start:end], 2
    for start, end in spans:
        rest = [*part[:start], *part[end:]]
        if holds(rest):
            return rest, max(pieces - 1, 2)
    return None, len(part) + 1 if pieces == len(part) else min(2 * pieces, len(part))
