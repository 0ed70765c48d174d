"""What edits may do: words that a step skips, texts that are JSON, the parts of a chat."""

import json

import numpy as np
import pytest
import regex
from cases import FIRST, SENTENCE
from hypothesis import given
from hypothesis import strategies as st
from ways import WAYS

import perturb
from perturb import Pipeline
from perturb.engine.batch import Batch
from perturb.engine.placement import Placement, skipped
from perturb.engine.protection import Rules
from perturb.records.notation import read
from perturb.rows.stored import records_in
from perturb.testing import HOSTILE, SENTENCES, checks, texts

# Words that are skipped


def held(text, first, last, shorter):
    """Which characters of one text stay, word by word."""
    batch = Batch.of([text])
    words = [
        (start - 1, end - 1)
        for start, end in zip(batch.words.starts.tolist(), batch.words.ends.tolist(), strict=True)
    ]
    stay = {
        at for a, b in words if len(regex.findall(r"\X", text[a:b])) < shorter for at in range(a, b)
    }
    if words and first:
        stay |= set(range(words[:first][-1][1]))
    if words and last:
        stay |= set(range(words[-last:][0][0], len(text)))
    return stay


@pytest.mark.slow
@given(st.lists(texts, max_size=4), *[st.integers(0, 5)] * 3)
def test_skipped_words_against_a_walk(batch, first, last, shorter) -> None:
    batch = Batch.of(batch)
    placement = Placement(skip_first=first, skip_last=last, min_word_length=shorter)
    found = skipped(batch, placement)
    if not first and not last and not shorter:
        assert found is None
        return
    for text, start, end in zip(
        batch.texts.to_list(), batch.texts.starts, batch.texts.ends, strict=True
    ):
        assert set(np.flatnonzero(found[start:end]).tolist()) == held(text, first, last, shorter)


@pytest.mark.parametrize(
    ("spec", "wanted"),
    [
        ("case:p=1,style=upper,skip_first=2", "one two THREE FOUR, FIVE. SIX!"),
        ("case:p=1,style=upper,skip_last=2", "ONE TWO THREE FOUR, five. six!"),
        ("case:p=1,style=upper,min_word_length=4", "one two THREE FOUR, FIVE. six!"),
        ("case:p=1,style=upper,skip_first=1,skip_last=1,min_word_length=5", "one two THREE four, five. six!"),
        ("case:p=1,style=upper,skip_first=9", "one two three four, five. six!"),
        ("word_swap:p=1,skip_first=1,skip_last=1", "one three two four, five. six!"),
        ("comma_insert:p=1,skip_first=2,skip_last=2", "one two three, four, five. six!"),
    ],
)  # fmt: skip
def test_skipped_words_stay(spec, wanted) -> None:
    record = perturb.apply("one two three four, five. six!", spec)
    assert record.text == wanted
    assert perturb.verify(record)
    assert (
        Pipeline.of(str(Pipeline.of(spec)))
        == Pipeline.of(spec)
        == Pipeline.of(Pipeline.of(spec).to_dict())
    )
    (step,) = record.steps
    assert set(step.spec.split(":")[1].split(",")[1:]) == set(spec.split(":")[1].split(",")[1:])


def test_skipping_is_said_where_nothing_is_left() -> None:
    record = perturb.apply("two words", perturb.steps.case(p=1.0, skip_first=1, skip_last=1))
    assert (record.status, record.steps[0].units, record.steps[0].sites) == ("protected", 1, 0)
    assert record.condition == "case:p=1.0,skip_first=1,skip_last=1"


def test_each_step_skips_on_its_own() -> None:
    made = perturb.apply("one two three", "word_delete:p=1,skip_first=2 case:p=1,style=upper")
    assert made.text.split() == ["ONE", "TWO"]
    both = Pipeline.of(["case", "ocr:p=0.1"], p=0.2, skip_first=1)
    assert [step.skip_first for step in both.steps] == [1, 0]


@pytest.mark.parametrize("spec", WAYS)
def test_every_perturbator_skips(spec) -> None:
    """What is skipped is whole in the result, and skipping adds no edit elsewhere."""
    text = " ".join(SENTENCES)
    record = perturb.apply(
        text,
        Pipeline.of(spec, p=1.0, skip_first=3, skip_last=2, min_word_length=4, max_edits=10**6),
    )
    stay = held(text, 3, 2, 4)
    for edit in record.edits:
        assert stay.isdisjoint(range(edit.start, edit.end)), edit
    assert perturb.verify(record)


