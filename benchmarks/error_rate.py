"""Which character error rates `typo_mix` reaches, and where the constants of its formula come from.

    python benchmarks/error_rate.py [--data FILE.jsonl] [--field question] [--fit]

The rate is rapidfuzz's Levenshtein distance over the length, both summed over the texts that have
a site at all. `--fit` fits the constants by least squares to mixes with random weights, and says
how far off those in use are.
"""

from itertools import product

import numpy as np
from common import EXAMPLES, Run, options, rows_of
from rapidfuzz.distance import Levenshtein

import perturb
from perturb.perturbators.letters.typos import SAVED, cost

REPLICATES = 50
RATES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
MIXES = {
    "as it comes": {},
    "keys of the layout us": {"layout": "us"},
    "all alike": dict.fromkeys(("insert", "delete", "substitute", "swap", "repeat"), 1.0),
    "insert, delete, substitute": {"swap": 0.0, "repeat": 0.0},
    "swap alone": {"insert": 0.0, "delete": 0.0, "substitute": 0.0, "repeat": 0.0},
    "swap half": {"swap": 0.9},
}


def reached(texts, p, weights):
    """Edits a character and the error rate."""
    step = perturb.steps.typo_mix(p, **weights)
    records = perturb.apply(texts, step, seed=0, id=list(range(len(texts))))
    size = sum(map(len, texts))
    edits = sum(record.steps[0].edits for record in records)
    distance = sum(Levenshtein.distance(record.original, record.text) for record in records)
    return edits / size, distance / size


def deviations(texts):
    """By how much, in percent of p, the rate of each mix is off."""
    return {
        name: {str(p): round(100 * (reached(texts, p, mix)[1] / p - 1), 3) for p in RATES}
        for name, mix in MIXES.items()
    }


def fit(texts):
    """Print the constants, and what the formula is off by."""
    draw = np.random.default_rng(0)
    kinds = ("insert", "delete", "substitute", "swap", "repeat")
    drawn = np.vstack([draw.dirichlet([0.6] * len(kinds), 60), np.eye(len(kinds))])
    mixes = [dict(zip(kinds, map(float, each), strict=True)) for each in drawn]
    left, right = [], []
    for weights, p in product(mixes, (0.05, 0.1, 0.2, 0.3)):
        edits, rate = reached(texts, p, weights)
        pairs = [weights[first] * weights[second] for first, second in SAVED]
        left.append(np.array(pairs) * edits**2 / rate)
        right.append(cost(**weights)[0] * edits / rate - 1)
    fitted = np.linalg.lstsq(np.array(left), np.array(right))[0]
    for (pair, now), constant in zip(SAVED.items(), fitted, strict=True):
        print(f"{' and '.join(pair):22} {constant:.2f} (in use: {now})")
    off = np.array(left) @ list(SAVED.values()) - right
    print(
        f"the rate is off by {100 * off.std():.2f} % of itself, {100 * abs(off).max():.1f} at most"
    )


def main():
    parser = options(__doc__, "field", data=EXAMPLES)
    parser.add_argument("--fit", action="store_true", help="fit the constants")
    run = Run(parser)
    rows = [row[run.args.field] for row in rows_of(run.args.data)]
    texts = [record.original for record in perturb.apply(rows, "typo_mix", p=0.0) if record.sites]
    print(f"{len(texts)} texts; {len(rows) - len(texts)} without a letter of an alphabet left out")
    texts *= -(-REPLICATES * 100 // len(texts))
    if run.args.fit:
        fit(texts)
    else:
        versions = {"perturb": perturb.__version__}
        run.write("error_rate", versions, texts=len(texts), off_by_percent_of_p=deviations(texts))


if __name__ == "__main__":
    main()
