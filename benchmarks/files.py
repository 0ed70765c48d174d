"""How `perturb apply` goes through files: its speed, its memory as files grow, and its workers.

    python benchmarks/files.py [--data FILE.jsonl --field NAME] [--megabytes 10 40] [--workers 1 2]
    python benchmarks/files.py --costs [--megabytes 8]      the table of docs/how-to/sharding.md

`--full` is 10, 100 and 500 MB, and needs 5 GB of disk for a while.
"""

import json
import subprocess
import sys
import tempfile
from itertools import count, islice
from operator import truediv
from pathlib import Path
from statistics import median

import orjson
from common import (
    FOLDER,
    Run,
    applied,
    made_rows,
    measured,
    options,
    rows_of,
    source_of,
    table,
    write_into,
)

import perturb

MEGABYTES, FULL = (10, 40), (10, 100, 500)
ROWS = 20_000
TWICE = "two commands at once"
PIPE = "through a pipe"
SHARDING = FOLDER.parent / "docs/how-to/sharding.md"
STEPS = "keyboard_typos:p=0.05", "synonym:p=0.1", "typo_mix:p=0.05"
HEADS = "step", "CPU seconds a GB", "core hours a TB", "hours on 64 cores", "output, times input"


def main():
    parser = options(__doc__, "data", "field", "full", rounds=3)
    parser.add_argument("--megabytes", type=int, nargs="+", default=MEGABYTES)
    parser.add_argument("--workers", type=int, nargs="+", default=(1, 2))
    parser.add_argument("--costs", action="store_true", help="what a gigabyte costs, by step")
    run = Run(parser)
    args = run.args
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for megabytes in FULL if args.full else args.megabytes:
            source = Path(folder, f"{megabytes}.jsonl")
            write_rows(source, megabytes, args.data, args.field)
            if args.costs:
                lines = [cost(source, step, args) for step in STEPS]
                write_into(SHARDING, "costs", table(HEADS, lines))
                return
            rows += of_one_file(source, megabytes, args)
            source.unlink()
    versions = {"perturb": perturb.__version__, "orjson": orjson.__version__}
    run.write("files", versions, source=source_of(args), rows=rows)


def cost(source, step, args):
    """What a step costs by the bytes of its input, as cells of a table."""
    target = source.with_suffix(".out.jsonl")
    command = applied(args.field, source, "-o", target, step=step)
    cpu = min(measured(command)[1] for _ in range(args.rounds))
    size = source.stat().st_size
    seconds, growth = cpu / size * 1e9, target.stat().st_size / size
    hours = 1000 * seconds / 3600
    return f"`{step}`", f"{seconds:.0f}", f"{hours:.1f}", f"{hours / 64:.2f}", f"{growth:.1f}"


def write_rows(target, megabytes, data=None, field="question"):
    """Write so many megabytes of rows."""
    rows = enumerate(islice(rows_of(data) if data else made_rows(field), ROWS))
    lines = [json.dumps({**row, "id": f"made{n}"}, ensure_ascii=False) for n, row in rows]
    left = int(megabytes * 1e6)
    with target.open("wb") as out:
        for turn in count():
            text = "\n".join(lines).replace('"id": "made', f'"id": "turn{turn}-made') + "\n"
            block = text.encode()
            end = block.rfind(b"\n", 0, left) + 1
            left -= out.write(block[:end])
            if end < len(block):
                break


def of_one_file(source, megabytes, args):
    """The runs over one file."""
    target = source.with_name(f"{source.stem}.out.jsonl")
    ways = {
        f"{number} workers": applied(args.field, source, "-o", target, "--workers", str(number))
        for number in args.workers
    }
    this = [sys.executable, __file__]
    ways[TWICE] = [*this, "twice", args.field, source, target]
    ways[PIPE] = [*this, "pipe", args.field, source, target]
    ways["floor"] = [*this, "floor", source, target]
    runs = {name: [] for name in ways}
    for _ in range(args.rounds):
        for name, way in ways.items():
            runs[name].append(measured(way))
            for made in source.parent.glob("*.out.jsonl*"):  # to replace a large file takes time
                made.unlink()
    with source.open("rb") as lines:
        number_of_rows = sum(1 for _ in lines)
    walls, cpus, _ = zip(*next(iter(runs.values())), strict=True)
    twice = [wall for wall, _, _ in runs[TWICE]]
    for name, each in runs.items():
        wall, cpu, peak = zip(*each, strict=True)
        times = 2 if name == TWICE else 1
        yield {
            "way": name,
            "megabytes": megabytes,
            "bytes": times * source.stat().st_size,
            "rows": times * number_of_rows,
            "wall": round(min(wall), 3),
            "cpu": round(min(cpu), 3),
            "wall_speed": round(times * min(walls) / min(wall), 3),
            "cpu_speed": round(times * min(cpus) / min(cpu), 3),
            "share_of_twice": round(median(map(truediv, twice, wall)) * times / 2, 3),
            "peak_mb": round(max(peak), 1),
            "rounds": args.rounds,
        }


def pipe(field, source, target):
    """`perturb apply` from one pipe to another, which has no manifest and so needs no hashes."""
    piped = subprocess.PIPE
    with Path(source).open("rb") as rows, Path(target).open("wb") as out:
        before = subprocess.Popen(["cat"], stdin=rows, stdout=piped)
        middle = subprocess.Popen(applied(field, "-", "-o", "-"), stdin=before.stdout, stdout=piped)
        before.stdout.close()
        subprocess.run(["cat"], stdin=middle.stdout, stdout=out, check=True)
        sys.exit(middle.wait() or before.wait())


def floor(source, target):
    """Read, parse and write rows as they are: what each costs at least."""
    with Path(source).open("rb") as rows, Path(target).open("wb") as out:
        out.writelines(
            orjson.dumps(orjson.loads(row), option=orjson.OPT_APPEND_NEWLINE) for row in rows
        )


def twice(field, source, target):
    """Two commands at the same time, each with a file of its own."""
    targets = (Path(target).with_suffix(f".{number}.out.jsonl") for number in range(2))
    both = [subprocess.Popen(applied(field, source, "-o", target)) for target in targets]
    sys.exit(max([process.wait() for process in both]))


if __name__ == "__main__":
    parts = {"floor": floor, "twice": twice, "pipe": pipe}
    if sys.argv[1:] and sys.argv[1] in parts:
        parts[sys.argv[1]](*sys.argv[2:])
    else:
        main()
