"""Claim: the interval of `perturb compare` covers the true difference where few originals flip.

    python benchmarks/contrast_coverage.py

Two systems lose answers to k perturbed rows of each of G originals, all of which both answer
rightly when they are clean. Each original has a chance of its own to be lost, which follows a beta
distribution about the rate of the system: its two parameters add up to 8 (weak clusters) or 0.4
(strong ones). Prints and stores in results/contrast_coverage.json the share of 2,000 sets whose
interval holds the difference of the rates, beside that of Student's t without the two clusters
that `padded_interval` adds.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from common import write_result

from perturb.robustness import paired_difference
from perturb.robustness.metrics.score_intervals import padded_interval

SETS = 2000
ORIGINALS, VERSIONS = (10, 30, 100, 500), (1, 6, 12)
RATES = ((0.005, 0.005), (0.02, 0.02), (0.02, 0.1), (0.1, 0.3))
CLUSTERS = {"weak": 8.0, "strong": 0.4}


def lost(rng, rate, total, originals, versions):
    """Return for each row whether it is lost, as 1 or 0, the rows of an original in a line."""
    chance = rng.beta(rate * total, (1 - rate) * total, (originals, 1))
    return (rng.random((originals, versions)) < chance).astype(float)


def case(rng, originals, versions, rates, clusters):
    """Return the coverage and the mean width of both intervals."""
    names = np.repeat(np.arange(originals), versions)
    truth = rates[0] - rates[1]
    sets = np.empty((SETS, 4))
    for at in range(SETS):
        a, b = (lost(rng, rate, CLUSTERS[clusters], originals, versions).ravel() for rate in rates)
        both = padded_interval(a - b, names), paired_difference(b, a, names)
        sets[at, :2] = [interval.low <= truth <= interval.high for interval in both]
        sets[at, 2:] = [interval.high - interval.low for interval in both]
    named = zip(("padded", "t", "width of padded", "width of t"), sets.mean(axis=0), strict=True)
    settings = {"originals": originals, "versions": versions, "rates": rates}
    means = {name: round(float(mean), 4) for name, mean in named}
    return {**settings, "clusters": clusters, **means}


def main():
    """Simulate all cases, and store them under their lowest coverage."""
    rng = np.random.default_rng(20240501)
    cases = [case(rng, *each) for each in product(ORIGINALS, VERSIONS, RATES, CLUSTERS)]
    lowest = {name: min(row[name] for row in cases) for name in ("padded", "t")}
    below = {name: sum(row[name] < 0.93 for row in cases) for name in lowest}
    print(f"{len(cases)} cases; lowest coverage {lowest}; below .93 in {below}")
    totals = {"sets": SETS, "cases": len(cases), "lowest": lowest, "below .93": below}
    write_result("contrast_coverage", {**totals, "by_case": cases})


if __name__ == "__main__":
    main()
