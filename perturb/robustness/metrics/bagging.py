"""Dispersion over resampled pools: bagging, design bagging, and leaving one domain out."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from perturb.rng import key64
from perturb.robustness.metrics.checks import as_scores
from perturb.robustness.metrics.dispersion import checked_mean, variance
from perturb.robustness.metrics.sampling import integers, uniforms
from perturb.values.arrays import Float64, Int64


class Bagging(NamedTuple):
    """The mean of a measure over blocks, and the blocks, one a row."""

    mean: float
    blocks: Float64


def bagging(
    scores: ArrayLike,
    block_size: int,
    blocks: int,
    metric: Callable[[Float64], float],
    seed: int = 0,
    design: bool = False,
) -> Bagging:
    """Average a measure over blocks drawn from the scores without replacement.

    Every block holds `block_size` distinct elements of the pool. Plain bagging (Algorithm 5) draws
    each block uniformly. Design bagging (Algorithm 6) fills the blocks in turns, each time with one
    of the elements that all blocks together hold least often, so that the elements are used as
    equally as can be.

    Args:
        scores: the pool, N scores.
        block_size: elements a block, in [1, N].
        blocks: number of blocks, at least 1. The paper takes 30 blocks of 60 % of the pool.
        metric: the measure of one block, as `variance`.
        seed: any integer; the blocks are a function of it, of N and of the sizes.
        design: whether to even out how often each element is used.

    Returns:
        The mean of `metric` over the blocks, and the blocks, shape (blocks, block_size).

    Raises:
        ValueError: a size is out of range, or `scores` is empty or holds NaN.

    Source: the paper of coefficient of variation and (eps, gamma)-robustness, Algorithms 5 and 6.

    Examples:
        >>> mean, drawn = bagging([20, 30, 40, 50, 60], 3, blocks=2, metric=max, design=True)
        >>> drawn.shape, sorted(set(drawn.ravel().tolist()))
        ((2, 3), [20.0, 30.0, 40.0, 50.0, 60.0])
    """
    pool = as_scores(scores, "scores")
    if not 1 <= block_size <= pool.size:
        raise ValueError(
            f"block_size must be between 1 and {pool.size}, the number of scores, since a block "
            f"holds distinct ones; got {block_size}"
        )
    if blocks < 1:
        raise ValueError(f"blocks must be at least 1, got {blocks}")
    draw = _design_blocks if design else _plain_blocks
    chosen = pool[draw(pool.size, block_size, blocks, seed)]
    return Bagging(float(np.mean([metric(block) for block in chosen])), chosen)


def _plain_blocks(pool: int, size: int, blocks: int, seed: int) -> Int64:
    ranks = [uniforms(key64("bagging", seed, block), pool) for block in range(blocks)]
    return np.array([np.argsort(rank, kind="stable")[:size] for rank in ranks])


def _design_blocks(pool: int, size: int, blocks: int, seed: int) -> Int64:
    chosen, taken = np.empty((blocks, size), np.int64), np.zeros((blocks, pool), bool)
    uses = np.zeros(pool, np.int64)
    for turn in range(size):
        order = np.argsort(uniforms(key64("design bagging order", seed, turn), blocks))
        for block in order:
            free = np.flatnonzero(~taken[block])
            rarest = free[uses[free] == uses[free].min()]
            key = key64("design bagging", seed, turn, int(block))
            element = rarest[integers(key, 1, rarest.size)[0]]
            chosen[block, turn] = element
            taken[block, element] = True
            uses[element] += 1
    return chosen


class Dispersion(NamedTuple):
    """The measures of one pool of scores, as a cell of the paper's tables holds them."""

    mean: float
    variance: float
    coefficient_of_variation: float
    index_of_dispersion: float


class Blocks(NamedTuple):
    """Blocks of a pool, over which measures are averaged; the defaults are the paper's.

    Attributes:
        share: the share of the pool that each block holds, above 0 and at most 1.
        number: how many blocks.
        design: whether to even out how often each element is used, as in Algorithm 6.
        seed: any integer.
    """

    share: float = 0.6
    number: int = 30
    design: bool = False
    seed: int = 0

    def average(self, scores: ArrayLike, metric: Callable[[Float64], float]) -> Bagging:
        """Average a measure over the blocks of a pool, as `bagging` does.

        Raises:
            ValueError: the share is none, or `bagging` refuses the pool.
        """
        if not 0 < self.share <= 1:
            raise ValueError(
                f"the share of a block must be above 0 and at most 1, got {self.share}"
            )
        pool = as_scores(scores, "scores")
        size = max(round(self.share * pool.size), 1)
        return bagging(pool, size, self.number, metric, self.seed, self.design)


def dispersion(scores: ArrayLike, blocks: Blocks | None = None) -> Dispersion:
    """Measure one pool of scores.

    Args:
        scores: at least one score, with a mean above 0.
        blocks: average the mean and the variance over blocks of the pool; the other two measures
            follow from the averages, as in Tables 3 to 6.

    Raises:
        ValueError: `scores` is empty, holds NaN or has a mean of 0 or less, or a block can't be.

    Source: the paper of coefficient of variation and (eps, gamma)-robustness, section 5.

    Examples:
        >>> tuple(dispersion([20, 60]))
        (40.0, 400.0, 0.5, 10.0)
    """
    pool = as_scores(scores, "scores")
    mean, drawn = float(pool.mean()), pool[None]
    if blocks is not None:
        mean, drawn = blocks.average(pool, np.mean)
    spread = float(np.mean([variance(block) for block in drawn]))
    relative = math.sqrt(spread) / checked_mean(mean)
    return Dispersion(mean, spread, relative, spread / mean)


def leave_one_out(
    scores_by_domain: Mapping[str, ArrayLike], blocks: Blocks | None = None
) -> dict[str | None, Dispersion]:
    """Measure the pooled scores of all domains, and of all but each one in turn.

    Args:
        scores_by_domain: each domain's scores, sample by sample, or its one score; at least two
            domains.
        blocks: as for `dispersion`.

    Returns:
        For each domain left out, in order, the measures of the rest; under `None`, of all.

    Raises:
        ValueError: fewer than two domains, a domain without scores or with NaN, or a pool with a
            mean of 0 or less (the domain left out is named).

    Source: the paper of coefficient of variation and (eps, gamma)-robustness, section 4.1 and
    Tables 1 to 6.

    Examples:
        >>> table = leave_one_out({"news": [20, 60], "medical": [40, 40]})
        >>> table["medical"].variance, table[None].variance
        (400.0, 200.0)
    """
    pools = {
        domain: as_scores(scores, f"scores_by_domain[{domain!r}]")
        for domain, scores in scores_by_domain.items()
    }
    if len(pools) < 2:
        raise ValueError(f"scores_by_domain holds {len(pools)} domains: give at least 2")
    measures = {}
    for left_out in (None, *pools):
        rest = [scores for domain, scores in pools.items() if domain != left_out]
        try:
            measures[left_out] = dispersion(np.concatenate(rest), blocks)
        except ValueError as error:
            raise ValueError(f"leaving out {left_out!r}: {error}") from None
    return measures
