import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.robustness import Blocks, bagging, dispersion, leave_one_out, variance

sizes = st.tuples(st.integers(1, 12), st.integers(1, 12), st.integers(1, 9)).filter(
    lambda sizes: sizes[1] <= sizes[0]
)


@given(sizes, st.integers(-5, 5), st.booleans())
def test_blocks_hold_distinct_elements(sizes, seed, design):
    pool, block_size, blocks = sizes
    mean, drawn = bagging(range(pool), block_size, blocks, np.max, seed=seed, design=design)
    assert drawn.shape == (blocks, block_size)
    assert all(len(set(block)) == block_size for block in drawn)
    assert mean == pytest.approx(np.mean([block.max() for block in drawn]))


@given(sizes, st.integers(0, 50))
def test_design_uses_elements_as_equally_as_can_be(sizes, seed):
    """At most one apart, unless distinctness within a block forces a second step."""
    pool, block_size, blocks = sizes
    drawn = bagging(range(pool), block_size, blocks, np.max, seed=seed, design=True).blocks
    uses = Counter(drawn.ravel().tolist())
    counts = [uses[element] for element in range(pool)]
    assert max(counts) - min(counts) <= 2


def test_the_seed_decides_the_blocks():
    for design in (False, True):
        one = bagging(range(50), 30, 4, variance, seed=0, design=design)
        assert (one.blocks == bagging(range(50), 30, 4, variance, design=design).blocks).all()
        assert (
            one.blocks != bagging(range(50), 30, 4, variance, seed=1, design=design).blocks
        ).any()


@pytest.mark.slow
@pytest.mark.parametrize("design", [False, True])
def test_elements_are_drawn_uniformly(design):
    """N = 4000 blocks of 3 of 10: each element in 1200 expected, sd 29; tolerance 4 sd = 116.

    Design bagging keeps them within 2 of each other.
    """
    drawn = bagging(range(10), 3, 4000, np.max, seed=3, design=design).blocks
    counts = np.bincount(drawn.astype(int).ravel(), minlength=10)
    assert np.abs(counts - 1200).max() <= (2 if design else 116)


def test_the_full_block_is_the_pool():
    pool = [20, 30, 40, 50, 60]
    assert bagging(pool, 5, 3, variance).mean == pytest.approx(200)


@pytest.mark.parametrize(
    ("block_size", "blocks", "message"),
    [
        (4, 1, "block_size must be .* got 4"),
        (0, 1, "block_size must be .* got 0"),
        (1, 0, "blocks must be at least 1"),
    ],
)
def test_sizes_out_of_range(block_size, blocks, message):
    with pytest.raises(ValueError, match=message):
        bagging([1, 2, 3], block_size, blocks, variance)


def test_leave_one_out_pools_the_rest():
    table = leave_one_out({"news": [10, 30], "chat": [50], "law": 70.0})
    assert list(table) == [None, "news", "chat", "law"]
    assert table[None].mean == 40
    assert table["news"].variance == 100
    assert table["chat"].variance == pytest.approx(variance([10, 30, 70]))
    assert table["law"].coefficient_of_variation == pytest.approx(math.sqrt(800 / 3) / 30)
    assert table["law"].index_of_dispersion == pytest.approx(800 / 3 / 30)


@pytest.mark.parametrize(
    ("domains", "message"),
    [
        ({"news": [1]}, "1 domains"),
        ({"news": [1], "chat": []}, r"scores_by_domain\['chat'\] is empty"),
        ({"news": [1], "chat": [0]}, "leaving out 'news': .* mean score above 0"),
    ],
)
def test_leave_one_out_refuses(domains, message):
    with pytest.raises(ValueError, match=message):
        leave_one_out(domains)


@pytest.mark.parametrize("design", [False, True])
def test_bagging_inside_of_leave_one_out(design):
    """Mean and variance are averaged over the blocks, and the other two follow from these."""
    domains = {"news": range(10, 60, 3), "chat": [50, 70, 20], "law": [70, 10]}
    blocks = Blocks(share=0.5, number=7, design=design, seed=3)
    table = leave_one_out(domains, blocks)
    assert list(table) == [None, *domains]
    pool = [*domains["news"], *domains["law"]]
    mean, drawn = bagging(pool, round(len(pool) / 2), 7, np.mean, 3, design)
    spread = np.mean([np.var(block) for block in drawn])
    assert tuple(table["chat"]) == pytest.approx((mean, spread, spread**0.5 / mean, spread / mean))
    assert tuple(dispersion(pool, Blocks(share=1.0, number=2))) == pytest.approx(
        tuple(dispersion(pool))
    )


def test_blocks_that_cannot_be():
    for share in (0, 1.1):
        with pytest.raises(ValueError, match="the share of a block must be above 0"):
            dispersion([1, 2], Blocks(share=share))
    with pytest.raises(ValueError, match="the mean score is 0"):
        dispersion([0, 0], Blocks())
