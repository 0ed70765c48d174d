"""Rows with options in lists of their own, in blocks: the same as one by one, or left to these."""

import json

import numpy as np
import pytest
from both_ways import needs_kernels, perturbed_both_ways
from hypothesis import example, given
from hypothesis import strategies as st

from perturb.engine.answers import Permuted
from perturb.plan.job import job_of
from perturb.rows.block import perturb_lines
from perturb.rows.stored_block import stored_lines
from perturb.rows.verify import verify_lines
from perturb.stream.blocks import perturb_block

STEPS = [
    "option_shuffle",
    "option_shuffle:mode=rotate",
    "option_shuffle:keep_last=1",
    "option_labels",
    "distractor:kind=option",
    "keyboard_typos:p=0.3",
    "name_swap:p=1",
]
WORDS = ["red", "blue", "a, b", "A", "B", "1", "None of the above", "both A and B", "A. red", ""]
WORDS += ["two\nlines", "\x1e", "\t", 'a "quote"', "\\", "naïve", "😀", "| > ; = %", "x" * 70]
ANSWERS = st.sampled_from(
    [*WORDS, 0, 1, 2, -1, 9, True, None, 1.0, "b", "(B)", "C.", "0", "i", [0, 1], [1, 0, 0], ["A"]]
)
LABELS = ["ABCDEF", "abcdef", "123456", "012345", "BACDEF"]
JOBS = [
    {"field": "question", "choices": "choices"},
    {"field": "question", "choices": "choices", "target": "answer"},
    {"field": "question", "choices": "A=choices", "target": ["answer", "more"]},
    {"field": "question", "choices": "1=choices", "target": "answer"},
    {"choices": "choices", "target": "answer"},
    {"field": ["question", "more"], "choices": "data.choices", "target": "answer"},
    {"field": "question", "choices": ["choices", "data.choices"], "target": "answer"},
    {"field": "question", "choices": "choices", "spans": "spans", "target": "answer"},
    {"field": "question", "choices": "choices", "copies": "follow"},
    {"field": "choices", "target": "answer"},
]
OPTIONS = {
    "lean": st.just(True),
    "replicates": st.just(2),
    "with_original": st.just(True),
    "fixed": st.just("red"),
    "protect": st.just("url"),
    "missing": st.just("keep"),
}


@st.composite
def lines_of_rows(draw):
    """Rows with options, most of them usual, in one or two fields; and all that is beside these."""
    lines = []
    for number in range(draw(st.integers(1, 5))):
        usual = draw(st.booleans())
        words = [f"{word} q{number}" for word in ("red", "blue", "green", "grey")]
        options = words if usual else draw(st.lists(st.sampled_from(WORDS), max_size=5))
        row = {
            "id": number,
            "question": draw(st.sampled_from([*WORDS, "A. x B. y", " ".join(options)])),
            "choices": options,
            "data": {
                "choices": draw(st.permutations(options)),
                "label": [*draw(st.sampled_from(LABELS))][: len(options)],
            },
            "answer": draw(st.sampled_from([0, 1, "A", "b", *options]) if usual else ANSWERS),
            "more": draw(st.sampled_from(["A", "red", "\n".join(options)])),
            "spans": [[0, 1]],
        }
        if draw(st.booleans()):
            row["labels"] = [*draw(st.sampled_from(LABELS))][: len(options)]
        if draw(st.booleans()):
            row["prompt"] = " ".join(f"{a}. {b}" for a, b in zip("ABCDE", options, strict=False))
        for name in draw(st.sets(st.sampled_from(["id", "choices", "answer"]), max_size=1)):
            del row[name]
        lines.append(json.dumps(row))
    return "\n".join(lines).encode()


@pytest.mark.slow
@needs_kernels
@given(
    lines_of_rows(),
    st.lists(st.sampled_from(STEPS), min_size=1, max_size=2),
    st.sampled_from(JOBS),
    st.fixed_dictionaries({}, optional=OPTIONS),
)
@example(b'{"question": "Q", "choices": ["a", "b"], "labels": ["B", "A"]}', STEPS[:1], JOBS[1], {})
@example(b'{"question": "Q", "choices": ["a", "b\\u001e"], "answer": 1}', STEPS[:1], JOBS[1], {})
def test_options_are_those_of_rows(lines, steps, fields, options):
    form = ":form=lines" * ("choices" not in fields)
    steps = [step + form if step == "option_shuffle" else step for step in steps]
    job = job_of(steps, **{**fields, **options})
    ours, expected = perturbed_both_ways(job, False, 1, lines)
    assert ours == expected


