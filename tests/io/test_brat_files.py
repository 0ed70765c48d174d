"""BRAT: a document a row, whose spans move with the edits, and nothing else in its annotations."""

import json
import re
from pathlib import Path

import pytest

from perturb.cli import main

# Made for this test: scripts beyond the BMP, a discontinuous span, one over a line end, and each
# kind of annotation that names spans.
TEXT = "Ann 😀 paid Bob and\nCarol in London. 𐰴𐰍𐰣 ruled, 北京 too.\n"
OTHERS = """\
R1\tPays Arg1:T1 Arg2:T2
E1\tPay:T2 Who:T1
A1\tNegation T1
*\tEquiv T1 T2
#1\tAnnotatorNotes T1\tnot T9
N1\tReference T4 Wiki:84\tLondon
"""
# Each span, with the texts of its parts.
SPANS = {
    "T1\tPerson": ["Ann"],
    "T2\tPerson": ["Bob"],
    "T3\tGroup": ["Bob", "Carol"],
    "T4\tPlace": ["London"],
    "T5\tPerson": ["𐰴𐰍𐰣"],
    "T6\tPhrase": ["and\nCarol"],
    "T7\tPlace": ["北京"],
}


def line_of(name: str, parts: list[str]) -> str:
    ends = ";".join(f"{TEXT.index(part)} {TEXT.index(part) + len(part)}" for part in parts)
    return f"{name} {ends}\t{' '.join(parts)}".replace("\n", " ")


ANNOTATIONS = "\n".join(line_of(*span) for span in SPANS.items()) + "\n" + OTHERS


def put(folder: Path, name: str, annotations: str = ANNOTATIONS, text: str = TEXT) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.txt").write_bytes(text.encode())
    (folder / f"{name}.ann").write_bytes(annotations.encode())
    return folder / f"{name}.ann"


@pytest.fixture
def source(tmp_path):
    return put(tmp_path / "in", "doc")


def read(path: Path) -> dict[str, tuple[str, str]]:
    """Return the texts of spans as their lines say and as their offsets do, read slowly."""
    text, found = path.with_suffix(".txt").read_bytes().decode(), {}
    for line in path.read_bytes().decode().splitlines():
        if line[0] == "T":
            name, place, told = line.split("\t")
            ends = [map(int, pair.split()) for pair in place.split(" ", 1)[1].split(";")]
            stands = re.sub("[\r\n]", " ", " ".join(text[start:end] for start, end in ends))
            found[f"{name}\t{place.split()[0]}"] = told, stands
    return found


def applied(*words) -> int:
    return main(["apply", *map(str, words)])


@pytest.mark.parametrize("end", ["\n", ""])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_identity_writes_each_byte_of_both_again(tmp_path, end, line_end) -> None:
    annotations = (ANNOTATIONS.rstrip("\n") + end).replace("\n", line_end)
    source = put(tmp_path / "in", "doc", annotations)
    assert applied("identity", "-i", source, "-o", tmp_path / "out.ann") == 0
    for suffix in (".ann", ".txt"):
        written = (tmp_path / f"out{suffix}").read_bytes()
        assert written == source.with_suffix(suffix).read_bytes()


def test_a_row_holds_the_text_and_the_parts_of_spans(source, tmp_path) -> None:
    assert applied("identity", "-i", source, "-o", tmp_path / "out.jsonl") == 0
    row = json.loads((tmp_path / "out.jsonl").read_text("utf-8"))
    assert (row["id"], row["text"]) == ("doc#identity", TEXT)
    parts = [each["text"] for each in row["spans"] if each["id"] == "T3"]
    assert parts == SPANS["T3\tGroup"]
    assert all(TEXT[each["start"] : each["end"]] == each["text"] for each in row["spans"])


@pytest.mark.parametrize("step", ["char_insert", "keyboard_typos", "homoglyph", "word_merge"])
def test_spans_move_and_say_what_stands_there(source, tmp_path, step) -> None:
    out = tmp_path / "out.ann"
    assert applied(step, "-p", "0.5", "-i", source, "-o", out) == 0
    assert out.with_suffix(".txt").read_bytes() != TEXT.encode()
    found = read(out)
    assert found.keys() == SPANS.keys()
    assert all(told == stands for told, stands in found.values())
    assert out.read_text("utf-8").endswith(OTHERS)


@pytest.mark.parametrize("step", ["char_insert", "word_delete", "word_swap", "zero_width"])
def test_spans_that_are_protected_keep_their_texts(source, tmp_path, step) -> None:
    out = tmp_path / "out.ann"
    words = ("--protect", "field:spans", "-i", source, "-o", out)
    assert applied(step, "-p", "1", *words) == 0
    assert {name: told for name, (told, _) in read(out).items()} == {
        name: " ".join(parts).replace("\n", " ") for name, parts in SPANS.items()
    }


def test_an_independent_reader_finds_each_span(source, tmp_path) -> None:
    brat = pytest.importorskip("bioc.brat", reason="bioc reads BRAT independently")
    out = tmp_path / "out.ann"
    assert applied("char_insert", "-p", "0.3", "-i", source, "-o", out) == 0
    with out.with_suffix(".txt").open(newline="") as text, out.open() as annotations:
        document = brat.load(text, annotations)
    assert len(document.entities) == len(SPANS)
    for each in document.entities:
        parts = [document.text[at.begin : at.end] for at in sorted(each.locations)]
        assert each.text == " ".join(parts).replace("\n", " ")


