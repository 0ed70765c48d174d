"""What a character costs as p, texts and the number of steps grow, in tiny texts or a huge one.

Run it as `python benchmarks/scaling.py [--data FILE.jsonl --field NAME] [--rounds 5]`.
"""

import statistics
import sys

from common import CORPUS, Run, in_turns, line, options, started, versions_of

import perturb

SHARES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
STEPS = ("keyboard_typos", "word_delete", "synonym")
NUMBERS = (1, 2, 4, 8)
LENGTHS = (20, 100, 1_000, 10_000, 100_000, 1_000_000)
TOTAL = LENGTHS[-1]
OVER_LENGTH = {
    "perturb": ("apply(str) keyboard_typos", "apply(list) keyboard_typos"),
    "nlpaug": ("KeyboardAug(str)",),
    "glitchlings": ("Typogre(str)", "Typogre(list)"),
    "textnoisr": ("CharNoiseAugmenter(str)",),
}
TEXTS = 2500
# So many calls a turn at most, and about so long.
CALLS, SECONDS, PATIENCE = 200, 0.2, 1.0


def main():
    run = Run(options(__doc__, *CORPUS, rounds=5))
    args = run.args
    with run.corpus() as (data, texts):
        if (size := sum(map(len, texts))) < TOTAL:
            sys.exit(f"the corpus must have {TOTAL:,} characters; got {size:,}: raise --megabytes")
        with started(OVER_LENGTH, data, args.field) as sides:
            lengths = over_length(sides, args.rounds)
    texts = texts[:TEXTS]
    shares = {step: {str(p): (step, p) for p in SHARES} for step in STEPS}
    chains = {str(number): (["keyboard_typos"] * number, 0.05) for number in NUMBERS}
    over_p = over(texts, shares, args.rounds)
    over_steps = over(texts, {"keyboard_typos": chains}, args.rounds)
    run.tell(versions_of(sides))
    report("p", SHARES, over_p)
    report("the steps", NUMBERS, over_steps)
    report("characters", LENGTHS, lengths)
    run.write("scaling", over_p=over_p, over_steps=over_steps, over_length=lengths)


def over(texts, rows, rounds):
    """Nanoseconds a character of the steps with the p in each cell of some rows."""

    def work(steps, p):
        return lambda: [str(record) for record in perturb.apply(texts, steps, p=p)]

    size = sum(map(len, texts))
    tried = {(row, at): work(*cell) for row, cells in rows.items() for at, cell in cells.items()}
    in_turns(tried, 1)
    taken = in_turns(tried, rounds)
    return {
        row: {at: round(statistics.median(taken[row, at]) / size * 1e9, 1) for at in cells}
        for row, cells in rows.items()
    }


def over_length(sides, rounds):
    """Nanoseconds a character of each operation at each length."""
    plans = [
        (side, operation, *request)
        for side in sides
        for operation in OVER_LENGTH[side.name]
        for request in planned(side, operation)
    ]
    taken = {operation: {} for _, operation, *_ in plans}
    for _ in range(rounds):
        for side, operation, kind, calls, length in plans:
            _, cpu = side.seconds(operation, kind, calls, length)
            size = length if kind == "each" else calls * length
            taken[operation].setdefault(str(length), []).append(cpu / size * 1e9)
    return {
        operation: {length: round(statistics.median(each), 1) for length, each in costs.items()}
        for operation, costs in taken.items()
    }


def planned(side, operation):
    """How to ask for each length, as long as patience lasts."""
    kind = "each" if "(str)" in operation else "list"
    for length in LENGTHS:
        calls = 1 if kind == "each" else TOTAL // length
        taken = max(side.seconds(operation, kind, calls, length))
        if taken > PATIENCE:
            return
        if kind == "each":
            most = min(CALLS, TOTAL // length)
            calls = side.filling(operation, kind, most, SECONDS, length, fewest=1)
        yield kind, calls, length


def report(what, steps, costs):
    print(f"\nns a character, over {what}:\n{line('', steps)}")
    for name, row in costs.items():
        cells = (row.get(str(step)) for step in steps)
        print(line(name, ("" if cell is None else f"{cell:.1f}" for cell in cells)))


if __name__ == "__main__":
    main()
