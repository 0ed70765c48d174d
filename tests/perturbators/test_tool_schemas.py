"""Lists of tools with other names, descriptions, orders and lookalikes, in all their spellings."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.perturbators.tools.schemas import tools_in

WEATHER = {
    "type": "object",
    "properties": {
        "location": {"type": "string", "description": "The city and the country"},
        "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
    },
    "required": ["location"],
}
ABOUT = "Get the current weather at a location.\nUse send_mail to send a big message."
MAIL = {"type": "object", "properties": {"to": {"type": "string"}, "text": {"type": "string"}}}
SENDS = "Send a quick message to a person."
# After the documentation of each service; xLAM is a published dataset of calls.
SHAPES = {
    "openai chat": [
        {"type": "function", "function": {"name": "get_weather", "description": ABOUT,
            "parameters": WEATHER, "strict": True}},
        {"type": "function", "function": {"name": "send_mail", "description": SENDS,
            "parameters": MAIL}},
    ],
    "openai responses": [
        {"type": "function", "name": "get_weather", "description": ABOUT, "parameters": WEATHER},
        {"type": "web_search"},
        {"type": "function", "name": "send_mail", "description": SENDS, "parameters": MAIL},
    ],
    "anthropic": [
        {"name": "get_weather", "description": ABOUT, "input_schema": WEATHER},
        {"type": "web_search_20250305", "name": "web_search", "max_uses": 5},
        {"type": "custom", "name": "send_mail", "description": SENDS, "input_schema": MAIL},
    ],
    "mcp": {"jsonrpc": "2.0", "id": 1, "result": {"tools": [
        {"name": "get_weather", "title": "Weather", "description": ABOUT, "inputSchema": WEATHER},
        {"name": "send_mail", "description": SENDS, "inputSchema": MAIL}], "nextCursor": "c"}},
    "xlam": [
        {"name": "get_weather", "description": ABOUT, "parameters": WEATHER["properties"]},
        {"name": "send_mail", "description": SENDS, "parameters": MAIL["properties"]},
    ],
}  # fmt: skip
KINDS = ("name", "description", "order", "decoy")


def changed(text: str, kind: str, seed: int = 0) -> perturb.Record:
    return perturb.apply(text, {"name": "tool_schema", "kind": kind}, p=1.0, seed=seed)


def schemas_of(value) -> dict[str, str]:
    """Each tool's schema by its name, with its keys in order."""
    found = tools_in(json.dumps(value))
    text = json.dumps(value)
    return {each.name: text[each.start : each.end] for each in found}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_each_shape_has_exact_records(shape, kind) -> None:
    text = json.dumps(SHAPES[shape])
    for seed in range(6):
        made = changed(text, kind, seed)
        assert made.status == "changed"
        assert made.restore() == text
        assert perturb.verify(made)
        assert type(json.loads(made.text)) is type(SHAPES[shape])
        tools = tools_in(made.text)
        assert len(tools) == 2 + (kind == "decoy")
        if kind in ("description", "order", "decoy"):
            assert {"get_weather", "send_mail"} <= {one.name for one in tools}


@pytest.mark.parametrize("shape", SHAPES)
def test_order_moves_tools_and_parameters_and_changes_nothing(shape) -> None:
    made = changed(json.dumps(SHAPES[shape]), "order").text
    tools = tools_in(made)
    assert [one.name for one in tools] == ["send_mail", "get_weather"]
    assert ["location" in made[slice(*one)] for one in tools[1].parameters] == [False, True]
    before = {name: json.loads(text) for name, text in schemas_of(SHAPES[shape]).items()}
    assert {one.name: json.loads(made[one.start : one.end]) for one in tools} == before


def test_names_change_wherever_the_row_has_them() -> None:
    seen = set()
    for seed in range(20):
        after = json.loads(changed(json.dumps(SHAPES["anthropic"]), "name", seed).text)
        first, server, second = (one["name"] for one in after)
        assert server == "web_search"
        assert second in after[0]["description"]
        assert "send_mail" not in after[0]["description"]
        assert after[0]["input_schema"] == WEATHER
        seen |= {first, second}
    assert {"getWeather", "get-weather", "GetWeather", "dispatch_mail"} <= seen
    assert len({name.lower().replace("-", "").replace("_", "") for name in seen}) == 3


def test_technical_words_and_names_in_descriptions_stay() -> None:
    about = "Send the cookie to the port of send_mail. Null if the client sent none. Send it."
    tools = [{"name": "send_mail", "description": about, "input_schema": {"description": "send"}}]
    made = changed(json.dumps(tools), "description").text
    assert json.loads(made)[0]["description"] == about.replace("Send", "Dispatch").replace(
        "sent", "dispatched"
    )


