"""Any JSON value goes through a line and back without loss."""

import json
import re
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from alike import same
from hypothesis import given
from hypothesis import strategies as st

from perturb.errors import DataError, PerturbError, UsageError, VerificationError
from perturb.io.jsonl import (
    at_line,
    dumps,
    lines_of,
    loads,
    may_hold_long_numbers,
    may_hold_odd_numbers,
    parsed,
    text_of_json,
    value_of_json,
)

# Every code point, lone surrogates too.
TEXTS = st.text(st.characters(exclude_categories=()))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS
    | st.integers(-(2**70), 2**70) | st.sampled_from([2**63, 2**64, -(2**63), -(2**63) - 1]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@pytest.mark.slow
@given(VALUES, st.booleans())
def test_a_value_survives(value, ascii_only):
    """What another program wrote is read, written and read again without a change."""
    text = json.dumps(value, ensure_ascii=ascii_only)
    try:
        line = text.encode()
    except UnicodeEncodeError:
        line = json.dumps(value).encode()
    assert same(loads(line), value)
    written = dumps(loads(line, as_written=True))
    assert written.count(b"\n") == 1
    assert written.endswith(b"\n")
    assert same(loads(written), value)
    assert dumps(loads(written, as_written=True)) == written


NUMBERS = st.from_regex(
    r"-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,3})?", fullmatch=True
)


def as_object(parts):
    return "{" + ",".join(f'"{at}":{part}' for at, part in enumerate(parts)) + "}"


WRITTEN = st.recursive(
    NUMBERS | st.sampled_from(["1.10", "1e-5", "1e400", "-0", "-0.0", "0.00010", "0.5", "1" * 5000])
    | st.sampled_from(["NaN", "-Infinity", "true", "null", '"1.10"', '"\\ud800"', str(2**64)]),
    lambda inner: st.lists(inner, max_size=4).map(lambda parts: f"[{','.join(parts)}]")
    | st.lists(inner, max_size=4).map(as_object),
    max_leaves=12,
)  # fmt: skip


@pytest.mark.slow
@given(WRITTEN)
def test_numbers_stay_as_they_are_written(text):
    """However they are written, among values that need the slower writer too, and in values of records."""
    assert dumps(loads(text.encode(), as_written=True)).decode() == text + "\n"
    assert text_of_json(value_of_json(text)) == text
    spaced = text.replace(",", " , ").replace(":", ":\t")
    (line,) = parsed(1, spaced.encode(), as_written=True)
    assert dumps(line.value).decode() == text + "\n"


@pytest.mark.slow
@given(WRITTEN)
def test_what_is_kept_as_written_is_the_number_all_the_same(text):
    """By its value and its type; of those that Python reads."""
    try:
        value = loads(text.encode())
    except DataError:
        return
    as_written = loads(text.encode(), as_written=True)
    assert as_written == value or same(as_written, value) or "NaN" in text


@pytest.mark.parametrize("number", ["1.0", "0.5", "-12", "123456.789", "9" * 18, "-0.25", "0.0"])
def test_plain_numbers_are_read_by_the_fast_parser(number):
    """What stands as Python writes it is no reason to look closer."""
    line = f'{{"a":{number},"b":[{number}, {number}]}}'.encode()
    assert not may_hold_odd_numbers(line)
    assert dumps(loads(line, as_written=True)) == line.replace(b" ", b"") + b"\n"


@pytest.mark.slow
@given(VALUES)
def test_a_value_is_written_even_if_it_was_not_known_to_be_odd(value):
    """What comes to be odd on its way, by a parameter say, is written without loss too."""
    assert dumps(value).decode().endswith("\n")


@given(st.binary())
def test_any_bytes_are_read_or_refused(data):
    """No line ends in anything but a value or a DataError."""
    try:
        value = loads(data)
    except DataError:
        return
    assert same(loads(dumps(value, odd=True)), value)


@pytest.mark.parametrize("rest", [b"", b"2", b"[]", b'["a"]', b'["a",1]', b'["a","\xc4\x80"]'])
def test_a_nul_at_the_start_of_a_line(rest):
    """With it begins what stands for rows of other formats; a line of a file may have it too."""
    with pytest.raises(DataError, match="begins with a NUL"):
        loads(b"\0" + rest)


def test_lines_of_a_block():
    """Lines are numbered; blank ones are left out, and a mark at the start of the file."""
    mark = b"\xef\xbb\xbf"
    assert list(lines_of(1, mark + b"a\n\r\n \n" + mark + b"b\r\n\nc")) == [
        (1, b"a"),
        (4, mark + b"b\r"),
        (6, b"c"),
    ]
    assert list(lines_of(7, mark + b"a\n")) == [(7, mark + b"a")]


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (DataError, DataError),
        (UsageError, DataError),
        (PerturbError, DataError),
        (VerificationError, VerificationError),
    ],
)
def test_the_place_of_an_error(error, raised):
    """The place comes first; what a line asks for in vain is wrong data, not a wrong call."""
    with pytest.raises(raised, match=r"^in\.jsonl:3: what$"), at_line("in.jsonl:3"):
        raise error("what")


