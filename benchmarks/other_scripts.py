"""What typos cost in texts of other scripts than Latin, beside other libraries, in one run.

Run it as `python benchmarks/other_scripts.py [--rounds 9]`.
"""

import random
from itertools import islice

from common import ENVIRONMENT, FOLDER, Run, line, options, started_on, versions_of

LANGUAGES = {"en": "Latin", "ru": "Cyrillic", "ar": "Arabic", "hi": "Devanagari", "zh": "Han"}
LISTS = {
    "perturb": "apply(list) keyboard_typos",
    "glitchlings": "Typogre(list)",
    "textnoisr": "CharNoiseAugmenter, each of a list",
    "nlpaug": "KeyboardAug(list)",
}
PLAIN = "perturb without kernels"
TEXTS, FEWER, LENGTH, JUDGED, SECONDS = 2000, 100, 120, 200, 0.5


def main():
    run = Run(options(__doc__, rounds=9))
    costs, versions = {}, {}
    for language, script in LANGUAGES.items():
        texts = list(islice(texts_in(language), TEXTS))
        rows = [{"text": text} for text in texts]
        ENVIRONMENT["PERTURB_NATIVE"] = "0"
        with started_on(["perturb"], rows) as plain:
            del ENVIRONMENT["PERTURB_NATIVE"]
            with started_on(LISTS, rows) as sides:
                named = {side.name: side for side in sides} | {PLAIN: plain[0]}
                costs[script] = measured(named, texts, run.args.rounds)
                versions |= versions_of(sides)
    run.tell(versions)
    print("\n" + line("ns a character, changed", costs, 26, 18))
    for name in [*LISTS, PLAIN]:
        cells = (by_name.get(name) for by_name in costs.values())
        shown = (f"{cell['ns']:.1f} {cell['changed']:>6.0%}" if cell else "" for cell in cells)
        print(line(name, shown, 26, 18))
    run.write("other_scripts", costs=costs)


def texts_in(language):
    """Texts of a language, made of those that its tests have."""
    draw = random.Random(0)
    table = (FOLDER.parent / "tests/lexicon/languages.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in table.splitlines() if not line.startswith("#"))
    sentences = [row[1] for row in rows if row[0] == language]
    while True:
        text = ""
        while len(text) < LENGTH:
            text += f"{draw.choice(sentences)} {draw.randrange(1000)} "
        yield text.strip()


def measured(sides, texts, rounds):
    """What a character costs on each side, and the share of texts that it changes."""
    plans, best = {}, {}
    for name, side in sides.items():
        operation = LISTS[side.name]
        plans[name] = operation, side.filling(operation, "list", TEXTS, SECONDS, fewest=FEWER)
    for _ in range(rounds):
        for name, (operation, number) in plans.items():
            _, cpu = sides[name].seconds(operation, "list", number)
            best[name] = min(cpu / sum(map(len, texts[:number])), best.get(name, cpu))
    costs, judged = {}, texts[:JUDGED]
    for name, side in sides.items():
        changed = sum(map(str.__ne__, side.make(LISTS[side.name], judged, 0), judged))
        costs[name] = {"ns": round(best[name] * 1e9, 2), "changed": changed / JUDGED}
    return costs


if __name__ == "__main__":
    main()
