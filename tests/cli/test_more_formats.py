"""JSON, plain text, tokens with tags, Arrow, MMLU's CSV and encodings; each as its usual reader has it."""

import csv
import io
import json
import os
import subprocess
import sys

import pytest

from perturb import read_records

STEPS = ("apply", "char_swap:p=0.4", "--seed", "3")
ROWS = [
    {"id": "a", "text": "Some plain words,\nand more of them.", "n": 12345678901234567890123, "x": 1.50},
    {"id": "b", "text": 'Words with "quotes" and an é.', "n": 2, "x": None},
    {"id": "c", "text": "The third of the rows, with ] and } in it.", "n": [{}, []], "x": "\ud800"},
]  # fmt: skip
JSON = {
    "array": json.dumps(ROWS),
    "indented array": json.dumps(ROWS, indent=2),
    "windows": json.dumps(ROWS, indent=1).replace("\n", "\r\n"),
    "with a mark": "\ufeff" + json.dumps(ROWS, ensure_ascii=True),
    "objects over several lines": "\n".join(json.dumps(row, indent=2) for row in ROWS),
    "lines": "\n".join(map(json.dumps, ROWS)) + "\n",
}


@pytest.mark.parametrize("form", JSON)
def test_json_gives_the_rows_of_json_lines(perturb, tmp_path, form):
    """And goes out in the form in which it came in; numbers and odd characters are kept."""
    lines, given, out = (tmp_path / name for name in ("in.jsonl", "in.json", "out.json"))
    lines.write_text(JSON["lines"])
    given.write_bytes(JSON[form].encode())
    wanted = perturb(*STEPS, "-i", lines).rows
    assert perturb(*STEPS, "-i", given, "-o", out).status == 0
    made = out.read_text()
    assert ("array" in form or form in ("windows", "with a mark")) == made.startswith("[")
    rows = json.loads(made) if made.startswith("[") else [*map(json.loads, made.splitlines())]
    assert rows == wanted
    assert perturb("verify", out, "-i", given).status == 0
    assert perturb(*STEPS, "--format", "json", stdin=given.read_bytes()).status == 0


@pytest.mark.slow
def test_json_of_any_size_is_read_in_pieces(perturb, tmp_path):
    """A megabyte at a time, wherever that cuts; and as a single object."""
    given = tmp_path / "in.json"
    rows = [{"id": n, "text": f"{n} is a number. " * (n % 50)} for n in range(8000)]
    given.write_text(json.dumps(rows))
    assert given.stat().st_size > 3 << 20
    assert len(perturb(*STEPS, "-i", given, "-o", tmp_path / "out.jsonl", "--lean").err) == 0
    assert (tmp_path / "out.jsonl").read_bytes().count(b"\n") == 8000
    given.write_text(json.dumps({"data": [{"text": row["text"]} for row in rows]}, indent=1))
    done = perturb(*STEPS, "-i", given, "-o", tmp_path / "out.json", "--field", "data[*].text")
    assert done.status == 0
    assert len(json.loads((tmp_path / "out.json").read_bytes())["data"]) == 8000


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ('[{"text": "a"}, {"text": ]', "in.json:2: not JSON: Expecting value"),
        ('[{"text": "a"}', "in.json:2: it is cut off"),
        ('[{"text": "a"}] more', "in.json:2: not JSON"),
        ('[{"text": "a"}, 3]', "in.json:2: a row is a JSON object; got the number 3"),
        ("[" * 100_000, "the row is nested too deeply"),
        ('{"text":\n "a"', "in.json:1: not JSON"),
    ],
)
def test_wrong_json(perturb, tmp_path, given, message):
    (tmp_path / "in.json").write_text(given)
    done = perturb(*STEPS, "-i", tmp_path / "in.json", "-o", tmp_path / "out.json")
    assert (done.status, message in done.message) == (1, True), done.err
    assert not (tmp_path / "out.json").exists()


ALICE = (
    "Alice was beginning to get very tired of sitting by her sister on the bank,\n"
    "and of having nothing to do.\n\n\nSo she was considering in her own mind.\n"
)


