"""How many more originals would decide, worked out by hand."""

import math

import pytest

from perturb.robustness.scoring.judgement import more_originals


@pytest.mark.parametrize(
    ("difference", "reach", "originals", "margin", "more"),
    [
        (0.0, 0.04, 100, 0.02, 300),  # half the reach shows that it lies within: 4 times as many
        (0.0, 0.0401, 100, 0.02, 310),  # 302.0025, rounded up to two digits
        (-0.005, 0.0305, 100, 0.02, 320),  # from its own place: (0.0305 / 0.015) ** 2, 313.4
        (0.0, 0.0202, 10, 0.02, 1),  # 0.2 more is one
        (0.0, 0.02449, 10, 0.02, 5),  # 4.994
        (0.0, 0.0437, 10, 0.02, 38),  # 37.7 has two digits already
        (0.1, 0.098, 100, 0.02, 96),  # 2.8 standard errors of 0.05: 1.96 times as many
        (-0.1, 0.098, 100, 0.02, 96),
        (0.02, 0.0196, 100, 0.02, 96),  # at the margin it can but be told from 0
        (0.015, 0.05, 100, 0.02, 2200),  # 99 times as many within the margin, 22.7 times from 0
        (0.0, 0.1, 100, 0.0, None),
    ],
)
def test_more_originals(difference, reach, originals, margin, more):
    assert more_originals(difference, reach, originals, margin) == more


def test_more_originals_are_enough_and_not_many_too_many():
    """With so many, an interval that narrows with their root lies within the margin."""
    for reach in (0.021, 0.03, 0.05, 0.11, 0.4):
        for originals in (7, 50, 1_234):
            more = more_originals(0.0, reach, originals, 0.02)
            assert reach * math.sqrt(originals / (originals + more)) <= 0.02 + 1e-12
            assert reach * math.sqrt(originals / (originals + 0.9 * (more - 1))) > 0.02
