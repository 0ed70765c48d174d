"""Kill a folder under way, again and again, and compare what it becomes in the end.

    python fuzz/shards.py --cases 10 --shards 1000

Perturbs a folder of shards undisturbed, then into another folder with so many SIGKILLs, each when
a random number of them is written, each time beginning again, on one process or two, with a rival
that writes to the same folder at the same time and must be refused, and at last to its end. Both
folders must hold the same bytes, `_manifest.json` and all, and the same bad lines beside them.
Prints the counts as JSON.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import store

COMMAND = [sys.executable, "-m", "perturb", "apply", "typo_mix:p=0.1"]
REFUSED = b"another process is writing to"
TEXT = "Which river is the longest of all the rivers there are, and why is it 6,650 km long?"


def tree(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, by their places."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def disturbed(folder: Path, shards: int, kills: int, seed: int) -> dict[str, int]:
    """Kill a run; return the counts. What differs in the end is an `AssertionError`."""
    source, whole, out = folder / "in", folder / "whole", folder / "out"
    for shard in range(shards):
        part = source / f"part={shard % 7}"
        part.mkdir(parents=True, exist_ok=True)
        rows = [{"id": f"{shard}-{n}", "text": f"{n}: {TEXT}"} for n in range(20)]
        lines = [json.dumps(row) + "\n" for row in rows] + ["no row\n"] * (shard % 3 == 0)
        (part / f"{shard:04}.jsonl").write_text("".join(lines))

    def call(target: Path, workers: int = 1) -> list[str]:
        files = ["-i", source, "-o", target, "--bad-lines", f"{target}.txt"]
        return [*COMMAND, *map(str, files), "--workers", str(workers)]

    def written() -> int:
        return len([*out.rglob("*.jsonl")])

    subprocess.run(call(whole), check=True, stderr=subprocess.PIPE)
    dice, left, refused = random.Random(seed), [], 0
    for moment in sorted(dice.sample(range(1, shards), kills)):
        both = [
            subprocess.Popen(call(out, dice.choice((1, 2))), stderr=subprocess.PIPE) for _ in "ab"
        ]
        while written() < moment and None in [process.poll() for process in both]:
            time.sleep(0.001)
        for process in both:
            process.kill()
        refused += sum(REFUSED in process.communicate()[1] for process in both)
        left.append(written())
        ended = (out / "_manifest.json").exists()
    last = subprocess.run(call(out, 2), check=True, capture_output=True)
    assert tree(out) == tree(whole), "the folders differ"
    assert Path(f"{out}.txt").read_bytes() == b"no row\n" * ((shards + 2) // 3)
    assert Path(f"{whole}.txt").read_bytes() == Path(f"{out}.txt").read_bytes()
    assert len(tree(out)) == shards + 1, "more than the shards and their manifest is left"
    said = re.search(rb"perturb: ([\d,]+) of", last.stderr)
    skipped = int(said[1].replace(b",", b"")) if said else 0
    # Each of two processes may have written one that is not noted down; and where all was done, the
    # shards with bad lines are read again, for these.
    again = 2 + ended * ((shards + 2) // 3)
    assert left[-1] - again <= skipped <= left[-1], (left, last.stderr)
    return {
        "kills": kills,
        "shards": shards,
        "writers refused": refused,
        **{f"after kill {n}": at for n, at in enumerate(left, 1)},
    }


def main() -> int:
    """Print the counts."""
    parser = store.parser(str(__doc__), 10)
    parser.add_argument("--shards", type=int, default=1000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(disturbed(Path(folder), args.shards, args.cases, args.seed)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