def test_lines_and_paragraphs_of_text(perturb, tmp_path):
    """Line n stays line n; what has no place for a record is written without."""
    given, out, rows = tmp_path / "in.txt", tmp_path / "out.txt", tmp_path / "out.jsonl"
    given.write_text(ALICE)
    assert perturb(*STEPS, "-i", given, "-o", out).status == 0
    assert perturb(*STEPS, "-i", given, "-o", rows).status == 0
    texts = [json.loads(line)["text"] for line in rows.read_text().splitlines()]
    assert texts == out.read_text().splitlines()
    assert [len(text) for text in texts] == [len(line) for line in ALICE.splitlines()]
    assert texts != ALICE.splitlines()
    assert perturb("verify", rows, "-i", given).status == 0
    assert perturb(*STEPS, "-i", given, "-o", rows, "--format", "paragraphs").status == 0
    texts = [json.loads(line)["text"] for line in rows.read_text().splitlines()]
    assert [text.count("\n") for text in texts] == [1, 0]
    assert perturb("verify", rows, "-i", given).status == 0


def test_one_text(perturb):
    """On the command line; and a bare line on standard input says how."""
    row = perturb(*STEPS, "--text", "Some plain words.", "--field", "question").rows[0]
    assert row["perturbation"]["original"] == "Some plain words."
    done = perturb(*STEPS, "--text", "Some plain words.", "--format", "text")
    assert done.out.decode() == row["question"] + "\n"
    assert "perturb apply --format" in perturb(*STEPS, stdin=b"Some plain words.\n").message
    assert perturb(*STEPS, "--format", "text", stdin=b"Some plain words.\n").out == done.out
    assert (
        "--text takes the place of input files"
        in perturb(*STEPS, "in.jsonl", "--text", "Words.").message
    )


# In the form of the corpora of CoNLL-2003 and W-NUT 2017.
SPACES = (
    "-DOCSTART- -X- O O\n\nAda NNP B-NP B-PER\nlived VBD B-VP O\n# NN B-NP O\n\nin IN B-PP O\n\n"
)
TABS = "# id = 3\nAda\tB-person\nLovelace\tI-person\n#\tO\nlived\tO\n\nThere\tO\n\n"


@pytest.mark.parametrize("given", [SPACES, TABS])
def test_tokens_keep_their_tags(perturb, tmp_path, given):
    source, out, rows = tmp_path / "in.conll", tmp_path / "out.conll", tmp_path / "out.jsonl"
    source.write_text(given)
    call = (*STEPS, "--field", "tokens", "--spans", "tags", "-i", source)
    assert perturb(*call, "-o", out).status == 0
    made = out.read_text()
    assert made != given
    words = [[line.split() for line in text.splitlines()] for text in (made, given)]
    assert [word[1:] for word in words[0]] == [word[1:] for word in words[1]]
    assert perturb(*call, "-o", rows).status == 0
    assert perturb("verify", rows, "-i", source).status == 0
    assert [len(json.loads(line)["tags"]) for line in rows.read_text().splitlines()] in (
        [3, 1],
        [4, 1],
    )
    assert perturb("apply", "ocr:p=0", "--field", "tokens", "-i", source, "-o", out).status == 0
    assert out.read_text() == given


def test_tokens_without_tags_are_told(perturb, tmp_path):
    (tmp_path / "in.conll").write_text("Ada\tO\nlived\n")
    done = perturb(*STEPS, "--field", "tokens", "-i", tmp_path / "in.conll")
    assert "in.conll:1: each line needs a token and its tag" in done.message


MMLU = 'What is 2 + 2?,1,4,5,6,B\n"Which is a word, then?",it,"a, b",c,none of these,A\n'


