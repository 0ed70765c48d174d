"""Robustness evaluation with the names and shapes of W&B Weave; Weave isn't needed."""

from __future__ import annotations

import asyncio
import inspect
import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from perturb.api import apply
from perturb.errors import DataError, UsageError
from perturb.records.record import Record
from perturb.rng import hash32, key64, uniform
from perturb.robustness.metrics.effect_size import (
    cohens_d,
    cohens_h,
    interpret_cohens_d,
    interpret_cohens_h,
)
from perturb.robustness.metrics.embedding import cosine_similarities, embedder
from perturb.values.arrays import Float64

__all__ = ["Evaluation", "RobustnessScorer", "ScoredRow", "create_perturbed_dataset"]

_NAMES = tuple(
    f"weave.{name}"
    for name in (
        *("random_case_change", "remove_punctuation", "butterfingers", "add_whitespace"),
        *("swap_chars", "emphasize_words", "split_merge_words", "text_noise"),
        "random_capitalization",
    )
)
# The factor of a function's weight after each version it made, so that functions take turns without
# a fixed order. Chosen by hand.
_AGAIN = 0.8
# The tries of each function before versions repeat. Chosen by hand: most texts need one or two, and
# each try is a call of `apply`.
_ATTEMPTS = 5
# The distance between the replicates of two tries: more than anybody makes versions.
_FAR = 1 << 20


def create_perturbed_dataset(
    texts: Sequence[str], num_perturbations: int = 7, seed: int = 0, *, records: bool = False
) -> list[dict[str, Any]]:
    """Make versions of texts, each by one of Weave's nine functions.

    Functions start with the weight 1, and keep 0.8 of their weight after each version of a text
    that they make. If one leaves the text unchanged, or repeats a version, the next one drawn takes
    its place. Versions repeat only if no function finds a new one, as for an empty or very short
    text. The versions of a text depend only on the seed and the text.

    Args:
        texts: the originals.
        num_perturbations: the number of versions of each, at least 0.
        seed: any integer.
        records: also give each version's record, as a row of `perturb.read_records`.

    Returns:
        For each text `{"questions": [original, version, ...]}`, and with `records` the `records` of
        its versions.

    Raises:
        TypeError: `texts` is a single string, or contains other values than strings.
        ValueError: a negative number of versions.

    Source: W&B Weave, `create_perturbed_dataset`; the functions are the drop-in names `weave.*`.

    Examples:
        >>> create_perturbed_dataset(["Who wrote Emma?"], num_perturbations=2)
        [{'questions': ['Who wrote Emma?', 'Who WROTE Emma?', 'Who wrote mEma?']}]
    """
    if isinstance(texts, str):
        raise TypeError(f"expected a list of texts; got the one text {texts!r}")
    if num_perturbations < 0:
        raise ValueError(f"num_perturbations must be at least 0; got {num_perturbations}")
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"texts[{place}] must be a string; got {text!r}")
    rows: list[dict[str, Any]] = []
    for text in texts:
        versions = _versions(text, num_perturbations, seed)
        row = {"questions": [text, *(version.text for version in versions)]}
        more = {"records": [version.to_dict() for version in versions]} if records else {}
        rows.append({**row, **more})
    return rows


def _versions(text: str, count: int, seed: int) -> list[Record]:
    """Return the records of the versions of a text."""
    key = np.array([key64("create_perturbed_dataset", seed, text)], np.uint64)
    weights = np.ones(len(_NAMES))
    versions: list[Record] = []
    for replicate in range(count):
        places = np.arange(len(_NAMES)) + replicate * len(_NAMES)
        # Drawn by weight without replacement: the first with a probability of its share.
        waits = -np.log1p(-uniform(hash32(key, places))) / weights
        order = np.argsort(waits).tolist()
        earlier = {text, *(version.text for version in versions)}
        version, place = _new_version(text, order, seed, replicate, earlier)
        weights[place] *= _AGAIN
        versions.append(version)
    return versions


