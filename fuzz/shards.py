"""Kill a folder under way, again and again, and compare what it becomes in the end.

    python fuzz/shards.py --cases 10 --shards 1000

Perturbs a folder of shards undisturbed, then into another folder with so many SIGKILLs at random
moments, each time beginning again, and at last to its end. Both folders must hold the same bytes,
`_manifest.json` and all. Prints the counts as JSON.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import store

COMMAND = [sys.executable, "-m", "perturb", "apply", "typo_mix:p=0.1"]
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
        (part / f"{shard:04}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    began = time.monotonic()
    subprocess.run([*COMMAND, "-i", source, "-o", whole], check=True)
    seconds, dice, left = time.monotonic() - began, random.Random(seed), []
    for _ in range(kills):
        process = subprocess.Popen([*COMMAND, "-i", source, "-o", out], stderr=subprocess.DEVNULL)
        time.sleep(dice.uniform(0.2, 1) * seconds / kills * 1.5)
        process.kill()
        process.wait()
        left.append(len([*out.rglob("*.jsonl")]))
    ended = subprocess.run([*COMMAND, "-i", source, "-o", out], check=True, capture_output=True)
    assert tree(out) == tree(whole), "the folders differ"
    assert len(tree(out)) == shards + 1, "more than the shards and their manifest is left"
    again = f"{left[-1] - 1:,} of {shards:,}", f"{left[-1]:,} of {shards:,}"  # one may be unsaid
    assert any(f"perturb: {said} shards".encode() in ended.stderr for said in again), ended.stderr
    return {
        "kills": kills,
        "shards": shards,
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