USUAL = {
    "question": "What is it?",
    "choices": ["the red", "a blue", "green", "grey"],
    "data": {"text": ["x y", "y z", "z"], "label": ["1", "2", "3"]},
    "answer": 2,
}


@needs_kernels
@pytest.mark.parametrize("step", STEPS[:6])
@pytest.mark.parametrize("answer", [2, "C", "green", "1", [0, 0, 1, 0]])
@pytest.mark.parametrize("more", [{"target": "answer"}, {}])
def test_usual_options_take_this_way(step, answer, more):
    lines = json.dumps({**USUAL, "answer": answer}).encode()
    job = job_of(step, field="question", choices="choices", **more)
    made = perturb_lines(1, lines, job)
    # A further option changes more of its row than the list.
    assert len(made.left) == (step == "distractor:kind=option")


@needs_kernels
@pytest.mark.parametrize(
    ("odd", "job"),
    [
        ({"choices": []}, {}),
        ({"choices": ["a", "b\nc", "d"]}, {}),
        ({"choices": ["a", "b\x1f", "d"]}, {}),
        ({"choices": ["a", 1]}, {}),
        ({"choices": {"A": "red", "B": "blue"}}, {}),
        ({"choices": [{"text": "a"}, {"text": "b"}]}, {}),
        ({"question": "A. the red B. a blue C. green D. grey"}, {}),
        ({"answer": "none"}, {"target": "answer"}),
        ({"choices": [*map(str, range(10, 40))]}, {"choices": "A=choices"}),
    ],
)
def test_options_that_are_not_usual_cost_their_row(odd, job):
    rows = [USUAL, {**USUAL, **odd}, USUAL]
    lines = [json.dumps({"id": at, **row}).encode() for at, row in enumerate(rows)]
    job = job_of("option_shuffle", field="question", **{"choices": "choices", **job})
    made = perturb_lines(1, b"\n".join(lines), job)
    assert made.left == [(1, 2, lines[1])]
    ours, expected = perturbed_both_ways(job, False, 1, b"\n".join(lines))
    assert ours == expected


@needs_kernels
@pytest.mark.parametrize("step", ["option_shuffle", "keyboard_typos:p=0.3", "option_labels"])
@pytest.mark.parametrize("choices", ["choices", "A=data.text", ["data.text", "choices"]])
def test_options_are_verified_in_blocks(step, choices):
    """A line that differs in an option, in an answer or in what a record says of them is left."""
    answer = "answer" if isinstance(choices, str) else []
    rows = [{"id": f"q{at}", **USUAL, "answer": "AB"[at % 2]} for at in range(9)]
    job = job_of(step, field="question", choices=choices, target=answer, with_original=True)
    originals = [json.dumps(row, separators=(",", ":")).encode() for row in rows]
    lines = bytes(perturb_block(job, True, 1, b"\n".join(originals)).data).splitlines()
    for read in (verify_lines, stored_lines):
        given = [each.original for each in read(lines)]
        assert given == [each for each in originals for _ in range(2)]
    option = b'"green"' if choices == "choices" else b'"z"'
    wrong = [
        (option, b'"gray"'),
        (b"]=", b"]=%41"),
        *[(b'"answer":"', b'"answer":"x')][: len(answer)],
    ]
    for old, new in wrong:
        damaged = [line.replace(old, new) for line in lines]
        left = [line is None for line in verify_lines(damaged)]
        assert left == [old in line for line in lines]
        # What stands where an option was another before is not needed to restore it.
        assert {line.original for line in stored_lines(damaged) if line} <= {*originals}
        assert stored_lines(damaged)[0] is None or damaged[0] == lines[0]


@pytest.mark.parametrize(
    "options",
    [
        {"choices": "choices[*].text"},
        {"choices": "choices", "missing": "keep"},
        {"choices": "choices", "spans": "choices=spans"},
    ],
)
def test_jobs_with_options_that_need_rows(options):
    job = job_of("keyboard_typos", field="question", **options)
    assert perturb_lines(1, json.dumps(USUAL).encode(), job) is None


def test_orders_are_notes_where_they_are_read():
    """And have the numbers that texts have among others."""
    read = []
    notes = Permuted(np.array([0, 2]), np.array([0, 2]), np.array([1, 0, 2, 0, 1]), lambda: read)
    assert notes.orders() == [[1, 0], [2, 0, 1]]
    assert notes.of_rows(np.array([5, 6, 7])).texts.tolist() == [5, 7]
    read = {0: {"options": []}, 2: {"refused": []}}
    notes = Permuted(*(np.arange(1),) * 3, lambda: read).of_rows(np.array([5, 6, 7]))
    assert (len(notes), dict(notes)) == (2, {5: {"options": []}, 7: {"refused": []}})
