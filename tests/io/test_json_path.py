"""Paths lead to texts in rows, and back."""

import copy

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from perturb.errors import DataError, UsageError
from perturb.io import json_path

KEYS = st.text(st.characters(exclude_characters=".[]", exclude_categories=()), min_size=1)
LEAVES = st.text() | st.integers() | st.none()
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.dictionaries(KEYS, inner, max_size=4) | st.lists(inner, max_size=4),
    max_leaves=12,
)
ROWS = st.dictionaries(KEYS, VALUES, min_size=1, max_size=4)


def locations(value, here=()):
    """Every place in a value."""
    if here:
        yield here
    pairs = value.items() if isinstance(value, dict) else ()
    pairs = enumerate(value) if isinstance(value, list) else pairs
    for key, inner in pairs:
        yield from locations(inner, (*here, key))


def get(value, location):
    for key in location:
        value = value[key]
    return value


@pytest.mark.slow
@given(st.data(), ROWS)
def test_round_trip(data, row):
    """The path of a place leads to that place; to put a value there changes nothing else."""
    place = data.draw(st.sampled_from(sorted(locations(row), key=repr)))
    path = json_path.written(place)
    assert json_path.locate(row, path) == [(place, get(row, place))]
    before, new = copy.deepcopy(row), object()
    changed = {**row}
    json_path.put_into(changed, [(place, new)])
    assert row == before
    assert get(changed, place) is new
    json_path.put_into(changed, [(place, get(row, place))])
    assert changed == row
    assert not json_path.is_many(path)


@pytest.mark.slow
@given(st.lists(VALUES, max_size=4), KEYS)
def test_a_star_leads_to_every_entry(values, key):
    """In order, each with the path that leads to it alone."""
    row = {key: values}
    found = json_path.locate(row, f"{key}[*]")
    assert found == [((key, n), value) for n, value in enumerate(values)]
    for place, value in found:
        assert json_path.locate(row, json_path.written(place)) == [(place, value)]


@given(st.text() | st.text("ab.[]*=0"))
def test_any_text_is_a_path_or_refused(path):
    """Nothing but a UsageError comes of what is no path."""
    try:
        parts = json_path.parse(path)
    except UsageError:
        return
    joined = "".join(part if part.startswith("[") else f".{part}" for part in parts)
    assert joined.removeprefix(".") == path


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("question", ("question",)),
        ("a.b.c", ("a", "b", "c")),
        ("messages[*].content", ("messages", "[*]", "content")),
        ("messages[role=user].content", ("messages", "[role=user]", "content")),
        ("messages[12].content", ("messages", "[12]", "content")),
        ("a[model=gpt-4.1]", ("a", "[model=gpt-4.1]")),
        ("a[0][-1]", ("a", "[0]", "[-1]")),
        ("chat[role=user][-1].content", ("chat", "[role=user]", "[-1]", "content")),
        ("a[x=]", ("a", "[x=]")),
        ("with space", ("with space",)),
    ],
)
def test_parts(path, parts):
    """A path is cut at its dots and brackets."""
    assert json_path.parse(path) == parts


@pytest.mark.parametrize(
    "path", ["", ".", "a.", ".a", "a..b", "a[", "a]", "a[]", "a[x]", "a[-]", "a.[0]", "a[0]b"]
)
def test_no_paths(path):
    """What is no path is refused."""
    with pytest.raises(UsageError, match="can't read the field path"):
        json_path.parse(path)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [("user", [0]), ("5", [1]), ("true", [2]), ("0.5", [3]), ("None", []), ("null", []), ("", [6])],
)
def test_selection(wanted, found):
    """An entry is selected by the value of one of its fields, as JSON writes it."""
    values = ["user", 5, True, 0.5, None, ["user"], ""]
    row = {"a": [*({"k": value} for value in values), {}, "user", 5]}
    assert [place[1] for place, _ in json_path.locate(row, f"a[k={wanted}]")] == found


def test_a_field_of_exactly_that_name_comes_first():
    """A name with dots or brackets is found as it is."""
    row = {"a.b": 1, "a": {"b": 2}, "x[*]": 3}
    assert json_path.locate(row, "a.b") == [(("a.b",), 1)]
    assert json_path.locate(row, "x[*]") == [(("x[*]",), 3)]


