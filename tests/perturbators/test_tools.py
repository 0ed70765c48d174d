"""Faults in the results of tools: exact edits, JSON that stays valid, and places that fit."""

import json
import sys

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.cli import main
from perturb.errors import DataError
from perturb.perturbators.tools import results
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


def test_what_is_missing_is_most_of_a_result_or_all_of_it() -> None:
    assert faulty(RESULT, "missing").text == "{}"  # its list of stops may be beside the point
    found = '{"query": "Oslo", "results": [{"title": "Oslo"}, {"title": "Oslo (Texas, USA)"}], "tags": [1, 2]}'
    made = faulty(found, "missing").text
    assert json.loads(made) == {"query": "Oslo", "results": [], "tags": [1, 2]}
    assert faulty('[{"a": 1}, {"a": 2}]', "missing").text == "[]"


def test_a_cut_that_stays_valid_reaches_what_is_within_and_plain_text() -> None:
    made = faulty('{"root": {"a": 1, "b": 2}}', "truncated", valid=True)
    assert made.text == '{"root": {"a": 1}}'
    assert faulty("Found 3 flights to Oslo.", "truncated", valid=True).status == "changed"


def test_names_are_no_quantities() -> None:
    for seed in range(20):
        made = json.loads(faulty(RESULT, "number", seed).text)
        assert made["id"] == 77
        assert made["stops"] != [3, 8, 21]
    plain = "On 2024-05-01 at 10:30 it was 12.5 degrees."
    assert {faulty(plain, "number", seed).text[:22] for seed in range(9)} == {plain[:22]}


def test_a_timeout_is_one_whatever_form_it_has() -> None:
    for valid in (True, False):
        sent = {faulty(RESULT, "timeout", seed, valid=valid).text for seed in range(20)}
        assert len(sent) == 2 - valid
        assert all("time" in text for text in sent)


def test_a_schema_that_forbids_every_place_is_soon_given_up(schema, monkeypatch) -> None:
    schema.write_text(json.dumps({"const": json.loads(f"[{'7, ' * 999} 7]")}))
    text = schema.read_text()[len('{"const": ') : -1]
    tried = []
    original = results.rebuild
    monkeypatch.setattr(results, "rebuild", lambda *given: tried.append(1) or original(*given))
    assert faulty(text, "number", schema=str(schema)).status == "no site"
    assert len(tried) == 100


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
    assert made["perturbation"]["expect"] == "abstain"


EXPECTED = {
    **dict.fromkeys(["error", "timeout", "missing"], "abstain"),
    **dict.fromkeys(["reordered", "wrong_type"], "same"),
    **dict.fromkeys(["stale", "truncated", "wrong_unit", "number", "random"], "unknown"),
}


@pytest.mark.parametrize("kind", EXPECTED)
def test_each_kind_has_its_own_expectation(kind) -> None:
    row, step = {"id": "r", "text": RESULT}, f"tool_result:kind={kind}"
    (made,) = perturb.augment([row], step)
    assert made["perturbation"]["expect"] == EXPECTED[kind]
    (made,) = perturb.augment([row], step, expect="other")
    assert made["perturbation"]["expect"] == "other"
    (made,) = perturb.augment([row], f"{step} tool_result:kind=reordered")
    assert made["perturbation"]["expect"] == EXPECTED[kind]
    (made,) = perturb.augment([{"id": "r", "text": ""}], step)
    assert made["perturbation"]["expect"] == "same"


SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["city", "rooms", "unit"],
    "properties": {
        "city": {"enum": ["Oslo", "Bergen"]},
        "stars": {"type": "integer", "minimum": 1, "maximum": 5},
        "rooms": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/room"}},
        "unit": {"enum": ["metric", "imperial"]},
        "seen": {"type": "string", "pattern": "^20[0-9]{2}-"},
        "note": {"type": ["string", "array"]},
    },
    "$defs": {"room": {"type": "object", "required": ["beds"], "properties": {
        "beds": {"type": "integer", "maximum": 9}, "price": {"type": "number"}}}},
}  # fmt: skip
STAY = json.dumps(
    {
        "city": "Oslo",
        "stars": 5,
        "rooms": [{"beds": 9, "price": 120.5}, {"beds": 2}, {"beds": 1}],
        "unit": "metric",
        "seen": "2024-05-01",
        "note": "near the harbour",
    }
)


@pytest.fixture
def schema(tmp_path):
    """A file with a schema, which a test may write again."""
    pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(SCHEMA))
    return path


@pytest.mark.parametrize("kind", [*_FAULTS, "random"])
def test_a_result_stays_within_its_schema(kind, schema) -> None:
    import jsonschema

    made = [faulty(STAY, kind, seed, schema=str(schema)) for seed in range(30)]
    fails = kind in ("error", "timeout")
    assert {one.status for one in made} == {"no site" if fails else "changed"}
    for one in made:
        jsonschema.validate(json.loads(one.text), SCHEMA)
        assert one.restore() == STAY
    assert perturb.verify(made[0], trust=[str(schema)])


