"""The same rows come out of every home of data, whatever the partitioning."""

import csv
import io
import json
import pickle
import subprocess
import sys

import pytest
from lines import EXAMPLES, rows_in

import perturb
from perturb.cli import main
from perturb.rows.stored import record_of
from perturb.transform import Transform

ROWS = rows_in(EXAMPLES)[:40]
ROWS[3]["question"] = "Où est né ¿Ángel? 你好 🇩🇪 means nothing here."  # a batch that is not ASCII
STEPS = ["keyboard_typos:p=0.1", "word_swap:p=0.1"]
OPTIONS = {"field": "question", "seed": 7, "replicates": 2}


@pytest.fixture(scope="module")
def expected():
    """What `augment` makes of the rows, an object a row."""
    return plain(perturb.augment(ROWS, STEPS, **OPTIONS))


def plain(rows):
    return [json.loads(json.dumps(row)) for row in rows]


def from_arrow(table):
    return plain(table.to_pylist())


def as_rows(transform, home, tmp_path):
    """What comes out of the rows in a home, as rows again."""
    if home == "rows":
        return plain(transform(ROWS))
    if home == "iterator":
        return plain(transform(iter(ROWS)))
    if home == "columns":
        made = transform({name: [row[name] for row in ROWS] for name in ROWS[0]})
        return plain(dict(zip(made, one, strict=True)) for one in zip(*made.values(), strict=True))
    if home == "pandas":
        pandas = pytest.importorskip("pandas")
        pa = pytest.importorskip("pyarrow")
        made = transform(pandas.DataFrame(ROWS))
        assert type(made) is pandas.DataFrame
        return from_arrow(pa.Table.from_pandas(made, preserve_index=False))
    if home.startswith("polars"):
        polars = pytest.importorskip("polars")
        frame = polars.DataFrame(ROWS)
        if home == "polars":
            return plain(transform(frame).to_dicts())
        lazy = transform(frame.lazy())
        assert type(lazy) is polars.LazyFrame
        return plain(lazy.collect().to_dicts())
    pa = pytest.importorskip("pyarrow")
    table = pa.Table.from_pylist(ROWS)
    if home == "arrow":
        return from_arrow(transform(table))
    if home == "arrow batches":
        batches = list(transform.batches(table.to_batches(max_chunksize=7)))
        assert len(batches) == 6
        assert batches[0].schema == transform.schema(table)
        return from_arrow(pa.Table.from_batches(batches))
    datasets = pytest.importorskip("datasets")
    given = datasets.Dataset.from_list(ROWS)
    if home == "dataset":
        return plain(transform(given).to_list())
    if home == "dataset map":
        return plain(
            given.map(transform, batched=True, batch_size=9, keep_in_memory=True).to_list()
        )
    if home == "dataset dict":
        made = transform(datasets.DatasetDict(train=given, test=given.select([1, 2])))
        assert made["test"].num_rows == 4
        return plain(made["train"].to_list())
    assert home == "dataset stream"
    return plain(transform(given.to_iterable_dataset()))


def written(home, tmp_path):
    """What the command line makes of a file in a format."""
    given, out = tmp_path / f"in.{home}", tmp_path / f"out.{home}"
    if home == "jsonl":
        given.write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    elif home == "csv":
        with given.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(ROWS[0]))
            writer.writeheader()
            writer.writerows(ROWS)
    else:
        pa = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(pa.Table.from_pylist(ROWS), given)
    options = ("--field", "question", "--seed", "7", "--replicates", "2")
    assert main(["apply", *STEPS, *options, str(given), "-o", str(out)]) == 0
    if home == "jsonl":
        return plain(map(json.loads, out.read_text("utf-8").splitlines()))
    if home == "parquet":
        return from_arrow(pytest.importorskip("pyarrow.parquet").read_table(out))
    rows = csv.DictReader(io.StringIO(out.read_bytes().decode(), newline=""))
    return list(map(nested, rows))


def nested(row):
    """A row of CSV as others have it: the record, which has columns there, in one field."""
    names = [name for name in row if name.startswith("perturbation.")]
    record = {name.partition(".")[2]: row.pop(name) for name in names}
    return {**row, "perturbation": record}


