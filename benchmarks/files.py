"""How `perturb apply` goes through files: its speed, its memory as files grow, and its workers.

Run it as `python benchmarks/files.py [--data FILE.jsonl --field NAME] [--megabytes 10 40]
[--workers 1 2]`; `--full` is 10, 100 and 500 MB, and needs 5 GB of disk for a while.
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
from common import Run, applied, line, made_rows, measured, options, rewritten, rows_of, source_of

import perturb

MEGABYTES, FULL = (10, 40), (10, 100, 500)
ROWS = 20_000
TWICE = "two commands at once"
PIPE = "through a pipe"


def main():
    parser = options(__doc__, "data", "field", "full", rounds=3)
    parser.add_argument("--megabytes", type=int, nargs="+", default=MEGABYTES)
    parser.add_argument("--workers", type=int, nargs="+", default=(1, 2))
    run = Run(parser)
    args = run.args
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for megabytes in FULL if args.full else args.megabytes:
            source = Path(folder, f"{megabytes}.jsonl")
            write_rows(source, megabytes, args.data, args.field)
            rows += of_one_file(source, megabytes, args)
            source.unlink()
    versions = {"perturb": perturb.__version__, "orjson": orjson.__version__}
    run.tell(versions, source=source_of(args))
    report(rows)
    run.write("files", rows=rows)


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
    """Read, parse and write rows as they are."""
    with Path(source).open("rb") as rows, Path(target).open("wb") as out:
        out.writelines(rewritten(rows))


def twice(field, source, target):
    """Two commands at the same time, each with a file of its own."""
    targets = (Path(target).with_suffix(f".{number}.out.jsonl") for number in range(2))
    both = [subprocess.Popen(applied(field, source, "-o", target)) for target in targets]
    sys.exit(max([process.wait() for process in both]))


def report(rows):
    heads = ("us a row (cpu)", "MB/s (cpu)", "MB/s (wall)", "peak MB", "x one, cpu", "x one, wall")
    print("\n" + line("", (*heads, "x two, wall"), 27, 15))
    for row in rows:
        cpu, wall = (row["bytes"] / row[clock] / 1e6 for clock in ("cpu", "wall"))
        figures = (1e6 * row["cpu"] / row["rows"], cpu, wall, row["peak_mb"])
        figures += (row["cpu_speed"], row["wall_speed"], row["share_of_twice"])
        name = f"{row['megabytes']} MB, {row['way']}"
        print(line(name, (f"{figure:.2f}" for figure in figures), 27, 15))


if __name__ == "__main__":
    parts = {"floor": floor, "twice": twice, "pipe": pipe}
    if sys.argv[1:] and sys.argv[1] in parts:
        parts[sys.argv[1]](*sys.argv[2:])
    else:
        main()
