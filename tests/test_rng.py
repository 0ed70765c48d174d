"""Draws: pinned, uniform, apart, and the same one by one as in arrays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.rng import below, hash32, key64, mix64, uniform
from perturb.testing import texts

some_texts = st.lists(texts, max_size=5)


def test_draws_are_pinned() -> None:
    """The bytes of every output hang on these; a change is a new version of the contract."""
    assert key64() == 0xB4B2797457A0A6E4
    assert key64("a", 1) == 0xC78786C0059475AA
    keys = np.array([key64("a"), key64("b")], np.uint64)
    assert hash32(keys, np.array([0, 1])).tolist() == [3107294071, 1888951647]
    assert hash32(keys, np.array([0, 1]), lane=5).tolist() == [1269722583, 1049616737]
    assert mix64(keys, 7).tolist() == [16135148773325422580, 15661923894766962031]


@pytest.mark.slow
@given(st.lists(st.one_of(st.text(), st.integers())), st.lists(st.one_of(st.text(), st.integers())))
def test_keys_of_different_parts_differ(left, right) -> None:
    same_parts = left == right and list(map(type, left)) == list(map(type, right))
    assert (key64(*left) == key64(*right)) == same_parts


@pytest.mark.slow
def test_draws_are_uniform_and_apart() -> None:
    """N = 2**18 draws in 256 cells: chi-square has mean 255 and sd 22.6; 6 sd are allowed."""
    n = 1 << 18
    keys = np.full(n, key64("k"), np.uint64)
    counters = np.arange(n)
    first, second = hash32(keys, counters), hash32(keys, counters, lane=1)
    other_key = hash32(mix64(keys, 1), counters)
    by_key = hash32(mix64(np.arange(n, dtype=np.uint64), 1), np.zeros(n, np.int64))
    for draws in (first, second, by_key, first ^ second, first ^ other_key, first[1:] ^ first[:-1]):
        cells = np.bincount(draws >> np.uint32(24), minlength=256)
        expected = len(draws) / 256
        assert ((cells - expected) ** 2 / expected).sum() < 255 + 6 * 22.6
    assert len(np.unique(first)) == n  # no two ranks of a text are equal
    assert abs(np.corrcoef(first, second)[0, 1]) < 6 / n**0.5


@given(
    st.lists(st.integers(0, 2**64 - 1), min_size=2, max_size=4),
    st.integers(0, 2**32 - 1),
    st.integers(0, 63),
    st.integers(0, 2**64 - 1),
)
def test_one_is_drawn_as_many_are(keys, counter, lane, salt) -> None:
    keys, counters = np.array(keys, np.uint64), np.full(len(keys), counter)
    mixed = [mix64(keys[row : row + 1], salt) for row in range(len(keys))]
    drawn = [hash32(keys[row : row + 1], counters[:1], lane) for row in range(len(keys))]
    assert np.concatenate(mixed).tolist() == mix64(keys, salt).tolist()
    assert np.concatenate(drawn).tolist() == hash32(keys, counters, lane).tolist()


@pytest.mark.slow
def test_lanes_do_not_meet() -> None:
    """No lane repeats another's draws within 2**20 places."""
    key = np.full(1, key64("k"), np.uint64)
    probes = np.concatenate([hash32(key, np.array([c]), lane) for lane in range(64) for c in (0,)])
    text = hash32(np.full(1 << 20, key[0]), np.arange(1, (1 << 20) + 1))
    assert not np.isin(probes, text).any()


@given(st.lists(st.integers(0, 2**32 - 1), min_size=1), st.integers(1, 1000))
def test_below_and_uniform_stay_in_range(draws, limit) -> None:
    array = np.array(draws, np.uint32)
    assert below(array, limit).tolist() == [draw * limit >> 32 for draw in draws]
    assert ((uniform(array) >= 0) & (uniform(array) < 1)).all()
