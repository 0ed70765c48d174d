"""How long the lexicon takes to load, and to look up, tag and find replacements, a word.

    python benchmarks/lexicon_speed.py texts.jsonl [field]

Best of five runs on one core, in batches of 256 texts; words are runs of letters, and finding them
is not counted. The load time is that of a warm disk cache.
"""

import json
import platform
import re
import sys
import time
from pathlib import Path

import numpy as np

from perturb.lexicon.arrays import load
from perturb.lexicon.candidates import candidates, rows
from perturb.lexicon.lookup import lookup
from perturb.lexicon.tagger import tag
from perturb.lexicon.words import read_words
from perturb.tables import path

WORD = re.compile(r"\w+(?:['’-]\w+)*")
BATCH = 256
RUNS = 5


def batches(texts):
    for begin in range(0, len(texts), BATCH):
        part = texts[begin : begin + BATCH]
        text = "\n".join(part)
        spans = np.array([match.span() for match in WORD.finditer(text)])
        lengths = np.array([len(each) + 1 for each in part])
        try:
            codes = np.frombuffer(text.encode("latin-1"), np.uint8)
        except UnicodeEncodeError:
            codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
        yield codes, spans[:, 0].copy(), spans[:, 1].copy(), np.cumsum(lengths) - lengths


def best(function):
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def load_again():
    load.cache_clear()
    load()


def main(source, field="question"):
    texts = [json.loads(line)[field] for line in Path(source).read_text("utf-8").splitlines()]
    done = list(batches(texts))
    words = sum(len(starts) for _, starts, _, _ in done)
    size = sum(len(text) for text in texts)
    print(f"Python {platform.python_version()}, numpy {np.__version__}, {platform.machine()}")
    print(f"{len(texts)} texts, {words} words, {size / 1e6:.1f} M characters")
    print(f"lexicon.npz {path('lexicon.npz').stat().st_size / 1e6:.1f} MB")
    print(f"load {best(load_again) * 1e3:.1f} ms")
    select = candidates.__wrapped__
    print(f"select synonyms, common: {best(lambda: select('synonyms')) * 1e3:.1f} ms")
    print(f"select synonyms, all: {best(lambda: select('synonyms', 'all')) * 1e3:.1f} ms")
    found = candidates("synonyms")
    seen = [read_words(*batch) for batch in done]
    tagged = [tag(each) for each in seen]
    steps = {
        "lookup": lambda: [lookup(codes, starts, ends) for codes, starts, ends, _ in done],
        "lookup, case and sentences": lambda: [read_words(*batch) for batch in done],
        "tag": lambda: [tag(each) for each in seen],
        "tag where there is a synonym": lambda: [
            tag(each, found.sources[each.surfaces]) for each in seen
        ],
        "rows of synonyms": lambda: [
            rows(found, each.surfaces, tags) for each, tags in zip(seen, tagged, strict=True)
        ],
    }
    for name, step in steps.items():
        spent = best(step)
        print(f"{name}: {spent / words * 1e6:.3f} us a word, {size / spent / 1e6:.0f} MB/s")


if __name__ == "__main__":
    main(*sys.argv[1:])
