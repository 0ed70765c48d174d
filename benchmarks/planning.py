"""Claim: `perturb score` delivers the power that `perturb power` promises.

    python benchmarks/planning.py [--sets 1000]

Each original has a difficulty of its own, drawn from a normal distribution, and not from what
`power` supposes. Beside the share of data sets that `score` finds robust, or worse, stands what is
promised from the rates of the system, known from 60,000 originals, and from 20 pilots of 150.
Prints both, and stores them in results/planning.json.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from common import options, write_result

from perturb.robustness.metrics.designs import Goal, chance
from perturb.robustness.scoring.conditions import Condition
from perturb.robustness.scoring.findings import MARGIN
from perturb.robustness.scoring.join import Pairs
from perturb.robustness.scoring.metric import SCORE
from perturb.robustness.scoring.power import designs_of
from perturb.robustness.scoring.verdict import verdict

_NORMAL = NormalDist()
PILOT, PILOTS = 150, 20
# Originals, versions, conditions, accuracy, the loss, what clean and noisy answers share and what
# the versions share beyond that.
DESIGNS = [
    (80, 1, 1, 0.85, 0.1, 0.7, 0.0),
    (300, 1, 3, 0.6, 0.08, 0.5, 0.0),
    (150, 3, 2, 0.9, 0.05, 0.8, 0.15),
    (60, 6, 1, 0.75, 0.08, 0.6, 0.3),
    (1500, 2, 1, 0.95, 0.0, 0.9, 0.05),
    (900, 4, 1, 0.9, 0.0, 0.8, 0.1),
    (40, 2, 1, 0.97, 0.12, 0.8, 0.0),
]


def data(rng, originals, versions, conditions, accuracy, losses, shared, alike):
    """Joined rows: clean scores, and noisy ones of which the loss of each condition is known."""
    shape = (originals, 1, 1)
    difficulty = np.sqrt(shared) * rng.standard_normal(shape)
    clean = difficulty + np.sqrt(1 - shared) * rng.standard_normal(shape)
    effect = np.sqrt(alike) * rng.standard_normal((originals, conditions, 1))
    own = np.sqrt(1 - shared - alike) * rng.standard_normal((originals, conditions, versions))
    limits = np.array([_NORMAL.inv_cdf(accuracy - loss) for loss in losses])[:, None]
    before = np.broadcast_to(clean < _NORMAL.inv_cdf(accuracy), own.shape).reshape(-1, 1)
    after = (difficulty + effect + own < limits).reshape(-1, 1)
    return joined(before, after, own.shape)


def joined(before, after, shape):
    """The pairs of scores of originals, conditions and versions."""
    original, condition, _ = (each.ravel() for each in np.indices(shape))
    zeros = np.zeros(original.size, np.uint8)
    names = [Condition(f"noise {place}", None, "") for place in range(shape[1])]
    rows = np.arange(original.size)
    return Pairs(
        original, condition, zeros.astype(int), before.astype(float), after.astype(float),
        after.ravel().astype(np.uint64) + 1, before.ravel().astype(np.uint64) + 1,
        zeros, zeros, zeros, rows.astype(np.uint64), rows, rows, names,
        [name.perturbator for name in names], ["", "no site"],
    )  # fmt: skip


def case(rng, sets, originals, versions, conditions, accuracy, loss, shared, alike):
    """The promises for the first condition, which alone loses, and what is delivered."""
    rest = versions, conditions, accuracy, [loss] + [0.0] * (conditions - 1), shared, alike
    goal = Goal("worse" if loss else "robust", loss, MARGIN)

    def judged(count):
        return verdict(data(rng, count, *rest), {"score": SCORE})

    def promised(count):
        return chance(designs_of(judged(count))[0][0], goal, originals)

    found = [judged(originals).conditions[0].verdict == goal.verdict for _ in range(sets)]
    pilots = np.quantile([promised(PILOT) for _ in range(PILOTS)], [0.1, 0.5, 0.9])
    return {
        "originals": originals,
        "design": rest,
        "verdict": goal.verdict,
        "delivered": round(float(np.mean(found)), 3),
        "promised": round(promised(60_000), 3),
        "promised by pilots": pilots.round(2).tolist(),
    }


def main():
    """Simulate all designs."""
    parser = options(__doc__)
    parser.add_argument("--sets", type=int, default=1000)
    sets, rng, cases = parser.parse_args().sets, np.random.default_rng(20240501), []
    for design in DESIGNS:
        cases.append(case(rng, sets, *design))
        print(cases[-1], flush=True)
    off = max(abs(row["delivered"] - row["promised"]) for row in cases)
    write_result("planning", {"sets": sets, "largest difference": round(off, 3), "cases": cases})


if __name__ == "__main__":
    main()
