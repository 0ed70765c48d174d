"""Lists of edits as JSON: the kernel against objects that are written one by one."""

import numpy as np
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.engine.edits import Edits
from perturb.engine.native import rows
from perturb.engine.native.rows import Quoted
from perturb.engine.text.strings import Strings, column
from perturb.records import json_columns
from perturb.records.json_columns import joined, to_bytes
from perturb.records.json_edits import edit_lists

FAR = 10**12
strings = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
edits_of_a_text = st.lists(st.tuples(st.integers(0, FAR), st.integers(0, 9), strings), max_size=3)


@pytest.fixture(autouse=True)
def _rows_for_kernels(monkeypatch):
    monkeypatch.setattr(json_columns, "_MANY", 1)


def columns_of(by_text):
    """The edits of all texts, how many each has, and where each text starts."""
    flat = [edit for own in by_text for edit in own]
    counts = np.array([len(own) for own in by_text], np.int64)
    origins = np.arange(len(by_text)) * 7
    starts = np.array([start for start, _, _ in flat], np.int64) + origins.repeat(counts)
    lengths = np.array([length for _, length, _ in flat], np.int64)
    return Edits(starts, starts + lengths, column(text for _, _, text in flat)), counts, origins


@given(st.lists(edits_of_a_text, max_size=5), st.booleans())
def test_lists_are_what_objects_are(compiled, using, by_text, compact) -> None:
    edits, counts, origins = columns_of(by_text)
    removed = edits.replacements if compact else None
    with using(compiled):
        made = edit_lists(edits, counts, origins, removed)
    with using(None):
        assert list(to_bytes(edit_lists(edits, counts, origins, removed))) == list(to_bytes(made))
    expected = [
        [
            {"start": start, "end": start + length, "text": text}
            | ({"removed": text} if compact else {})
            for start, length, text in own
        ]
        for own in by_text
    ]
    assert list(to_bytes(made)) == list(map(orjson.dumps, expected))


@pytest.mark.parametrize(
    "wrong",
    [
        {"starts": np.array([3, 4])},
        {"ends": np.array([4, 8])},
        {"counts": np.array([1, 2])},
        {"counts": np.array([-1, 3])},
        {"written": Strings(np.zeros(2, np.uint8), np.array([0, 1]), np.array([1, 3]))},
        {"removed": Strings(np.zeros(2, np.uint8), np.array([0, -1]), np.array([1, 2]))},
    ],
)
def test_offsets_out_of_range_are_refused(compiled, using, wrong) -> None:
    good = {
        "starts": np.array([5, 9]),
        "ends": np.array([6, 9]),
        "written": column(["a", "b"]),
        "removed": None,
        "counts": np.array([1, 1]),
        "origins": np.array([4, 8]),
    }
    with using(compiled):
        first, second = to_bytes(rows.edit_lists(**good))
        assert first == b'[{"start":1,"end":2,"text":"a"}]'
        assert second == b'[{"start":1,"end":1,"text":"b"}]'
        with pytest.raises(IndexError, match="edit_lists"):
            rows.edit_lists(**{**good, **wrong})


def test_arrays_may_lie_as_they_like(compiled, using) -> None:
    every_other = np.arange(8, dtype=np.int32)[::2]
    backwards = np.arange(4)[::-1]
    with using(compiled):
        made = rows.edit_lists(
            every_other, every_other + 1, column("abcd"), None, np.array([4]), np.array([0])
        )
        assert [edit["start"] for edit in orjson.loads(*to_bytes(made))] == [0, 2, 4, 6]
        with pytest.raises(IndexError):
            rows.edit_lists(
                backwards, backwards + 1, column("abcd"), None, np.array([4]), np.array([1])
            )


def in_three_rows(values):
    return st.lists(values, min_size=3, max_size=3)


pieces_of_rows = st.one_of(
    st.binary(max_size=4),
    in_three_rows(st.binary(max_size=4)),
    in_three_rows(st.integers(-(2**63), 2**63 - 1)),
    in_three_rows(st.text('abc "\\\0\n\x1f\x7f\xe9\xff', max_size=70)),
    in_three_rows(st.text(st.characters(exclude_categories=["Cs"]), max_size=9)),
)


def piece(values):
    """Bytes stand in all rows; a list has for each row bytes, a number, or the text of a string."""
    if isinstance(values, bytes):
        return values
    if isinstance(values[0], bytes):
        return of_bytes(values)
    return np.array(values) if isinstance(values[0], int) else Quoted(column(values))


def written(values, row):
    if isinstance(values, bytes):
        return values
    return values[row] if isinstance(values[row], bytes) else orjson.dumps(values[row])


@given(st.lists(pieces_of_rows, min_size=1, max_size=5))
def test_a_row_is_its_pieces(compiled, using, pieces) -> None:
    columns = list(map(piece, pieces))
    expected = [b"".join(written(one, row) for one in pieces) for row in range(3)]
    for library_ in (compiled, None):
        with using(library_):
            assert list(to_bytes(joined(columns, 3))) == expected


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
        with pytest.raises(orjson.JSONEncodeError):
            list(to_bytes(joined([Quoted(column(["a\ud800"]))], 1)))


def test_columns_of_other_lengths_are_refused(compiled, using) -> None:
    with using(compiled), pytest.raises(IndexError, match="not 3"):
        rows.join([of_bytes([b"a", b"b"])], 3)
