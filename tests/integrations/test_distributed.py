"""Clusters of one machine give the rows of `augment`, whatever the partitioning."""

import json
import os
import sys

import pytest
from lines import EXAMPLES, rows_in

import perturb

ROWS = rows_in(EXAMPLES)[:30]
OPTIONS = {"p": 0.1, "field": "question", "seed": 7, "replicates": 2}
TRANSFORM = perturb.Transform("keyboard_typos", **OPTIONS)
pytestmark = pytest.mark.filterwarnings("default")


# A lambda and a closure, which go only by value.
OWN = [
    perturb.from_regex("vowels", "[aeiou]", lambda match, random: "*" * (1 + random.below(3))),
    perturb.from_function("polite", lambda text: f"Please: {text}"),
]


def check(rows, steps="keyboard_typos"):
    expected = json.loads(json.dumps(list(perturb.augment(ROWS, steps, **OPTIONS))))
    assert sorted(rows, key=str) == sorted(expected, key=str)


@pytest.mark.slow
def test_dask() -> None:
    dask = pytest.importorskip("dask.dataframe")
    pandas = pytest.importorskip("pandas")
    pa = pytest.importorskip("pyarrow")
    given = dask.from_pandas(pandas.DataFrame(ROWS), npartitions=4)
    made = TRANSFORM(given)
    assert type(made) is type(given)
    check(pa.Table.from_pandas(made.compute(), preserve_index=False).to_pylist())
    by_hand = given.map_partitions(TRANSFORM).compute()
    assert by_hand["question"].tolist() == made.compute()["question"].tolist()


@pytest.mark.slow
def test_dask_writes_parquet(tmp_path) -> None:
    """Dask learns the types from a frame without rows; ids were numbers before."""
    dask = pytest.importorskip("dask.dataframe")
    pandas = pytest.importorskip("pandas")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [{"id": n, "text": "some words and more", "label": n % 2} for n in range(20)]
    given = dask.from_pandas(pandas.DataFrame(rows), npartitions=3)
    transform = perturb.Transform("char_swap", p=0.5)
    given.map_partitions(transform).to_parquet(tmp_path, write_index=False)
    expected = json.loads(json.dumps(transform(rows)))
    assert parquet.read_table(tmp_path).to_pylist() == expected
    assert dask.read_parquet(tmp_path).compute().to_dict("records") == expected


@pytest.mark.slow
@pytest.mark.parametrize("kept", [slice(0, 2), slice(18, 20)])
def test_partitions_without_rows_are_read_back_too(tmp_path, kept) -> None:
    dask = pytest.importorskip("dask.dataframe")
    pandas = pytest.importorskip("pandas")
    rows = [{"id": n, "text": "some words and more"} for n in range(20)]
    given = dask.from_pandas(pandas.DataFrame(rows), npartitions=3)
    transform = perturb.Transform("char_swap", p=0.5)
    transform(given[given["id"].isin(range(20)[kept])]).to_parquet(tmp_path)
    made = dask.read_parquet(tmp_path).compute()
    assert made.to_dict("records") == json.loads(json.dumps(transform(rows[kept])))


@pytest.mark.usefixtures("only_in_full")
def test_ray() -> None:
    ray = pytest.importorskip("ray")
    pytest.importorskip("ray.data")
    path = os.pathsep.join(filter(None, sys.path))
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        runtime_env={"env_vars": {"PYTHONPATH": path}},
    )
    try:
        made = ray.data.from_items(ROWS).repartition(3)
        check(made.map_batches(TRANSFORM, batch_format="pyarrow").take_all())
        check(TRANSFORM(made).take_all())
        own = made.map_batches(perturb.Transform(OWN, **OPTIONS), batch_format="pyarrow")
        check(own.take_all(), OWN)
    finally:
        ray.shutdown()


@pytest.mark.usefixtures("only_in_full")
def test_spark(monkeypatch) -> None:
    sql = pytest.importorskip("pyspark.sql")
    pandas = pytest.importorskip("pandas")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    try:
        session = builder.getOrCreate()
    except Exception as error:  # of the library's own kind, where there is no Java
        pytest.skip(f"Spark does not start here: {error}")
    try:
        frame = session.createDataFrame(pandas.DataFrame(ROWS)).repartition(3)
        made = frame.mapInArrow(TRANSFORM.batches, TRANSFORM.schema(frame))
        check([row.asDict(recursive=True) for row in made.collect()])
        for steps in ("keyboard_typos", OWN):
            made = perturb.Transform(steps, **OPTIONS)(frame)
            check([row.asDict(recursive=True) for row in made.collect()], steps)
    finally:
        session.stop()
