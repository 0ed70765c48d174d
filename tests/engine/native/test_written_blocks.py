"""Rows of blocks are written again with what became of their texts, answers and options."""

import json

import numpy as np
import pytest
from native_rows import ID, LINE, PLAIN, WHATEVER, written

from perturb.engine.edits import Edits
from perturb.engine.native import blocks
from perturb.engine.native.blocks import (
    OTHER,
    Part,
    Path,
    Version,
    fields_of,
    read_block,
    write_block,
)
from perturb.engine.text.strings import Strings, column
from perturb.records.ids import check_of


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
    fields = fields_of([*paths, ID], b"perturbation")
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