@pytest.mark.slow
@given(ROWS, KEYS)
def test_a_missing_field_says_what_there_is(row, key):
    """The message has some of the fields of the row, or says that there are none."""
    assume(key not in row)
    with pytest.raises(DataError) as caught:
        json_path.locate(row, key)
    _, _, known = str(caught.value).partition(f"no field {key!r}: ")
    assert any(one in known for one in row) if row else known == "known: none"


CHAT = {"chat": [{"role": role, "n": n} for n, role in enumerate(("user", "bot", "user", "bot"))]}


@pytest.mark.parametrize(
    ("path", "numbers", "is_many"),
    [
        ("chat[*].n", [0, 1, 2, 3], True),
        ("chat[-1].n", [3], False),
        ("chat[-4].n", [0], False),
        ("chat[role=user].n", [0, 2], True),
        ("chat[role=user][-1].n", [2], False),
        ("chat[role=user][0].n", [0], False),
        ("chat[role=nobody].n", [], True),
    ],
)
def test_numbers_count_from_either_end_among_the_chosen(path, numbers, is_many):
    """A place is written with its own number, whatever chose it."""
    found = json_path.locate(CHAT, path)
    assert found == [(("chat", number, "n"), number) for number in numbers]
    assert json_path.is_many(path) == is_many


@pytest.mark.parametrize("path", ["chat[4].n", "chat[-5].n", "chat[role=user][2].n"])
def test_a_number_beyond_the_list_is_refused(path):
    with pytest.raises(DataError, match=r"the list has only [24] such items"):
        json_path.locate(CHAT, path)


class Walked(list):
    """A list that counts how often it is walked through."""

    walks = 0

    def __iter__(self):
        self.walks += 1
        return super().__iter__()


def test_a_place_in_a_list_is_entered_without_a_walk() -> None:
    """A row may hold hundreds of thousands of texts, each of which is looked for by its place."""
    items = Walked([{"t": n} for n in range(100)])
    assert json_path.locate({"items": items}, "items[7].t") == [(("items", 7, "t"), 7)]
    assert json_path.locate({"items": items}, "items[-1].t") == [(("items", 99, "t"), 99)]
    assert not items.walks


def test_values_are_put_into_one_copy() -> None:
    items = Walked([{"t": n, "u": n} for n in range(100)])
    row = {"items": items}
    json_path.put_into(row, [(("items", n, key), -n) for n in range(100) for key in "tu"])
    assert row == {"items": [{"t": -n, "u": -n} for n in range(100)]}
    assert items[3] == {"t": 3, "u": 3}
    assert items.walks == 1


def test_the_hint_for_a_list_has_paths_that_lead_into_it():
    with pytest.raises(DataError, match=r"write a\[\*\].b or a\[role=user\].b$"):
        json_path.locate({"a": [{"b": 1}]}, "a.b")
    with pytest.raises(DataError, match=r"can't find 'question' in \[1\]$"):
        json_path.locate([1], "question")


NAMED = [
    {"by": {"name": "a"}},
    {"by": {"name": "b"}},
    {"by": "b"},
    {"by.name": "c", "by": {"name": "b"}},
    5,
]


@pytest.mark.parametrize(
    ("choice", "numbers"),
    [("by.name=b", [1]), ("by.name=c", [3]), ("by.name.x=b", []), ("by=b", [2])],
)
def test_items_are_chosen_by_a_key_in_an_object_of_theirs(choice, numbers):
    """A key with a dot comes first, as in the path of a field."""
    found = json_path.locate({"list": NAMED}, f"list[{choice}]")
    assert [location[1] for location, _ in found] == numbers


@pytest.mark.parametrize("other", [{}, {"a": 1}, {"a": {"c": 2}}])
def test_a_path_within_a_field_that_is_called_like_a_path(other):
    """As records name the parts of a message in `a.b`."""
    row = {"a.b": [{"text": "x"}, {"text": "y"}], **other}
    assert json_path.locate(row, "a.b[1].text") == [(("a.b", 1, "text"), "y")]
    with pytest.raises(DataError, match=r"'a\.b\.text'"):
        json_path.locate(row, "a.b.text")
