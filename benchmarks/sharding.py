"""Measure what a gigabyte costs, for the page on sharding: `python benchmarks/sharding.py [MB]`.

It writes JSON lines made of the example questions, perturbs them on one process as the command line
does, cuts them into shards and checks that these give the rows of the whole, and writes the table
of docs/how-to/sharding.md. CPU time is counted, so that other work on the machine matters little.
"""

import sys
import tempfile
from pathlib import Path

from common import EXAMPLES, applied, measured, write_into
from files import write_rows

PAGE = EXAMPLES.parents[1] / "docs/how-to/sharding.md"
STEPS = ("keyboard_typos:p=0.05", "synonym:p=0.1", "typo_mix:p=0.05")
SHARDS = 4


def perturbed(source, target, step):
    """Perturb a file; return the CPU seconds that it took."""
    return measured(applied("question", source, "-o", target, step=step))[1]


def main(megabytes="20"):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "in.jsonl"
        write_rows(source, float(megabytes))
        lines = source.read_bytes().splitlines(keepends=True)
        for step in STEPS:
            whole, parts = Path(folder) / "out.jsonl", []
            spent = perturbed(source, whole, step)
            for number in range(SHARDS):
                shard = Path(folder) / f"shard{number}.jsonl"
                shard.write_bytes(b"".join(lines[number::SHARDS]))
                perturbed(shard, Path(folder) / f"out{number}.jsonl", step)
                parts.append((Path(folder) / f"out{number}.jsonl").read_bytes().splitlines())
            together = [parts[at % SHARDS][at // SHARDS] for at in range(len(lines))]
            assert together == whole.read_bytes().splitlines()
            cost = spent / source.stat().st_size * 1e9
            growth = whole.stat().st_size / source.stat().st_size
            hours = 1000 * cost / 3600
            rows.append(
                f"| `{step}` | {cost:.0f} | {hours:.1f} | {hours / 64:.2f} | {growth:.1f} |"
            )
    head = "| step | CPU seconds a GB | core hours a TB | hours on 64 cores | output, times input |"
    table = "\n".join([head, "| --- | --- | --- | --- | --- |", *rows, ""])
    write_into(PAGE, "costs", table)
    print(table)


if __name__ == "__main__":
    main(*sys.argv[1:])
