"""Claims: `score` delivers the power that `power` promises; `run --until` seldom stops at a lie.

    python benchmarks/planning.py [--sets 1000] [--only power|width|until]

Each original has a difficulty of its own, drawn from a normal distribution, and not from what
`power` supposes. Beside the share of data sets that `score` finds robust, or worse, stands what is
promised from the rates of the system, known from 60,000 originals, and from 20 pilots of 150.

Width: how often the interval of the tolerance of .05 is at most half as wide as the tolerance, in
sets of the systems of `tolerance_coverage.py`; beside it what is promised from how many answers
turn there.

Until: sets of such systems are asked in rounds. Stored is how often a word is false, the share of
conditions that are found worse and that have any verdict, and the mean and the median share of the
originals that was asked; each also where asking goes on however little there is in sight, and how
often a word is false if all originals are judged at once, or at five looks that allow for nothing.
"""

from inspect import signature
from statistics import NormalDist

import numpy as np
import tolerance_coverage as tolerance
from simulation import interval, judged, noises, simulate

from perturb.evaluation.stopping import FEW, LEAST_CHANCE, chance_ahead
from perturb.robustness.grading.plan import MARGIN
from perturb.robustness.metrics.bounded import bounded_limits, bounded_p_values
from perturb.robustness.metrics.crossing import crossing_interval
from perturb.robustness.metrics.designs import Design, Goal, chance
from perturb.robustness.metrics.inference import benjamini_hochberg
from perturb.robustness.metrics.looks import Look
from perturb.robustness.scoring.pilot import designs_of

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


def drawn(rng, originals, versions, conditions, accuracy, losses, shared, alike):
    """Whether originals are right, and their versions by condition, of which the loss is known."""
    shape = (originals, 1, 1)
    difficulty = np.sqrt(shared) * rng.standard_normal(shape)
    clean = difficulty + np.sqrt(1 - shared) * rng.standard_normal(shape)
    effect = np.sqrt(alike) * rng.standard_normal((originals, conditions, 1))
    own = np.sqrt(1 - shared - alike) * rng.standard_normal((originals, conditions, versions))
    limits = np.array([_NORMAL.inv_cdf(accuracy - loss) for loss in losses])[:, None]
    return clean.ravel() < _NORMAL.inv_cdf(accuracy), difficulty + effect + own < limits


def verdict_of(clean, noisy, **columns):
    """The verdict on whether originals are right, and their versions by condition."""
    answers = noisy.astype(int).swapaxes(0, 1)
    parts = ((one, each, True) for one, each in zip(noises(len(answers)), answers, strict=True))
    return judged(clean.astype(int), *parts, **columns)


# The same: nine lose nothing, two just the margin, and the others more.
UNTIL = [
    (60, 1, 1, 0.85, 0.0, 0.7, 0.0),
    (400, 2, 1, 0.8, 0.0, 0.7, 0.1),
    (250, 1, 4, 0.9, 0.0, 0.6, 0.0),
    (2000, 1, 1, 0.9, 0.0, 0.9, 0.0),
    (400, 2, 1, 0.8, 0.02, 0.7, 0.1),
    (2000, 1, 1, 0.9, 0.02, 0.9, 0.0),
    (400, 2, 1, 0.8, 0.05, 0.7, 0.1),
    (400, 2, 3, 0.8, 0.12, 0.7, 0.1),
    (1000, 1, 1, 0.9, 0.2, 0.7, 0.0),
    (100, 1, 1, 0.9, 0.0, 0.7, 0.0),
    (150, 2, 2, 0.7, 0.0, 0.6, 0.1),
    (300, 1, 1, 0.8, 0.0, 0.5, 0.0),
    (200, 4, 3, 0.85, 0.0, 0.6, 0.2),
    (800, 1, 1, 0.7, 0.0, 0.5, 0.0),
    (300, 1, 3, 0.6, 0.08, 0.5, 0.0),
    (150, 3, 2, 0.9, 0.05, 0.8, 0.15),
    (80, 1, 1, 0.85, 0.1, 0.7, 0.0),
    (250, 3, 1, 0.8, 0.04, 0.6, 0.2),
]


def words(clean, noisy, look):
    """The words for each set and condition at a look, as `verdict` finds them, but for many sets.

    With them come the differences, and half the widths of their intervals.

    `clean` is of shape (sets, originals); `noisy` has two axes more, conditions and versions.
    """
    change = (noisy.astype(int) - clean[:, :, None, None]).mean(axis=3).swapaxes(1, 2)
    low, high = bounded_limits(change, level=look.level)
    tails = [[look.p_value(one) for one in each] for each in bounded_p_values(change)]
    small = np.array([benjamini_hochberg(each) for each in tails]) < 0.05
    found = np.where(low >= -MARGIN, "no worse", "undecided")
    found = np.where(small & (high < 0), "worse", np.where(small & (low > 0), "better", found))
    found = np.where((low >= -MARGIN) & (high <= MARGIN), "robust", found)
    return found, change.mean(axis=2), (high - low) / 2


def check(clean, noisy, found):
    """Compare the words of some sets with those of `verdict`."""
    for at in range(10):
        conditions = verdict_of(clean[at], noisy[at], look=Look(5, 5)).conditions[: noisy.shape[2]]
        assert [one.verdict for one in conditions] == found[at].tolist(), at


