"""The interval of a mean of bounded scores: against its definition, and what it promises."""

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st
from likelihood import limits, p_value

from perturb.robustness import bounded_interval, bounded_test
from perturb.robustness.metrics.bounded import EXPECTED, bounded_limits, bounded_p_values

MARGIN = 0.02


@st.composite
def grouped(draw):
    """Changes of scores, few of them large, and clusters of any size."""
    sizes = draw(st.lists(st.integers(1, 9), min_size=2, max_size=40))
    change = st.sampled_from([0.0, 0.0, 0.0, -0.003, 0.02, -0.5, 0.3, -1.0, 1.0])
    values = draw(st.lists(change, min_size=sum(sizes), max_size=sum(sizes)))
    return np.array(values), np.repeat(np.arange(len(sizes)), sizes)


@given(grouped(), st.sampled_from([0.9, 0.95, 0.9987]))
def test_it_is_the_likelihood_ratio_inverted(data, level):
    found, p = bounded_interval(*data, level), bounded_test(*data)
    assert found == pytest.approx(limits(*data, level), abs=1e-6)
    assert p == pytest.approx(p_value(*data), rel=1e-5, abs=1e-11)
    if abs(p - (1 - level)) > 1e-6:  # the least level that includes 0
        assert (found.low <= 0 <= found.high) == (p > 1 - level)


@given(grouped(), st.data())
def test_raising_a_value_lowers_no_limit_and_lowering_one_raises_none(data, draw):
    values, clusters = data
    at, size = draw.draw(st.integers(0, values.size - 1)), draw.draw(st.floats(0.001, 1))
    low, high = bounded_interval(values, clusters)
    more = values.copy()
    more[at] += size
    raised = bounded_interval(more, clusters)
    assert raised.low >= low - 1e-9
    assert raised.high >= high - 1e-9


@given(grouped())
def test_limits_are_possible_hold_the_mean_and_mirror(data):
    values, clusters = data
    low, high = bounded_interval(values, clusters)
    assert -1 - 1e-9 <= low <= values.mean() + 1e-9
    assert values.mean() - 1e-9 <= high <= 1 + 1e-9
    assert low < high
    assert bounded_interval(-values, clusters) == pytest.approx((-high, -low), abs=1e-9)
    assert bounded_interval(40 * values, clusters, ends=(-40, 40)) == pytest.approx(
        (40 * low, 40 * high), abs=1e-7
    )


def test_sixty_equal_scores_are_never_judged_worse_than_one_that_moved():
    for count in (20, 60, 149, 150, 160, 189, 400):
        equal = bounded_interval(np.zeros(count), range(count))
        for moved in (-1e-6, -0.001, -0.01, -0.3):
            other = np.zeros(count)
            other[0] = moved
            low, high = bounded_interval(other, range(count))
            assert low < equal.low
            assert high < equal.high
            assert (high <= MARGIN and low >= -MARGIN) <= (equal.low >= -MARGIN)


@pytest.mark.parametrize(("margin", "count"), [(0.02, 150), (0.01, 301), (0.03, 100), (0.05, 59)])
def test_what_none_shows_is_three_in_n(margin, count):
    """One fewer is too few; about 3 / margin."""
    assert bounded_interval(np.zeros(count), range(count)).high <= margin
    assert bounded_interval(np.zeros(count - 1), range(count - 1)).high > margin


def test_a_mean_near_its_end_has_the_bound_of_clopper_and_pearson_nearly():
    """That is 3.7 / n; what is added weighs .35 in place of 2/3."""
    for count in (30, 200):
        low, high = bounded_interval(np.ones(count), range(count), ends=(0.0, 1.0))
        exact = scipy.stats.beta.ppf(0.025, count, 1)
        assert exact < low < 1 - 0.75 * (1 - exact)
        assert high == pytest.approx(1)


def test_versions_that_repeat_each_other_add_nothing():
    values = np.array([0, 0, -1, 0, -0.5, 1, 0, 0, -1, 0] * 4, float)
    once = bounded_interval(values, range(40))
    assert bounded_interval(np.repeat(values, 4), np.repeat(np.arange(40), 4)) == pytest.approx(
        once
    )


def test_as_many_falls_as_are_expected_are_found_in_four_of_five_sets():
    count = 2000
    fewest = next(
        k
        for k in range(1, 20)
        if bounded_test([-1.0] * k + [0.0] * (count - k), range(count)) < 0.05
    )
    assert fewest == 5
    assert scipy.stats.poisson.sf(fewest - 1, EXPECTED) == pytest.approx(0.8, abs=0.0005)


@pytest.mark.parametrize("alpha", [0.05, 0.005, 0.00125])
def test_the_test_keeps_its_size_where_answers_turn_either_way(alpha):
    """Exact, of Poisson numbers of flips; small levels are those of many conditions."""
    most = 120
    worse, better = np.meshgrid(np.arange(most), np.arange(most))
    counts = np.stack([worse.ravel(), better.ravel()], axis=1)
    rejected = bounded_p_values(np.broadcast_to([-1.0, 1.0], counts.shape), counts) < alpha
    for expected in (1, 3, 6, 10, 20, 60):
        chance = scipy.stats.poisson.pmf(np.arange(most), expected / 2)
        size = np.outer(chance, chance).ravel() @ rejected
        assert size <= alpha


def test_rare_whole_falls_are_never_called_robust_in_more_than_five_percent():
    """Exact: with a loss just beyond the margin, whatever the number of originals."""
    worst = 0.0
    for count in (60, 150, 190, 300, 400, 1000):
        falls = np.arange(count // 4)
        counts = np.stack([falls, count - falls], axis=1).astype(float)
        low, _ = bounded_limits(np.broadcast_to([-1.0, 0.0], counts.shape), counts=counts)
        share = scipy.stats.binom.pmf(falls, count, MARGIN + 1e-6) @ (low >= -MARGIN)
        worst = max(worst, float(share))
    assert 0.02 < worst <= 0.05


def test_what_is_refused():
    with pytest.raises(ValueError, match="at least 2"):
        bounded_interval([0.0, 0.1], [1, 1])
    with pytest.raises(ValueError, match="2 values need 2 cluster labels"):
        bounded_test([0.0, 0.1], [1, 2, 3])
    with pytest.raises(ValueError, match="level"):
        bounded_interval([0.0, 0.1], [1, 2], level=1.0)