def test_names_that_consist_of_several_are_written_as_one() -> None:
    tools = [{"name": "math.get_sum", "input_schema": {}}, {"name": "big.car", "input_schema": {}}]
    seen = {changed(json.dumps(tools), "name", seed).text for seed in range(30)}
    names = {one["name"] for text in seen for one in json.loads(text)}
    assert {"math_get_sum", "mathGetSum", "MathGetSum", "large.automobile"} <= names


def test_a_plain_word_changes_only_where_it_is_a_name() -> None:
    tools = [{"name": "search", "description": "Search by a search term.", "input_schema": {
        "properties": {"search": {"type": "string"}, "name": {"type": "string"}}}}]  # fmt: skip
    call = '{"name": "search", "arguments": {"search": "search"}}'
    made = changed(f"<tools>{json.dumps(tools)}</tools>\n{call}\nsearch(search='a')", "name").text
    expected = json.dumps(tools).replace('"name": "search"', '"name": "Search"')
    assert made == (
        f"<tools>{expected}</tools>\n"
        '{"name": "Search", "arguments": {"search": "search"}}\nSearch(search=\'a\')'
    )


def test_names_after_an_escaped_line_break_and_the_first_of_two_lists() -> None:
    about = "Calls one of these:\nget_it\n\tget_it(), not forget_it"
    tools = [{"name": "get_it", "description": about, "parameters": {}}]
    made = json.loads(changed(json.dumps({"tools": tools, "more": tools}), "name").text)
    name = made["tools"][0]["name"]
    assert name != "get_it"
    assert made["tools"][0]["description"] == about.replace("get_it", name).replace(
        f"for{name}", "forget_it"
    )
    twice = {"first": tools, "then": [{"name": "put_it", "parameters": {}}]}
    assert json.loads(changed(json.dumps(twice), "name").text)["then"] == twice["then"]


def test_a_name_never_becomes_that_of_another_tool() -> None:
    names = ["get_it", "get-it", "getIt", "GetIt", "a" * 63, "mcp__shop__buy_car", "naïve"]
    tools = [{"name": name, "input_schema": {}} for name in names]
    for seed in range(20):
        after = [one["name"] for one in json.loads(changed(json.dumps(tools), "name", seed).text)]
        assert len(set(after)) == len(names)
        assert not {*names[:4]} & {*after} - {"get_it", "get-it", "getIt", "GetIt"}
        assert after[5].startswith("mcp__shop__")
        assert after[5] != "mcp__shop__buy_car"
        assert after[6] == "naïve"
        assert max(map(len, after)) <= 64


