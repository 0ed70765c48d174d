"""`perturb run` on rows as people publish them: `--rows`, `--shape`, `--choices`, several fields."""

import json

import pytest

from perturb.cli import main

ROW = {
    "id": "q1",
    "stem": "Which is red?",
    "passage": "A barn.",
    "options": ["grass", "the barn"],
    "labelled": ["A) grass", "B) the barn"],
    "answer": "B",
}
LISTED = "Which is red?\nA. grass\nB. the barn"
ARC = {
    "id": "a",
    "question": {
        "stem": "Which is red?",
        "choices": [{"text": "grass", "label": "1"}, {"text": "the barn", "label": "2"}],
    },
    "answerKey": "2",
}


def content(server):
    (request,) = server.requests
    return request["messages"][-1]["content"]


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        (["--field", "stem", "--choices", "options"], LISTED),
        (["--field", "stem", "--choices", "labelled"], LISTED.replace(".", ")")),
        (["--field", "passage", "--field", "stem"], "A barn.\nWhich is red?"),
        (
            ["--field", "passage", "--field", "stem", "--choices", "a=options"],
            "A barn.\nWhich is red?\na. grass\nb. the barn",
        ),
    ],
)
def test_a_question_of_several_fields(run, jsonl, server, given, asked):
    done = run(jsonl("rows.jsonl", ROW), *given)
    assert (done.status, content(server)) == (0, asked), done.message


def test_rows_inside_a_file_are_asked(run, server, tmp_path, answers):
    source = tmp_path / "in.json"
    source.write_text(json.dumps({"n": 1, "data": [{"of": "barns", "qas": [ROW]}, {"qas": []}]}))
    words = ["--rows", "data[*].qas[*]", "--field", "^.of", "--field", "stem", "--seeds", "2"]
    assert run(source, *words).status == 0
    assert [row["id"] for row in answers()] == ["q1#rs0", "q1#rs1"]
    assert {row["^"]["of"] for row in answers()} == {"barns"}
    assert server.requests[0]["messages"][-1]["content"] == "barns\nWhich is red?"
    manifest = json.loads((tmp_path / "answers.jsonl.manifest.json").read_text())
    assert manifest["asked"]["options"]["rows"] == "data[*].qas[*]"
    assert manifest["asked"]["options"]["field"] == ["^.of", "stem"]


def test_a_shape_names_the_question_and_its_options(run, jsonl, server):
    assert run(jsonl("rows.jsonl", ARC), "--shape", "arc").status == 0
    assert content(server) == "Which is red?\n1. grass\n2. the barn"


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        (["--command", "python:bot.py:bot"], "Which is red?\n1. grass\n2. the barn"),
        (["--command", "sed -u s/^/got:/"], '"answerKey":"2"'),
        (["--command", "python:bot.py:bot", "--prompt", "p.txt"], "Say: Which is red?"),
    ],
)
def test_a_shape_leaves_the_question_to_a_prompt_or_a_program(
    perturb, jsonl, tmp_path, monkeypatch, answers, given, seen
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text("def bot(question):\n    return str(question)\n")
    (tmp_path / "p.txt").write_text("Say: {question.stem}")
    words = ["run", jsonl("rows.jsonl", ARC), "-o", tmp_path / "answers.jsonl", "--shape", "arc"]
    done = perturb(*words, *given)
    assert done.status == 0, done.message
    assert seen in answers()[0]["prediction"]


def test_rows_of_perturb_apply_are_inside_no_others(run, perturb, server, tmp_path):
    """The shape that made them still names their question."""
    source, rows = tmp_path / "in.json", tmp_path / "rows.jsonl"
    qas = {"id": "q", "question": "Which is red?", "answers": [{"text": "barn"}]}
    source.write_text(
        json.dumps({"data": [{"paragraphs": [{"context": "A barn.", "qas": [qas]}]}]})
    )
    assert perturb("apply", "case", "--shape", "squad", "-i", source, "-o", rows).status == 0
    for path in (rows, source):
        assert run(path, "--shape", "squad", output=f"{path.name}.answers").status == 0
    assert server.requests[-1]["messages"][-1]["content"] == "Which is red?"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--until", "decided", "--rows", "a[*]"], "--rows does nothing with --until"),
        (["--prompt", "p.txt"], "--field does nothing with --prompt"),
        (["--shape", "ark"], "unknown shape 'ark'"),
        (["--choices", "stem"], "the field 'stem' is one string"),
    ],
)
def test_what_does_nothing_is_refused(run, jsonl, given, message):
    done = run(jsonl("rows.jsonl", ROW), "--field", "stem", *given)
    assert (done.status in (1, 2), message in done.message) == (True, True), done.message


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            ["--group", "1", "--field", "stem", "--choices", "options"],
            "the field 'stem' has a line break",
        ),
        (["--choices", "options"], "--choices does nothing with --command, which gets whole rows"),
        (["--group", "1", "--field", "stem", "--field", "passage"], "has a line break"),
    ],
)
def test_a_program_gets_a_line_or_a_row(perturb, jsonl, tmp_path, given, message):
    words = ["run", jsonl("rows.jsonl", ROW), "-o", tmp_path / "out.jsonl", "--command", "cat"]
    done = perturb(*words, *given)
    assert (done.status in (1, 2), message in done.message) == (True, True), done.message


def test_right_answers_at_a_path_are_judged_while_rows_are_asked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    passage = {"context": "The river flows to Lyon.", "qas": []}
    passage["qas"] = [
        {"id": f"q{n}", "question": f"Where does river {n} flow?", "answers": [{"text": "Lyon"}]}
        for n in range(6)
    ]
    (tmp_path / "squad.json").write_text(json.dumps({"data": [{"paragraphs": [passage]}]}))
    (tmp_path / "system.py").write_text("def answer(row):\n    return 'Lyon'\n")
    words = ["test", "squad.json", "python:system.py:answer", "--shape", "squad", "-o", "made"]
    assert main(words) == 0
    assert (tmp_path / "made" / "report.html").exists()
