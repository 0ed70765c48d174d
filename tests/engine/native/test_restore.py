"""Rows as they were before their edits: written as they are read, or left to others."""

from itertools import pairwise

import numpy as np
import pytest

from perturb.engine.native import blocks
from perturb.engine.native.blocks import Part, Path, fields_of, read_block, restore_block
from perturb.records.ids import check_of

TEXT = Path(b"text", [Part("key", b"text", b"", b"text")], False)
ID = Path(b"id", [Part("key", b"id")], False, blocks.IDS, 0)
ROWS = fields_of([TEXT, ID], b"perturbation")
LINE = b'{"id":"q#typo","text":"xyz","n":1.10}'


def restored(lines, *changes, fields=ROWS, spoil=None):
    """The lines as they were, None for one that is left; and the checks of their texts."""
    read = read_block(lines, fields)
    assert read.rows == len(changes)
    if spoil is not None:
        spoil(read)
    data, ends, checks = restore_block(read, fields, changes, b'#typo"', b"id", checked=True)
    edges = [0, *ends.tolist()]
    each = [data[start:end].tobytes() or None for start, end in pairwise(edges)]
    return each, [f"x{check:08x}" for check in checks.tolist()]


@pytest.mark.parametrize(
    ("line", "changes", "before", "text"),
    [
        (LINE, "", b'{"id":"q","text":"xyz","n":1.10}', "xyz"),
        (LINE, "text|0:ab>xyz", b'{"id":"q","text":"ab","n":1.10}', "ab"),
        (LINE, "text|0:>x|2:%22%0A>", b'{"id":"q","text":"yz\\"\\n","n":1.10}', 'yz"\n'),
        (LINE, "text|1:%C3%A9>y;id=7", '{"id":7,"text":"xéz","n":1.10}'.encode(), "xéz"),
        (LINE, "text|3:é>;id=null", '{"id":null,"text":"xyzé","n":1.10}'.encode(), "xyzé"),
        (LINE, "id=", b'{"text":"xyz","n":1.10}', "xyz"),
        (b'{"text":"x\xc3\xa9","id":"q"}', "id=;text|1:e>\xe9", b'{"text":"xe"}', "xe"),
        (b'{"id":"q","text":"x"}', "id=", b'{"text":"x"}', "x"),
        (b'{"text":"x","n":2,"id":"a#typo"}', "", b'{"text":"x","n":2,"id":"a"}', "x"),
        (
            b'{"text":["x","c"],"id":3}',
            "text|0:a%0Ab>x;id=3",
            b'{"text":["a","b","c"],"id":3}',
            None,
        ),
    ],
)
def test_a_row_is_as_it_was(compiled, using, line, changes, before, text):
    with using(compiled):
        assert restored(line, changes) == (
            [before + b"\n"],
            [check_of(["a\nb\nc" if text is None else text])],
        )


@pytest.mark.parametrize(
    "changes",
    [
        *("text", "text|", "|0:a>x", ";", "id=1;", ";id=1", "id=1;id=1", "other=1", "text=1"),
        *("other|0:a>x", "text|0:a>x;text|1:a>y", "TEXT|0:a>x", "text|0:a>y", "text|3:>z"),
        *("text|1:a>y|0:a>x", "text|0:ab>x|1:>y", "text|0:x>x", "text|0:>", "text|4:a>"),
        *("text|:a>x", "text|-1:a>x", "text|0000000000:a>x", "text|0a>x", "text|0:ax", "text|0"),
        *("text|0:a>x>", "text|0:a|>x", "text|0:a>x|", "text|0:a>x||", "text|0: a>%"),
        *("text|0:%c3%a9>x", "text|0:%C3>x", "text|0:%ED%A0%80>x", "text|0:%G0>x", "text|0:%4>x"),
        *("id=01", "id=-0", "id=1.0", "id= 1", 'id="a"', "id=nul", "id=[1]", "id=%31", "id=1e5"),
    ],
)
def test_a_row_that_is_not_as_its_record_says_is_left(compiled, using, changes):
    """Not so those around it."""
    good = LINE.replace(b"#typo", b"")
    with using(compiled):
        rows, _ = restored(b"\n".join([LINE] * 3), "text|0:>xyz", changes, "")
    assert rows == [good.replace(b"xyz", b"") + b"\n", None, good + b"\n"]