def test_calls_in_other_fields_and_in_the_answer_follow() -> None:
    row = {
        "id": "r",
        "tools": SHAPES["openai chat"],
        "messages": [
            {"role": "user", "content": "Is it warm in Oslo?"},
            {"role": "assistant", "tool_calls": [{"id": "c", "type": "function", "function":
                {"name": "get_weather", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "c", "content": "12"},
        ],
        "answer": '[{"name": "send_mail", "arguments": {}}]',
        "weight": 1.10,
    }  # fmt: skip
    (made,) = perturb.augment(
        [row],
        "tool_schema:kind=name",
        field=["tools", "messages[*].tool_calls[*].function.name"],
        target="answer",
    )
    names = [one["function"]["name"] for one in made["tools"]]
    assert names[0] == made["messages"][1]["tool_calls"][0]["function"]["name"] != "get_weather"
    assert names[1] == json.loads(made["answer"])[0]["name"] != "send_mail"
    assert made["perturbation"]["expect"] == "mapped"
    assert perturb.verify(made)
    assert perturb.restored(made) == row


@pytest.mark.parametrize(
    ("calls", "path"),
    [
        ({"messages": [{"role": "assistant", "tool_calls": [{"type": "function", "function":
            {"name": "get_weather", "arguments": "{}"}}]}]},
         "messages[*].tool_calls[*].function.name"),
        ({"messages": [{"role": "assistant", "content": [
            {"type": "tool_use", "name": "get_weather", "input": {}}]}]},
         "messages[*].content[type=tool_use].name"),
        ({"input": [{"type": "function_call", "name": "get_weather", "arguments": "{}"}]},
         "input[type=function_call].name"),
        ({"tool_choice": {"type": "tool", "name": "get_weather"}}, "tool_choice.name"),
    ],
)  # fmt: skip
def test_a_call_that_would_keep_the_old_name_is_refused(calls, path) -> None:
    row = {"id": "r", "tools": SHAPES["anthropic"], **calls}
    said = r"row 1: the row has the name 'get_weather' of 'tools' elsewhere too.*give that field"
    with pytest.raises(perturb.DataError, match=said):
        list(perturb.augment([row], "tool_schema", field="tools"))
    (made,) = perturb.augment([row], "tool_schema", field=["tools", path])
    assert "get_weather" not in json.dumps({key: made[key] for key in row})
    assert perturb.verify(made)
    assert perturb.restored(made) == row
    assert list(perturb.augment([row], "tool_schema:kind=order", field="tools"))


def test_a_call_by_its_key_is_refused_and_follows_as_json() -> None:
    """As in the right answers of BFCL, which kept the old name."""
    calls = [{"get_weather": {"city": ["Oslo"]}}]
    row = {"id": "r", "tools": SHAPES["anthropic"], "calls": calls}
    with pytest.raises(perturb.DataError, match=r"'get_weather' of 'tools' as a key too.*--target"):
        list(perturb.augment([row], "tool_schema", field="tools"))
    assert list(perturb.augment([row], "tool_schema:kind=order", field="tools"))
    row["calls"] = json.dumps(calls)
    (made,) = perturb.augment([row], "tool_schema", field="tools", target="calls")
    ((name,),) = json.loads(made["calls"])
    assert name in json.dumps(made["tools"])
    assert name != "get_weather"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_field_may_hold_the_tools_themselves(shape, kind, tmp_path) -> None:
    row = {"id": "r", "tools": SHAPES[shape], "size": 1.5}
    (made,) = perturb.augment([row], f"tool_schema:kind={kind},p=1", field="tools")
    assert type(made["tools"]) is type(row["tools"])
    assert made["tools"] != row["tools"] or kind == "order"
    assert perturb.verify(made)
    assert perturb.restored(made) == row
    (record,) = perturb.read_records([made])
    assert json.loads(record.text) == made["tools"]
    assert (made["perturbation"]["status"], made["perturbation"]["expect"]) == ("changed", "same")


def test_other_steps_still_refuse_objects_and_messages_are_no_tools() -> None:
    row = {"id": "r", "tools": SHAPES["mcp"], "messages": [{"role": "user", "content": "a"}]}
    for steps, field in (("synonym", "tools"), ("tool_schema synonym", "tools")):
        with pytest.raises(perturb.DataError, match="must be a string or a list of strings"):
            list(perturb.augment([row], steps, field=field))
    with pytest.raises(perturb.DataError, match=r"its tools are for tool_schema, with --field t"):
        list(perturb.augment([{"tools": SHAPES["openai chat"]}], "tool_schema", choices="tools"))
    with pytest.raises(perturb.DataError, match=r"messages\[role=user\]\.content"):
        list(perturb.augment([row], "tool_schema", field="messages"))


@pytest.mark.parametrize(
    ("text", "kind", "why"),
    [
        ("no tools", "name", "no list of tools"),
        ('[{"name": "Ann", "age": 3}]', "decoy", "no list of tools"),
        ('[{"type": "function", "function": {"name": "f", "arguments": "{}"}}]', "name", "no list"),
        ('[{"name": "f", "input_schema": {}}', "order", "no list of tools"),
        ("[" * 100_000, "order", "no list of tools"),
        ('[{"name": "f", "input_schema": {}}]', "order", "one tool with one parameter"),
        ('[{"name": "f", "input_schema": {}}]', "decoy", "no tool with a description"),
        ('[{"name": "naïve", "input_schema": {}}]', "name", "no name that has another form"),
    ],
)
def test_what_has_no_place_is_left_alone_with_the_reason(text, kind, why) -> None:
    made = changed(text, kind)
    assert (made.status, made.text) == ("no site", text)
    assert why in made.steps[0].note["refused"][0]


@pytest.mark.parametrize("kind", KINDS)
@given(
    st.lists(
        st.fixed_dictionaries(
            {"name": st.text("ab_-.A1é", min_size=1, max_size=9)},
            optional={
                "description": st.text('big message": ,\\\n é', max_size=30),
                "parameters": st.fixed_dictionaries(
                    {"properties": st.dictionaries(st.text("ab", max_size=2), st.just({}))}
                ),
                "type": st.just("function"),
            },
        ),
        max_size=4,
    ),
    st.integers(0, 9),
)
def test_any_list_stays_json_and_comes_back(kind, tools, seed) -> None:
    row = {"id": "r", "tools": tools, "text": json.dumps(tools)}
    step = {"name": "tool_schema", "kind": kind}
    (made,) = perturb.augment([row], step, p=1.0, seed=seed, field=["tools", "text"])
    assert type(made["tools"]) is type(row["tools"])
    json.loads(made["text"])
    assert perturb.verify(made)
    assert perturb.restored(made) == row
