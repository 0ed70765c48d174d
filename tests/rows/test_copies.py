"""Copies of a perturbed text in its row, which become stale: they are named once a file."""

import json
import unicodedata

import pytest

import perturb
from perturb.cli import main
from perturb.plan.job import job_of
from perturb.rows import copies
from perturb.rows.row_texts import row_texts

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
    ({"spans": [{"start": "/p[1]/text()[1]", "text": "eggs"}]}, "spans[*]", "has offsets into"),
    ({"names": ["hens", "eggs"]}, "names", "lists parts of"),
    ({"other": "An unrelated text of more than twenty characters."}, "", ""),
    ({"label": "eggs", "tags": ["farm", "eggs"], "start": 9}, "", ""),
    ({"labels": ["H", "d", "a"]}, "", ""),
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
    said = noted([row], capfd, "option_shuffle", "--field", "choices", "--target", "answer")
    assert "'question' repeats the items of 'choices' in 1: " in said
    # What lists them with their labels follows options that are named as such.
    assert noted([row], capfd, "option_shuffle", "--choices", "choices", "--target", "answer") == ""
    assert "'choices' lists parts of 'question' in 1: " in noted(
        [row], capfd, "option_shuffle", "--field", "question", "--target", "answer"
    )


def test_fields_that_are_named_are_no_copies(capfd) -> None:
    row = {
        "id": 1,
        "question": ASKED,
        "input": ASKED,
        "spans": [{"text": "eggs", "answer_start": 9}],
        "answer": ["eggs", "hens"],
    }
    given = [
        "char_swap",
        "--target",
        "answer[*]",
        "--field",
        "question",
        "--field",
        "input",
        "--spans",
        "question=spans[*]",
    ]
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


def followed(row, tmp_path, *given, step="char_delete:p=0.2", suffix="jsonl"):
    """A row after a step whose edits copies follow, which is verified and restored."""
    source, out = tmp_path / "in.jsonl", tmp_path / f"out.{suffix}"
    source.write_text(json.dumps(row) + "\n")
    words = [step, "--copies", "follow", *(given or ["--field", "question"])]
    assert main(["apply", *words, "-i", str(source), "-o", str(out)]) == 0
    assert main(["verify", str(out), "-i", str(source)]) == 0
    assert main(["restore", str(out), "-o", str(tmp_path / "again.jsonl")]) == 0
    if suffix != "csv":  # cells that no record names are text
        assert json.loads((tmp_path / "again.jsonl").read_text()) == row
    return json.loads(out.read_text()) if suffix == "jsonl" else None


BESIDE = {
    "input": ASKED,
    "messages": [{"role": "user", "content": ASKED}],
    "prompt": f"Q: {ASKED}\nA:",
    "shots": f"{ASKED} 16. {ASKED}",
    "begin": ASKED[:25],
    "tokens": ASKED.split(),
    "pieces": [*ASKED[:-1].split(), "?"],
    "spans": [{"text": "eggs", "start": 9, "end": 13}, {"text": "hens", "start": 25, "end": 29}],
    "found": {"text": ["eggs"], "answer_start": [9]},
    "names": ["hens", "eggs"],
}
ROW = {"id": "r", "question": ASKED, **BESIDE, "other": "An unrelated text, of some length."}


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_copies_follow(suffix, tmp_path, capfd) -> None:
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    row = followed(ROW, tmp_path, suffix=suffix)
    said = capfd.readouterr().err
    assert "in 1 and 7 more: these fields follow" in said
    assert "stay as they were" not in said
    if row is None:
        return
    text = row["question"]
    assert text != ASKED
    assert row["input"] == row["messages"][0]["content"] == text
    assert (row["prompt"], row["shots"]) == (f"Q: {text}\nA:", f"{text} 16. {text}")
    assert row["tokens"] == text.split()
    assert "".join(row["pieces"]) == text.replace(" ", "")
    assert text.startswith(row["begin"])
    assert row["begin"] != BESIDE["begin"]
    for span in row["spans"]:
        assert text[span["start"] : span["end"]] == span["text"]
    (part,), (start,) = row["found"].values()
    assert text.startswith(part, start)
    assert row["names"] == [span["text"] for span in row["spans"][::-1]]
    assert row["other"] == ROW["other"]
    assert row["perturbation"]["expect"] == "mapped"  # one of the parts may be the answer
    assert "messages[0].content|" in row["perturbation"]["edits"]
    assert "--copies follow" in row["perturbation"]["recipe"]


def test_copies_follow_in_python() -> None:
    (row,) = perturb.augment([ROW], "char_delete:p=0.2", field="question", copies="follow")
    assert row["input"] == row["question"] != ASKED
    assert perturb.verify(row)
    assert perturb.restored(row) == ROW


