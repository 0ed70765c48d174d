"""What a character costs as p, texts and the number of steps grow, and in other scripts.

Run it as `python benchmarks/scaling.py [--data FILE.jsonl --field NAME] [--rounds 5]`.
"""

import random
import statistics
import sys
from itertools import islice

from common import CORPUS, FOLDER, Run, in_turns, options, started, started_on, versions_of

import perturb
from perturb.resources import parse

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
SCRIPTS = {"en": "Latin", "ru": "Cyrillic", "ar": "Arabic", "hi": "Devanagari", "zh": "Han"}
LISTS = {
    "perturb": "apply(list) keyboard_typos",
    "glitchlings": "Typogre(list)",
    "textnoisr": "CharNoiseAugmenter, each of a list",
    "nlpaug": "KeyboardAug(list)",
}
TEXTS = 2500
CALLS, PATIENCE = 200, 1.0  # so many calls a turn at most; so many seconds for one


def main():
    run = Run(options(__doc__, *CORPUS, rounds=5))
    rounds = run.args.rounds
    with run.corpus() as (data, texts):
        if (size := sum(map(len, texts))) < TOTAL:
            sys.exit(f"the corpus must have {TOTAL:,} characters; got {size:,}: raise --megabytes")
        with started(OVER_LENGTH, data, run.args.field) as sides:
            lengths = over_length(sides, rounds)
    texts = texts[:TEXTS]
    shares = {step: {str(p): (step, p) for p in SHARES} for step in STEPS}
    chains = {str(number): (["keyboard_typos"] * number, 0.05) for number in NUMBERS}
    run.write(
        "scaling",
        versions_of(sides),
        over_p=over(texts, shares, rounds),
        over_steps=over(texts, {"keyboard_typos": chains}, rounds),
        over_length=lengths,
        over_scripts={script: over_script(code, rounds) for code, script in SCRIPTS.items()},
    )


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
            calls = side.filling(operation, kind, most, length, fewest=1)
        yield kind, calls, length


def over_script(language, rounds):
    """Nanoseconds a character of lists in a script, and the share of texts that changed."""
    texts = list(islice(texts_in(language), TEXTS))
    with started_on(LISTS, [{"text": text} for text in texts]) as sides:
        numbers = [side.filling(LISTS[side.name], "list", TEXTS) for side in sides]
        taken = {side.name: [] for side in sides}
        for _ in range(rounds):
            for side, number in zip(sides, numbers, strict=True):
                _, cpu = side.seconds(LISTS[side.name], "list", number)
                taken[side.name].append(cpu / sum(map(len, texts[:number])) * 1e9)
        judged = texts[:CALLS]
        made = {side.name: side.make(LISTS[side.name], judged, 0) for side in sides}
    return {
        name: {
            "ns": round(min(costs), 2),
            "changed": sum(map(str.__ne__, made[name], judged)) / CALLS,
        }
        for name, costs in taken.items()
    }


def texts_in(language):
    """Texts of some 120 characters, made of sentences of a language and new numbers."""
    draw = random.Random(0)
    rows = parse(FOLDER.parent / "tests/lexicon/languages.tsv")
    sentences = [text for code, text in rows if code == language]
    while True:
        text = ""
        while len(text) < 120:
            text += f"{draw.choice(sentences)} {draw.randrange(1000)} "
        yield text.strip()


if __name__ == "__main__":
    main()
