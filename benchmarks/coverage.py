"""Coverage of the intervals and power of the test, by simulation.

Each set has G originals with one clean row and k perturbed rows, each right or wrong. A row is
right where a normal variable lies below a threshold. The variables of one original share a part
(its difficulty), and those of its perturbed rows another one (what perturbing does to it):

    weak    half of the variance is the original's, none is shared by the perturbed rows alone
    strong  .6 is the original's, .3 is shared by the perturbed rows

The true drop is 0 for coverage and size. For power and coverage under a drop, it is the one that
2.8 standard errors make, or as much of it as leaves the perturbed accuracy at .02. Both clean and
perturbed thresholds are exact quantiles, so that the true values are known.

Few originals and an accuracy near 1 leave few outcomes, so not every coverage can be had. Each case
above .99 is counted under the first reason that holds:

    no range of estimates   no range that holds the estimate nearest to the truth happens in 93 to
                            99 % of the sets, so no interval that depends on the estimate alone,
                            with limits that rise with it, can. Without a drop the range reaches as
                            far up as down, since worse and better are treated alike.
    the exact test          without a drop, the test rejects in less than 1 % of the sets; an
                            interval that excludes 0 more often would contradict it
    by choice               a narrower interval would do in this case

Two tables say what the choice is for. `by quantile` has the cases in which coverage is too low and
too high if the quantiles of all are multiplied by one number, `by originals added` if so many are
added to the design effect. `other clusters` has 192 cases more, with 2 and 12 versions and three
kinds of clusters less like each other than the two above:

    same    the perturbed rows of one original nearly repeat each other
    own     what perturbing does to an original has little to do with its difficulty
    loose   rows share little, so that one wrong clean row counts in all its differences alone

The exact test can't reject while few originals differ: of n that all differ one way, p is at least
2 ** (1 - n). That is the floor under the power of every exact test; t has none, and pays with a
size that is wrong there. The power is therefore compared where t has a size of .03 to .07, by how
many flips there are in a set without a drop.

`python benchmarks/coverage.py` prints a summary and stores it in benchmarks/results/coverage.json;
`--summary` prints that of the stored cases.
"""

from __future__ import annotations

import json
from itertools import product
from statistics import NormalDist

import numpy as np
from common import RESULTS, options, read_result

from perturb.robustness.metrics.distributions import student_t_quantile
from perturb.robustness.metrics.score_intervals import (
    RIGHT_WHOLE,
    TURNED_WHOLE,
    agresti_coull_limits,
    effective_rows,
    tango_limits,
)
from perturb.robustness.metrics.sign_flip import exact_tail

SETS, ORIGINALS, VERSIONS = 2000, (10, 30, 100, 500), (1, 2, 6, 12)
ACCURACIES = (0.5, 0.9, 0.99, 0.995)
CLUSTERS = {"weak": (0.5, 0.0), "strong": (0.6, 0.3)}
OTHERS = {"same": (0.5, 0.49), "own": (0.05, 0.9), "loose": (0.2, 0.0)}
_OTHER_VERSIONS = (2, 12)
_NORMAL = NormalDist()
_Z = _NORMAL.inv_cdf(0.975)
_KEYS = ("originals", "versions", "accuracy", "clusters")
_FLIPS = ((0, 6), (6, 12), (12, 25), (25, 50), (50, 10**9))
_INTERVALS = ("tango", "agresti-coull", "t", "wilson")
_CHOSEN = _INTERVALS[:2]
_QUANTILES = tuple(percent / 100 for percent in range(60, 121, 5))
_ADDED = {"tango": (0.01, 0.5, 1, 1.5, 2, 3), "agresti-coull": (0.01, 0.05, 0.1, 0.25, 0.5)}
_DROPS = ("no drop", "with drop")
_TESTS = ("rejected by sign-flip", "rejected by t", "sign-flip and interval")


def simulate(rng, sets, originals, versions, accuracies, cluster):
    """Clean scores, one an original, and perturbed ones: right is True."""
    own, shared = (CLUSTERS | OTHERS)[cluster]
    difficulty = np.sqrt(own) * rng.standard_normal((sets, originals, 1), np.float32)
    rest = np.float32(np.sqrt(1 - own)), np.float32(np.sqrt(1 - own - shared))
    clean = difficulty + rest[0] * rng.standard_normal((sets, originals, 1), np.float32)
    effect = np.sqrt(shared) * rng.standard_normal((sets, originals, 1), np.float32)
    noise = rng.standard_normal((sets, originals, versions), np.float32)
    noisy = difficulty + effect + rest[1] * noise
    limits = [_NORMAL.inv_cdf(accuracy) for accuracy in accuracies]
    return (clean < limits[0]).astype(np.int8), (noisy < limits[1]).astype(np.int8)


