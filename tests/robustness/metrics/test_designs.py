"""Chances of verdicts beside those of data sets that `score` judges."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.errors import UsageError
from perturb.robustness.metrics.designs import Design, Goal, chance, sum_shares
from perturb.robustness.metrics.inference import mcnemar_exact
from perturb.robustness.metrics.score_intervals import tango_interval

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
        low, high = tango_interval(before, before ^ turn, range(originals))
        p_value = mcnemar_exact(int((before & turn).sum()), int((~before & turn).sum()))
        robust = -margin <= low and high <= margin
        words.append((robust, not robust and high < 0 and p_value * design.tests < 0.05))
    return np.mean(words, axis=0)


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


def test_means_are_judged_by_students_t() -> None:
    """A deviation of .3 over 400 originals is an error of .015; t and the normal differ little."""
    design = Design("", 0.5, 0, 0, deviation=0.3)
    assert chance(design, Goal("worse", 0.042, 0.01), 400) == pytest.approx(0.8, abs=0.01)
    assert chance(design, Goal("robust", 0, 0.05), 400) == pytest.approx(0.83, abs=0.01)


@pytest.mark.parametrize(("originals", "width"), [(500, 0.62), (1000, 0.4), (2000, 0.3)])
def test_a_tolerance_is_as_wide_as_where_the_limits_reach_the_loss(originals, width) -> None:
    """Right answers break at uniform strengths, a tenth of them by 1; limits depend on how many."""
    clean = np.ones(originals, bool)
    limits = np.array(
        [
            tango_interval(clean, np.arange(originals) >= broken, range(originals))
            for broken in range(originals // 5)
        ]
    )
    first = np.argmax(-limits[:, 0] >= 0.1)  # so many are broken where the high limit is .1
    last = np.argmax(-limits[:, 1] > 0.1)
    strengths = np.sort(np.random.default_rng(6).random((1000, originals)) / 0.1, axis=1)
    narrow = strengths[:, last - 1] - strengths[:, first - 1] <= width
    shares = chance(Design("", 1 - 1e-9, 0.1, 0.0), Goal("tolerance", 0.1, width), originals)
    assert 0.2 < shares < 0.9
    assert shares == pytest.approx(narrow.mean(), abs=0.06)


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