def test_a_csv_without_names_of_columns(perturb, tmp_path):
    """As MMLU has it: its options move by themselves, and the answer with them."""
    given, out = tmp_path / "in.csv", tmp_path / "out.csv"
    given.write_text(MMLU)
    assert "--format mmlu" in perturb(*STEPS, "-i", given).message
    call = (
        "apply",
        "option_shuffle",
        "--format",
        "mmlu",
        "--field",
        "choices",
        "--target",
        "answer",
    )
    assert perturb(*call, "-i", given, "-o", out).status == 0
    with out.open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row, right in zip(rows, ("4", "it"), strict=True):
        assert json.loads(row["choices"])["ABCD".index(row["answer"])] == right
    assert json.loads(rows[1]["choices"])[3] == "none of these"
    assert perturb("verify", out).status == 0


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1", "cp1252", "utf-8-sig", "shift_jis"])
def test_encodings(perturb, tmp_path, encoding):
    given, out, plain = tmp_path / "in.csv", tmp_path / "out.csv", tmp_path / "plain.csv"
    text = (
        "id,text\n1,some 日本語 words\n"
        if encoding == "shift_jis"
        else "id,text\n1,ein früher Gruß\n"
    )
    given.write_bytes(text.encode(encoding))
    plain.write_text(text)
    assert perturb(*STEPS, "-i", given, "--encoding", encoding, "-o", out).status == 0
    assert (
        out.read_bytes().removeprefix(b"\xef\xbb\xbf")
        == perturb(*STEPS, "-i", plain, "--format", "csv").out
    )
    assert perturb("verify", out, "-i", given).status == 0
    assert "unknown encoding" in perturb(*STEPS, "-i", given, "--encoding", "utf-99").message
    given.write_bytes(b"id,text\n1,\xff\xfe\xfd\n")
    for command in (*STEPS, "-i", given), ("test", given, "--command", "cat"):
        message = "save it as UTF-8, or give perturb apply its encoding, such as --encoding latin-1"
        assert message in perturb(*command).message


@pytest.mark.parametrize("name", ["in.feather", "in.arrow"])
def test_arrow(perturb, tmp_path, name):
    """A file, as Feather, or a stream, as Hugging Face keeps it; with its types."""
    pa, feather = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.feather")
    table = pa.table(
        {
            "id": ["a", "b"],
            "text": ["some plain words", "and others"],
            "x": pa.array([1, 2], pa.int8()),
        }
    )
    given, out = tmp_path / name, tmp_path / f"out{name[2:]}"
    if name == "in.feather":
        feather.write_feather(table, given)
    else:
        with pa.OSFile(str(given), "wb") as file, pa.ipc.new_stream(file, table.schema) as stream:
            stream.write_table(table)
    assert perturb(*STEPS, "-i", given, "-o", out).status == 0
    if name == "in.feather":
        made = feather.read_table(out)
    else:
        made = pa.ipc.open_stream(out.read_bytes()).read_all()
    assert made.column("x") == table.column("x")
    assert made.column("text").to_pylist() == [
        row["text"] for row in perturb(*STEPS, "-i", given, "--format", "jsonl").rows
    ]
    assert perturb("verify", out, "-i", given).status == 0
    given.write_bytes(given.read_bytes()[:100])
    assert "in.feather: damaged, or not Arrow" in perturb(*STEPS, "-i", given).message.replace(
        name, "in.feather"
    )


@pytest.mark.parametrize(
    ("name", "advice"), [("a.xlsx", "a spreadsheet"), ("a.db", "sqlite3 -json")]
)
def test_what_is_not_read_says_what_to_do(perturb, tmp_path, name, advice):
    for call in ([name], ["-i", name], ["-i", "in.jsonl", "-o", name]):
        (tmp_path / "in.jsonl").write_text('{"text": "a"}\n')
        assert advice in perturb(*STEPS, *call).message


