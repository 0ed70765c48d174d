"""Coverage of the intervals and power of the test, by simulation.

Each set has G originals with one clean row and k perturbed rows, each right or wrong. A row is
right where a normal variable lies below a threshold. The variables of one original share a part
(its difficulty), and those of its perturbed rows another one (what perturbing does to it):

    weak    half of the variance is the original's, none is shared by the perturbed rows alone
    strong  .6 is the original's, .3 is shared by the perturbed rows

The true drop is 0 for coverage and size. For power and coverage under a drop, it is the one that
2.8 standard errors make, or as much of it as leaves the perturbed accuracy at .02. Both clean and
perturbed thresholds are exact quantiles, so that the true values are known.

Few originals and an accuracy near 1 leave few outcomes: often no row changes, or all are right. An
interval that holds the truth then covers at least as often as that happens. For each case above
.99, `above .99, why` therefore says how likely this one outcome is, and what the least coverage of
.93 or more is that the same interval has with another quantile, chosen for this case alone. The
other way round, `by quantile` says in how many cases coverage is too low and too high if the
quantiles of all are multiplied by one number.

The exact test can't reject while few originals differ: of n that all differ one way, p is at least
2 ** (1 - n). That is the floor under the power of every exact test; t has none, and pays with a
size that is wrong there. The power is therefore compared where t has a size of .03 to .07, by how
many flips there are in a set without a drop.

`python benchmarks/coverage.py` prints a summary and stores it in benchmarks/results/coverage.json;
`--summary` prints that of the stored cases.
"""

from __future__ import annotations

import argparse
import json
from itertools import product
from pathlib import Path
from statistics import NormalDist

import numpy as np

from perturb.robustness.metrics.distributions import student_t_quantile
from perturb.robustness.metrics.score_intervals import (
    agresti_coull_limits,
    effective_rows,
    tango_limits,
)
from perturb.robustness.metrics.sign_flip import exact_tail

RESULTS = Path(__file__).with_name("results") / "coverage.json"
ORIGINALS, VERSIONS = (10, 30, 100, 500), (1, 2, 6, 12)
ACCURACIES = (0.5, 0.9, 0.99, 0.995)
CLUSTERS = {"weak": (0.5, 0.0), "strong": (0.6, 0.3)}
_NORMAL = NormalDist()
_Z = _NORMAL.inv_cdf(0.975)
_KEYS = ("originals", "versions", "accuracy", "clusters")
_FLIPS = ((0, 6), (6, 12), (12, 25), (25, 50), (50, 10**9))
_INTERVALS = ("tango", "agresti-coull", "t", "wilson")
_CHOSEN = _INTERVALS[:2]
_QUANTILES = tuple(percent / 100 for percent in range(60, 121, 5))
_TESTS = ("rejected by sign-flip", "rejected by t", "sign-flip and interval")


