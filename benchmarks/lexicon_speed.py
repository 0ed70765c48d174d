"""How fast words are replaced, beside nlpaug in the same run, and what the lexicon's parts cost.

Run it as `python benchmarks/lexicon_speed.py [--data FILE.jsonl --field NAME] [--rounds 7]`.
"""

import json
import re

import numpy as np
from common import CORPUS, Run, in_turns, options, started, versions_of
from fidelity import rate, without_white_space
from throughput import compared, figure

from perturb.lexicon.candidates import candidates, rows
from perturb.lexicon.store import lookup
from perturb.lexicon.tagger import tag
from perturb.lexicon.tokens import read_words
from perturb.resources import path

WORD = re.compile(r"\w+(?:['’-]\w+)*")
BATCH = 256


def main():
    run = Run(options(__doc__, *CORPUS, rounds=7))
    args = run.args
    with (
        run.corpus() as (data, texts),
        started(("perturb_words", "nlpaug_words"), data, args.field) as sides,
    ):
        few = [*map(without_white_space, texts[:60])]
        changed = {
            maker: rate(few, map(without_white_space, side.make(maker, texts[:60], 0)))
            for side in sides
            for maker in side.makers
            if "(list)" in maker
        }
        rows = compared(sides, texts, data.stat().st_size, args.rounds)
    result = {
        "rows": [{**row, "changed": changed.get(row["operation"])} for row in rows],
        "parts": parts(texts, args.rounds),
        "lexicon_megabytes": round(path("english", "lexicon.npz").stat().st_size / 1e6, 2),
    }
    run.tell(versions_of(sides) | {"numpy": np.__version__})
    report(**result)
    run.write("lexicon_speed", **result)


def parts(texts, rounds):
    """Microseconds a word of each step from words in a buffer to rows of synonyms."""
    done = [batch(texts[first : first + BATCH]) for first in range(0, len(texts), BATCH)]
    words = sum(len(starts) for _, starts, _, _ in done)
    table = candidates("synonyms")
    seen = [read_words(*each) for each in done]
    tagged = [tag(each) for each in seen]
    steps = {
        "lookup": lambda: [lookup(*each[:3]) for each in done],
        "lookup, case and sentences": lambda: [read_words(*each) for each in done],
        "tag": lambda: [tag(each) for each in seen],
        "tag where there is a synonym": lambda: [
            tag(each, table.sources[each.surfaces]) for each in seen
        ],
        "rows of synonyms": lambda: [
            rows(table, each.surfaces, tags) for each, tags in zip(seen, tagged, strict=True)
        ],
    }
    taken = in_turns(steps, rounds)
    return {name: min(seconds) / words * 1e6 for name, seconds in taken.items()}


def batch(texts):
    text = "\n".join(texts)
    spans = np.array([match.span() for match in WORD.finditer(text)])
    lengths = np.array([len(each) + 1 for each in texts])
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    if codes.max() < 256:
        codes = codes.astype(np.uint8)
    return codes, spans[:, 0].copy(), spans[:, 1].copy(), np.cumsum(lengths) - lengths


def report(rows, parts, lexicon_megabytes):
    print(f"\n{'':42} {'best':>8} {'median':>8}       changed")
    for row in rows:
        share = "" if row["changed"] is None else f"{row['changed']:8.3f}"
        unit = "us" if row["kind"] == "each" else "MB/s"
        name = f"{row['side']}: {row['operation']}"
        print(f"{name:42} {figure(row):8.1f} {figure(row, 'median'):8.1f} {unit:5} {share}")
    costs = {name: round(cost, 3) for name, cost in parts.items()}
    print(f"\nmicroseconds a word: {json.dumps(costs)}")
    print(f"lexicon.npz: {lexicon_megabytes} MB")


if __name__ == "__main__":
    main()
