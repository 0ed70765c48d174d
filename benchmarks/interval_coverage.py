"""Claim: intervals of verdicts cover, "robust" is seldom false, and what is there is found.

    python benchmarks/interval_coverage.py [--sets 2000] [--only "10 originals"]

Stored are for each design the share of sets whose interval covers, that are called robust or no
worse although so much is lost (`false`), and whose interval lies below 0 (`worse`) or above; what
the margin is stands in `verdict`. A share of 2,000 sets has a standard error of .005 at .95.

Answers: sets of G originals with one clean row and k perturbed rows, each right or wrong, which it
is where a normal variable lies below a threshold. The variables of one original share a part (its
difficulty), and those of its perturbed rows another one (what perturbing does to it):

    weak    half of the variance is the original's, none is shared by the perturbed rows alone
    strong  .6 is the original's, .3 is shared by the perturbed rows
    same    the perturbed rows of one original nearly repeat each other
    own     what perturbing does to an original has little to do with its difficulty
    loose   rows share little, so that one wrong clean row counts in all its differences alone

They lose nothing, and as much as 2.8 standard errors make. Both thresholds are exact quantiles, so
that the true values are known.

Graded: scores in [0, 1], of which few fall, or all move a little, or both. Clusters: originals that
share a passage, judged by it; beside it (`alone`) the coverage where they are judged one by one.
Lost: replies that never came, as often as not where the answer would have been wrong.
"""

from itertools import product
from statistics import NormalDist

import numpy as np
from simulation import covered, simulate

from perturb.robustness.grading.plan import MARGIN
from perturb.robustness.measures.unanswered import Bounded
from perturb.robustness.metrics.bounded import bounded_limits

ORIGINALS, VERSIONS, ACCURACIES = (10, 30, 100, 500), (1, 2, 6, 12), (0.5, 0.9, 0.99, 0.995)
# What a row shares with all of its original, and what the perturbed rows share beyond that.
CLUSTERS = {"weak": (0.5, 0.0), "strong": (0.6, 0.3)}
OTHERS = {"same": (0.5, 0.49), "own": (0.05, 0.9), "loose": (0.2, 0.0)}
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


def measured(limits, truth):
    """Return the figures of intervals of sets of which the true difference is known."""
    low, high = limits
    robust = (low >= -MARGIN) & (high <= MARGIN)
    false = low >= -MARGIN if truth < -MARGIN else robust & (abs(truth) > MARGIN)
    words = {"covered": covered(limits, truth), "false": false, "robust": robust}
    words |= {"worse": high < 0, "better": low > 0}
    return {name: round(float(np.mean(word)), 4) for name, word in words.items()}


def answers(rng, sets, originals, versions, accuracy, shared):
    """Return the figures without a drop, and with one that should be found."""
    shape = sets, originals, versions
    clean, noisy = draw(rng, shape, (accuracy, accuracy), shared)
    spread = float((noisy.mean(axis=2) - clean[:, :, 0]).std()) / np.sqrt(originals)
    drop = min(2.8 * spread * 1.2, accuracy - 0.02)
    lower = draw(rng, shape, (accuracy, accuracy - drop), shared)
    change, mean = (noisy - clean).mean(axis=2), noisy.mean(axis=2)
    return {
        "no drop": measured(bounded_limits(change), 0.0),
        "with drop": measured(bounded_limits((lower[1] - lower[0]).mean(axis=2)), -drop),
        "mean": {"covered": covered(bounded_limits(mean, ends=(0.0, 1.0)), accuracy)},
    }


def named(versions, clusters):
    """Return the designs with clusters of some kinds by their names."""
    return {
        f"{g} originals, {k} versions, {accuracy} right, {kind}": (
            *(answers, g, k),
            *(accuracy, clusters[kind]),
        )
        for g, k, accuracy, kind in product(ORIGINALS, versions, ACCURACIES, clusters)
    }


def rare(share, size, move=0.0):
    """Return changes of which a share falls, by so much or by U(0, 1), and all move a little."""
    by = 0.5 if size is None else size

    def changes(rng, shape):
        fall = rng.random(shape) if size is None else size
        still = rng.uniform(-move, move, shape)
        return np.where(rng.random(shape) < share, -fall, still)

    return changes, -share * by


def both_ways(fall, rise, shares):
    """Return changes of which shares fall and rise by so much."""

    def changes(rng, shape):
        chance = rng.random(shape)
        return np.where(chance < shares[0], -fall, np.where(chance > 1 - shares[1], rise, 0.0))

    return changes, rise * shares[1] - fall * shares[0]


def normal(deviation, loss):
    """Return changes that are normal, and lie within a sixth of the range."""
    return lambda rng, shape: rng.normal(-loss, deviation, shape).clip(-1, 1), -loss


def beta(rng, shape):
    """Return changes of scores that lie near 1, each losing a share of its own."""
    return -rng.beta(8, 1.5, shape) * rng.beta(0.15, 2.85, shape)


