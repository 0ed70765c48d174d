"""What every perturbator costs in costs of keyboard_typos, and what the kernels in C gain.

Run it as `python benchmarks/perturbators.py [--data FILE.jsonl --field NAME] [--rounds 5]
[--names NAME ...]`; with names nothing is stored.
"""

import statistics
from operator import truediv

from common import CORPUS, Run, in_turns, options, show, size_of

import perturb
from perturb.engine.native import binding

BASE, P = "keyboard_typos", 0.05
TEXTS = 2500
OPTIONS = "\nA) {}\nB) the half of it\nC) none\nD) one more than that"


def main():
    parser = options(__doc__, *CORPUS, rounds=5)
    parser.add_argument("--names", nargs="+", help="of perturbators; default: all")
    run = Run(parser)
    if binding.LIBRARY is None:
        raise SystemExit("there are no kernels: run python perturb/engine/native/build.py")
    with run.corpus(TEXTS) as (_, texts):
        rows = [cost(name, texts, run.args.rounds) for name in run.args.names or perturb.names()]
    rows.sort(key=lambda row: -row["ratio"])
    if run.args.names:
        show("rows", rows)
    else:
        run.write("perturbators", {"perturb": perturb.__version__}, rows=rows)


def cost(name, texts, rounds):
    """The cost of a perturbator beside BASE, on texts and with options, and without kernels."""
    asking = [text + OPTIONS.format(number) for number, text in enumerate(texts)]
    turns = {
        "base": perturbing(texts, BASE),
        "own": perturbing(texts, name),
        "base with options": perturbing(asking, BASE),
        "with options": perturbing(asking, name),
    }
    by_numpy = without_kernels(turns["own"])
    if turns["own"]() != by_numpy():
        raise SystemExit(f"{name}: not the same with the kernels and without")
    taken = in_turns(turns, rounds)
    # Apart, since what runs next to it takes longer.
    beside = in_turns({"own": turns["own"], "NumPy": by_numpy}, rounds)

    def ratio(one, other, of=taken):
        return round(statistics.median(map(truediv, of[one], of[other])), 2)

    return {
        "name": name,
        "ratio": ratio("own", "base"),
        "with_options": ratio("with options", "base with options"),
        "mb_per_s": round(size_of(texts) / 1e6 / statistics.median(taken["own"]), 1),
        "kernels_gain": ratio("NumPy", "own", beside),
    }


def perturbing(texts, name):
    return lambda: [str(record) for record in perturb.apply(texts, name, p=P)]


def without_kernels(work):
    """The same work by NumPy alone."""

    def by_numpy():
        kernels, binding.LIBRARY = binding.LIBRARY, None
        try:
            return work()
        finally:
            binding.LIBRARY = kernels

    return by_numpy


if __name__ == "__main__":
    main()