def test_a_schema_allows_its_own_errors_and_tools_of_mcp_bring_theirs(schema) -> None:
    either = {"anyOf": [{"required": ["city"]}, {"required": ["error"]}]}
    schema.write_text(json.dumps({"name": "stay", "inputSchema": {}, "outputSchema": either}))
    assert "error" in json.loads(faulty(STAY, "error", schema=str(schema)).text)


def test_a_tool_of_mcp_without_a_schema_of_its_results_is_none(schema) -> None:
    schema.write_text(json.dumps({"name": "stay", "inputSchema": {"type": "object"}}))
    with pytest.raises(perturb.UsageError, match="a tool without an outputSchema"):
        faulty(STAY, "error", schema=str(schema))


def test_what_is_not_within_the_schema_is_left_alone_with_the_reason(schema) -> None:
    for text in ("plain words", "{}", STAY.replace("Oslo", "Rome"), STAY[:-9]):
        made = faulty(text, "missing", schema=str(schema))
        assert (made.status, made.text) == ("no site", text)
        assert made.steps[0].note == {"refused": ["no JSON within the schema"]}


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ('{"type": "objekt"}', r"is no JSON Schema: 'objekt' is not valid .*, at \$\.type"),
        ("[]", "is no JSON Schema"),
        ("null", "is no JSON Schema, which is an object; got None"),
        ('{"type": ', "is not JSON"),
        ('{"$ref": "https://example.com/s.json"}', "perturb fetches no schema: put it under"),
        ('{"$ref": "#"}', "refers to itself without end"),
    ],
)
def test_a_file_that_is_no_schema_is_refused(written, said, schema) -> None:
    schema.write_text(written)
    with pytest.raises(perturb.UsageError, match=said):
        faulty(STAY, "missing", schema=str(schema))


def test_without_jsonschema_an_error_says_what_to_install(schema, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    schema.write_text('{"required": ["a"]}')
    with pytest.raises(perturb.UsageError, match=r"a schema needs jsonschema: .*schema"):
        faulty(STAY, "missing", schema=str(schema))


# Rows after the documentation of each service.
MESSAGES = {
    "messages[role=tool].content": {  # OpenAI, chat completions
        "messages": [
            {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function":
                {"name": "stay", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "c1", "content": STAY},
        ]
    },
    "input[type=function_call_output].output": {  # OpenAI, responses
        "input": [
            {"type": "function_call", "call_id": "c1", "name": "stay", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c1", "output": STAY},
        ]
    },
    "messages[role=user].content[type=tool_result].content": {  # Anthropic
        "messages": [
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "t1", "name": "stay", "input": {}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": STAY},
                {"type": "text", "text": "Which hotel is it?"}]},
        ]
    },
    "messages[role=user].content[type=tool_result].content ": {  # the same in blocks
        "messages": [
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1",
                "content": [{"type": "text", "text": STAY},
                            {"type": "image", "source": {"type": "url", "url": "x"}}]}]},
        ]
    },
    "result.content[type=text].text": {  # MCP
        "jsonrpc": "2.0", "id": 4,
        "result": {"content": [{"type": "text", "text": STAY}], "isError": False},
    },
}  # fmt: skip


@pytest.mark.parametrize("path", MESSAGES)
def test_results_of_each_service_are_reached_within_a_schema(path, schema) -> None:
    import jsonschema

    row = MESSAGES[path] | {"id": "r"}
    step = {"name": "tool_result", "schema": str(schema)}
    (made,) = perturb.augment([row], step, p=1.0, seed=2, field=path.strip())
    assert made["perturbation"]["status"] == "changed"
    assert perturb.verify(made, trust=[str(schema)])
    (record,) = perturb.read_records([made])
    assert record.original == STAY
    jsonschema.validate(json.loads(record.text), SCHEMA)
    assert perturb.restored(made) == row


def in_rows(rows, step):
    """Rows whose field `out` a step on tools took."""
    return list(perturb.augment(rows, step, field="out"))


def test_a_schema_may_be_in_the_row(schema) -> None:
    import jsonschema

    tool = {"name": "stay", "inputSchema": {"type": "object"}, "outputSchema": SCHEMA}
    loose = {"type": "object", "required": ["city"]}
    given = {"tool": tool, "schema": SCHEMA, "text": json.dumps(loose), "none": None}
    rows = [{"id": name, "schema": own, "out": STAY} for name, own in given.items()]
    for kind in ("missing", "number", "stale"):
        step = {"name": "tool_result", "kind": kind}
        made = in_rows(rows, step | {"schema_in": "schema"})
        assert made[1]["out"] == in_rows(rows[1:2], step | {"schema": str(schema)})[0]["out"]
        for row, own in zip(made, (SCHEMA, SCHEMA, loose, {}), strict=True):
            jsonschema.validate(json.loads(row["out"]), own)
            assert perturb.verify(row)
        statuses = [row["perturbation"]["status"] for row in made]
        assert statuses == ["changed", "changed", "changed", "no site"]


