from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, wilcoxon
from statsmodels.stats.contingency_tables import mcnemar

from perturb.robustness import sign_flip_test
from perturb.robustness.metrics.sampling import normals


def slow(sums):
    """All signs, one after the other."""
    sums = [each for each in sums if each]
    reached = [
        abs(sum(map(int.__mul__, signs, sums))) for signs in product((1, -1), repeat=len(sums))
    ]
    return float(np.mean(np.array(reached) >= abs(sum(sums)))) if sums else 1.0


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=9))
def test_whole_sums_are_exact(sums):
    """One original a sum, with 6 rows of which as many flipped."""
    clean = np.repeat([0 if each >= 0 else 1 for each in sums], 6)
    noisy = np.concatenate([[each > 0] * abs(each) + [each < 0] * (6 - abs(each)) for each in sums])
    found = sign_flip_test(clean, noisy, np.repeat(np.arange(len(sums)), 6))
    assert found == pytest.approx(slow(sums), abs=1e-12)


@pytest.mark.parametrize(
    ("worse", "better"), [(8, 1), (1, 0), (0, 0), (3, 3), (40, 12), (300, 220)]
)
def test_one_row_an_original_is_mcnemar(worse, better):
    clean = [1] * worse + [0] * better + [1, 0]
    noisy = [0] * worse + [1] * better + [1, 0]
    found = sign_flip_test(clean, noisy, range(len(clean)))
    assert found == pytest.approx(mcnemar([[0, worse], [better, 0]], exact=True).pvalue, abs=1e-12)


def test_equal_sums_are_a_coin():
    clusters = np.repeat(np.arange(30), 4)
    better = np.repeat(np.arange(30) < 8, 4)
    found = sign_flip_test(1 - better, better, clusters)
    assert found == pytest.approx(binomtest(8, 30).pvalue, abs=1e-12)


def test_sums_of_all_sizes_that_differ_are_ranks():
    """Sums of 1 to n are the ranks of Wilcoxon's signed rank test, which is exact up to 50."""
    signs = np.where(np.arange(1, 13) % 3, 1, -1)
    values = signs * np.arange(1, 13) / 8  # no whole numbers: all signs are tried
    expected = wilcoxon(values, method="exact").pvalue
    assert sign_flip_test(np.zeros(12), values, range(12)) == pytest.approx(expected, abs=1e-12)
    assert sign_flip_test(np.zeros(12), 8 * values, range(12)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("count", [40, 250, 400])
def test_sums_that_are_not_whole_agree_with_random_signs(count):
    """100,000 draws: a standard error of at most .0016, so .006 is 4 of them and the rounding."""
    values = normals(3, count) + 0.11
    signs = 2 * np.random.default_rng(1).integers(0, 2, (100_000, count), dtype=np.int8) - 1
    drawn = np.abs(signs.astype(np.float32) @ values.astype(np.float32)) >= abs(values.sum())
    found = sign_flip_test(np.zeros(count), values, range(count))
    assert found == pytest.approx(drawn.mean(), abs=0.006)


def test_scale_and_order_change_nothing():
    values = normals(3, 60) + 0.2
    clusters = np.arange(60) // 2
    found = sign_flip_test(np.zeros(60), values, clusters)
    assert sign_flip_test(np.zeros(60), 1000 * values, clusters) == pytest.approx(found, rel=1e-9)
    assert sign_flip_test(np.zeros(60), values[::-1], clusters[::-1]) == pytest.approx(
        found, rel=1e-9
    )
    assert sign_flip_test(values, np.zeros(60), clusters) == pytest.approx(found, rel=1e-9)


def test_the_smallest_value_is_that_of_equal_signs():
    assert sign_flip_test([1, 1, 1], [0, 0, 0], [1, 2, 3]) == pytest.approx(0.25)
    assert sign_flip_test(np.ones(100), np.zeros(100), range(100)) == 1e-12
    with pytest.raises(ValueError, match="labels"):
        sign_flip_test([1, 1], [0, 1], [1])
