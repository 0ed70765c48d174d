"""How many more originals would decide, worked out by hand and beside the interval itself."""

import numpy as np
import pytest

import perturb
from perturb.robustness import bounded_interval, compare, score
from perturb.robustness.measures import judgement


def more_originals(difference, reach, *counts):
    """Where no reply is lost."""
    limits = difference - reach, difference + reach
    return judgement.more_originals((difference, difference), limits, *counts)


@pytest.mark.parametrize(
    ("difference", "reach", "originals", "margin", "more"),
    [
        (0.0, 0.05, 60, 0.02, 90),  # nothing moves: 3 / margin less those that are there
        (0.0, 0.03, 100, 0.01, 200),
        (0.0, 0.4, 10_000, 0.02, 3_900_000),  # hardly any of it is for the unseen: (.4 / .02) ** 2
        (0.1, 0.098, 10_000, 0.02, 9_600),  # 2.8 standard errors of 0.05: 1.96 times as many
        (-0.1, 0.098, 10_000, 0.02, 9_600),
        (0.02, 0.0196, 10_000, 0.02, 9_600),  # at the margin it can but be told from 0
    ],
)
def test_more_originals(difference, reach, originals, margin, more):
    counts = originals, originals
    assert more_originals(difference, reach, counts, margin) == pytest.approx(more, rel=0.03)


def test_no_number_decides_what_lies_on_the_margin():
    assert more_originals(0.0, 0.05, (60, 60), 0.0) is None


@pytest.mark.parametrize("spread", [0.0, 0.01, 0.05, 0.1])
def test_more_originals_are_about_as_many_as_the_interval_takes(spread):
    """Normal changes about 0, at all numbers of originals the same shape."""
    shape = spread * np.array([-1.5, -0.5, 0.5, 1.5])

    def high(count):
        return bounded_interval(np.tile(shape, count // 4), range(count // 4 * 4)).high

    enough = 100 + more_originals(0.0, high(100), (100, 100), 0.02)
    assert high(int(1.25 * enough)) <= 0.02
    assert high(int(0.75 * enough)) > 0.02


def test_clusters_are_what_more_is_needed_of():
    """60 clusters of 5 originals in which nothing moves: 90 more clusters, of 5."""
    assert more_originals(0.0, 0.05, (300, 60), 0.02) == 450


def test_a_range_of_a_hundred_points_takes_as_many_as_one_of_one():
    assert more_originals(0.0, 5.0, (60, 60), 2.0, 100.0) == 90


def test_lost_replies_are_no_nearer_with_more_originals():
    """However many there are, the mean lies between the two ends, and the nearer one decides."""
    ends, counts = (-0.15, -0.002), (10_000, 10_000)
    lost = judgement.more_originals(ends, (-0.18, 0.028), counts, 0.02)
    assert lost == more_originals(-0.002, 0.03, counts, 0.0)
    within = judgement.more_originals((-0.015, 0.01), (-0.045, 0.04), counts, 0.02)
    assert within == more_originals(0.0, 0.03, counts, 0.02 - 0.015)


def test_a_finding_is_a_line_of_text():
    """Its fields take several, and most of them hold records of their own."""
    rows = perturb.augment(
        [{"id": str(n), "text": f"{n} hens", "answer": "a"} for n in range(3)],
        "char_delete",
        0.5,
        with_original=True,
    )
    rows = [{**row, "prediction": "a"} for row in rows]
    found = score(rows).conditions[0]
    ends = f"[{found.low:+.3f}, {found.high:+.3f}]"
    assert str(found) == f"char_delete p=0.5: +0.000 {ends}, undecided"
    contrast = compare(rows, rows).overall[0]
    assert str(contrast).startswith("overall: +0.000 [")