def test_a_folder_gives_a_folder_which_is_resumed(source, tmp_path, capsys) -> None:
    put(source.parent, "second")
    (source.parent / "annotation.conf").write_text("[entities]\nPerson\n")
    words = ("char_insert", "-p", "0.3", "-i", source.parent, "-o", tmp_path / "out")
    assert applied(*words) == 0
    names = sorted(path.name for path in (tmp_path / "out").glob("*.*"))
    assert names == ["_manifest.json", "doc.ann", "doc.txt", "second.ann", "second.txt"]
    # Each document has noise of its own, since its name is its id.
    first, second = (tmp_path / "out" / f"{name}.txt" for name in ("doc", "second"))
    before = first.read_bytes()
    assert before != second.read_bytes()
    capsys.readouterr()
    assert applied(*words) == 0
    assert capsys.readouterr().err == "perturb: 2 of 2 shards were already there\n"
    # A changed text is as good as a changed file of annotations.
    first.write_text("changed")
    assert applied(*words) == 0
    assert "1 of 2 shards were already there" in capsys.readouterr().err
    assert first.read_bytes() == before


def test_rows_are_verified_and_restored_to_both_files(source, tmp_path) -> None:
    rows = tmp_path / "out.jsonl"
    assert applied("char_insert", "-p", "0.3", "-i", source.parent, "-o", rows) == 0
    assert main(["verify", str(rows), "--input", str(source.parent)]) == 0
    assert main(["restore", str(rows), "-o", str(tmp_path / "back.ann")]) == 0
    assert (tmp_path / "back.ann").read_text("utf-8") == ANNOTATIONS
    assert (tmp_path / "back.txt").read_text("utf-8") == TEXT
    source.with_suffix(".txt").write_text(TEXT.replace("ruled", "reign"), "utf-8")
    assert main(["verify", str(rows), "--input", str(source.parent)]) == 1


def test_a_text_is_not_written_over(source, tmp_path, capsys) -> None:
    rows = tmp_path / "doc.txt"
    rows.write_text('{"text": "Hi"}\n')
    words = ("--format", "jsonl", "-i", rows, "-o", tmp_path / "doc.ann")
    assert applied("case", *words) == 2
    assert "are the same file" in capsys.readouterr().err
    assert rows.read_text() == '{"text": "Hi"}\n'


def test_a_span_may_be_dropped_if_nothing_names_it(source, tmp_path, capsys) -> None:
    out = tmp_path / "out.ann"
    words = ("word_delete:p=1", "--span-policy", "drop", "-o", out)
    assert applied(*words, "-i", source) == 1
    assert "T1 was dropped, but 'R1\\tPays Arg1:T1 Arg2:T2' names it" in capsys.readouterr().err
    alone = put(tmp_path / "alone", "doc", ANNOTATIONS.removesuffix(OTHERS))
    assert applied(*words, "-i", alone) == 0
    assert read(out).keys() < SPANS.keys()


def test_an_edit_over_two_parts_makes_them_one(tmp_path) -> None:
    parts = "T1\tX 0 1;2 3\tI t"
    row = {
        "text": "OK then",
        "spans": [
            {"id": "T1", "label": "X", "start": 0, "end": 7, "text": "OK then"},
            {"id": "T1", "label": "X", "start": 0, "end": 7, "text": "OK then"},
        ],
        "lines": [parts],
    }
    (tmp_path / "rows.jsonl").write_text(json.dumps(row) + "\n")
    assert applied("identity", "-i", tmp_path / "rows.jsonl", "-o", tmp_path / "out.ann") == 0
    assert (tmp_path / "out.ann").read_text() == "T1\tX 0 7\tOK then"


@pytest.mark.parametrize(
    ("annotations", "message"),
    [
        ("\nT1\tX 0 99\tAnn", "doc.ann:2: span T1, from 0 to 99, doesn't lie in its text, of 55"),
        ("T1\tX 3 3\t", "doc.ann:1: span T1, from 3 to 3, doesn't lie in its text"),
        # UTF-16 takes two units for the emoji.
        ("T1\tX 12 15\tBob", "doc.ann:1: span T1 says that its text is 'Bob', but at 12 15 stands"),
        ("T1 X 0 3 Ann", "doc.ann:1: a span is T1, a tab, LABEL START END, a tab and a text; got"),
        ("T1\tX 0 3\tAnn\nT1\tX 0 3\tAnn", "doc.ann:2: T1 is the id of a span before it too"),
    ],
)
def test_a_wrong_span_is_named(tmp_path, capsys, annotations, message) -> None:
    source = put(tmp_path / "in", "doc", annotations)
    assert applied("case", "-i", source, "-o", tmp_path / "out.jsonl") == 1
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["word_delete:p=1"], 1, "span T1 is left empty: protect it, --protect field:spans"),
        (["case", "--replicates", "2"], 1, "BRAT has a file for each document"),
        (["case", "--spans", "spans[*]", "--format", "brat"], 0, ""),
    ],
)
def test_what_makes_no_document_is_refused(source, tmp_path, capsys, words, status, message):
    assert applied(*words, "-i", source, "-o", tmp_path / "out.ann") == status
    assert message in capsys.readouterr().err
    assert (tmp_path / "out.txt").exists() == (tmp_path / "out.ann").exists() == (not status)


def test_a_name_must_tell_where_the_text_is(source, tmp_path, capsys) -> None:
    assert applied("case", "--format", "brat", "-i", source, "-o", "-") == 2
    assert "BRAT is two files, NAME.ann and NAME.txt" in capsys.readouterr().err
    assert applied("case", "-i", f"{source}.gz", "-o", tmp_path / "out.ann") == 2
    assert "BRAT is two files: leave out .gz" in capsys.readouterr().err
    source.with_suffix(".txt").unlink()
    assert applied("case", "-i", source, "-o", tmp_path / "out.ann") == 1
    assert re.search(r"can't read .*doc\.txt: No such file", capsys.readouterr().err)
