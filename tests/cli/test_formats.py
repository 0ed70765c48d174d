"""Rows in CSV, TSV and Parquet: the same texts, records and errors as in JSON lines."""

import csv
import gzip
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from lines import EXAMPLES, rows_in

from perturb.records.notation import NAMES as NAMES_OF_RECORD

ROWS = rows_in(EXAMPLES)[:30]
ROWS[3]["question"] = 'Two lines,\r\nand a "quote"; 你好 🇩🇪\ta tab.'
ROWS[4]["question"] = "A lone carriage return\rand a new\nline."
CALL = ("apply", "keyboard_typos", "word_swap:p=0.2", "-p", "0.1", "--field", "question")
NAMES = ("in.jsonl", "in.csv", "in.tsv", "semicolon.csv", "in.csv.gz", "in.parquet")


def csv_bytes(rows, **dialect):
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]), **dialect)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


@pytest.fixture(scope="module")
def homes(tmp_path_factory):
    """A folder with the rows in every format."""
    folder = tmp_path_factory.mktemp("homes")
    (folder / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    plain = csv_bytes(ROWS)
    (folder / "in.csv").write_bytes(plain)
    (folder / "in.tsv").write_bytes(csv_bytes(ROWS, delimiter="\t"))
    (folder / "semicolon.csv").write_bytes(b"\xef\xbb\xbf" + csv_bytes(ROWS, delimiter=";"))
    (folder / "in.csv.gz").write_bytes(gzip.compress(plain))
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        return folder
    pq.write_table(pa.Table.from_pylist(ROWS), folder / "in.parquet", row_group_size=7)
    return folder


def need(*names):
    if any("parquet" in str(name) for name in names):
        pytest.importorskip("pyarrow")


def as_rows(path):
    """Return the rows of an output, read by another library than ours."""
    if path.suffix == ".parquet":
        import pyarrow.parquet as pq

        return json.loads(json.dumps(pq.read_table(path).to_pylist()))
    data = path.read_bytes()
    data = gzip.decompress(data) if path.suffix == ".gz" else data
    text = data.decode("utf-8-sig")
    if "jsonl" in path.name:
        return [json.loads(line) for line in text.splitlines()]
    delimiter = "\t" if ".tsv" in path.name else ","
    rows = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))
    return [nested(row) for row in rows]


def nested(row):
    """A row of a table of text, with its record as an object."""
    record = {key: row.pop(key) for key in [*row] if key.startswith("perturbation.")}
    return row | {"perturbation": {key.partition(".")[2]: said for key, said in record.items()}}


@pytest.fixture(scope="module")
def expected(homes):
    from perturb.cli import main

    out = homes / "expected.jsonl"
    assert main([*CALL, "-i", str(homes / "in.jsonl"), "-o", str(out)]) == 0
    return [json.loads(line) for line in out.read_bytes().splitlines()]


@pytest.mark.parametrize("target", ["jsonl", "csv", "tsv", "parquet", "csv.gz"])
@pytest.mark.parametrize("source", NAMES)
def test_every_format_gives_the_same_rows(perturb, homes, expected, tmp_path, source, target):
    need(source, target)
    out = tmp_path / f"out.{target}"
    assert perturb(*CALL, homes / source, "-o", out).status == 0
    if source == "semicolon.csv" and target.startswith("csv"):
        assert out.suffix == ".gz" or out.read_bytes().startswith(b"\xef\xbb\xbfid;")
    else:
        assert as_rows(out) == expected
    verified = perturb("verify", out)
    assert b"30 rows reproduced, and the file matches its manifest\n" in verified.out


