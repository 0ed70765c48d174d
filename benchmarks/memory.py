"""Peak memory of `perturb apply`: with many versions, workers, and long rows.

    python benchmarks/memory.py [--full] [--steps]

Each row of the table is one command in a process of its own; the peak is that of the largest of its
processes. With --full also a million rows, and 80 versions of up to 40 MB, which takes minutes. A
row has 200 bytes.

With --steps instead: the bytes that each perturbator takes for each byte of a row, which is how
much higher its peak is on a row of 20 MB than on one of 4 MB.
"""

import json
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

from common import FOLDER, measured, options, read_result, table, write_into, write_result

import perturb

TEXT = "Janet's ducks lay 16 eggs per day. She eats three for breakfast, and sells the rest. "
MB = 1_000_000
SHORT, LONG = 4, 20  # MB of a row
MOST = ["--max-line", "400"]
TYPOS = "keyboard_typos:p=0.05"
GRID = ["char_swap", "case", "--grid", "-p", "0.05,0.1,0.2,0.4", "--replicates", "5"]
MANY = 500, 20_000, 50_000, 100_000, 200_000
README = FOLDER / "README.md"
BANDS = 10, 15, 20, 30, 40, 60, 100


def main():
    parser = options(__doc__, "full")
    parser.add_argument("--steps", action="store_true")
    args = parser.parse_args()
    result = read_result("memory")
    with tempfile.TemporaryDirectory() as folder:
        if args.steps:
            result["bytes_a_byte"] = dict(by_step(Path(folder)))
        else:
            result["rows"] = [
                peak(what, write(Path(folder), rows, repeated), arguments, *status)
                for what, rows, repeated, arguments, *status in cases(args.full)
            ]
            result["rows"] += [peak(*with_pool(Path(folder), size)) for size in (1, 100)]
    write_result("memory", result)
    write_into(README, "memory", peaks(result["rows"]))
    write_into(README, "memory by step", bands(result["bytes_a_byte"]))


def cases(full):
    """Yield what is run: its name, rows, texts a row, arguments, and its status if it fails."""
    for rows in (1000, 20_000, *[1_000_000] * full):
        yield f"{rows:,} rows, 1 version", rows, 2, [TYPOS]
    for rows in MANY if full else MANY[:2]:
        yield f"{rows:,} rows, 80 versions", rows, 2, [TYPOS, "--replicates", "80"]
    yield "2,000 rows, grid of 8 x 5 versions", 2000, 2, GRID
    yield "5 rows, 5,000 versions", 5, 2, [TYPOS, "--replicates", "5000"]
    for step in ("keyboard_typos", "typo_mix", "word_delete", "synonym"):
        yield f"a row of 4 MB, {step}", 1, 4 * MB // len(TEXT), [f"{step}:p=0.05"]
    yield "a row of 200 MB: refused", 1, 200 * MB // len(TEXT), [TYPOS], 1
    for step in ("keyboard_typos", "char_swap"):
        yield f"a row of 200 MB, {step}", 1, 200 * MB // len(TEXT), [f"{step}:p=0.05", *MOST]


def by_step(folder):
    """Yield each perturbator, and its bytes for each byte of a row."""
    for name in perturb.names():
        short, long = (
            peak(name, write(folder, 1, size * MB // len(TEXT)), [f"{name}:p=0.05", *MOST])
            for size in (SHORT, LONG)
        )
        print(name, short["peak_mb"], long["peak_mb"], flush=True)
        yield name, round((long["peak_mb"] - short["peak_mb"]) / (LONG - SHORT), 1)


def write(folder, rows, repeated):
    """Write rows with a text that is repeated so often."""
    path = folder / "in.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(rows):
            file.write(json.dumps({"id": number, "text": f"{number}: {TEXT * repeated}"}) + "\n")
    return path


def with_pool(folder, size):
    """Return what is run with a pool of so many MB, rows with passages, and the arguments."""
    pool, path = folder / "pool.jsonl", folder / "in.jsonl"
    passage = {"id": "d", "text": TEXT * 2}
    line = json.dumps(passage) + "\n"
    pool.write_text(line * (size * MB // len(line)), "utf-8")
    row = json.dumps({"docs": [{**passage, "text": ""}]}) + "\n"
    path.write_text(row * 1000, "utf-8")
    arguments = [f"passages:kind=distract,pool={pool}", "--choices", "docs"]
    return f"1,000 rows, passages of a pool of {size} MB", path, arguments


def peak(what, source, arguments, status=0):
    """Return what was run, and the peak of its memory; it ends with `status`."""
    command = [sys.executable, "-m", "perturb", "apply", *arguments, "-i", source]
    _, _, megabytes = measured(command, status)
    return {"what": what, "peak_mb": round(megabytes)}


def peaks(rows):
    """Return the peaks as a table for the documentation."""
    return table(("`perturb apply`", "peak, MB"), (row.values() for row in rows))


def bands(costs):
    """Return the bytes for each byte as a table for the documentation: the fewest first."""
    assert max(costs.values()) <= BANDS[-1]
    rows, ordered = [], sorted(costs.items(), key=lambda item: item[::-1])
    for least, most in pairwise((0, *BANDS)):
        names = [f"`{name}` {took:.0f}" for name, took in ordered if least < took <= most]
        rows += [(most, ", ".join(names))] if names else []
    return table(("at most", "bytes for each byte of a long row"), rows)


if __name__ == "__main__":
    main()
