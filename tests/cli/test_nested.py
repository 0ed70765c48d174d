"""Files that come back in their own form: `--nested`."""

import json
import re
import tempfile
from itertools import zip_longest
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from lines import rows_in

from perturb.cli import main
from perturb.stream.nested import changed
from tests.cli.test_inner_rows import ARTICLES

STEP = ["apply", "keyboard_typos", "-p", "0.3", "--field", "question"]
QUESTIONS = [*STEP, "--rows", "data[*].paragraphs[*].qas[*]", "--nested"]


@pytest.fixture
def articles(tmp_path):
    path = tmp_path / "articles.json"
    path.write_text(json.dumps(ARTICLES, indent=1))
    return path


def questions(content):
    rows = (
        row
        for each in content["data"]
        for part in each["paragraphs"]
        for row in part.get("qas", ())
    )
    return [row["question"] for row in rows]


@pytest.mark.parametrize("size", [7, 1 << 20])
@pytest.mark.parametrize("name", ["out.json", "out.json.gz", "-"])
def test_only_the_questions_change(
    articles, tmp_path, name, size, monkeypatch, capfdbinary
) -> None:
    """The noise is that of rows, so a file of rows from the same line has the records."""
    monkeypatch.setattr("perturb.io.files.BLOCK", size)
    out, rows = tmp_path / name, tmp_path / "rows.jsonl"
    to = "-" if name == "-" else str(out)
    assert main([*QUESTIONS, "-i", str(articles), "-o", to]) == 0
    if name == "-":
        made = capfdbinary.readouterr().out.decode()
    else:
        assert main(["verify", str(out), "-i", str(articles)]) == 0
        plain = tmp_path / "plain.json"
        assert main([*QUESTIONS, "-i", str(articles), "-o", str(plain)]) == 0
        made = plain.read_text()
    assert main([*QUESTIONS[:-1], "-i", str(articles), "-o", str(rows)]) == 0
    assert questions(json.loads(made)) == [row["question"] for row in rows_in(rows)]
    pairs = [*zip_longest(articles.read_text().split("\n"), made.split("\n"))]
    assert sum(one != other for one, other in pairs) == 6
    assert all(one == other or '"question": ' in other for one, other in pairs)


def test_a_passage_with_its_answers(tmp_path) -> None:
    source, out = tmp_path / "in.json", tmp_path / "out.json"
    content = {
        **ARTICLES,
        "data": [{"paragraphs": each["paragraphs"][:1]} for each in ARTICLES["data"]],
    }
    source.write_text(json.dumps(content))
    words = ["apply", "char_repeat", "--rows", "data[*].paragraphs[*]", "--field", "context"]
    words += ["--spans", "qas[*].answers[*]", "--nested", "-i", str(source), "-o", str(out)]
    assert main(words) == 0
    made = json.loads(out.read_text())
    for each in made["data"]:
        (passage,) = each["paragraphs"]
        for row in passage["qas"]:
            (answer,) = row["answers"]
            assert passage["context"][answer["answer_start"] :].startswith(answer["text"])
    assert questions(made) == questions(content)
    assert (
        made["data"][0]["paragraphs"][0]["context"]
        != content["data"][0]["paragraphs"][0]["context"]
    )


