"""Ranks by the mean and by measures of dispersion, and how often all of them hold."""

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import t as student

from perturb.robustness.metrics.rank_limits import (
    MEASURES,
    Sample,
    _influences,
    dispersion_limits,
    limits_of,
)

SETS = 100
LEAST = 0.93 - 3.3 * (0.93 * 0.07 / SETS) ** 0.5


def weighted(scores, weights, eps, centre):
    """The measures of weighted scores, by their definitions; gamma about a centre that stays."""
    weights = weights / weights.sum()
    mean = weights @ scores
    spread = weights @ (scores - mean) ** 2
    outside = weights @ (np.abs(scores - centre) >= eps)
    gamma = outside * eps**2 / spread
    return np.array([-mean, spread, spread**0.5 / mean, spread / mean, gamma])


def test_influences_are_derivatives():
    rng, step = np.random.default_rng(4), 1e-6
    scores = rng.uniform(20, 90, 40)
    found = _influences(scores, 15.0)
    for at in range(40):
        more = np.full(40, (1 - step) / 40) + step * (np.arange(40) == at)
        both = (weighted(scores, one, 15, scores.mean()) for one in (more, np.full(40, 1 / 40)))
        slope = np.subtract(*both) / step
        assert found[:, at] == pytest.approx(slope, rel=1e-3, abs=1e-3)


def test_means_are_those_of_a_paired_t_test_with_one_score_more():
    """Of two systems, by hand: the standard error of the mean difference, and of one more score."""
    rng = np.random.default_rng(7)
    one = rng.uniform(30, 60, 60)
    units = list(map(str, range(60)))
    for apart in np.linspace(0.5, 3, 11):
        other = one + apart + rng.normal(0, 3, 60)
        off = np.subtract(one, other)
        error = off.var(ddof=1) / 60
        for scores in (one, other):
            error += max((end - scores.mean()) ** 2 for end in (0, 100)) / 61**2
        sure = abs(off.mean()) > student.ppf(0.975, 59) * error**0.5
        samples = {"one": Sample(one, units, 10), "other": Sample(other, units, 10)}
        limits = dispersion_limits(samples, (0, 100))["mean"]
        assert limits == (
            {"one": (2, 2), "other": (1, 1)} if sure else dict.fromkeys(limits, (1, 2))
        )


def test_scores_of_shared_originals_are_compared_by_original():
    """The same scores but for a little are far apart for a pair, and not for strangers."""
    rng = np.random.default_rng(2)
    one = rng.uniform(10, 90, 200)
    other = one * 0.95
    units = [*map(str, range(200))]
    paired = {"a": Sample(one, units, 10), "b": Sample(other, units, 10)}
    apart = {"a": Sample(one, units, 10), "b": Sample(other, [f"b{at}" for at in units], 10)}
    assert dispersion_limits(paired, (0, 100))["variance"] == {"a": (2, 2), "b": (1, 1)}
    assert dispersion_limits(apart, (0, 100))["variance"] == {"a": (1, 2), "b": (1, 2)}


def drawn(kind, z):
    share = ndtr(z)
    return {
        "normal": 50 + 15 * z,
        "bleu": np.where(share < 0.25, 0, np.where(share > 0.93, 100, (share - 0.25) / 0.68 * 80)),
        "right in 70 %": 100.0 * (share < 0.7),
        "right in 95 %": 100.0 * (share < 0.95),
    }[kind]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["normal", "bleu", "right in 70 %", "right in 95 %"])
@pytest.mark.parametrize(("count", "alike"), [(20, 0), (50, 0), (50, 0.8), (200, 0.8)])
def test_ranks_of_three_equal_systems_hold(kind, count, alike):
    """All three may have any rank, by each measure; systems are as alike as said on an original."""
    rng, held = np.random.default_rng(6), np.zeros(len(MEASURES))
    for _ in range(SETS):
        shared = rng.standard_normal(count)
        samples = {}
        for name in "abc":
            own = alike**0.5 * shared + (1 - alike) ** 0.5 * rng.standard_normal(count)
            units = [f"{at}{name * (alike == 0)}" for at in range(count)]
            samples[name] = Sample(drawn(kind, own), units, 10.0)
        limits = dispersion_limits(samples, (0, 100))
        held += [{*limits[measure].values()} == {(1, 3)} for measure in MEASURES]
    assert dict(zip(MEASURES, held / SETS, strict=True)) == {
        measure: pytest.approx(1, abs=1 - LEAST) for measure in MEASURES
    }


@pytest.mark.slow
def test_systems_that_differ_are_told_apart():
    rng = np.random.default_rng(6)
    spreads = {"calm": 8, "wild": 20}
    found = []
    for _ in range(50):
        samples = {
            name: Sample(50 + spread * rng.standard_normal(100), [*map(str, range(100))], 10.0)
            for name, spread in spreads.items()
        }
        limits = dispersion_limits(samples, (0, 100))
        found.append([limits[name]["calm"] == (1, 1) for name in MEASURES[1:4]])
    assert np.mean(found, axis=0).min() > 0.9


def test_no_decision_leaves_all_ranks_open():
    assert limits_of("ab", []) == {"a": (1, 2), "b": (1, 2)}
