"""`perturb explain`: which rows it explains, what it asks, and what it says when a system is odd."""

import json
import re
import shlex
import sys

import pytest

SYSTEM = """
import json, sys
for line in sys.stdin:
    row = json.loads(line)
    assert "perturbation" not in row and "answer" not in row, row
    right = "eggs" in row["question"] or row["question"].count("x") < 2
    print(json.dumps({"answer": "3" if right else "4"}), flush=True)
"""
EDITS = [[0, 1, "x"], [9, 10, "x"], [10, 11, "x"]]


def command(code):
    return shlex.join([sys.executable, "-c", code])


def perturbed(id, text, edits, answer):
    status = "changed" if edits else "original"
    return {
        "id": id,
        "question": text,
        "gold": "3",
        "answer": answer,
        "perturbation": {
            "original_id": "q",
            "original": "How many eggs?",
            "field": "question",
            "replicate": 0 if id != "q#1" else 1,
            "seed": 0,
            "steps": [{"name": "typos", "version": 1, "p": 0.1, "params": {}}] if edits else [],
            "edits": edits,
            "status": status,
            "reason": None,
            "rate": 0.1,
            "categories": [],
            "contract": 1,
        },
    }


@pytest.fixture
def scored(jsonl):
    """An original that is right; a row that is wrong after three edits, and one that is right."""
    return jsonl(
        "scored.jsonl",
        perturbed("q", "How many eggs?", [], "3"),
        perturbed("q#0", "xow many xxgs?", EDITS, "4"),
        perturbed("q#1", "xow many eggs?", EDITS[:1], "3"),
    )


@pytest.fixture
def explain(perturb, scored):
    def run(*arguments, code=SYSTEM):
        given = ("--prediction", "answer", "--target", "gold", "--command", command(code))
        return perturb("explain", scored, *given, *arguments)

    return run


def test_the_flipped_row_and_no_other_has_an_explanation(explain, scored, tmp_path):
    """It takes a broken "eggs" and two x: of three edits, any with both."""
    done = explain("-o", tmp_path / "out.jsonl")
    assert (done.status, done.out, done.err) == (0, b"", "")
    clean, flipped, right = explain().rows
    assert "explanation" not in clean
    assert "explanation" not in right
    found = flipped.pop("explanation")
    assert (found["status"], found["original_answer"], found["answer"]) == ("minimal", "3", "4")
    assert len(found["edits"]) == 2
    assert found["edits"][0] in EDITS
    assert "eggs" not in found["text"]
    assert found["text"].count("x") == 2
    assert [clean, flipped, right] == list(map(json.loads, scored.read_text().splitlines()))
    assert (tmp_path / "out.jsonl").read_bytes() == explain().out


def test_the_number_of_rows_and_of_texts_can_be_limited(explain):
    assert not any("explanation" in row for row in explain("-n", 0).rows)
    found = explain("--budget", 2).rows[1]["explanation"]
    assert (found["status"], found["edits"], found["calls"]) == ("budget spent", EDITS, 2)
    assert explain("--budget", 1).status == 2


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("pass", "scored.jsonl, line 2: the program .* ended before it answered"),
        ("print(1, flush=True); input(); input()", r"must write an object a line; got b'1\\n'"),
        ("print('{', flush=True); input(); input()", r"wrote b'\{\\n': not JSON"),
        ("print('{}', flush=True); input(); input()", "answer has no field 'answer'"),
        ("import sys; sys.stdin.read()", "no answer in 0.2 seconds: it must answer each line"),
    ],
)
def test_a_program_that_does_not_answer(explain, code, message, tmp_path):
    done = explain("--timeout", 0.2, "-o", tmp_path / "out.jsonl", code=code)
    assert done.status == 1
    assert re.search(message, done.message), done.message
    assert not (tmp_path / "out.jsonl").exists()


def test_a_program_that_is_not_there(perturb, scored):
    given = ("--prediction", "answer", "--target", "gold", "--command")
    for name in ("no-such-program", "'", ""):
        done = perturb("explain", scored, *given, name)
        assert done.status == 2
        assert done.message.startswith(f"can't start the program {name!r}: ")


def test_the_input_is_not_written_over(explain, scored):
    assert explain("-o", scored).status == 2
