"""CoNLL-U: a sentence a row, whose forms, spaces and text are written anew, and nothing else."""

import json

import pytest

import perturb
from perturb.cli import main
from perturb.errors import DataError

# Made for this test: ranges, an empty node, comments, spaces of each kind, and a script that UTF-16
# writes in pairs.
TREEBANK = """\
# newdoc id = d1
# sent_id = fr-1
# text = Il parle du chat, vámonos  «bien».
1\tIl\til\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tparle\tparler\tVERB\t_\t_\t0\troot\t_\t_
3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_
3\tde\tde\tADP\t_\t_\t5\tcase\t_\t_
4\tle\tle\tDET\t_\t_\t5\tdet\t_\t_
5\tchat\tchat\tNOUN\t_\t_\t2\tobl\t_\tSpaceAfter=No
6\t,\t,\tPUNCT\t_\t_\t7\tpunct\t_\t_
7-8\tvámonos\t_\t_\t_\t_\t_\t_\t_\tSpacesAfter=\\s\\s
7\tvamos\tir\tVERB\t_\t_\t2\tparataxis\t_\t_
8\tnos\tnosotros\tPRON\t_\t_\t7\tobj\t_\t_
8.1\tya\tya\tADV\t_\t_\t_\t_\t7:advmod\t_
9\t«\t«\tPUNCT\t_\t_\t10\tpunct\t_\tSpaceAfter=No
10\tbien\tbien\tADV\t_\t_\t7\tadvmod\t_\tGloss=well|SpaceAfter=No
11\t»\t»\tPUNCT\t_\t_\t10\tpunct\t_\tSpaceAfter=No
12\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\tSpaceAfter=No

# sent_id = 2
# text = 𐰴𐰍𐰣 😀 hello
1\t𐰴𐰍𐰣\tkagan\tNOUN\t_\t_\t0\troot\t_\t_
2\t😀\t😀\tSYM\t_\t_\t1\tdiscourse\t_\t_
3\thello\thello\tINTJ\t_\t_\t1\tdiscourse\t_\t_

"""
BROKEN = "1\tHi\thi\tINTJ\t_\t_\t0\troot\t_\t_"


@pytest.fixture
def source(tmp_path):
    (tmp_path / "in.conllu").write_text(TREEBANK, "utf-8", newline="")
    return tmp_path / "in.conllu"


def applied(*words) -> int:
    return main(["apply", *map(str, words)])


def columns(text: str, *numbers: int) -> list[list[str]]:
    lines = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return [[cells[number] for number in numbers] for cells in lines]


def test_identity_writes_each_byte_again(source, tmp_path) -> None:
    assert applied("identity", "-i", source, "-o", tmp_path / "out.conllu") == 0
    written = (tmp_path / "out.conllu").read_text("utf-8")
    assert written.replace("#identity", "") == TREEBANK


def test_rows_hold_the_text_and_its_surface_tokens(source, tmp_path) -> None:
    assert applied("identity", "-i", source, "-o", tmp_path / "out.jsonl") == 0
    first, second = map(json.loads, (tmp_path / "out.jsonl").read_text("utf-8").splitlines())
    assert first["text"] == "Il parle du chat, vámonos  «bien»."
    assert [each["token"] for each in first["tokens"]][2:6] == ["3-4", "5", "6", "7-8"]
    for row in (first, second):
        for each in row["tokens"]:
            assert row["text"][each["start"] : each["end"]] == each["text"]