@pytest.mark.parametrize("limit", [1, 2, 3, 9])
@pytest.mark.parametrize("name", ["in.jsonl", "in.csv", "in.json", "in.parquet"])
def test_the_first_rows_alone(perturb, tmp_path, name, limit):
    rows = [{"id": str(n), "text": f"row number {n}"} for n in range(5)]
    given, out = tmp_path / name, tmp_path / "out.jsonl"
    text = io.StringIO()
    writer = csv.DictWriter(text, ["id", "text"])
    writer.writeheader()
    writer.writerows(rows)
    lines = "\n\n".join(map(json.dumps, rows))
    given.write_text({"csv": text.getvalue(), "jsonl": lines}.get(name[3:], json.dumps(rows)))
    if name == "in.parquet":
        pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        pq.write_table(pa.Table.from_pylist(rows), given)
    assert perturb(*STEPS, "-i", given, "--limit", limit, "-o", out).status == 0
    ids = [json.loads(line)["perturbation"]["original_id"] for line in out.read_text().splitlines()]
    assert ids == [str(n) for n in range(min(limit, 5))]
    assert perturb("verify", out, "-i", given).status == 0


@pytest.mark.parametrize("suffix", ["jsonl", "json", "parquet"])
def test_rows_without_a_text(perturb, tmp_path, suffix):
    """The words are those of Transform; each way verifies, also from the input."""
    given, out = (tmp_path / f"{name}.{suffix}" for name in ("in", "out"))
    rows = [
        {"id": 1, "text": None},
        {"id": 2, "text": "some words of a row"},
        {"id": 3, "text": None},
    ]
    if suffix == "parquet":
        pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        pq.write_table(pa.Table.from_pylist(rows), given)
    else:
        given.write_text(
            json.dumps(rows)
            if suffix == "json"
            else "".join(json.dumps(row) + "\n" for row in rows)
        )
    told = perturb(*STEPS, "-i", given, "-o", out).message
    assert "--missing keep (missing= in Python) keeps such rows" in told
    for word, statuses in (
        ("keep", ["original", "changed", "original"]),
        ("skip", ["changed"]),
    ):
        assert perturb(*STEPS, "--missing", word, "-i", given, "-o", out).status == 0
        made = perturb("restore", out).rows
        assert made == [row for row in rows if word == "keep" or row["text"]]
        records = [record.status for record in read_records(out)]
        assert records == [status for status in statuses if status == "changed"]
        assert perturb("verify", out, "-i", given).status == 0
        said = json.loads((tmp_path / f"out.{suffix}.manifest.json").read_bytes())["counts"]
        assert (said["rows_read"], said["rows_written"]) == (3, len(statuses))


def test_a_stream_of_arrow_stays_one(perturb, tmp_path):
    """As Hugging Face reads it; as Feather it is a file, which pandas reads."""
    pa = pytest.importorskip("pyarrow")
    table = pa.Table.from_pylist([{"id": "a", "text": "some words"}])
    for make, read in (
        (pa.ipc.new_stream, pa.ipc.open_stream),
        (pa.ipc.new_file, pa.ipc.open_file),
    ):
        with make(tmp_path / "in.arrow", table.schema) as writer:
            writer.write_table(table)
        for name, open_as in (("out.arrow", read), ("out.feather", pa.ipc.open_file)):
            assert perturb(*STEPS, "-i", tmp_path / "in.arrow", "-o", tmp_path / name).status == 0
            with (tmp_path / name).open("rb") as file:
                assert open_as(file).read_all()["id"].to_pylist() == ["a#char_swap:p=0.4"]


@pytest.mark.slow
def test_batches_of_arrow_may_have_other_dictionaries(perturb, tmp_path, monkeypatch):
    """As in files that are written a batch at a time, also where they are written back so."""
    pa = pytest.importorskip("pyarrow")
    from perturb.io import parquet_files

    monkeypatch.setattr(parquet_files, "_GROUP", 1)
    labels = [["x", "y"], ["z", "y"], ["y", None]]
    with pa.ipc.new_stream(tmp_path / "in.arrow", _batch(pa, labels[0]).schema) as writer:
        for values in labels:
            writer.write_batch(_batch(pa, values))
    for name in ("out.arrow", "out.feather", "out.parquet"):
        out = tmp_path / name
        assert perturb(*STEPS, "-i", tmp_path / "in.arrow", "-o", out).status == 0
        assert perturb("verify", out, "-i", tmp_path / "in.arrow").status == 0
        assert [row["label"] for row in perturb("restore", out).rows] == [
            "x",
            "y",
            "z",
            "y",
            "y",
            None,
        ]
    nulls = pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(["x", None]))
    batch = pa.record_batch({"text": ["a word", "words"], "label": nulls})
    with pa.ipc.new_file(tmp_path / "in.arrow", batch.schema) as writer:
        writer.write_batch(batch)
    for name in ("out.arrow", "out.parquet"):
        told = perturb(*STEPS, "-i", tmp_path / "in.arrow", "-o", tmp_path / name).message
        assert told.endswith("; write JSON Lines")