def _new_version(
    text: str, order: list[int], seed: int, replicate: int, earlier: set[str]
) -> tuple[Record, int]:
    """Return the first new version, and the function that made it.

    Each function is tried a few times; if all fail, the version is the first that differs from
    the text, or the text itself.
    """
    other: tuple[Record, int] | None = None
    for attempt in range(_ATTEMPTS):
        for place in order:
            # Far from the numbers of other versions, so that all draws differ.
            again = replicate + attempt * _FAR
            record = apply(text, _NAMES[place], seed=seed, replicate=again)
            if record.text not in earlier:
                return record, place
            if other is None or (other[0].text == text != record.text):
                other = record, place
        if other is not None and other[0].text == text:
            break  # nothing changes this text
    assert other is not None
    return other


@dataclass(eq=False)
class RobustnessScorer:
    """Score how much a system's outputs change when its input is perturbed.

    With `use_exact_match` outputs are compared by `str(a) == str(b)` and the change is Cohen's h,
    |h| / pi in [0, 1]. Otherwise outputs are compared by the cosine of their embeddings and the
    change is Cohen's d, |d| in [0, inf], with its sign.

    Without ground truths the output for the original is the reference and its own score is 1.0.

    Args:
        use_exact_match: compare by equality instead of by meaning.
        use_ground_truths: compare each output with its ground truth.
        return_interpretation: add the rule of thumb in words.
        sd_floor: as for `cohens_d`.
        embed: a function that takes n texts and returns an array of shape (n, dimensions), an
            object with such a method `encode`, or a model of sentence-transformers: a folder, an
            installed package or a name on the Hub. By default all-MiniLM-L6-v2. It is loaded once,
            when first needed.

    Source: "AI guardrails: Robustness scorers" (Weights & Biases).

    Examples:
        >>> scorer = RobustnessScorer(use_exact_match=True, return_interpretation=True)
        >>> scorer.score(["Paris", "Paris", "Lyon", "Paris"])["interpretation"]
        'Huge effect'
    """

    use_exact_match: bool = False
    use_ground_truths: bool = False
    return_interpretation: bool = False
    sd_floor: float = 0.0
    embed: Any = None

    def score(
        self, output: Sequence[Any], ground_truths: Sequence[Any] | None = None
    ) -> dict[str, Any]:
        """Score the outputs for one question.

        Args:
            output: the output for the original, then at least one for a perturbed input (at least
                two without `use_exact_match`).
            ground_truths: one for each output; ignored without `use_ground_truths`, since an
                evaluation hands over every column.

        Returns:
            `cohen_h`, or `cohen_d` and `cohen_d_sign` ("positive": perturbing lowers the score;
            "negative": it raises it; "zero": neither); `score(original)`; `score(perturbed)`, the
            mean; and `interpretation` if asked for.

        Raises:
            ValueError: too few outputs, or ground truths missing or of another number.
            ImportError: an embedder is needed and none is installed.
        """
        references = self._references(output, ground_truths)
        scores = self._similarities([str(item) for item in output], references)
        if not self.use_ground_truths:
            scores[0] = 1.0  # exactly, whatever the rounding of a cosine with itself
        original, perturbed = float(scores[0]), scores[1:]
        report: dict[str, Any]
        if self.use_exact_match:
            h = abs(cohens_h(original, perturbed)) / math.pi
            report, words = {"cohen_h": h}, interpret_cohens_h(h)
        else:
            d = cohens_d(original, perturbed, self.sd_floor)
            sign = "positive" if d > 0 else "negative" if d < 0 else "zero"
            report, words = {"cohen_d": abs(d), "cohen_d_sign": sign}, interpret_cohens_d(d)
        report |= {"score(original)": original, "score(perturbed)": float(perturbed.mean())}
        return {**report, "interpretation": words} if self.return_interpretation else report

    def _references(self, output: Sequence[Any], ground_truths: Sequence[Any] | None) -> list[str]:
        if isinstance(output, str) or len(output) < 2:
            raise ValueError(
                f"output must list the original's output and at least one more, got {output!r}"
            )
        if not self.use_ground_truths:
            return [str(output[0])] * len(output)
        if ground_truths is None:
            raise ValueError("use_ground_truths is set: give ground_truths, one for each output")
        if isinstance(ground_truths, str) or len(ground_truths) != len(output):
            raise ValueError(
                f"{len(output)} outputs need {len(output)} ground_truths in a list, "
                f"got {ground_truths!r}"
            )
        return [str(item) for item in ground_truths]

    def _similarities(self, output: list[str], references: list[str]) -> Float64:
        if self.use_exact_match:
            return np.array([float(a == b) for a, b in zip(output, references, strict=True)])
        return cosine_similarities(embedder(self.embed), output, references)


