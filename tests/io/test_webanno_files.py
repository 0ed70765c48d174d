"""WebAnno TSV: a sentence a row, whose offsets and texts are written anew, and nothing else."""

import json
import re
from pathlib import Path

import pytest

from perturb.cli import main
from perturb.io.formats import format_of

# Made for this test: layers of spans and relations, parts of tokens, a sentence of two lines, one
# with an id and escapes, and scripts whose characters take two units of UTF-16.
LINES = r"""#FORMAT=WebAnno TSV 3.3
#T_SP=webanno.custom.Entity|kind|value
#T_RL=webanno.custom.Rel|label|BT_webanno.custom.Entity


#Text=Hi 😀 Bernhardischen Suidas .
1-1	0-2	Hi	_	_	_	_
1-2	3-5	😀	_	_	_	_
1-3	6-20	Bernhardischen	*[1]|*[2]	LIT[1]|PER[2]	about	2-1[0_1]
1-3.1	6-14	Bernhard	*[2]	PER[2]	_	_
1-3.2	20-20		*	zero	_	_
1-4	21-27	Suidas	*[1]	LIT[1]	_	_
1-5	28-29	.	_	_	_	_

#Sentence.id=s\_2
#Text=𐰴𐰍𐰣 came,
#Text=北京 left\t\\o/ .
2-1	30-36	𐰴𐰍𐰣	*	PER	_	_
2-2	37-41	came	_	_	_	_
2-3	41-42	,	_	_	_	_
2-4	43-45	北京	*[3]	LOC[3]	_	_
2-5	46-50	left	*[3]	LOC\|x[3]	_	_
2-6	51-54	\o/	_	_	_	_
2-7	55-56	.	_	_	_	_
"""
# Each line of a token ends in a tab.
DOCUMENT = re.sub(r"(?m)^(\d.*)", "\\1\t", LINES)


ESCAPES = {"t": "\t", "r": "\r"}


@pytest.fixture
def source(tmp_path):
    (tmp_path / "in.tsv").write_text(DOCUMENT, "utf-8", newline="")
    return tmp_path / "in.tsv"


def applied(*words) -> int:
    return main(["apply", *map(str, words)])


def read(path: Path) -> tuple[bytes, list[list[str]]]:
    """Return the text of a document in UTF-16, and the columns of its tokens; read slowly."""
    text, sentence, rows = "", [], []
    for line in path.read_text("utf-8").split("\n"):
        if line.startswith("#Text="):
            sentence.append(re.sub(r"\\(.)", lambda it: ESCAPES.get(it[1], it[1]), line[6:]))
        elif re.match("[0-9]", line):
            rows.append(line.split("\t"))
            if sentence:
                text += "\n" * bool(text) + "\n".join(sentence)
                sentence = []
    return text.encode("utf-16-le"), rows


def check(path: Path, before: Path) -> None:
    text, rows = read(path)
    for row in rows:
        start, end = map(int, row[1].split("-"))
        assert text[2 * start : 2 * end].decode("utf-16-le") == row[2], row
    assert [row[:1] + row[3:] for row in rows] == [row[:1] + row[3:] for row in read(before)[1]]


def test_the_first_line_tells_the_format(source, tmp_path) -> None:
    (tmp_path / "rows.tsv").write_text("id\ttext\n1\tHi\n")
    names = [format_of(str(path)).name for path in (source, tmp_path / "rows.tsv")]
    assert names == ["webanno", "tsv"]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("end", ["", "\n\n"])
def test_identity_writes_each_byte_again(tmp_path, line_end, end) -> None:
    document = (DOCUMENT + end).replace("\n", line_end)
    (tmp_path / "in.tsv").write_bytes(document.encode())
    assert applied("identity", "-i", tmp_path / "in.tsv", "-o", tmp_path / "out.tsv") == 0
    assert (tmp_path / "out.tsv").read_bytes() == document.encode()


def test_rows_have_offsets_in_their_sentences(source, tmp_path) -> None:
    assert applied("identity", "-i", source, "-o", tmp_path / "out.jsonl") == 0
    first, second = map(json.loads, (tmp_path / "out.jsonl").read_text("utf-8").splitlines())
    assert (second["id"], second["text"]) == (r"s\_2#identity", "𐰴𐰍𐰣 came,\n北京 left\t\\o/ .")
    assert [each["part"] for each in first["parts"]] == ["1-3.1", "1-3.2"]
    for row in (first, second):
        for each in row["tokens"] + row["parts"]:
            assert row["text"][each["start"] : each["end"]] == each["text"]


@pytest.mark.parametrize(
    "step", ["char_insert:p=0.5", "keyboard_typos:p=0.5", "word_merge:p=1", "homoglyph:p=1"]
)
def test_tokens_and_their_parts_move(source, tmp_path, step) -> None:
    out = tmp_path / "out.tsv"
    assert applied(step, "-i", source, "-o", out) == 0
    assert read(out)[0] != read(source)[0]
    check(out, source)
    # It is a document again, and the rest of it is as it was.
    assert applied("identity", "-i", out, "-o", tmp_path / "again.tsv") == 0
    assert (tmp_path / "again.tsv").read_bytes() == out.read_bytes()


