"""The rules of a verdict as options of `perturb test`, which hands them on."""

import json
import re

import pytest

from perturb.cli import main

BOTS = """
import re
def adds(question):
    numbers = re.findall(r"\\d+", question)
    return str(int(numbers[0]) + int(numbers[1])) if len(numbers) == 2 else "?"
def guesses(question):
    return "7"
"""
SUMS = [
    {"id": f"s{n}", "question": f"What is {n} plus {n + 3}, please?", "answer": str(2 * n + 3)}
    for n in range(8)
]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots.py").write_text(BOTS)
    (tmp_path / "sums.jsonl").write_text("".join(json.dumps(row) + "\n" for row in SUMS))
    return tmp_path


def said(capsys, *words):
    status = main(["test", *map(str, words)])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.mark.slow
def test_the_rules_of_a_verdict_reach_each_command(here, capsys):
    """Those of one system, of several, and the page; a plan of them stays in the folder."""
    rules = ("--margin", "0.3", "--range=-1,1", "--cluster", "answer", "--at-least", "0.2")
    call = ("sums.jsonl", "python:bots.py:adds", *rules)
    status, _, err = said(capsys, *call)
    assert status == 0
    plan = json.loads((here / "sums.test/judging.json").read_text())
    assert (plan["margin"], plan["range"], plan["at_least"]) == (0.3, "-1,1", 0.2)
    assert plan["cluster"] == ["answer"]
    commands = [line for line in err.splitlines() if line.startswith("perturb: $ perturb ")]
    judging = [line for line in commands if re.search(r"\$ perturb (run|score|report) ", line)]
    assert len(judging) > 3
    assert (
        sum("--margin 0.3 --at-least 0.2 --cluster answer --range=-1,1" in one for one in judging)
        > 2
    )
    status, _, err = said(capsys, *call[:1], "python:bots.py:guesses", *call[2:], "--all")
    assert (status, "$ perturb compare" in err) == (0, True)


@pytest.mark.slow
def test_answers_are_compared_with_those_to_the_originals_where_there_are_right_ones(here, capsys):
    """Whatever the way to compare; and a right answer that is named contradicts it."""
    call = ("sums.jsonl", "python:bots.py:guesses", "--against", "original")
    status, out, err = said(capsys, *call, "--match", "number")
    assert (status, "No outcome changed" in out) == (0, True)
    assert "--against original --match number" in err
    assert "answers are compared with those to the originals" in err
    status, _, err = said(capsys, *call, "--target", "answer")
    assert (status, "--against original needs no right answer" in err) == (2, True)
