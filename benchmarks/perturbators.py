"""What every perturbator costs a character, in costs of keyboard_typos, in one run.

Run it as `python benchmarks/perturbators.py [--data FILE.jsonl --field NAME] [--rounds 5]`.
"""

import statistics

from common import (
    corpus,
    corpus_arguments,
    corpus_of,
    facts,
    in_turns,
    load,
    show,
    size_of,
    write_result,
)

import perturb

CAVEATS = """\
- Lists of texts at p = 0.05, with the edits kept as arrays, on one thread; each perturbator in
  turn, by the clock of the processor. The ratio is the median over the rounds, each divided by the
  mean of the two turns of keyboard_typos around it.
- p is a share of each perturbator's own units, so that they write more or less, and some find no
  place at all in such texts (option_shuffle, example_shuffle): theirs is the cost of looking.
- README.md beside this script gives a reason for each that costs more than 4 times as much.
"""
BASE, P = "keyboard_typos", 0.05
TEXTS = 2500


def main():
    args = corpus_arguments(__doc__, rounds=5)
    before = load()
    with corpus(args) as (_, texts):
        texts = texts[:TEXTS]
    rows = compared(texts, args.rounds)
    versions = {"perturb": perturb.__version__}
    about = facts(before, versions, corpus=corpus_of(args, texts), rounds=args.rounds)
    print(CAVEATS)
    show(about)
    for row in rows:
        marks = "  with changes in no text" if not row["changed"] else ""
        print(f"{row['name']:20} x {row['ratio']:6.2f} {row['mb_per_s']:8.1f} MB/s{marks}")
    write_result("perturbators", {**about, "rows": rows})


def compared(texts, rounds):
    """The cost of each perturbator beside that of BASE before and after it."""

    def work(name):
        return lambda: [str(record) for record in perturb.apply(texts, name, p=P)]

    rows, megabytes = [], size_of(texts) / 1e6
    for name in perturb.names():
        changed = sum(record.status == "changed" for record in perturb.apply(texts, name, p=P))
        taken = in_turns({"before": work(BASE), name: work(name), "after": work(BASE)}, rounds)
        ratios = (
            [
                2 * own / (before + after)
                for before, own, after in zip(
                    taken["before"], taken[name], taken["after"], strict=True
                )
            ]
            if name != BASE
            else [1.0]
        )
        rows.append(
            {
                "name": name,
                "ratio": round(statistics.median(ratios), 2),
                "mb_per_s": round(megabytes / statistics.median(taken[name]), 1),
                "changed": changed,
            }
        )
    return sorted(rows, key=lambda row: -row["ratio"])


if __name__ == "__main__":
    main()