@pytest.mark.parametrize("step", ["keyboard_typos:p=0.5", "char_insert:p=0.3", "case:p=1"])
def test_forms_and_text_change_together(source, tmp_path, step) -> None:
    out = tmp_path / "out.conllu"
    assert applied(step, "-i", source, "-o", out) == 0
    written = out.read_text("utf-8")
    everything_else = (0, 2, 3, 4, 5, 6, 7, 8, 9)
    assert columns(written, *everything_else) == columns(TREEBANK, *everything_else)
    inside = {"3", "4", "7", "8", "8.1"}
    forms = [
        form for number, form in columns(written, 0, 1) if number not in inside or "-" in number
    ]
    text = next(line for line in written.splitlines() if line.startswith("# text = "))
    assert "".join(forms[:10]) == "".join(text.removeprefix("# text = ").split())
    # What was written is a treebank again.
    assert applied("identity", "-i", out, "-o", tmp_path / "again.conllu") == 0
    assert (tmp_path / "again.conllu").read_text("utf-8").replace("#identity", "") == written


def test_words_that_are_joined_have_no_space_between(source, tmp_path) -> None:
    assert applied("word_merge:p=1", "-i", source, "-o", tmp_path / "out.conllu") == 0
    written = (tmp_path / "out.conllu").read_text("utf-8")
    assert columns(written, 0, 1) == columns(TREEBANK, 0, 1)
    assert columns(written, 9)[0] == ["SpaceAfter=No"]
    assert applied("identity", "-i", tmp_path / "out.conllu", "-o", tmp_path / "more.conllu") == 0


def test_rows_are_verified_and_restored_to_the_treebank(source, tmp_path) -> None:
    rows = tmp_path / "out.jsonl"
    assert applied("char_insert", "-p", "0.3", "-i", source, "-o", rows) == 0
    assert main(["verify", str(rows), "--input", str(source)]) == 0
    assert main(["restore", str(rows), "-o", str(tmp_path / "back.conllu")]) == 0
    assert (tmp_path / "back.conllu").read_text("utf-8") == TREEBANK


def test_a_folder_gives_a_folder_which_is_resumed(source, tmp_path, capsys) -> None:
    (tmp_path / "in").mkdir()
    source.rename(tmp_path / "in" / "one.conllu")
    words = ("char_insert", "-p", "0.3", "-i", tmp_path / "in", "-o", tmp_path / "out")
    assert applied(*words) == 0
    assert (tmp_path / "out" / "one.conllu").read_text("utf-8") != TREEBANK
    capsys.readouterr()
    assert applied(*words) == 0
    assert capsys.readouterr().err == "perturb: 1 of 1 shards were already there\n"


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("word_swap:p=1", "choose steps that write within words"),
        ("word_split:p=1", "token 1, 'Il', is split into 'I l'"),
        ("word_delete:p=1", "is left empty"),
        ("punctuation:p=1", "is left empty"),
    ],
)
def test_a_step_that_breaks_tokens_is_refused(source, tmp_path, capsys, step, message) -> None:
    assert applied(step, "-i", source, "-o", tmp_path / "out.conllu") == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out.conllu").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\tHi\n", "in.conllu:1: a line of CoNLL-U has ten columns, with tabs; got '1\\tHi'"),
        (f"# text = Ho\n{BROKEN}\n", "in.conllu:1: token 1, 'Hi', isn't at its place in 'Ho'"),
        (f"# text = Hi all\n{BROKEN}\n", "the text goes on behind its tokens with ' all'"),
        (f"{BROKEN}\n\nx{BROKEN}\n", "in.conllu:3: the first column is 1, 1-2 or 1.1; got 'x1'"),
    ],
)
def test_a_damaged_sentence_is_named(tmp_path, capsys, text, message) -> None:
    (tmp_path / "in.conllu").write_text(text)
    assert applied("case", "-i", tmp_path / "in.conllu", "-o", tmp_path / "out.jsonl") == 1
    assert message in capsys.readouterr().err


def test_tokens_of_dicts_are_kept_too() -> None:
    tokens = [{"token": "1", "start": 0, "end": 2, "text": "Hi"}]
    row = {"id": 1, "text": "Hi", "tokens": tokens}
    with pytest.raises(DataError, match="can't be kept: token 1, 'Hi', is split into 'H i'"):
        [*perturb.augment([row], "word_split:p=1", spans="tokens")]
