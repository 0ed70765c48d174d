"""Evaluate models over a data set, in the shapes that W&B Weave uses."""

from __future__ import annotations

import asyncio
import inspect
import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from perturb.errors import DataError, UsageError

Row = Mapping[str, Any]
Summary = dict[str, Any]


class ScoredRow(NamedTuple):
    """One row of the data set with what became of it.

    Attributes:
        row: the row.
        output: the output of the model; None where it raised.
        scores: the scores of each scorer, by its name; none where the model raised.
        error: what the model or a scorer raised; None where all went well.
    """

    row: Row
    output: Any
    scores: dict[str, Any]
    error: str | None


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
        self, dataset: Iterable[Row], scorers: Sequence[Any], *, concurrency: int = 16
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

        async def scored(row: Row) -> ScoredRow:
            output, scores = None, {}
            async with room:
                try:
                    output = await _call(called, row)
                    columns = {**row, "output": output}
                    for name, scorer in self.scorers.items():
                        scores[name] = await _call(_method(scorer, "score"), columns)
                except Exception as error:  # a model may raise anything; the row says what
                    return ScoredRow(row, output, {}, f"{type(error).__name__}: {error}")
            return ScoredRow(row, output, scores, None)

        return list(await asyncio.gather(*map(scored, self.dataset)))

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


def _name_of(scorer: Any) -> str:
    return str(getattr(scorer, "__name__", None) or type(scorer).__name__)


def _method(value: Any, name: str) -> Callable[..., Any]:
    """Return the method of an object, or a function itself."""
    method: Callable[..., Any] = getattr(value, name, value)
    if not callable(method):
        raise UsageError(f"a function or an object with {name}() is needed; got {value!r:.60}")
    return method


async def _call(called: Callable[..., Any], columns: Row) -> Any:
    """Call a function with the columns that its parameters name."""
    parameters = inspect.signature(called).parameters.values()
    if all(parameter.kind is not parameter.VAR_KEYWORD for parameter in parameters):
        names = {parameter.name for parameter in parameters}
        columns = {name: value for name, value in columns.items() if name in names}
    if inspect.iscoroutinefunction(called):
        return await called(**columns)
    result = await asyncio.to_thread(called, **columns)
    return await result if inspect.isawaitable(result) else result


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
        finite = [float(value) for value in values if math.isfinite(value)]
        mean = math.fsum(finite) / len(finite) if finite else None
        median = statistics.median(map(float, values))
        return {"mean": mean, "median": median, "infinite": len(values) - len(finite)}
    return dict(Counter(map(str, values)))
