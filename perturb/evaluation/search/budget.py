"""A system under test, asked at most once for each text, within a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from perturb.errors import PerturbError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping


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
