"""Claim: the interval of `perturb tolerance` covers, asked by grid and by bisection.

    python benchmarks/tolerance_coverage.py [--sets 1000] [--only NAME]

Each design draws originals, right or wrong when clean, and what nine strengths of one noise do to
each version. The truth is where the curve of 400,000 originals stays at least at the loss; there is
none where it never does, and covering is then to have no high limit. By bisection strengths are
asked one after the other, as long as one may narrow the interval. Stored are for each design the
coverage, the median of the estimate over the truth, the median interval, and the calls that
bisection saves; for two systems asked alike, the coverage of the ratio.
"""

from itertools import product

import numpy as np
from simulation import covered, interval, simulate

from perturb.robustness.metrics.bounded import bounded_limits
from perturb.robustness.metrics.crossing import (
    asked_next,
    crossing,
    crossing_interval,
    curve_of,
    ratio_interval,
)

P = np.array([0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3])
LOSS = 0.05


def typical(rng, shape, right=0.9, rate=3.0, gain=0.0, spread=1.0, most=1.0, luck=0.0, easy=None):
    """Return clean and perturbed scores: a right answer breaks at an exponential strength.

    Args:
        rng: draws.
        shape: sets, originals and versions.
        right: the share of originals that are right.
        rate: at which they break; its spread between originals is that of a gamma variable.
        gain: the share of wrong ones that turn right as right ones turn wrong.
        spread: the shape of the spread is its inverse.
        most: the share of originals that can break at all.
        luck: the share of answers that are drawn anew each time.
        easy: in place of `right`, a generator that both systems of a pair share.
    """
    sets, originals, _ = shape
    one = (sets, originals, 1, 1)
    clean = (rng if easy is None else easy).random(one) < right
    scale = rate * rng.gamma(1 / spread, spread, one) * (rng.random(one) < most)
    strength = rng.exponential(1, (*shape, 1)) if easy is None else easy.exponential(1, (*shape, 1))
    broken = scale * P > strength
    answers = np.where(clean, ~broken, broken & (rng.random((*shape, 1)) < gain))
    redrawn = rng.random(answers.shape) < luck
    answers = np.where(redrawn, rng.random(answers.shape) < right, answers)
    again = rng.random(one) < luck
    return np.where(again, rng.random(one) < right, clean), answers


def humped(rng, shape, share=0.1, first=0.025, last=0.08, rate=0.7):
    """Return scores that fall, of a share of originals rise again, and fall for good."""
    clean, answers = typical(rng, shape, rate=rate)
    window = (rng.random((*shape[:2], 1, 1)) < share) & (first < P) & (last > P)
    return clean, answers & ~window


def guessed(rng, shape, again=0.4):
    """Return scores where what is broken is right again by chance, strength by strength."""
    one, right = (*shape[:2], 1, 1), rng.random((*shape[:2], 1, 1)) < 0.8
    broken = 4 * rng.gamma(1, 1, one) * P > rng.exponential(1, (*shape, 1))
    return right, np.where(broken, rng.random(broken.shape) < again, right)


def late(rng, shape):
    """Return scores that fall at once, behind a threshold."""
    clean, answers = typical(rng, shape, rate=0.1)
    return clean, answers & ~((P > 0.12) & (rng.random((*shape[:2], 1, 1)) < 0.4))


_EARLY = {"first": 0.005, "last": 0.12, "rate": 1.2}
DESIGNS = {
    "20 originals": (typical, {"rate": 6}, 20, 1),
    "50 originals": (typical, {}, 50, 1),
    "200 originals": (typical, {}, 200, 1),
    "1,000 originals": (typical, {}, 1000, 1),
    "before the first strength": (typical, {"rate": 12}, 300, 1),
    "flat, just above": (typical, {"rate": 30, "most": 0.065}, 300, 1),
    "flat, just below (never)": (typical, {"rate": 30, "most": 0.05}, 300, 1),
    "hardly any effect (never)": (typical, {"rate": 0.05}, 300, 1),
    "crosses near the strongest": (typical, {"rate": 0.22}, 500, 1),
    "falls, rises, falls": (humped, {}, 400, 1),
    "one in 33 falls and rises": (humped, {"share": 0.03, "last": 0.12, "rate": 1.2}, 300, 1),
    "one in 20 falls at once": (humped, {**_EARLY, "share": 0.05}, 300, 1),
    "one in 20 falls at once, 1,000": (humped, {**_EARLY, "share": 0.05}, 1000, 1),
    "broken ones guess": (guessed, {}, 300, 1),
    "broken ones hardly guess": (guessed, {"again": 0.03}, 1000, 1),
    "falls at once": (late, {}, 300, 1),
    "wrong answers turn right": (typical, {"right": 0.7, "gain": 0.5}, 400, 1),
    "half of the answers wrong": (typical, {"right": 0.5, "gain": 0.2}, 200, 1),
    "nearly all right": (typical, {"right": 0.99}, 150, 1),
    "four versions": (typical, {"spread": 3.0}, 100, 4),
    "a tenth of answers at random": (typical, {"luck": 0.1}, 300, 1),
    "a third of answers at random": (typical, {"luck": 0.33}, 300, 1),
}
PAIRS = {
    "B bears twice as much": ({"rate": 3}, {"rate": 1.4}, 300),
    "both alike": ({"rate": 3}, {"rate": 3}, 300),
    "both alike, 60 originals": ({"rate": 3}, {"rate": 3}, 60),
    "B crosses near the strongest": ({"rate": 3}, {"rate": 0.25}, 300),
    "B never crosses": ({"rate": 3}, {"rate": 0.05}, 300),
    "A never crosses": ({"rate": 0.05}, {"rate": 3}, 300),
}


