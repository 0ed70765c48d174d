"""Arrow arrays of texts in the form of the engine, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.engine.native import binding
from perturb.engine.text.strings import Strings, column, stack
from perturb.testing import texts

pa = pytest.importorskip("pyarrow")
arrow_arrays = pytest.importorskip("perturb.io.arrow_arrays")
KINDS = st.sampled_from([pa.string(), pa.large_string()])


@given(st.lists(st.text(), max_size=9), KINDS, st.booleans())
def test_an_array_of_columns_is_that_of_the_strings(some, kind, has_kernels) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if not has_kernels:
            patch.setattr(binding, "LIBRARY", None)
        for each in (some, column(some), Strings.of_texts(some)):
            made = arrow_arrays.text_array(each, kind)
            made.validate(full=True)
            assert made.equals(pa.array(some, kind))


@pytest.mark.parametrize("has_kernels", [True, False])
def test_half_a_surrogate_is_refused(has_kernels, monkeypatch) -> None:
    if not has_kernels:
        monkeypatch.setattr(binding, "LIBRARY", None)
    with pytest.raises(UnicodeEncodeError):
        arrow_arrays.text_array(column(["a", "b\ud800"]))


@given(st.lists(st.text(), min_size=1, max_size=9), KINDS, st.integers(0, 9))
def test_a_column_of_ascii_is_read_where_it_lies(some, kind, first) -> None:
    own = some[first:]
    array = pa.array(some, kind)[first:]
    made = arrow_arrays.strings_of(pa.chunked_array([array]))
    if made is None:
        assert not "".join(own).isascii() or not any(own)
    else:
        assert made.to_list() == own


def test_other_columns_are_not_read_so() -> None:
    for array in (
        pa.chunked_array([["a", None]]),
        pa.chunked_array([["a"], ["b"]]),
        pa.chunked_array([[1]]),
        pa.chunked_array([pa.array(["a"]).dictionary_encode()]),
        pa.chunked_array([], pa.string()),
    ):
        assert arrow_arrays.strings_of(array) is None


@given(st.lists(st.lists(texts, max_size=4), min_size=1, max_size=4))
def test_columns_together_have_the_rows_of_all(parts) -> None:
    assert stack(*map(column, parts)).to_list() == [text for part in parts for text in part]