HOMES = (
    *("rows", "iterator", "columns", "pandas", "polars", "polars lazy", "arrow", "arrow batches"),
    *("dataset", "dataset map", "dataset dict", "dataset stream"),
)
FILES = ("jsonl", "csv", "parquet")


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("home", [*HOMES, *FILES])
def test_every_home_gives_the_same(expected, tmp_path, home):
    """In memory, and from the command line in every format of files."""
    if home in FILES:
        assert written(home, tmp_path) == expected
    else:
        assert as_rows(Transform(STEPS, **OPTIONS), home, tmp_path) == expected


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(
    "home", [*HOMES[:-1], "dataset stream", "jsonl", "csv", "parquet", "pandas from parquet"]
)
def test_records_are_read_back_from_every_home(expected, tmp_path, home):
    """As the rows have them, by `read_records` of what came out."""
    given = perturb.augment(ROWS, STEPS, **OPTIONS)
    if home in FILES:
        written(home, tmp_path)
        made = tmp_path / f"out.{home}"
    elif home == "pandas from parquet":
        written("parquet", tmp_path)
        made = pytest.importorskip("pandas").read_parquet(tmp_path / "out.parquet")
    elif home == "columns":
        made = Transform(STEPS, **OPTIONS)({name: [row[name] for row in ROWS] for name in ROWS[0]})
    else:
        made = home_of(home)
    records = list(perturb.read_records(made))
    assert records == [record_of(row) for row in given]
    assert [record.id for record in records] == [row["id"] for row in expected]


def home_of(home):
    """What a transform makes of the rows in a home, as it comes."""
    transform = Transform(STEPS, **OPTIONS)
    if home in ("rows", "iterator"):
        return transform(ROWS if home == "rows" else iter(ROWS))
    if home == "pandas":
        pytest.importorskip("pyarrow")
        return transform(pytest.importorskip("pandas").DataFrame(ROWS))
    if home.startswith("polars"):
        frame = pytest.importorskip("polars").DataFrame(ROWS)
        return transform(frame if home == "polars" else frame.lazy())
    table = pytest.importorskip("pyarrow").Table.from_pylist(ROWS)
    if home == "arrow":
        return transform(table)
    if home == "arrow batches":
        return transform(table.combine_chunks().to_batches()[0])
    datasets = pytest.importorskip("datasets")
    given = datasets.Dataset.from_list(ROWS)
    if home == "dataset dict":
        return transform(datasets.DatasetDict(train=given))
    return transform(given.to_iterable_dataset() if home == "dataset stream" else given)


def test_a_row_without_a_record_is_named():
    with pytest.raises(perturb.DataError, match="row 2: the row has no 'perturbation'"):
        list(perturb.read_records([*perturb.augment(ROWS[:1], "case", field="question"), {}]))
    with pytest.raises(TypeError, match="expected rows, a table or a path; got int"):
        list(perturb.read_records(5))


@pytest.mark.parametrize("home", ["rows", "pandas", "arrow", "dataset"])
def test_two_rows_of_one_id_are_refused(home):
    """Their versions could not be told apart."""
    rows = [{"id": n % 3, "text": "some words"} for n in range(4)]
    given = rows
    if home != "rows":
        library = {"pandas": "pandas", "arrow": "pyarrow", "dataset": "datasets"}[home]
        kinds = pytest.importorskip(library)
        if home == "pandas":
            given = kinds.DataFrame(rows)
        else:
            given = (kinds.Table.from_pylist if home == "arrow" else kinds.Dataset.from_list)(rows)
    with pytest.raises(perturb.DataError, match="row 4: its 'id' is that of row 1 too"):
        Transform("case")(given)


@pytest.mark.slow
def test_a_dataset_has_a_fingerprint_of_what_made_it():
    """The same for the same, and another for another transform, or other data."""
    datasets = pytest.importorskip("datasets")
    given = datasets.Dataset.from_list(ROWS)
    other = given.select(range(5))
    prints = [
        Transform(STEPS, **options)(data)._fingerprint
        for data in (given, other)
        for options in (OPTIONS, OPTIONS, {**OPTIONS, "seed": 8})
    ]
    assert prints[0] == prints[1]
    assert len(set(prints)) == 4


