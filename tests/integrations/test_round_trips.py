"""Perturbed rows through the libraries that keep data: each record is as it was, and verified."""

import json

import pytest

import perturb
from perturb.records.schema import LINKAGE, arrow_type

TEXTS = [
    "Natalia sold 48 clips in April, and half as many in May. How many did she sell?",
    "Which one?\nA. red\nB. blue\nC. green",
    'He said "no" \\ and left -- 9 of them; null, None, true.',
    "žluťoučký kůň 👩‍👩‍👧 мир",
    "lazy",
    "",
]
STEPS = [
    "keyboard_typos:p=0.2",
    'char_replace:p=0.5,alphabet="0123456789"',
    "char_insert:p=0.5,alphabet=-.",
    "option_shuffle",
    "word_delete:count=2",
    "ocr:p=0.2 case:p=0.3",
    "one_of(char_swap:p=0.3 | 2*whitespace:p=0.4)",
]
GRID = perturb.grid(STEPS)


def load(name):
    return pytest.importorskip(name, reason=f"{name} is not installed: pip install -e '.[homes]'")


@pytest.fixture(scope="module")
def rows():
    given = [{"id": f"q{n}", "text": text} for n, text in enumerate(TEXTS)]
    made = list(perturb.augment(given, GRID, protect="number", with_original=True))
    assert len(made) == len(TEXTS) * (len(STEPS) + 1)
    return made


@pytest.fixture
def file(rows, tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def assert_kept(rows, back):
    """The rows are the same in value and type, and give their texts again."""
    back = list(back)
    assert json.dumps(back, sort_keys=True) == json.dumps(rows, sort_keys=True)
    assert all(map(perturb.verify, back))


def lines(path):
    return list(map(json.loads, path.read_text("utf-8").splitlines()))


def test_pyarrow(rows, tmp_path):
    """A table of rows as they are, and one of the declared type; and both as Parquet."""
    pa, parquet = load("pyarrow"), load("pyarrow.parquet")
    kind = pa.schema([("id", pa.string()), ("text", pa.string()), (LINKAGE, arrow_type())])
    for table in (pa.Table.from_pylist(rows), pa.Table.from_pylist(rows, kind)):
        assert_kept(rows, table.to_pylist())
        parquet.write_table(table, tmp_path / "rows.parquet")
        assert_kept(rows, parquet.read_table(tmp_path / "rows.parquet").to_pylist())


def test_pyarrow_reads_json(rows, file):
    assert_kept(rows, load("pyarrow.json").read_json(file).to_pylist())


def test_datasets(rows, file, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    datasets = load("datasets")
    datasets.disable_progress_bars()
    cache = str(tmp_path / "cache")
    data = datasets.load_dataset("json", data_files=str(file), split="train", cache_dir=cache)
    assert_kept(rows, data)
    data.to_json(str(tmp_path / "again.jsonl"))
    assert_kept(rows, lines(tmp_path / "again.jsonl"))
    data.to_parquet(str(tmp_path / "again.parquet"))
    again = datasets.Dataset.from_parquet(str(tmp_path / "again.parquet"), cache_dir=cache)
    assert_kept(rows, again)
    assert_kept(rows, datasets.Dataset.from_list(rows))


def test_polars(rows, file, tmp_path):
    polars = load("polars")
    frame = polars.read_ndjson(file)
    assert_kept(rows, frame.to_dicts())
    frame.write_ndjson(tmp_path / "again.jsonl")
    assert_kept(rows, lines(tmp_path / "again.jsonl"))
    frame.write_parquet(tmp_path / "again.parquet")
    assert_kept(rows, polars.read_parquet(tmp_path / "again.parquet").to_dicts())


def test_duckdb(rows, file, tmp_path):
    duckdb = load("duckdb")
    with duckdb.connect() as database:
        database.sql(f"CREATE TABLE made AS FROM read_json('{file}')")
        columns = [name for name, *_ in database.sql("DESCRIBE made").fetchall()]
        found = database.sql("FROM made").fetchall()
        assert_kept(rows, (dict(zip(columns, row, strict=True)) for row in found))
        for kind, name in (("JSON", "again.jsonl"), ("PARQUET", "again.parquet")):
            database.sql(f"COPY made TO '{tmp_path / name}' (FORMAT {kind})")
        assert_kept(rows, lines(tmp_path / "again.jsonl"))
        found = database.sql(f"FROM '{tmp_path / 'again.parquet'}'").fetchall()
        assert_kept(rows, (dict(zip(columns, row, strict=True)) for row in found))


def test_pandas(rows, file, tmp_path):
    """A frame of Python objects writes JSON lines as they were; Parquet goes by way of pyarrow."""
    pandas = load("pandas")
    frame = pandas.read_json(file, lines=True, dtype=False, precise_float=True)
    assert_kept(rows, frame.to_dict("records"))
    frame.to_json(tmp_path / "again.jsonl", orient="records", lines=True, double_precision=15)
    assert_kept(rows, lines(tmp_path / "again.jsonl"))
    load("pyarrow")
    pandas.DataFrame(rows).to_parquet(tmp_path / "again.parquet")
    again = pandas.read_parquet(tmp_path / "again.parquet", dtype_backend="pyarrow")
    assert_kept(rows, again.to_dict("records"))
