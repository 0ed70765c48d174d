"""The time that each perturbator takes, as a multiple of that of keyboard_typos, in one run.

Run it as `python benchmarks/catalogue.py [--data FILE.jsonl --field NAME] [--rounds 7]`.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np
from common import load, machine, write_corpus, write_result

import perturb

CAVEATS = """\
- Each turn of a perturbator follows one of keyboard_typos on the same list of texts, both by the
  clock of the processor; the figure is the median ratio of the turns.
- p is 0.05 of each perturbator's own units. Where the texts hold no site, only the search for one
  is measured; the edits in a thousand characters say where that is so.
- "own" is the same on the perturbator's example, 1000 times, at p = 0.5 for both: short texts full
  of sites, such as multiple-choice questions for option_shuffle.
"""
BASE, P, OWN_P, OWN_TEXTS = "keyboard_typos", 0.05, 0.5, 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", help="a JSONL file; default: rows made of the examples")
    parser.add_argument("--field", default="question")
    parser.add_argument("--megabytes", type=float, default=1, help="so much of the file")
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        texts = write_corpus(Path(folder, "corpus.jsonl"), args.data, args.field, args.megabytes)
    before = load()
    rows = {name: {"edits": edits(name, texts), "ratio": [], "own": []} for name in perturb.names()}
    for _ in range(args.rounds):
        for name, row in rows.items():
            own = [perturb.describe(name)["example"]] * OWN_TEXTS
            base = seconds(BASE, texts, P)
            row["ratio"].append(seconds(name, texts, P) / base)
            base = seconds(BASE, own, OWN_P)
            row["own"].append(seconds(name, own, OWN_P) / base)
    for row in rows.values():
        row |= {kind: round(statistics.median(row[kind]), 2) for kind in ("ratio", "own")}
    rows = dict(sorted(rows.items(), key=lambda item: -item[1]["ratio"]))
    print(f"{'perturbator':<18}   time    own  edits")
    for name, row in rows.items():
        print(f"{name:<18}  {row['ratio']:5.2f}  {row['own']:5.2f}  {row['edits']:5.1f}")
    print(f"\n{CAVEATS}")
    about = {
        "machine": machine(),
        "load": [before, load()],
        "versions": {"perturb": perturb.__version__, "numpy": np.__version__},
        "corpus": {
            "source": Path(args.data).name if args.data else "made of the examples",
            "texts": len(texts),
            "characters": sum(map(len, texts)),
        },
    }
    write_result("catalogue", {**about, "rounds": args.rounds, "perturbators": rows})


def seconds(name, texts, p):
    """The processor time of one perturbator on all texts."""
    start = time.process_time()
    perturb.apply(texts, name, p=p)
    return time.process_time() - start


def edits(name, texts):
    """The edits in a thousand characters; counting them warms the perturbator up as well."""
    records = perturb.apply(texts, name, p=P)
    return round(1000 * sum(len(one.edits) for one in records) / sum(map(len, texts)), 1)


if __name__ == "__main__":
    main()
