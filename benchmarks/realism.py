"""How far made errors are from real ones, and two halves of real ones from each other.

    python benchmarks/realism.py [--pairs FILE] [--step STEP ...] [--splits 3]

Each row of the file is a clean and a noisy text (`clean`, `noisy`; TSV, CSV, JSON lines, Parquet).
Without one, git fetches NoiseQA's questions, as people typed them. Each split has two halves: noise
is fitted to one, each step is made at its share of characters and its spread, on the clean texts of
the other, and held against the errors there. Figures are means over the splits, each taken both
ways. On real halves AUC should be near 0.5; no step can be nearer than these.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np

import perturb
from perturb.fitting.counts import counted
from perturb.fitting.distance import distance
from perturb.fitting.pairs import align
from perturb.io.inputs import open_input
from perturb.rng import key64

STEPS = ("human_typos", "typo_mix", "keyboard_typos")
SOURCE, COMMIT = "https://github.com/noiseQA/NoiseQA", "25c49ce"
FEWEST = 200
CLEAN, TYPED = "xquad-context-en-question-en", "xquad-keyboard-natural"


def typed_questions(folder):
    """Return the questions of NoiseQA, which git fetches, and the same as they were typed."""
    subprocess.run(["git", "clone", "--quiet", SOURCE, folder], check=True)
    subprocess.run(["git", "-C", folder, "checkout", "--quiet", COMMIT], check=True)
    sides = []
    for name in (CLEAN, TYPED):
        text = (Path(folder) / "Natural" / f"{name}.json").read_text("utf-8")
        parts = [part for page in json.loads(text)["data"] for part in page["paragraphs"]]
        sides.append({row["id"]: row["question"] for part in parts for row in part["qas"]})
    ids = sorted(sides[0].keys() & sides[1].keys())
    return [[side[key] for key in ids] for side in sides]


def pairs_of(path):
    """Return the clean and the noisy texts of a file."""
    rows = [row for _, row in open_input(path, None).rows()]
    return [[row[field] for row in rows] for field in ("clean", "noisy")]


def halves(pairs, split):
    """Return two halves of pairs; equal clean texts are in the same one."""
    is_first = [key64("half", text, split) % 2 for text in pairs.clean]
    return [pairs.part([row for row, n in enumerate(is_first) if n == half]) for half in (0, 1)]


def distances(fitted, held, steps, file):
    """Return how far from the held pairs the fitted ones are, and each step with their rates."""
    noise = counted(fitted)
    file.write_text(json.dumps(noise), "utf-8")
    far = [distance(held, fitted)]
    for step in (f"fitted:file={file}", *steps):
        full = f"{step}{',' if ':' in step else ':'}p={noise['rate']},spread={noise['spread']}"
        made = [str(record) for record in perturb.apply(held.clean, full, seed=1)]
        far.append(distance(held, align(held.clean, made)))
    return far


def main():
    """Print a row for real halves, for noise fitted to one half, and for each step."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs")
    parser.add_argument("--step", nargs="+", default=STEPS)
    parser.add_argument("--splits", type=int, default=3)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        texts = pairs_of(args.pairs) if args.pairs else typed_questions(f"{folder}/NoiseQA")
        pairs = align(*texts)
        if len(pairs.changes) < FEWEST:
            parser.error(
                f"halves need at least {FEWEST} edits; the pairs have {len(pairs.changes)}"
            )
        rows = [
            distances(*some, args.step, Path(folder) / "noise.json")
            for split in range(args.splits)
            for both in [halves(pairs, split)]
            for some in (both, both[::-1])
        ]
    print(f"{len(pairs.clean)} pairs, {len(pairs.changes)} edits, {len(rows)} comparisons")
    means, spreads = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1)
    for name, far, off in zip(("real halves", "fitted", *args.step), means, spreads, strict=True):
        kinds, edits, auc = (f"{m:.2f} ± {s:.2f}" for m, s in zip(far, off, strict=True))
        print(f"| `{name}` | {kinds} | {edits} | {auc} |")


if __name__ == "__main__":
    main()
