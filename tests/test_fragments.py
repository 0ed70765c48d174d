"""Edits as JSON for a whole batch, against the plain lists written one by one."""

import orjson
from hypothesis import given
from hypothesis import strategies as st

from perturb.linkage import Columns, Texts
from perturb.pipeline import Pipeline
from perturb.settings import Settings
from perturb.testing import texts


def both(batch, spec):
    columns = Columns(
        Texts(batch, [str(row) for row in range(len(batch))]), Settings(Pipeline.of(spec))
    )
    return columns, [orjson.dumps(linkage) for linkage in columns.fragments]


@given(
    st.lists(texts, min_size=1, max_size=4),
    st.sampled_from(
        [
            "keyboard_typos:p=0.5",
            "char_delete:p=0.5",
            'char_replace:p=0.7,alphabet="\\"\\\\/a"',
            "filler:p=0.5",
            "word_swap:p=1",
            "identity:p=1",
        ]
    ),
)
def test_fragments_say_what_the_lists_say(batch, spec) -> None:
    columns, written = both([text.encode("utf-8", "replace").decode() for text in batch], spec)
    assert written == list(map(orjson.dumps, columns.linkages))


def test_places_of_any_number_of_digits() -> None:
    """At every power of ten the numbers get longer; from 10,000 on they take two cells."""
    text = "a" * 1_000_100
    columns, written = both([text, "b" * 9], "char_replace:alphabet=xy,p=0.3")
    assert written == list(map(orjson.dumps, columns.linkages))
    assert columns.edits[0][-1][0] > 1_000_000


def test_what_needs_no_matrix_is_written_all_the_same() -> None:
    """Not ASCII, control characters, and much that is long."""
    for batch, spec in (
        (["ß" * 9], "char_insert:p=1"),
        (["a b"] * 3, 'char_replace:p=1,alphabet="\\u0001\\u0002"'),
        (["a " * 300_000], "word_delete:p=0.9"),
    ):
        columns, written = both(batch, spec)
        assert written == list(map(orjson.dumps, columns.linkages))
