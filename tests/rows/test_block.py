"""Lines perturbed from bytes to bytes: the same as from rows, or left to these."""

import json

import pytest
from both_ways import needs_kernels, perturbed_both_ways
from hypothesis import example, given
from hypothesis import strategies as st

from perturb.engine.native import binding
from perturb.io.jsonl import dumps, loads, written_rows
from perturb.plan.job import job_of
from perturb.rows.block import perturb_lines
from perturb.rows.stored import restored
from perturb.rows.stored_block import stored_lines
from perturb.stream.blocks import perturb_block

WORDS = ["the cat", "naïve", "10 €", 'a "quote"', "\\", "\n", "Привет", "😀", "", "x" * 70, "\x07"]
WORDS += ["7" * 30, "Anna met Bob", "| a | b |"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
STEPS = [
    "keyboard_typos:p=0.3",
    "char_swap:p=0.5",
    "identity",
    "typo_mix:p=0.4",
    "case:style=upper",
    "name_swap:p=1",
    'char_replace:p=0.7,alphabet="\\"\\\\/a\\u0001\\n\\u007f"',
    'char_replace:p=0.7,alphabet="%|>=;+"',
    'char_replace:p=0.7,alphabet="é߿ࠀ\\uffff😀"',
    "filler:p=0.5",
    "one_of(ocr:p=0.5 | 2*case:p=0.3)",
]
ODD_NAMES = ["a%b", "x=y;z|w>", "\x85", '"é"', "a\\\t\x1f"]
FIELDS = [
    "question",
    *ODD_NAMES,
    "data.question",
    "chat[0].content",
    "chat[-1].content",
    "chat[*].content",
    "chat[role=user].content",
    "chat[role=user][-1].content",
    "chat[role=user][0].content",
    "content",
    "list[*]",
    "list",
    ["question", "chat[*].content"],
    ["chat[role=user].content", "question"],
    ["chat[role=user].content", "chat[role=assistant].content"],
    ["chat[-1].content", "chat[0].content"],
    ["chat[-1].content", "list[0]"],
    ["content", "chat[role=user][0].content", "chat[role=assistant].content"],
]
# A question with labelled options; a list of options; and what follows them.
ASKED = [f"Which? A. {first} B. {second}" for first, second in (("red", "blue"), ("x", "a b"))]
ASKED.append("Which?\n(a) red\n(b) green\nAnswer: b")
STEPS_OF_OPTIONS = ["option_shuffle", "option_labels", "keyboard_typos:p=0.3", "name_swap:p=1"]
JOBS_OF_VALUES = [
    {"field": "question", "target": "answer"},
    {"field": "choices", "target": "answer"},
    {"field": ["question", "choices"], "target": ["answer", "data.answer"]},
    {"field": "question", "spans": "spans"},
    {"field": "question", "spans": "spans", "span_policy": "drop"},
    {"field": "question", "spans": "spans", "span_policy": "refuse"},
    {"field": "question", "spans": "spans", "protect": "field:spans"},
    {"field": "question", "only": "field:spans", "protect": "number"},
    {"field": "chat[*].content", "spans": "chat[*].spans"},
    {"field": "chat[role=user].content", "spans": "chat[role=user].spans", "target": "answer"},
    {"field": ["question", "data.question"], "spans": ["question=spans", "data.question=more"]},
    {"field": "choices", "spans": "tags"},
    {"field": "parts[*].content", "spans": "parts[*].spans"},
    {"field": "parts[role=user].content", "target": "parts[role=assistant].content"},
]
OPTIONS = {
    "lean": st.just(True),
    "replicates": st.just(3),
    "with_original": st.just(True),
    "missing": st.sampled_from(["keep", "skip"]),
    "id_field": st.sampled_from(["data.id", "ids[0]", "ids[-1]", "more.id"]),
}
ROLES = st.sampled_from(["user", "assistant", "system", None, 1, 2.5])
IDS = st.one_of(
    st.integers(), st.text(max_size=3), st.none(), st.just("text:0123456789abcdef"), st.booleans()
)
TYPES = st.sampled_from(["text", "text", "input_text", "output_text", "image_url", "function", 1])
PARTS = st.lists(
    st.fixed_dictionaries({"type": TYPES, "text": TEXTS})
    | st.fixed_dictionaries({"text": TEXTS})
    | st.fixed_dictionaries(
        {"type": TYPES},
        optional={"text": TEXTS | st.none(), "url": TEXTS, "parameters": st.none()},
    ),
    max_size=3,
)
CONTENT = TEXTS | PARTS


@st.composite
def rows(draw):
    """Rows with most of the fields, in any order, and some of what is not usual."""
    said = st.lists(
        st.fixed_dictionaries({"role": ROLES, "content": CONTENT | st.none()})
        | st.fixed_dictionaries({"content": TEXTS})
        | st.fixed_dictionaries({"role": ROLES})
        | TEXTS,
        max_size=3,
    )
    made = st.fixed_dictionaries(
        {
            "question": TEXTS,
            **dict.fromkeys(ODD_NAMES, TEXTS),
            "data": st.fixed_dictionaries({"question": TEXTS}, optional={"id": IDS}),
            "chat": said,
            "content": CONTENT,
            "ids": st.lists(IDS, max_size=2),
        },
        optional={
            "id": IDS,
            "list": st.lists(TEXTS, max_size=3),
            "w": st.floats(),
            "null": st.none(),
            "data.question": TEXTS,
            "data.id": IDS,
            'é"': TEXTS,
        },
    )
    row = draw(made)
    return {name: row[name] for name in draw(st.permutations(list(row)))}


@st.composite
def lines_of_rows(draw):
    ascii_only = draw(st.booleans())
    lines = [json.dumps(row, ensure_ascii=ascii_only) for row in draw(st.lists(rows(), max_size=5))]
    for odd in draw(st.lists(st.sampled_from(["", "  ", "{", '{"question":1}']), max_size=2)):
        lines.insert(draw(st.integers(0, len(lines))), odd)
    return "\n".join(lines).encode()


SPANS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 3), st.sampled_from(["", 1, None])), max_size=2
)


