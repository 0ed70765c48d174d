"""What the simulations share: one loop over tables of designs, and systems that are judged."""

import json

import numpy as np
from common import options, read_result, write_result

from perturb.robustness.linking.conditions import Condition
from perturb.robustness.measures.findings import ALL
from perturb.robustness.measures.metric import SCORE
from perturb.robustness.metrics.bounded import bounded_limits
from perturb.robustness.pairs.columns import CHANGED, CLEAN, Columns
from perturb.robustness.pairs.join import join
from perturb.robustness.pairs.selection import apart
from perturb.robustness.scoring.verdict import verdict

METRICS = {"score": SCORE}


def simulate(doc, name, tables, sets, seed, summary=None):
    """Simulate every design, print its figures, and store all of them.

    Args:
        doc: of the script, whose first line is its help.
        name: of the result.
        tables: for each title its designs by name: a function that takes a generator of random
            numbers, a number of sets and more, and returns figures by name; and the more.
        sets: of each design, where `--sets` does not say otherwise.
        seed: each design has a generator of its own, so that `--only` gives the same figures.
        summary: makes figures of the tables, which are stored before them.
    """
    parser = options(doc)
    parser.add_argument("--sets", type=int, default=sets)
    parser.add_argument("--only", default="", help="designs whose name begins so; others stay")
    args = parser.parse_args()
    stored = read_result(name) if args.only else {}
    figures = {title: stored.get(title, {}) for title in tables}
    every = [(title, label) for title, designs in tables.items() for label in designs]
    for at, (title, label) in enumerate(every):
        if label.startswith(args.only):
            simulated, *rest = tables[title][label]
            row = simulated(np.random.default_rng([seed, at]), args.sets, *rest)
            row = figures[title][label] = {"sets": args.sets, **row}
            print(f"{label:40} {json.dumps(row)}", flush=True)
    head = {"summary": summary(figures)} if summary else {}
    print(json.dumps(head, indent=1) if head else "")
    ordered = {
        title: {label: figures[title][label] for label in designs if label in figures[title]}
        for title, designs in tables.items()
    }
    write_result(name, head | ordered)


def interval(before, after, level=0.95):
    """Return the mean loss and the limits of its interval, as scoring does, for many sets at once.

    Args:
        before: clean scores, of shape (sets, originals, 1, 1).
        after: scores of (sets, originals, versions, strengths); figures are by set and strength.
        level: that of the interval.
    """
    change = (after.astype(float) - before).mean(axis=2).swapaxes(1, 2)
    low, high = bounded_limits(change, level=level)
    return -change.mean(axis=2), -high, -low


def covered(limits, truth):
    """Return the share of sets whose interval holds the truth, be it at the end of the possible."""
    return round(float(np.mean((limits[0] <= truth + 1e-9) & (truth - 1e-9 <= limits[1]))), 4)


def right(answer):
    """Return the scores of answers: 1 where they are 1."""
    return (answer == 1).astype(float)[:, None]


def noises(count):
    """Return so many conditions that keep the answer."""
    return [Condition(f"noise{at}", 0.1, "") for at in range(count)]


def joined(clean, *conditions, scores=right, **columns):
    """Join answers with those to the originals, ready to be judged.

    Args:
        clean: the answer to each original.
        conditions: for each its `Condition`, its answers by original and version, -1 for a version
            that there is not, and whether its rows have edits.
        scores: of answers; a person's, NaN for none, stands behind the other.
        columns: further ones of the table, such as `look`, or in place of these, such as `state`.
    """
    parts = [(CLEAN, clean[:, None], 0)]
    parts += [(at, each, 0 if edited else 1) for at, (_, each, edited) in enumerate(conditions)]
    every = []
    for at, answers, reason in parts:
        original, version = np.nonzero(answers >= 0)
        same = (np.full(version.size, value) for value in (at, reason))
        every.append((original, version, *same, answers[original, version]))
    original, version, condition, reason, answer = map(np.concatenate, zip(*every, strict=True))
    rows, versions = original.size, int(version.max()) + 1
    table = {
        "original": original.astype(np.int32),
        "version": version.astype(np.int32),
        "condition": condition,
        "reason": reason + CHANGED,
        "answer": answer.astype(np.int32) + 1,
        "scores": scores(answer),
        "state": np.zeros(rows, np.uint8),
        "damage": np.zeros(rows, np.uint8),
        "edits": (1 - reason).astype(np.uint16),
        "originals": np.arange(1, clean.size + 1, dtype=np.uint64),
        "versions": np.arange(1, versions + 1, dtype=np.uint64) << np.uint64(32),
        "samples": np.zeros(versions, np.int32),
        "conditions": [each[0] for each in conditions],
        "reasons": ["", "control"],
        "proof": np.zeros(rows, np.uint64),
        "right": np.zeros(rows, np.uint64),
    }
    table = Columns(**{**table, **columns})
    return apart(join(table, []), 1)


def judged(*answers, **columns):
    """Judge answers, as the verdict; see `joined`."""
    return verdict(joined(*answers, **columns), METRICS)


def findings(found):
    """Return the findings on all rows that are judged, that over all conditions among them."""
    each = [*found.conditions, *found.overall[: len(found.conditions) > 1]]
    return [one for one in each if one.scope == ALL and one.verdict != "control"]
