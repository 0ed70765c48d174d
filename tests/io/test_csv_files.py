"""CSV, read and written as columns: the standard library says what each row is."""

import contextlib
import csv
import io
from time import process_time
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from perturb.cli import main
from perturb.errors import DataError
from perturb.io import files
from perturb.io.csv_files import Dialect, Reader, _text_of
from perturb.io.jsonl import as_given, loads

CELLS = st.text(st.sampled_from([*'a",;\t|\n\r\\ é\0😀']), max_size=6)
DELIMITERS = st.sampled_from([",", ";", "\t", "|"])


def tables_of(height=5, cells=CELLS):
    """Rows of one width."""
    row = st.integers(1, 4).flatmap(lambda n: st.tuples(*[cells] * n))
    return row.flatmap(
        lambda r: st.lists(st.tuples(*[cells] * len(r)), min_size=1, max_size=height)
    )


def written(rows, **dialect):
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n", **dialect).writerows(rows)
    return out.getvalue()


@given(rows=tables_of(), delimiter=DELIMITERS, quote_all=st.booleans())
@example(rows=[("",)], delimiter=",", quote_all=False)
def test_rows_are_written_as_the_standard_library_does(rows, delimiter, quote_all) -> None:
    dialect = Dialect(delimiter, "\r\n", quote_all=quote_all)
    quoting = csv.QUOTE_ALL if quote_all else csv.QUOTE_MINIMAL
    made = _text_of(list(zip(*rows, strict=True)), dialect)
    assert made == written(rows, delimiter=delimiter, quoting=quoting)


def why(row):
    with pytest.raises(DataError) as error:
        loads(row)
    return str(error.value)


def read(path, data, block=64, **bounds):
    """The rows that are read of a file in small blocks, and what is wrong with others."""
    path.write_bytes(data)
    with (
        mock.patch.object(files, "BLOCK", block),
        contextlib.closing(Reader(str(path), **bounds)) as reader,
    ):
        tables = [table for _, table in reader.tables()]
    rows = [(n, *r.values()) for t in tables for n, r in zip(t.numbers, t.rows(), strict=True)]
    wrong = {
        t.numbers[at]: (as_given(row), why(row)) for t in tables for at, row in t.broken.items()
    }
    return [row for row in rows if row[0] not in wrong], wrong


@given(
    rows=tables_of(20, st.text(st.sampled_from([*'a",;\n\r é😀']), max_size=6)),
    block=st.integers(1, 40),
)
def test_rows_are_read_as_the_standard_library_does(tmp_path_factory, rows, block) -> None:
    """Whatever blocks they come in; each has the number of the line on which it begins."""
    names = ["id", *"bcd"][: len(rows[0])]
    text = written([names, *rows])
    reader = csv.reader(io.StringIO(text, newline=""))
    expected, begins = [], 1
    for row in reader:
        expected.append((begins, *row))
        begins = reader.line_num + 1
    made, wrong = read(
        tmp_path_factory.getbasetemp() / "in.csv", text.encode(), block, delimiter=","
    )
    assert (made, wrong) == (expected[1:], {})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'2,"a" b', "not CSV: ',' expected after '\"'"),
        (b"2,caf\xe9", "not UTF-8: "),
        (b"2,a\0b", "not CSV: it contains NULs"),
        (b"2,a,b", "the row has 3 fields"),
    ],
)
@pytest.mark.parametrize("block", [8, 1 << 20])
def test_a_row_at_fault_costs_no_other(tmp_path, line, message, block) -> None:
    data = b"id,text\n1,one\n" + b"".join(line + b"\n%d,two\n" % n for n in range(3, 60))
    rows, wrong = read(tmp_path / "in.csv", data, block, max_row=100)
    assert [row[1:] for row in rows] == [("1", "one"), *((f"{n}", "two") for n in range(3, 60))]
    assert [given for given, _ in wrong.values()] == [line] * 57
    assert {said[: len(message)] for _, said in wrong.values()} == {message}


@pytest.mark.parametrize("block", [8, 1 << 20])
def test_a_row_that_never_ends_costs_its_first_line(tmp_path, block) -> None:
    data = b'id,text\n1,"open\n' + b"2,two\n" * 40
    rows, wrong = read(tmp_path / "in.csv", data, block, max_row=100)
    assert rows == [(n, "2", "two") for n in range(3, 43)]
    assert [given for given, _ in wrong.values()] == [b'1,"open']


def test_a_first_row_at_fault_ends_it(tmp_path) -> None:
    for data in (b'id,"text" x\n1,a\n', b'id,"text\n1,a\n', b"id,caf\xe9\n"):
        with pytest.raises(DataError, match=r"in\.csv:1: not "):
            read(tmp_path / "in.csv", data)


@pytest.mark.parametrize("end", ["csv", "tsv", "txt"])
def test_a_text_that_could_not_be_read_back_is_not_written(tmp_path, capsys, end) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / f"out.{end}"
    source.write_text('{"id": "a", "text": "Two \\u0000 eggs"}\n')
    words = ["apply", "char_swap", "-p", "0.3", "-i", str(source)]
    assert main([*words, "-o", str(out)]) == 1
    said = f"{out}: a text contains a NUL, with which this format can't be read back; write JSON"
    assert said in capsys.readouterr().err
    assert not out.exists()
    assert main([*words, "-o", str(tmp_path / "out.jsonl")]) == 0  # as it advises


def test_many_columns_take_linear_time(tmp_path) -> None:
    """Twenty thousand took a minute, since each was made of all others and looked for in them."""
    path, n = tmp_path / "in.csv", 20_000
    names, cells = ",".join(f"c{at}" for at in range(n)), ",".join(map(str, range(n)))
    path.write_text(f"id,text,{names}\na,one two,{cells}\n", "utf-8")
    start = process_time()
    assert main(["apply", "identity", "-i", str(path), "-o", str(tmp_path / "out.csv")]) == 0
    assert process_time() - start < 3