@pytest.mark.parametrize("key", ["skip_first", "skip_last", "min_word_length"])
def test_what_can_not_be_skipped(key) -> None:
    with pytest.raises(ValueError, match=f"{key} must be at least 0; got -1"):
        perturb.apply("a", perturb.steps.case(**{key: -1}))
    with pytest.raises(TypeError, match=f"{key} must be a whole number; got 1.5"):
        perturb.apply("a", perturb.steps.case(**{key: 1.5}))


# Texts that are JSON

words = st.sampled_from(
    [*SENTENCES, *HOSTILE.values(), 'lazy\tdog\\ "quoted"\n', "\u2028é\x7f", ""]
)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), words, texts),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(words, inner, max_size=3)),
    max_leaves=6,
)  # fmt: skip


def shape(value):
    """A value without the content of its strings."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [shape(inner) for inner in value]
    return "" if isinstance(value, str) else value


DOCUMENTS = (values, st.booleans(), st.sampled_from([None, 2]), st.sampled_from([0.3, 1.0]))


@pytest.mark.parametrize("spec", WAYS)
def test_json_stays_json(spec, examples) -> None:
    """Keys, numbers and structure are as they were, whatever is written into the strings."""
    count = examples if spec in FIRST else examples // 2
    for value, ascii_only, indent, p in checks._examples(count, *DOCUMENTS):
        text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
        record = perturb.apply(text, spec, p=p, only="json")
        assert shape(json.loads(record.text)) == shape(json.loads(text))
        again = perturb.apply(record.text, [f"{spec}", "char_insert"], p=p, only="json")
        assert shape(json.loads(again.text)) == shape(json.loads(text))
        assert perturb.verify(record)


def test_json_is_edited_in_its_values_between_escapes() -> None:
    text = '{"lazy key": "lazy\\nzebra \\u00e9y", "n": [12, "y", {"y": true}]}'
    record = perturb.apply(text, "yz_swap", p=1.0, only="json")
    assert record.text == '{"lazy key": "layz\\nyebra \\u00e9z", "n": [12, "z", {"y": true}]}'
    assert record.recipe == f"yz_swap@{record.steps[0].version}:p=1.0 --only json --contract 4"
    assert perturb.verify(record)


def test_what_json_escapes_is_not_written() -> None:
    hostile = perturb.from_regex(
        "hostile", "[abcd]", lambda match, _: {"a": '"', "b": "\\", "c": "\n", "d": "D"}[match[0]]
    )
    record = perturb.apply('["abcd"]', hostile, p=1.0, only="json")
    assert (record.text, record.sites, len(record.edits)) == ('["abcD"]', 4, 1)
    assert perturb.apply('["abc"]', hostile, p=1.0, only="json").status == "filtered"
    assert perturb.apply('["abcd"]', hostile, p=1.0).text == '[""\\\nD"]'


def test_json_is_what_it_says() -> None:
    with pytest.raises(perturb.DataError, match="'lazy' isn't: Expecting value"):
        perturb.apply("lazy", "yz_swap", p=1.0, only="json")
    with pytest.raises(perturb.DataError, match="isn't:"):
        perturb.apply("[" * 100_000, "yz_swap", p=1.0, only="json")
    for rules in (["json", "url"], ["json", (0, 1)]):
        with pytest.raises(perturb.UsageError, match="the rule json can't be combined"):
            perturb.apply('["a"]', "yz_swap", only=rules)
    with pytest.raises(perturb.UsageError, match="so give it to only"):
        perturb.apply('["a"]', "yz_swap", protect="json")
    with pytest.raises(perturb.UsageError, match="give one of only json"):
        list(perturb.augment([], "yz_swap", only=["json", "field:spans"]))
    assert Rules.of("json").spans('"a\\"b"') == [(1, 2), (4, 5)]


# Chats

CHAT = {
    "id": "c1",
    "messages": [
        {"role": "system", "content": "You are lazy."},
        {"role": "user", "content": "Why are zebras lazy?"},
        {"role": "assistant", "content": None, "tool_calls": [
            {"id": "t1", "function": {"name": "lazy", "arguments": '{"lazy": "lazy zebra", "n": 1}'}}]},
        {"role": "tool", "tool_call_id": "t1", "content": "They are crazy."},
        {"content": "No lazy role."},
        {"role": "user", "content": "Lazy, lazy."},
    ],
}  # fmt: skip
PARTS = {
    "messages": [
        {"role": "user", "content": [
            {"type": "text", "text": "a lazy dog"},
            {"type": "image_url", "image_url": {"url": "http://lazy.example"}},
            {"type": "text", "text": "and a zebra"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "lazy"}]},
    ],
}  # fmt: skip


def swapped(row, field, **settings):
    (made,) = perturb.augment([row], "yz_swap", p=1.0, field=field, **settings)
    assert perturb.restored(made) == row
    record = made.pop("perturbation")
    made.pop("id")
    before = {key: value for key, value in row.items() if key != "id"}
    return made, before, len(read(record["edits"]).texts)


def changed(row, *paths):
    """A copy of a row with y and z swapped at some places."""
    row = json.loads(json.dumps(row))
    for path in paths:
        *inside, last = path
        here = row
        for key in inside:
            here = here[key]
        here[last] = here[last].translate(str.maketrans("yzYZ", "zyZY"))
    return row


@pytest.mark.parametrize(
    ("row", "field", "places"),
    [
        (CHAT, "messages[role=user].content", [("messages", 1, "content"), ("messages", 5, "content")]),
        (CHAT, "messages[role=system].content", [("messages", 0, "content")]),
        (CHAT, "messages[role=tool].content", [("messages", 3, "content")]),
        (CHAT, "messages[role=judge].content", []),
        (CHAT, "messages[5].content", [("messages", 5, "content")]),
        (PARTS, "messages[role=user].content", [
            ("messages", 0, "content", 0, "text"), ("messages", 0, "content", 2, "text")]),
        (PARTS, "messages[role=user].content[type=text].text", [
            ("messages", 0, "content", 0, "text"), ("messages", 0, "content", 2, "text")]),
        (PARTS, "messages[role=assistant].content[*].text", [("messages", 1, "content", 0, "text")]),
    ],
)  # fmt: skip
def test_a_chat_is_perturbed_where_the_path_leads(row, field, places) -> None:
    made, before, count = swapped(row, field)
    assert made == changed(before, *places)
    assert count == len(places)


def test_the_arguments_of_a_tool_call_stay_json() -> None:
    field = "messages[2].tool_calls[*].function.arguments"
    made, _, _ = swapped(CHAT, field, only="json")
    (call,) = made["messages"][2]["tool_calls"]
    assert call["function"] == {"name": "lazy", "arguments": '{"lazy": "layz yebra", "n": 1}'}


@pytest.mark.parametrize(
    ("row", "field", "message"),
    [
        (CHAT, "messages[*].content", r"row 1: the field 'messages\[2\].content' must be a string or a list of strings; got null"),
        (PARTS, "messages[0].content[1]", "must be a string or a list of strings; got an object"),
        ({"content": PARTS["messages"][0]["content"]}, "content", r"must be one text, but 2 of its parts are; give it as content\[type=text\].text"),
        (CHAT, "messages[role=user].content[*].text", r"expected a list for \[\*\]"),
        ({"text": "a"}, "messages[role=user].content", "there is no 'messages'; known: text"),
    ],
)  # fmt: skip
def test_a_chat_of_another_form_is_refused(row, field, message) -> None:
    with pytest.raises(perturb.DataError, match=message):
        swapped(row, field)


def test_a_chat_without_the_role_has_no_site() -> None:
    (made,) = perturb.augment([CHAT], "yz_swap", p=1.0, field="messages[role=judge].content")
    record = made.pop("perturbation")
    assert made == {**CHAT, "id": "c1#yz_swap:p=1.0"}
    assert (record["status"], record["edits"], record["expect"]) == ("no site", "", "same")


@pytest.mark.slow
def test_the_messages_of_a_row_take_the_same_steps() -> None:
    """N = 400 rows, each with a chance of a half: sd 10; 4.5 sd are allowed."""
    rows = [{"id": n, "m": [{"t": SENTENCE}, {"t": SENTENCE}]} for n in range(400)]
    made = perturb.augment(rows, "sometimes(0.5, case)", p=1.0, field="m[*].t")
    both = [[record.text != SENTENCE for record in records_in(row)] for row in made]
    assert abs(sum(a for a, b in both if a == b) - 200) < 45
    assert all(a == b for a, b in both)