@pytest.mark.parametrize(
    "options",
    [
        {"with_original": True},
        {"protect": "number", "spans": "spans"},
        {"steps": "one_of(ocr | case)"},
        {"steps": perturb.grid(["ocr", "case"], p=[0.1, 0.2])},
        {"field": "chat[*].content"},
    ],
    ids=str,
)
def test_other_jobs_give_the_same(options):
    """Jobs that are done row by row, in Arrow as well."""
    pa = pytest.importorskip("pyarrow")
    rows = [
        {
            "id": row["id"],
            "question": row["question"],
            "spans": [[0, 4]],
            "chat": [{"content": row["question"]}],
        }
        for row in ROWS[:9]
    ]
    steps = options.pop("steps", STEPS) if "steps" in options else STEPS
    settings = {"field": "question", **{k: v for k, v in options.items() if k != "steps"}}
    made = Transform(steps, **settings)(pa.Table.from_pylist(rows))
    assert from_arrow(made) == plain(perturb.augment(rows, steps, **settings))


def test_an_epoch_is_other_noise_and_the_same_again():
    transform = Transform("char_swap", p=0.5, field="question", replicates=2)
    first = [row["question"] for row in transform.epoch(1)(ROWS)]
    assert first != [row["question"] for row in transform(ROWS)]
    assert first == [row["question"] for row in transform.epoch(1)(ROWS)]
    assert transform.epoch(0)(ROWS) == transform(ROWS)
    ids = {row["id"] for row in transform(ROWS)} | {row["id"] for row in transform.epoch(1)(ROWS)}
    assert len(ids) == 4 * len(ROWS)


@pytest.mark.slow
def test_it_pickles_the_same_in_every_process_and_whatever_it_did():
    made = "perturb.Transform(['case:p=0.5', 'ocr'], p=0.1, seed=3)"
    code = f"import perturb, pickle, sys; sys.stdout.buffer.write(pickle.dumps({made}))"
    one, other = (
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
        for _ in "ab"
    )
    assert one == other
    transform = pickle.loads(one)
    rows = transform([{"text": "some text"}])
    assert pickle.dumps(transform) == one
    assert pickle.dumps(transform.epoch(2)) != one
    assert pickle.loads(pickle.dumps(transform.epoch(2)))([{"text": "some text"}]) != rows


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        ({"other": ["a"]}, perturb.DataError, "has no column 'text'"),
        (
            {"text": ["a"], "perturbation": ["b"]},
            perturb.DataError,
            "has a column 'perturbation' already",
        ),
        (
            {"text": [5]},
            perturb.DataError,
            "row 1: the field 'text' must be a string or a list of strings; got the number 5",
        ),
        ({"text": ["a"], "id": [1.5]}, perturb.DataError, "row 1: the field 'id'"),
        ("a text", TypeError, "expected a table or rows; got str"),
        ({"text": "one two"}, TypeError, "'text' holds 'one two': put a single row into a list"),
        ({"text": ["one"], "n": 3}, TypeError, "'n' holds 3: put a single row into a list"),
        ({"text": ["one"], "n": {"a": 1}}, TypeError, "'n' holds {'a': 1}: put a single row"),
        (5, TypeError, "expected a table or rows; got int"),
    ],
)
def test_bad_tables_are_named(data, error, message):
    with pytest.raises(error, match=message):
        Transform("case")(data)


def test_bad_settings_are_named():
    with pytest.raises(
        perturb.UsageError, match="missing must be one of error, keep, skip; got 'drop'"
    ):
        Transform("case", missing="drop")
    with pytest.raises(perturb.UsageError, match="an epoch is a whole number"):
        Transform("case").epoch(-1)


def test_apply_refuses_a_table():
    """It would perturb the names of its columns."""
    pandas = pytest.importorskip("pandas")
    with pytest.raises(TypeError, match="Transform"):
        perturb.apply(pandas.DataFrame(ROWS), "case")


TYPED = [
    {"id": n, "text": text, "gold": n, "chat": [{"content": text}], "word": "a"}
    for n, text in enumerate(["A. red\nB. blue\nC. green\nAnswer: A", "some words"])
]


