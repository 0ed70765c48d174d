"""Claim: `perturb score` judges 100,000 scored rows in under 5 seconds, whole process.

    python benchmarks/score.py
    python benchmarks/score.py --side-by-side
    python benchmarks/score.py --originals 100000 --versions 99 --rounds 1 --command report

The rows are those of `perturb apply` on examples/questions.jsonl, each original with a number of
its own in its text, and right or wrong by chance; the more edits, the more often wrong. With 20
versions or more some are identity and 12 conditions have replicates. With `--command`, `perturb
compare` of two such systems, or `perturb report`: what counts there is the peak of memory, and of
the page its size. With `--against` each row has a reply, of which no other original has the like,
and it is compared with that to the original.

With `--side-by-side`, all commands that judge take turns with a bare read of the same rows by
orjson, of both files for `compare`; what counts is how many times its CPU time each takes.
"""

import statistics
import sys
import tempfile
from itertools import cycle, islice
from pathlib import Path

import numpy as np
import orjson
from common import (
    EXAMPLES,
    FOLDER,
    Run,
    in_turns,
    measured,
    options,
    read_result,
    show,
    table,
    write_into,
    write_result,
)

import perturb

# The most times that a command may take of a bare read of its rows.
GOALS = {"score": 9, "tolerance": 10, "compare": 12, "report": 30}
STEPS = [
    f"{name}:p={p}"
    for p in (0.05, 0.02, 0.1)
    for name in ("keyboard_typos", "ocr", "char_delete", "case")
]
_PARSE = (
    "import orjson, sys\n"
    "for path in sys.argv[1:]:\n"
    "    for line in open(path, 'rb'): orjson.loads(line)"
)
_NUMBER, _SCORE = b"<number>", b'"<score>"'


def templates(versions):
    """Return, for each question, its rows with gaps for a number and a score, and the chance."""
    steps = [*islice(cycle(STEPS), versions - 3), *["identity"] * 3] if versions > 19 else STEPS
    questions = [orjson.loads(line) for line in EXAMPLES.read_bytes().splitlines()]
    rows = [
        {"id": f"{row['id']}-<number>", "question": f"{row['question']} No. <number>"}
        for row in questions
    ]
    every = [[] for _ in questions]
    for at, step in enumerate(steps[:versions]):
        gaps = {"protect": ["regex:<[a-z]+>"], "with_original": not at}
        for row in perturb.augment(rows, step, field="question", seed=at, **gaps):
            edits = row["perturbation"]["edits"].count("|") / len(row["question"])
            question = int(row["perturbation"]["original_id"].partition("-")[0][1:]) - 1
            row |= {"correct": "<score>", "prediction": "<number> is <reply>"}
            every[question].append((orjson.dumps(row) + b"\n", 0.8 - 2 * edits))
    return every


def write_rows(path, originals, versions, seed):
    """Write the scored rows of a system, the clean ones among them."""
    rng, every = np.random.default_rng(seed), templates(versions)
    with path.open("wb") as out:
        for number, rows in zip(range(originals), cycle(every), strict=False):
            right = (rng.random(len(rows)) < [chance for _, chance in rows]).tolist()
            for (line, _), correct in zip(rows, right, strict=True):
                line = line.replace(_NUMBER, b"%d" % number).replace(b"<reply>", b"%d" % correct)
                out.write(line.replace(_SCORE, b"true" if correct else b"false"))


def command_of(name, path, other, page, grade):
    """The command line that judges rows, and the files that it reads."""
    files = [path, other] if name == "compare" else [path]
    end = ["-o", page] * (name == "report")
    return [sys.executable, "-m", "perturb", name, *files, *end, *grade], files


def parse(files):
    """The command line that reads rows and does no more."""
    return [sys.executable, "-c", _PARSE, *files]


def side_by_side(run, paths, grade):
    """Compare what the commands take with a bare read, all in turns, and store it."""
    work = {name: command_of(name, *paths, grade) for name in GOALS}
    commands = {name: command for name, (command, _) in work.items()}
    commands |= {f"read of {name}": parse(files) for name, (_, files) in work.items()}
    best = {
        name: min(seconds)
        for name, seconds in in_turns(
            commands, run.args.rounds, lambda command: measured(command)[1]
        ).items()
    }
    ratios = {
        name: {"times": round(best[name] / best[f"read of {name}"], 1), "goal": goal}
        for name, goal in GOALS.items()
    }
    show("command", ratios)
    about = run.about({"perturb": perturb.__version__, "orjson": orjson.__version__})
    write_result("score", {**read_result("score"), "side by side": {**about, "ratios": ratios}})
    heads = "command, of 100,000 rows", "times a bare read by orjson", "goal"
    cells = ((f"`perturb {name}`", *each.values()) for name, each in ratios.items())
    write_into(FOLDER / "README.md", "judging", table(heads, cells))


def main():
    """Make the rows, time the command, and store the result of this number of rows."""
    parser = options(__doc__, rounds=3)
    parser.add_argument("--originals", type=int, default=20_000)
    parser.add_argument("--versions", type=int, default=4)
    parser.add_argument("--command", choices=("score", "compare", "report"), default="score")
    parser.add_argument("--against", action="store_true")
    parser.add_argument("--side-by-side", action="store_true")
    run = Run(parser)
    shape, name = (run.args.originals, run.args.versions), run.args.command
    grade = ["--against", "original"] if run.args.against else ["--score", "correct"]
    with tempfile.TemporaryDirectory() as folder:
        path, other, page = (Path(folder, end) for end in ("a.jsonl", "b.jsonl", "page.html"))
        write_rows(path, *shape, 1)
        if name == "compare" or run.args.side_by_side:
            write_rows(other, *shape, 2)
        if run.args.side_by_side:
            side_by_side(run, (path, other, page), grade)
            return
        command, _ = command_of(name, path, other, page, grade)
        read = parse([path])
        turns = [(*measured(command), measured(read)[1]) for _ in range(run.args.rounds)]
        size = round(path.stat().st_size / 1e6)
        pages = [page.stat().st_size / 1e6 for page in sorted(Path(folder).glob("page*"))]
    names = "seconds", "seconds_of_cpu", "megabytes_at_peak", "seconds_of_cpu_to_parse"
    medians = (round(statistics.median(figures), 2) for figures in zip(*turns, strict=True))
    figures = {"megabytes": size, **dict(zip(names, medians, strict=True))}
    if pages:
        figures |= {"megabytes_of_page": pages[0], "beside_it": sum(pages[1:])}
    case = f"{name} {shape[0]} x {shape[1]}" + ", against" * run.args.against
    show(case, figures)
    about = run.about({"perturb": perturb.__version__})
    write_result("score", {**read_result("score"), case: about | figures})


if __name__ == "__main__":
    main()
