"""How fast words are replaced, beside nlpaug in the same run, and what the lexicon's parts cost.

Run it as `python benchmarks/lexicon_speed.py [--data FILE.jsonl --field NAME] [--rounds 7]`.
"""

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from common import Side, load, machine, write_corpus, write_result
from throughput import planned, size_of

from perturb.lexicon.candidates import candidates, rows
from perturb.lexicon.lookup import lookup
from perturb.lexicon.tagger import tag
from perturb.lexicon.words import read_words
from perturb.tables import path

CAVEATS = """\
- p is 0.2 of the words, of those that have a replacement at most; nlpaug's aug_p is 0.2 without
  caps. "changed" is the share of the characters other than white space that differ in 60 texts.
- nltk's tagger, whose model is not to be had, is replaced by one that calls every word a noun and
  costs nothing. That favours SynonymAug, which spends much of its time in it otherwise.
- The sides take turns, round by round, each in its own process and on one thread. Best and median
  are over the rounds, by the clock of the processor; MB are 10^6 bytes of the texts.
- The parts are of one thread, best of the rounds, in batches of 256 texts; finding the words is not
  counted. First uses are each of a process of its own after `import perturb` and a first call of
  another perturbator, with a warm disk cache.
"""
WORD = re.compile(r"\w+(?:['’-]\w+)*")
BATCH = 256
FIRST = """\
import sys, time, perturb
from perturb.lexicon import arrays
perturb.apply("A first text.", "char_swap", p=0.5)
start = time.process_time()
{}
print(time.process_time() - start)
"""
FIRST_USES = {
    "the lexicon": "arrays.load()",
    "synonym": 'perturb.apply("The big dog ran home.", "synonym", p=0.5)',
    "misspelling": 'perturb.apply("The big dog ran home.", "misspelling", p=0.5)',
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", help="a JSONL file; default: rows made of the examples")
    parser.add_argument("--field", default="question")
    parser.add_argument("--megabytes", type=float, default=4, help="so much of the file")
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    before = load()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder, "corpus.jsonl")
        texts = write_corpus(data, args.data, args.field, args.megabytes)
        versions, sides = compared(data, args.field, texts, args.rounds)
    result = {
        "machine": machine(),
        "load": [before, load()],
        "versions": versions | {"numpy": np.__version__},
        "corpus": {
            "source": Path(args.data).name if args.data else "made of the examples",
            "texts": len(texts),
            "megabytes": round(size_of(texts) / 1e6, 2),
        },
        "rounds": args.rounds,
        "rows": sides,
        "parts": parts(texts, args.rounds),
        "first_use_ms": {name: first_use(code, args.rounds) for name, code in FIRST_USES.items()},
        "lexicon_megabytes": round(path("english", "lexicon.npz").stat().st_size / 1e6, 2),
    }
    report(result)
    write_result("lexicon_speed", result)


def compared(data, field, texts, rounds):
    """The time of every operation of both sides, in turns."""
    sides = []
    for name in ("perturb_words", "nlpaug_words"):
        try:
            sides.append(Side(name, data, field))
        except FileNotFoundError as error:
            print(error)
    for side in sides:
        side.operations = [name for name in side.operations if not name.startswith("edits ")]
    found = [row for side in sides for row in planned(side, texts, data.stat().st_size)]
    for _ in range(rounds):
        for row in found:
            row["seconds"].append(
                row["side"].ask(row["operation"], f"cpu {row['kind']}", row["texts"])
            )
    for row in found:
        row["best"], row["median"] = min(row["seconds"]), statistics.median(row["seconds"])
        row["side"] = row["side"].name.removesuffix("_words")
    for side in sides:
        side.close()
    return {name: version for side in sides for name, version in side.versions.items()}, found


def parts(texts, rounds):
    """Microseconds a word of each step from words in a buffer to rows of synonyms."""
    done = [batch(texts[first : first + BATCH]) for first in range(0, len(texts), BATCH)]
    words = sum(len(starts) for _, starts, _, _ in done)
    found = candidates("synonyms")
    seen = [read_words(*each) for each in done]
    tagged = [tag(each) for each in seen]
    steps = {
        "lookup": lambda: [lookup(*each[:3]) for each in done],
        "lookup, case and sentences": lambda: [read_words(*each) for each in done],
        "tag": lambda: [tag(each) for each in seen],
        "tag where there is a synonym": lambda: [
            tag(each, found.sources[each.surfaces]) for each in seen
        ],
        "rows of synonyms": lambda: [
            rows(found, each.surfaces, tags) for each, tags in zip(seen, tagged, strict=True)
        ],
    }
    return {name: best(step, rounds) / words * 1e6 for name, step in steps.items()}


def batch(texts):
    text = "\n".join(texts)
    spans = np.array([match.span() for match in WORD.finditer(text)])
    lengths = np.array([len(each) + 1 for each in texts])
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    if codes.max() < 256:
        codes = codes.astype(np.uint8)
    return codes, spans[:, 0].copy(), spans[:, 1].copy(), np.cumsum(lengths) - lengths


def best(function, rounds):
    times = []
    for _ in range(rounds):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return min(times)


def first_use(code, rounds):
    """Milliseconds of a first use, best of some processes."""
    command = [sys.executable, "-c", FIRST.format(code)]
    runs = (subprocess.run(command, check=True, capture_output=True) for _ in range(rounds))
    return min(float(run.stdout) for run in runs) * 1e3


def report(result):
    print(CAVEATS)
    for what in ("machine", "versions", "corpus"):
        print(f"{what}: " + ", ".join(f"{key} {value}" for key, value in result[what].items()))
    print(f"load of the machine before and after: {result['load']}")
    print(f"\n{'':42} {'best':>8} {'median':>8}       changed")
    for row in result["rows"]:
        each = row["kind"] == "each"
        times = (row["best"], row["median"])
        shown = [t * 1e6 if each else row["bytes"] / t / 1e6 for t in times]
        share = "" if row["changed"] is None else f"{row['changed']:8.3f}"
        unit = "us" if each else "MB/s"
        name = f"{row['side']}: {row['operation']}"
        print(f"{name:42} {shown[0]:8.1f} {shown[1]:8.1f} {unit:5} {share}")
    print(f"\nmicroseconds a word: {json.dumps(rounded(result['parts'], 3))}")
    print(f"first use, ms: {json.dumps(rounded(result['first_use_ms'], 1))}")
    print(f"lexicon.npz: {result['lexicon_megabytes']} MB")


def rounded(figures, digits):
    return {name: round(figure, digits) for name, figure in figures.items()}


if __name__ == "__main__":
    main()
