"""Perturbed rows through the libraries that keep data: each record is as it was, and verified."""

import json
from datetime import date, timedelta
from uuid import UUID

import pytest
from lines import rows_in

import perturb
from perturb.records.notation import LINKAGE, arrow_type

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


def load(name):
    return pytest.importorskip(name, reason=f"{name} is not installed: pip install -e '.[homes]'")


# Ids that readers may take for something else than strings.
IDS = {
    "words": lambda n: f"q{n}",
    "UUIDs": lambda n: str(UUID(int=(n + 1) * 7919)),
    "zeros": lambda n: f"{n:06}",
    "dates": lambda n: str(date(2000, 1, 1) + timedelta(n)),
}


@pytest.fixture(
    scope="module",
    params=[("words", False), ("words", True), ("UUIDs", True), ("zeros", False), ("dates", True)],
    ids=str,
)
def rows(request):
    """A thousand rows without an edit, so that readers infer types from these, then all others."""
    ids, many = request.param
    field = ["text", "contexts[*]"] if many else "text"
    empty, plain = (
        [
            {"id": IDS[ids](n), "text": text, **({"contexts": [text, "so"]} if many else {})}
            for n, text in enumerate(texts, first)
        ]
        for texts, first in ((["", "12"] * 500, 0), (TEXTS, 1000))
    )
    unchanged = list(perturb.augment(empty, "option_shuffle", field=field))
    assert not any(row["perturbation"]["edits"] for row in unchanged)
    grid = perturb.grid(STEPS)  # not for a collection
    changed = list(perturb.augment(plain, grid, field=field, protect="number", with_original=True))
    assert len(changed) == len(TEXTS) * (len(STEPS) + 1)
    return unchanged + changed


@pytest.fixture
def file(rows, tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def assert_kept(rows, back):
    """The rows are the same in value and type, but for ids that DuckDB parses; and verify."""
    back = list(back)
    assert json.dumps(back, sort_keys=True, default=str) == json.dumps(rows, sort_keys=True)
    assert all(map(perturb.verify, back[::20] + back[-100:]))


@pytest.mark.slow
def test_pyarrow(rows, tmp_path):
    """A table of rows as they are, and one of the declared type; and both as Parquet."""
    pa, parquet = load("pyarrow"), load("pyarrow.parquet")
    inferred = pa.Table.from_pylist(rows)
    at = inferred.schema.get_field_index(LINKAGE)
    declared = inferred.schema.set(at, pa.field(LINKAGE, arrow_type()))
    for table in (inferred, pa.Table.from_pylist(rows, declared)):
        assert_kept(rows, table.to_pylist())
        parquet.write_table(table, tmp_path / "rows.parquet")
        assert_kept(rows, parquet.read_table(tmp_path / "rows.parquet").to_pylist())


@pytest.mark.slow
def test_pyarrow_reads_json(rows, file):
    """It takes texts that look like dates for times, unless the type of the record is declared."""
    pa, reader = load("pyarrow"), load("pyarrow.json")
    options = reader.ParseOptions(explicit_schema=pa.schema([(LINKAGE, arrow_type())]))
    assert_kept(rows, reader.read_json(file, parse_options=options).to_pylist())


@pytest.mark.slow
def test_datasets(rows, file, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    datasets = load("datasets")
    datasets.disable_progress_bars()
    cache = str(tmp_path / "cache")
    assert_kept(rows, datasets.Dataset.from_list(rows))
    if rows[0]["perturbation"]["original_id"] == IDS["dates"](0):
        return  # its reader of JSON takes texts that all look like dates for times, as Arrow's does
    data = datasets.load_dataset("json", data_files=str(file), split="train", cache_dir=cache)
    assert_kept(rows, data)
    data.to_json(str(tmp_path / "again.jsonl"))
    assert_kept(rows, rows_in(tmp_path / "again.jsonl"))
    data.to_parquet(str(tmp_path / "again.parquet"))
    again = datasets.Dataset.from_parquet(str(tmp_path / "again.parquet"), cache_dir=cache)
    assert_kept(rows, again)


@pytest.mark.slow
def test_polars(rows, file, tmp_path):
    polars = load("polars")
    frame = polars.read_ndjson(file)
    assert_kept(rows, frame.to_dicts())
    frame.write_ndjson(tmp_path / "again.jsonl")
    assert_kept(rows, rows_in(tmp_path / "again.jsonl"))
    frame.write_parquet(tmp_path / "again.parquet")
    assert_kept(rows, polars.read_parquet(tmp_path / "again.parquet").to_dicts())


@pytest.mark.slow
def test_duckdb(rows, file, tmp_path):
    duckdb = load("duckdb")
    with duckdb.connect() as database:
        database.sql(f"CREATE TABLE made AS FROM read_json('{file}')")
        columns = [name for name, *_ in database.sql("DESCRIBE made").fetchall()]
        found = database.sql("FROM made").fetchall()
        assert_kept(rows, (dict(zip(columns, row, strict=True)) for row in found))
        for kind, name in (("JSON", "again.jsonl"), ("PARQUET", "again.parquet")):
            database.sql(f"COPY made TO '{tmp_path / name}' (FORMAT {kind})")
        assert_kept(rows, rows_in(tmp_path / "again.jsonl"))
        found = database.sql(f"FROM '{tmp_path / 'again.parquet'}'").fetchall()
        assert_kept(rows, (dict(zip(columns, row, strict=True)) for row in found))


@pytest.mark.slow
def test_pandas(rows, file, tmp_path):
    """A frame of Python objects writes JSON lines as they were; Parquet goes by way of pyarrow."""
    pandas = load("pandas")
    frame = pandas.read_json(file, lines=True, dtype=False, precise_float=True)
    assert_kept(rows, frame.to_dict("records"))
    frame.to_json(tmp_path / "again.jsonl", orient="records", lines=True, double_precision=15)
    assert_kept(rows, rows_in(tmp_path / "again.jsonl"))
    load("pyarrow")
    pandas.DataFrame(rows).to_parquet(tmp_path / "again.parquet")
    again = pandas.read_parquet(tmp_path / "again.parquet", dtype_backend="pyarrow")
    assert_kept(rows, again.to_dict("records"))
