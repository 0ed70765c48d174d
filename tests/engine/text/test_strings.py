"""Columns of strings: what is gathered in blocks is what plain Python gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.engine.text import strings
from perturb.engine.text.strings import Strings, column, concatenate

TEXTS = st.lists(st.text("abcé今", max_size=9), max_size=12)


@pytest.fixture(autouse=True, params=[1, 4, 1 << 18], scope="module")
def _blocks(request):
    """Whatever the size of a block."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(strings, "_BLOCK", request.param)
        yield


def said(codes) -> str:
    return "".join(map(chr, codes.tolist()))


@given(TEXTS)
def test_the_code_points_of_strings_one_after_the_other(texts) -> None:
    assert said(column(texts).flat()) == "".join(texts)


@pytest.mark.slow
@given(TEXTS, st.data())
def test_the_code_points_of_rows_in_any_order_and_more_than_once(texts, data) -> None:
    rows = data.draw(st.lists(st.sampled_from(range(len(texts))))) if texts else []
    taken = column(texts).take(np.array(rows, np.int64))
    assert said(taken.flat()) == "".join(texts[row] for row in rows)


def test_a_string_that_is_longer_than_a_block() -> None:
    codes = np.arange(600_000, dtype=np.uint32)
    spans = Strings(codes, np.array([5, 5, 7]), np.array([5, 590_000, 9]))
    assert np.array_equal(spans.flat(), np.concatenate([codes[5:590_000], codes[7:9]]))


@pytest.mark.slow
@given(st.lists(st.tuples(*[st.text("abcé今", max_size=9)] * 3), max_size=9))
def test_columns_are_joined_row_by_row(rows) -> None:
    columns = [column(one) for one in zip(*rows, strict=True)] or [column([])] * 3
    assert concatenate(*columns).to_list() == ["".join(row) for row in rows]


@pytest.mark.parametrize("last", ["\x7f", "ÿ", "\ud7ff", "\ud800\udc00", "\uffff", "\U0010ffff"])
def test_code_points_of_all_sizes_come_back(last) -> None:
    batch = ["fox", f"’{last}", last * 3]
    assert Strings.of_texts(batch).to_texts() == batch
