"""How fast texts are perturbed, beside other libraries, in one run.

Run it as `python benchmarks/throughput.py [--data FILE.jsonl --field NAME] [--rounds 7]`.
"""

from common import CORPUS, TURN, Run, best_and_median, options, size_of, started, versions_of
from setup_peers import PEERS

SIDES = "perturb", *PEERS, "perturb_words", "nlpaug_words"
LATENCY_TEXTS = 300
LATENCY_LENGTH = 120


def main():
    run = Run(options(__doc__, *CORPUS, rounds=7))
    with run.corpus() as (data, texts), started(SIDES, data, run.args.field) as sides:
        plans = [plan for side in sides for plan in planned(side, texts)]
        taken = [[] for _ in plans]
        for _ in range(run.args.rounds):
            for (side, row, request), seconds in zip(plans, taken, strict=True):
                seconds.append(side.seconds(row["operation"], row["kind"], *request))
    rows = [row for _, row, _ in plans]
    for row, seconds in zip(rows, taken, strict=True):
        wall, cpu = zip(*seconds, strict=True)
        row |= {"wall": best_and_median(wall), **best_and_median(cpu)}
        row["figure"] = round(figure(row), 3)
    run.write("throughput", versions_of(sides), rows=rows)


def planned(side, texts):
    """What to measure of a side: every operation, warmed up, on so many texts as fill a turn."""
    for operation in (name for name in side.operations if ": " not in name):
        kind, length, most = "list", None, len(texts)
        if "(str)" in operation:
            kind, length, most = "each", LATENCY_LENGTH, LATENCY_TEXTS
        number = side.filling(operation, kind, most, length)
        size = length or size_of(texts[:number])
        taken = max(side.seconds(operation, kind, number, length))
        calls = 1 if kind == "each" else max(1, round(TURN / taken))
        row = {"side": side.name.removesuffix("_words"), "operation": operation, "kind": kind}
        yield side, {**row, "texts": number, "bytes": size}, (number, length, calls)


def figure(row):
    """Microseconds of one text, or MB/s."""
    return row["best"] * 1e6 if row["kind"] == "each" else row["bytes"] / row["best"] / 1e6


if __name__ == "__main__":
    main()
