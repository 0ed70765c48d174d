"""`perturb restore`: originals come back from the records alone."""

import json
import math
import random
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import chain
from pathlib import Path

import pytest

from perturb.cli import main

ROWS = [
    {
        "id": 7,
        "text": "The lazy dog saw Tom.",
        "n": 1.5,
        "labels": [{"start": 4, "end": 8, "label": "ADJ"}],
    },
    {"id": 8, "text": "Tom, \u2028 a 50 % fox; 👍", "n": 2.0, "labels": []},
    {"text": "The same text twice", "n": 3.0, "labels": [{"start": 0, "end": 3, "label": "X"}]},
    {"text": "The same text twice", "n": 4.0, "labels": [{"start": 0, "end": 3, "label": "Y"}]},
]
APPLY = [
    "apply",
    "char_swap:p=0.4",
    "name_swap:p=1",
    "--grid",
    "--replicates",
    "2",
    "--spans",
    "labels",
]


@pytest.fixture
def noisy(tmp_path):
    def made(rows, name, *options):
        source, target = tmp_path / "in.jsonl", tmp_path / name
        source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        assert main([*APPLY, *options, "-i", str(source), "-o", str(target)]) == 0
        source.unlink()
        return str(target)

    return made


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--with-original",), ("--lean", "--workers", "2")])
def test_each_original_comes_back_once(noisy, tmp_path, options) -> None:
    target = tmp_path / "again.jsonl"
    assert main(["restore", noisy(ROWS, "out.jsonl", *options), "-o", str(target)]) == 0
    assert [json.loads(line) for line in target.read_bytes().splitlines()] == ROWS