def stopped(clean, noisy, looks, closes=False):
    """The words at which asking stops, and the share of the originals that were asked.

    Where it `closes`, it stops also where there is little to find, as `perturb run` does.
    """
    sets, originals = clean.shape
    ends, asked = np.full((sets, noisy.shape[2]), "undecided"), np.ones(sets)
    going = np.arange(sets)
    for number, look in enumerate(looks, 1):
        count = -(-originals * number // len(looks))
        ends[going], *where = words(clean[going, :count], noisy[going, :count], look)
        asked[going] = count / originals
        goes_on = ends[going] == "undecided"
        if closes and 1 < number < len(looks) and count >= FEW:
            ahead = np.vectorize(lambda *each, to=(count, look, MARGIN): chance_ahead(*each, *to))
            goes_on &= ahead(*where) >= LEAST_CHANCE
        going = going[goes_on.any(axis=1)]
        if not going.size:
            break
    return ends, asked


def until(rng, sets, originals, versions, conditions, accuracy, loss, shared, alike):
    """What becomes of sets of a system of which every condition loses as much."""
    rest = versions, conditions, accuracy, [loss] * conditions, shared, alike
    clean, noisy = map(
        np.array, zip(*(drawn(rng, originals, *rest) for _ in range(sets)), strict=True)
    )
    check(clean, noisy, words(clean, noisy, Look(5, 5))[0])
    looks, every = [Look(number, 5) for number in range(1, 6)], words(clean, noisy, Look())[0]
    ways = [stopped(clean, noisy, looks, closes) for closes in (True, False)]
    lax, _ = stopped(clean, noisy, [Look()] * 5)
    wrong = ["robust", "better", "no worse"] if loss else ["worse", "better"]
    cases = zip(("", " at once", " of lax looks"), (ways[0][0], every, lax), strict=True)
    row = {f"false{name}": np.isin(found, wrong).any(axis=1).mean() for name, found in cases}
    for name, (found, asked) in zip(("", " if it goes on"), ways, strict=True):
        row[f"worse{name}"] = (found == "worse").mean()
        row[f"decided{name}"] = (found != "undecided").mean()
        row |= {f"asked{name}": asked.mean(), f"median asked{name}": np.median(asked)}
    return {name: round(float(figure), 4) for name, figure in row.items()}


def summary(found):
    """The figures of all systems that lose nothing, and the worst of the others."""
    if not found["until"]:
        return {}
    rows = found["until"].values()
    null = [row for name, row in found["until"].items() if "loss 0.0," in name]
    lost = [row["worse if it goes on"] - row["worse"] for row in rows if row not in null]
    return {
        "median of what is asked where nothing is lost": np.median(
            [r["median asked"] for r in null]
        ),
        "mean of it": round(float(np.mean([row["asked"] for row in null])), 4),
        "most losses missed by stopping": round(max(lost), 4),
        "most false words": max(row["false"] for row in rows),
    }


def power(rng, sets, originals, versions, conditions, accuracy, loss, shared, alike):
    """The promises for the first condition, which alone loses, and what is delivered."""
    rest = versions, conditions, accuracy, [loss] + [0.0] * (conditions - 1), shared, alike
    goal = Goal("worse" if loss else "robust", loss, MARGIN)

    def sample(count):
        return verdict_of(*drawn(rng, count, *rest))

    def promised(count):
        return chance(designs_of(sample(count))[0][0], goal, originals)

    found = [sample(originals).conditions[0].verdict == goal.verdict for _ in range(sets)]
    pilots = np.quantile([promised(PILOT) for _ in range(PILOTS)], [0.1, 0.5, 0.9])
    return {
        "verdict": goal.verdict,
        "delivered": round(float(np.mean(found)), 3),
        "promised": round(promised(60_000), 3),
        "promised by pilots": pilots.round(2).tolist(),
    }


# Originals and versions, and the options of `tolerance_coverage.typical`.
WIDTHS = [
    (1600, 1, {"rate": 1.0}),
    (2500, 1, {"rate": 0.5}),
    (2200, 1, {"rate": 1.5, "right": 0.7, "gain": 0.5}),
    (1000, 3, {"rate": 0.5, "spread": 3.0}),
]


def width(rng, sets, originals, versions, options):
    """The share of sets with a narrow interval, and the promise from 100,000 originals."""
    true = tolerance.truth_of(tolerance.typical, options)
    clean, answers = tolerance.typical(rng, (1, 100_000, max(versions, 2)), **options)
    at = int(np.searchsorted(tolerance.P, true))  # the next strength, in proportion
    turned = (answers[..., at] != clean[..., 0])[0] * 1.0
    share, alike = turned.mean(), np.corrcoef(turned[:, 0], turned[:, 1])[0, 1]
    flips = share * true / tolerance.P[at]
    design = Design("", float(clean.mean()), float(flips), max(0.0, float(alike)), versions)
    clean, answers = tolerance.typical(rng, (sets, originals, versions), **options)
    found = [
        crossing_interval(curve, tolerance.LOSS)
        for curve in tolerance.curves(interval(clean, answers))
    ]
    low, high = np.nan_to_num(np.array(found, float), nan=np.inf).T
    return {
        "delivered": round(float(np.mean(high - low <= true / 2)), 3),
        "promised": round(chance(design, Goal("tolerance", tolerance.LOSS, 0.5), originals), 3),
    }


def named(simulated, designs):
    """Return designs by what they are, which the names of arguments tell."""
    _, _, *names = signature(simulated).parameters
    labels = [", ".join(map("{} {}".format, names, design)) for design in designs]
    kind = simulated.__name__
    return {
        f"{kind}: {label}": (simulated, *design)
        for label, design in zip(labels, designs, strict=True)
    }


if __name__ == "__main__":
    rows = (power, DESIGNS), (until, UNTIL), (width, WIDTHS)
    tables = {simulated.__name__: named(simulated, designs) for simulated, designs in rows}
    simulate(__doc__, "planning", tables, 1000, 20240501, summary)
