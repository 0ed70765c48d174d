"""No command writes over a file that it reads, whatever option or pattern names the two."""

import json
import os
import sys

import pytest

ROWS = [{"id": str(n), "text": f"some plain words {n}"} for n in range(4)]
STEP = ("case", "-p", "0.5")


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def folder(perturb, tmp_path, monkeypatch):
    """Inputs of all commands."""
    home = tmp_path / "home"
    for name in ("a.jsonl", "b.jsonl", "in/x.jsonl", "in/y.jsonl"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        rows = [{**row, "id": f"{name}:{row['id']}"} for row in ROWS]
        (home / name).write_text(lines(rows))
    (home / "out").mkdir()
    monkeypatch.chdir(home)
    assert perturb("apply", *STEP, "a.jsonl", "-o", "made").status == 0
    scored = [
        {**json.loads(line), "score": 1.0} for line in (home / "made").read_bytes().splitlines()
    ]
    originals = [{**row, "id": f"a.jsonl:{row['id']}", "score": 1.0} for row in ROWS]
    for name in ("scored", "other"):
        (home / f"{name}.jsonl").write_text(lines(scored))
    (home / "clean.jsonl").write_text(lines(originals))
    (home / "pairs.tsv").write_text("clean\tnoisy\na word\ta wrod\n")
    (home / "runs" / "bench" / "one").mkdir(parents=True)
    run = [{"predicted_answer": "1", "symbolic_correct": True}]
    (home / "runs" / "bench" / "one" / "output-rs0.jsonl").write_text(lines(run))
    (home / "asked.jsonl.journal").write_text(lines(ROWS))
    (home / "asked.jsonl.manifest.json").write_text(lines(ROWS[:1]))
    os.link("b.jsonl", "hard.jsonl")
    return home


SCORE = ("--score", "score")
RUN = ("--command", f"{sys.executable} -c 'print(1)'", "-o", "asked.jsonl")
CALLS = {
    "bad lines, a pattern": ("apply", *STEP, "-i", "?.jsonl", "-o", "out/", "--bad-lines", "b.jsonl"),
    "bad lines, a pattern, one file": (
        "apply", *STEP, "-i", "?.jsonl", "-o", "one.jsonl", "--bad-lines", "b.jsonl",
    ),
    "bad lines, a list": (
        "apply", *STEP, "a.jsonl", "b.jsonl", "-o", "out/", "--bad-lines", "hard.jsonl",
    ),
    "bad lines, a folder": ("apply", *STEP, "-i", "in", "-o", "o", "--bad-lines", "in/y.jsonl"),
    "output, a pattern": ("apply", *STEP, "-i", "*.jsonl", "-o", "b.jsonl"),
    "output, a folder": ("apply", *STEP, "-i", "in", "-o", "in/y.jsonl"),
    "manifest": ("apply", *STEP, "asked.jsonl.manifest.json", "-o", "asked.jsonl"),
    "manifest and bad lines": (
        "apply", *STEP, "a.jsonl", "-o", "new.jsonl", "--bad-lines", "new.jsonl.manifest.json",
    ),
    "restore": ("restore", "?.jsonl", "-o", "b.jsonl"),
    "fit": ("fit", "pairs.tsv", "-o", "pairs.tsv"),
    "report": ("report", "scored.jsonl", *SCORE, "-o", "scored.jsonl"),
    "report, clean": ("report", "scored.jsonl", "--clean", "clean.jsonl", *SCORE, "-o", "clean.jsonl"),
    "report of two": ("report", "scored.jsonl", "other.jsonl", *SCORE, "-o", "other.jsonl"),
    "compare": ("compare", "scored.jsonl", "other.jsonl", *SCORE, "-o", "scored.jsonl"),
    "rules": (
        "score", "scored.jsonl", *SCORE, "--fail-if", "drop>0.5", "--junit", "scored.jsonl",
    ),
    "rules of two": (
        "compare", "scored.jsonl", "other.jsonl", *SCORE, "--fail-if", "drop>0.5",
        "--junit", "other.jsonl",
    ),
    "summary": ("summarize", "runs", "--save", "runs/bench/one/output-rs0.jsonl"),
    "run, a pattern": ("run", "*.jsonl", *RUN[:3], "b.jsonl"),
    "run, its journal": ("run", "asked.jsonl.journal", *RUN),
    "run, its manifest": ("run", "asked.jsonl.manifest.json", *RUN),
    "run, a batch": (
        "run", "a.jsonl", "--field", "text", "--endpoint", "http://localhost:1/v1", "--model", "m",
        "-o", "asked.jsonl", "--write-batch", "a.jsonl",
    ),
    "run, a batch for its answers": (
        "run", "a.jsonl", "--field", "text", "--endpoint", "http://localhost:1/v1", "--model", "m",
        "-o", "new.jsonl", "--write-batch", "new.jsonl",
    ),
    "run, answers of a batch": (
        "run", "a.jsonl", "--field", "text", "--endpoint", "http://localhost:1/v1", "--model", "m",
        "-o", "b.jsonl", "--read-batch", "b.jsonl",
    ),
    "explain": (
        "explain", "scored.jsonl", "--clean", "clean.jsonl", *RUN[:3], "clean.jsonl",
    ),
}  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_every_input_stays_as_it_is(perturb, folder, call):
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    done = perturb(*CALLS[call])
    assert done.status == 2, done.err
    assert "same file" in done.message or "lies in the input" in done.message
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@pytest.mark.slow
def test_files_beside_an_input_are_written(perturb, folder):
    call = ("apply", *STEP, "-i", "?.jsonl", "-o", "out/", "--bad-lines", "bad.jsonl")
    assert perturb(*call).status == 0
    assert perturb("summarize", "runs", "--save", "runs/metrics.json").status == 0
    assert perturb("summarize", "runs", "--save", "runs/metrics.json").status == 0
    report = ("report", "scored.jsonl", "--clean", "clean.jsonl", *SCORE, "-o", "page.html")
    assert perturb(*report).status == 0