def simulate(rng, sets, originals, versions, accuracies, cluster):
    """Clean scores, one an original, and perturbed ones: right is True."""
    own, shared = CLUSTERS[cluster]
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
    worth = effective_rows(sizes, off, squares, 2.0)
    worse = (change < 0).sum(axis=(1, 2)) / rows
    better = (change > 0).sum(axis=(1, 2)) / rows
    low, high = tango_limits(worse, better, worth, _Z)
    error = np.sqrt(originals / (originals - 1) * (off**2).sum(axis=1)) / rows
    p_flip = np.array([exact_tail(one[one != 0]) for one in sums])
    t = np.abs(mean) / np.where(error > 0, error, 1)
    cut = np.where(error > 0, t > quantile, mean != 0)
    right = noisy.mean(axis=(1, 2))
    wrong = noisy.sum(axis=2) - versions * right[:, None]
    known = effective_rows(sizes, wrong, rows * right * (1 - right), 0.5)
    wilson = np.abs(right - accuracy) <= quantile * np.sqrt(accuracy * (1 - accuracy) / known)
    excluded = (low > 0) | (high < 0)
    needed = {
        "tango": needed_quantile(tango_limits, truth, worse, better, worth) / _Z,
        "agresti-coull": needed_quantile(agresti_coull_limits, accuracy, right, known) / quantile,
    }
    return {
        "tango": float(np.mean((low <= truth) & (truth <= high))),
        "t": float(np.mean(np.abs(mean - truth) <= quantile * error)),
        "agresti-coull": float(np.mean(needed["agresti-coull"] <= 1)),
        "wilson": float(np.mean(wilson)),
        "rejected by sign-flip": float(np.mean(p_flip < 0.05)),
        "rejected by t": float(np.mean(cut)),
        "sign-flip and interval": float(np.mean((p_flip < 0.05) & excluded)),
        "width of tango": float(np.mean(high - low)),
        "width of t": float(np.mean(2 * quantile * error)),
        "flips a set": float(np.mean((change != 0).sum(axis=(1, 2)))),
        "nothing happens": {
            "tango": float(np.mean(~change.any(axis=(1, 2)))),
            "agresti-coull": float(np.mean(noisy.all(axis=(1, 2)))),
        },
        "by quantile": {
            name: [float(np.mean(each <= share)) for share in _QUANTILES]
            for name, each in needed.items()
        },
        "least": {name: least_coverage(each) for name, each in needed.items()},
    }


def needed_quantile(limits, truth, *given):
    """The smallest quantile at which the interval of each set holds the truth, by bisection."""
    low, high = np.zeros(len(given[0])), np.full(len(given[0]), 40.0)
    for _ in range(40):
        middle = (low + high) / 2
        least, most = limits(*given, middle)
        # The limits are within [-1, 1] or [0, 1], and a truth at their end is held.
        held = (least <= truth + 1e-9) & (truth - 1e-9 <= most)
        low, high = np.where(held, low, middle), np.where(held, middle, high)
    return high


def least_coverage(needed):
    """The least coverage of .93 or more that the sets can have with one quantile for all."""
    _, counts = np.unique(needed.round(6), return_counts=True)
    covered = counts.cumsum() / len(needed)
    return float(covered[covered >= 0.93][0])


def case(rng, sets, originals, versions, accuracy, cluster):
    """One case: without a drop, and with one that should be found."""
    clean, noisy = simulate(rng, sets, originals, versions, (accuracy, accuracy), cluster)
    found = measure(clean, noisy, 0.0, accuracy)
    spread = float((noisy.mean(axis=2) - clean[:, :, 0]).std()) / np.sqrt(originals)
    drop = min(2.8 * spread * 1.2, accuracy - 0.02)
    clean, noisy = simulate(rng, sets, originals, versions, (accuracy, accuracy - drop), cluster)
    return {
        "originals": originals,
        "versions": versions,
        "accuracy": accuracy,
        "clusters": cluster,
        "drop": round(drop, 4),
        "no drop": found,
        "with drop": measure(clean, noisy, -drop, accuracy - drop),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=2000)
    parser.add_argument("--originals", type=int, nargs="*", default=ORIGINALS)
    parser.add_argument("-o", "--output", type=Path, default=RESULTS)
    parser.add_argument("--summary", action="store_true", help="simulate nothing")
    args = parser.parse_args()
    if args.summary:
        stored = json.loads(args.output.read_text())
        write(args.output, stored["sets"], stored["cases"])
        return
    rng = np.random.default_rng(20240501)
    cases = [
        case(rng, args.sets, *each)
        for each in product(args.originals, VERSIONS, ACCURACIES, CLUSTERS)
    ]
    write(args.output, args.sets, cases)


def write(path, sets, cases):
    """Write the cases under their summary, and print that."""
    found = summary(cases)
    lines = ",\n".join(map(json.dumps, cases))
    head = json.dumps({"sets": sets, "summary": found})
    path.write_text(f'{head[:-1]}, "cases": [\n{lines}\n]}}\n')
    print(json.dumps(found, indent=1))