GRADED = {
    "all move .003, 5 % lose .5": (rare(0.05, 0.5, 0.003), (20, 40, 60, 150)),
    "3 % fall whole": (rare(0.03, 1.0), (40, 100, 300)),
    "2.01 % fall whole": (rare(0.0201, 1.0, 0.003), (150, 190, 300)),
    "4.02 % lose .5": (rare(0.0402, 0.5), (100, 190, 300)),
    "4 % lose U(0, 1)": (rare(0.04, None), (60, 150, 300)),
    "5 % lose U(0, 1)": (rare(0.05, None), (40, 150)),
    "10 % lose .1, 1 % gain 1": (both_ways(0.1, 1.0, (0.1, 0.01)), (100, 300)),
    "5 % lose .5, 5 % gain .5": (both_ways(0.5, 0.5, (0.05, 0.05)), (60, 150, 600)),
    "normal .1, loses 0": (normal(0.1, 0.0), (20, 60, 300)),
    "normal .1, loses .05": (normal(0.1, 0.05), (20, 60, 300)),
    "normal .3, loses .02": (normal(0.3, 0.02), (60, 300, 1000)),
    "beta": ((beta, -8 / 9.5 * 0.05), (30, 100, 300)),
    "nothing moves": ((lambda _, shape: np.zeros(shape), 0.0), (20, 150, 300)),
}


def graded(rng, sets, design, originals):
    """Return the figures of changes of one size an original."""
    changes, truth = design
    return measured(bounded_limits(changes(rng, (sets, originals))), truth)


def clustered(rng, sets, passages, most, loss, alike, gain=0.0):
    """Return the figures of passages of one original to `most`, judged by passage.

    Of a passage all originals turn at a rate of its own, bad or good.
    """
    sizes = (
        np.full((sets, passages), most) if most > 0 else rng.integers(1, 1 - most, (sets, passages))
    )
    total = (1 - alike) / alike
    sums = np.zeros((sets, passages))
    for share, way in ((loss, -1), (gain, 1)):
        if share:
            rate = rng.beta(share * total, (1 - share) * total, (sets, passages))
            sums += way * rng.binomial(sizes, rate)
    each = sizes.mean(axis=1, keepdims=True)
    together = bounded_limits(sums / each, sizes / each)
    rows = np.arange(sizes.max()) < sizes[..., None]
    turned = np.arange(sizes.max()) < np.abs(sums)[..., None]
    values = (np.sign(sums)[..., None] * turned).reshape(sets, -1)
    alone = bounded_limits(values, counts=rows.reshape(sets, -1))
    return measured(together, gain - loss) | {"alone": covered(alone, gain - loss)}


def lost(rng, sets, originals, loss, share, bad):
    """Return the figures where a share of the replies is lost, so many of them bad ones."""
    change = np.where(rng.random((sets, originals)) < loss, -1.0, 0.0)
    gone = rng.random(change.shape) < np.where(
        change < 0, share * bad / max(loss, 1e-9), share * (1 - bad)
    )
    unit, found = np.arange(originals), []
    for one, missing in zip(change, gone, strict=True):
        ends = (np.where(missing, end, one) for end in (-1.0, 0.0))  # all clean ones are right
        found.append(Bounded(*ends, ~missing).interval(unit, 0.95, (-1.0, 1.0)))
    return measured(np.array(found).T, -loss)


def tables():
    """Return all designs, by kind."""
    return {
        "answers": named(VERSIONS, CLUSTERS),
        "other answers": named((2, 12), OTHERS),
        "graded": {
            f"{name}, {count} originals": (graded, design, count)
            for name, (design, counts) in GRADED.items()
            for count in counts
        },
        "clusters": {
            f"{passages} passages x {most}, {alike}, loses {loss}": (
                clustered,
                passages,
                most,
                loss,
                alike,
            )
            for (passages, most), alike, loss in product(
                ((40, 5), (20, 15), (60, -9)), (0.1, 0.3), (0.02, 0.05)
            )
        }
        | {
            f"{passages} passages x {most}, turn whole": (clustered, passages, most, 0.1, 0.98, 0.1)
            for passages, most in ((48, 5), (20, 15))
        },
        "lost": {
            "all bad ones lost": (lost, 300, 0.06, 0.06, 1.0),
            "half of the bad ones": (lost, 300, 0.06, 0.03, 1.0),
            "at random": (lost, 300, 0.05, 0.05, 0.05),
            "nothing else is bad": (lost, 400, 0.0, 0.05, 0.0),
        },
    }


def summary(found):
    """Return the extremes of each kind: how many designs cover below .93, the worst, false ones."""
    summed = {}
    for title, rows in found.items():
        every = [each for row in rows.values() for each in row.values() if isinstance(each, dict)]
        every = every or list(rows.values())
        summed[title] = {
            "figures": len(every),
            "below .93": sum(each["covered"] < 0.93 for each in every),
            "lowest": min(each["covered"] for each in every),
            "falsest": max(each.get("false", 0.0) for each in every),
        }
    return summed


if __name__ == "__main__":
    simulate(__doc__, "coverage", tables(), 2000, 20240501, summary)