def written_spans(spans, form, text):
    """Spans in one of their forms; those of objects say what stands there."""
    pairs = [(min(start, len(text)), min(start + size, len(text))) for start, size, _ in spans]
    labels = [label for *_, label in spans]
    copies = [text[start:end] for start, end in pairs]
    if form == "pairs":
        return [[*pair, label] for pair, label in zip(pairs, labels, strict=True)]
    if form == "objects":
        return [
            {"label": label, "start": start, "end": end, "text": copy}
            for (start, end), label, copy in zip(pairs, labels, copies, strict=True)
        ]
    if form == "words":
        return [{"begin": start, "end": end, "word": "?"} for start, end in pairs]
    return {"text": copies, "answer_start": [start for start, _ in pairs]}


@st.composite
def lines_of_values(draw):
    """Rows with answers, spans and lists, and few of what is refused."""
    names = ["Anna met Bob", "the cat", "naïve 😀", ""]
    texts = st.sampled_from([*names, *ASKED])
    answers = st.sampled_from(["A", "(b)", "red", "blue", 0, 1, "Anna", None, 7, 1.5, ["x"]])
    lines = []
    for number in range(draw(st.integers(0, 5))):
        form = draw(st.sampled_from(["pairs", "pairs", "objects", "words", "squad"]))

        def spans_of(text, form=form):
            return written_spans(draw(SPANS), form, text)

        chat = [
            {"role": role, "content": text, "spans": spans_of(text)}
            for role, text in draw(st.lists(st.tuples(ROLES, texts), max_size=3))
        ]
        parts = [
            {**each, "content": [{"type": "text", "text": each["content"]}, {"type": "image"}]}
            for each in chat
        ]
        question, other = draw(texts), draw(texts)
        choices = draw(st.lists(st.sampled_from(["red", "blue", "x y", "é"]), max_size=4))
        row = {
            "id": draw(st.sampled_from([f"q{number}", number, None])),
            "question": question,
            "data": {"answer": draw(answers), "question": other},
            "answer": draw(answers),
            "choices": choices if draw(st.integers(0, 5)) else draw(answers),
            "tags": draw(st.sampled_from(["O", 7])) * bool(choices) and ["O"] * len(choices),
            "spans": spans_of(question) if draw(st.integers(0, 9)) else draw(answers),
            "more": spans_of(other),
            "chat": chat,
            "parts": parts,
        }
        order = draw(st.permutations(list(row)))
        lines.append(json.dumps({name: row[name] for name in order}, ensure_ascii=False))
    return "\n".join(lines).encode()


