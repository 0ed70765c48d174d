"""Rows restored as blocks: what is taken is what each row gives alone, whatever was done to it."""

import random
import re

import orjson
import pytest

import perturb
from perturb.engine.native import binding
from perturb.errors import PerturbError
from perturb.plan.job import job_of
from perturb.rows.stored import stored
from perturb.rows.stored_block import stored_lines
from perturb.rows.verify import verify_lines, verify_rows
from perturb.stream.blocks import perturb_block

pytestmark = pytest.mark.skipif(binding.LIBRARY is None, reason="there are no kernels")

TEXTS = ["How many eggs?", "50% off; a|b>c=d+e", 'a "quote" \\ and\nlines', "Wie viele Äpfel? 🍎"]
ROWS = [
    {
        "id": [f"q{at}", at, None, f"text:{at}"][at % 4],
        "question": text,
        "data": {"question": text[::-1]},
        "messages": [{"role": "user", "content": text}, {"role": "bot", "content": text * 2}],
        "score": at / 4,
    }
    for at, text in enumerate([*TEXTS, "日本 x"] * 4)
] + [{"question": "No id here; really"}, {"question": "1.10", "odd": 1e-7}]
JOBS = (
    {"field": "question"},
    {"field": "data.question", "with_original": True},
    {"field": "messages[*].content", "replicates": 2},
    {"field": ["messages[role=user].content", "question"], "lean": True},
)
STEPS = ("keyboard_typos:p=0.3", "char_delete:p=0.3", "leetspeak:p=0.5", "word_swap:p=0.5")


def lines_made(at):
    options = {"missing": "keep", **JOBS[at % len(JOBS)]}
    job = job_of(STEPS[at // len(JOBS) % len(STEPS)], None, **options)
    rows = b"".join(orjson.dumps(row) + b"\n" for row in ROWS)
    return bytes(perturb_block(job, True, 1, rows).data).splitlines()


def test_a_line_with_another_end_is_left() -> None:
    line = lines_made(0)[0]
    assert stored_lines([line]) != [None]
    others = [line[:-1] + b"\0", line[:-1] + b"]", line[:-1], line[:-3] + b"}}"]
    assert stored_lines(others) == [None] * 4
    assert stored_lines([*others, line]) == [*[None] * 4, *stored_lines([line])]


def test_an_id_that_json_has_otherwise_is_left() -> None:
    line = next(line for line in lines_made(0) if b'"id=1' in line)
    assert stored_lines([line]) != [None]
    for other in (b"1 ", b"01", b"1.0", b"-0", b"[1]"):
        assert stored_lines([line.replace(b'"id=1', b'"id=' + other)]) == [None]


def test_half_a_surrogate_before_is_left() -> None:
    lines = [line for line in lines_made(0) if b'"edits":"question|' in line]
    changed = [re.sub(rb'("question\|\d+:)[^>|]*>', rb"\1%ED%A0%80>", line) for line in lines]
    assert lines
    assert stored_lines(changed) == [None] * len(lines)


@pytest.mark.parametrize("at", range(len(JOBS) * len(STEPS)))
def test_rows_are_what_each_of_them_is_alone(at) -> None:
    lines = lines_made(at)
    found = stored_lines(lines)
    for line, own in zip(lines, found, strict=True):
        parts = stored(orjson.loads(line))
        if own is not None:
            assert (own.original, own.record) == (orjson.dumps(parts.row), parts.linkage)
    assert sum(own is not None for own in found) >= len(lines) * 2 / 3
    # An id of null comes back as none, so that its row made again has the id at its end.
    assert sum(each is not None for each in verify_lines(lines)) >= len(lines) * 2 / 3


@pytest.mark.parametrize("at", range(len(JOBS) * len(STEPS)))
def test_changed_rows_are_refused_or_what_they_are_alone(at) -> None:
    draw = random.Random(at)
    lines = lines_made(at)
    for _ in range(10):
        mutated = [mutation(draw, line, draw.choice(lines)) for line in lines]
        for line, own in zip(mutated, stored_lines(mutated), strict=True):
            if own is not None:
                parts = stored(orjson.loads(line))
                # Numbers keep the form that they have, as in 3.0e50.
                assert (orjson.loads(own.original), own.record) == (parts.row, parts.linkage)
        for line, own in zip(mutated, verify_lines(mutated), strict=True):
            if own is not None:
                verify_rows([orjson.loads(line)])


def mutation(draw, line, other):
    """A line with some bytes changed, left out, or put in from another."""
    for _ in range(draw.randrange(1, 3)):
        start = draw.randrange(len(line))
        end = min(len(line), start + draw.randrange(4))
        place = draw.randrange(len(other))
        new = [b"", bytes([draw.choice(b'0:;|>=%"\\{},')]), other[place : place + 3]]
        line = line[:start] + draw.choice(new) + line[end:]
    return line


def test_a_record_of_no_known_status_is_left() -> None:
    known, new = b'"status":"changed"', b'"status":"new"'
    lines = [line.replace(known, new) for line in lines_made(0) if known in line]
    assert stored_lines(lines) == [None] * len(lines)
    with pytest.raises(PerturbError, match="status"):
        stored(orjson.loads(lines[0]))


@pytest.mark.parametrize(
    ("steps", "options"),
    [
        ("case:style=upper,p=1", {"target": "a"}),
        ("option_shuffle:form=lines", {"field": "options", "target": "a"}),
        ("char_delete:p=0.2", {"spans": "spans"}),
        ("case:style=upper,p=1", {"target": "n", "spans": "objects"}),
    ],
)
def test_rows_with_answers_and_spans_are_verified_and_restored_as_lines(steps, options) -> None:
    """Strings that are answers are in the check."""
    row = {"id": 1, "text": "one two three", "options": ["one", "two", "six"], "a": "B", "n": 1}
    row |= {"spans": [[0, 3], [8, 13]], "objects": [{"start": 4, "end": 7, "text": "two"}]}
    rows = [{**row, "id": number} for number in range(9)]
    job = job_of(steps, None, **options)
    made = bytes(perturb_block(job, True, 1, b"\n".join(map(orjson.dumps, rows))).data).splitlines()
    originals = [orjson.dumps(row) for row in rows]
    for parts in (verify_lines(made), stored_lines(made)):
        assert [part and part.original for part in parts] == originals


def test_an_answer_that_was_changed_is_refused() -> None:
    """Only a restored row is held against its check, which has the answers in it."""
    job = job_of("case:style=upper,p=1", target="a")
    made = bytes(perturb_block(job, True, 1, b'{"id":1,"text":"one two","a":"B"}').data)
    forged = made.splitlines()[0].replace(b'"a":"B"', b'"a":"C"')
    assert verify_lines([forged]) == stored_lines([forged]) == [None]
    with pytest.raises(PerturbError):
        verify_rows([orjson.loads(forged)])


def test_a_record_that_was_read_is_verified_with_its_row():
    """It knew its text alone, and the steps asked for the spans beside it."""
    rows = [{"id": "a", "text": "one two three", "spans": [[0, 3]]}]
    made = [*perturb.augment(rows, "char_delete:p=0.3", spans="spans")]
    (record,) = perturb.read_records(made)
    assert perturb.verify(record)
