"""Claim: `perturb score` judges 100,000 scored rows in under 5 seconds, whole process.

    python benchmarks/score.py
    python benchmarks/score.py --rows 1000000 --rounds 1 --command report

The rows are those of `perturb apply` on examples/questions.jsonl, with an answer marked right or
wrong by its edit rate. With `--command`, `perturb compare` of them with themselves, or `perturb
report`: what counts there is the peak of memory.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

import orjson
from common import EXAMPLES, Run, measured, options, read_result, write_result

import perturb

ROWS = 100_000
STEPS = ("keyboard_typos:p=0.05", "keyboard_typos:p=0.2", "ocr:p=0.1", "char_delete:p=0.1")
_PARSE = "import orjson, sys\nfor line in open(sys.argv[1], 'rb'): orjson.loads(line)"


def write_rows(path: Path, least: int) -> int:
    """Write scored rows, the clean ones among them; return how many."""
    questions = [orjson.loads(line) for line in EXAMPLES.read_bytes().splitlines()]
    copies = -(-least // (len(questions) * (len(STEPS) + 1)))
    count = 0
    with path.open("wb") as out:
        for number, step in enumerate(STEPS):
            clean = number == 0
            rows = (
                {"id": f"{row['id']}-{copy}", "question": row["question"]}
                for copy in range(copies)
                for row in questions
            )
            for row in perturb.augment(rows, step, field="question", with_original=clean):
                rate = row["perturbation"]["edits"].count("|") / len(row["question"])
                row["correct"] = count % 10 >= 2 + 20 * rate
                out.write(orjson.dumps(row) + b"\n")
                count += 1
    return count


def main() -> None:
    """Make the rows, time the command, and store the result of this number of rows."""
    parser = options(__doc__, rounds=3)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--command", choices=("score", "compare", "report"), default="score")
    run = Run(parser)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "scored.jsonl")
        rows = write_rows(path, run.args.rows)
        command = [sys.executable, "-m", "perturb", run.args.command, str(path)]
        more = {"compare": [str(path)], "report": ["-o", str(Path(folder, "page.html"))]}
        score = [*command, *more.get(run.args.command, ()), "--score", "correct"]
        parse = [sys.executable, "-c", _PARSE, str(path)]
        turns = [(*measured(score), measured(parse)[1]) for _ in range(run.args.rounds)]
        size = path.stat().st_size / 1e6
    seconds, cpu, memory, bare = (
        round(statistics.median(figures), 2) for figures in zip(*turns, strict=True)
    )
    run.tell({"perturb": perturb.__version__})
    print(
        f"{rows:,} rows, {size:.0f} MB: {seconds:.2f} s, of which CPU {cpu:.2f} s; {memory:.0f} MB "
        f"at the peak; a bare loop that parses the lines takes {bare:.2f} s of CPU"
    )
    figures = {"megabytes": round(size), "seconds": seconds, "seconds_of_cpu": cpu}
    figures |= {"megabytes_at_peak": round(memory), "seconds_of_cpu_to_parse": bare}
    name = str(rows) if run.args.command == "score" else f"{run.args.command} {rows}"
    write_result("score", {**read_result("score"), name: {**run.about, **figures}})


if __name__ == "__main__":
    main()