@pytest.mark.parametrize(
    "line", [b'{"text":"x"}', b'{"text":"x","id":4}', b'{"text":"x","id":"#typo"}']
)
def test_a_row_whose_id_is_not_of_its_condition_is_left(compiled, using, line):
    with using(compiled):
        assert restored(line, "")[0] == (
            [None] if b"#" not in line else [b'{"text":"x","id":""}\n']
        )


def test_several_texts_are_undone_in_their_places(compiled, using):
    paths = [Path(key, [Part("key", key, b"", key)], True) for key in (b"b", b"a")]
    every = Path(b"c[*]", [Part("key", b"c", b"", b"c"), Part("all")], True)
    fields = fields_of([*paths, every, ID], b"perturbation")
    line = b'{"a":"1","id":"#typo","c":["x","y"],"b":"2"}'
    with using(compiled):
        rows, checks = restored(line, "b|0:B>2;a|0:A>1;c[1]|0:Y>y", fields=fields)
        assert rows == [b'{"a":"A","id":"","c":["x","Y"],"b":"B"}\n']
        assert checks == [check_of(["B", "A", "x", "Y"])]
        assert restored(line, "a|0:A>1;b|0:B>2", fields=fields)[0] == [None]


@pytest.mark.parametrize(
    ("key", "row", "changes", "before"),
    [
        (b"c", b'"c":["xyz"]', "c[0]|0:ab>xyz", None),
        (b"c", b'"c":[{"text":"xyz"}]', "c[0].text|0:ab>xyz", b'"c":[{"text":"ab"}]'),
        (b"c", b'"c":[{"text":"xyz"}]', "c|0:ab>xyz", None),
        (b"c", b'"c":[{"text":"xyz"}]', "c[1].text|0:ab>xyz", None),
        (b"c", b'"c":"xyz"', "c[0].text|0:ab>xyz", None),
    ],
)
def test_texts_in_parts_are_undone_where_they_are(compiled, using, key, row, changes, before):
    fields = fields_of([Path(key, [Part("key", key, b"", key)], False), ID], b"perturbation")
    with using(compiled):
        rows, _ = restored(b'{"id":"#typo",%b}' % row, changes, fields=fields)
    assert rows == [before and b'{"id":"",%b}\n' % before]


@pytest.mark.parametrize(
    ("line", "change", "before"),
    [
        (b'{"m":{"id":"q#typo","x":1},"text":"a"}', "", b'{"m":{"id":"q","x":1},"text":"a"}'),
        (b'{"m":{"id":"7#typo","x":1},"text":"a"}', "m.id=7", b'{"m":{"id":7,"x":1},"text":"a"}'),
        (b'{"m":{"id":"7#typo","x":1},"text":"a"}', "m.id=", None),
        (b'{"m":{"x":1,"id":"7#typo"},"text":"a"}', "m.id=", None),
        (b'{"m.id":"q\\"#typo","text":"a"}', "", b'{"m.id":"q\\"","text":"a"}'),
        (b'{"m.id":"q#typo","text":"a"}', "m.id=", None),
    ],
)
def test_ids_at_paths_are_undone(compiled, using, line, change, before):
    """None was absent there."""
    path = Path(b"m.id", [Part("key", b"m"), Part("key", b"id")], False, blocks.IDS, 2)
    fields = fields_of([TEXT, path], b"perturbation")
    read = read_block(line, fields)
    with using(compiled):
        data, _, _ = restore_block(read, fields, [change], b'#typo"', b"m.id", checked=True)
    assert data.tobytes() == (before + b"\n" if before else b"")


