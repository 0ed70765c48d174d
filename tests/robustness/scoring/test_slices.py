"""The worst of several slices, with an interval that allows for choosing it."""

import likelihood
import numpy as np
import pytest
from simulation import METRICS, joined, noises

from perturb.robustness.scoring.verdict import by_slice, worst_slice


def sliced(lost):
    """Pairs of 40 originals in each of some slices, all right, and lost or not in one version."""
    lost = np.asarray(lost, bool).ravel()
    pairs = joined(np.ones(lost.size, int), (noises(1)[0], ~lost[:, None] * 1, True))
    values = (pairs.original // 40).astype(int)
    return pairs, values, {f"s{at}": at for at in range(lost.size // 40)}


@pytest.mark.slow
def test_the_interval_of_the_worst_is_that_of_all_slices_together():
    lost = np.zeros((5, 40))
    lost[1, :12] = lost[3, :16] = 1
    found = worst_slice(*sliced(lost), METRICS)
    assert (found.perturbator, found.difference) == ("s3", -0.4)
    wanted = likelihood.limits(-lost[3], range(40), level=1 - 0.05 / 5)
    assert (found.low, found.high) == pytest.approx(wanted, abs=1e-6)
    plain = next(one for one in by_slice(*sliced(lost), METRICS) if one.perturbator == "s3")
    assert plain.high < found.high


@pytest.mark.slow
def test_a_slice_of_few_originals_is_not_the_worst_by_its_mean_alone():
    """Two of two are lost in one slice, 16 of 40 in another: the second is surely worse."""
    pairs, values, names = sliced(np.r_[np.ones(2), np.zeros(38), np.ones(16), np.zeros(24)])
    values[2:40] = 2
    found = worst_slice(pairs, values, {**names, "rest": 2}, METRICS)
    assert found.perturbator == "s1"


def test_of_one_slice_there_is_no_worst():
    assert worst_slice(*sliced(np.ones(40)), METRICS) is None


@pytest.mark.slow
def test_the_interval_of_the_worst_of_twelve_covers(in_full):
    """All lose a fifth. The interval of one alone holds the truth too rarely once it is chosen."""
    rng, held, count = np.random.default_rng(8), [], 100 if in_full else 40
    for _ in range(count):
        drawn = sliced(rng.random((12, 40)) < 0.2)
        found = worst_slice(*drawn, METRICS)
        plain = by_slice(*drawn, METRICS)
        alone = next(one for one in plain if one.perturbator == found.perturbator)
        held.append([one.low <= -0.2 <= one.high for one in (found, alone)])
    corrected, plain = np.mean(held, axis=0)
    assert corrected >= 0.93 - 3.3 * (0.93 * 0.07 / count) ** 0.5
    assert plain < corrected
