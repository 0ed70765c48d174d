import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.robustness.metrics.crossing import (
    crossing,
    crossing_interval,
    curve_of,
    isotonic,
    ratio_interval,
)

STRENGTHS = np.array([0.01, 0.02, 0.05, 0.1, 0.2])
losses = st.lists(st.floats(-0.2, 0.5), min_size=5, max_size=5).map(np.array)
reaches = st.lists(st.floats(0.001, 0.3), min_size=5, max_size=5).map(np.array)


def curve(values, reach, strengths=STRENGTHS):
    values = np.asarray(values, float)
    return curve_of(strengths, values, values - reach, values + reach)


def rising(values):
    """Isotonic regression, slowly: the largest mean from below, of the least mean to above."""
    x = np.array(values)
    mean = lambda a, b: x[a : b + 1].mean()  # noqa: E731
    places = range(len(x))
    return [
        max(min(mean(a, b) for b in places if b >= at) for a in places if a <= at) for at in places
    ]


@given(losses)
def test_isotonic_is_the_largest_of_least_means(values):
    assert isotonic(values) == pytest.approx(rising(values))


@given(losses, reaches, st.floats(0.01, 0.3))
def test_the_interval_is_that_of_the_strengths_whose_interval_holds_the_loss(values, reach, lose):
    """By a fine grid; what lies beyond the strongest is open."""
    data = curve(values, reach)
    low, high = crossing_interval(data, lose)
    at = np.linspace(0, 0.2, 20001)
    strengths, _, *limits = data
    assert strengths.tolist() == [0, *STRENGTHS]
    under, over = (np.interp(at, strengths, each) for each in limits)
    holds = at[(under <= lose) & (lose <= over)]
    assert (high is None) == (data.low[-1] <= lose)
    if data.high.max() < lose:
        assert (low, holds.size) == (0.2, 0)
        return
    assert low <= holds.min(initial=1)
    assert (0.2 if high is None else high) >= holds.max(initial=0)
    assert np.interp(low, strengths, data.high) == pytest.approx(lose)
    if high is not None:
        assert np.interp(high, strengths, data.low) == pytest.approx(lose)


@pytest.mark.parametrize(
    ("values", "lose", "strength"),
    [
        ([0.01, 0.02, 0.05, 0.1, 0.2], 0.05, 0.05),
        ([0.02, 0.04, 0.08, 0.1, 0.2], 0.06, 0.035),
        ([0.1, 0.1, 0.1, 0.1, 0.1], 0.05, 0.005),
        ([0.0, 0.0, 0.0, 0.0, 0.04], 0.05, None),
        ([-0.1, -0.1, 0.1, 0.1, 0.1], 0.05, 0.0425),
        ([0.0, 0.07, 0.03, 0.05, 0.1], 0.06, 0.12),  # .07, .03, .05 are one step of .05
    ],
)
def test_the_crossing_of_known_curves(values, lose, strength):
    assert crossing(curve(values, 0.01), lose) == pytest.approx(strength)


@given(losses, reaches, losses, reaches, st.floats(0.02, 0.2), st.floats(-0.9, 0.9))
def test_turning_two_systems_around_turns_their_ratio(a, of_a, b, of_b, lose, alike):
    first, second = curve(a, of_a), curve(b, of_b)
    low, high = ratio_interval(first, second, lose, alike)
    least, most = ratio_interval(second, first, lose, alike)
    assert 0 <= low <= high
    near = {"rel": 0.02}  # strengths are looked for at places
    assert most == pytest.approx(1 / low if low else math.inf, **near)
    assert least == pytest.approx(0 if high == math.inf else 1 / high, **near)


def test_a_ratio_holds_those_of_both_estimates_and_lies_within_those_of_both_intervals():
    a, b = curve(STRENGTHS, 0.01), curve(STRENGTHS / 2, 0.01)
    low, high = ratio_interval(a, b, 0.05)
    of_a, of_b = crossing_interval(a, 0.05), crossing_interval(b, 0.05)
    assert of_b[0] / of_a[1] < low < 2 < high < of_b[1] / of_a[0]
    alike = ratio_interval(a, b, 0.05, 0.8)
    assert low < alike[0] < 2 < alike[1] < high


def test_a_system_that_never_loses_bounds_the_ratio_on_one_side():
    a, b = curve(STRENGTHS, 0.01), curve(STRENGTHS / 100, 0.01)
    low, high = ratio_interval(a, b, 0.05)
    assert low == pytest.approx(0.2 / crossing_interval(a, 0.05)[1])
    assert high == math.inf
    assert ratio_interval(b, b, 0.05) == (0, math.inf)