def test_tables_come_back(noisy, tmp_path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    file = noisy(ROWS[:2], "out.parquet")
    target = tmp_path / "again.parquet"
    assert main(["restore", file, "-o", str(target)]) == 0
    assert pq.read_table(target).to_pylist() == ROWS[:2]


def test_csv_comes_back(tmp_path) -> None:
    source, noisy, again = (tmp_path / f"{name}.csv" for name in ("in", "out", "again"))
    source.write_text('id,text\n1,"How, ""many"" eggs?"\n2,Why?\n', "utf-8")
    assert main(["apply", "ocr:p=0.5", "-i", str(source), "-o", str(noisy)]) == 0
    assert main(["restore", str(noisy), "-o", str(again)]) == 0
    assert again.read_text("utf-8").splitlines() == source.read_text("utf-8").splitlines()


def test_a_list_of_texts_comes_back_from_csv(tmp_path, capfd) -> None:
    """Also where the field has its usual name, and where a string looks like a list."""
    source, noisy = tmp_path / "in.jsonl", tmp_path / "out.csv"
    texts = (["How many eggs?", "And ham?"], '["How many eggs?"]', "How many eggs?", ["Why?"])
    rows = [{"id": at, "text": text} for at, text in enumerate(texts)]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert main(["apply", "ocr:p=0.5", "-i", str(source), "-o", str(noisy)]) == 0
    assert main(["verify", str(noisy), "-i", str(source)]) == 0
    capfd.readouterr()
    assert main(["restore", str(noisy)]) == 0
    assert [json.loads(line) for line in capfd.readouterr().out.splitlines()] == rows


def test_what_was_changed_since_is_refused(noisy, tmp_path, capfd) -> None:
    file = Path(noisy(ROWS, "out.jsonl"))
    file.write_text(file.read_text("utf-8").replace("twice", "thrice"), "utf-8")
    target = tmp_path / "again.jsonl"
    assert main(["restore", str(file), "-o", str(target)]) == 1
    told = capfd.readouterr().err
    assert f"{file}:9:" in told
    assert "--bad-lines skip|FILE goes on" in told
    assert not target.exists()


@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
def test_rows_that_were_changed_can_be_left_out(tmp_path, capfd, suffix) -> None:
    """The rest comes back, also what another version gives; the rows left out can be kept."""
    source, file = tmp_path / "in.jsonl", tmp_path / f"out.{suffix}"
    rows = [{key: row[key] for key in ("id", "text")} for row in ROWS[:2]]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert (
        main(
            ["apply", "keyboard_typos:p=0.2", "--with-original", "-i", str(source), "-o", str(file)]
        )
        == 0
    )
    lines = file.read_bytes().splitlines(keepends=True)
    header = suffix == "csv"
    damaged = [line.replace("👍".encode(), b"!") for line in lines]
    damaged[header] = lines[header].replace(b"Tom", b"Tim")  # one version of the first row
    file.write_bytes(b"".join(damaged))
    again, bad = tmp_path / f"again.{suffix}", tmp_path / "bad.jsonl"
    assert main(["restore", str(file), "-o", str(again), "--bad-lines", str(bad)]) == 0
    assert len(bad.read_bytes().splitlines()) == 3
    assert f"left out 3 bad lines, the first {file}:{1 + header}: " in capfd.readouterr().err
    text = again.read_text("utf-8")
    assert "The lazy dog saw Tom." in text
    assert len(text.splitlines()) == 1 + header
    assert main(["restore", str(file), "--bad-lines", "skip"]) == 0
    assert json.loads(capfd.readouterr().out.splitlines()[0])["id"] in (7, "7")
    assert main(["restore", str(file), "-o", str(again), "--bad-lines", str(file)]) == 2


def test_the_file_itself_is_not_written_over(noisy, capfd) -> None:
    file = noisy(ROWS, "out.jsonl")
    assert main(["restore", file, "-o", file]) == 2
    assert "name another" in capfd.readouterr().err


@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
@pytest.mark.parametrize("named", [True, False])
def test_each_original_comes_back_once_in_any_order_of_rows(
    tmp_path, suffix, named, monkeypatch, capfd
) -> None:
    """Rows without an id that are equal come back as often as they are there; notes count both."""
    monkeypatch.setattr("perturb.cli.restore._AT_ONCE", 5)
    rows = [{**({"id": f"k{n}"} if named else {}), "text": f"The dog {n}"} for n in range(4)]
    rows += [] if named else [rows[0]]
    source, file, again = (tmp_path / f"{name}.{suffix}" for name in ("in", "noisy", "again"))
    steps = ["char_swap:p=0.4", "name_swap:p=1", "--grid", "--replicates", "2", "--with-original"]
    write_rows(source, rows)
    assert main(["apply", *steps, "-i", str(source), "-o", str(file)]) == 0
    header, *lines = [b"", *file.read_bytes().splitlines(keepends=True)][suffix == "csv" :]
    random.Random(1).shuffle(lines)
    file.write_bytes(header + b"".join(lines + lines[-1:] * named))
    capfd.readouterr()
    assert main(["restore", str(file), "-o", str(again)]) == 0
    said = "rows that repeat the original and the recipe of another: 1; it"
    said = said if named else "rows without an id that repeat another: 5; each"
    assert capfd.readouterr().err.startswith(f"perturb: {said}")
    assert sorted(again.read_bytes().split()) == sorted(source.read_bytes().split())


def test_files_may_share_ids(noisy, tmp_path, capfd) -> None:
    """An id names one row in each, and its versions stand anywhere in that."""
    (tmp_path / "all").mkdir()
    rows = [{**row, "text": f"{n} dogs"} for n in range(2) for row in ROWS[2:3]]
    named = [[{**rows[0], "id": 7}, rows[0]], [{**rows[1], "id": 7}, rows[0]]]
    for n, some in enumerate(named):
        file = Path(noisy(some, "out.jsonl", "--with-original"))
        lines = file.read_bytes().splitlines(keepends=True)
        (tmp_path / "all" / f"{n}.jsonl").write_bytes(b"".join(lines[::2] + lines[1::2]))
    assert main(["restore", str(tmp_path / "all")]) == 0
    assert [json.loads(line) for line in capfd.readouterr().out.splitlines()] == [*chain(*named)]


def write_rows(path: Path, rows) -> None:
    if path.suffix == ".csv":
        lines = [",".join(rows[0]), *(",".join(row.values()) for row in rows)]
    else:
        lines = [json.dumps(row, separators=(",", ":")) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")


@pytest.mark.parametrize("backwards", [False, True])
def test_versions_that_disagree_are_told_with_both_rows(noisy, tmp_path, capfd, backwards) -> None:
    file, bad = Path(noisy(ROWS[:2], "out.jsonl", "--with-original")), tmp_path / "bad.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)[:: -1 if backwards else 1]
    lines[-1] = lines[-1].replace(b'"n":1.5' if backwards else b'"n":2.0', b'"n":9')
    file.write_bytes(b"".join(lines))
    first, last = len(lines) // 2 + 1, len(lines)
    assert main(["restore", str(file)]) == 1
    told = capfd.readouterr().err
    assert f"{file}:{last}: its original" in told
    assert f"that {file}:{first} gives" in told
    assert main(["restore", str(file), "--bad-lines", str(bad)]) == 0
    assert capfd.readouterr().out.count("\n") == 2
    assert bad.read_bytes() == lines[-1]


def test_answers_behind_the_record_may_differ(noisy, capfd) -> None:
    file = Path(noisy(ROWS[:1], "out.jsonl", "--with-original"))
    rows = [json.loads(line) for line in file.read_bytes().splitlines()]
    file.write_text(
        "".join(json.dumps({**row, "prediction": n}) + "\n" for n, row in enumerate(rows))
    )
    assert main(["restore", str(file)]) == 0
    assert json.loads(capfd.readouterr().out) == {**ROWS[0], "prediction": 0}
    rows = [{"perturbation": row.pop("perturbation"), **row} for row in rows]
    lines = [json.dumps({**row, "prediction": n}) for n, row in enumerate(rows)]
    file.write_text("\n".join(lines), "utf-8")
    assert main(["restore", str(file)]) == 0
    assert json.loads(capfd.readouterr().out) == {**ROWS[0], "prediction": 0}


def test_escapes_of_another_program_make_no_difference(noisy, capfd) -> None:
    """A row may be written again, such as one of several versions."""
    rows = [{"id": "a", "text": "A café with Tom / Ann", "place": "Ärzte", "labels": []}]
    file = Path(noisy(rows, "out.jsonl", "--with-original"))
    lines = file.read_text("utf-8").splitlines()
    lines[1] = json.dumps(json.loads(lines[1]), separators=(",", ":")).replace("/", "\\/")
    file.write_text("\n".join(lines), "utf-8")
    assert main(["restore", str(file)]) == 0
    assert json.loads(capfd.readouterr().out) == rows[0]


@pytest.mark.parametrize("end", ["csv", "parquet"])
def test_a_file_without_rows_keeps_its_columns(tmp_path, end) -> None:
    """One of a folder of shards, which is read with the others."""
    path, out, back = (tmp_path / f"{name}.{end}" for name in ("in", "out", "back"))
    if end == "csv":
        path.write_text("id,text,n\n")
    else:
        pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        pq.write_table(
            pa.schema({"id": "string", "text": "string", "n": "int64"}).empty_table(), path
        )
    assert main(["apply", "case", "-i", str(path), "-o", str(out)]) == 0
    assert main(["restore", str(out), "-o", str(back)]) == 0
    if end == "csv":
        assert back.read_text() == path.read_text()
    else:
        assert pq.read_schema(back).equals(pq.read_schema(path))


@pytest.mark.parametrize("end", ["parquet", "arrow"])
def test_a_table_comes_back_with_its_types_and_values(end, tmp_path):
    """JSON has none of these, and makes null of NaN."""
    pa, feather = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.feather")
    parquet = pytest.importorskip("pyarrow.parquet")
    day, second = datetime(2024, 2, 3, 1, 2, 3, 4, tzinfo=UTC), timedelta(seconds=1)
    table = pa.table(
        {
            "id": ["a", "b"],
            "text": pa.array(["some words", "more words"], pa.large_string()),
            "number": pa.array([math.inf, -math.inf], pa.float32()),
            "list": [[1.5, None], [math.inf]],
            "decimal": [Decimal("1.10"), None],
            "bytes": [b"\0\xff", None],
            "at": pa.array([day, None], pa.timestamp("us", "Europe/Berlin")),
            "inside": [{"of": day.date()}, None],
            "for": [second, None],
            "map": pa.array([[("k", 1)], None], pa.map_(pa.string(), pa.int32())),
            "large": pa.array([2**63, None], pa.uint64()),
            "word": pa.array(["x", None]).dictionary_encode(),
        }
    )
    given, out, back = (str(tmp_path / f"{name}.{end}") for name in ("in", "out", "back"))
    (feather.write_feather if end == "arrow" else parquet.write_table)(table, given)
    assert main([*APPLY[:4], "-i", given, "-o", out]) == 0
    assert main(["restore", out, "-o", back]) == 0
    read = feather.read_table if end == "arrow" else parquet.read_table
    assert read(back).equals(read(given))
    assert read(back).schema.types == read(given).schema.types


@pytest.mark.parametrize("end", ["jsonl", "json", "csv"])
def test_numbers_come_back_as_they_were(end, tmp_path):
    """Also those that no number of 64 bits is, which were null."""
    numbers = '"n":1E+400,"f":1.10' if end != "csv" else '"n":NaN,"f":[NaN,-Infinity]'
    given, out, back = tmp_path / "in.json", tmp_path / f"out.{end}", tmp_path / f"back.{end}"
    given.write_text(f'[{{"id":"a","text":"some words",{numbers}}}]')
    assert main([*APPLY[:4], "-i", str(given), "-o", str(out)]) == 0
    assert main(["restore", str(out), "-o", str(back)]) == 0
    expected = numbers if end != "csv" else 'a,some words,NaN,"[NaN,-Infinity]"'
    assert expected in back.read_text()


def test_labels_in_cells_come_back_whether_or_not_they_moved(noisy, tmp_path):
    """A cell that was never read as labels is the text of those that were."""
    out = noisy(ROWS[:2], "out.csv", "--with-original")
    assert main(["restore", str(out), "-o", str(tmp_path / "back.csv")]) == 0
    back = (tmp_path / "back.csv").read_text("utf-8").splitlines()
    assert back[1] == ('7,The lazy dog saw Tom.,1.5,"[{""start"":4,""end"":8,""label"":""ADJ""}]"')
