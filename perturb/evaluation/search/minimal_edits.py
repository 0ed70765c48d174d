"""The edits that explain a flip, found by delta debugging over the edits of a record."""

from __future__ import annotations

from itertools import pairwise
from operator import ne
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from perturb.errors import PerturbError, UsageError
from perturb.records.edit import Edit, rebuild

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, MutableMapping, Sequence

    from perturb.records.record import Record

T = TypeVar("T")


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
            edits of the record together do not.
        edits: in order; none where there is no flip.
        text: the original with these edits.
        original_answer: to the original.
        answer: to `text`.
        calls: how often the system was called.
    """

    status: str
    edits: tuple[Edit, ...]
    text: str
    original_answer: Any
    answer: Any
    calls: int


def minimal_edits(
    system: Callable[[str], Any],
    record: Record,
    *,
    flips: Callable[[Any, Any], bool] = ne,
    budget: int | None = None,
) -> Explanation:
    """Find a smallest part of a record's edits that flips a system's answer, by delta debugging.

    Smallest is meant of its parts: no edit can be left out. Another, smaller set of edits may flip
    the answer too. No text is asked twice.

    Args:
        system: from a text to its answer; equal texts must have equal answers.
        record: of the perturbed text.
        flips: whether, after this answer to the original, that answer is a flip; by default,
            whether the two differ.
        budget: how many different texts the system may be asked, at least 2; None for any number.
            A single cause among n edits takes about 2 log2(n) texts; the worst case is about
            n**2 + 3 n.

    Raises:
        UsageError: the budget is below 2.

    Source: A. Zeller and R. Hildebrandt (2002), Simplifying and Isolating Failure-Inducing Input,
    the algorithm ddmin.

    Examples:
        >>> import perturb
        >>> record = perturb.apply("How many eggs are left?", "char_delete", p=0.3, seed=4)
        >>> found = minimal_edits(lambda text: "egg" in text, record)
        >>> found.text, found.status, len(found.edits), len(record.edits)
        ('How many egs are left?', 'minimal', 1, 7)
    """
    answer, original = BudgetedSystem(system, budget), record.original
    before = answer(original)

    def holds(edits: Sequence[Edit]) -> bool:
        return flips(before, answer(rebuild(original, edits)))

    edits: Sequence[Edit] = record.edits if holds(record.edits) else ()
    status = "minimal" if edits else "no flip"
    try:
        for smaller in ddmin(edits, holds):
            edits = smaller
    except BudgetSpentError:
        status = "budget spent"
    text = rebuild(original, edits)
    return Explanation(status, tuple(edits), text, before, answer(text), answer.calls)


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