def test_each_result_has_the_schema_of_its_call(schema) -> None:
    calls = [
        {"out": "[7, 8, 9]", "schema": {"type": "array", "minItems": 3}},
        {"out": "[7, 8, 9]", "schema": {"type": "array", "maxItems": 3}},
    ]
    step = {"name": "tool_result", "kind": "missing", "schema_in": "calls[*].schema"}
    for row in perturb.augment([{"id": 1, "calls": calls}], step, field="calls[*].out"):
        assert [call["out"] for call in row["calls"]] == ["[7, 8, 9]", "[]"]
        assert perturb.verify(row)
    with pytest.raises(DataError, match="must lead to one value for 'out', but leads to 2; give"):
        in_rows([{"out": "[7]", "calls": calls}], step)
    step["schema_in"] = "calls[1].schema"
    assert in_rows([{"out": "[7]", "calls": calls}], step)[0]["out"] == "[]"


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ({"type": "objekt"}, "schema is no JSON Schema: 'objekt' is not valid"),
        (7, "schema is no JSON Schema, which is an object; got 7"),
        ("{", "schema is not JSON"),
        ({"name": "stay", "inputSchema": {}}, "schema is a tool without an outputSchema"),
        ({"$ref": "https://example.com/s.json"}, "perturb fetches no schema"),
    ],
)
def test_a_field_without_a_schema_is_refused_with_its_row(own, said, schema) -> None:
    rows = [{"out": STAY, "schema": SCHEMA}, {"out": STAY, "schema": own}]
    with pytest.raises(DataError, match=f"row 2: .*{said}"):
        in_rows(rows, "tool_result:kind=missing,schema_in=schema")


def test_a_schema_in_a_row_is_of_rows_and_alone(schema) -> None:
    with pytest.raises(perturb.UsageError, match="names a field of rows, and these texts are in"):
        faulty(STAY, "missing", schema_in="schema")
    with pytest.raises(perturb.UsageError, match="give one of them"):
        faulty(STAY, "missing", schema_in="schema", schema=str(schema))
    with pytest.raises(DataError, match="no field 'schema'"):
        in_rows([{"out": STAY}], "tool_result:schema_in=schema")


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_files_with_schemas_in_their_rows_verify_and_come_back(suffix, schema, tmp_path) -> None:
    if suffix == "parquet":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    names = ("rows.jsonl", f"in.{suffix}", f"out.{suffix}", f"back.{suffix}")
    rows, source, output, back = (str(tmp_path / name) for name in names)
    whole = "".join(
        json.dumps({"id": f"r{n}", "out": STAY, "schema": json.dumps(SCHEMA)}) + "\n"
        for n in range(30)
    )
    (tmp_path / "rows.jsonl").write_text(whole, "utf-8")
    assert main(["apply", "identity", "--field", "out", "-i", rows, "-o", source]) == 0
    assert main(["restore", source, "-o", back]) == 0
    step = "tool_result:kind=number,schema_in=schema"
    assert main(["apply", step, "--field", "out", "-i", back, "-o", output]) == 0
    assert main(["verify", output, "-i", back]) == 0
    again = str(tmp_path / f"again.{suffix}")
    assert main(["restore", output, "-o", again]) == 0
    assert (tmp_path / f"again.{suffix}").read_bytes() == (tmp_path / f"back.{suffix}").read_bytes()


def test_a_question_as_text_may_be_beside_results_in_anthropics_parts(tmp_path) -> None:
    result = {"type": "tool_result", "tool_use_id": "u", "content": RESULT}
    parts = {**result, "content": [{"type": "text", "text": RESULT}]}
    asked = {"role": "user", "content": "How far is it?"}
    rows = [
        {"id": n, "messages": [asked, {"role": "user", "content": [each]}]}
        for n, each in enumerate((result, parts))
    ]
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    path = "messages[role=user].content[type=tool_result].content"
    words = ["apply", "tool_result:kind=wrong_unit", "--field", path, "-i", str(source)]
    assert main([*words, "-o", str(output)]) == 0
    for line in output.read_text("utf-8").splitlines():
        (first, second) = json.loads(line)["messages"]
        assert first == asked
        assert "mi" in json.dumps(second) or "imperial" in json.dumps(second)
    assert main(["verify", str(output), "-i", str(source)]) == 0