@pytest.mark.parametrize(
    ("rows", "content"),
    [
        ("doc", '{"n": 1.50, "doc": {"id": 7,  "question":"How many eggs?"}}\n\n{"doc":{"question": "Why?"}}\n'),
        ("doc", '\ufeff{"doc" : {"question":"How many eggs?"}}'),
        ("a[*]", '{"a": [{"question": "na\\u00efve eggs", "x": 1e400, "y": NaN, "y": -0}], "z": {}}\r\n'),
        ("a[*]", '{"a": [{"question": "the lost one", "question": "the last one"}]}'),
        ("a[*]", '{"a": [ ], "n": 1}\n{"a": [{"question": "one a line"}, {"question": "two"}]}'),
        ("*.b[*]", '{"x": {"b": [{"question": "under any key"}]}, "y": {"b": []}}'),
        ("a[kind=q]", '{"a": [{"kind": "p"}, {"kind": "q", "question": "of its kind"}]}'),
        ("a[-1]", '[{"a": [{}, {"question": "the last one"}]},\n {"a": [{"question": "alone"}]} ]'),
        ("a[*]", '{"n": ' + "1" * 5000 + ', "a": [{"question": "a long number"}]}'),
    ],
)  # fmt: skip
def test_everything_else_stays_byte_by_byte(rows, content, tmp_path) -> None:
    source, out = tmp_path / "in.json", tmp_path / "out.json"
    source.write_bytes(content.encode())
    given = ["--field", "question", "--rows", rows, "--nested", "-i", str(source), "-o"]
    assert main(["apply", "keyboard_typos", "-p", "1", *given, str(out)]) == 0
    texts = re.compile(r'("question": ?)"(?:[^"\\]|\\.)*"(?!, "question")')
    made = out.read_bytes().decode()
    assert made != content
    assert texts.sub(r"\1", made) == texts.sub(r"\1", content)
    assert ("\\u00" in made) == ("\\u00" in content)
    assert main(["apply", "identity", *given, str(tmp_path / "same.json")]) == 0
    assert (tmp_path / "same.json").read_bytes() == source.read_bytes()


def test_texts_that_are_rows(tmp_path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text('{"questions": ["How many eggs?",\t"How many hens?"], "id": 1}\n')
    words = ["apply", "case", "-p", "1", "--rows", "questions[*]", "--nested"]
    assert main([*words, "-i", str(source), "-o", str(out)]) == 0
    expected = '{"questions": ["hOW MANY EGGS?",\t"hOW MANY HENS?"], "id": 1}\n'
    assert out.read_text() == expected


def test_options_and_their_answer(tmp_path) -> None:
    source, out, rows = (tmp_path / name for name in ("in.json", "out.json", "rows.jsonl"))
    samples = [{"choices": [f"egg {n}", "hen", "crate", "farm"], "target": n % 4} for n in range(9)]
    source.write_text(json.dumps({"log": {"samples": samples}}, indent=2))
    words = ["apply", "option_shuffle", "--rows", "log.samples[*]", "--choices", "A=choices"]
    words += ["--target", "target", "-i", str(source)]
    assert main([*words, "--nested", "-o", str(out)]) == 0
    assert main([*words, "-o", str(rows)]) == 0
    made = json.loads(out.read_text())["log"]["samples"]
    assert made == [{key: row[key] for key in ("choices", "target")} for row in rows_in(rows)]
    assert any(each != before for each, before in zip(made, samples, strict=True))


def test_a_folder_and_verify(tmp_path, capfd) -> None:
    """A file without records is checked as a whole."""
    source, out = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    for name in ("a.json", "b.json"):
        (source / name).write_text(json.dumps(ARTICLES))
    assert main([*QUESTIONS, "-i", str(source), "-o", f"{out}/"]) == 0
    assert main(["verify", str(out), "-i", str(source)]) == 0
    capfd.readouterr()
    assert main(["verify", str(out / "a.json")]) == 0
    assert "nothing but its SHA-256 was compared" in capfd.readouterr().out
    assert main(["restore", str(out / "a.json")]) == 1
    assert "--nested, whose manifest names the input" in capfd.readouterr().err
    (out / "a.json").write_text(json.dumps(ARTICLES))
    assert main(["verify", str(out)]) == 1
    assert "it was changed since it was written" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--with-original"], "one version of each row"),
        (["--replicates", "2"], "one version of each row"),
        (["ocr"], "one version of each row"),
        (["--missing", "skip"], "one version of each row"),
        (["--limit", "4"], "one version of each row"),
        (["--bad-lines", "skip"], "one version of each row"),
        (["-o", "out.jsonl"], "name the output as the input"),
        (["-o", "out.csv"], "name the output as the input"),
        (["-i", "more.json"], "an output folder for several"),
        (["--field", "^.context"], "let --rows lead to the objects that have this field"),
        (["--spans", "^.labels"], "let --rows lead to the objects that have this field"),
    ],
)
def test_what_has_no_place_is_refused(
    words, message, articles, tmp_path, monkeypatch, capfd
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "more.json").write_text("{}")
    given = ["--grid"] * (words == ["ocr"])
    assert main([*QUESTIONS, *words, *given, "-i", str(articles)]) == 2
    assert message in capfd.readouterr().err
    assert not (tmp_path / "out.csv").exists()


