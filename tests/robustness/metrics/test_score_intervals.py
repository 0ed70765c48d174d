import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import norm
from scipy.stats import t as student
from statsmodels.stats.proportion import proportion_confint

from perturb.robustness import agresti_coull_interval, tango_interval
from perturb.robustness.metrics.score_intervals import agresti_coull_limits, tango_limits


def slow_tango(worse, better, rows, quantile):
    """The roots of the score, its share found by maximising the likelihood."""

    def likelihood(r, d):
        shares = np.array([r, r + d, 1 - 2 * r - d])
        counts = np.array([worse, better, 1 - worse - better])
        known = counts > 0
        return float(counts[known] @ np.log(np.maximum(shares[known], 1e-300)))

    def score(d):
        low, high = max(0.0, -d), (1 - d) / 2
        best = minimize_scalar(
            lambda r: -likelihood(r, d),
            bounds=(low, high),
            method="bounded",
            options={"xatol": 1e-12},
        )
        spread = max(2 * best.x + d - d * d, 1e-300)
        return (better - worse - d) / np.sqrt(spread / rows)

    middle = better - worse
    low = brentq(lambda d: score(d) - quantile, -1 + 1e-9, middle - 1e-7)
    high = brentq(lambda d: score(d) + quantile, middle + 1e-7, 1 - 1e-9)
    return low, high


@pytest.mark.parametrize(
    ("worse", "better", "rows"),
    [(0.12, 0.02, 50), (0.3, 0.3, 20), (0.05, 0.01, 200), (0.4, 0.1, 37.5), (0.02, 0.04, 1000)],
)
def test_tango_solves_its_equation(worse, better, rows):
    found = tango_limits(worse, better, rows, 1.96)
    assert [float(each) for each in found] == pytest.approx(
        slow_tango(worse, better, rows, 1.96), abs=1e-5
    )


@pytest.mark.parametrize(("right", "rows"), [(0, 10), (3, 10), (10, 10), (87, 100)])
def test_agresti_and_coull_is_that_of_statsmodels(right, rows):
    found = agresti_coull_limits(right / rows, rows, 1.959963984540054)
    expected = proportion_confint(right, rows, method="agresti_coull")
    assert [float(each) for each in found] == pytest.approx(expected, abs=1e-12)


def test_one_row_an_original_needs_no_design_effect():
    clean, noisy = np.ones(40), np.arange(40) >= 7
    expected = tango_limits(7 / 40, 0, 40, norm.ppf(0.975))
    assert tango_interval(clean, noisy, range(40)) == pytest.approx(
        [float(each) for each in expected]
    )
    expected = agresti_coull_limits(33 / 40, 40, student.ppf(0.975, 39))
    assert agresti_coull_interval(noisy, range(40)) == pytest.approx(
        [float(each) for each in expected]
    )


def test_rows_that_repeat_each_other_count_once():
    """60 originals of which 30 flipped, each 4 times: close to 60 rows, not 240."""
    clean, noisy = np.ones(60), np.arange(60) % 2
    once = tango_interval(clean, noisy, range(60))
    repeated = tango_interval(np.repeat(clean, 4), np.repeat(noisy, 4), np.repeat(np.arange(60), 4))
    width = (repeated.high - repeated.low) / (once.high - once.low)
    assert 0.99 < width < 1.05


@given(
    st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 5)), min_size=2, max_size=40)
)
def test_intervals_hold_the_estimate_have_width_and_stay_inside(rows):
    clean, noisy, clusters = (np.array(each) for each in zip(*rows, strict=True))
    if np.unique(clusters).size < 2:
        with pytest.raises(ValueError, match="at least 2"):
            tango_interval(clean, noisy, clusters)
        return
    low, high = tango_interval(clean, noisy, clusters)
    assert -1 <= low < high <= 1
    assert low - 1e-9 <= noisy.mean() - clean.mean() <= high + 1e-9
    turned = tango_interval(noisy, clean, clusters)
    assert turned == pytest.approx((-high, -low))
    low, high = agresti_coull_interval(noisy, clusters)
    assert 0 <= low < high <= 1
    assert low - 1e-9 <= noisy.mean() <= high + 1e-9


def test_what_is_not_binary_is_refused():
    with pytest.raises(ValueError, match=r"values must be 0 or 1 each, got 0\.5"):
        agresti_coull_interval([0, 0.5, 1], [1, 2, 3])
    with pytest.raises(ValueError, match="level"):
        tango_interval([1, 0], [0, 1], [1, 2], level=1.0)
