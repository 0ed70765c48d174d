import math

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from perturb.robustness import (
    benjamini_hochberg,
    cluster_bootstrap,
    clustered_mean,
    minimum_detectable_drop,
    paired_difference,
    worst_of_k,
)
from perturb.robustness.metrics.distributions import student_t_quantile, student_t_two_sided
from perturb.robustness.metrics.sampling import uniforms

few = st.integers(0, 60)
clustered = st.lists(
    st.tuples(st.floats(-10, 10), st.integers(0, 5)), min_size=3, max_size=60
).filter(lambda pairs: len({cluster for _, cluster in pairs}) > 1)


@pytest.mark.slow
@given(clustered)
def test_clustered_mean_is_the_intercept_of_a_clustered_regression(pairs):
    from statsmodels.regression.linear_model import OLS  # not for a collection

    values, clusters = map(np.array, zip(*pairs, strict=True))
    ours = clustered_mean(values, clusters)
    assert ours.mean == pytest.approx(values.mean())
    if ours.standard_error > 1e-6:
        theirs = OLS(values, np.ones(len(values))).fit(
            cov_type="cluster", cov_kwds={"groups": clusters}, use_t=True
        )
        assert ours.standard_error == pytest.approx(theirs.bse[0])
        assert (ours.low, ours.high) == pytest.approx(tuple(theirs.conf_int()[0]), abs=1e-9)
        assert ours.p_value == pytest.approx(theirs.pvalues[0], abs=1e-9)


@pytest.mark.slow
@given(st.lists(st.floats(-1, 1), min_size=2, max_size=30).filter(lambda x: np.ptp(x) > 1e-3))
def test_one_row_a_cluster_is_the_paired_t_test(differences):
    ours = paired_difference(np.zeros(len(differences)), differences, range(len(differences)))
    theirs = scipy.stats.ttest_1samp(differences, 0)
    assert ours.p_value == pytest.approx(theirs.pvalue, abs=1e-9)
    interval = theirs.confidence_interval(0.95)
    assert (ours.low, ours.high) == pytest.approx((interval.low, interval.high), abs=1e-9)


@pytest.mark.parametrize("df", [1, 2, 3, 4, 7, 30, 199, 200, 201, 5000, 10**6])
def test_student_t(df):
    for level in (0.6, 0.95, 0.975, 0.995):
        assert student_t_quantile(level, df) == pytest.approx(
            scipy.stats.t.ppf(level, df), rel=1e-9
        )
    for t in (0.0, 0.3, 2.0, 5.0):
        expected = 2 * scipy.stats.t.sf(t, df)
        assert student_t_two_sided(t, df) == pytest.approx(expected, abs=1e-10)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_benjamini_hochberg_is_scipy(p_values):
    assert benjamini_hochberg(p_values) == pytest.approx(
        scipy.stats.false_discovery_control(p_values)
    )


def test_worst_of_k():
    assert worst_of_k([1, 0, 1, 1, 0.5], ["a", "a", "b", "b", "c"]) == pytest.approx(0.5)


def test_minimum_detectable_drop_is_found_four_times_in_five():
    """4000 quantiles of a normal estimate whose mean is the drop: 0.8 of them exclude 0."""
    drop = minimum_detectable_drop(0.02)
    estimates = drop + 0.02 * scipy.stats.norm.ppf((np.arange(4000) + 0.5) / 4000)
    assert np.mean(estimates > 1.959964 * 0.02) == pytest.approx(0.8, abs=1e-3)


def simulated(key: int, originals: int, replicates: int):
    """Clean and perturbed outcomes whose chance of being right is the original's own.

    An original is right with chance q, uniform in [0, 1], and q - 0.2 q once perturbed: the true
    mean difference is -0.1, and replicates of one original depend on each other through q.
    """
    q = uniforms(key, originals)
    clean = uniforms(key + 1, originals) < q
    perturbed = uniforms(key + 2, originals * replicates) < np.repeat(0.8 * q, replicates)
    clusters = np.repeat(np.arange(originals), replicates)
    return np.repeat(clean, replicates).astype(float), perturbed.astype(float), clusters


@pytest.mark.slow
def test_the_closed_form_covers():
    """N = 2000 sets of 60 originals with 4 replicates; 95 % expected, sd 0.5 %, 93-97 % allowed."""
    hits = 0
    for trial in range(2000):
        estimate = paired_difference(*simulated(1000 * trial, 60, 4))
        hits += estimate.low <= -0.1 <= estimate.high
    assert 0.93 <= hits / 2000 <= 0.97


def test_ignoring_the_clusters_would_not_cover():
    """The same sets, every row its own cluster: far below 95 %, which is why clusters matter."""
    hits = 0
    for trial in range(300):
        clean, perturbed, clusters = simulated(1000 * trial, 60, 4)
        estimate = paired_difference(clean, perturbed, range(len(clusters)))
        hits += estimate.low <= -0.1 <= estimate.high
    assert hits / 300 < 0.88


@pytest.mark.usefixtures("only_in_full")
def test_the_bootstrap_covers():
    """N = 600 sets of 80 originals with 4 replicates; 95 % expected, sd 0.9 %, 93-97 % allowed."""
    hits = 0
    for trial in range(600):
        clean, perturbed, clusters = simulated(1000 * trial, 80, 4)
        low, high = cluster_bootstrap(perturbed - clean, clusters, resamples=400, seed=trial)
        hits += low <= -0.1 <= high
    assert 0.93 <= hits / 600 <= 0.97


@pytest.mark.slow
def test_the_bootstrap_is_seeded_and_agrees_with_the_closed_form():
    clean, perturbed, clusters = simulated(7, 400, 3)
    closed = paired_difference(clean, perturbed, clusters)
    low, high = cluster_bootstrap(perturbed - clean, clusters, seed=1)
    assert (low, high) == cluster_bootstrap(perturbed - clean, clusters, seed=1)
    assert (low, high) != cluster_bootstrap(perturbed - clean, clusters, seed=2)
    assert (low, high) == pytest.approx((closed.low, closed.high), abs=0.1 * (high - low))


def test_no_difference_at_all():
    estimate = paired_difference([1, 0, 1], [1, 0, 1], [1, 2, 3])
    assert estimate == (0.0, 0.0, 0.0, 0.0, 1.0, 3)
    assert paired_difference([1, 1, 1], [0, 0, 0], [1, 2, 3]).p_value == 0.25


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: clustered_mean([1, 0], [7, 7]), "at least 2"),
        (lambda: clustered_mean([1, 0], [1, 2, 3]), "2 values need 2 cluster labels"),
        (lambda: clustered_mean([1, math.nan], [1, 2]), r"values\[1\] is nan"),
        (lambda: clustered_mean([1, 0], [1, 2], level=95), "level"),
        (lambda: paired_difference([1, 0], [1], [1, 2]), "2 original scores"),
        (lambda: cluster_bootstrap([1, 0], [1, 2], resamples=0), "resamples"),
        (lambda: benjamini_hochberg([0.5, 1.5]), r"\[0, 1\]"),
        (lambda: benjamini_hochberg([]), "empty"),
        (lambda: worst_of_k([1, 0], [1]), "2 values need 2"),
        (lambda: minimum_detectable_drop(0.0), "above 0"),
        (lambda: minimum_detectable_drop(0.1, power=1), "power"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