@pytest.mark.parametrize("column", [0, 1, 2, 3, 5, 6])
@pytest.mark.parametrize("wrong", [-2, 25, 1 << 40])
def test_rows_out_of_range_are_refused(compiled, using, column, wrong):
    def spoil(read):
        read.arrays["rows"][0, column] = wrong
        if column in (2, 3) and wrong == -2:
            read.arrays["rows"][0, 2:4] = 3, 2

    with using(compiled), pytest.raises(IndexError, match="restore_block"):
        restored(LINE, "text|0:ab>xyz;id=7", spoil=spoil)


@pytest.mark.parametrize("name", ["starts", "ends"])
@pytest.mark.parametrize("wrong", [-1, 6, 1 << 40])
def test_texts_out_of_range_are_refused(compiled, using, name, wrong):
    def spoil(read):
        read.arrays[name][0] = wrong

    with using(compiled), pytest.raises(IndexError, match="restore_block"):
        restored(LINE, "text|0:ab>xyz", spoil=spoil)


@pytest.mark.parametrize(
    ("leads_to", "line", "change", "value", "check"),
    [
        *((kind, "1.10", "", "1.10", []) for kind in (blocks.ANSWERS, blocks.SAID, blocks.VALUES)),
        (blocks.VALUES, "[[0,2]]", ';n=[ {"a%3B":1.10} ]', '[{"a;":1.10}]', []),
        (blocks.VALUES, '"a"', ';n="b"', '"b"', []),
        (blocks.SAID, '"a"', ';n="\\u00e9%25"', '"é%"', ["é%"]),
        (blocks.SAID, '"a"', ";n=2", "2", []),
        (blocks.SAID, "2", ';n="="', '"="', ["="]),
        (blocks.ANSWERS, '"a"', "", '"a"', ["a"]),
        (blocks.ANSWERS, '"a"', ";n|0:b>a", '"b"', ["b"]),
    ],
)
def test_other_values_are_undone(compiled, using, leads_to, line, change, value, check):
    path = Path(b"n", [Part("key", b"n", b"", b"n")], False, leads_to)
    fields = fields_of([TEXT, path, ID], b"perturbation")
    row = LINE.replace(b"1.10", line.encode())
    with using(compiled):
        assert restored(row, f"text|0:ab>xyz{change}", fields=fields) == (
            [f'{{"id":"q","text":"ab","n":{value}}}\n'.encode()],
            [check_of(["ab", *check])],
        )


@pytest.mark.parametrize("leads_to", [blocks.SAID, blocks.VALUES])
@pytest.mark.parametrize(
    "change",
    [
        *("n=", "n=1 2", "n=01", "n=[", 'n={"a":1,"a":2}', 'n="\\ud800"', "n=1>2", "n=%FF", "n=%3"),
        *("n|0:b>a", "n|0:a>", "n=1;n=2", "text=1", "n=1;text|0:a>x", 'n="\n"', "n=\n1", "n=1\n"),
    ],
)
def test_a_row_with_another_value_than_its_record_says_is_left(compiled, using, leads_to, change):
    path = Path(b"n", [Part("key", b"n", b"", b"n")], False, leads_to)
    fields = fields_of([TEXT, path, ID], b"perturbation")
    with using(compiled):
        assert restored(LINE.replace(b"1.10", b'"a"'), change, fields=fields)[0] == [None]


@pytest.mark.parametrize(
    ("codes", "starts", "ends"),
    [
        (b"text|0:>x", [0], [10]),
        (b"text|0:>x", [-1], [3]),
        (b"text|0:>x", [3], [2]),
        (b"text|0:>x", [], []),
        (b"text|0:\xc3>x", [0], [10]),
        (b"text|0:\xff>x", [0], [0]),
    ],
)
def test_changes_out_of_range_are_refused(compiled, using, monkeypatch, codes, starts, ends):
    made = blocks.Strings(np.frombuffer(codes, np.uint8), np.array(starts), np.array(ends))
    packed = blocks._column
    monkeypatch.setattr(blocks, "_column", lambda _: packed(made))
    with using(compiled), pytest.raises(IndexError, match="restore_block"):
        restored(LINE, "text|0:ab>xyz")
