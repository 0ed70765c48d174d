"""Blocks of rows: each is what orjson makes of its line, or left to others; and written again."""

import json
from math import inf, nan

import numpy as np
import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from perturb.engine.edits import Edits
from perturb.engine.native import blocks
from perturb.engine.native.blocks import (
    OTHER,
    Part,
    Path,
    Record,
    Version,
    fields_of,
    read_block,
    write_block,
)
from perturb.engine.native.kernels import line_ends
from perturb.engine.text.strings import Strings, column
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


def fields_for(*paths, id="id"):
    """What rows are searched for, by paths of keys."""
    made = [
        Path(path.encode(), [Part("key", key.encode()) for key in path.split("/")], False)
        for path in (*paths, id)
    ]
    made[-1] = made[-1]._replace(leads_to=blocks.IDS, optional=0)
    return fields_of(made, b"perturbation")


PLAIN = fields_for("text")


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


ID = Path(b"id", [Part("key", b"id")], False, blocks.IDS, 0)
WHATEVER = Record(b"", b"", (b"",) * 5, (b"changed",), (b"same",), True)
LINE = b'{"id":1,"text":"ab"}'


def written(read, fields=PLAIN, **wrong):
    """Write a row whose text has become `xyz`, by an edit."""
    source, result = Strings.of_texts(["ab"]), Strings.of_texts(["xyz"])
    edits = Edits(np.array([1]), np.array([3]), column(["xyz"]))
    zero = np.zeros(1, np.uint8)
    places = np.zeros((2, len(read.found)), np.int32)
    version = Version(b'"', b"", b"", zero, zero, [(source, result, edits)], *places)
    return write_block(read, fields, WHATEVER, [version._replace(**wrong)])


def test_a_row_is_written_with_what_became_of_its_text(compiled, using):
    with using(compiled):
        lines, ends = written(read_block(LINE, PLAIN))
    assert lines.tobytes().startswith(b'{"id":"1","text":"xyz"')
    assert b"|0:ab>xyz" in lines.tobytes()
    assert ends.tolist() == [len(lines)]


@pytest.mark.parametrize(
    "wrong",
    [
        {"batch": np.array([1], np.int32)},
        {"place": np.array([-1], np.int32)},
        {"place": np.array([1], np.int32)},
        {"reasons": np.array([1], np.uint8)},
        {"expects": np.array([200], np.uint8)},
    ],
)
def test_versions_out_of_range_are_refused(compiled, using, wrong):
    with using(compiled), pytest.raises(IndexError, match="write_block"):
        written(read_block(LINE, PLAIN), **wrong)


@pytest.mark.parametrize("column", range(7))
@pytest.mark.parametrize("wrong", [-2, 18, 1 << 40])
def test_rows_out_of_range_are_refused(compiled, using, column, wrong):
    """Whatever of a row is false; but for the number of its line, which is not used."""
    with using(compiled):
        read = read_block(LINE, PLAIN)
        read.arrays["rows"][0, column] = wrong
        if column in (2, 3) and wrong == -2:
            read.arrays["rows"][0, 2:4] = 3, 2
        if column == 4:
            written(read)
            return
        with pytest.raises(IndexError, match="write_block"):
            written(read)


def test_a_number_longer_than_any_id_is_refused(compiled, using):
    """There is no room for it behind a quote."""
    with using(compiled):
        read = read_block(b'{"id":7,"more":[' + b"1," * 40 + b'1],"text":"ab"}', PLAIN)
        read.arrays["rows"][0, 3] += 40
        with pytest.raises(IndexError, match="write_block"):
            written(read)


@pytest.mark.parametrize(
    ("at", "wrong"), [(0, 0), (0, -1), (1, 100), (1, 0), (2, 1 << 33), (2, -1)]
)
def test_places_out_of_range_are_refused(compiled, using, at, wrong):
    with using(compiled):
        read = read_block(LINE, PLAIN)
        read.arrays["found"][:24].view(np.int64)[at] = wrong
        with pytest.raises(IndexError, match="write_block"):
            written(read)


CONTENT = [{"type": "text", "text": "ab"}, {"text": "", "type": "image"}]


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        (CONTENT, ["ab"]),
        ([{"text": "ab"}], ["ab"]),
        ([{**CONTENT[0], "type": "input_text"}], ["ab"]),
        ([{**CONTENT[0], "type": "output_text", "more": {"parameters": 1}}], ["ab"]),
        *(([CONTENT[0], odd], None) for odd in ("ab", 1, {}, [], {"text": "ab"}, {"type": 1})),
        *(([CONTENT[0], {"type": "x", key: 1}], None) for key in ("parameters", "inputSchema")),
        ([CONTENT[0], {"type": "function"}], None),
        ([{**CONTENT[0], "text": None}], None),
        ([{"text": "ab", "label": "A"}], None),
        (CONTENT[1:], None),
        ([CONTENT[0]] * 2, None),
    ],
)
def test_the_texts_of_content_in_parts(compiled, using, content, texts):
    """Of a path to one text there is one; what is no content is left to others."""
    line = json.dumps({"text": content}).encode()
    with using(compiled):
        read = read_block(line, PLAIN)
    assert (read.narrow[1].to_list() if read.rows else None) == texts