@given(
    st.lists(st.sampled_from([b"1", b"09" * 4, b"5" * 19, b":", b"{}", b"x", b" 2"]), max_size=12)
)
def test_no_long_number_is_overlooked(parts) -> None:
    """What is said of many lines holds for each number in them; colons look like digits."""
    lines = b"".join(parts)
    assert may_hold_long_numbers(lines) or re.search(rb"[0-9]{19}", lines) is None


@pytest.mark.parametrize("line", [b"", b"12:34:56 78:90:12 34", b'{"a":10=10>>10<<20*5=100>>100}'])
def test_where_no_number_is_long(line) -> None:
    """Then no line is looked at by itself."""
    assert not may_hold_long_numbers(line * 20)


def nested(depth):
    return [nested(depth - 1)] if depth else {}


@pytest.mark.parametrize(
    "values",
    [[], [{"a": 1}, {"b": "é😀"}], [{"a": 1}, nested(300), {"b": 2}], [{"a": "\ud800"}, {"b": 2}]],
)
def test_what_is_written_is_read(values) -> None:
    """Also where it is too deep for the faster way, or holds a lone surrogate."""
    assert [json.loads(dumps(value)) for value in values] == values


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_many_are_read_as_each_is(end) -> None:
    """With a line end at the end or not, and odd ones among them."""
    lines = [b'{"a": 1}', b"[2, null]", b" 3 "]
    for odd in ([], [b"[Infinity]"], [b"9" * 20], [b"0.00123456789012345678"], [b'"\\ud800"']):
        read = list(parsed(3, b"\n".join(odd + lines) + end))
        assert [line.value for line in read] == list(map(loads, odd + lines))
        assert [line.number for line in read] == list(range(3, 3 + len(read)))


@pytest.mark.parametrize("line", [b"{", b"[1", b"9" * 5000, b"\0"])
def test_a_line_that_can_not_be_read_is_told_among_others(line) -> None:
    """With what `loads` says of it; the others have their values and numbers."""
    first, wrong, last = parsed(1, b"1\n" + line + b"\n\n \n2\n")
    with pytest.raises(DataError) as told:
        loads(line)
    assert str(wrong.error) == str(told.value)
    assert (wrong.number, wrong.data, wrong.value) == (2, line, None)
    assert [(first.number, first.value), (last.number, last.value)] == [(1, 1), (5, 2)]


def test_lone_surrogates_that_meet_are_no_character() -> None:
    assert dumps({"text": "a\ud83d b\ude00"}, odd=True)
    with pytest.raises(DataError, match="two lone surrogates"):
        dumps({"text": "a\ud83d\ude00"}, odd=True)


@pytest.mark.parametrize("value", [float("inf"), "\ud800", None, 1.5, [10**30]])
def test_a_value_comes_back_from_its_text(value) -> None:
    assert value_of_json(text_of_json(value)) == value


def test_keys_that_are_no_strings_become_such() -> None:
    """As the standard library writes them, without white space."""
    row = {1: "é", 2.5: [0.5, {None: 1}], False: 2**70, "a": None}
    text = json.dumps(row, separators=(",", ":"), ensure_ascii=False)
    assert dumps(row).decode() == f"{text}\n"


def test_nan_is_not_null() -> None:
    assert text_of_json(float("nan")) == "NaN"


def test_what_json_does_not_hold_is_named() -> None:
    at = datetime(2026, 1, 2, tzinfo=UTC)
    assert dumps({"at": at, "day": at.date(), "of": at.time()}) == (
        b'{"at":"2026-01-02T00:00:00+00:00","day":"2026-01-02","of":"00:00:00"}\n'
    )
    for values in ([{"x": [Decimal(1)]}], [{"x": [b"a"]}], [{"x": {1}}]):
        with pytest.raises(DataError, match="the field 'x' can't be written as JSON: JSON has no "):
            b"".join(map(dumps, [{"id": 1}, *values]))
