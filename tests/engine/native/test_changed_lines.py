"""Lines that someone changed, and lines of any size: what kernels take of them is what it is as rows."""

import os
import random
import time
from functools import cache

import orjson
import pytest

from perturb.errors import PerturbError
from perturb.io.jsonl import dumps, loads, parsed
from perturb.plan.job import job_of
from perturb.rows.stored import stored
from perturb.rows.stored_block import stored_lines
from perturb.stream.blocks import Block, _perturb_as_rows, perturb_block

SECONDS = float(os.environ.get("FUZZ_SECONDS", "1"))
TOKENS = (
    *(b'"', b"\\", b",", b":", b"{", b"}", b"[", b"]", b"null", b"true", b"1e-5", b"-0", b"0.1"),
    *(b"0.30000000000000004", b"1.10", b"123456789012345678901", b"\\u00e9", b"\\ud83d\\ude00"),
    *(b"\\ud800", b"\xc3\xa9", b"\xf0\x9f\x98\x80", b"\xcc\x81", b'"id"', b'"id":5,', b'"text"'),
    *(b'"content"', b'"role":"user",', b'"said"', b'"perturbation":1,', b" ", b"\t", b"\r"),
    *(b"\\n", b"|", b"text:0123456789abcdef", b"\x00", b'"a":{},', b"[]", b'{"role":"user"},'),
    *(b'{"role":1,"content":"x y"},', b"\xed\xa0\x80", b"\xc0\x80", b'"x",', b"%", b";", b">"),
    *(b'"type":"text",', b'"type":"input_text",', b'"type":"function",', b'"type":"x",'),
    *(b'{"type":"text","text":"x y"},', b'{"text":"x y"},', b'"parameters":1,', b'{"type":"x"},'),
    *(b"NaN", b"Infinity", b"-Infinity", b"\\/", b'\\"', b'"data.id":"q",', b'"content":['),
    *(
        b'"data.text":"x y",',
        b'"caf\\u00e9":',
        b'["a","b"]',
        b"[0,1]",
        b'[{"start":0,"end":1}]',
        b'"red"',
        b"2",
        b'"answer":',
        b'"spans":',
    ),
)
WORDS = (
    "How",
    "many",
    "eggs?",
    "a|b",
    '"x"',
    "\\",
    "5%",
    "Äpfel",
    "😀",
    "\n",
    "Anna",
    "漢字",
    "\x01",
    ";>",
)
LINES = [
    orjson.dumps(
        {
            "id": [f"q{at}", at, None][at % 3],
            "text": text,
            "data": {"text": text[::-1], "id": [at, f'q"{at}', None][at % 3]},
            "said": [{"role": role, "content": text + role} for role in ("user", "bot", "user")],
            "talk": [
                {"role": "user", "content": [{"type": "text", "text": text}, {"type": "image"}]},
                {"role": "user", "content": [{"text": text}, {"text": "x"}] if at % 2 else text},
                {"role": "bot", "content": [{"type": "image"}, {"type": "text", "text": text}]},
            ],
            "parts": [{"text": text}],
            "score": at / 8,
            "answer": [text[:3], "B", 1, "red"][at],
            "options": ["red", "blue", "a b", "Anna met Bob"],
            "spans": [[0, 3], [2, 4, "x"]]
            if at % 2
            else [{"start": 1, "end": 2, ["text", "tag"][at // 2]: text[1]}],
        }
    )
    for at, text in enumerate(["How many eggs?", 'a "b"\\ c', "Wie viele Äpfel?", "a|b; 5%\n😀"])
]
FIELDS = (
    *("text", "data.text", "said[role=user].content", "said[*].content", "said[-1].content"),
    *("said[role=user][-1].content", "said[1].role", ["said[0].content", "text"]),
    *("talk[role=user].content", "talk[*].content", "talk[role=user][0].content", "parts"),
    ["talk[-1].content", "parts", "said[role=user].content"],
)
ANSWERED = (
    {"field": "options", "target": "answer"},
    {"field": ["text", "options"], "target": ["answer", "data.text"]},
    {"field": "text", "choices": "options", "target": "answer"},
    {"field": ["data.text", "text"], "choices": "options", "target": ["answer", "said[0].role"]},
    {"field": "text", "spans": "spans", "protect": "number"},
    {"field": "text", "spans": "spans", "offsets": "utf16"},
    {"field": "text", "spans": "spans", "only": "field:spans", "span_policy": "drop"},
    {"field": "text", "id_field": "data.id"},
    {"field": ["data.text", "talk[*].content"], "id_field": "talk[-1].role"},
    {"field": "talk[role=user].content", "target": "talk[role=bot].content", "id_field": "data.id"},
)
OPTIONS = ({}, {"with_original": True}, {"replicates": 2, "lean": True}, {"missing": "keep"})
STEPS = (
    "keyboard_typos:p=0.3",
    "option_shuffle:form=lines",
    "option_shuffle",
    "name_swap:p=0.5",
    "leetspeak:p=1",
    ["case:p=0.3", "char_delete:p=0.1"],
)


@cache
def jobs():
    return [
        job_of(steps, None, **{**(field if type(field) is dict else {"field": field}), **options})
        for field in (*FIELDS, *ANSWERED)
        for options in OPTIONS
        for steps in STEPS
    ]


def changed(draw, line):
    line = bytearray(line)
    for _ in range(draw.choice((0, 1, 1, 1, 2, 3))):
        start = draw.randrange(len(line) + 1)
        end = min(len(line), start + draw.choice((0, 0, 0, 1, 1, 2, 5)))
        if draw.random() < 0.4:
            signs = [at for at, code in enumerate(line) if code in b'",:{[]}'] or [0]
            start = end = draw.choice(signs) + draw.choice((0, 1))
        any_byte = bytes([draw.randrange(256)])
        line[start:end] = any_byte if draw.random() < 0.15 else draw.choice(TOKENS)
    return bytes(line).replace(b"\n", b" ")


def as_rows(job, lines):
    block = Block()
    made, block.ids = _perturb_as_rows(job, False, list(parsed(1, lines, as_written=True)), block)
    block.data = b"".join(made.values())
    return block


def outcome(perturb, *arguments):
    """What came of lines, or which error."""
    try:
        block = perturb(*arguments)
    except PerturbError as error:
        return str(error)
    ids = sorted(zip(block.ids.numbers.tolist(), block.ids.hashes.tolist(), strict=True))
    return bytes(block.data), block.bad, ids


@pytest.mark.parametrize("seed", range(2))
def test_changed_lines_are_what_their_rows_are(compiled, using, seed) -> None:
    """With FUZZ_SECONDS in the environment it goes on for so long."""
    draw, end = random.Random(seed), time.monotonic() + SECONDS
    with using(compiled):
        while time.monotonic() < end:
            job, count = draw.choice(jobs()), draw.choice((1, 6, 200))
            lines = b"\n".join(changed(draw, draw.choice(LINES)) for _ in range(count))
            made = outcome(perturb_block, job, False, 1, lines)
            assert made == outcome(as_rows, job, lines), (job.field, job.options, lines)
            if isinstance(made, str):
                continue
            written = [changed(draw, line) for line in made[0].splitlines()]
            for line, own in zip(written, stored_lines(written), strict=True):
                if own is not None:
                    parts = stored(loads(line, as_written=True))
                    assert (own.original + b"\n", own.record) == (dumps(parts.row), parts.linkage)


def size(draw, most):
    """From 0 to `most`; each order of magnitude is as likely."""
    return round((most + 1) ** draw.random()) - 1


def text(draw, most):
    """Of few words, of many, or of what JSON and records escape."""
    words, length = draw.sample(WORDS, draw.choice((1, 3, len(WORDS)))), size(draw, most)
    return " ".join(draw.choice(words) for _ in range(length))[:length]


def row(draw, long, many):
    """A row with the fields of `LINES` in any order, and with as many texts and spans."""
    question = text(draw, long)
    options = [text(draw, 30) for _ in range(1 + size(draw, many))]
    starts = [draw.randrange(len(question)) for _ in range(min(len(question), size(draw, many)))]
    items = {
        "id": draw.choice([text(draw, long // 10), size(draw, 10**9), None]),
        "text": question,
        "data": {"text": draw.choice([question, question[::-1], question[: long // 2]])},
        "said": [
            {"role": draw.choice(("user", "bot")), "content": draw.choice([question[:20], option])}
            for option in options
        ],
        "talk": [{"role": "user", "content": [{"type": "text", "text": each} for each in options]}],
        "parts": [{"text": question}],
        "answer": draw.choice([draw.choice(options), size(draw, len(options) - 1), "B"]),
        "options": options,
        "spans": [[start, len(question), "x" * size(draw, 50)] for start in sorted(starts)],
        "more" * (1 + size(draw, long)): text(draw, long),
    }
    return dumps(dict(draw.sample([*items.items()], len(items))))


@pytest.mark.parametrize("seed", range(2))
def test_rows_of_any_size_are_what_they_are_as_rows(compiled, using, seed) -> None:
    """The room for their lines is guessed, and ends in any of them; see FUZZ_SECONDS above."""
    draw, end = random.Random(seed), time.monotonic() + SECONDS
    with using(compiled):
        while time.monotonic() < end:
            job = draw.choice(jobs())
            long, many, count = draw.choice(
                ((50, 5, 300), (3000, 40, 40), (300, 1000, 9), (10**5, 9, 9))
            )
            lines = b"".join(row(draw, long, many) for _ in range(1 + size(draw, count)))
            made = outcome(perturb_block, job, False, 1, lines)
            assert made == outcome(as_rows, job, lines), (job.field, job.options, lines)


@pytest.mark.parametrize("length", [1, 300, 600, 13_000])
@pytest.mark.parametrize("options", [{}, {"with_original": True}])
def test_long_rows_are_written_in_several_parts(compiled, using, length, options) -> None:
    """Their lines together are longer than what is laid by for them."""
    job = job_of("keyboard_typos", p=0.1, field="text", **options)
    text = "The quick brown fox. " * length
    lines = b"".join(dumps({"id": f"q{at}", "text": text}) for at in range(14))
    with using(compiled):
        made = outcome(perturb_block, job, False, 1, lines)
    assert made == outcome(as_rows, job, lines)
    assert made[0].count(b"\n") == 14 * job.rows_each