@pytest.mark.parametrize("name", ["in.csv", "in.parquet"])
@pytest.mark.slow
def test_workers_do_not_change_the_bytes(homes, tmp_path, name):
    """Of files with several blocks."""
    need(name)
    suffix = name.rpartition(".")[2]
    rows = [{**row, "id": f"{n}-{row['id']}"} for n in range(60) for row in ROWS]
    given = tmp_path / f"many.{suffix}"
    if suffix == "csv":
        given.write_bytes(csv_bytes(rows))
    else:
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.Table.from_pylist(rows * 1), given)
    made = []
    for workers in ("1", "2"):
        out = tmp_path / f"{workers}.{suffix}"
        call = [sys.executable, "-m", "perturb", *CALL, given, "-o", out, "--workers", workers]
        assert subprocess.run(call, check=False).returncode == 0
        made.append(out.read_bytes())
    assert made[0] == made[1]


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("--lean",), ("--with-original",), ("--replicates", "2")])
def test_records_in_columns_are_read_back(perturb, homes, tmp_path, more):
    out, lines = tmp_path / "out.csv", tmp_path / "out.jsonl"
    assert perturb(*CALL, *more, homes / "in.jsonl", "-o", out).status == 0
    assert perturb(*CALL, *more, homes / "in.jsonl", "-o", lines).status == 0
    assert perturb("verify", out).status == 0
    said = perturb("diff", out)
    assert said.status == 0
    assert said.out == perturb("diff", lines).out


@pytest.mark.parametrize(
    "dialect",
    [
        {"delimiter": ";"},
        {"delimiter": "|", "lineterminator": "\n"},
        {"quoting": csv.QUOTE_ALL},
        {"delimiter": "\t", "quoting": csv.QUOTE_ALL, "lineterminator": "\n"},
    ],
    ids=str,
)
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_the_dialect_is_kept(perturb, tmp_path, dialect, bom):
    """With p=0 the bytes of the file come back, beside the columns of the record."""
    given, out = tmp_path / "in.csv", tmp_path / "out.csv"
    rows = [{key: row[key] for key in ("id", "question", "answer")} for row in ROWS]
    given.write_bytes(bom + csv_bytes(rows, **dialect))
    call = ("apply", "char_swap", "-p", "0", "--field", "question")
    assert perturb(*call, given, "-o", out).status == 0
    read = {key: value for key, value in dialect.items() if key != "lineterminator"}
    text = out.read_bytes().removeprefix(bom).decode()
    made = [nested(row) for row in csv.DictReader(io.StringIO(text, newline=""), **read)]
    for row in made:
        row["id"] = row.pop("perturbation")["original_id"]
    assert out.read_bytes().startswith(bom)
    assert bom + csv_bytes(made, **dialect) == given.read_bytes()


WRONG = {
    "unclosed quote": (b'id,text\n1,ok\n2,"open\nmore\n', "in.csv:3: not CSV: unexpected end of data"),
    "text after a quote": (b'id,text\n1,"a"b\n', "in.csv:2: not CSV: ',' expected after '\"'"),
    "too few fields": (b"id,text\n1,ok\n\n2\n", "in.csv:4: the row has 1 field, but the first line names 2 columns"),
    "too many fields": (b'id,text\n1,"a\nb"\n2,a,b\n', "in.csv:4: the row has 3 fields, but the first line names 2"),
    "latin-1": (b"id,text\n1,ok\n2,caf\xe9\n", "in.csv:3: not UTF-8: invalid continuation byte"),
    "utf-16": ("id,text\n1,ok\n".encode("utf-16-be"), "in.csv: the file looks like utf-16-be: save it as UTF-8, or give perturb apply --encoding utf-16-be"),
    "NULs": (b"id,text\n1,a\0b\n", "in.csv:2: not CSV: it contains NULs, so it has another encoding"),
    "empty": (b"", "in.csv: the file must begin with the names of its columns"),
    "no names": (b"\n1,2\n", "in.csv: the file must begin with the names of its columns"),
    "two columns of one name": (b"id,text,text\n1,a,b\n", "in.csv:1: two columns are named 'text'"),
    "missing column": (b"id,txt\n1,a\n", "the table has no column 'text' with the text: did you mean txt?"),
    "two rows of one id": (b'id,text\n1,"a\n\nb"\n1,c\n', "in.csv:5: its 'id' is that of line 2 too"),
}  # fmt: skip


