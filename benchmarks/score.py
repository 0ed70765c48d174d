"""Claim: `perturb score` judges 100,000 scored rows in under 5 seconds, whole process.

    python benchmarks/score.py

The rows are those of `perturb apply` on examples/questions.jsonl, with an answer marked right or
wrong by its edit rate; the time is the whole command, from the start of Python to its last line.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import orjson
from common import EXAMPLES, machine, write_result

import perturb

ROWS = 100_000
STEPS = ("keyboard_typos:p=0.05", "keyboard_typos:p=0.2", "ocr:p=0.1", "char_delete:p=0.1")


def write_rows(path: Path) -> int:
    """Write scored rows, the clean ones among them; return how many."""
    questions = [orjson.loads(line) for line in EXAMPLES.read_bytes().splitlines()]
    copies = -(-ROWS // (len(questions) * (len(STEPS) + 1)))
    rows = [
        {"id": f"{row['id']}-{copy}", "question": row["question"]}
        for copy in range(copies)
        for row in questions
    ]
    written = 0
    with path.open("wb") as out:
        for number, step in enumerate(STEPS):
            clean = number == 0
            for row in perturb.augment(rows, step, field="question", with_original=clean):
                rate = row["perturbation"]["rate"]
                row["correct"] = written % 10 >= 2 + 20 * rate
                out.write(orjson.dumps(row) + b"\n")
                written += 1
    return written


def main() -> None:
    """Make the rows and time the command."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "scored.jsonl")
        rows = write_rows(path)
        command = [sys.executable, "-m", "perturb", "score", str(path), "--score", "correct"]
        seconds = []
        for _ in range(3):
            start = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            seconds.append(time.perf_counter() - start)
        size = path.stat().st_size / 1e6
    print(f"{rows} rows, {size:.0f} MB: median {sorted(seconds)[1]:.2f} s of {seconds}")
    result = {"rows": rows, "megabytes": round(size), "seconds": sorted(seconds)}
    versions = {"perturb": perturb.__version__}
    write_result("score", {"machine": machine(), "versions": versions, **result})


if __name__ == "__main__":
    main()