def test_options_of_records_do_nothing(perturb, tmp_path) -> None:
    path = tmp_path / "in.json"
    path.write_text('{"doc": {"question": "Why?"}}\n')
    words = (*STEP, "--nested", "--rows", "doc", "-i", path, "-o", tmp_path / "out.json")
    for option in (("--lean",), ("--expect", "same")):
        done = perturb(*words, *option)
        message = f"--nested writes no records, so {option[0]} does nothing: leave it out"
        assert (done.status, done.message) == (2, message)


def test_without_rows_and_from_a_stream(perturb, tmp_path) -> None:
    done = perturb(*STEP, "--nested", stdin=b'{"question": "Why?"}\n')
    assert (done.status, "give --rows PATH" in done.message) == (2, True)
    done = perturb(*STEP, "--nested", "--rows", "doc", stdin=b'{"doc": {"question": "Why?"}}\n')
    assert (done.status, "needs one file, with -i FILE" in done.message) == (2, True)
    path = tmp_path / "in.json"
    path.write_text('{"doc": {"question": "Why?"}}\n{"doc": 5}\n')
    done = perturb(*STEP, "--nested", "--rows", "doc", "-i", path)
    assert (done.status, "in.json:2: value 2: 'doc' must be an object" in done.message) == (1, True)
    assert "--bad-lines" not in done.message


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(max_size=2), parts, max_size=3),
    max_leaves=8,
)  # fmt: skip


@given(VALUES, VALUES, st.sampled_from([None, 0, 3]))
def test_any_value_becomes_any_other(value, new, indent) -> None:
    """What is written again holds the new value, and nothing changes that need not."""
    text = json.dumps(value, indent=indent)
    assert changed(text, value, value) == text
    assert json.loads(changed(text, value, new)) == new or value == new
    whole = json.dumps({"a": value, "b": [value]}, indent=indent)
    made = changed(whole, {"a": value, "b": [value]}, {"a": new, "b": [value]})
    assert made.endswith(json.dumps({"b": [value]}, indent=indent)[1:])


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.lists(VALUES, max_size=3), min_size=1, max_size=3),
    VALUES,
    st.sampled_from([None, 0, 3]),
    st.sampled_from([1, 7, 1 << 20]),
)
def test_any_file_comes_back(groups, other, indent, size) -> None:
    """Steps that change nothing give the same bytes, wherever blocks end; others a question."""
    groups = [[{"a": value, "question": "Hi"} for value in group] for group in groups]
    content = {"m": other, "data": [{"n": other, "rows": rows} for rows in groups], "z": other}
    text = json.dumps(content, indent=indent, ensure_ascii=size == 1)
    expected = json.dumps(content, indent=indent, ensure_ascii=size == 1).replace('"Hi"', '"hI"')
    assume(any(groups) and text.count('"Hi"') == sum(map(len, groups)))
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr("perturb.io.files.BLOCK", size)
        source, out = Path(folder, "in.json"), Path(folder, "out.json")
        source.write_text(text, "utf-8")
        words = ["--rows", "data[*].rows[*]", "--field", "question", "--nested", "-p", "1"]
        for step, made in (("identity", text), ("case", expected)):
            assert main(["apply", step, *words, "-i", str(source), "-o", str(out)]) == 0
            assert out.read_text("utf-8") == made
