"""Lines perturbed from bytes to bytes: the same as from rows, or left to these."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.engine.native import binding
from perturb.io.jsonl import parsed
from perturb.plan.job import job_of
from perturb.rows import plain_lines
from perturb.rows.plain_lines import perturb_lines
from perturb.stream import blocks

WORDS = ["the cat", "naïve", "10 €", 'a "quote"', "\\", "\n", "Привет", "😀", "", "x" * 70, "\x07"]
WORDS += ["7" * 30]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
STEPS = [
    "keyboard_typos:p=0.3",
    "char_swap:p=0.5",
    "identity",
    "typo_mix:p=0.4",
    "case:style=upper",
]


@pytest.fixture(autouse=True)
def _few_rows_are_enough(monkeypatch):
    monkeypatch.setattr(plain_lines, "_FEWEST_ROWS", 1)


needs_kernels = pytest.mark.skipif(binding.LIBRARY is None, reason="there are no kernels")


@st.composite
def lines_of_rows(draw):
    """Rows with ids of one kind, or none, in one order of fields."""
    kind = draw(st.sampled_from(["none", "null", "number", "string", "of a text"]))
    fields = draw(st.permutations(["question", "id", "more"]))
    ids = {"null": lambda _: None, "number": int, "string": 'q{}"é'.format}
    name = ids.get(kind, "text:{:016x}".format)
    rows = []
    for number, text in enumerate(draw(st.lists(TEXTS, min_size=1, max_size=6))):
        row = {"question": text, "id": name(number), "more": [text, 0.5, {"n": None}]}
        rows.append({field: row[field] for field in fields if (kind, field) != ("none", "id")})
    ascii_only = draw(st.booleans())
    return "\n".join(json.dumps(row, ensure_ascii=ascii_only) for row in rows).encode()


@needs_kernels
@given(
    lines_of_rows(),
    st.lists(st.sampled_from(STEPS), min_size=1, max_size=2),
    st.fixed_dictionaries({}, optional={"lean": st.just(True), "replicates": st.just(3)}),
)
def test_lines_are_those_of_rows(lines, steps, options):
    """Bytes, counts and ids."""
    job = job_of(steps, field="question", seed=4, **options)
    made = perturb_lines(lines, job)
    rows = blocks.Block()
    blocks.perturb_as_rows(job, True, list(parsed(1, lines)), rows)
    assert not rows.bad or (options.get("lean") and made is None)
    if made is not None:
        assert made.data == rows.data
        assert vars(made.counts) == vars(rows.counts)
        keys = np.empty(0) if made.keys is None else made.keys
        assert keys.tolist() == rows.ids.hashes.tolist()


@needs_kernels
def test_usual_lines_take_this_way():
    """With ids or none, many versions, in several scripts."""
    lines = '{"text": "One two", "id": 1}\n{"text": "Привет – мир", "id": 2}\n'.encode()
    for options in ({}, {"lean": True}, {"replicates": 2}):
        job = job_of(["typo_mix:p=0.2", "case:p=1"], **options)
        assert perturb_lines(lines, job) is not None


@needs_kernels
@pytest.mark.parametrize(
    "lines",
    [
        b"",
        b'{"text": "a", "id": 1}\n{"text": "b"}\n',
        b'{"text": "a", "id": 1}\n{"id": 2, "text": "b"}\n',
        b'{"text": "a", "id": 1}\n{"text": "b", "id": null}\n',
        b'{"text": "\xff"}\n',
        b'\xef\xbb\xbf{"text": "a"}\n',
        b'{"text": "a"}\n\n',
        b'{"text": ["a"]}\n',
    ],
)
def test_what_is_not_usual_is_left_to_rows(lines):
    assert perturb_lines(lines, job_of("typo_mix")) is None


@needs_kernels
def test_few_rows_are_left_to_rows(monkeypatch):
    """They are faster there."""
    monkeypatch.setattr(plain_lines, "_FEWEST_ROWS", 3)
    lines, job = b'{"text": "Some words here"}\n', job_of("typo_mix")
    assert perturb_lines(2 * lines, job) is None
    assert perturb_lines(3 * lines, job) is not None


def test_jobs_that_need_rows():
    """Those that read or write more than a text and an id."""
    lines, job = b'{"text": "Some words here"}\n', job_of("typo_mix")
    assert (perturb_lines(lines, job) is None) == (binding.LIBRARY is None)
    for options in ({"with_original": True}, {"spans": "s"}, {"field": "a[*].text"}):
        assert perturb_lines(lines, job_of("typo_mix", **options)) is None


def test_without_kernels_all_is_left_to_rows(monkeypatch):
    monkeypatch.setattr(binding, "LIBRARY", None)
    assert perturb_lines(b'{"text": "a"}\n', job_of("typo_mix")) is None
