"""A trained text classifier, perturbed more and more: the curve falls and the verdict says so.

The classifier and the commands are those of the README.
"""

import runpy
import shlex
from itertools import pairwise
from pathlib import Path

import orjson
import pytest
import regex

import perturb
from perturb.cli import main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
COMMANDS, TABLE = regex.search(
    r"```\npython examples/classifier.py texts.*?\n(perturb apply.*?)```\n.*?```\n(.*?)```",
    README,
    regex.S,
).groups()
APPLY, SCORE = (shlex.split(one) for one in regex.findall(r"^perturb (.*)$", COMMANDS, regex.M))
STRENGTHS = [float(p) for p in APPLY[APPLY.index("-p") + 1].split(",")]
CLASSIFIER = runpy.run_path(str(ROOT / "examples" / "classifier.py"))


@pytest.fixture
def scored(write, tmp_path, monkeypatch):
    """The folder in which the README's commands ran, up to the answers."""
    monkeypatch.chdir(tmp_path)
    write("texts.jsonl", CLASSIFIER["texts"]())
    assert main(APPLY) == 0
    noisy = (tmp_path / "noisy.jsonl").read_bytes().splitlines()
    return write("scored.jsonl", CLASSIFIER["answers"](map(orjson.loads, noisy)))


def test_the_verdict_is_the_one_in_the_readme(scored, tmp_path, capsys):
    assert main(SCORE) == 0
    printed = capsys.readouterr().out
    assert [line.rstrip() for line in printed.splitlines()] == TABLE.splitlines()
    plots = {path.name for path in (tmp_path / "plots").iterdir()}
    names = ("score_over_p", "gamma_curve", "flips")
    assert plots == {f"{name}.{kind}" for name in names for kind in ("png", "svg")}


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
    assert {found["verdict"] for found in harmless} == {"not shown"}
    assert all(found["difference"] == 0 for found in harmless)


def test_common_draws_make_the_curve_smooth():
    """A text at a larger p holds all edits of that at a smaller one."""
    text = CLASSIFIER["sentence"]("sport", 1)
    edits = [set(perturb.apply(text, "char_replace", p=p).edits) for p in STRENGTHS]
    assert all(fewer <= more for fewer, more in pairwise(edits))