def measure(clean, noisy, truth, accuracy):
    """Share of sets that cover, and that reject no difference, for each method."""
    sets, originals, versions = noisy.shape
    quantile = student_t_quantile(0.975, originals - 1)
    change = noisy - clean
    sums = change.sum(axis=2, dtype=int)
    rows = originals * versions
    mean = sums.sum(axis=1) / rows
    squares = (change**2).sum(axis=(1, 2), dtype=float) - rows * mean**2
    sizes = np.full((sets, originals), float(versions))
    off = sums - versions * mean[:, None]
    worse = (change < 0).sum(axis=(1, 2)) / rows
    better = (change > 0).sum(axis=(1, 2)) / rows

    def tango(added=TURNED_WHOLE, share=1.0):
        worth = effective_rows(sizes, off, squares, added)
        return tango_limits(worse, better, worth, share * _Z)

    low, high = tango()
    error = np.sqrt(originals / (originals - 1) * (off**2).sum(axis=1)) / rows
    p_flip = np.array([exact_tail(row[row != 0]) for row in sums])
    t = np.abs(mean) / np.where(error > 0, error, 1)
    cut = np.where(error > 0, t > quantile, mean != 0)
    right = noisy.mean(axis=(1, 2))
    wrong = noisy.sum(axis=2) - versions * right[:, None]

    def known(added=RIGHT_WHOLE):
        return effective_rows(sizes, wrong, rows * right * (1 - right), added)

    def agresti_coull(added=RIGHT_WHOLE, share=1.0):
        return agresti_coull_limits(right, known(added), share * quantile)

    wilson = np.sqrt(accuracy * (1 - accuracy) / known())
    excluded = (low > 0) | (high < 0)
    chosen = {"tango": (tango, truth), "agresti-coull": (agresti_coull, accuracy)}
    return {
        "tango": covered((low, high), truth),
        "t": float(np.mean(np.abs(mean - truth) <= quantile * error)),
        "agresti-coull": covered(agresti_coull(), accuracy),
        "wilson": float(np.mean(np.abs(right - accuracy) <= quantile * wilson)),
        "rejected by sign-flip": float(np.mean(p_flip < 0.05)),
        "rejected by t": float(np.mean(cut)),
        "sign-flip and interval": float(np.mean((p_flip < 0.05) & excluded)),
        "width of tango": float(np.mean(high - low)),
        "width of t": float(np.mean(2 * quantile * error)),
        "flips a set": float(np.mean((change != 0).sum(axis=(1, 2)))),
        "a range would do": {
            "tango": a_range_would_do(mean, truth, symmetric=truth == 0),
            "agresti-coull": a_range_would_do(right, accuracy),
        },
        "by quantile": {
            name: [covered(limits(share=share), value) for share in _QUANTILES]
            for name, (limits, value) in chosen.items()
        },
        "by originals added": {
            name: [covered(limits(added), value) for added in _ADDED[name]]
            for name, (limits, value) in chosen.items()
        },
    }


def covered(limits, truth):
    """The share of sets whose interval holds the truth, be it at the end of what is possible."""
    return float(np.mean((limits[0] <= truth + 1e-9) & (truth - 1e-9 <= limits[1])))


def a_range_would_do(estimates, truth, symmetric=False):
    """Whether some range of estimates about the truth happens in .93 to .99 of the sets."""
    off = (estimates - truth).round(9)
    values, counts = np.unique(np.abs(off) if symmetric else off, return_counts=True)
    below = np.append(0, counts.cumsum()) / len(off)
    nearest = np.abs(values).argmin()
    first = below[:1] if symmetric else below[: nearest + 1]
    chances = below[nearest + 1 :, None] - first
    return bool(((chances >= 0.93) & (chances <= 0.99)).any())


def case(rng, sets, originals, versions, accuracy, cluster):
    """One case: without a drop, and with one that should be found."""
    clean, noisy = simulate(rng, sets, originals, versions, (accuracy, accuracy), cluster)
    without = measure(clean, noisy, 0.0, accuracy)
    spread = float((noisy.mean(axis=2) - clean[:, :, 0]).std()) / np.sqrt(originals)
    drop = min(2.8 * spread * 1.2, accuracy - 0.02)
    clean, noisy = simulate(rng, sets, originals, versions, (accuracy, accuracy - drop), cluster)
    return {
        "originals": originals,
        "versions": versions,
        "accuracy": accuracy,
        "clusters": cluster,
        "drop": round(drop, 4),
        "no drop": without,
        "with drop": measure(clean, noisy, -drop, accuracy - drop),
    }


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--summary", action="store_true", help="simulate nothing")
    if parser.parse_args().summary:
        write(read_result("coverage")["cases"])
        return
    rng = np.random.default_rng(20240501)
    settings = (
        *product(ORIGINALS, VERSIONS, ACCURACIES, CLUSTERS),
        *product(ORIGINALS, _OTHER_VERSIONS, ACCURACIES, OTHERS),
    )
    write([case(rng, SETS, *each) for each in settings])


