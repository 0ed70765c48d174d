"""What every perturbator costs a character, in costs of keyboard_typos, in one run.

Run it as `python benchmarks/perturbators.py [--data FILE.jsonl --field NAME] [--rounds 5]`.
"""

import statistics

from common import CORPUS, Run, in_turns, options, size_of

import perturb

BASE, P = "keyboard_typos", 0.05
TEXTS = 2500
OPTIONS = "\nA) {}\nB) the half of it\nC) none\nD) one more than that"


def main():
    run = Run(options(__doc__, *CORPUS, rounds=5))
    with run.corpus(TEXTS) as (_, texts):
        rows = compared(texts, run.args.rounds)
    run.tell({"perturb": perturb.__version__})
    for row in rows:
        print(
            f"{row['name']:20} x {row['ratio']:6.2f} {row['mb_per_s']:8.1f} MB/s, "
            f"with options x {row['with_options']:6.2f}"
        )
    run.write("perturbators", rows=rows)


def compared(texts, rounds):
    """The cost of each perturbator beside that of BASE before and after it."""
    asking = [text + OPTIONS.format(number) for number, text in enumerate(texts)]
    rows = []
    for name in perturb.names():
        ratio, seconds = beside_base(texts, name, rounds)
        with_options, _ = beside_base(asking, name, rounds)
        speed = round(size_of(texts) / 1e6 / seconds, 1)
        rows.append({"name": name, "ratio": ratio, "with_options": with_options, "mb_per_s": speed})
    return sorted(rows, key=lambda row: -row["ratio"])


def beside_base(texts, name, rounds):
    """The cost of a perturbator in that of BASE, and its seconds."""

    def work(name):
        return lambda: [str(record) for record in perturb.apply(texts, name, p=P)]

    turns = {"before": work(BASE), "own": work(name), "after": work(BASE)}
    taken = in_turns(turns, rounds)
    ratios = [
        2 * own / (before + after) for before, own, after in zip(*taken.values(), strict=True)
    ]
    return round(statistics.median(ratios), 2), statistics.median(taken["own"])


if __name__ == "__main__":
    main()
