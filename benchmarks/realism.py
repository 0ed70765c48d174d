"""How far made errors are from real ones, and two halves of real ones from each other.

    python benchmarks/realism.py FILE [--step STEP ...] [--peers KIND] [--splits 3]

Each row of the file is a clean and a noisy text (`clean`, `noisy`; TSV, CSV, JSON lines, Parquet).
Each split has two halves: noise is fitted to one, each step is made at its share of characters and
its spread, on the clean texts of the other, and held against the errors there. Peers make theirs as
`sides.py` says: typos, ocr or homophones. Figures are means over the splits, each taken both ways.
On real halves AUC should be near 0.5; no step can be nearer than these.
"""

import argparse
import json
import tempfile
from pathlib import Path

import numpy as np
from common import started_on

import perturb
from perturb.fitting.counts import counted
from perturb.fitting.distance import distance
from perturb.fitting.pairs import align
from perturb.io.inputs import open_input
from perturb.rng import key64

STEPS = ("human_typos", "typo_mix", "keyboard_typos")
FEWEST = 200
PEERS = ("nlpaug_read", "glitchlings_read")


def pairs_of(path):
    """Return the clean and the noisy texts of a file."""
    rows = [row for _, row in open_input(path, None).rows()]
    return [[row[field] for row in rows] for field in ("clean", "noisy")]


def halves(pairs, split):
    """Return two halves of pairs; equal clean texts are in the same one."""
    is_first = [key64("half", text, split) % 2 for text in pairs.clean]
    return [pairs.part([row for row, n in enumerate(is_first) if n == half]) for half in (0, 1)]


def distances(fitted, held, steps, peers, file):
    """Return how far from the held pairs the fitted ones are, and each step with their rates."""
    noise = counted(fitted)
    file.write_text(json.dumps(noise), "utf-8")
    far = [distance(held, fitted)]
    for step in (f"fitted:file={file}", *steps):
        full = f"{step}{',' if ':' in step else ':'}p={noise['rate']},spread={noise['spread']}"
        made = [str(record) for record in perturb.apply(held.clean, full, seed=1)]
        far.append(distance(held, align(held.clean, made)))
    of_peers = [[made[text] for text in held.clean] for made in peers.values()]
    return far + [distance(held, align(held.clean, made)) for made in of_peers]


def made_by_peers(texts, kind):
    """Return what each peer makes of the texts."""
    with started_on(PEERS, [{"text": text, "tags": {}} for text in texts]) as sides:
        return {
            name.partition(": ")[2]: side.make(name, texts, 1)
            for side in sides
            for name in side.makers
            if name.startswith(f"{kind}: ")
        }


def main():
    """Print a row for real halves, for noise fitted to one half, and for each step."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file")
    parser.add_argument("--step", nargs="+", default=STEPS)
    parser.add_argument("--peers")
    parser.add_argument("--splits", type=int, default=3)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        pairs = align(*pairs_of(args.file))
        if len(pairs.changes) < FEWEST:
            parser.error(f"halves need {FEWEST} edits; the pairs have {len(pairs.changes)}")
        made = made_by_peers(pairs.clean, args.peers) if args.peers else {}
        peers = {name: dict(zip(pairs.clean, texts, strict=True)) for name, texts in made.items()}
        rows = [
            distances(*some, args.step, peers, Path(folder) / "noise.json")
            for split in range(args.splits)
            for both in [halves(pairs, split)]
            for some in (both, both[::-1])
        ]
    print(f"{len(pairs.clean)} pairs, {len(pairs.changes)} edits, {len(rows)} comparisons")
    means, spreads = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1)
    names = "real halves", "fitted", *args.step, *peers
    for name, far, off in zip(names, means, spreads, strict=True):
        kinds, edits, auc = (f"{m:.2f} ± {s:.2f}" for m, s in zip(far, off, strict=True))
        print(f"| `{name}` | {kinds} | {edits} | {auc} |")


if __name__ == "__main__":
    main()
