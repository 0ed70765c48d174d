"""`perturb test` on files in the forms that benchmarks are published in."""

import json

import pytest

from perturb.cli import main
from perturb.errors import DataError
from perturb.evaluation.questions import value_at
from perturb.evaluation.suites import looked_at


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots.py").write_text("def guesses(question):\n    return '7'\n")
    return tmp_path


def said(capsys, *words):
    status = main(["test", *words])
    return status, capsys.readouterr().err


def jsonl(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.mark.slow
def test_a_published_file_that_has_no_question_on_top_is_named(here, capsys):
    (here / "bbh.json").write_text(json.dumps({"examples": [{"input": "Is 1 2?", "target": "No"}]}))
    status, err = said(capsys, "bbh.json", "python:bots.py:guesses")
    assert (status, "this looks like BIG-Bench Hard" in err, "--shape bbh" in err) == (
        1,
        True,
        True,
    )
    state = {"request_states": [{"instance": {"input": {"text": "Ann sees Tom."}}}]}
    (here / "state.json").write_text(json.dumps(state))
    err = said(capsys, "state.json", "python:bots.py:guesses", "--shape", "helm")[1]
    assert ("name it with --target" in err, "this looks like" in err) == (True, False)


@pytest.mark.slow
def test_the_csv_of_mmlu_is_tested_as_its_message_says(here, capsys):
    lines = [f"Which is {n}?,no,{n},never,none,B" for n in range(9)]
    (here / "sums_test.csv").write_text("\n".join(lines) + "\n")
    words = ("sums_test.csv", "python:bots.py:guesses", "-o", "out")
    assert "as in MMLU; --format mmlu reads it" in said(capsys, *words)[1]
    status, err = said(capsys, *words, "--format", "mmlu")
    assert (status, "--choices A=choices" in err) == (0, True)
    assert said(capsys, *words, "--format", "mmlu")[0] == 0


@pytest.mark.slow
def test_answers_that_are_objects_are_refused_before_there_is_a_folder(here, capsys):
    row = {"question": "Who?", "answer": {"aliases": ["Ann", "A."], "value": "Ann"}}
    jsonl(here / "trivia.jsonl", [row])
    status, err = said(capsys, "trivia.jsonl", "python:bots.py:guesses")
    assert (status, "with --target: answer.aliases, answer.value" in err) == (1, True)
    assert not (here / "trivia.test").exists()
    words = ("trivia.jsonl", "python:bots.py:guesses", "--target", "answer.aliases")
    status, err = said(capsys, *words)
    assert (status, "1 original is too few to show" in err) == (0, True)


@pytest.mark.slow
def test_a_question_without_its_passage_is_told(here, capsys):
    rows = [
        {"id": n, "question": f"Is {n} red?", "passage": f"{n} is.", "answer": "yes"} for n in "ab"
    ]
    jsonl(here / "about.jsonl", rows)
    words = ("about.jsonl", "python:bots.py:guesses")
    note = "'passage' isn't asked; if the question needs it, give --prompt FILE with {passage}"
    assert note in said(capsys, *words)[1]
    (here / "ask.txt").write_text("{passage} {question}")
    assert note not in said(capsys, *words, "--prompt", "ask.txt", "-o", "other")[1]


def test_an_instruction_is_asked_before_its_input():
    """Alpaca's input alone would be asked without what to do with it."""
    rows = [{"instruction": "Translate to French.", "input": "Good day.", "output": "Bonjour"}]
    found = looked_at(rows, None, None)
    assert (found.field, found.target, found.unknown) == (["instruction"], "output", ["input"])
    assert looked_at([{"input": "Who?", "target": "Ann"}], None, None).unknown == []


def test_fields_are_known_by_their_titles():
    rows = [{"Question": "Who?", "Correct Answer": "Ann", "Incorrect Answer 1": "Tom"}]
    assert looked_at(rows, None, None)[1:4] == (["Question"], ["Question"], "Correct Answer")


@pytest.mark.slow
@pytest.mark.parametrize(("role", "said_by"), [("role", "content"), ("from", "value")])
def test_a_chat_that_ends_with_its_answer_is_asked_without_it(here, capsys, role, said_by):
    """The answer is the right one, and the system must not see it."""
    names = ("user", "assistant") if role == "role" else ("human", "gpt")
    texts = [(f"What is {n} plus one, please?", str(n + 1)) for n in range(12)]
    chats = [
        [{role: name, said_by: text} for name, text in zip(names, pair, strict=True)]
        for pair in texts
    ]
    jsonl(here / "sft.jsonl", [{"messages": chat} for chat in chats])
    (here / "bots.py").write_text("def last(chat):\n    return str(len(chat)) + str(chat[-1])\n")
    field = f"messages[{role}={names[0]}].content".replace("content", said_by)
    status, err = said(capsys, "sft.jsonl", "python:bots.py:last", "--field", field)
    assert (status, "--field 'messages[:-1]'" in err) == (0, True)
    assert f"--target 'messages[-1].{said_by}' --match number" in err
    answers = (here / "sft.test/answers/bots.py-last.jsonl").read_text().splitlines()
    assert all(json.loads(line)["prediction"].startswith("1{") for line in answers)


def test_chats_that_may_end_with_their_answer_are_refused_or_told():
    asked, answered = ([{"role": name, "content": "12"}] for name in ("user", "assistant"))
    rows = [{"messages": asked + answered}, {"messages": asked}]
    with pytest.raises(DataError, match="end with the assistant's answer in some rows"):
        looked_at(rows, None, None)
    parts = [{"messages": [*asked, {"role": "assistant", "content": [{"text": "12"}]}]}]
    with pytest.raises(DataError, match=r"--target, such as messages\[-1\].content\[0\].text"):
        looked_at(parts, None, None)
    assert looked_at([{**rows[0], "label": "1"}], None, None)[2:4] == (["messages[:-1]"], "label")
    with pytest.warns(UserWarning, match=r"with --field messages\[:-1\]"):
        value_at(["messages"])(rows[0])
    with pytest.raises(DataError, match="ends with none; got"):
        value_at(["messages[:-1]"])(rows[1])
