import math

import numpy as np
import pytest
import scipy

from perturb.robustness import robustness_score
from perturb.robustness.metrics.sampling import normals

X = normals(1, 300).reshape(100, 3)


def linear(rows):
    return rows @ [1, 2, 3]


def test_a_constant_predictor_is_perfectly_robust():
    assert robustness_score(lambda rows: np.full(len(rows), 5.0), X) == 1.0


def test_a_predictor_that_only_noise_can_change_is_not():
    flat = np.ones((4, 1)) * [[1.0, 2.0]] + np.arange(4)[:, None] * [[1.0, 0.0]]
    assert robustness_score(lambda rows: (rows[:, 0] % 1 != 0).astype(float), flat) == 0.0


def test_the_formula_with_given_noise():
    noise = normals(2, 4 * 300).reshape(4, 100, 3)
    expected = [
        1 - np.mean(linear(0.3 * X.std(axis=0, ddof=1) * draw) ** 2) / linear(X).var(ddof=1)
        for draw in noise
    ]
    score = robustness_score(linear, X, noise_level=0.3, n_rep=4, noise=noise)
    assert score == pytest.approx(np.mean(expected))


def test_expected_score_of_a_linear_predictor():
    """Independent columns: E[1 - MSE / var] = 1 - noise_level**2 * sum(w**2 sd**2) / var(f(X)).

    N = 200 repetitions of 100 rows; MSE has a relative sd of sqrt(2 / 20000) = 0.01; 4 sd allowed.
    """
    loss = 0.04 * np.sum((np.array([1, 2, 3]) * X.std(axis=0, ddof=1)) ** 2) / linear(X).var(ddof=1)
    score = robustness_score(linear, X, noise_level=0.2, n_rep=200)
    assert score == pytest.approx(1 - loss, abs=0.04 * loss)


def test_the_seed_decides():
    assert robustness_score(linear, X) == robustness_score(linear, X, seed=0)
    assert robustness_score(linear, X) != robustness_score(linear, X, seed=1)


def test_more_noise_scores_lower_down_to_zero():
    scores = [robustness_score(linear, X, noise_level=level) for level in (0.05, 0.2, 0.5, 5.0)]
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] == 0.0


def test_a_column_of_predictions_counts_as_a_vector():
    assert robustness_score(lambda rows: linear(rows)[:, None], X) == robustness_score(linear, X)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"X": [1.0, 2.0]}, r"shape \(rows, columns\)"),
        ({"X": [[1.0, 2.0, 3.0]]}, "two rows"),
        ({"X": [[1, 2, 3], [1, math.nan, 3]]}, r"X\[1, 1\] is nan"),
        ({"noise_level": 0}, "noise_level"),
        ({"noise_level": math.nan}, "noise_level"),
        ({"n_rep": 0}, "n_rep"),
        ({"noise": np.zeros((9, 100, 3))}, r"\(10, 100, 3\), got \(9, 100, 3\)"),
        ({"predict_fn": lambda _: [1.0]}, r"got shape \(1,\) for 100 rows"),
        ({"predict_fn": lambda rows: linear(rows) / 0 * 0}, "not a finite number"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*encountered:RuntimeWarning")
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        robustness_score(**{"predict_fn": linear, "X": X, **arguments})


def test_normal_draws_are_normal():
    """N = 20000, fixed key; Kolmogorov and Smirnov's test at 1 %."""
    assert scipy.stats.kstest(normals(5, 20_000), "norm").pvalue > 0.01
