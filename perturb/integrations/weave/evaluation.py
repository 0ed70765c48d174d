"""Evaluate models over a data set, in the shapes that W&B Weave uses."""

from __future__ import annotations

import asyncio
import inspect
import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from perturb.errors import DataError, UsageError
from perturb.integrations.weave.differences import ModelComparison, model_differences
from perturb.integrations.weave.scored_row import Row, ScoredRow, Summary


class Evaluation:
    """A data set and the scorers that judge what a model makes of it.

    A model is a function, or an object with a method `predict`; a scorer is a function, or an
    object with a method `score`. Both may be async. They are given the columns of a row that their
    parameters name, a scorer also the `output`; columns that nobody names are not used.

    Args:
        dataset: rows, such as `create_perturbed_dataset` gives, with any further columns.
        scorers: such as `RobustnessScorer`.
        concurrency: how many rows are under way at a time.

    Raises:
        UsageError: there is no row or no scorer, or two scorers have one name.

    Source: "AI guardrails: Robustness scorers" (Weights & Biases), the tutorial.

    Examples:
        >>> from perturb.integrations.weave import RobustnessScorer
        >>> dataset = [{"questions": ["2 + 2?", "2 +2?", "2 plus 2?"], "source": "sums"}]
        >>> scorer = RobustnessScorer(use_exact_match=True)
        >>> def model(questions: list[str]) -> list[str]:
        ...     return ["4" if "+" in question else "22" for question in questions]
        >>> summary = asyncio.run(Evaluation(dataset, [scorer]).evaluate(model))
        >>> summary["RobustnessScorer"]["score(perturbed)"]["mean"]
        0.5
    """

    def __init__(
        self,
        dataset: Iterable[Row],
        scorers: Sequence[Any],
        *,
        concurrency: int = 16,
    ) -> None:
        self.dataset = list(dataset)
        self.scorers = {_name_of(scorer): scorer for scorer in scorers}
        self.concurrency = concurrency
        if not self.dataset or not scorers:
            raise UsageError("an evaluation needs at least one row and one scorer")
        if len(self.scorers) < len(scorers):
            names = [_name_of(scorer) for scorer in scorers]
            raise UsageError(f"scorers must have different names; got {', '.join(names)}")

    async def evaluate(self, model: Any) -> Summary:
        """Ask a model for all rows and return the summary of the scores.

        Raises:
            DataError: the model or a scorer raised on every row.
        """
        return self.summarize(await self.scored_rows(model))

    async def scored_rows(self, model: Any) -> list[ScoredRow]:
        """Ask a model for all rows and return each with its output and scores, in order."""
        called = _method(model, "predict")
        room = asyncio.Semaphore(self.concurrency)

        async def one(row: Row) -> ScoredRow:
            async with room:
                return await self._scored(called, row)

        return list(await asyncio.gather(*map(one, self.dataset)))

    async def _scored(self, called: Callable[..., Any], row: Row) -> ScoredRow:
        output, scores = None, {}
        try:
            output = await _call(called, row)
            for name, scorer in self.scorers.items():
                given = {**row, "output": output}
                scores[name] = await _call(_method(scorer, "score"), given)
        except Exception as error:  # a model may raise anything; the row says what
            return ScoredRow(row, output, {}, f"{type(error).__name__}: {error}")
        return ScoredRow(row, output, scores, None)

    def summarize(self, rows: Sequence[ScoredRow]) -> Summary:
        """Return the summary of scored rows.

        Numbers have a `mean`, of those that are finite, a `median`, and how many are `infinite` (as
        Cohen's d is where all drops are equal); truth values a `true_count` and `true_fraction`;
        texts the number of each. `errors` counts rows without scores.

        Raises:
            DataError: no row has scores; the first error is named.
        """
        good = [row.scores for row in rows if row.error is None]
        if not good:
            raise DataError(f"no row could be scored; row 0: {rows[0].error}")
        summary: Summary = {
            name: _summary([scores[name] for scores in good]) for name in self.scorers
        }
        return {**summary, "rows": len(rows), "errors": len(rows) - len(good)}

    async def compare(self, models: Mapping[str, Any]) -> ModelComparison:
        """Evaluate several models over the same rows, one after the other.

        Args:
            models: by their names.

        Returns:
            The summary of each, and the differences of each pair with their intervals.

        Raises:
            DataError: a model or a scorer raised on every row.
        """
        scored = {name: await self.scored_rows(model) for name, model in models.items()}
        summaries = {name: self.summarize(rows) for name, rows in scored.items()}
        return ModelComparison(summaries, model_differences(scored))


def _name_of(scorer: Any) -> str:
    return str(getattr(scorer, "__name__", None) or type(scorer).__name__)


def _method(given: Any, name: str) -> Callable[..., Any]:
    """Return the method of an object, or a function itself."""
    method = getattr(given, name, given)
    if not callable(method):
        raise UsageError(f"a function or an object with {name}() is needed; got {given!r:.60}")
    called: Callable[..., Any] = method
    return called


async def _call(called: Callable[..., Any], columns: Row) -> Any:
    """Call a function with the columns that its parameters name."""
    parameters = inspect.signature(called).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        given = dict(columns)
    else:
        given = {one.name: columns[one.name] for one in parameters if one.name in columns}
    if inspect.iscoroutinefunction(called):
        return await called(**given)
    found = await asyncio.to_thread(called, **given)
    return await found if inspect.isawaitable(found) else found


def _summary(values: list[Any]) -> Any:
    """Return the summary of the scores of one scorer, or of one of their fields."""
    if all(isinstance(value, Mapping) for value in values):
        names = dict.fromkeys(name for value in values for name in value)
        return {
            name: _summary([value[name] for value in values if name in value]) for name in names
        }
    if all(isinstance(value, bool) for value in values):
        return {"true_count": sum(values), "true_fraction": sum(values) / len(values)}
    if all(isinstance(value, int | float) for value in values):
        return _of_numbers([float(value) for value in values])
    return dict(Counter(map(str, values)))


def _of_numbers(values: list[float]) -> Summary:
    finite = [value for value in values if math.isfinite(value)]
    mean = math.fsum(finite) / len(finite) if finite else None
    infinite = len(values) - len(finite)
    return {"mean": mean, "median": statistics.median(values), "infinite": infinite}
