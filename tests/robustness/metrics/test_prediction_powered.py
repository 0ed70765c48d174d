"""The corrected mean, against the formula written out in loops and against known truth."""

import math

import numpy as np
import pytest

from perturb.robustness.metrics.distributions import student_t_quantile
from perturb.robustness.metrics.prediction_powered import prediction_powered


def slow(judged, human, clusters):
    """The estimate and its error, one cluster at a time; the weight is the best of a thousand."""
    groups = {}
    for judge, person, name in zip(judged, human, clusters, strict=True):
        groups.setdefault(name, []).append((judge, person))
    graded = [rows for rows in groups.values() if not any(math.isnan(p) for _, p in rows)]
    others = [rows for rows in groups.values() if any(math.isnan(p) for _, p in rows)]

    def mean(part, which):
        values = [row[which] for rows in part for row in rows]
        return sum(values) / len(values)

    def variance(part, value, added=2):
        size = sum(map(len, part)) / len(part)
        squares = sum((sum(map(value, rows)) / size) ** 2 for rows in part)
        return (squares + added) / (len(part) * (len(part) - 1))

    person, there, elsewhere = mean(graded, 1), mean(graded, 0), mean(others, 0)

    def squared_error(weight, added):
        own = variance(graded, lambda row: row[1] - person - weight * (row[0] - there), added)
        return own + weight**2 * variance(others, lambda row: row[0] - elsewhere, added)

    weight = min((at / 1000 for at in range(1001)), key=lambda weight: squared_error(weight, 0))
    error = math.sqrt(squared_error(weight, 2))
    reach = student_t_quantile(0.975, len(graded) - 1) * error
    middle = person + weight * (elsewhere - there)
    return middle, error, middle - reach, middle + reach, weight, len(graded)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_against_loops(seed):
    """Clusters of 1 to 4 rows, differences of scores of 0 and 1, judges of all kinds."""
    rng = np.random.default_rng(seed)
    clusters = np.repeat(np.arange(60), rng.integers(1, 5, 60))
    rng.shuffle(clusters)
    human = rng.integers(-1, 2, clusters.size).astype(float)
    judged = np.where(rng.random(clusters.size) < seed / 11, human, rng.integers(-1, 2))
    human[np.isin(clusters, rng.permutation(60)[:25])] = np.nan
    human[np.argmax(~np.isnan(human))] = np.nan  # its cluster is not graded as a whole
    found = prediction_powered(judged, human, clusters)
    expected = slow(judged, human, clusters)
    assert found.graded == expected[-1]
    assert found.weight == pytest.approx(expected[-2], abs=1e-3)
    assert found[:4] == pytest.approx(expected[:4], abs=2e-3)


def test_where_all_is_graded_the_judge_is_not_heard():
    found = prediction_powered([1, 1, 1, 1], [0, 0, 0, 1], range(4))
    assert (found.mean, found.weight, found.graded) == (0.25, 0, 4)


def test_a_weight_may_be_given():
    human = [0, 1, 1, *[math.nan] * 3]
    found = prediction_powered([0, 0, 1, 1, 1, 1], human, range(6), weight=1.0)
    assert found.mean == pytest.approx(2 / 3 + 1 - 1 / 3)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="a person graded 1 clusters: an interval needs at least"):
        prediction_powered([0, 1, 1], [0, math.nan, math.nan], range(3))
    with pytest.raises(ValueError, match="3 judged values need 3 of a person"):
        prediction_powered([0, 1, 1], [0, 1], range(3))
    with pytest.raises(ValueError, match=r"judged\[0\] is nan"):
        prediction_powered([math.nan, 1, 1], [0, 1, 1], range(3))


@pytest.mark.slow
@pytest.mark.parametrize(
    "errors", [(0, 0), (0.1, 0.1), (0.02, 0.25), (0.25, 0.02)], ids="none same noisy clean".split()
)
@pytest.mark.parametrize(("graded", "versions"), [(50, 1), (100, 3)])
def test_the_interval_holds_the_truth_however_the_judge_errs(errors, graded, versions):
    """Of 400 sets at least 93 %: two standard errors, of 1.1 % each, below 95 %."""
    rng = np.random.default_rng([graded, versions])
    clusters = np.repeat(np.arange(300), versions)
    covered = biased = 0
    for _ in range(400):
        clean = np.repeat(rng.random(300) < 0.8, versions)
        noisy = clean & (rng.random(clusters.size) > 0.25)
        wrong = (
            np.repeat(rng.random(300) < errors[0], versions),
            rng.random(clusters.size) < errors[1],
        )
        human = noisy * 1.0 - clean
        judged = (noisy & ~wrong[1]) * 1.0 - (clean & ~wrong[0])
        biased += abs(judged.mean() + 0.2) > 0.06
        human[clusters >= graded] = np.nan
        found = prediction_powered(judged, human, clusters)
        covered += found.low <= -0.2 <= found.high
    assert covered >= 0.93 * 400
    if errors == (0.02, 0.25):
        assert biased > 200  # without the person the judge is far off
