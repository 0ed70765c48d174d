"""How fast texts are perturbed, beside other libraries and what the machine allows, in one run.

Run it as `python benchmarks/throughput.py [--data FILE.jsonl --field NAME] [--rounds 7]`.
"""

from common import CORPUS, Run, best_and_median, options, size_of, started, versions_of
from setup_peers import PEERS

# A turn is of so many texts, and so many calls, that it lasts about so long.
SECONDS = 0.2
LATENCY_TEXTS = 300
LATENCY_LENGTH = 120


def main():
    run = Run(options(__doc__, *CORPUS, rounds=7))
    args = run.args
    with (
        run.corpus() as (data, texts),
        started(("perturb", *PEERS, "floor"), data, args.field) as sides,
    ):
        rows = compared(sides, texts, data.stat().st_size, args.rounds)
    run.tell(versions_of(sides))
    report(rows)
    run.write("throughput", rows=rows)


def compared(sides, texts, file_size, rounds):
    """The time of every operation of the sides, in turns."""
    plans = [plan for side in sides for plan in planned(side, texts, file_size)]
    taken = [[] for _ in plans]
    for _ in range(rounds):
        for (side, row, request), seconds in zip(plans, taken, strict=True):
            seconds.append(side.seconds(row["operation"], row["kind"], *request))
    for (_, row, _), seconds in zip(plans, taken, strict=True):
        wall, cpu = zip(*seconds, strict=True)
        row |= {"wall": best_and_median(wall), **best_and_median(cpu), "seconds": cpu}
    return [row for _, row, _ in plans]


def planned(side, texts, file_size):
    """What to measure of a side: every operation, warmed up, on so many texts as fill a turn."""
    for operation in side.operations:
        kind = "each" if "(str)" in operation else "list" if "list" in operation else "file"
        length = LATENCY_LENGTH if kind == "each" else None
        number, size = len(texts), file_size
        if kind != "file":
            most = LATENCY_TEXTS if kind == "each" else len(texts)
            number = side.filling(operation, kind, most, SECONDS, length)
            size = length or size_of(texts[:number])
        taken = max(side.seconds(operation, kind, number, length))
        calls = 1 if kind == "each" else max(1, round(SECONDS / taken))
        row = {"side": side.name.removesuffix("_words"), "operation": operation, "kind": kind}
        yield side, {**row, "texts": number, "bytes": size}, (number, length, calls)


def figure(row, when="best"):
    """Microseconds of one text, or MB/s."""
    seconds = row[when]
    return seconds * 1e6 if row["kind"] == "each" else row["bytes"] / seconds / 1e6


def report(rows):
    for kind, title in (
        ("list", "lists of texts, MB/s"),
        ("each", f"one text of {LATENCY_LENGTH} characters, us"),
        ("file", "files, every row written, MB/s"),
    ):
        mine = [row for row in rows if row["kind"] == kind]
        print(f"\n{title:54} {'best':>9} {'median':>9} {'ours is x faster':>18}")
        for row in mine:
            ours = mine[0]["best"] / mine[0]["bytes"]
            ratio = row["best"] / row["bytes"] / ours
            name = f"{row['side']}: {row['operation']}"
            print(f"{name:54} {figure(row):9.2f} {figure(row, 'median'):9.2f} {ratio:18.2f}")


if __name__ == "__main__":
    main()
