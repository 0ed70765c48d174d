"""Copies of a perturbed text in its row, which become stale: they are named once a file."""

import json

import pytest

from perturb.cli import main

ASKED = "How many eggs do sixteen hens lay in a day?"
# The fields beside the text, the path of a copy, its relation; "" for none.
CASES = [
    ({"input": ASKED}, "input", "holds the text of"),
    (
        {"messages": [{"role": "user", "content": ASKED}]},
        "messages[*].content",
        "holds the text of",
    ),
    ({"prompt": f"Question: {ASKED}\nAnswer:"}, "prompt", "contains the text of"),
    ({"begin": ASKED[:25]}, "begin", "holds a part of"),
    ({"tokens": ASKED.split()}, "tokens", "holds the tokens of"),
    ({"spans": [{"text": "eggs", "start": 9}]}, "spans[*]", "has offsets into"),
    ({"found": {"text": ["eggs"], "answer_start": [9]}}, "found", "has offsets into"),
    ({"names": ["hens", "eggs"]}, "names", "lists parts of"),
    ({"other": "An unrelated text of more than twenty characters."}, "", ""),
    ({"label": "eggs", "tags": ["farm", "eggs"], "start": 9}, "", ""),
    ({"spans": [{"text": "eggs", "start": 8}]}, "", ""),
]


def noted(rows, capfd, *given):
    """What perturb says while it perturbs rows."""
    path = capfd.path / "in.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = ["-i", str(path), "-o", str(capfd.path / "out.jsonl")]
    assert main(["apply", *given, *out]) == 0
    return capfd.readouterr().err


@pytest.fixture
def capfd(capfd, tmp_path):
    capfd.path = tmp_path
    return capfd


@pytest.mark.parametrize(("beside", "path", "how"), CASES)
def test_a_copy_is_named_with_its_rows(beside, path, how, capfd) -> None:
    rows = [{"id": n, "question": ASKED, **beside} for n in range(3)] + [{"id": 9, "question": "x"}]
    given = ["char_swap", "-p", "0.1", "--field", "question"]
    said = noted(rows, capfd, *given)
    assert said.count("perturb: ") == bool(how)
    if how:
        assert f"of the first 4 rows, '{path}' {how} 'question' in 3: " in said
    assert noted(rows, capfd, *given, "--copies", "ignore") == ""


def test_options_that_a_question_repeats(capfd) -> None:
    """The row of which 29 of 40 shuffles showed another option at the key."""
    listed = "What is red?\nA. sky\nB. blood\nC. rock\nD. sea"
    row = {"id": 1, "question": listed, "choices": ["sky", "blood", "rock", "sea"], "answer": "B"}
    for option in ("--field", "--choices"):
        said = noted([row], capfd, "option_shuffle", option, "choices", "--target", "answer")
        assert "'question' repeats the items of 'choices' in 1: " in said
    assert "'choices' lists parts of 'question' in 1: " in noted(
        [row], capfd, "option_shuffle", "--field", "question", "--target", "answer"
    )


def test_fields_that_are_named_are_no_copies(capfd) -> None:
    row = {
        "id": 1,
        "question": ASKED,
        "input": ASKED,
        "spans": [{"text": "eggs", "answer_start": 9}],
    }
    given = ["char_swap", "--field", "question", "--field", "input", "--spans", "question=spans[*]"]
    assert noted([row], capfd, *given) == ""


def test_parts_in_few_rows_are_chance(capfd) -> None:
    rows = [{"id": n, "question": f"{ASKED} {n}", "begin": "y"} for n in range(60)]
    rows[3]["begin"] = rows[4]["begin"] = ASKED[:25]
    assert noted(rows, capfd, "char_swap", "--field", "question") == ""
    rows[5]["begin"] = ASKED[:25]
    said = noted(rows, capfd, "char_swap", "--field", "question")
    assert "'begin' holds a part of 'question' in 3: " in said


def test_only_the_first_rows_are_looked_at(capfd) -> None:
    rows = [{"id": n, "question": f"{ASKED} {n}", "padding": "y" * 2000} for n in range(1000)]
    late = {"id": "late", "question": ASKED, "input": ASKED}
    given = ["char_swap", "--field", "question"]
    early = [*rows[:98], {**late, "id": "early"}, *rows[98:]]
    assert "'input' holds the text of 'question' in 1" in noted([*early, late], capfd, *given)
    both = noted([*early[1:-1], late], capfd, *given)
    assert "'input' holds the text of 'question' in 2" in both
    # A hundred rows without a copy are of a layout without one.
    assert noted([*rows[:100], late], capfd, *given) == ""


def test_tables_are_looked_at_too(tmp_path, capfd) -> None:
    source = tmp_path / "in.csv"
    source.write_text(f"id,question,input\n1,{ASKED},{ASKED}\n2,What?,other\n")
    words = ["apply", "char_swap", "--field", "question", "-i", str(source)]
    assert main([*words, "-o", str(tmp_path / "out.csv")]) == 0
    assert "'input' holds the text of 'question' in 1" in capfd.readouterr().err
