"""Faults in the results of tools: exact edits, JSON that stays valid, and places that fit."""

import json

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.perturbators.tools._json import values_in
from perturb.perturbators.tools.results import _FAULTS

RESULT = (
    '{"city": "Oslo", "id": 77, "date": "2024-05-01", "far": "12 km", "stops": [3, 8, 21], '
    '"ok": true, "units": "metric"}'
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-999, 9999) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)


def faulty(text: str, kind: str, seed: int = 0, **settings) -> perturb.Record:
    step = {"name": "tool_result", "kind": kind, **settings}
    return perturb.apply(text, step, p=1.0, seed=seed)


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        ("missing", {'"stops": []'}),
        ("reordered", {'"stops": [21, 8, 3]'}),
        ("stale", {'"2023-05-01"', '"2022-05-01"', '"2021-05-01"'}),
        ("wrong_unit", {'"12 mi"'}),
    ],
)
def test_a_fault_changes_its_place_alone(kind, written) -> None:
    for seed in range(8):
        made = faulty(RESULT, kind, seed)
        assert sum(each in made.text for each in written) == 1, made.text
        assert made.restore() == RESULT
        (edit, *more) = made.edits
        assert len(more) == (kind == "reordered")
        assert len(edit.removed) < 20


@pytest.mark.parametrize("kind", _FAULTS)
@given(value=JSON, seed=st.integers(0, 99))
def test_valid_json_stays_valid(kind, value, seed) -> None:
    text = json.dumps(value)
    made = faulty(text, kind, seed, valid=True)
    assert made.restore() == text
    if values_in(text) is not None:
        orjson.loads(made.text)
    if made.status == "changed":
        assert perturb.verify(made)


@given(JSON)
def test_the_places_of_values_are_those_of_a_parser(value) -> None:
    text = json.dumps(value, indent=1)
    found = values_in(text)
    if not isinstance(value, (dict, list)):
        assert found is None
        return
    assert found is not None
    for each in found:
        read = json.loads(text[each.start : each.end])
        kinds = {dict: "object", list: "list", str: "string", bool: "boolean", type(None): "null"}
        assert kinds.get(type(read), "number") == each.kind
    assert json.loads(text[found[-1].start : found[-1].end]) == value


def test_names_are_no_quantities() -> None:
    for seed in range(20):
        made = json.loads(faulty(RESULT, "number", seed).text)
        assert made["id"] == 77
        assert made["stops"] != [3, 8, 21]
    plain = "On 2024-05-01 at 10:30 it was 12.5 degrees."
    assert {faulty(plain, "number", seed).text[:22] for seed in range(9)} == {plain[:22]}


def test_what_fits_no_fault_has_no_site() -> None:
    for text, kind in (("{}", "missing"), ("ok", "stale"), ("[1]", "reordered"), ("", "error")):
        assert faulty(text, kind).status in ("no site", "no units")
    deep = "[" * 100 + "]" * 100
    assert values_in(deep) is None
    assert values_in('{"a": ') is None
    assert {faulty(RESULT, "random", seed).edits for seed in range(30)} != {()}


def test_results_in_messages_are_reached_by_their_path() -> None:
    row = {
        "id": 1,
        "messages": [
            {"role": "user", "content": "How far is Oslo?"},
            {"role": "tool", "tool_call_id": "a", "content": RESULT},
        ],
    }
    step = {"name": "tool_result", "kind": "error"}
    (made,) = perturb.augment([row], step, p=1.0, field="messages[role=tool].content")
    assert made["messages"][0] == row["messages"][0]
    assert made["messages"][1]["content"] != RESULT
    assert made["perturbation"]["expect"] == "unknown"