def test_options_follow_wherever_a_question_repeats_them(tmp_path) -> None:
    listed = "Which is red: the sky, blood,\na rock?"
    row = {"id": 1, "ask": {"question": listed}, "choices": ["sky", "blood", "a rock"], "key": "1"}
    given = ["--choices", "choices", "--target", "key"]
    now = followed(row, tmp_path, *given, step="option_shuffle:min_edits=1")
    sky, blood, rock = now["choices"]
    assert [sky, blood, rock] != row["choices"]
    assert now["ask"]["question"] == f"Which is red: the {sky}, {blood},\n{rock}?"
    # From the question to the list.
    lettered = "Which is red?\nA. sky\nB. blood\nC. rock"
    row = {"id": 1, "question": lettered, "choices": ["sky", "blood", "rock"], "key": "B"}
    given = ["--field", "question", "--target", "key"]
    now = followed(row, tmp_path, *given, step="option_shuffle:min_edits=1")
    assert now["choices"] != row["choices"]
    assert now["choices"] == [line[3:] for line in now["question"].splitlines()[1:]]


@pytest.mark.parametrize(
    ("beside", "step"),
    [
        ({"copy": ASKED.upper()}, "char_delete:p=0.4"),
        ({"copy": f"  {ASKED}".replace("do", " do")}, "char_delete:p=0.4"),
        ({"copy": ASKED.split()}, "whitespace:p=0.5"),
        ({"copy": ["e", "hens", "eggs"]}, "char_delete:p=0.4"),
        ({"copy": {"text": "eggs", "start": 9}}, "char_delete:p=0.4"),
    ],
)
def test_what_cannot_follow_stays_whole_and_is_told(beside, step, tmp_path, capfd) -> None:
    row = {"id": "r", "question": ASKED, **beside}
    now = followed(row, tmp_path, step=step)
    assert now["question"] != ASKED
    assert now["copy"] == row["copy"]
    said = capfd.readouterr().err
    assert "of the rows written, 'copy' " in said
    assert "there these fields stay as they were" in said


def test_texts_that_overlap_in_a_copy_leave_it_alone(tmp_path, capfd) -> None:
    ab = "ab" * 10
    for question, copy in ((ab, f"{ab}ab"), (f"{ab} of words", f"{ab} of words")):
        row = {"id": "r", "question": question, "other": f"of words {ab}", "copy": f"{copy} {ab}"}
        now = followed(row, tmp_path, "--field", "question", "--field", "other")
        assert now["copy"] == row["copy"]
        assert now["question"] != question
        assert "stay as they were" in capfd.readouterr().err


def test_a_folder_tells_of_copies(tmp_path, capfd) -> None:
    (tmp_path / "in").mkdir()
    for name in "ab":
        (tmp_path / "in" / f"{name}.jsonl").write_text(json.dumps({**ROW, "id": name}) + "\n")
    words = ["apply", "char_delete:p=0.4", "--field", "question", "-i", str(tmp_path / "in")]
    for _ in range(2):  # of shards that are there already, too
        assert main([*words, "-o", str(tmp_path / "out/")]) == 0
        said = capfd.readouterr().err
        assert "of the first rows of each file, " in said
        assert "in 2 and 7 more: these fields stay as they were" in said
    assert main([*words, "--copies", "follow", "-o", str(tmp_path / "out/")]) == 0
    assert "'begin' holds a part of 'question' in 2, " in capfd.readouterr().err
    assert main([*words, "--copies", "ignore", "-o", str(tmp_path / "more/")]) == 0
    assert capfd.readouterr().err == ""


def test_a_copy_follows_the_field_that_a_step_takes(tmp_path) -> None:
    row = {"id": "r", "question": ASKED, "context": "The hens lay an egg a day.", "input": ASKED}
    fields = ["--field", "question", "--field", "context"]
    now = followed(row, tmp_path, *fields, step="char_delete:p=0.2,field=context")
    assert now["context"] != row["context"]
    assert now["input"] == now["question"] == ASKED
    now = followed(row, tmp_path, *fields, step="char_delete:p=0.2,field=question")
    assert now["input"] == now["question"] != ASKED


def test_items_that_move_are_not_followed() -> None:
    row = {"id": 1, "contexts": [{"text": "One."}, {"text": "Two."}]}
    with pytest.raises(perturb.UsageError, match="leave out copies=follow"):
        list(perturb.augment([row], "passages", choices="contexts", field=[], copies="follow"))


LISTED = {"options": ["Oslo", "Bergen"], "listed": "A) Oslo\nB) Bergen", "other": "Oslo lies."}


