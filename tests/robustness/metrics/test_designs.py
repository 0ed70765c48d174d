"""Chances of verdicts beside those of data sets that `score` judges."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.errors import UsageError
from perturb.robustness import bounded_interval, bounded_test
from perturb.robustness.metrics.bounded import bounded_limits
from perturb.robustness.metrics.designs import Design, Goal, _counts, _limits, chance, sum_shares

EACH = Design("", 0.8, 0.2, 0.3, 3)


def judged(design, loss, margin, originals, sets):
    """The shares of robust and worse data sets, drawn row by row, each judged for itself."""
    rng = np.random.default_rng(3)
    clean = rng.random((sets, originals)) < design.accuracy
    to_good = (design.flips - loss) / 2
    rates = np.where(clean, (to_good + loss) / design.accuracy, to_good / (1 - design.accuracy))
    turned = rng.random((sets, originals)) < rates
    words = []
    for before, turn in zip(clean, turned, strict=True):
        change = (before ^ turn).astype(float) - before
        low, high = bounded_interval(change, range(originals))
        p_value = bounded_test(change, range(originals))
        robust = -margin <= low and high <= margin
        words.append((robust, not robust and high < 0 and p_value * design.tests < 0.05))
    return np.mean(words, axis=0)


@pytest.mark.parametrize("versions", [1, 30])
def test_limits_of_equal_sets_and_shown_outcomes_are_those_of_all(versions) -> None:
    shares = sum_shares(Design("", 0.8, 0.03, 0.3, versions), 0.01)
    values, counts = np.linspace(-1, 1, shares.size), _counts(shares, 60)
    every = bounded_limits(np.broadcast_to(values, counts.shape), counts=counts)
    assert np.allclose(_limits(values, counts, ends=(-1, 1)), every, rtol=0, atol=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("loss", [0.0, 0.08, 0.15])
def test_chances_are_those_of_data_sets(loss) -> None:
    """700 sets have a standard error of .019, and 1,000 one of .016."""
    design = Design("", 0.7, 0.16, 0.5, tests=3)
    shares = judged(design, loss, 0.07, 120, 700)
    chances = [chance(design, Goal(word, loss, 0.07), 120) for word in ("robust", "worse")]
    assert chances == pytest.approx(shares, abs=0.07)


@given(
    accuracy=st.floats(0.05, 0.95),
    flips=st.floats(0, 1),
    clustering=st.floats(0, 1),
    versions=st.integers(1, 30),
    part=st.floats(0, 1),
)
def test_shares_add_up_and_lose_what_they_should(accuracy, flips, clustering, versions, part):
    loss = part * accuracy
    shares = sum_shares(Design("", accuracy, flips, clustering, versions), loss)
    sums = np.arange(-versions, versions + 1)
    assert shares.sum() == pytest.approx(1)
    assert shares @ sums / versions == pytest.approx(-loss, abs=1e-9)
    turned = shares @ np.abs(sums) / versions
    assert turned <= max(flips, loss) + 1e-9


def test_shares_beside_every_outcome() -> None:
    """Versions that turn by themselves: each of the outcomes counted by hand."""
    shares = sum_shares(EACH._replace(clustering=0.0), 0.1)
    expected = dict.fromkeys(range(-3, 4), 0.0)
    for right, share, rate in ((1, 0.8, 0.15 / 0.8), (0, 0.2, 0.05 / 0.2)):
        for turns in product((0, 1), repeat=3):
            change = sum(turns) * (-1 if right else 1)
            expected[change] += share * np.prod([rate if turn else 1 - rate for turn in turns])
    assert shares == pytest.approx(list(expected.values()))
    alike = sum_shares(EACH._replace(clustering=1.0), 0.1)
    assert alike[[0, 6]] == pytest.approx([0.15, 0.05], abs=0.001)


def test_means_that_are_normal_are_judged_by_their_interval() -> None:
    """A deviation of .3 over 400 originals is an error of .015; what is unseen takes its part."""
    design, rng = Design("", 0.5, 0, 0, deviation=0.3), np.random.default_rng(2)
    for loss, word in ((0.042, "worse"), (0.0, "robust")):
        drawn = rng.normal(-loss, 0.3, (700, 400)).clip(-1, 1)
        low, high = bounded_limits(drawn)
        found = high < 0 if word == "worse" else (low >= -0.05) & (high <= 0.05)
        assert chance(design, Goal(word, loss, 0.05), 400) == pytest.approx(found.mean(), abs=0.05)


def test_a_cluster_is_one_of_what_is_counted_and_a_range_is_its_unit() -> None:
    goal = Goal("worse", 0.05, 0.02)
    alone = chance(Design("", 0.5, 0, 0, deviation=0.2), goal, 100)
    assert chance(Design("", 0.5, 0, 0, deviation=0.2, alike=5.0), goal, 500) == alone
    points = Design("", 0.5, 0, 0, deviation=20.0, size=100.0)
    assert chance(points, Goal("worse", 5.0, 2.0), 100) == alone


@pytest.mark.slow
@pytest.mark.parametrize(("originals", "width"), [(500, 0.62), (1000, 0.4), (2000, 0.3)])
def test_a_tolerance_is_as_wide_as_where_the_limits_reach_the_loss(originals, width) -> None:
    """Right answers break at uniform strengths, a tenth of them by 1; limits depend on how many."""
    broken = np.arange(originals // 5)
    counts = np.stack([broken, originals - broken], axis=1)
    limits = np.stack(bounded_limits(np.broadcast_to([-1.0, 0.0], counts.shape), counts=counts), 1)
    first = np.argmax(-limits[:, 0] >= 0.1)  # so many are broken where the high limit is .1
    last = np.argmax(-limits[:, 1] > 0.1)
    strengths = np.sort(np.random.default_rng(6).random((1000, originals)) / 0.1, axis=1)
    narrow = strengths[:, last - 1] - strengths[:, first - 1] <= width
    shares = chance(Design("", 1 - 1e-9, 0.1, 0.0), Goal("tolerance", 0.1, width), originals)
    assert 0.2 < shares < 0.9
    assert shares == pytest.approx(narrow.mean(), abs=0.06)


@pytest.mark.slow
def test_the_tolerance_of_means_is_that_of_answers_with_the_same_interval() -> None:
    error = 0.0095  # of a loss of .1, of 1,000 originals
    means = Design("", 0.5, 0, 0, deviation=error * np.sqrt(1000))
    answers = Design("", 1 - 1e-9, 0.1, 0.0)
    for width in (0.35, 0.4, 0.45):
        goal = Goal("tolerance", 0.1, width)
        assert chance(means, goal, 1000) == pytest.approx(chance(answers, goal, 1000), abs=0.05)


def test_what_is_not_there_cannot_be_lost() -> None:
    with pytest.raises(UsageError, match=r"0\.6 can't be lost where 0\.5 of the answers"):
        chance(Design("", 0.5, 0.1, 0.5), Goal("worse", 0.6, 0.02), 50)
