"""The exchange test against every way to draw the answers, one by one."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.robustness.metrics import exchange
from perturb.robustness.metrics.exchange import exchange_test
from perturb.robustness.metrics.inference import mcnemar_exact


def by_hand(originals):
    """Each original: right answers to itself, all of them, then the same of its versions."""
    chances, observed = {Fraction(0): Fraction(1)}, Fraction(0)
    for right, asked, others, versions in originals:
        count, total = asked + versions, right + others
        answers = [1] * total + [0] * (count - total)
        draws = [*combinations(range(count), asked)]
        observed += Fraction(count, asked) * right - total
        new = {}
        for off, chance in chances.items():
            for draw in draws:
                at = off + Fraction(count, asked) * sum(answers[each] for each in draw) - total
                new[at] = new.get(at, 0) + chance / len(draws)
        chances = new
    return float(sum(chance for off, chance in chances.items() if abs(off) >= abs(observed)))


ORIGINAL = st.tuples(st.integers(1, 3), st.integers(1, 4)).flatmap(
    lambda sizes: st.tuples(
        st.integers(0, sizes[0]), st.just(sizes[0]), st.integers(0, sizes[1]), st.just(sizes[1])
    )
)


@given(st.lists(ORIGINAL, min_size=1, max_size=5))
def test_it_is_the_share_of_draws_as_far_off(originals):
    assert exchange_test(*zip(*originals, strict=True)) == pytest.approx(by_hand(originals))


def test_of_one_answer_and_one_version_it_is_mcnemars():
    right, others = [1] * 14 + [0] * 6, [0] * 9 + [1] * 11
    found = exchange_test(right, [1] * 20, others, [1] * 20)
    assert found == pytest.approx(mcnemar_exact(9, 6))


def test_many_originals_are_normal_and_near_the_exact(monkeypatch):
    """2,000 originals, 5 versions, right in 90 %: a step of the exact one is about .01 wide."""
    rng = np.random.default_rng(3)
    right, others = rng.binomial(1, 0.91, 2000), rng.binomial(5, 0.9, 2000)
    given_ = right, np.ones(2000), others, np.full(2000, 5)
    exact = exchange_test(*given_)
    monkeypatch.setattr(exchange, "_MANY", 10)
    assert 0.1 < exact < 0.9
    assert exchange_test(*given_) == pytest.approx(exact, abs=0.02)


def test_it_keeps_its_size_where_one_answer_stands_beside_many_versions():
    """500 sets of 60 originals, right in 95 %: at most .05 of them below .05, 3 errors of .0097."""
    rng = np.random.default_rng(4)
    p_values = [
        exchange_test(rng.binomial(1, 0.95, 60), np.ones(60), rng.binomial(20, 0.95, 60), [20] * 60)
        for _ in range(500)
    ]
    assert np.mean(np.array(p_values) < 0.05) <= 0.05 + 3 * 0.0097
