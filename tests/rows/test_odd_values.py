"""Rows of a block with a value that is not usual: they are left to Python, and no others."""

import pytest
from both_ways import needs_kernels, perturbed_both_ways

from perturb.engine.native import binding
from perturb.plan.job import job_of
from perturb.rows.block import perturb_lines
from perturb.stream.blocks import perturb_block


@needs_kernels
@pytest.mark.parametrize("behind", [b"", b'\n{"text": "c", "more": []}\n'])
@pytest.mark.parametrize(
    ("more", "job"),
    [
        (b"[[0, 99]]", {"spans": "more"}),
        (b'[[0, 1], "x"]', {"spans": "more"}),
        (b"[[0, 100000000000000000000]]", {"spans": "more"}),
        (b'[{"start": 0, "end": 1, "text": "c"}]', {"protect": "field:more", "offsets": "utf16"}),
        (b'["X", "X"]', {"spans": "more"}),
        (b"3", {"spans": "more", "offsets": "bytes"}),
        (b"[[0, 1]]", {"spans": "more", "span_policy": "refuse"}),
        (b'["b and some words", "b and some words"]', {"copies": "follow"}),
    ],
)
def test_a_value_that_is_not_usual_costs_its_row(more, job, behind):
    """Of thousands of rows with spans one that was wrong left all to Python."""
    lines = b'{"text": "a", "more": []}\n' + (
        line := b'{"text": "b and some words", "more": %b}' % more
    )
    job = job_of("case:style=upper,p=1", **job)
    made = perturb_lines(5, lines + behind, job)
    assert made.left == [(1, 6, line)]
    assert made.numbers.tolist() == [5, 7][: 1 + bool(behind)]
    ours, expected = perturbed_both_ways(job, False, 5, lines + behind)
    assert ours == expected


@needs_kernels
def test_answers_of_two_kinds_are_named_in_one_order():
    """Strings first, whether a kernel writes the line or not."""
    row = b'{"id": "%d", "text": ["x", "y"], "at": 1, "answer": "x"}'
    lines = b"\n".join(row % number for number in range(9))
    job = job_of("option_shuffle:form=lines", target=["at", "answer"])
    ours, expected = perturbed_both_ways(job, False, 1, lines)
    assert ours == expected


@needs_kernels
def test_an_answer_that_is_none_of_the_options_costs_its_row():
    """One row in two thousand made all of them as slow as rows of Python."""
    row = b'{"text": ["one", "two"], "answer": %b}'
    lines = [row % answer for answer in (b'"one"', b'"none"', b'"two"', b"7", b"1")]
    job = job_of("option_shuffle:form=lines", target="answer")
    made = perturb_lines(1, b"\n".join(lines), job)
    assert made.left == [(1, 2, lines[1]), (2, 4, lines[3])]
    ours, expected = perturbed_both_ways(job, False, 1, b"\n".join(lines))
    assert ours == expected


@pytest.mark.parametrize("library", [binding.LIBRARY, None])
@pytest.mark.parametrize("answer", [b"NaN", b"[NaN]", b"Infinity", b'{"a":NaN}'])
def test_an_answer_that_is_no_number_stays(monkeypatch, answer, library):
    """NaN was named among the changes, and its row mapped, though all stood as before."""
    monkeypatch.setattr(binding, "LIBRARY", library)
    job = job_of("identity", target="answer")
    data = bytes(perturb_block(job, True, 1, b'{"text":"one two","answer":%b}' % answer).data)
    assert b'"answer":%b,' % answer in data
    assert b'"status":"no site","expect":"same","edits":"id="' in data
