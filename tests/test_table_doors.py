"""Tables at doors that take none, and ids that stand in an index."""

from itertools import chain

import pytest

import perturb
from perturb.cli import main
from perturb.transform import Transform


def test_a_table_at_the_door_for_texts_or_rows():
    """The message has the call that takes it."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"question": ["How many eggs?"]})
    call = r"perturb\.Transform\(STEPS, field=COLUMN\)\(data\) takes tables"
    with pytest.raises(TypeError, match=rf"rows are .* got a DataFrame: {call}"):
        perturb.augment(frame, "char_swap", field="question")
    with pytest.raises(TypeError, match=rf"text .* got a DataFrame: {call}"):
        perturb.apply(frame, "char_swap")


@pytest.mark.parametrize("id_field", ["id", "key"])
def test_ids_in_an_index_stay_there(id_field):
    """Each version of a row has its own in it; the rows are those of a frame with a column."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({id_field: [11, 12], "text": ["Who came?", "How many eggs?"]})
    transform = Transform("char_swap", p=0.3, id_field=id_field)
    made = transform(frame.set_index(id_field))
    assert made.index.tolist() == ["11#char_swap:p=0.3", "12#char_swap:p=0.3"]
    assert made.reset_index().equals(transform(frame))
    frame["part"] = ["a", "b"]
    levels = frame.set_index(["part", id_field])
    assert transform(levels).equals(transform(frame).set_index(["part", id_field]))


@pytest.mark.parametrize("library", ["numpy", "pandas", "polars", "pyarrow"])
def test_columns_of_texts_are_lists_of_texts(library):
    module = pytest.importorskip(library)
    column = {"pandas": "Series", "polars": "Series"}.get(library, "array")
    records = perturb.apply(getattr(module, column)(["Who came?", "How many?"]), "char_swap", p=0.9)
    assert records == perturb.apply(["Who came?", "How many?"], "char_swap", p=0.9)
    assert {type(record.original) for record in records} == {str}


def test_texts_that_are_no_rows_are_sent_to_apply():
    for call in (lambda: Transform("case")(["a text"]), lambda: [*perturb.augment(["a"], "case")]):
        with pytest.raises(perturb.DataError, match=r"got a string; .* go to perturb\.apply"):
            call()


@pytest.mark.parametrize("rows", [2, 0])
def test_a_frame_of_pandas_survives_its_own_parquet(tmp_path, rows):
    """With the arguments that both have by default."""
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.DataFrame({"id": [11, 12], "text": ["Who came?", "How many eggs?"]})[:rows]
    made = Transform("char_swap", p=0.3, with_original=True)(frame)
    made.to_parquet(tmp_path / "made.parquet")
    pandas.testing.assert_frame_equal(pandas.read_parquet(tmp_path / "made.parquet"), made)


STREAMED = {"id": ["a", "b", "c"], "text": ["Who came?", "How many eggs?", "Why?"], "n": [1, 2, 3]}


def streams(kind):
    """A table of Arrow, and the same as something else that exports a stream."""
    pa = pytest.importorskip("pyarrow")
    table = pa.table(STREAMED)
    if kind == "reader":
        return table, table.to_reader(max_chunksize=2)
    if kind == "narwhals":
        return table, pytest.importorskip("narwhals").from_native(table)
    connection = pytest.importorskip("duckdb").connect()
    connection.register("given", table)
    return table, connection.sql("select * from given")


@pytest.mark.parametrize("kind", ["reader", "narwhals", "relation"])
def test_what_exports_a_stream_gives_a_reader_of_batches(kind):
    pa = pytest.importorskip("pyarrow")
    transform = Transform("char_swap", p=0.3, with_original=True)
    table, stream = streams(kind)
    made = transform(stream)
    assert type(made) is pa.RecordBatchReader
    assert made.schema == transform.schema(table)
    assert made.read_all() == transform(table)
    records = list(perturb.read_records(transform(streams(kind)[1])))
    assert records == list(perturb.read_records(transform(table)))


def test_a_stream_is_read_only_as_far_as_it_is_asked_for():
    pa = pytest.importorskip("pyarrow")
    (batch,) = pa.table(STREAMED).to_batches()
    others = (pytest.fail("it was read on") for _ in range(1))
    stream = pa.RecordBatchReader.from_batches(batch.schema, chain([batch], others))
    made = next(iter(Transform("case:style=upper", p=1.0)(stream)))
    assert made["text"].to_pylist()[0] == "WHO CAME?"


def test_an_id_that_names_rows_of_two_batches_is_refused():
    pa = pytest.importorskip("pyarrow")
    batches = [*pa.table(STREAMED).to_batches(), *pa.table(STREAMED).to_batches()]
    stream = pa.RecordBatchReader.from_batches(batches[0].schema, batches)
    with pytest.raises(perturb.DataError, match="row 4: its 'id' is that of row 1 too"):
        Transform("case")(stream).read_all()


def test_streams_at_the_doors_that_take_no_tables():
    """Columns of texts, which export streams too, are none."""
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(TypeError, match=r"rows are .*got a RecordBatchReader: perturb\.Transform"):
        perturb.augment(streams("reader")[1], "case")
    with pytest.raises(TypeError, match=r"expected a text .*got a RecordBatchReader: "):
        perturb.apply(streams("reader")[1], "case")
    texts = pa.chunked_array([["Who came?"], ["Why?"]])
    upper = perturb.apply(texts, "case:style=upper", p=1.0)
    assert list(map(str, upper)) == ["WHO CAME?", "WHY?"]


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view"])
def test_ids_of_arrow_keep_their_type(tmp_path, kind):
    """In memory and in Parquet."""
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    types = pa.schema([("id", getattr(pa, kind)()), ("text", getattr(pa, kind)()), ("n", "int64")])
    table = pa.table(STREAMED).cast(types)
    made = Transform("char_swap", p=0.3)(table)
    assert made.schema.types[:3] == types.types
    given, out = tmp_path / "given.parquet", tmp_path / "out.parquet"
    parquet.write_table(table, given)
    assert main(["apply", "char_swap", "-p", "0.3", str(given), "-o", str(out)]) == 0
    assert parquet.read_table(out).schema.types[:3] == types.types


def test_rows_with_views_of_strings_are_repeated():
    """Arrow takes no rows of such columns, nor of lists of them, which Polars writes."""
    pa = pytest.importorskip("pyarrow")
    views = {"view": pa.string_view(), "views": pa.list_(pa.string_view())}
    beside = {"view": [None, "a view of more than 12 bytes"], "views": [["a", None], []]}
    types = pa.schema([("id", pa.int64()), ("text", pa.string()), *views.items()])
    table = pa.table({"id": [1, 2], "text": ["Who came?", "Why?"], **beside}, types)
    made = Transform("char_swap", p=0.3, replicates=2)(table)
    for name, kind in views.items():
        assert made.schema.field(name).type == kind
        assert made[name].to_pylist() == [value for value in beside[name] for _ in range(2)]
