"""The kernel that writes edits as text."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from perturb.engine.edits import Edits
from perturb.engine.native.blocks import edit_texts
from perturb.engine.text.strings import Strings, column
from perturb.records.edit import Edit
from perturb.records.notation import written_text

SIGNS = '%|>=;+ ,:"\\/\0\n\x1f\x7f\x80\x9f\u2028\u2029\ud800\udfff'
strings = st.text(st.characters() | st.sampled_from(SIGNS), max_size=4)


def to_bytes(column):
    """The bytes of each row of a column."""
    data, edges = column.codes.tobytes(), zip(column.starts, column.ends, strict=True)
    return [data[start:end] for start, end in edges]


def edited(by_text):
    """Texts of what is replaced, each piece behind a sign of its own, and their edits."""
    source = Strings.of_texts(["".join(f"_{old}" for old, _ in own) for own in by_text])
    starts = [
        int(origin) + sum(len(old) + 1 for old, _ in own[:at]) + 1
        for origin, own in zip(source.starts, by_text, strict=True)
        for at in range(len(own))
    ]
    flat = [edit for own in by_text for edit in own]
    starts = np.array(starts, np.int64)
    ends = starts + np.array([len(old) for old, _ in flat], np.int64)
    return source, Edits(starts, ends, column([new for _, new in flat]))


@given(st.lists(st.lists(st.tuples(strings, strings), max_size=3), min_size=1, max_size=5))
@example([[(SIGNS, ""), ("", SIGNS)], [], [(SIGNS, "\U0010ffff")]])
def test_edits_are_what_python_writes_of_them(compiled, using, by_text) -> None:
    source, edits = edited(by_text)
    with using(compiled):
        made = edit_texts(source, source, edits, b"a.b[0]")
    expected, places = [], iter(edits.starts.tolist())
    for origin, own in zip(source.starts.tolist(), by_text, strict=True):
        starts = [next(places) - origin for _ in own]
        pairs = zip(starts, own, strict=True)
        flat = [Edit(start, start + len(old), new, old) for start, (old, new) in pairs]
        expected.append(written_text("a.b[0]", flat).encode("utf-8", "surrogatepass"))
    assert to_bytes(made) == expected


@pytest.mark.parametrize(
    ("starts", "ends", "written"),
    [
        ([1, 4], [2, 9], None),  # what is replaced ends behind its text
        ([2, 1], [3, 2], None),
        ([1, 4], [0, 5], None),
        ([1, 4], [2, 5], ([0, 0], [1, 9])),
        ([1, 4], [2, 5], ([0, -1], [1, 1])),
    ],
)
def test_edits_out_of_range_are_refused(compiled, using, starts, ends, written) -> None:
    source, new = Strings.of_texts(["xy", "z"]), column("ab")
    good = Edits(np.array([1, 4]), np.array([2, 5]), new)
    if written is not None:
        new = Strings(new.codes, *map(np.array, written))
    with using(compiled):
        assert to_bytes(edit_texts(source, source, good, b"p")) == [b"p|0:x>a", b"p|0:z>b"]
        with pytest.raises(IndexError, match="edit_texts"):
            edit_texts(source, source, Edits(np.array(starts), np.array(ends), new), b"p")


def test_arrays_may_lie_as_they_like(compiled, using) -> None:
    every_other = np.arange(1, 9, dtype=np.int32)[::2]
    source = Strings.of_texts(["abcdefgh"])
    with using(compiled):
        edits = Edits(every_other, every_other + 1, column("wxyz"))
        made = edit_texts(source, source, edits, b"p")
    assert to_bytes(made) == [b"p|0:a>w|2:c>x|4:e>y|6:g>z"]
