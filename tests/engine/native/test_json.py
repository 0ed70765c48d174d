"""The kernels that write records: the texts of edits, and rows put together of pieces."""

import numpy as np
import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from perturb.engine.native import rows
from perturb.engine.native.rows import Quoted
from perturb.engine.text.strings import Strings, column
from perturb.records.edit import Edit
from perturb.records.notation import written_text

SIGNS = '%|>=;+ ,:"\\/\0\n\x1f\x7f\x80\x9f\u2028\u2029\ud800\udfff'
strings = st.text(st.characters() | st.sampled_from(SIGNS), max_size=4)


def to_bytes(column):
    """The bytes of each row of a column."""
    data, edges = column.codes.tobytes(), zip(column.starts, column.ends, strict=True)
    return [data[start:end] for start, end in edges]


@given(st.lists(st.lists(st.tuples(strings, strings), max_size=3), max_size=5), st.booleans())
@example([[(SIGNS, ""), ("", SIGNS)], [], [(SIGNS, "\U0010ffff")]], True)
@example([[(SIGNS, ""), ("", SIGNS)], [], [(SIGNS, "\U0010ffff")]], False)
def test_edits_are_what_python_writes_of_them(compiled, using, by_text, json) -> None:
    flat = [edit for own in by_text for edit in own]
    old, new = (column([edit[side] for edit in flat]) for side in (0, 1))
    counts = np.array([len(own) for own in by_text], np.int64)
    ends = np.cumsum(counts)
    origins = np.array(
        [old.starts[end - n] if n else 0 for end, n in zip(ends, counts, strict=True)], np.int64
    )
    with using(compiled):
        made = rows.edit_texts(old, new, counts, origins, b"a.b[0]", json=json)
    at, expected = iter(zip(old.starts.tolist(), flat, strict=True)), []
    for own, origin in zip(by_text, origins.tolist(), strict=True):
        edits = [
            Edit(s - origin, s - origin + len(a), b, a)
            for _, (s, (a, b)) in zip(own, at, strict=False)
        ]
        text = written_text("a.b[0]", edits)
        expected.append(orjson.dumps(text)[1:-1] if json else text.encode())
    assert to_bytes(made) == expected


@pytest.mark.parametrize(
    "wrong",
    [
        {"counts": np.array([1, 2])},
        {"counts": np.array([-1, 3])},
        {"origins": np.array([1, 1])},
        {"new": Strings(np.zeros(2, np.uint8), np.array([0, 1]), np.array([1, 3]))},
        {"old": Strings(np.zeros(2, np.uint8), np.array([0, -1]), np.array([1, 2]))},
        {"old": Strings(np.array([0x110000], np.uint32), np.array([0, 0]), np.array([1, 1]))},
    ],
)
def test_offsets_out_of_range_are_refused(compiled, using, wrong) -> None:
    good = {
        "old": column("xy"),
        "new": column("ab"),
        "counts": np.array([1, 1]),
        "origins": np.array([0, 0]),
        "path": b"p",
        "json": False,
    }
    with using(compiled):
        assert to_bytes(rows.edit_texts(**good)) == [b"p|0:x>a", b"p|1:y>b"]
        with pytest.raises(IndexError, match="edit_texts"):
            rows.edit_texts(**{**good, **wrong})


def test_arrays_may_lie_as_they_like(compiled, using) -> None:
    every_other = np.arange(8, dtype=np.int32)[::2]
    old = Strings(np.frombuffer(b"abcdefgh", np.uint8), every_other, every_other + 1)
    with using(compiled):
        made = rows.edit_texts(old, column("wxyz"), np.array([4]), np.array([0]), b"p", json=True)
        assert to_bytes(made) == [b"p|0:a>w|2:c>x|4:e>y|6:g>z"]


def in_three_rows(values):
    return st.lists(values, min_size=3, max_size=3)


pieces_of_rows = st.one_of(
    st.binary(max_size=4),
    in_three_rows(st.binary(max_size=4)),
    in_three_rows(st.text('abc "\\\0\n\x1f\x7f\xe9\xff', max_size=70)),
    in_three_rows(st.text(st.characters(exclude_categories=["Cs"]), max_size=9)),
)


def piece(values):
    """Bytes stand in all rows; a list has for each row bytes, or the text of a string."""
    if isinstance(values, bytes):
        return values
    return of_bytes(values) if isinstance(values[0], bytes) else Quoted(column(values))


def written(values, row):
    if isinstance(values, bytes):
        return values
    return values[row] if isinstance(values[row], bytes) else orjson.dumps(values[row])


@given(st.lists(pieces_of_rows, min_size=1, max_size=5))
def test_a_row_is_its_pieces(compiled, using, pieces) -> None:
    columns = list(map(piece, pieces))
    expected = [b"".join(written(one, row) for one in pieces) for row in range(3)]
    with using(compiled):
        assert to_bytes(rows.join(columns, 3)) == expected


def of_bytes(values):
    """Bytes in an array, with others around them."""
    lengths = np.array(list(map(len, values)))
    codes = np.frombuffer(b"<" + b"|".join(values) + b">", np.uint8)
    ends = np.cumsum(lengths + 1)
    return Strings(codes, ends - lengths, ends)


@pytest.mark.parametrize("edges", [([-1, 0], [0, 1]), ([0, 2], [1, 1]), ([0, 1], [1, 9])])
def test_pieces_out_of_range_are_refused(compiled, using, edges) -> None:
    wrong = Strings(np.zeros(2, np.uint8), *map(np.array, edges))
    with using(compiled), pytest.raises(IndexError, match="join"):
        rows.join([b"[", wrong, b"]"], 2)


def test_lone_surrogates_are_left_to_others(compiled, using) -> None:
    with using(compiled):
        assert rows.join([Quoted(column(["a\ud800"]))], 1) is None


def test_columns_of_other_lengths_are_refused(compiled, using) -> None:
    with using(compiled), pytest.raises(IndexError, match="not 3"):
        rows.join([of_bytes([b"a", b"b"])], 3)
