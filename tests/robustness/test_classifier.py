"""A trained text classifier, perturbed more and more: the curve falls and the verdict says so.

The classifier and the table are those of the page on judging answers.
"""

import os
import runpy
import shlex
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path

import orjson
import pytest
import regex
from pages import flips

import perturb
from perturb.cli import main
from perturb.records.edit import Edit
from perturb.records.notation import read
from perturb.values.spans import rebuild

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "judge-answers.md").read_text("utf-8")
(APPLY,) = (shlex.split(one) for one in regex.findall(r"^perturb (apply .*)$", PAGE, regex.M))
TABLE = regex.search(r"\$ perturb score scored.jsonl --target label\n(.*?)```", PAGE, regex.S)[1]
SCORE = "score scored.jsonl --target label --plot plots".split()
PROGRAM = ["--command", "python examples/classifier.py answers"]
RUN = ["run", "noisy.jsonl", "-o", "scored.jsonl", *PROGRAM]
EXPLAIN = ["explain", "scored.jsonl", "--target", "label", *PROGRAM, "-o", "explained.jsonl"]
REPORT = "report explained.jsonl --target label --slice label -o report.html".split()
STRENGTHS = [float(p) for p in APPLY[APPLY.index("-p") + 1].split(",")]


@cache
def classifier():
    return runpy.run_path(str(ROOT / "examples" / "classifier.py"))


@pytest.fixture
def scored(write, tmp_path, monkeypatch):
    """The folder in which the commands ran, up to the answers."""
    monkeypatch.chdir(tmp_path)
    write("texts.jsonl", classifier()["texts"]())
    assert main(APPLY) == 0
    noisy = (tmp_path / "noisy.jsonl").read_bytes().splitlines()
    return write("scored.jsonl", classifier()["answers"](map(orjson.loads, noisy)))


def of_the_repository(command):
    """The command with its program as it is called from another folder."""
    at = command.index("--command") + 1
    python, script, *rest = shlex.split(command[at])
    assert python == "python"
    program = shlex.join([sys.executable, str(ROOT / script), *rest])
    return [*command[:at], program, *command[at + 1 :]]


@pytest.mark.slow
def test_the_verdict_is_the_one_on_the_page(scored, tmp_path, capsys):
    assert main(SCORE) == 0
    printed = capsys.readouterr().out
    assert [line.rstrip() for line in printed.splitlines()] == TABLE.splitlines()
    plots = {path.name for path in (tmp_path / "plots").iterdir()}
    names = ("score_over_p", "gamma_curve", "flips")
    assert plots == {f"{name}.{kind}" for name in names for kind in ("png", "svg")}


@pytest.mark.slow
def test_the_curve_falls_for_the_perturbator_that_hurts(scored, capsys):
    """300 originals, 2 replicates: the drop at the largest p is over 30 points, se 2."""
    assert main([*SCORE[: SCORE.index("--plot")], "--json"]) == 0
    report = orjson.loads(capsys.readouterr().out)
    hurt, harmless = (
        [
            found
            for found in report["conditions"]
            if (found["perturbator"], found["scope"]) == (name, "all")
        ]
        for name in ("char_replace", "case")
    )
    assert [found["p"] for found in hurt] == STRENGTHS
    assert len(STRENGTHS) == 5
    assert report["overall"][0]["clean_mean"] > 0.85
    means = [found["perturbed_mean"] for found in hurt]
    assert means == sorted(means, reverse=True)
    assert report["overall"][0]["clean_mean"] - means[-1] > 0.3
    assert [found["verdict"] for found in hurt][2:] == ["worse"] * 3
    # A classifier that folds case sees nothing of it.
    assert {found["verdict"] for found in harmless} == {"robust"}
    assert all(found["difference"] == 0 for found in harmless)


def test_common_draws_make_the_curve_smooth():
    """A text at a larger p holds all edits of that at a smaller one."""
    text = classifier()["sentence"]("sport", 1)
    edits = [set(perturb.apply(text, "char_replace", p=p).edits) for p in STRENGTHS]
    assert all(fewer <= more for fewer, more in pairwise(edits))


@pytest.mark.slow
def test_the_explanations_hold_and_the_page_shows_them(scored, tmp_path, monkeypatch, in_full):
    """Asked by the test itself: each explained text flips, and with one edit fewer it does not."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    scored.unlink()
    limit = 60 if in_full else 15
    assert main(of_the_repository(RUN)) == 0
    assert main([*of_the_repository(EXPLAIN), "-n", str(limit)]) == 0
    rows = list(map(orjson.loads, (tmp_path / "explained.jsonl").read_bytes().splitlines()))
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
