"""Records as JSON for a whole batch, against the same as objects, which are written one by one."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.engine.native import library
from perturb.pipeline.pipeline import Pipeline
from perturb.records import batch as batch_module
from perturb.records import json_columns, json_edits
from perturb.records.json_edits import edit_lists
from perturb.records.perturb_texts import perturb_batch
from perturb.records.run_config import RunConfig
from perturb.records.texts import Texts
from perturb.testing import texts

SPECS = [
    "keyboard_typos:p=0.5",
    "char_delete:p=0.5",
    'char_replace:p=0.7,alphabet="\\"\\\\/a\\u0001\\n\\u007f"',
    'char_replace:p=0.7,alphabet="é߿ࠀ\\uffff😀"',
    "filler:p=0.5",
    "word_swap:p=1",
    "identity:p=1",
    "one_of(ocr:p=0.5 | 2*case:p=0.3)",
    "option_shuffle",
]


@pytest.fixture(autouse=True, params=[1, 32], ids=["by kernels", "one by one"])
def _rows_for_kernels(request, monkeypatch):
    monkeypatch.setattr(json_columns, "_MANY", request.param)


def columns_of(batch, spec, **settings):
    ids = [f'{row}%s"\0' for row in range(len(batch))]
    return perturb_batch(
        Texts(batch, ids, ["text"] * len(batch)), RunConfig.of(Pipeline.of(spec), **settings)
    )


def assert_same(columns):
    for compact in (False, True):
        written = list(map(orjson.dumps, columns.json_in_rows(compact)))
        assert written == list(map(orjson.dumps, columns.in_rows(compact)))


@given(
    st.lists(texts, min_size=1, max_size=4),
    st.sampled_from(SPECS),
    st.sampled_from([{}, {"seed": 2**63 - 1}, {"protect": ["number"], "only": "regex:[a-z%]+"}]),
)
def test_json_says_what_the_objects_say(batch, spec, settings) -> None:
    batch = [text.encode("utf-8", "replace").decode() for text in batch]
    columns = columns_of([*batch, "A. red\nB. blue", "1"], spec, **settings)
    assert all(isinstance(linkage, orjson.Fragment) for linkage in columns.json_in_rows())
    assert_same(columns)


@pytest.mark.slow
def test_places_of_any_number_of_digits() -> None:
    """At every power of ten the numbers get longer; from 10,000 on they take two cells."""
    columns = columns_of(["a" * 1_000_100, "b" * 9], "char_replace:alphabet=xy,p=0.3")
    assert columns.outcome.edits.starts.max() > 1_000_000
    assert_same(columns)


def test_what_is_long_is_written_from_lists(monkeypatch) -> None:
    """A matrix as wide as the longest string would be large; a kernel makes none."""
    monkeypatch.setattr(library, "LIBRARY", None)
    columns = columns_of(["a " * 3000, "b" * 40_000 + " " + "c" * 40_000], "word_delete:p=1")
    outcome = columns.outcome
    removed = type(outcome.source)(outcome.source.codes, outcome.edits.starts, outcome.edits.ends)
    counts = outcome.edits.per_text(outcome.source)
    assert edit_lists(outcome.edits, counts, outcome.source.starts, removed) is None
    assert_same(columns)


@pytest.mark.parametrize(("spec", "compact"), [("char_swap:p=1", False), ("char_delete:p=1", True)])
def test_lone_surrogates_stay_objects(spec, compact) -> None:
    """They can't be JSON of their own, be they in an original or in what was removed."""
    columns = columns_of(["\ud800x\udc00", "žluťoučký"], spec)
    assert columns.json_in_rows(compact) == columns.in_rows(compact)


def test_what_a_text_has_for_itself_is_said_of_it_alone() -> None:
    batch = ["one two three", "four"]
    columns = perturb_batch(
        Texts(batch, protect=[[(0, 3)], []]), RunConfig(Pipeline.of("char_swap:p=1"))
    )
    first, second = map(orjson.loads, map(orjson.dumps, columns.json_in_rows()))
    assert first["scope"] == '{"protect":[[0,3]]}'
    assert second["scope"] == ""
    assert_same(columns)


@pytest.mark.parametrize("spec", ["keyboard_typos:p=0.5", "word_delete:p=0.5", "identity:p=1"])
def test_one_long_text_says_the_same(spec, monkeypatch) -> None:
    """Its edits are written some at a time, into a list that no other bytes are made of."""
    monkeypatch.setattr(json_edits, "_AT_ONCE", 7)
    monkeypatch.setattr(batch_module, "_LONG", 100)
    columns = columns_of(['Which river is the "longest" of all, é and 😀? ' * 5], spec)
    (linkage,) = columns.json_in_rows()
    assert isinstance(linkage, dict)
    assert isinstance(linkage["edits"], orjson.Fragment)
    assert_same(columns)


def test_one_long_text_with_lone_surrogates(monkeypatch) -> None:
    monkeypatch.setattr(batch_module, "_LONG", 10)
    columns = columns_of(["A lone \ud800 surrogate. Another sentence."], "duplicate:p=1")
    assert columns.json_in_rows() == columns.in_rows()
    assert "\ud800" in columns.in_rows()[0]["edits"][0]["text"]
