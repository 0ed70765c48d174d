"""Right answers change with the texts of their rows, and never without them."""

import json
import re

import pytest

import perturb
from perturb.cli import main

MET = "They met in Paris. Where?"
FELL = "The man and the woman walked. The man fell. Who fell?"


def made(question, answer, step, **options):
    row = {"id": 1, "question": question, "answer": answer}
    given = {"field": "question", "target": "answer", "p": 1.0, **options}
    (now,) = perturb.augment([row], step, **given)
    assert perturb.verify(now)
    assert perturb.restored(now) == row
    return now


@pytest.mark.parametrize(
    ("step", "question", "answer"),
    [
        ("entity_swap", "In which country is the Eiffel Tower?", "France"),
        ("name_swap", "Who wrote it?", "Kate"),
        ("gender_swap", "Who wrote it?", "his sister"),
        ("number_format", "What is 5 + 3?", "8"),
        ("date_format", "When was it?", "March 3, 2020"),
        ("entity_swap", "In which country is the Eiffel Tower?", ["France", "in France"]),
    ],
)
def test_an_answer_alone_is_no_site(step, question, answer) -> None:
    now = made(question, answer, step)
    assert (now["question"], now["answer"]) == (question, answer)
    assert (now["perturbation"]["status"], now["perturbation"]["expect"]) == ("no site", "same")


@pytest.mark.parametrize(
    ("step", "question", "answer", "wanted"),
    [
        ("entity_swap", MET, ["Paris"], ["{Paris}"]),
        (
            "entity_swap",
            MET,
            ["Paris", "in Paris", "nowhere"],
            ["{Paris}", "in {Paris}", "nowhere"],
        ),
        ("entity_swap", MET, "Paris or Rome", "{Paris} or Rome"),
        ("entity_swap", MET, "paris", "{paris}"),
        ("entity_swap", MET, "(PARIS)", "({PARIS})"),
        ("entity_swap", MET, "PARIS, France", "{PARIS}, France"),
        ("gender_swap", FELL, "man", "woman"),
        ("gender_swap", FELL, "Man.", "Woman."),
        ("name_swap", "Dr. Ann Lee met Bob. Who met Bob?", "Lee", "{Lee}"),
        ("name_swap", "Ann Lee met Bob. Who?", "Ann Lee or Kate", "{Ann} {Lee} or Kate"),
        ("name_swap", "Ann Lee met Bob. Who?", "Lee, Ann", "{Lee}, {Ann}"),
        ("name_swap", "Ann Lee met Bob. Who?", "in Lee's Leeway", "in {Lee}'s Leeway"),
        ("name_swap", "Ann Lee met Bob. Who?", "on the lee side, Lee", "on the lee side, {Lee}"),
        ("number_format", "He has 8 apples. How many?", "8", "eight"),
    ],
)
def test_an_answer_follows_its_text(step, question, answer, wanted) -> None:
    """Where the step finds no name in it on its own too; in its own case."""
    now = made(question, answer, step)
    record = perturb.apply(now["question"], "identity")
    assert record.text != question
    new = dict(zip(question.split(), now["question"].split(), strict=True))
    new = {old.strip("?.,"): text.strip("?.,") for old, text in new.items()}
    new |= {"paris": new.get("Paris", "").lower(), "PARIS": new.get("Paris", "").upper()}
    names = json.loads(json.dumps(wanted).replace("{", "%(").replace("}", ")s"))
    listed = [names] if isinstance(names, str) else names
    answers = [now["answer"]] if isinstance(answer, str) else now["answer"]
    assert answers == [one % new for one in listed]
    assert now["perturbation"]["expect"] == "mapped"


def test_what_is_protected_in_an_answer_stays() -> None:
    question, answer = "Ann Lee met Bob. Who?", "Lee, https://lee.net/Lee/"
    now = made(question, answer, "name_swap", protect="url")
    assert now["answer"] == answer.replace("Lee", now["question"].split()[1], 1)


@pytest.mark.parametrize("answer", ["Paris", ["Paris", "in Paris"], "France", [], 1])
def test_lines_are_as_rows(answer, tmp_path) -> None:
    rows = [{"id": n, "question": MET, "answer": answer} for n in range(3)]
    file, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    given = ["--field", "question", "--target", "answer", "-i", str(file), "-o", str(out)]
    assert main(["apply", "entity_swap", "-p", "1", *given]) == 0
    made = perturb.augment(rows, "entity_swap", p=1.0, field="question", target="answer")
    assert [json.loads(line) for line in out.read_text().splitlines()] == list(made)


@pytest.mark.parametrize(
    ("answer", "path", "wanted"),
    [
        ({"text": ["Paris"], "answer_start": [12]}, "answer.text[*]", ["text", 0]),
        ({"text": "Paris"}, "answer.text", ["text"]),
        ([["Paris"]], "answer[*][*]", [0, 0]),
        (["Paris", 3], "answer[*]", [0]),
    ],
)
def test_texts_within_an_answer_are_named_or_refused(answer, path, wanted) -> None:
    """They stayed, and the row said that its answer had followed."""
    said = f"with texts that would not follow: name these, as in --target '{path}'"
    with pytest.raises(perturb.DataError, match=re.escape(said)):
        made(MET, answer, "entity_swap")
    now = made(MET, answer, "entity_swap", target=path)
    found = now["answer"]
    for key in wanted:
        found = found[key]
    assert found != "Paris"
    assert found in now["question"]
    assert made(MET, answer, "char_swap")["answer"] == answer


def test_answers_without_texts_stay() -> None:
    for answer in (5, None, True, [], {}, [1, 0], {"text": [], "answer_start": []}):
        assert made(MET, answer, "entity_swap")["answer"] == answer


@pytest.mark.parametrize("end", ["jsonl", "parquet"])
def test_texts_within_an_answer_of_a_file_are_refused(end, tmp_path, capsys) -> None:
    rows = [{"id": n, "question": MET, "answer": {"text": ["Paris"]}} for n in range(3)]
    file = tmp_path / f"in.{end}"
    if end == "parquet":
        pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        pq.write_table(pa.Table.from_pylist(rows), file)
    else:
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    given = ["-i", str(file), "-o", str(tmp_path / "out.jsonl"), "--field", "question"]
    assert main(["apply", "entity_swap", *given, "--target", "answer"]) == 1
    assert f"in.{end}:1: the right answer in 'answer' is an object" in capsys.readouterr().err
    assert main(["apply", "entity_swap", *given, "--target", "answer.text[*]"]) == 0