BROKEN = b"""id,text
1,one two three
2,"broken" x,"y"
3,four five six
4,"a,
b",extra,more
5,caf\xe9
6,"never closed
7,seven eight
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_rows_of_csv_that_cannot_be_read_are_left_out(perturb, tmp_path, workers):
    """Each is kept as it was; the next row begins on the line after its first."""
    given, out, bad = (tmp_path / name for name in ("in.csv", "out.csv", "bad.csv"))
    given.write_bytes(BROKEN)
    call = ("apply", "char_swap", "-p", "0.5", given, "-o", out, "--workers", workers)
    assert perturb(*call, "--bad-lines", bad).status == 0
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert [row["id"] for row in rows] == [f"{n}#char_swap:p=0.5" for n in (1, 3, 7)]
    assert bad.read_bytes() == (
        b'2,"broken" x,"y"\n4,"a,\nb",extra,more\n5,caf\xe9\n6,"never closed\n'
    )
    said = json.loads((tmp_path / "out.csv.manifest.json").read_text())
    assert said["input"]["bad_lines"] == 4
    assert perturb("verify", out, "--input", given).status == 0


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_csv(perturb, tmp_path, name):
    """One line names the file, the line, and what is wrong; no output is left."""
    data, message = WRONG[name]
    given, out = tmp_path / "in.csv", tmp_path / "out.csv"
    given.write_bytes(data)
    done = perturb("apply", "char_swap", "-p", "0.5", given, "-o", out)
    assert done.status == 1
    assert message in done.message
    assert not out.exists()


@pytest.mark.parametrize("suffix", ["csv", "parquet", "json"])
def test_a_first_row_that_is_bad_is_named(perturb, tmp_path, suffix):
    pytest.importorskip("pyarrow" if suffix == "parquet" else "csv")
    given, out = tmp_path / "in.jsonl", tmp_path / f"out.{suffix}"
    given.write_text('{"id": 1}\n{"id": 2, "text": "some words"}\n')
    done = perturb("apply", "char_swap", "-p", "0.5", given, "-o", out)
    assert (done.status, "in.jsonl:1: no field 'text'" in done.message) == (1, True)


def test_a_csv_of_names_alone(perturb, tmp_path):
    given, out = tmp_path / "in.csv", tmp_path / "out.csv"
    given.write_bytes(b"text;n\r\n")
    assert perturb("apply", "char_swap", "-p", "0.5", given, "-o", out).status == 0
    assert (
        out.read_bytes()
        == b"text;n;id;"
        + b";".join(f"perturbation.{name}".encode() for name in NAMES_OF_RECORD)
        + b"\r\n"
    )


def test_bad_rows_of_parquet_are_left_out(perturb, tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    given, out, bad = (tmp_path / name for name in ("in.parquet", "out.parquet", "bad.jsonl"))
    pq.write_table(pa.table({"id": [1, 2, 3], "text": ["some", None, "words"]}), given)
    call = ("apply", "char_swap", "-p", "1", given, "-o", out)
    assert "in.parquet:2: " in perturb(*call).message
    assert perturb(*call, "--bad-lines", bad).err == f"perturb: left out 1 bad line of {given}\n"
    assert [row["id"] for row in as_rows(out)] == ["1#char_swap:p=1.0", "3#char_swap:p=1.0"]
    assert json.loads(bad.read_bytes()) == {"id": 2, "text": None}


@pytest.mark.parametrize("kept", [0, 3, 300])
def test_a_truncated_parquet(perturb, homes, tmp_path, kept):
    need("parquet")
    given = tmp_path / "in.parquet"
    given.write_bytes((homes / "in.parquet").read_bytes()[:kept])
    done = perturb(*CALL, given, "-o", tmp_path / "out.parquet")
    assert done.status == 1
    assert "in.parquet: damaged, or not Parquet: " in done.message


def test_a_damaged_page_of_parquet(perturb, homes, tmp_path):
    need("parquet")
    data = bytearray((homes / "in.parquet").read_bytes())
    data[40:400] = bytes(360)
    given, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    given.write_bytes(data)
    assert "in.parquet: damaged" in perturb(*CALL, given, "-o", out).message
    assert not out.exists()


def test_an_empty_parquet_keeps_its_columns(perturb, tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    given, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    pq.write_table(
        pa.table({"text": pa.array([], pa.string()), "n": pa.array([], pa.int8())}), given
    )
    assert perturb("apply", "ocr", given, "-o", out).status == 0
    assert pq.read_schema(out).names == ["text", "n", "id", "perturbation"]
    assert perturb("verify", out).status == 0


def test_other_columns_of_parquet_keep_their_types(perturb, tmp_path):
    """But JSON lines hold no bytes, which is said."""
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    from datetime import datetime

    kinds = {
        "text": pa.large_string(),
        "at": pa.timestamp("ns", "UTC"),
        "data": pa.binary(),
        "word": pa.dictionary(pa.int32(), pa.string()),
        "x": pa.float32(),
    }
    row = {"text": "some words", "at": datetime(2026, 1, 2), "data": b"\xff", "word": "a", "x": 0.5}
    given, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.Table.from_pylist([row], pa.schema(list(kinds.items()))), given)
    assert perturb("apply", "char_swap", "-p", "1", given, "-o", out).status == 0
    made = pq.read_table(out)
    assert made.schema.types[:5] == list(kinds.values())
    assert made.drop(["text", "id", "perturbation"]) == pq.read_table(given).drop(["text"])
    assert perturb("verify", out).status == 0
    done = perturb("apply", "char_swap", given, "-o", tmp_path / "out.jsonl")
    assert "JSON Lines and CSV can't hold the column 'data' of type binary" in done.message


@pytest.mark.slow
def test_the_types_of_columns_come_from_all_rows(perturb, tmp_path):
    """The first rows have no value, then an integer, then a number with a fraction."""
    pytest.importorskip("pyarrow")
    given, out = tmp_path / "in.jsonl", tmp_path / "out.parquet"
    rows = [{"id": str(n), "text": "some words " * 400} for n in range(400)]
    rows[0]["x"], rows[-2]["x"], rows[-1]["x"], rows[-1]["new"] = None, 1, 0.5, [1]
    given.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert perturb("apply", "char_swap", "-p", "0.01", given, "-o", out).status == 0
    made = as_rows(out)
    assert [row["x"] for row in made[-3:]] == [None, 1.0, 0.5]
    assert made[-1]["new"] == [1]
    rows[5]["x"] = "a word"
    given.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = perturb("apply", "char_swap", given, "-o", out)
    assert "Parquet needs one type for each field of all rows: " in done.message
    assert "Field x has" in done.message  # of two blocks
    assert "make its values alike, or write JSON lines" in done.message
    given.write_text('{"text": "a", "x": 1}\n{"text": "b", "x": "a word"}\n')
    assert "field 'x': " in perturb("apply", "char_swap", given, "-o", out).message


def test_a_row_with_more_fields_than_the_csv_has_columns(perturb, tmp_path):
    given, out = tmp_path / "in.jsonl", tmp_path / "out.csv"
    given.write_text('{"text": "a"}\n{"text": "b", "n": 1}\n')
    assert "out.csv: row 2 has the field 'n', but there is no such column" in perturb(
        "apply", "char_swap", given, "-o", out
    ).message  # fmt: skip
    assert not out.exists()


@pytest.mark.slow
def test_several_inputs(perturb, homes, expected, tmp_path, monkeypatch):
    """Patterns, options and positional arguments; rows come in the order of the files."""
    lines = (homes / "in.jsonl").read_bytes().splitlines(keepends=True)
    for name, some in (("a1", lines[:10]), ("a2", lines[10:20]), ("b", lines[20:])):
        (tmp_path / f"{name}.jsonl").write_bytes(b"".join(some).rstrip(b"\n"))
    monkeypatch.chdir(tmp_path)
    out = tmp_path / "out.jsonl"
    for call in (("-i", "a*.jsonl", "-i", "b.jsonl"), ("a?.jsonl", "b.jsonl"), ("[ab]*.jsonl",)):
        assert perturb(*CALL, *call, "-o", out).status == 0
        assert as_rows(out) == expected
        said = json.loads(Path("out.jsonl.manifest.json").read_bytes())["input"]
        assert said["path"] == [
            str(tmp_path / name) for name in ("a1.jsonl", "a2.jsonl", "b.jsonl")
        ]
        assert said["bytes"] == len(b"".join(lines)) - 3
    out.write_bytes(out.read_bytes().replace(b'"topic":', b'"Topic":', 1))
    told = perturb("verify", out, "-i", "a*.jsonl", "-i", "b.jsonl").message
    assert "out.jsonl:1: topic is None; made again it is 'arithmetic'" in told
    (tmp_path / "b.jsonl").write_bytes(lines[0])
    assert "b.jsonl:1: its 'id' is that of a1.jsonl:1 too" in perturb(*CALL, "*.jsonl").message
    assert perturb(*CALL, "c*.jsonl").message == "no file matches c*.jsonl"


def test_a_changed_field_is_found_by_the_input(perturb, homes, tmp_path):
    out = tmp_path / "out.csv"
    assert perturb(*CALL, homes / "in.csv", "-o", out).status == 0
    topic = ROWS[2]["topic"].encode()
    at = out.read_bytes().index(topic, out.read_bytes().index(ROWS[2]["id"].encode()))
    out.write_bytes(out.read_bytes()[:at] + b"X" + out.read_bytes()[at + 1 :])
    told = perturb("verify", out, "-i", homes / "in.csv").message
    assert "out.csv:4: topic is 'X" in told
    assert "made again it is" in told


def test_names_tell_formats(perturb, homes, tmp_path):
    for arguments in ((homes / "in.csv", "-o", tmp_path / "out.xyz"), ("-i", tmp_path / "in.qqq")):
        (tmp_path / "in.qqq").write_bytes(b"")
        done = perturb(*CALL, *arguments)
        assert done.status == 2
        assert "can't tell the format of" in done.message
        assert "or give perturb apply --format" in done.message
    done = perturb(*CALL, homes / "in.csv", homes / "in.jsonl")
    assert (done.status, "one format" in done.message) == (2, True)
    done = perturb(*CALL, "-i", "x.parquet.gz")
    assert (done.status, "Parquet compresses its own data" in done.message) == (2, True)


def test_standard_streams_have_the_format_that_is_given(perturb, homes, expected):
    done = perturb(*CALL, "--format", "csv", stdin=(homes / "in.csv").read_bytes())
    rows = list(csv.DictReader(io.StringIO(done.out.decode(), newline="")))
    assert [row["question"] for row in rows] == [row["question"] for row in expected]
    assert perturb("verify", "-", "--format", "csv", stdin=done.out).status == 0


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet"])
def test_other_commands_read_every_format(perturb, homes, tmp_path, suffix):
    """`run` asks the rows; `score`, `flips` and `report` read them with their grades."""
    need(suffix)
    out, scored = tmp_path / f"out.{suffix}", tmp_path / f"scored.{suffix}"
    lines = tmp_path / "scored.jsonl"
    assert perturb(*CALL, "--with-original", homes / "in.jsonl", "-o", out).status == 0
    program = tmp_path / "program.py"
    program.write_text("import sys\nfor line in sys.stdin: print(len(line), flush=True)\n")
    asked = perturb("run", out, "--command", f"{sys.executable} {program}", "-o", lines)
    assert asked.status == 0, asked.err
    rows = [json.loads(line) for line in lines.read_bytes().splitlines()]
    for n, row in enumerate(rows):
        row["score"] = n % 2
        del row["response"], row["prediction"]
    if suffix == "parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.Table.from_pylist(rows), scored)
    else:
        scored.write_bytes(csv_bytes(rows, delimiter="\t" if suffix == "tsv" else ","))
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for command in (("score",), ("flips",)):
        made = [perturb(*command, path, "--score", "score") for path in (lines, scored)]
        assert made[1].status == 0, made[1].err
        assert made[0].out == made[1].out
