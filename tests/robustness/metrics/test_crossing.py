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
def test_the_interval_is_what_a_rising_curve_leaves_open(values, reach, lose):
    """Slowly: every pair of neighbours through which a curve within the limits may reach it last."""
    data = curve(values, reach)
    low, high = crossing_interval(data, lose)
    known = [0.0, *STRENGTHS]
    below = [at for at in known if data.high[known.index(at)] < lose]
    assert low == max(below)
    above = [at for at in known if at > low and data.low[known.index(at)] >= lose]
    assert high == min(above, default=None)


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


@pytest.mark.slow
@given(losses, reaches, losses, reaches, st.floats(0.02, 0.2))
def test_turning_two_systems_around_turns_their_ratio(a, of_a, b, of_b, lose):
    first, second = (crossing_interval(curve(*one), lose) for one in ((a, of_a), (b, of_b)))
    low, high = ratio_interval(first, second)
    least, most = ratio_interval(second, first)
    assert most == (None if low is None else pytest.approx(1 / low))
    assert least == (None if high is None else pytest.approx(1 / high))
    assert None in (low, high) or low <= high


def test_a_ratio_is_that_of_both_ends():
    assert ratio_interval((0.02, 0.05), (0.04, 0.1)) == pytest.approx((0.8, 5))


def test_a_system_that_never_loses_bounds_the_ratio_on_one_side():
    a, b = (0.02, 0.05), (0.2, None)
    assert ratio_interval(a, b) == (pytest.approx(4), None)
    assert ratio_interval(b, b) == (None, None)
    assert ratio_interval((0.0, 0.05), (0.04, 0.1)) == (pytest.approx(0.8), None)
