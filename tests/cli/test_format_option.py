"""What `--format` says is done, whatever the suffixes of the files say."""

import json

import pytest

STEP = ("apply", "keyboard_typos", "-p", "0.5")
TAGGED = b"-DOCSTART- -X- O\n\nAda NNP B-PER\nlived VBD O\n\nLondon NNP B-LOC\n"
ROWS = [{"id": str(n), "text": f"some plain words, of number {n}"} for n in range(3)]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
CELLS = b"id,text\n0,some plain words\n1,and more of them\n"


@pytest.fixture
def file(tmp_path):
    def write(name, data):
        (tmp_path / name).write_bytes(data)
        return tmp_path / name

    return write


@pytest.mark.parametrize("name", ["ner.txt", "ner.tsv", "ner.csv", "ner.jsonl", "ner.dat", "ner"])
def test_tagged_tokens_by_any_name(perturb, file, tmp_path, name):
    """CoNLL-2003 is kept as test.txt; its comments and tags stay, in and out."""
    given = file(name, TAGGED)
    call = (*STEP, "--field", "tokens", "--format", "conll", "-i", given)
    rows = perturb(*call, "-o", tmp_path / "rows.ndjson")
    assert rows.status == 0, rows.err
    rows = [json.loads(line) for line in (tmp_path / "rows.ndjson").read_bytes().splitlines()]
    assert [row["tags"] for row in rows] == [["B-PER", "O"], ["B-LOC"]]
    assert rows[0]["comments"] == ["-DOCSTART- -X- O"]
    assert perturb("verify", tmp_path / "rows.ndjson", "-i", given).status == 0
    out = tmp_path / f"out{given.suffix}"
    assert perturb(*call, "-o", out).status == 0
    lines = out.read_text().splitlines()
    assert lines[0] == "-DOCSTART- -X- O"
    assert [line.split()[1:] for line in lines[2:]] == [["NNP", "B-PER"], ["VBD", "O"], [],
                                                        ["NNP", "B-LOC"], []]  # fmt: skip
    assert perturb(*call).out == out.read_bytes()


@pytest.mark.parametrize("name", ["rows.txt", "rows.json", "rows.csv", "rows.log"])
def test_lines_of_json_by_any_name(perturb, file, tmp_path, name):
    """And their outputs are verified by what the manifest says."""
    given, out = file(name, LINES), tmp_path / f"out{name[4:]}"
    assert perturb(*STEP, "--format", "jsonl", "-i", given, "-o", out).status == 0
    rows = [json.loads(line) for line in out.read_bytes().splitlines()]
    assert [row["perturbation"]["original"] for row in rows] == [row["text"] for row in ROWS]
    assert perturb("verify", out, "-i", given).status == 0
    back = tmp_path / f"back{name[4:]}"
    assert perturb("restore", out, "--format", "jsonl", "-o", back).status == 0
    assert [json.loads(line) for line in back.read_bytes().splitlines()] == ROWS


def test_a_folder_of_files_with_the_suffix_of_others(perturb, file, tmp_path):
    (tmp_path / "in").mkdir()
    file("in/a.txt", LINES)
    call = (*STEP, "--format", "jsonl", "-i", tmp_path / "in", "-o", tmp_path / "out")
    assert perturb(*call).status == 0
    assert json.loads((tmp_path / "out" / "a.txt").read_bytes().splitlines()[0])["perturbation"]
    assert perturb("verify", tmp_path / "out", "-i", tmp_path / "in").status == 0
    assert "1 of 1 shards were already there" in perturb(*call).err


def test_what_names_the_output_is_taken_for_it(perturb, file, tmp_path):
    """The input begins as its name says and no other format does: the option is the output's."""
    given = file("in.jsonl", LINES)
    done = perturb(*STEP, "--format", "text", given)
    assert (done.status, len(done.out.splitlines())) == (0, 3)
    assert b"{" not in done.out
    assert perturb(*STEP, "--format", "csv", given).out.startswith(b"id,text,perturbation.")
    assert perturb(*STEP, "--format", "csv", given, "-o", tmp_path / "o.txt").status == 0
    assert (tmp_path / "o.txt").read_bytes().startswith(b"id,text,perturbation.")
    assert perturb("verify", tmp_path / "o.txt", "-i", given).status == 0


@pytest.mark.parametrize(("name", "data"), [("in.jsonl", LINES), ("in.json", b"[" + LINES[:9])])
def test_what_is_of_no_file_is_refused(perturb, file, tmp_path, name, data):
    """Rather than passed over."""
    done = perturb(*STEP, "--format", "conll", file(name, data), "-o", tmp_path / "out.csv")
    assert done.status == 2
    assert "--format conll fits neither file" in done.message
    assert "leave it out" in done.message


@pytest.mark.parametrize(
    ("name", "data", "form", "message"),
    [
        ("in.csv", CELLS, "jsonl", "in.csv:1: not JSON"),
        ("in.csv", CELLS, "conll", "in.csv:1: each line needs a token and its tag"),
        ("in.txt", CELLS, "parquet", "in.txt"),
    ],
)
def test_bytes_that_cant_be_that_format_are_refused(perturb, file, name, data, form, message):
    if form == "parquet":
        pytest.importorskip("pyarrow")
    done = perturb(*STEP, "--format", form, "-i", file(name, data))
    assert done.status == 1
    assert message in done.message


def test_tables_are_what_their_bytes_say(perturb, file, tmp_path):
    """They begin like no file of another format."""
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    table = pa.Table.from_pylist(ROWS)
    parquet.write_table(table, tmp_path / "in.parquet")
    for stream in (pa.ipc.new_file, pa.ipc.new_stream):
        with stream(str(tmp_path / "in.arrow"), table.schema) as writer:
            writer.write_table(table)
        for name in ("in.parquet", "in.arrow"):
            done = perturb(*STEP, "--format", "csv", tmp_path / name)
            assert done.out.startswith(b"id,text,perturbation."), done.err
    (tmp_path / "in.parquet").write_bytes(CELLS)
    assert perturb(*STEP, "--format", "csv", tmp_path / "in.parquet").status == 0


@pytest.mark.slow
@pytest.mark.parametrize("end", ["parquet", "arrow"])
def test_lists_of_tokens_and_options_go_into_tables(perturb, file, tmp_path, end):
    """Not all that a file of text holds is text; nor is what a partition tells."""
    pytest.importorskip("pyarrow")
    (tmp_path / "in" / "year=2020").mkdir(parents=True)
    file("in/year=2020/a.csv", CELLS)
    files = {
        "tags": (("--field", "tokens"), file("ner.conll", TAGGED)),
        "choices": (("--format", "mmlu", "--field", "question"), file("q.csv", b"Which?,a,b,c,d,B\n")),
        "year": ((), tmp_path / "in"),
    }  # fmt: skip
    kinds = {"tags": list, "choices": list, "year": int}
    for name, (options, given) in files.items():
        out = tmp_path / f"{name}.{end}"
        assert perturb(*STEP, *options, "-i", given, "-o", out).status == 0
        assert perturb("verify", out, "-i", given).status == 0
        assert perturb("restore", out, "-o", tmp_path / f"{name}.jsonl").status == 0
        row = json.loads((tmp_path / f"{name}.jsonl").read_bytes().splitlines()[0])
        assert type(row[name]) is kinds[name]