class ScoredRow(NamedTuple):
    """One row of the dataset with its results.

    Attributes:
        row: the row.
        output: the output of the model; None where it raised.
        scores: the scores of each scorer, by its name; none if the model raised.
        error: the error of the model or a scorer; None if all went well.
    """

    row: Mapping[str, Any]
    output: Any
    scores: dict[str, Any]
    error: str | None


class Evaluation:
    """A dataset and the scorers that judge a model's outputs on it.

    A model is a function, or an object with a method `predict`; a scorer is a function, or an
    object with a method `score`. Both may be async. They get the columns of a row that their
    parameters name, a scorer also the `output`; other columns aren't used.

    Args:
        dataset: rows, such as `create_perturbed_dataset` gives, with any further columns.
        scorers: such as `RobustnessScorer`.
        concurrency: the number of rows under way at a time.

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
        self, dataset: Iterable[Mapping[str, Any]], scorers: Sequence[Any], *, concurrency: int = 16
    ) -> None:
        self.dataset = list(dataset)
        self.scorers = {_name_of(scorer): scorer for scorer in scorers}
        self.concurrency = concurrency
        if not self.dataset or not scorers:
            raise UsageError("an evaluation needs at least one row and one scorer")
        if len(self.scorers) < len(scorers):
            names = [_name_of(scorer) for scorer in scorers]
            raise UsageError(f"scorers must have different names; got {', '.join(names)}")

    async def evaluate(self, model: Any) -> dict[str, Any]:
        """Run a model on all rows and return the summary of the scores.

        Raises:
            DataError: the model or a scorer raised on every row.
        """
        return self.summarize(await self.scored_rows(model))

    async def scored_rows(self, model: Any) -> list[ScoredRow]:
        """Run a model on all rows and return each with its output and scores, in order."""
        called = _method(model, "predict")
        room = asyncio.Semaphore(self.concurrency)

        async def scored(row: Mapping[str, Any]) -> ScoredRow:
            output, scores = None, {}
            async with room:
                try:
                    output = await _call(called, row)
                    columns = {**row, "output": output}
                    for name, scorer in self.scorers.items():
                        scores[name] = await _call(_method(scorer, "score"), columns)
                except UsageError:  # of the call, and so of every row
                    raise
                except Exception as error:  # a model may raise anything; the row has the error
                    return ScoredRow(row, output, {}, f"{type(error).__name__}: {error}")
            return ScoredRow(row, output, scores, None)

        return list(await asyncio.gather(*map(scored, self.dataset)))

    def summarize(self, rows: Sequence[ScoredRow]) -> dict[str, Any]:
        """Return the summary of scored rows.

        Numbers have the `mean` of the finite ones, a `median`, and the number of `infinite` ones
        (Cohen's d is infinite if all drops are equal); truth values have a `true_count` and
        `true_fraction`; texts have the number of each. `errors` counts rows without scores.

        Raises:
            DataError: no row has scores; the first error is named.
        """
        good = [row.scores for row in rows if row.error is None]
        if not good:
            raise DataError(f"no row could be scored; row 0: {rows[0].error}")
        summary: dict[str, Any] = {
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


async def _call(called: Callable[..., Any], columns: Mapping[str, Any]) -> Any:
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