def by_bisection(curve):
    """Return the part of a curve that `perturb run --bisect` asks."""
    strengths = curve.strengths[1:].tolist()
    new, asked = {strengths[-1], strengths[len(strengths) // 2]}, set()
    while new:
        asked |= new
        known = np.isin(curve.strengths, [0.0, *asked])
        part = type(curve)(*(column[known] for column in curve))
        new = asked_next(strengths, asked, *crossing_interval(part, LOSS))
    return part


def curves(limits):
    """Return the curve of each set."""
    return [curve_of(P, *each) for each in zip(*limits, strict=True)]


def truth_of(design, options):
    """Return the last strength at which many originals rise to the loss; infinity where none is."""
    clean, answers = design(np.random.default_rng(1), (1, 400_000, 1), **options)
    losses = clean.mean() - answers[0, :, 0].mean(axis=0)
    curve = curve_of(P, losses, losses, losses)
    after = int(np.flatnonzero(curve.losses < LOSS)[-1]) + 1
    return np.inf if after > P.size else curve.reached(curve.losses, LOSS, after)


def tolerated(rng, sets, design, options, originals, versions):
    """Return what one design gives, by grid and by bisection."""
    true = truth_of(design, options)
    clean, answers = design(rng, (sets, originals, versions), **options)
    row = {"truth": round(true, 4) if true < np.inf else None}
    every = curves(interval(clean, answers))
    some = [by_bisection(each) for each in every]
    for way, known in {"grid": every, "bisection": some}.items():
        found = [(crossing(each, LOSS), *crossing_interval(each, LOSS)) for each in known]
        found = np.nan_to_num(np.array(found, float), nan=np.inf)  # None, where it never crosses
        middle, low, high = np.median(found, axis=0).tolist()
        row[way] = {
            "coverage": covered(found.T[1:], true),
            "median over truth": round(middle / true, 3) if true < np.inf else None,
            "median interval": [round(low, 4), round(high, 4)],
        }
    asked = np.mean([each.strengths.size - 1 for each in some])
    return row | {"calls saved, times": round((1 + versions * P.size) / (1 + versions * asked), 2)}


def ratio(rng, sets, first, second, originals):
    """Return the coverage of the ratio of two systems that are asked the same noisy originals."""
    sides, trues, shared = [], [], int(rng.integers(2**32))
    for options in (first, second):
        trues.append(true := truth_of(typical, options))
        easy = np.random.default_rng(shared)
        clean, answers = typical(rng, (sets, originals, 1), **options, easy=easy)
        sides.append(curves(interval(clean, answers)))
    limits = [
        ratio_interval(*(crossing_interval(each, LOSS) for each in both))
        for both in zip(*sides, strict=True)
    ]
    low, high = np.array(limits, float).T
    low, high = np.nan_to_num(low), np.nan_to_num(high, nan=np.inf)
    true = trues[1] / trues[0]
    middle = [round(float(np.median(each)), 3) for each in (low, high)]
    return {"truth": round(true, 3), "coverage": covered((low, high), true), "median": middle}


# Losses as smooth functions of the strength, which no grid holds; and grids, coarse and fine.
SMOOTH = {
    "exponential": lambda p: 0.3 * (1 - np.exp(-p / 0.02)),
    "cubic": lambda p: np.minimum((p / 0.12) ** 3, 1),
    "quartic": lambda p: np.minimum((p / 0.12) ** 4, 1),
    "logistic": lambda p: 1 / (1 + np.exp(-(p - 0.25) / 0.035)),
    "straight": lambda p: np.minimum(p, 1),
}
GRIDS = {
    "3": (0.05, 0.1, 0.2),
    "4": (0.02, 0.05, 0.1, 0.2),
    "docs": (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4),
    "24": tuple(np.linspace(0.01, 0.24, 24).round(3)),
}


def smooth(rng, sets, curve, grid, originals):
    """Return what one curve gives: the loss is reached where it is, and not where a grid is."""
    fine = np.linspace(0, 1, 1_000_001)
    true = float(fine[np.argmax(SMOOTH[curve](fine) >= LOSS)])
    chance = SMOOTH[curve](np.array(GRIDS[grid]))
    # Edits are nested: what breaks stays so.
    broken = (rng.random((sets, originals, 1)) < chance).sum(axis=1)
    counts = np.stack([broken, originals - broken], axis=2)
    low, high = bounded_limits(np.broadcast_to([-1.0, 0.0], counts.shape), counts=counts)
    every = [
        curve_of(GRIDS[grid], *each) for each in zip(broken / originals, -high, -low, strict=True)
    ]
    row = {"truth": round(true, 4)}
    for way, known in {"": every, " by bisection": map(by_bisection, every)}.items():
        found = [crossing_interval(each, LOSS) for each in known]
        low, high = np.nan_to_num(np.array(found, float), nan=np.inf).T
        row[f"coverage{way}"] = round(float(np.mean((low < true) & (true <= high))), 4)
        row[f"median interval{way}"] = [round(float(np.median(each)), 4) for each in (low, high)]
    return row


if __name__ == "__main__":
    tables = {
        "designs": {name: (tolerated, *row) for name, row in DESIGNS.items()},
        "smooth": {
            f"{curve}, {grid} strengths, {count} originals": (smooth, curve, grid, count)
            for curve, grid, count in product(SMOOTH, GRIDS, (200, 600))
        },
        "ratios": {name: (ratio, *row) for name, row in PAIRS.items()},
    }
    simulate(__doc__, "tolerance_coverage", tables, 1000, 20260101)
