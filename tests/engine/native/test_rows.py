"""Rows read by the kernel: each is what orjson makes of its line, or left to others."""

import json

import numpy as np
import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from perturb.engine.native.rows import read_rows, unquoted
from perturb.engine.text.strings import Strings, column, packed

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40) | st.text(
    'ab "\\/\n\t\x00\x1f\x7fé€😀', max_size=80
)
NUMBERS = (
    st.integers(-(10**19), 10**19)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.decimals(-1000, 1000, places=3).map(float)
    | st.sampled_from([0, -0.0, 0.0, 1.0, 1e-4, 1e-5, 1e15, 1e16, 0.1 + 0.2, 10**18 - 1])
)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
NAMES = "text", "id", "perturbation"
ROWS = st.fixed_dictionaries(
    {"text": TEXTS, "more": VALUES}, optional={"id": TEXTS | st.integers() | st.none(), "x": VALUES}
)
SEPARATORS = st.sampled_from([(",", ":"), (", ", ": "), (" ,\t", " : ")])


def checked(lines):
    """Read lines, and compare each with orjson; whether they were read."""
    found = read_rows(lines, *NAMES)
    if found is None:
        return False
    codes, places = found
    given = lines.split(b"\n")
    if not given[-1]:
        given.pop()
    assert places.shape == (6, len(given))
    for line, (start, end, text, text_end, id_, id_end) in zip(
        given, places.T.tolist(), strict=True
    ):
        row = orjson.loads(line)
        assert codes[start : end + 1].tobytes() == orjson.dumps(row)
        assert codes[text:text_end].tobytes() == orjson.dumps(row["text"])
        if "id" in row:
            assert codes[id_:id_end].tobytes() == orjson.dumps(row["id"])
        else:
            assert id_ == id_end == -1
        assert "perturbation" not in row
    return True


@given(
    st.lists(ROWS, min_size=1, max_size=3), SEPARATORS, st.booleans(), st.sampled_from(["", "\n"])
)
def test_rows_are_what_orjson_makes_of_them(compiled, using, rows, separators, ascii_only, end):
    lines = [json.dumps(row, separators=separators, ensure_ascii=ascii_only) for row in rows]
    with using(compiled):
        checked(("\n".join(lines) + end).encode())


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=3), SEPARATORS, st.booleans())
def test_usual_rows_are_read(compiled, using, pairs, separators, ascii_only):
    """Strings, few digits, lists and objects are never left to others."""
    rows = [
        {"id": name, "text": text, "n": [1, -20, 0.5, None, True, False], "o": {"": {}, "l": []}}
        for name, text in pairs
    ]
    lines = [json.dumps(row, separators=separators, ensure_ascii=ascii_only) for row in rows]
    with using(compiled):
        assert checked("\n".join(lines).encode())


@given(ROWS, st.integers(0, 300), st.binary(max_size=3), st.integers(0, 4))
@example({"text": "", "more": 0}, 9, b"\\u12", 0)
def test_no_bytes_are_taken_for_what_they_are_not(compiled, using, row, at, new, lost):
    """Lines that were damaged are left to others, unless orjson reads them alike."""
    line = json.dumps(row).encode()
    line = (line[:at] + new + line[at + lost :]).replace(b"\n", b" ")
    with using(compiled):
        if line.decode(errors="ignore").encode() == line:  # the caller has seen that it is UTF-8
            checked(line)
        else:
            read_rows(line, *NAMES)


@given(st.lists(TEXTS | st.text("ab\xe9\xff", max_size=40), max_size=6))
def test_texts_are_what_the_engine_takes(compiled, using, texts):
    """Those of ASCII, and the others; each kind as its texts are put side by side."""
    strings = column(orjson.dumps(text).decode("latin-1") for text in texts)
    with using(compiled):
        kinds = unquoted(strings)
    narrow = [row for row, text in enumerate(texts) if text.isascii()]
    wide = [row for row, text in enumerate(texts) if not text.isascii()]
    assert [rows.tolist() for rows, _ in kinds] == [rows for rows in (narrow, wide) if rows]
    for rows, made in kinds:
        expected = Strings.of_texts([texts[row] for row in rows])
        assert made.codes.dtype == expected.codes.dtype
        assert made.codes.tolist() == expected.codes.tolist()
        assert made.starts.tolist() == expected.starts.tolist()
        assert made.ends.tolist() == expected.ends.tolist()


@given(st.binary(max_size=80))
@example(b"ends in a backslash\\")
@example(b"\xf0\x9f\x98")
def test_any_bytes_may_stand_in_a_string(compiled, using, data):
    """None is read beyond its quotes."""
    with using(compiled):
        made = unquoted(packed(np.frombuffer(b'"%b"' % data, np.uint8), np.array([len(data) + 2])))
    assert made is None or len(made) == 1


@pytest.mark.parametrize("edges", [(0, 1), (-1, 2), (0, 5), (3, 2)])
def test_strings_lie_in_their_array_and_have_quotes(compiled, using, edges):
    start, end = (np.array([edge]) for edge in edges)
    with using(compiled), pytest.raises(IndexError, match="unquote"):
        unquoted(Strings(np.frombuffer(b'"ab"', np.uint8), start, end))


@given(st.binary(max_size=200))
def test_any_bytes_may_come(compiled, using, data):
    with using(compiled):
        read_rows(b'{"text":"' + data, *NAMES)
        read_rows(data, *NAMES)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{}",
        b"[]",
        b'{"text":1}',
        b'{"text":null}',
        b'{"more":"no text"}',
        b'{"text":"a","text":"b"}',
        b'{"text":"a","x":{"y":1,"y":2}}',
        b'{"te\\u0078t":"a","text":"b"}',
        b'{"text":"a","perturbation":{}}',
        b'{"text":"a","id":1.5}',
        b'{"text":"a","id":true}',
        b'{"text":"a","id":-0}',
        b'{"text":"a","id":1234567890123456789}',
        b'{"text":"a"',
        b'{"text":"a",}',
        b'{"text":"a"}}',
        b'{"text":"a"} {"text":"b"}',
        b'{"text":"a\tb"}',
        b'{"text":"\\ud800"}',
        b'{"text":"\\udc00\\ud800"}',
        b'{"text":"\\x41"}',
        b'{"text":"\\u12"}',
        b'{"text":"a","x":[,]}',
        b'{"text":"a","x":[1,]}',
        b'{"text":"a","x":{"y"}}',
        b'{"text":"a","x":01}',
        b'{"text":"a","x":1.}',
        b'{"text":"a","x":.5}',
        b'{"text":"a","x":1e5}',
        b'{"text":"a","x":1.50}',
        b'{"text":"a","x":0.00001}',
        b'{"text":"a","x":0.30000000000000004}',
        b'{"text":"a","x":NaN}',
        b'{"text":"a","x":nul}',
        b'{"text":"a","x":' + b"[" * 65 + b"]" * 65 + b"}",
        b'{"text":"a",' + b",".join(b'"%d":0' % n for n in range(256)) + b"}",
    ],
)
def test_what_is_not_usual_is_left_to_others(compiled, using, line):
    with using(compiled):
        assert checked(b'{"text":"good"}\n')
        assert read_rows(b'{"text":"good"}\n' + line + b"\n", *NAMES) is None


def test_fields_may_have_any_names(compiled, using):
    with using(compiled):
        codes, places = read_rows('{"é.x": "a", "": 7}'.encode(), "é.x", "", "r")
    assert codes[: places[1, 0]].tobytes() == '{"é.x":"a","":7'.encode()
    assert places[4:, 0].tolist() == [places[1, 0] - 1, places[1, 0]]
