"""The trained text classifier of the page on judging answers, whose verdict the page shows."""

import os
import runpy
import shlex
import sys
from functools import cache
from itertools import islice, pairwise
from pathlib import Path

import pytest
import regex
from lines import rows_in
from pages import flips

import perturb
from perturb.cli import main
from perturb.records.edit import Edit
from perturb.records.notation import read
from perturb.values.spans import rebuild

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "judge-answers.md").read_text("utf-8")
(APPLY,) = (shlex.split(one) for one in regex.findall(r"^perturb (apply .*)$", PAGE, regex.M))
PROGRAM = ["--command", "python examples/classifier.py answers"]
RUN = ["run", "noisy.jsonl", "-o", "scored.jsonl", *PROGRAM]
EXPLAIN = ["explain", "scored.jsonl", "--target", "label", *PROGRAM, "-o", "explained.jsonl"]
REPORT = "report explained.jsonl --target label --slice label -o report.html".split()
STRENGTHS = [float(p) for p in APPLY[APPLY.index("-p") + 1].split(",")]


@cache
def classifier():
    return runpy.run_path(str(ROOT / "examples" / "classifier.py"))


def of_the_repository(command):
    """The command with its program as it is called from another folder."""
    at = command.index("--command") + 1
    python, script, *rest = shlex.split(command[at])
    assert python == "python"
    program = shlex.join([sys.executable, str(ROOT / script), *rest])
    return [*command[:at], program, *command[at + 1 :]]


def test_common_draws_make_the_curve_smooth():
    """A text at a larger p holds all edits of that at a smaller one."""
    text = classifier()["sentence"]("sport", 1)
    edits = [set(perturb.apply(text, "char_replace", p=p).edits) for p in STRENGTHS]
    assert all(fewer <= more for fewer, more in pairwise(edits))


@pytest.mark.slow
def test_the_explanations_hold_and_the_page_shows_them(write, tmp_path, monkeypatch, in_full):
    """Asked by the test itself: each explained text flips, and with one edit fewer it does not."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.chdir(tmp_path)
    count, limit = (300, 60) if in_full else (30, 6)
    write("texts.jsonl", islice(classifier()["texts"](), count))
    assert main(APPLY) == 0
    assert main(of_the_repository(RUN)) == 0
    assert main([*of_the_repository(EXPLAIN), "-n", str(limit)]) == 0
    rows = rows_in(tmp_path / "explained.jsonl")
    explained = [row for row in rows if "explanation" in row]
    assert len(explained) == limit
    asked = []
    for row in explained:
        said, original = row["explanation"], row["perturbation"]["original"]
        edits = [Edit(**edit) for edit in said["edits"]]
        assert set(edits) <= set(read(row["perturbation"]["edits"]).texts["text"])
        assert said["status"] == "minimal"
        assert rebuild(original, edits) == said["text"]
        fewer = [rebuild(original, [e for e in edits if e != left]) for left in edits]
        asked += [(row, text) for text in (original, said["text"], *fewer)]
    answers = classifier()["answers"]([{**row, "text": text} for row, text in asked])
    right = [row["prediction"] == row["label"] for row in answers]
    for row in explained:
        clean, flipped, *fewer = (right.pop(0) for _ in range(len(row["explanation"]["edits"]) + 2))
        assert clean != flipped
        assert set(fewer) == {clean}
    assert main(REPORT) == 0
    shown = list(flips((tmp_path / "report.html").read_text("utf-8")))
    assert sum(flip["status"] == "minimal" for flip in shown) == limit
