"""Consistency: how often runs give the same answer to the same question."""

from __future__ import annotations

import contextlib
import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from operator import eq
from typing import Any


def consistency_rate(
    *, by_run: Sequence[Sequence[Any]], equivalent: Callable[[Any, Any], bool] | None = None
) -> float:
    """Return the percentage of pairs of runs that agree, over all datapoints.

    Equal pairs over all datapoints divided by pairs over all datapoints. A missing answer (`None`
    or NaN) agrees with nothing, not even with another missing answer.

    Args:
        by_run: for each run, its answer to each datapoint, in the same order; by name alone, since
            lists of each datapoint's answers would give another number, and no error.
        equivalent: whether two answers agree, a symmetric function; `==` by default.

    Returns:
        Percent, in [0, 100].

    Raises:
        ValueError: fewer than two runs, runs of unequal length, or runs without a datapoint.

    Source: "Robustness Evaluation" (NeMo-Skills), section "Consistency Rate".

    Examples:
        >>> round(consistency_rate(by_run=[["A"], ["A"], ["C"]]), 2)
        33.33
    """
    runs = len(by_run)
    if runs < 2:
        raise ValueError(f"consistency needs the predictions of at least 2 runs, got {runs}")
    lengths = [len(run) for run in by_run]
    if len(set(lengths)) > 1:
        raise ValueError(f"all runs must answer the same datapoints; their numbers are {lengths}")
    if not lengths[0]:
        raise ValueError("the runs are empty: at least one datapoint is needed")
    equal = sum(
        _equal_pairs([answer for answer in answers if not _missing(answer)], equivalent)
        for answers in zip(*by_run, strict=True)
    )
    return equal / (lengths[0] * runs * (runs - 1) / 2) * 100


def _missing(answer: Any) -> bool:
    return answer is None or (isinstance(answer, float) and answer != answer)


def _equal_pairs(answers: list[Any], equivalent: Callable[[Any, Any], bool] | None) -> int:
    if equivalent is None:
        with contextlib.suppress(TypeError):  # lists and dicts can be compared but not hashed
            return sum(math.comb(count, 2) for count in Counter(answers).values())
    return sum(bool((equivalent or eq)(*pair)) for pair in combinations(answers, 2))
