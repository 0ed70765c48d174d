"""How fast texts are perturbed, beside other libraries and what the machine allows, in one run.

Run it as `python benchmarks/throughput.py [--data FILE.jsonl --field NAME] [--rounds 7]`.
"""

import argparse
import statistics
import tempfile
from pathlib import Path

from common import Side, load, machine, write_corpus, write_result

CAVEATS = """\
- Ratios hold within one run; MB/s hold for this machine as busy as it was. The sides take turns,
  round by round, each in its own process and on one thread. Best and median are over the rounds.
- MB are 10^6 bytes of the texts in UTF-8; for whole files, of the file.
- The libraries do not do the same. perturb keeps an exact record of every edit; as Python objects
  the edits are made when they are read, which has a row of its own. nlpaug splits texts into
  tokens and joins them with single spaces. Typogre also drops, doubles and swaps characters.
- "changed" is the share of the characters other than white space that differ in 60 texts; what is
  asked is p = 0.05 of each perturbator's own units. nlpaug has no such setting: the first row is
  the nearest, the other its two shares of .224, whose product is .05. Fewer edits are less work.
- perturb apply also takes the SHA-256 of input and output, writes a manifest and waits for the
  disk; its output is several times its input. The bare loop writes the rows as they are.
"""
# A turn is of so many texts that it lasts about so long.
SECONDS = 0.3
LATENCY_TEXTS = 500


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", help="a JSONL file; default: rows made of the examples")
    parser.add_argument("--field", default="question")
    parser.add_argument("--megabytes", type=float, default=4, help="so much of the file")
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder, "corpus.jsonl")
        texts = write_corpus(data, args.data, args.field, args.megabytes)
        sides = started(data, args.field)
        rows = [row for side in sides for row in planned(side, texts, data.stat().st_size)]
        before = load()
        for _ in range(args.rounds):
            for row in rows:
                row["seconds"].append(row["side"].ask(row["operation"], row["kind"], row["texts"]))
        after = load()
        for side in sides:
            side.close()
    for row in rows:
        row["best"], row["median"] = min(row["seconds"]), statistics.median(row["seconds"])
        row["side"] = row["side"].name
    corpus = {
        "source": Path(args.data).name if args.data else "made of the examples",
        "texts": len(texts),
        "characters_mean": round(statistics.mean(map(len, texts))),
        "megabytes": round(size_of(texts) / 1e6, 2),
    }
    versions = {name: version for side in sides for name, version in side.versions.items()}
    about = {"machine": machine(), "load": [before, after], "versions": versions, "corpus": corpus}
    report(about, rows)
    write_result("throughput", {**about, "rounds": args.rounds, "rows": rows})


def started(data, field):
    sides = []
    for name in ("perturb", "nlpaug", "glitchlings", "floor"):
        try:
            sides.append(Side(name, data, field))
        except FileNotFoundError as error:
            print(error)
    return sides


def planned(side, texts, file_size):
    """What to measure of a side: every operation, warmed up, on so many texts as fill a turn."""
    for operation in side.operations:
        row = {"side": side, "operation": operation, "seconds": [], "changed": None}
        if "(str)" in operation:
            kind, number, size = "each", LATENCY_TEXTS, 120
        elif operation == "join, encode, decode, cut" or "(list)" in operation:
            kind = "list"
            side.ask(operation, kind, 500)
            number = int(500 * SECONDS / side.ask(operation, kind, 500))
            number = max(100, min(number, len(texts)))
            size = size_of(texts[:number])
            if "edits read" not in operation and side.name != "floor":
                row["changed"] = side.ask(operation, "changed", 60)
        else:
            kind, number, size = "file", len(texts), file_size
        side.ask(operation, kind, number)
        yield {**row, "kind": kind, "texts": number, "bytes": size}


def size_of(texts):
    return sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)


def report(about, rows):
    print(CAVEATS)
    for what in ("machine", "versions", "corpus"):
        print(f"{what}: " + ", ".join(f"{key} {value}" for key, value in about[what].items()))
    print(f"load of the machine before and after: {about['load']}")
    parts = (
        ("list", "lists of texts", "nlpaug", "MB/s"),
        ("each", "one text of 120 characters", "nlpaug", "us"),
        ("file", "files, every row written", "orjson loads, dumps, write", "MB/s"),
    )
    for kind, title, peer, unit in parts:
        mine = [row for row in rows if row["kind"] == kind]
        peers = [row for row in mine if peer in (row["side"], row["operation"])]
        print(f"\n{title:46} {'best':>8} {'median':>8} {unit:4}  x {peer.split()[0]:8} changed")
        for row in mine:
            best, median = (
                seconds * 1e6 if kind == "each" else row["bytes"] / seconds / 1e6
                for seconds in (row["best"], row["median"])
            )
            rates = [one["bytes"] / one["best"] for one in (row, *peers[:1])]
            ratio = f"{rates[0] / rates[-1]:10.2f}" if peers else " " * 10
            share = "" if row["changed"] is None else f"{row['changed']:8.3f}"
            name = f"{row['side']}: {row['operation']}"
            print(f"{name:46} {best:8.1f} {median:8.1f}       {ratio} {share}")


if __name__ == "__main__":
    main()