@pytest.mark.slow
@needs_kernels
@given(
    lines_of_rows(),
    st.lists(st.sampled_from(STEPS), min_size=1, max_size=2),
    st.sampled_from(FIELDS),
    st.fixed_dictionaries({}, optional=OPTIONS),
    st.booleans(),
    st.sampled_from([1, 9]),
)
@example(b'\xef\xbb\xbf{"question":"a cat"}', STEPS[:1], "question", {}, True, 1)
@example(b'{"question":"\xff"}\n{"question":"a cat"}', STEPS[:1], "question", {}, False, 1)
@example(b'{"data.question":"a","data":{"question":"b"}}', STEPS[:1], "data.question", {}, True, 1)
def test_lines_are_those_of_rows(lines, steps, field, options, stop, first):
    """Bytes, counts, ids, and what is bad."""
    job = job_of(steps, field=field, seed=4, **options)
    ours, expected = perturbed_both_ways(job, stop, first, lines)
    assert ours == expected


@pytest.mark.slow
@needs_kernels
@given(
    lines_of_values(),
    st.lists(st.sampled_from(STEPS_OF_OPTIONS), min_size=1, max_size=2),
    st.sampled_from(JOBS_OF_VALUES),
    st.fixed_dictionaries({}, optional=OPTIONS),
    st.booleans(),
)
def test_answers_and_spans_are_those_of_rows(lines, steps, values, options, stop):
    job = job_of(steps, seed=4, **values, **options)
    ours, expected = perturbed_both_ways(job, stop, 1, lines)
    assert ours == expected


NUMBERS = st.from_regex(
    r"-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,3})?", fullmatch=True
) | st.sampled_from(["1.10", "1e-5", "1e400", "-0", "0.00010", "0.5", "7" * 5000])


@pytest.mark.slow
@needs_kernels
@given(
    st.lists(NUMBERS, min_size=4, max_size=4), TEXTS, st.sampled_from(["char_swap:p=0.5", "case"])
)
@example(["0", "-0", "1e400", "100000000000000000000"], "naïve", "char_swap:p=0.5")
def test_numbers_stay_as_they_are_written(numbers, text, step):
    """All bytes around what is perturbed are those of the line, by kernels and as rows."""
    w, x, y, z = numbers
    before, between = f'{{"w":{w},"id":"k","a":[{x},', f',{{"y":{y}}}],"z":[[{z}]],"n":{z}'
    said = json.dumps(text, ensure_ascii=False)
    job = job_of(step, field="a[1]", seed=4)
    line = f"{before}{said}{between}}}".encode()
    ours, expected = perturbed_both_ways(job, True, 1, line)
    assert ours == expected
    perturbed = json.loads(expected[0], parse_int=len)
    now = json.dumps(perturbed["a"][1], ensure_ascii=False)
    made = expected[0].replace(f'"id":"{perturbed["id"]}"'.encode(), b'"id":"k"', 1)
    assert made.startswith(f"{before}{now}{between},".encode())
    (again,) = stored_lines([expected[0][:-1]])
    assert again.original == line
    assert dumps(restored(loads(expected[0], as_written=True))) == line + b"\n"