def test_a_text_that_lists_the_texts_of_a_list_follows_each(tmp_path, capfd) -> None:
    more = {"lines": "Oslo\nBergen", "twice": "Oslo Oslo Bergen"}
    rows = [{"id": n, **LISTED, **more} for n in range(9)]
    source, output = str(tmp_path / "in.jsonl"), str(tmp_path / "out.jsonl")
    (tmp_path / "in.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    words = ["apply", "char_swap:p=1.0", "--field", "options[*]", "-i", source, "-o", output]
    assert main(words) == 0
    assert "'listed' repeats the items of 'options[*]' in 9" in capfd.readouterr().err
    assert main([*words, "--copies", "follow"]) == 0
    said = capfd.readouterr().err
    assert "'twice' repeats the items of 'options[*]' in 9, but not so that edits" in said
    for row in map(json.loads, (tmp_path / "out.jsonl").read_text("utf-8").splitlines()):
        one, two = row["options"]
        assert [one, two] != LISTED["options"]
        assert (row["listed"], row["lines"]) == (f"A) {one}\nB) {two}", f"{one}\n{two}")
        assert (row["twice"], row["other"]) == ("Oslo Oslo Bergen", "Oslo lies.")
        assert perturb.verify(row)
    assert main(["verify", output, "-i", source]) == 0


MCP = {"content": [{"type": "text", "text": '{"km": 463, "at": 1.50}'}], "isError": False}
MCP["structuredContent"] = {"km": 463, "at": 1.5}


def test_the_value_of_a_text_in_json_follows_it(tmp_path, capfd) -> None:
    source, output = str(tmp_path / "in.jsonl"), str(tmp_path / "out.jsonl")
    whole = f"{json.dumps({'id': 'a', 'result': MCP})}\n"
    (tmp_path / "in.jsonl").write_text(whole, "utf-8")
    steps = ["tool_result:kind=number", "tool_result:kind=truncated", "tool_result:kind=reordered"]
    words = ["apply", *steps, "--grid", "--field", "result.content[type=text].text"]
    words += ["-i", source, "-o", output]
    assert main(words) == 0
    told = "'result.structuredContent' holds the value of 'result.content[*].text' in 1"
    assert told in capfd.readouterr().err
    assert main([*words, "--copies", "follow"]) == 0
    assert f"{told[:-1]}3: these fields follow" in capfd.readouterr().err
    number, cut, same = map(json.loads, (tmp_path / "out.jsonl").read_text("utf-8").splitlines())
    said = json.loads(number["result"]["content"][0]["text"])
    assert number["result"]["structuredContent"] == said != MCP["structuredContent"]
    assert cut["result"]["structuredContent"] is None
    assert same["result"] == MCP
    assert main(["verify", output, "-i", source]) == 0
    assert perturb.restored(cut)["result"] == MCP


def test_a_role_is_compared_with_no_text_of_a_long_chat(monkeypatch) -> None:
    """Each of n roles with each of n texts, and 5,000 turns took half a minute."""
    turns = [{"role": "user", "content": f"{ASKED} And in {n} days?"} for n in range(50)]
    job = job_of("char_swap", field="turns[role=user].content")
    row, compared = {"id": "a", "turns": turns, "again": turns[7]["content"]}, []
    relation = copies._relation
    monkeypatch.setattr(copies, "_relation", lambda *each: compared.append(each) or relation(*each))
    found = copies.copies_in(row_texts(row, job), job)
    assert [(copy.owner, copy.how) for copy in found] == [(7, "holds the text of")]
    assert {value for value, *_ in compared} == {row["again"]}


def test_copies_as_frequent_are_named_in_the_order_of_their_fields(capfd) -> None:
    rows = [{"id": 1, "question": ASKED, **dict.fromkeys("zbxya", ASKED)}]
    said = noted(rows, capfd, "char_swap", "-p", "0.1", "--field", "question")
    assert "rows, 'a' holds" in said
    assert ", 'b' holds the text of 'question' in 1, 'x' holds" in said


def test_copies_of_many_texts_are_those_of_each(monkeypatch) -> None:
    """Each string was compared with each text: 3,200 in a row took twenty seconds."""
    texts = [f"Please answer the following: how many {word}s?  {word * 3}" for word in NOUNS]
    copied = [
        *(text.upper() for text in texts[::3]),
        *(f"{text} {texts[2]}" for text in texts[::4]),
        *(text[start : start + 20 + start] for start, text in enumerate(texts)),
        *(unicodedata.normalize("NFD", text) for text in texts[::5]),
        *("Please answer the following: how" for _ in texts[::6]),
    ]
    row = {"id": "a", "turns": [{"said": text} for text in texts], "copied": [[a] for a in copied]}
    job = job_of("char_swap", field="turns[*].said")
    compared, relation = [], copies._relation
    monkeypatch.setattr(copies, "_relation", lambda *each: compared.append(each) or relation(*each))
    found = copies.copies_in(row_texts(row, job), job)
    few = len(compared)
    monkeypatch.setattr(copies, "_FEW_TEXTS", len(texts))
    assert copies.copies_in(row_texts(row, job), job) == found
    assert few < (len(compared) - few) * 2 / 3


NOUNS = "egg hen goose café cow pig field barn tractor résumé naïveté fish ﬁn straße".split()


def test_objects_that_json_lacks_hold_no_copies():
    """A number as a key ended in an error of Python."""
    row = {"id": "a", "text": "one two three four", "more": {1: "one two three four", "x": 2}}
    (made,) = perturb.augment([row], "char_swap:p=0.3", copies="follow")
    assert made["more"] == row["more"]