def _batch(pa, labels):
    return pa.record_batch(
        {"text": ["some words"] * 2, "label": pa.array(labels).dictionary_encode()}
    )


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("in.xlsx", "save the sheet as CSV, or in Python pass pandas.read_excel(FILE)"),
        ("in.sqlite", "sqlite3 -json FILE 'SELECT ...' > rows.json writes rows"),
    ],
)
def test_files_that_are_not_read_have_advice(perturb, tmp_path, name, advice):
    for call in ([name], ["-i", tmp_path / name]):
        assert perturb(*STEPS, *call).message.endswith(advice)


def test_a_table_without_a_good_row_is_written(perturb, tmp_path):
    """With its columns, and each row among the bad ones."""
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    given, out, bad = (tmp_path / name for name in ("in.parquet", "out.parquet", "bad.jsonl"))
    pq.write_table(pa.table({"id": [0.5, 1.5], "text": ["some words", "others"]}), given)
    done = perturb(*STEPS, "-i", given, "-o", out, "--bad-lines", bad)
    assert done.status == 0
    assert pq.read_table(out).schema.names == ["id", "text", "perturbation"]
    assert pq.read_table(out).num_rows == 0
    assert [json.loads(line)["id"] for line in bad.read_text().splitlines()] == [0.5, 1.5]


def test_rows_of_several_types_are_not_restored_as_a_table(perturb, tmp_path):
    """The message names the field, as where they are perturbed."""
    pytest.importorskip("pyarrow")
    given, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    given.write_text('{"id": "a", "text": "some words", "x": [1, {"y": 2}]}\n')
    assert perturb(*STEPS, "-i", given, "-o", out).status == 0
    for command in (("restore", out), (*STEPS, "-i", given)):
        done = perturb(*command, "-o", tmp_path / "out.parquet")
        assert done.status == 1
        assert "one type for each field of all rows: field 'x'" in done.message


@pytest.mark.slow
def test_a_table_waits_for_no_pandas(tmp_path):
    """Which Arrow imports on its own in many calls, and which takes longer than a small file."""
    pa = pytest.importorskip("pyarrow")
    pytest.importorskip("pandas")
    import pyarrow.parquet as pq

    texts = [f"some words {n}" + " and cafés" * (n % 3 == 0) for n in range(40)]
    pq.write_table(pa.table({"id": range(40), "text": texts}), tmp_path / "in.parquet")
    program = (
        "import sys, perturb.cli\n"
        "assert perturb.cli.main('apply ocr --replicates 2 -i in.parquet -o out.parquet'.split()) == 0\n"
        "assert 'pandas' not in sys.modules and 'pyarrow' in sys.modules"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=environment, check=True)


@pytest.mark.parametrize(
    ("row", "where"), [(r'"x": "\ud800"', "the field 'x'"), (r'"\ud800": 1', "the name of a field")]
)
def test_half_a_surrogate_pair_fits_no_table(perturb, tmp_path, row, where):
    pytest.importorskip("pyarrow")
    given = tmp_path / "in.jsonl"
    given.write_text(f'{{"text": "a", {row}}}\n')
    done = perturb("apply", "char_swap", given, "-o", tmp_path / "out.parquet")
    assert f"in.jsonl: {where} holds '\\ud800', half of a surrogate pair" in done.message