@needs_kernels
@pytest.mark.parametrize("field", FIELDS)
def test_usual_rows_take_this_way(field):
    """With ids or none, many versions, in several scripts; a list of strings is one text."""
    chat = [{"role": "user", "content": "a b"}, {"role": "assistant", "content": "Привет"}]
    row = {
        "question": "One two",
        **dict.fromkeys(ODD_NAMES, "a b"),
        "data": {"question": "q", "id": "k"},
        "chat": chat,
        "content": [{"type": "image"}, {"type": "text", "text": "a b"}],
        "list": ["c", "d"],
        "w": float("nan"),
    }
    lines = b"".join(
        json.dumps({**row, **name}, ensure_ascii=False).encode() + b"\n"
        for name in ({"id": 1}, {"id": "é"}, {"id": 'a "b"\n'}, {})
    )
    at_path = {"id_field": "data.id"}
    for options in ({}, {"lean": True}, {"replicates": 2}, {"with_original": True}, at_path):
        made = perturb_lines(
            1, lines, job_of(["typo_mix:p=0.2", "case:p=1"], field=field, **options)
        )
        assert not made.left


@needs_kernels
@pytest.mark.parametrize("values", JOBS_OF_VALUES)
def test_usual_answers_and_spans_take_this_way(values):
    """Answers by label, number and text; spans as lists and as objects; tags of tokens."""
    pairs, objects = [[0, 3, "X"], [1, 2]], [{"start": 0, "end": 2, "text": "Wh"}]
    row = {
        "question": ASKED[0],
        "data": {"question": "Who?", "answer": 1},
        "choices": ["red", "blue"],
        "tags": ["O", "B"],
        "chat": [{"role": "user", "content": "Which?", "spans": objects}],
        "parts": [
            {"content": [{"type": "text", "text": "Which?"}], "spans": objects, "role": "user"},
            {"content": [{"type": "text", "text": "b"}], "spans": [], "role": "assistant"},
        ],
    }
    rows = [
        {**row, "answer": answer, "spans": spans, "more": pairs, "id": number}
        for number, (answer, spans) in enumerate([("A", pairs), (0, objects), ("red", [])])
    ]
    lines = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    steps = "keyboard_typos:p=0.2" if values.get("span_policy") != "refuse" else "identity"
    made = perturb_lines(1, lines, job_of(steps, **values))
    assert made.left == []
    assert len(made.numbers) == 3


def test_records_name_the_place_of_each_text():
    """A path to the last of a list leads to other places in other rows."""
    lines = b'{"m":[{"c":"one two"}]}\n{"m":[{"c":"x"},{"c":"one two"}]}\n'
    made = perturb_block(job_of("case:style=upper", field="m[-1].c"), True, 1, lines)
    records = written_rows(made.data)
    assert [row["perturbation"]["edits"].split("|")[0] for row in records] == [
        "id=;m[0].c",
        "id=;m[1].c",
    ]
    assert [restored(row) for row in records] == written_rows(lines)


@pytest.mark.parametrize("library", [binding.LIBRARY, None])
def test_a_row_is_the_same_beside_any_others(monkeypatch, library):
    """One text in a row and two in its neighbour: steps that look at a row see it alone."""
    monkeypatch.setattr(binding, "LIBRARY", library)
    job = job_of("name_swap:p=1", field="m[*]")
    one, two = b'{"id":"a","m":["Anna met Bob"]}\n', b'{"id":"b","m":["Anna","Bob"]}\n'
    alone = bytes(perturb_block(job, True, 1, one).data)
    assert bytes(perturb_block(job, True, 1, one + two).data).startswith(alone)


def test_a_row_is_written_alike_beside_odd_ones():
    """With --missing keep, too, only a row that holds what UTF-8 can't is escaped."""
    job = job_of("identity", missing="keep")
    lines = '{"text":"é"}\n{"text":"\\ud800"}\n'.encode()
    assert "é".encode() in perturb_block(job, True, 1, lines).data


@needs_kernels
@pytest.mark.parametrize("number", ["1.10", "1e-5", "1e400", "-0", "7" * 30])
def test_values_that_move_keep_their_numbers(number):
    """As they are written: in spans that follow their text, and answers that don't."""
    line = f'{{"text":"Anna met Bob today","s":[[5,12,{number}]],"a":{number}}}'.encode()
    job = job_of("char_delete:p=0.3", spans="s", target="a", seed=1)
    ours, expected = perturbed_both_ways(job, True, 1, line)
    assert ours == expected
    assert f"[3,8,{number}]]".encode() in ours[0]
