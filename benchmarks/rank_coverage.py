"""Claim: the ranks of `perturb compare` hold together, ties included, in 95 % of the sets.

    python benchmarks/rank_coverage.py

Systems lose answers to k perturbed rows of each of G originals, all answered rightly when clean.
Originals differ in how hard they are, the same for all systems, by a beta distribution. Prints and
stores in results/rank_coverage.json the share of 1,000 sets in which all intervals of ranks hold
those of the truth, where equal systems share all of their places; beside that of intervals from
1,000 resamples of originals, quantiles of each rank, in 200 of the sets.
"""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace

import numpy as np
from common import write_result

from perturb.robustness.metrics.looks import Look
from perturb.robustness.scoring.findings import WHOLE
from perturb.robustness.scoring.standings import rank_limits

SETS, RESAMPLED, RESAMPLES = 1000, 200, 1000
ORIGINALS, VERSIONS = (50, 200), (1, 6)
RATES = {
    "all equal": (0.1,) * 5,
    "two equal": (0.02, 0.1, 0.1, 0.3),
    "near": (0.05, 0.08, 0.1, 0.12, 0.15),
    "rare": (0.01, 0.01, 0.02, 0.03),
}


def true_ranks(rates):
    """Return the first and the last place of each system, the smallest loss first."""
    each = np.array(rates)
    return (each[:, None] > each).sum(1) + 1, (each[:, None] >= each).sum(1)


def resampled(rng, lost):
    """Return quantiles of each rank, the best of equal ones, over resamples of originals."""
    means = lost.mean(axis=2)
    drawn = rng.integers(0, means.shape[1], (RESAMPLES, means.shape[1]))
    losses = means[:, drawn].mean(axis=2).T
    ranks = (losses[:, :, None] > losses[:, None, :]).sum(axis=2) + 1
    return np.quantile(ranks, (0.025, 0.975), axis=0, method="nearest")


def case(rng, originals, versions, name):
    """Return the share of sets in which all ranks hold, and the mean width of their intervals."""
    rates = RATES[name]
    first, last = true_ranks(rates)
    names, rows = np.repeat(np.arange(originals), versions), np.arange(originals * versions)
    holds, widths, others = [], [], []
    for at in range(SETS):
        hard = rng.beta(0.8, 0.8, (1, originals, 1))
        chance = np.array(rates)[:, None, None] * 2 * hard
        lost = (rng.random((len(rates), originals, versions)) < chance).astype(float)
        ones = np.ones((rows.size, 1))
        sides = {
            str(system): SimpleNamespace(
                original=names,
                clean=ones,
                baseline=ones,
                perturbed=1 - each.reshape(-1, 1),
                human=None,
                look=Look(),
            )
            for system, each in enumerate(lost)
        }
        for side in sides.values():
            side.take = lambda _, side=side: side  # all rows
        low, high = np.array([*rank_limits(sides, (WHOLE, rows)).values()]).T
        holds.append((low <= first).all() and (last <= high).all())
        widths.append((high - low).mean())
        if at < RESAMPLED:
            low, high = resampled(rng, lost)
            others.append((low <= first).all() and (first <= high).all())
    means = {"holds": np.mean(holds), "width": np.mean(widths), "resampled": np.mean(others)}
    settings = {"originals": originals, "versions": versions, "rates": name}
    return {**settings, **{key: round(float(mean), 4) for key, mean in means.items()}}


def main():
    """Simulate all cases, and store them under their lowest coverage."""
    rng = np.random.default_rng(20260101)
    cases = [case(rng, *each) for each in product(ORIGINALS, VERSIONS, RATES)]
    lowest = {name: min(row[name] for row in cases) for name in ("holds", "resampled")}
    for row in cases:
        print(row)
    print(f"{len(cases)} cases; lowest {lowest}")
    totals = {"sets": SETS, "cases": len(cases), "lowest": lowest}
    write_result("rank_coverage", {**totals, "by_case": cases})


if __name__ == "__main__":
    main()
