"""Which rows and which jobs are perturbed as blocks, and which are left to Python."""

import pytest
from both_ways import needs_kernels, perturbed_both_ways

from perturb.engine.native import binding
from perturb.io.jsonl import dumps, loads
from perturb.plan.job import job_of
from perturb.rows import block
from perturb.rows.block import perturb_lines
from perturb.rows.stored_block import stored_lines
from perturb.rows.verify import verify_lines

MANY = {"field": "m[*].c"}


@needs_kernels
@pytest.mark.parametrize(
    ("line", "job"),
    [
        (b'{"m":[{"c":"one two"},{"tool":1}]}', {"field": "m[*].c"}),
        (b'{"m":[{"c":"one two"},{"c":null}]}', {"field": "m[*].c", "missing": "keep"}),
        (b'{"a":"one two"}', {"field": ["a", "b"], "missing": "skip"}),
        (b'{"text":"one two","caf\\u00e9":1,"x":{"\\"":2}}', {}),
        (b'{"caf\\u00e9":"one two"}', {"field": "café"}),
        (b'{"a.b":"one two"}', {"field": "a.b"}),
        (b'{"a.b":[{"type":"text","text":"one two"}]}', {"field": "a.b"}),
        (b'{"m":[{"c":"one two"},{"c":[{"text":"x"},{"text":"y"}]},{"c":[{"type":"t"}]}]}', MANY),
        (b'{"m":[{"r":"u","c":"one two"},{"c":"x","r":"u"}]}', {"field": "m[r=u][0].c"}),
        (b'{"text":"one two","m":{"id":"a\\"b"}}', {"id_field": "m.id"}),
        (b'{"text":"one two","m.id":"a"}', {"id_field": "m.id"}),
        (b'{"text":"one two","m":[{"id":7},{"id":8}]}', {"id_field": "m[-1].id"}),
        (b'{"m":[{"a\\"b":"one two"},{}]}', {"field": 'm[*].a"b'}),
        (b'{"m":[{"a\\tb":"one two"},{}]}', {"field": "m[*].a\tb"}),
        (b'{"text":"one two","\\"":1,"i\\u0001d":"q"}', {"id_field": "i\x01d"}),
        (b'{"text":"one two","w":[NaN,-Infinity,Infinity]}', {}),
    ],
)
def test_rows_of_chats_and_tables_take_this_way(line, job):
    """Messages without a text, one field of two, keys in ASCII, fields with dots, and so on."""
    ours, expected = perturbed_both_ways(
        job := job_of("case:style=upper,p=1", **job), True, 1, line
    )
    assert ours == expected
    assert perturb_lines(1, line, job).left == []
    (again,) = stored_lines([ours[0][:-1]])
    assert again.original == dumps(loads(line, as_written=True))[:-1]
    assert verify_lines([ours[0][:-1]]) == [again]


@needs_kernels
@pytest.mark.parametrize(
    "line",
    [
        b'{"text": "b", "x": 01}',
        b'{"text": "b", "id": 1.5}',
        b'{"text": "b", "id": -0}',
        b'{"text": "b", "id": 123456789012345678901}',
        b'{"text": "b", "id": "\\ud800"}',
        b'{"text": "b", "id": {}}',
        b'{"text": [{"type":"text","text":"a"},{"type":"text","text":"b"}]}',
        b'{"text": [{"type":"text","text":"a"},{"name":"f","parameters":{}}]}',
        b'{"text": "b", "text": "c"}',
        b'{"text": "b\xff"}',
        b'{"text": "\\ud800"}',
        b'{"text": ["a\\n"]}',
        b'{"text": [1]}',
        b'{"text": []}',
        b"{",
    ],
)
def test_what_is_not_usual_costs_its_row(line):
    """The rows around it don't become rows of Python."""
    lines = b'{"text": "a"}\n' + line + b'\n{"text": "c"}\n'
    made = perturb_lines(5, lines, job_of("typo_mix"))
    assert made.left == [(1, 6, line)]
    assert made.numbers.tolist() == [5, 7]


@pytest.mark.parametrize(
    "options",
    [
        {"spans": "text"},
        {"field": "a[-2]"},
        {"field": "a[k=v][1]"},
        {"id_field": "a[k=v][0].id"},
        {"id_field": "a[-2]"},
        {"spans": "id"},
        {"field": "a[k=v][*]"},
        {"field": "a[*][*][*][*][*]"},
        {"field": [f"f{n}" for n in range(9)]},
    ],
)
def test_jobs_that_need_rows(options):
    """Those that read more than texts and an id, or find them in a way that kernels don't know."""
    assert perturb_lines(1, b'{"text": "a"}\n', job_of("typo_mix", **options)) is None


def test_without_kernels_all_is_left_to_rows(monkeypatch):
    monkeypatch.setattr(binding, "LIBRARY", None)
    assert perturb_lines(1, b'{"text": "a"}\n', job_of("typo_mix")) is None


@needs_kernels
def test_long_lines_are_left_to_rows(monkeypatch):
    monkeypatch.setattr(block, "_MOST_BYTES", 20)
    assert perturb_lines(1, b'{"text": "0123456789"}\n', job_of("typo_mix")) is None
