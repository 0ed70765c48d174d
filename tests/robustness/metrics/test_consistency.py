import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.robustness import consistency_rate

answers = st.sampled_from(["A", "B", "C", None])
runs = st.integers(1, 5).flatmap(
    lambda length: st.lists(
        st.lists(answers, min_size=length, max_size=length), min_size=2, max_size=5
    )
)


def test_worked_example():
    assert consistency_rate(by_run=[["A"], ["A"], ["C"]]) == pytest.approx(100 / 3)


def naive(predictions_by_run):
    equal = pairs = 0
    for i, one in enumerate(predictions_by_run):
        for other in predictions_by_run[i + 1 :]:
            for a, b in zip(one, other, strict=True):
                pairs += 1
                equal += a is not None and a == b
    return equal / pairs * 100


@given(runs)
def test_counting_pairs_one_by_one_gives_the_same(predictions_by_run):
    expected = pytest.approx(naive(predictions_by_run))
    assert consistency_rate(by_run=predictions_by_run) == expected
    assert consistency_rate(by_run=predictions_by_run, equivalent=lambda a, b: a == b) == expected


def test_pairs_are_pooled_over_datapoints():
    assert consistency_rate(by_run=[["A", "A", "x"], ["A", "B", "y"]]) == pytest.approx(100 / 3)


@pytest.mark.parametrize("missing", [None, math.nan])
def test_missing_answers_never_agree(missing):
    assert consistency_rate(by_run=[[missing], [missing]]) == 0
    assert consistency_rate(by_run=[[missing], [missing]], equivalent=lambda *_: True) == 0


def test_equivalence_is_the_callers():
    assert consistency_rate(by_run=[["a"], ["A"]]) == 0
    assert (
        consistency_rate(
            by_run=[["a"], ["A"]], equivalent=lambda one, other: one.lower() == other.lower()
        )
        == 100
    )


def test_answers_that_cannot_be_hashed():
    assert consistency_rate(by_run=[[[1, 2]], [[1, 2]], [[2]]]) == pytest.approx(100 / 3)


@pytest.mark.parametrize(
    ("predictions_by_run", "message"),
    [
        ([["A"]], "at least 2"),
        ([["A"], ["A", "B"]], r"\[1, 2\]"),
        ([[], []], "at least one datapoint"),
    ],
)
def test_unusable_runs(predictions_by_run, message):
    with pytest.raises(ValueError, match=message):
        consistency_rate(by_run=predictions_by_run)