def test_rows_are_verified_and_restored(source, tmp_path) -> None:
    rows = tmp_path / "out.jsonl"
    assert applied("char_insert", "-p", "0.3", "-i", source, "-o", rows) == 0
    assert main(["verify", str(rows), "--input", str(source)]) == 0
    back = tmp_path / "back.tsv"
    assert main(["restore", str(rows), "--format", "webanno", "-o", str(back)]) == 0
    assert back.read_text("utf-8") == DOCUMENT


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["word_swap:p=1"], "choose steps that write within words"),
        (["word_split:p=1"], "token 1-1, 'Hi', is split into 'H i'"),
        (["word_delete:p=1"], "is left empty"),
        (["case:p=1", "--replicates", "2"], "sentences must be in order, each once"),
        (["char_delete:p=0.9", "--span-policy", "drop"], "is left empty"),
        (["case:p=1", "--spans", "parts"], "the tokens aren't those of the text: give --spans"),
    ],
)
def test_what_breaks_tokens_is_refused(source, tmp_path, capsys, words, message) -> None:
    assert applied(*words, "-i", source, "-o", tmp_path / "out.tsv") == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out.tsv").exists()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        # Offsets in code points, as Python counts them.
        ("6-20", "5-19", "in.tsv:1: 1-3 says that its text is 'Bernhardischen', but that isn't at"),
        ("55-56", "95-96", "in.tsv:15: 2-7 says that its text is '.', but that isn't at 95 to 96"),
        ("came\t", "cane\t", "in.tsv:15: 2-2 says that its text is 'cane'"),
        ("6-14", "6-1x", "in.tsv:1: a token is 1-1, a tab, START-END, a tab and a text; got"),
        ("2-2\t", "2-1\t", "in.tsv:15: 2-1 is the id of two tokens"),
        (
            "Hi 😀 B",
            "Hi 😀$B",
            "in.tsv:1: 1-3, 'Bernhardischen', doesn't follow the token before it",
        ),
        ("left\\t\\\\o/ .", "left\\t\\\\o/ . !", "in.tsv:15: the text ' !' belongs to no token"),
        ("41-42", "4-42", "in.tsv:15: 2-3 says that its text is ',', but that isn't at 4 to 42"),
    ],
)
def test_a_token_that_is_not_there_is_named(tmp_path, capsys, old, new, message) -> None:
    (tmp_path / "in.tsv").write_text(DOCUMENT.replace(old, new, 1), "utf-8")
    assert applied("case", "-i", tmp_path / "in.tsv", "-o", tmp_path / "out.jsonl") == 1
    assert message in capsys.readouterr().err


def test_the_header_comes_with_the_first_sentence(source, tmp_path, capsys) -> None:
    source.write_text(DOCUMENT.replace("Hi\t", "Ho\t"), "utf-8")
    words = ("--bad-lines", "skip", "-i", source, "-o", tmp_path / "out.tsv")
    assert applied("identity", *words) == 1
    assert "the first sentence, which has the header, is missing" in capsys.readouterr().err


def test_sentences_that_are_left_out_move_no_other(source, tmp_path) -> None:
    document = DOCUMENT + "\n#Text=Bye\n3-1\t57-60\tBye\t_\t_\t_\t_\t\n"
    source.write_text(document.replace("came\t", "cane\t"), "utf-8")
    words = ("--bad-lines", "skip", "-i", source, "-o", tmp_path / "out.tsv")
    assert applied("identity", *words) == 0
    assert (tmp_path / "out.tsv").read_text("utf-8").endswith("\n3-1\t57-60\tBye\t_\t_\t_\t_\t\n")


def test_a_token_may_be_white_space(source, tmp_path) -> None:
    source.write_text(DOCUMENT.replace("😀", "\u00a0\u00a0"), "utf-8")
    out = tmp_path / "out.tsv"
    assert applied("identity", "-i", source, "-o", out) == 0
    assert out.read_bytes() == source.read_bytes()
    assert applied("char_insert", "-p", "0.5", "-i", source, "-o", out) == 0
    check(out, source)


def test_a_row_that_was_not_read_from_webanno_is_refused(tmp_path, capsys) -> None:
    row = {"text": "Hi", "tokens": [{"start": 0, "end": 2}], "parts": [], "lines": ["#FORMAT=W"]}
    (tmp_path / "in.jsonl").write_text(json.dumps(row))
    words = ("--format", "webanno", "-i", tmp_path / "in.jsonl", "-o", tmp_path / "out.tsv")
    assert applied("case", *words) == 1
    assert "a row, or a span in it, lacks the field 'begin'" in capsys.readouterr().err