@pytest.mark.parametrize(("path", "lists"), [("text", 3), ("text", -1), ("text", 5), ("m", 0)])
def test_texts_lie_in_as_many_lists_as_their_paths(compiled, using, path, lists):
    """Or in one more, if they are in parts."""
    every = Path(b"m[*]", [Part("key", b"m"), Part("all")], False)
    fields = fields_of([every, ID], b"perturbation") if path == "m" else PLAIN
    with using(compiled):
        read = read_block(b'{"id":1,"%b":[{"text":"ab"}]}' % path.encode(), fields)
        read = read_block(b'{"id":1,"m":["ab"]}', fields) if path == "m" else read
        written(read, fields)
        read.found["lists"] = lists
        with pytest.raises(IndexError, match="write_block"):
            written(read, fields)


@pytest.mark.parametrize("items", [-3, -2, -1, 2, 1 << 30])
def test_texts_are_no_lists_of_other_sizes(compiled, using, items):
    """Fewer or more lines than items are an error of Python's; what is no text is none."""
    with using(compiled):
        read = read_block(LINE, PLAIN)
        read.found["items"] = items
        if items < 0:
            with pytest.raises(IndexError, match="write_block"):
                written(read)
        else:
            assert written(read) is None


def with_answer(line=b'{"id":1,"text":"ab","answer":[1,"\xc3\xa9;="]}'):
    fields = fields_of(
        [
            Path(b"text", [Part("key", b"text", b"", b"text")], False),
            Path(b"answer", [Part("key", b"answer", b"", b"answer")], True, blocks.VALUES),
            ID,
        ],
        b"perturbation",
    )
    return fields, read_block(line, fields)


def test_other_values_are_written_as_given(compiled, using):
    """And what was there goes into the record, in its notation."""
    with using(compiled):
        fields, read = with_answer()
        assert read.found["items"].tolist() == [0, OTHER]
        lines, _ = written(read, fields, values=column(["", "[2]"]))
    assert lines.tobytes().startswith(b'{"id":"1","text":"xyz","answer":[2]"1"ab"')
    assert 'same1;text|0:ab>xyz;answer=[1,\\"é%3B=\\"]' in lines.tobytes().decode()


@pytest.mark.parametrize(
    "values",
    [
        column([""]),
        Strings(np.zeros(3, np.uint8), np.array([0, 1]), np.array([0, 4])),
        Strings(np.zeros(3, np.uint8), np.array([0, -1]), np.array([0, 2])),
        Strings(np.zeros(3, np.uint8), np.array([0, 3]), np.array([0, 2])),
        Strings(np.zeros(3, np.uint32), np.array([0, 1]), np.array([0, 2])),
    ],
)
def test_values_out_of_range_are_refused(compiled, using, values):
    with using(compiled):
        fields, read = with_answer()
        with pytest.raises(IndexError, match="write_block"):
            written(read, fields, values=values)


def test_lists_are_texts_of_lines(compiled, using):
    """Their items are joined, and written as items again."""
    with using(compiled):
        read = read_block(b'{"id":1,"text":["a","\\"b"]}', PLAIN)
        assert read.found["items"].tolist() == [2]
        assert read.narrow[1].to_list() == ['a\n"b']
        assert [f"x{check:08x}" for check in read.arrays["checks"][:1]] == [check_of(['a\n"b'])]
        source, result = Strings.of_texts(['a\n"b']), Strings.of_texts(['a\n"c'])
        edits = Edits(np.array([4]), np.array([5]), column(["c"]))
        lines, _ = written(read, batches=[(source, result, edits)])
    assert lines.tobytes().startswith(b'{"id":"1","text":["a","\\"c"]"1"a\\n\\"b"')


def test_lone_surrogates_are_left_to_others(compiled, using):
    with using(compiled):
        read = read_block(LINE, PLAIN)
        source, result = Strings.of_texts(["ab"]), Strings.of_texts(["\ud800"])
        edits = Edits(np.array([1]), np.array([3]), column(["\ud800"]))
        assert written(read, batches=[(source, result, edits)]) is None


OPTIONS = b'{"id":"1","text":"ab","options":["a","b;","c"]}'


def with_options(items=3, after="a\nb;\nd"):
    """Write a row with the last of its options changed."""
    names = (b"text", blocks.TEXTS), (b"options", blocks.CHOICES)
    paths = [Path(name, [Part("key", name, b"", name)], bool(kind), kind) for name, kind in names]
    fields = fields_of(paths, b"id", b"perturbation")
    read = read_block(OPTIONS, fields)
    read.found["items"][1] = items
    source, result = Strings.of_texts(["ab", "a\nb;\nc"]), Strings.of_texts(["ab", after])
    edits = Edits(source.ends[1:] - 1, source.ends[1:], column(["d"]))
    zero, texts = np.zeros(1, np.uint8), np.arange(2, dtype=np.int32)
    version = Version(b'"', b"", b"", zero, zero, [(source, result, edits)], 0 * texts, texts)
    return write_block(read, fields, WHATEVER, [version])


@pytest.mark.parametrize(
    ("after", "changes"),
    [
        ("a\nb;\nd", b'options[2]=\\"c\\"'),
        ("a\n\n", b'options[1]=\\"b%3B\\";options[2]=\\"c\\"'),
        ("a;\nb;\nc", b'options[0]=\\"a\\"'),
    ],
)
def test_options_that_changed_are_named_one_by_one(compiled, using, after, changes):
    with using(compiled):
        lines, _ = with_options(after=after)
    assert b'"options":["%b"]' % after.encode().replace(b"\n", b'","') in lines.tobytes()
    assert b"same" + changes in lines.tobytes()


@pytest.mark.parametrize("items", [-2, -1, 0, 4, 1 << 30])
def test_options_are_no_lists_of_other_sizes(compiled, using, items):
    with using(compiled):
        if items < 1:
            with pytest.raises(IndexError, match="write_block"):
                with_options(items)
        else:
            assert with_options(items) is None