def summary(cases):
    """The extremes: coverage, size, and power beside that of the clustered t where t is sound."""
    covered = {
        name: sorted(
            (one[drop][name], drop, *(one[key] for key in _KEYS))
            for one in cases
            for drop in ("no drop", "with drop")
        )
        for name in _INTERVALS
    }
    sizes = {
        name: max((one["no drop"][name], *(one[key] for key in _KEYS)) for one in cases)
        for name in _TESTS
    }
    sound = [one for one in cases if 0.03 <= one["no drop"]["rejected by t"] <= 0.07]
    lost = sorted((_lost(one), *(one[key] for key in _KEYS)) for one in sound)
    return {
        "cases": 2 * len(cases),
        "below .93": {name: sum(one[0] < 0.93 for one in covered[name]) for name in covered},
        "below .90": {name: sum(one[0] < 0.90 for one in covered[name]) for name in covered},
        "above .99": {name: sum(one[0] > 0.99 for one in covered[name]) for name in covered},
        "lowest": {name: covered[name][:5] for name in covered},
        "above .99, why": {name: _above(cases, name) for name in _CHOSEN},
        "by quantile": {name: _by_quantile(cases, name) for name in _CHOSEN},
        "largest size": sizes,
        "t has a size of .03 to .07 in": len(sound),
        "of these with power within .03 of t": sum(one[0] <= 0.03 for one in lost),
        "most power lost": lost[::-1][:8],
        "smallest p of so many originals that differ": {
            count: round(float(exact_tail(np.ones(count, int))), 6) for count in range(3, 9)
        },
        "power beside t, by flips in a set": [_power(sound, *edges) for edges in _FLIPS],
    }


def _above(cases, name):
    """The cases above .99, by what keeps their coverage there."""
    found = [(one, drop) for one in cases for drop in ("no drop", "with drop")]
    above = [(one, drop) for one, drop in found if one[drop][name] > 0.99]
    one_outcome, no_quantile, own = [], [], []
    for one, drop in above:
        nothing, least = one[drop]["nothing happens"][name], one[drop]["least"][name]
        kind = one_outcome if nothing > 0.99 else no_quantile if least > 0.99 else own
        kind.append((*(one[key] for key in _KEYS), drop, one[drop][name], nothing, least))
    return {
        "one outcome alone is above .99": len(one_outcome),
        "no quantile leads to .93 to .99": len(no_quantile),
        "a quantile for the case alone does": len(own),
        "each, with its coverage, that of the one outcome, and the least of .93 or more": {
            "one outcome": one_outcome,
            "no quantile": no_quantile,
            "a quantile of its own": own,
        },
    }


def _by_quantile(cases, name):
    """How many cases are below .93 and above .99 with all quantiles multiplied by a number."""
    every = [one[drop]["by quantile"][name] for one in cases for drop in ("no drop", "with drop")]
    return {
        share: {
            "below .93": sum(each[at] < 0.93 for each in every),
            "above .99": sum(each[at] > 0.99 for each in every),
        }
        for at, share in enumerate(_QUANTILES)
    }


def _lost(one):
    """The power of t beyond that of our verdict."""
    found = one["with drop"]
    return round(found["rejected by t"] - found["sign-flip and interval"], 4)


def _power(sound, least, below):
    """The power that is lost in the cases with so many flips in a set without a drop."""
    lost = [_lost(one) for one in sound if least <= one["no drop"]["flips a set"] < below]
    return {
        "flips": f"{least} to {below}" if below < 10**6 else f"{least} and more",
        "cases": len(lost),
        "within .03 of t": sum(loss <= 0.03 for loss in lost),
        "mean loss": round(sum(lost) / len(lost), 3) if lost else None,
        "largest loss": max(lost, default=None),
    }


if __name__ == "__main__":
    main()