@pytest.mark.parametrize("home", ["arrow", "polars", "pandas", "object", "pyarrow", "category"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"with_original": True},
        {"id_field": "gold"},
        {"target": "gold"},
        {"field": "chat[*].content"},
    ],
    ids=str,
)
def test_a_table_without_rows_has_the_types_of_one_with_rows(home, options):
    """Which Dask, Spark and writers of Parquet count on."""
    pa = pytest.importorskip("pyarrow")
    table = pa.Table.from_pylist(TYPED)
    transform = Transform("char_swap", p=0.5, **options)
    if home == "arrow":
        table = table.set_column(4, "word", table["word"].dictionary_encode())
        for given in (table, table.set_column(1, "text", table["text"].cast(pa.large_string()))):
            made = transform(given)
            assert made.schema == transform.schema(given) == transform(given[:0]).schema
            assert made.schema.field("word").type == given.schema.field("word").type
    elif home == "polars":
        pytest.importorskip("polars")
        frame = pytest.importorskip("polars").DataFrame(TYPED)
        assert transform(frame).schema == transform(frame[:0]).schema
    else:
        pandas = pytest.importorskip("pandas")
        frame = pandas.DataFrame(TYPED)
        kind = {"object": object, "pyarrow": "string[pyarrow]"}.get(home)
        if kind:
            frame["text"] = frame["text"].astype(kind)
        elif home == "category" and "field" not in options:
            frame["text"] = frame["text"].astype("category")
        made = transform(frame)
        assert made.dtypes.to_dict() == transform(frame.iloc[:0]).dtypes.to_dict()
        assert home == "category" or made["text"].dtype == frame["text"].dtype


def test_what_arrow_says_beside_the_types_is_kept(tmp_path):
    """Classes of Hugging Face keep their names, and pandas its index, in memory and in files."""
    datasets, pa = pytest.importorskip("datasets"), pytest.importorskip("pyarrow")
    pq, pandas = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pandas")
    features = datasets.Features(
        id=datasets.Value("int64"),
        text=datasets.Value("string"),
        label=datasets.ClassLabel(names=["neg", "pos"]),
    )
    rows = [{"id": n, "text": "some words", "label": n % 2} for n in range(3)]
    given = datasets.Dataset.from_list(rows, features)
    given.to_parquet(tmp_path / "in.parquet")
    assert main(["apply", "case", f"{tmp_path}/in.parquet", "-o", f"{tmp_path}/out.parquet"]) == 0
    arrow = Transform("case")(given.with_format("arrow")[:])
    for table in (pq.read_table(tmp_path / "out.parquet"), arrow):
        found = datasets.Features.from_arrow_schema(table.schema)
        assert found["label"] == features["label"]
        assert found["id"] == features["text"]
        assert found.keys() == {"id", "text", "label", "perturbation"}
    said = pa.schema(
        [pa.field("text", pa.string(), nullable=False, metadata={"a": "b"})], {"x": "y"}
    )
    made = Transform("case")(pa.table({"text": ["some words"]}, schema=said)).schema
    assert made.field("text").equals(said.field("text"), check_metadata=True)
    assert made.metadata == said.metadata
    frame = pandas.DataFrame(rows, index=pandas.Index(list("abc"), name="key"))
    frame["id"] = frame["id"].astype("Int64")
    back = Transform("case")(pa.Table.from_pandas(frame)).to_pandas()
    assert back.index.equals(frame.index)
    assert back["id"].tolist() == ["0#case", "1#case", "2#case"]


def test_a_fingerprint_is_that_of_the_data():
    datasets = pytest.importorskip("datasets")
    given = datasets.Dataset.from_list(ROWS)
    table = given.data.table.replace_schema_metadata(
        {"huggingface": json.dumps({"info": {"features": {}}, "fingerprint": "of the given"})}
    )
    assert "fingerprint" in table.schema.metadata[b"huggingface"].decode()
    made = Transform("case", field="question")(table)
    assert json.loads(made.schema.metadata[b"huggingface"]) == {"info": {"features": {}}}
