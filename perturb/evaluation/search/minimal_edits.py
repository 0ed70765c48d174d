"""The edits that explain a flip, found by delta debugging over the edits of a record."""

from __future__ import annotations

from itertools import pairwise
from operator import ne
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from perturb.evaluation.search.budget import BudgetedSystem, BudgetSpentError
from perturb.records.edit import Edit, rebuild

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from perturb.records.record import Record

T = TypeVar("T")


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
    asked, original = BudgetedSystem(system, budget), record.original
    before = asked(original)

    def holds(edits: Sequence[Edit]) -> bool:
        return flips(before, asked(rebuild(original, edits)))

    found: Sequence[Edit] = record.edits if holds(record.edits) else ()
    status = "minimal" if found else "no flip"
    try:
        for smaller in ddmin(found, holds):
            found = smaller
    except BudgetSpentError:
        status = "budget spent"
    text = rebuild(original, found)
    return Explanation(status, tuple(found), text, before, asked(text), asked.calls)


def ddmin(items: Sequence[T], holds: Callable[[Sequence[T]], bool]) -> Iterator[Sequence[T]]:
    """Yield ever smaller parts of the items for which a test holds.

    Args:
        items: for which it holds.
        holds: the test; it need not be monotone.

    Yields:
        Parts in the order of the items; from the last, or from `items` where none is yielded, no
        item can be taken away.
    """
    kept, pieces = items, 2
    if kept and holds(kept[:0]):
        yield kept[:0]
        return
    while len(kept) > 1:
        smaller, pieces = _smaller(kept, min(pieces, len(kept)), holds)
        if smaller is not None:
            yield (kept := smaller)
        elif pieces > len(kept):
            return


def _smaller(
    kept: Sequence[T], pieces: int, holds: Callable[[Sequence[T]], bool]
) -> tuple[Sequence[T] | None, int]:
    """Return the first piece, or rest without one, that holds; and the next number of pieces."""
    cuts = [len(kept) * piece // pieces for piece in range(pieces + 1)]
    spans = list(pairwise(cuts))
    for start, end in spans:
        if holds(kept[start:end]):
            return kept[start:end], 2
    for start, end in spans:
        rest = [*kept[:start], *kept[end:]]
        if holds(rest):
            return rest, max(pieces - 1, 2)
    return None, len(kept) + 1 if pieces == len(kept) else min(2 * pieces, len(kept))
