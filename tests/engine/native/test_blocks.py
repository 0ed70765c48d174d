"""Blocks of rows: each is what orjson makes of its line, or left to others; and written again."""

import json
from math import inf, nan

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from native_rows import PLAIN, fields_for

from perturb.engine.native.blocks import (
    read_block,
)
from perturb.engine.native.kernels import line_ends
from perturb.engine.text.strings import Strings
from perturb.io.jsonl import dumps, loads
from perturb.records.ids import check_of, id_of_text, record_keys

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
ROWS = st.fixed_dictionaries(
    {"text": TEXTS, "more": VALUES}, optional={"id": TEXTS | st.integers() | st.none(), "x": VALUES}
)
SEPARATORS = st.sampled_from([(",", ":"), (", ", ": "), (" ,\t", " : ")])


@pytest.mark.parametrize("kernels", [True, False])
def test_line_ends_are_counted(compiled, using, kernels) -> None:
    with using(compiled if kernels else None):
        for length in (0, 1, 2, 63, 64, 127, 128, 254, 255, 256, 1000):
            for data in (b"\n" * length, b"a\nb" * length, b"\x8a\r\0" * length):
                assert line_ends(data) == data.count(b"\n")


def lines_in(data):
    lines = data.split(b"\n")
    return lines if lines[-1] else lines[:-1]


def checked(data):
    """Read lines, and compare each with orjson; how many were left."""
    read = read_block(data, PLAIN)
    json, places = (read.arrays[name] for name in ("json", "rows"))
    given = lines_in(data)
    left = read.left[:, 1].tolist()
    assert sorted([*left, *read.lines.tolist()]) == list(range(len(given)))
    assert [data[start:end] for start, end in read.left[:, 2:]] == [given[at] for at in left]
    rows = []
    for (start, end, id_, id_end, line, _, texts), named in zip(
        places[: read.rows].tolist(), read.named.tolist(), strict=True
    ):
        row = loads(given[line], as_written=True)
        assert json[start : end + 1].tobytes() + b"\n" == dumps(row)
        assert (row.get("id") is not None) == named
        if "id" in row:
            assert json[id_:id_end].tobytes() == orjson.dumps(row["id"])
        else:
            assert id_ == id_end == -1
        assert "perturbation" not in row
        assert texts == 1
        rows.append(row)
    texts = [row["text"] for row in rows]
    names = [None if row.get("id") is None else str(row["id"]) for row in rows]
    of_text, of_id = (id_of_text(text) for text in texts), names
    ids = [other if name is None else name for name, other in zip(of_id, of_text, strict=True)]
    assert read.keys.tolist() == read.id_keys.tolist() == record_keys(ids, None).tolist()
    checks = read.arrays["checks"][: read.rows].tolist()
    assert [f"x{check:08x}" for check in checks] == [check_of([text]) for text in texts]
    for (at, made), is_own in ((read.narrow, True), (read.wide, False)):
        own = [text for text in texts if text.isascii() == is_own]
        assert [texts[each] for each in at] == own
        expected = Strings.of_texts(own) if own else made
        assert made.codes.dtype == expected.codes.dtype
        assert made.codes.tolist() == expected.codes.tolist()
        assert made.starts.tolist() == expected.starts.tolist()
        assert made.ends.tolist() == expected.ends.tolist()
    return len(left)


@pytest.mark.slow
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
        {"id": name, "text": text, "n": [1, -20, 0.5, None, True, inf, -inf, nan], "o": {"": {}}}
        for name, text in pairs
    ]
    lines = [json.dumps(row, separators=separators, ensure_ascii=ascii_only) for row in rows]
    with using(compiled):
        left = checked("\n".join(lines).encode())
    assert left == 0


@pytest.mark.slow
@given(ROWS, st.integers(0, 300), st.binary(max_size=3), st.integers(0, 4))
@example({"text": "", "more": 0}, 9, b"\\u12", 0)
def test_no_bytes_are_taken_for_what_they_are_not(compiled, using, row, at, new, lost):
    """Lines that were damaged are left to others, unless orjson reads them alike."""
    line = json.dumps(row).encode()
    line = (line[:at] + new + line[at + lost :]).replace(b"\n", b" ")
    with using(compiled):
        checked(line)


@given(st.binary(max_size=200))
def test_any_bytes_may_come(compiled, using, data):
    with using(compiled):
        checked(b'{"text":"' + data)
        checked(data)


@pytest.mark.parametrize(
    "line",
    [
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
        b'{"text":"a","id":123456789012345678901}',
        b'{"text":"a","x":-}',
        b'{"text":"a","x":1e}',
        b'{"text":"a","x":1e+}',
        b'{"text":"a","x":1.e5}',
        b'{"text":"a"',
        b'{"text":"a",}',
        b'{"text":"a"}}',
        b'{"text":"a"} {"text":"b"}',
        b'{"text":"a\tb"}',
        b'{"text":"\\ud800"}',
        b'{"text":"\\udc00\\ud800"}',
        b'{"text":"\\x41"}',
        b'{"text":"\\u12"}',
        b'{"text":"a\xff"}',
        b'{"text":"a\xed\xa0\x80"}',
        b'{"text":"a\xc0\x80"}',
        b'{"text":"a\xf4\x90\x80\x80"}',
        b'{"text":"a\xe2\x80"}',
        b'{"text":"a","id":NaN}',
        b'{"text":"a","perturbation.edits":""}',
        b'{"text":"a","x":[,]}',
        b'{"text":"a","x":[1,]}',
        b'{"text":"a","x":{"y"}}',
        b'{"text":"a","x":01}',
        b'{"text":"a","x":1.}',
        b'{"text":"a","x":.5}',
        b'{"text":"a","x":NAN}',
        b'{"text":"a","x":-NaN}',
        b'{"text":"a","x":Infinit}',
        b'{"text":"a","x":nul}',
        b'{"text":"a","x":' + b"[" * 65 + b"]" * 65 + b"}",
        b'{"text":"a",' + b",".join(b'"%d":0' % n for n in range(256)) + b"}",
    ],
)
def test_what_is_not_usual_is_left_alone(compiled, using, line):
    """Not with the rows around it."""
    with using(compiled):
        assert checked(b'{"text":"good"}\n' + line + b'\n{"text":"good too"}\n') == 1


def test_fields_may_have_any_names(compiled, using):
    with using(compiled):
        read = read_block('{"é.x": "a", "": 7}'.encode(), fields_for("é.x", id=""))
    assert read.narrow[1].to_list() == ["a"]
    assert read.id_keys.tolist() == record_keys(["7"], None).tolist()


def test_ids_made_of_texts_say_their_keys(compiled, using):
    with using(compiled):
        read = read_block(b'{"text": "a", "id": "text:0123456789abcdef"}', PLAIN)
    assert read.keys.tolist() == [0x0123456789ABCDEF]
