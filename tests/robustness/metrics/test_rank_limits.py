"""Ranks by the mean and by measures of dispersion, and how often all of them hold."""

import numpy as np
import pytest
import scipy

from perturb.robustness.metrics.rank_limits import (
    MEASURES,
    Sample,
    dispersion_limits,
    limits_of,
)

SETS = 100
LEAST = 0.93 - 3.3 * (0.93 * 0.07 / SETS) ** 0.5


@pytest.mark.slow
def test_means_are_those_of_a_paired_t_test_with_one_score_more():
    """Of two systems, by hand: the jackknife of a mean is its standard error, and one more score."""
    rng = np.random.default_rng(7)
    one = rng.uniform(30, 60, 30)
    units = [f"{at:02}" for at in range(30)]
    for apart in np.linspace(0.5, 3, 11):
        other = one + apart + rng.normal(0, 3, 30)
        off = np.subtract(one, other)
        error = off.var(ddof=1) / 30
        for scores in (one, other):
            error += max((end - scores.mean()) ** 2 for end in (0, 100)) / 31**2
        sure = abs(off.mean()) > scipy.stats.t.ppf(0.975, 29) * error**0.5
        samples = {"one": Sample(one, units, 10), "other": Sample(other, units, 10)}
        limits = dispersion_limits(samples, (0, 100))[0]
        assert limits == (
            {"one": (2, 2), "other": (1, 1)} if sure else dict.fromkeys(limits, (1, 2))
        )


@pytest.mark.slow
@pytest.mark.parametrize("measure", MEASURES)
def test_groups_are_left_out_in_turn(measure):
    """Measures by their definitions; 90 originals in 40 groups, and each group is left out once."""
    rng = np.random.default_rng(5)
    by = {
        "mean": lambda x: -x.mean(),
        "variance": np.var,
        "coefficient_of_variation": lambda x: x.std() / x.mean(),
        "index_of_dispersion": lambda x: x.var() / x.mean(),
        "gamma": lambda x: np.mean(np.abs(x - x.mean()) >= 12) * 144 / x.var(),
    }[measure]
    units = [f"{at:02}" for at in range(90)]
    pools = {name: rng.uniform(10, 90, 90) for name in "ab"}
    part = dispersion_limits(
        {name: Sample(pool, units, 12) for name, pool in pools.items()}, (0, 100)
    )
    group, doubt = np.arange(90) % 40, 0.0
    without = [by(pools["a"][group != at]) - by(pools["b"][group != at]) for at in range(40)]
    for pool in pools.values():
        doubt += max((by(np.append(pool, end)) - by(pool)) ** 2 for end in (0, 100))
    error = (39 * np.var(without) + doubt) ** 0.5
    sure = abs(by(pools["a"]) - by(pools["b"])) > scipy.stats.t.ppf(0.975, 39) * error
    assert (part[MEASURES.index(measure)]["a"] != (1, 2)) == sure


def test_scores_of_shared_originals_are_compared_by_original():
    """The same scores but for a little are far apart for a pair, and not for strangers."""
    rng = np.random.default_rng(2)
    one = rng.uniform(10, 90, 400)
    other = one * 0.94
    units = [*map(str, range(400))]
    paired = {"a": Sample(one, units, 10), "b": Sample(other, units, 10)}
    mixed = Sample(rng.permutation(other), [f"b{at}" for at in units], 10)
    apart = {"a": Sample(one, units, 10), "b": mixed}
    assert dispersion_limits(paired, (0, 100))[1] == {"a": (2, 2), "b": (1, 1)}
    assert dispersion_limits(apart, (0, 100))[1] == {"a": (1, 2), "b": (1, 2)}


def drawn(kind, z):
    share = scipy.special.ndtr(z)
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
        held += [{*each.values()} == {(1, 3)} for each in limits]
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
        found.append([each["calm"] == (1, 1) for each in limits[1:4]])
    assert np.mean(found, axis=0).min() > 0.9


def test_no_decision_leaves_all_ranks_open():
    assert limits_of("ab", []) == {"a": (1, 2), "b": (1, 2)}
