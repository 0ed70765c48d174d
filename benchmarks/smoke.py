"""Fail when a part of perturb gets more than 30 % slower against a floor in the same run.

    python benchmarks/smoke.py            # compares with results/smoke.json, in under a minute
    python benchmarks/smoke.py --store    # writes results/smoke.json

Each part has a floor of the same kind of work that shares no code with it: arrays for lists of
texts, a large table besides for words, NumPy on tiny arrays for one text, JSON and small objects
for rows. Part and floor take turns, in CPU time; the cost of a part is the
median, over the turns, of its time in times of its floor. What looks too slow is measured again
seconds later, three times at most, and the best counts: other work on the machine passes, a slower
program stays.

What it can't see: less than 30 %, what slows part and floor alike (a slower NumPy), waiting for a
disk. Caches and memory of another kind of machine move the costs too; where CI moves, store them
anew.
"""

import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from itertools import islice
from pathlib import Path

import numpy as np
import orjson
from common import machine, made_rows, options, read_result, timed, write_corpus, write_result

import perturb
from perturb.cli import main as command

FELL = 0.30
TRIES, ROUNDS, PAUSE = 4, 60, 5
TEXTS, WORD_TEXTS, CALLS, MEGABYTES = 600, 300, 40, 0.15


def arrays(size=100_000):
    """Draws, a choice, a table, and a record each: what a batch of texts takes."""
    codes = (np.arange(size) * 31 % 97).astype(np.uint8)
    places = np.arange(size)
    mixed = places.astype(np.uint32) * np.uint32(0x9E3779B1)
    mixed ^= mixed >> np.uint32(15)
    mixed *= np.uint32(0x85EBCA77)
    chosen = np.flatnonzero((mixed < np.uint32(2**30)) & (codes > 20))
    chosen = chosen[np.argsort(mixed[chosen])[: size // 10]]
    codes[chosen] += 1
    whole = codes[places + np.cumsum(codes > 100)].tobytes().decode("latin-1")
    texts = [whole[start : start + 100] for start in range(0, size, 100)]
    keys = [blake2b(text.encode(), digest_size=8).digest() for text in texts]
    return [{"text": text, "key": key, "edits": []} for text, key in zip(texts, keys, strict=True)]


def lookups(table):
    """The same, and places all over a table that no cache holds: what words take besides."""
    for turn in range(4):
        np.take(table, np.arange(turn, 400_000, 16) * 2_654_435_761 % len(table)).sort()
    return arrays()


@dataclass(frozen=True)
class Note:
    """A small object, as there are many about each text."""

    place: int
    settings: dict[str, int]


def tiny_arrays():
    """Many calls of NumPy with little to do, and small objects: what one short text takes."""
    for _ in range(CALLS):
        codes = np.frombuffer(b"x" * 120, np.uint8)
        for place in range(20):
            mask = codes > 20
            np.flatnonzero(mask)
            np.searchsorted(codes, codes[:2])
            codes = np.where(mask, codes, 20)
            notes = [Note(each, {"at": each}) for each in range(place, place + 4)]
            blake2b(repr(notes[0]).encode(), digest_size=8).digest()


def json_rows(lines):
    """Parse rows, cut strings, make small objects, write rows: what a file takes."""
    for line in lines:
        for _ in range(3):
            row = orjson.loads(line)
            text = row["question"]
            edits = [[start, start + 1, text[start]] for start in range(0, len(text), 20)]
            row["made"] = {"original": text, "edits": edits, "rate": len(edits) / len(text)}
            orjson.dumps(row)


def pairs(folder):
    """Each part with its floor."""
    texts = [row["question"] for row in islice(made_rows("question"), TEXTS)]
    source = Path(folder, "rows.jsonl")
    write_corpus(source, None, "question", MEGABYTES)
    lines = source.read_bytes().splitlines()
    table = np.arange(3_000_000)
    call = ["apply", "keyboard_typos", "-p", "0.05", "--field", "question"]
    call += ["-i", str(source), "-o", str(source.with_name("made.jsonl"))]

    def each():
        for text in texts[:CALLS]:
            perturb.apply(text, "keyboard_typos", p=0.05)

    def rows():
        if (status := command(call)) != 0:
            raise SystemExit(f"perturb {' '.join(call)} ended with {status}")

    return {
        "lists of texts": (lambda: perturb.apply(texts, "keyboard_typos", p=0.05), arrays),
        "lists of words": (
            lambda: perturb.apply(texts[:WORD_TEXTS], "synonym", p=0.2),
            partial(lookups, table),
        ),
        "one text": (each, tiny_arrays),
        "rows": (rows, partial(json_rows, lines)),
    }


def cost(part, floor):
    """The median, over the rounds, of what the part costs in floors."""
    part(), floor()
    return statistics.median(timed(part)[1] / timed(floor)[1] for _ in range(ROUNDS))


def compare(parts, stored):
    """Print every cost beside the stored one; return the parts that fell."""
    fell = []
    for name, pair in parts.items():
        limit = stored[name] / (1 - FELL)
        costs = []
        while len(costs) < TRIES and (not costs or min(costs) > limit):
            time.sleep(PAUSE if costs else 0)
            costs.append(cost(*pair))
        speed = stored[name] / min(costs)
        print(f"{name:16} {min(costs):6.2f} floors, was {stored[name]:6.2f}: speed x {speed:.2f}")
        if min(costs) > limit:
            fell.append(name)
    return fell


def main():
    parser = options(__doc__)
    parser.add_argument("--store", action="store_true", help="write the costs that are compared")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        parts = pairs(folder)
        if args.store:
            costs = {
                name: round(statistics.median(cost(*pair) for _ in range(TRIES)), 3)
                for name, pair in parts.items()
            }
            print(costs)
            versions = {"perturb": perturb.__version__, "numpy": np.__version__}
            write_result("smoke", {"machine": machine(), "versions": versions, "floors": costs})
            return
        fell = compare(parts, read_result("smoke")["floors"])
    if fell:
        sys.exit(
            f"slower by more than {FELL:.0%} against the floor: {', '.join(fell)}. If that is what "
            "it costs, say why in the commit, and store it: python benchmarks/smoke.py --store"
        )


if __name__ == "__main__":
    main()