def write(cases):
    """Write the cases under their summary, and print that."""
    total = summary([row for row in cases if row["clusters"] in CLUSTERS])
    total["other clusters"] = coverage([row for row in cases if row["clusters"] in OTHERS])
    lines = ",\n".join(map(json.dumps, cases))
    head = json.dumps({"sets": SETS, "summary": total})
    (RESULTS / "coverage.json").write_text(f'{head[:-1]}, "cases": [\n{lines}\n]}}\n')
    print(json.dumps(total, indent=1))


def summary(cases):
    """The extremes: coverage, size, and power beside that of the clustered t where t is sound."""
    sizes = {
        name: max((row["no drop"][name], *(row[key] for key in _KEYS)) for row in cases)
        for name in _TESTS
    }
    sound = [row for row in cases if 0.03 <= row["no drop"]["rejected by t"] <= 0.07]
    lost = sorted((_lost(row), *(row[key] for key in _KEYS)) for row in sound)
    return {
        **coverage(cases),
        "largest size": sizes,
        "t has a size of .03 to .07 in": len(sound),
        "of these with power within .03 of t": sum(row[0] <= 0.03 for row in lost),
        "most power lost": lost[::-1][:8],
        "smallest p of so many originals that differ": {
            count: round(float(exact_tail(np.ones(count, int))), 6) for count in range(3, 9)
        },
        "power beside t, by flips in a set": [_power(sound, *edges) for edges in _FLIPS],
    }


def coverage(cases):
    """How many cases are below .93 and above .99, why, and how many would be otherwise."""
    shares = {
        name: sorted(
            (row[drop][name], drop, *(row[key] for key in _KEYS))
            for row in cases
            for drop in _DROPS
        )
        for name in _INTERVALS
    }
    return {
        "cases": 2 * len(cases),
        "below .93": {name: sum(row[0] < 0.93 for row in shares[name]) for name in shares},
        "below .90": {name: sum(row[0] < 0.90 for row in shares[name]) for name in shares},
        "above .99": {name: sum(row[0] > 0.99 for row in shares[name]) for name in shares},
        "lowest": {name: shares[name][:5] for name in shares},
        "above .99, why": {name: _above(cases, name) for name in _CHOSEN},
        "by quantile": {name: _other(cases, name, "by quantile", _QUANTILES) for name in _CHOSEN},
        "by originals added": {
            name: _other(cases, name, "by originals added", _ADDED[name]) for name in _CHOSEN
        },
    }


def _above(cases, name):
    """How many cases are above .99 for each reason."""
    reasons = {"no range of estimates": 0, "the exact test": 0, "by choice": 0}
    for drop in _DROPS:
        for shares in (row[drop] for row in cases if row[drop][name] > 0.99):
            tested = name == "tango" and drop == "no drop"
            if not shares["a range would do"][name]:
                reasons["no range of estimates"] += 1
            elif tested and shares["rejected by sign-flip"] < 0.01:
                reasons["the exact test"] += 1
            else:
                reasons["by choice"] += 1
    return reasons


def _other(cases, name, kind, values):
    """How many cases are below .93 and above .99 with each of other values for all."""
    every = [row[drop][kind][name] for row in cases for drop in _DROPS]
    return {
        value: {
            "below .93": sum(each[at] < 0.93 for each in every),
            "above .99": sum(each[at] > 0.99 for each in every),
        }
        for at, value in enumerate(values)
    }


def _lost(row):
    """The power of t beyond that of our verdict."""
    shares = row["with drop"]
    return round(shares["rejected by t"] - shares["sign-flip and interval"], 4)


def _power(sound, least, below):
    """The power that is lost in the cases with so many flips in a set without a drop."""
    lost = [_lost(row) for row in sound if least <= row["no drop"]["flips a set"] < below]
    return {
        "flips": f"{least} to {below}" if below < 10**6 else f"{least} and more",
        "cases": len(lost),
        "within .03 of t": sum(loss <= 0.03 for loss in lost),
        "mean loss": round(sum(lost) / len(lost), 3) if lost else None,
        "largest loss": max(lost, default=None),
    }


if __name__ == "__main__":
    main()
