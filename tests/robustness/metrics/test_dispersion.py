import math

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from perturb.robustness import (
    coefficient_of_variation,
    eps_gamma,
    eps_gamma_curve,
    index_of_dispersion,
    rank_systems,
    variance,
)

samples = st.lists(st.floats(0, 100), min_size=1, max_size=40)


@pytest.mark.slow
@given(samples.filter(lambda scores: len(scores) > 1 and max(scores) - min(scores) > 1e-3))
def test_scipy_agrees(scores):
    assert variance(scores) == pytest.approx(scipy.stats.tvar(scores) * (1 - 1 / len(scores)))
    for ddof in (0, 1):
        expected = scipy.stats.variation(scores, ddof=ddof)
        assert coefficient_of_variation(scores, ddof) == pytest.approx(expected)
    assert index_of_dispersion(scores) == pytest.approx(np.var(scores) / np.mean(scores))


def test_gamma_worked_example():
    assert [eps_gamma([20, 30, 40, 50, 60], eps) for eps in (5, 10, 20)] == [0.1, 0.4, 0.8]


@given(samples, st.floats(1e-3, 200))
def test_chebyshev_bounds_gamma(scores, eps):
    assert 0 <= eps_gamma(scores, eps) <= 1 + 1e-9


def test_a_score_exactly_eps_away_is_outside_despite_rounding():
    # 0.1 + 0.2 != 0.3 in doubles; on paper both ends lie at the distance eps and outside.
    assert eps_gamma([0.1, 0.2, 0.3], 0.1) == pytest.approx(2 / 3 * 0.01 / (0.02 / 3))
    assert eps_gamma([0.0, 1.0], 0.5) == 1.0


def test_sample_variance_in_gamma():
    assert eps_gamma([20, 30, 40, 50, 60], 10, ddof=1) == pytest.approx(0.8 * 100 / 250)


def test_no_variance_is_perfectly_robust():
    assert eps_gamma([0.1] * 3, 0.05) == 0.0
    assert eps_gamma([7], 1) == 0.0
    assert variance([7]) == 0.0
    assert variance([0.1] * 3) == 0.0
    assert coefficient_of_variation([0.1] * 3) == 0.0


def test_the_curve_has_a_hundred_points():
    scores = [12, 18, 19, 30, 77]
    curve = eps_gamma_curve(scores)
    assert [eps for eps, _ in curve] == list(range(1, 101))
    assert all(gamma == eps_gamma(scores, eps) for eps, gamma in curve)


@pytest.mark.parametrize("eps", [0, -1, math.nan, math.inf])
def test_eps_must_be_positive(eps):
    with pytest.raises(ValueError, match="eps"):
        eps_gamma([1, 2], eps)


@pytest.mark.parametrize("measure", [coefficient_of_variation, index_of_dispersion])
@pytest.mark.parametrize("scores", [[0, 0], [-1, 1], [-3]])
def test_a_relative_measure_needs_a_positive_mean(measure, scores):
    with pytest.raises(ValueError, match="above 0"):
        measure(scores)


@pytest.mark.parametrize("scores", [[], [1, math.nan]])
def test_bad_scores(scores):
    for measure in (variance, coefficient_of_variation, index_of_dispersion):
        with pytest.raises(ValueError, match="scores"):
            measure(scores)


def test_ddof():
    with pytest.raises(ValueError, match="at least 2"):
        coefficient_of_variation([5], ddof=1)
    with pytest.raises(ValueError, match="ddof"):
        coefficient_of_variation([5, 6], ddof=2)


def test_ranking_puts_the_lowest_gamma_first_and_shares_ties():
    ranked = rank_systems({"wide": [10, 90], "calm": [49, 51], "same": [59, 61]}, eps=30)
    assert [(place.system, place.rank) for place in ranked] == [
        ("calm", 1),
        ("same", 1),
        ("wide", 3),
    ]


def test_ranking_names_the_system_it_cannot_rank():
    with pytest.raises(ValueError, match=r"system 'B': scores\[0\] is nan"):
        rank_systems({"A": [1, 2], "B": [math.nan]}, eps=1)
    with pytest.raises(ValueError, match="at least one system"):
        rank_systems({}, eps=1)
