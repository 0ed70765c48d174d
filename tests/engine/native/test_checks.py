"""The kernel of checks gives what hashlib does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.engine.native import binding
from perturb.engine.native.kernels import checks_of_texts
from perturb.engine.text.strings import Strings
from perturb.records.ids import check_of

# A block has 64 bytes, of which nine stand behind the text and some before it.
LENGTHS = st.sampled_from([0, 1, 9, 10, 50, 51, 52, 53, 54, 60, 63, 64, 65, 99, 100, 116, 117, 118])
TEXTS = st.builds(str.__mul__, st.sampled_from(["a", "é", "€", "😀", "\ud800"]), LENGTHS)


@pytest.mark.slow
@given(st.lists(TEXTS | st.text(max_size=200), min_size=1, max_size=40))
def test_the_checks_of_many_texts_are_those_of_each(texts) -> None:
    checks = checks_of_texts(Strings.of_texts(texts))
    if checks is None:
        assert binding.LIBRARY is None
        return
    assert [f"x{check:08x}" for check in checks.tolist()] == [check_of([text]) for text in texts]
