from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.robustness.scoring.bisection import bisect, correction

chains = st.lists(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=7, max_size=7), min_size=1)


def asked_slowly(scores):
    """Bisect one chain: the places that are asked, and what is taken for the others."""
    known = {0: scores[0], len(scores) - 1: scores[-1]}
    while True:
        places = sorted(known)
        middles = [
            (low + high) // 2
            for low, high in pairwise(places)
            if high - low > 1 and known[low] != known[high]
        ]
        if not middles:
            break
        known |= {place: scores[place] for place in middles}
    return known, [known[max(place for place in known if place <= at)] for at in range(len(scores))]


@pytest.mark.slow
@given(chains)
def test_chains_are_bisected_as_one_by_one(scores):
    found = bisect(np.array(scores))
    for at, chain in enumerate(scores):
        known, values = asked_slowly(chain)
        assert np.flatnonzero(found.asked[at]).tolist() == sorted(known)
        assert found.values[at].tolist() == values


@given(chains)
def test_asking_round_by_round_ends_where_all_is_known_at_once(scores):
    scores = np.array(scores)
    known = np.full(scores.shape, np.nan)
    for _ in range(5):
        asked = bisect(known).asked
        known[asked] = scores[asked]
    found, whole = bisect(known), bisect(scores)
    assert (found.asked == whole.asked).all()
    assert (found.values == whole.values).all()


@given(st.integers(0, 8))
def test_a_chain_that_turns_once_is_known_from_five_answers(turn):
    scores = np.array([[float(place < turn) for place in range(8)]])
    found = bisect(scores)
    assert (found.values == scores).all()
    assert found.asked.sum() <= 5


def test_the_correction_is_the_mean_and_narrows_with_what_is_left_to_guess():
    errors = np.zeros(100)
    errors[:4] = 1
    mean, reach = correction(errors, 0.2, 1.0)
    assert mean == pytest.approx(0.04)
    assert reach == pytest.approx(
        1.984 * np.sqrt(0.8 * (4 * 0.96**2 + 96 * 0.04**2 + 1)) / 100, rel=1e-3
    )
    assert correction(errors, 1.0, 1.0)[1] == 0
    assert correction(np.zeros(100), 0.2, 1.0)[1] > 0
