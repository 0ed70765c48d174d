"""Coverage of the intervals and power of the test, by simulation.

    python benchmarks/coverage.py [--sets 2000] [--only "10 originals"]

Each set has G originals with one clean row and k perturbed rows, each right or wrong. A row is
right where a normal variable lies below a threshold. The variables of one original share a part
(its difficulty), and those of its perturbed rows another one (what perturbing does to it):

    weak    half of the variance is the original's, none is shared by the perturbed rows alone
    strong  .6 is the original's, .3 is shared by the perturbed rows
    same    the perturbed rows of one original nearly repeat each other
    own     what perturbing does to an original has little to do with its difficulty
    loose   rows share little, so that one wrong clean row counts in all its differences alone

The true drop is 0 for coverage and size. For power and coverage under a drop, it is the one that
2.8 standard errors make, or as much of it as leaves the perturbed accuracy at .02. Both clean and
perturbed thresholds are exact quantiles, so that the true values are known.

The exact test can't reject while few originals differ: of n that all differ one way, p is at least
2 ** (1 - n). That is the floor under the power of every exact test; t has none, and pays with a
size that is wrong there. The power is therefore compared where t has a size of .03 to .07, by how
many flips there are in a set without a drop.
"""

from itertools import product
from statistics import NormalDist

import numpy as np
from simulation import covered, interval, simulate

from perturb.robustness.metrics.distributions import student_t_quantile
from perturb.robustness.metrics.score_intervals import (
    RIGHT_WHOLE,
    agresti_coull_limits,
    effective_rows,
)
from perturb.robustness.metrics.sign_flip import exact_tail

ORIGINALS, VERSIONS, ACCURACIES = (10, 30, 100, 500), (1, 2, 6, 12), (0.5, 0.9, 0.99, 0.995)
# What a row shares with all of its original, and what the perturbed rows share beyond that.
CLUSTERS = {"weak": (0.5, 0.0), "strong": (0.6, 0.3)}
OTHERS = {"same": (0.5, 0.49), "own": (0.05, 0.9), "loose": (0.2, 0.0)}
INTERVALS, DROPS = ("tango", "agresti-coull", "t", "wilson"), ("no drop", "with drop")
TESTS = "rejected by sign-flip", "rejected by t", "sign-flip and interval"
_NORMAL = NormalDist()


def draw(rng, shape, accuracies, shared):
    """Return clean scores, one an original, and perturbed ones: right is 1."""
    one = (*shape[:2], 1)
    alike, effect = shared
    difficulty = np.sqrt(alike) * rng.standard_normal(one, np.float32)
    clean = np.sqrt(1 - alike) * rng.standard_normal(one, np.float32)
    together = np.sqrt(effect) * rng.standard_normal(one, np.float32)
    apart = np.sqrt(1 - alike - effect) * rng.standard_normal(shape, np.float32)
    limits = [_NORMAL.inv_cdf(accuracy) for accuracy in accuracies]
    both = difficulty + clean < limits[0], difficulty + together + apart < limits[1]
    return [each.astype(np.int8) for each in both]


def measured(clean, noisy, truth, accuracy):
    """Return the share of sets that cover, and that reject no difference, for each method."""
    sets, originals, versions = noisy.shape
    rows, quantile = originals * versions, student_t_quantile(0.975, originals - 1)
    loss, low, high = (each[:, 0] for each in interval(clean[..., None], noisy[..., None]))
    sums = (noisy - clean).sum(axis=2, dtype=int)
    error = np.sqrt(originals * ((sums + versions * loss[:, None]) ** 2).sum(1) / (originals - 1))
    reach = quantile * error / rows
    by_t = np.where(error > 0, np.abs(loss) > reach, loss != 0)
    by_flips = np.array([exact_tail(row[row != 0]) < 0.05 for row in sums])
    mean = noisy.mean(axis=(1, 2))
    off = noisy.sum(axis=2) - versions * mean[:, None]
    sizes = np.full((sets, originals), float(versions))
    worth = effective_rows(sizes, off, rows * mean * (1 - mean), RIGHT_WHOLE)
    wilson = quantile * np.sqrt(accuracy * (1 - accuracy) / worth)
    shares = {
        "tango": covered((low, high), -truth),
        "agresti-coull": covered(agresti_coull_limits(mean, worth, quantile), accuracy),
        "t": covered((loss - reach, loss + reach), -truth),
        "wilson": covered((mean - wilson, mean + wilson), accuracy),
        "rejected by sign-flip": np.mean(by_flips),
        "rejected by t": np.mean(by_t),
        "sign-flip and interval": np.mean(by_flips & ((low > 0) | (high < 0))),
        "flips a set": np.mean((noisy != clean).sum(axis=(1, 2))),
    }
    return {name: round(float(share), 4) for name, share in shares.items()}


def case(rng, sets, originals, versions, accuracy, shared):
    """Return the figures without a drop, and with one that should be found."""
    shape = sets, originals, versions
    clean, noisy = draw(rng, shape, (accuracy, accuracy), shared)
    spread = float((noisy.mean(axis=2) - clean[:, :, 0]).std()) / np.sqrt(originals)
    drop = min(2.8 * spread * 1.2, accuracy - 0.02)
    lower = draw(rng, shape, (accuracy, accuracy - drop), shared)
    return {
        "no drop": measured(clean, noisy, 0.0, accuracy),
        "with drop": measured(*lower, -drop, accuracy - drop),
    }


def named(versions, clusters):
    """Return the designs with clusters of some kinds by their names."""
    return {
        f"{g} originals, {k} versions, {accuracy} right, {kind}": (
            case,
            g,
            k,
            accuracy,
            clusters[kind],
        )
        for g, k, accuracy, kind in product(ORIGINALS, versions, ACCURACIES, clusters)
    }


def summary(tables):
    """Return the extremes: coverage, size, and power beside that of t where t is sound."""
    cases = tables["cases"]
    sound = [row for row in cases.values() if 0.03 <= row["no drop"]["rejected by t"] <= 0.07]
    lost = {"fewer than 50 flips": [], "50 flips and more": []}
    for row in sound:
        tested = row["with drop"]
        loss = tested["rejected by t"] - tested["sign-flip and interval"]
        lost[list(lost)[row["no drop"]["flips a set"] >= 50]].append(round(loss, 4))
    return {
        **{title: extremes(rows) for title, rows in tables.items()},
        "largest size": {
            name: max(row["no drop"][name] for row in cases.values()) for name in TESTS
        },
        "power beside t": {
            flips: {
                "cases": len(losses),
                "within .03 of t": sum(loss <= 0.03 for loss in losses),
                "mean loss": round(float(np.mean(losses)), 3),
                "largest loss": max(losses),
            }
            for flips, losses in lost.items()
        },
    }


def extremes(rows):
    """Return how many cases are below .93 and above .99, and the lowest, for each interval."""
    every = [row[drop] for row in rows.values() for drop in DROPS]
    return {
        name: {
            "cases": len(every),
            "below .93": sum(each[name] < 0.93 for each in every),
            "above .99": sum(each[name] > 0.99 for each in every),
            "lowest": min(each[name] for each in every),
            "flips of one above .99 at most": max(
                (each["flips a set"] for each in every if each[name] > 0.99), default=0
            ),
        }
        for name in INTERVALS
    }


if __name__ == "__main__":
    tables = {"cases": named(VERSIONS, CLUSTERS), "other clusters": named((2, 12), OTHERS)}
    simulate(__doc__, "coverage", tables, 2000, 20240501, summary)
