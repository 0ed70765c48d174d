"""Orders of systems, and the distance that goes with a spread."""

import math

import pytest

from perturb.robustness import eps_gamma, pairwise_agreement, relative_eps, variance

HUMAN = {"A": 4, "B": 1, "C": 3, "D": 2}


def test_the_distance_of_section_2_4():
    """With eps = eps' sd / mean, Chebyshev's sigma^2 / eps^2 is mean^2 / eps'^2."""
    scores = [20, 30, 45, 60, 70]
    eps, mean = relative_eps(scores, 40), sum(scores) / 5
    assert variance(scores) / eps**2 == pytest.approx(mean**2 / 40**2)
    assert 0 <= eps_gamma(scores, eps) <= 1
    for wrong in (0, -1, math.inf):
        with pytest.raises(ValueError, match="eps_prime must be above 0"):
            relative_eps(scores, wrong)


def test_agreement_of_table_8():
    """Five of six pairs: an error of 16.66 %."""
    assert pairwise_agreement({"A": 4, "B": 2, "C": 3, "D": 1}, HUMAN) == pytest.approx(5 / 6)
    assert pairwise_agreement(HUMAN, HUMAN) == 1
    assert pairwise_agreement({name: -rank for name, rank in HUMAN.items()}, HUMAN) == 0


def test_ties_agree_with_ties_alone():
    assert pairwise_agreement({"A": 1, "B": 1}, {"A": 1, "B": 2}) == 0
    assert pairwise_agreement({"A": 1, "B": 1}, {"A": 2, "B": 2}) == 1


def test_rankings_of_other_systems():
    with pytest.raises(ValueError, match="of different systems"):
        pairwise_agreement({"A": 1, "B": 2}, {"A": 1, "C": 2})
    with pytest.raises(ValueError, match="a ranking of 1 systems has no pairs"):
        pairwise_agreement({"A": 1}, {"A": 1})
