"""What `perturb apply` writes for the rows it reads."""

import json
from hashlib import sha256

import pytest
from alike import same

from perturb import restored
from perturb.records.notation import read

KEYBOARD = ("apply", "keyboard_typos", "-p", "0.1")
LINKAGE = ["original_id", "original", "condition", "status", "expect", "edits", "check", "recipe"]
ODD = (
    b'{"id": 7, "float": 0.1, "small": 5e-324, "whole": 1.0, "big": 123456789012345678901234567890,'
    b' "max": 18446744073709551615, "min": -9223372036854775809, "nan": NaN, "inf": [-Infinity],'
    b' "lone": "\\ud800 \\udc00", "deep": {"z": [{}, [], null, true], "a": "\\u0000\\u001f"},'
    b' "text": "Where does the river end, and \\ud800 why?", "last": "\xd0\xb6\xf0\x9f\x91\x8d"}'
)


def rebuilt(original, record, path="text"):
    """The text that edits give, worked out from the end so that offsets stay valid."""
    for start, end, text, removed in reversed(read(record["edits"]).texts.get(path, ())):
        assert original[start:end] == removed
        original = original[:start] + text + original[end:]
    return original


def test_two_hundred_rows_come_out_in_order_with_all_else_untouched(perturb, questions):
    """A row keeps its fields, their order and values; the text, the id and a record are new."""
    lines = questions.read_bytes().splitlines() * 2
    rows = [json.loads(line) | {"id": f"r{n}"} for n, line in enumerate(lines)]
    given = "\n".join(map(json.dumps, rows)).encode()
    done = perturb(*KEYBOARD, "--field", "question", stdin=given)
    assert done.status == 0
    assert done.err == ""
    assert len(done.rows) == 200
    for row, made in zip(rows, done.rows, strict=True):
        record = made["perturbation"]
        assert list(made) == [*row, "perturbation"]
        assert {**made, "id": row["id"], "question": row["question"]} == {
            **row,
            "perturbation": record,
        }
        assert list(record) == LINKAGE
        assert made["id"] == f"{row['id']}#keyboard_typos:p=0.1"
        assert (record["original_id"], record["original"]) == (row["id"], row["question"])
        assert (record["condition"], record["expect"]) == ("keyboard_typos:p=0.1", "same")
        assert record["recipe"] == "keyboard_typos@4:p=0.1 --field question --contract 4"
        assert rebuilt(row["question"], record, "question") == made["question"]
        assert (record["status"] == "changed") == (made["question"] != row["question"])
        text = row["question"].encode()
        digest = sha256(b"%d:" % len(text) + text).hexdigest()
        assert record["check"] == f"x{digest[:8]}"


def test_odd_values_pass_through_as_they_were(perturb):
    """Integers beyond 64 bits, NaN, infinities and lone surrogates survive, types and all."""
    done = perturb(*KEYBOARD, stdin=ODD)
    (made,), wanted = done.rows, json.loads(ODD)
    assert made["text"] != wanted["text"]
    assert b"\\ud800" in done.out
    assert made["id"] == "7#keyboard_typos:p=0.1"
    left = {key: value for key, value in made.items() if key != "perturbation"}
    assert same(left, wanted | {"id": made["id"], "text": made["text"]})
    assert rebuilt(wanted["text"], made["perturbation"]) == made["text"]


@pytest.mark.parametrize("depth", [200, 300, 700])
def test_deeply_nested_rows_pass_through(perturb, depth):
    """A row may be nested beyond what the fast writer can take."""
    given = b'{"text": "some words", "deep": ' + b"[" * depth + b"]" * depth + b"}"
    done = perturb(*KEYBOARD, stdin=given)
    assert done.status == 0, done.err
    assert b'"deep":' + b"[" * depth + b"]" * depth in done.out


def test_replicates_differ_and_have_ids_of_their_own(perturb, questions):
    """`--replicates 4` writes four versions of each row, each under an id of its own."""
    done = perturb(*KEYBOARD, "--field", "question", "-i", questions, "--replicates", 4)
    ids = [row["id"] for row in done.rows]
    ends = ["", "#1", "#2", "#3"]
    assert ids == [f"q{n:03}#keyboard_typos:p=0.1{end}" for n in range(1, 101) for end in ends]
    versions = {row["question"] for row in done.rows[:4]}
    assert len(versions) == 4
    alone = perturb(*KEYBOARD, "--field", "question", "-i", questions)
    assert done.out.splitlines()[::4] == alone.out.splitlines()


def test_a_grid_gives_a_row_for_each_step(perturb, questions):
    """With `--grid` a step writes what it writes alone, under an id that names the step."""
    steps = ("keyboard_typos:p=0.1", "word_swap:p=0.2")
    done = perturb("apply", *steps, "--grid", "--field", "question", "-i", questions)
    assert [row["id"] for row in done.rows[:2]] == [f"q001#{step}" for step in steps]
    assert len({row["id"] for row in done.rows}) == 200
    for n, step in enumerate(steps):
        alone = perturb("apply", step, "--field", "question", "-i", questions).rows
        for together, single in zip(done.rows[n::2], alone, strict=True):
            assert together == single


def test_the_original_comes_first_and_untouched(perturb, questions):
    """`--with-original` writes each row under its own id before its versions."""
    done = perturb(*KEYBOARD, "--field", "question", "-i", questions, "--with-original")
    rows = [json.loads(line) for line in questions.read_bytes().splitlines()]
    for row, first, second in zip(rows, done.rows[::2], done.rows[1::2], strict=True):
        record = first.pop("perturbation")
        assert first == row
        assert list(record) == LINKAGE
        assert (record["status"], record["edits"], record["expect"]) == ("original", "", "same")
        assert record["recipe"] == "--field question --contract 4"
        assert record["original_id"] == second["perturbation"]["original_id"] == row["id"]


@pytest.mark.parametrize("lean", [(), ("--lean",)])
def test_rows_give_their_originals_back(perturb, questions, lean):
    """What each edit removed is enough to restore all of the row; `--lean` leaves the text out."""
    steps = ("apply", "keyboard_typos", "char_delete", "word_swap", "-p", "0.1")
    done = perturb(*steps, "-i", questions, "--field", "question", "--with-original", *lean)
    originals = [json.loads(line) for line in questions.read_bytes().splitlines()]
    assert all((not row["perturbation"]["original"]) == bool(lean) for row in done.rows)
    for place, row in enumerate(done.rows):
        assert restored(row) == originals[place // 2]


LABELLED = {
    "id": "a",
    "text": "Ada Lovelace met Charles Babbage in London in June 1833, at a party.",
    "pairs": [[0, 12], [17, 32], [36, 42], [5, 5]],
    "labelled": [[0, 12, "PER"], [36, 42, "LOC", {"sure": 0.5}]],
    "mapped": [{"label": "PER", "start": 0, "end": 12}, {"start": 46, "end": 55, "label": "DATE"}],
}


@pytest.mark.parametrize("form", ["pairs", "labelled", "mapped"])
def test_spans_move_along_in_the_form_they_came_in(perturb, form):
    """A span that no edit touched still names the same words; what else it holds is kept."""
    done = perturb(
        *("apply", "char_insert", "-p", 0.3, "--spans", form), stdin=json.dumps(LABELLED).encode()
    )
    (row,) = done.rows
    assert row["text"] != LABELLED["text"]
    edits = read(row["perturbation"]["edits"])
    assert edits.values == {form: LABELLED[form]}
    for before, after in zip(LABELLED[form], row[form], strict=True):
        if form == "mapped":
            assert before | {"start": after["start"], "end": after["end"]} == after
            assert list(before) == list(after)
        else:
            assert after[2:] == before[2:]
        (old, _), (start, end) = map(ends_of, (before, after))
        assert 0 <= start <= end <= len(row["text"])
        shift = sum(edit.end <= old and edit.start < old for edit in edits.texts["text"])
        assert start >= old + shift
    changed = [key for key in LABELLED if row[key] != LABELLED[key]]
    assert changed == ["id", "text", form]
    assert restored(row) == LABELLED


def ends_of(span):
    return (span["start"], span["end"]) if isinstance(span, dict) else span[:2]


def test_an_untouched_span_names_the_same_words(perturb):
    """Under protection of the spans every one of them is found again, letter by letter."""
    row = LABELLED
    done = perturb(
        *("apply", "char_insert", "char_delete", "-p", 0.4, "--spans", "pairs"),
        *("--protect", "field:pairs"),
        stdin=json.dumps(row).encode(),
    )
    (made,) = done.rows
    assert made["perturbation"]["status"] == "changed"
    for (a, b), (c, d) in zip(row["pairs"], made["pairs"], strict=True):
        assert row["text"][a:b] == made["text"][c:d]


@pytest.mark.parametrize("policy", ["grow", "drop"])
def test_a_touched_span_grows_or_is_dropped(perturb, policy):
    """An edit inside a span leaves it in place, or takes it out of the row with `drop`."""
    given = {"text": "abcdef", "spans": [[0, 6, "all"], [6, 6, "end"]]}
    done = perturb(
        *("apply", "char_delete", "-p", 0.5, "--spans", "spans", "--span-policy", policy),
        stdin=json.dumps(given).encode(),
    )
    (row,) = done.rows
    end = [3, 3, "end"]
    assert row["text"] != "abcdef"
    assert row["spans"] == ([[0, 3, "all"], end] if policy == "grow" else [end])
    assert restored(row)["spans"] == given["spans"]


def test_a_span_may_refuse_to_be_touched(perturb):
    """With the policy `refuse` its row stays as it is, and a message says why."""
    rows = [{"text": "one two", "s": []}, {"text": "three", "s": [[0, 5]]}, {"text": "a", "s": []}]
    given = "\n".join(map(json.dumps, rows)).encode()
    call = ("apply", "char_delete", "-p", 1, "--spans", "s", "--span-policy", "refuse")
    done = perturb(*call, stdin=given)
    assert done.status == 0
    assert "left some rows as they were: an edit touches a span; protect" in done.message
    assert [row["text"] for row in done.rows] == [" ", "three", ""]
    assert [row["perturbation"]["status"] for row in done.rows] == ["changed", "no site", "changed"]
    assert restored(done.rows[1]) == rows[1]


TEXT = "See https://example.com/a?b=c or write to ann@example.com about Zebra crossing 42 today."


def untouched(done, *spans):
    """Whether spans of the original survived, and something else was changed."""
    (row,) = done.rows
    edits = read(row["perturbation"]["edits"]).texts["text"]
    return not any(
        (a < end and start < b) or a < start < b
        for start, end, *_ in edits
        for a, b in ((TEXT.index(span), TEXT.index(span) + len(span)) for span in spans)
    )


@pytest.mark.parametrize(
    ("rules", "spans"),
    [
        (["url"], ["https://example.com/a?b=c"]),
        (["url,email,number"], ["https://example.com/a?b=c", "ann@example.com", "42"]),
        (["url", "email"], ["https://example.com/a?b=c", "ann@example.com"]),
        (["word:Zebra"], ["Zebra"]),
        (["word:Zebra crossing"], ["Zebra crossing"]),
        ([r"regex:[Zc]\w+", "number"], ["Zebra", "crossing", "42"]),
        (["field:keep"], ["write to"]),
        (["field:keep", "number"], ["write to", "42"]),
    ],
)
def test_protected_spans_stay_as_they_are(perturb, rules, spans):
    """No edit is inside of what a preset, a word, a pattern or a field protects."""
    keep = [[TEXT.index("write to"), TEXT.index("write to") + 8]]
    protect = [part for rule in rules for part in ("--protect", rule)]
    for step in ("keyboard_typos", "char_insert", "char_delete", "word_duplicate"):
        row = json.dumps({"text": TEXT, "keep": keep}).encode()
        assert untouched(perturb("apply", step, "-p", 1, *protect, stdin=row), *spans)


@pytest.mark.parametrize("rule", ["word:Zebra", "field:keep", "regex:Z[a-z]+"])
def test_edits_may_be_kept_to_a_place(perturb, rule):
    """With `--only` every edit is inside of what the rule names."""
    a = TEXT.index("Zebra")
    row = json.dumps({"text": TEXT, "keep": [[a, a + 5]]}).encode()
    (made,) = perturb("apply", "keyboard_typos", "-p", 1, "--only", rule, stdin=row).rows
    edits = read(made["perturbation"]["edits"]).texts["text"]
    assert all(a <= edit.start <= edit.end <= a + 5 for edit in edits)


CHAT = {
    "id": "c",
    "messages": [
        {"role": "system", "content": "You answer questions about rivers.", "n": 1},
        {"role": "user", "content": "Which river is the longest of all?", "n": 2},
        {"role": "assistant", "content": "That depends on how one measures.", "n": 3},
        {"role": "user", "content": "Then tell me how one measures it.", "n": 2},
    ],
    "meta": {"deep": {"text": "a text far down in the row"}},
    "a.b": "a text under a name with a dot",
}


@pytest.mark.parametrize(
    ("path", "places"),
    [
        ("messages[*].content", [0, 1, 2, 3]),
        ("messages[role=user].content", [1, 3]),
        ("messages[n=2].content", [1, 3]),
        ("messages[0].content", [0]),
        ("messages[role=nobody].content", []),
    ],
)
def test_texts_in_a_list_are_perturbed_each_on_its_own(perturb, path, places):
    """Every text that the path names is perturbed, and one record says of each how."""
    (row,) = perturb(*KEYBOARD, "--field", path, stdin=json.dumps(CHAT).encode()).rows
    assert restored(row) == CHAT
    record = row.pop("perturbation")
    assert [*read(record["edits"]).texts] == [f"messages[{n}].content" for n in places]
    assert record["status"] == ("changed" if places else "no site")
    for n, message in enumerate(CHAT["messages"]):
        got = row["messages"][n]["content"]
        assert (got != message["content"]) == (n in places)
        assert rebuilt(message["content"], record, f"messages[{n}].content") == got
        row["messages"][n]["content"] = message["content"]
    assert row == CHAT | {"id": "c#keyboard_typos:p=0.1"}


@pytest.mark.parametrize("path", ["meta.deep.text", "a.b"])
def test_nested_fields_and_names_with_dots(perturb, path):
    """A path leads into objects; a field of exactly that name comes first."""
    (row,) = perturb(*KEYBOARD, "--field", path, stdin=json.dumps(CHAT).encode()).rows
    record = row.pop("perturbation")
    assert record["status"] == "changed"
    changed = row["a.b"] if path == "a.b" else row["meta"]["deep"]["text"]
    assert changed == rebuilt(record["original"], record, path)
    top = path if path in CHAT else path.split(".")[0]
    assert [key for key in CHAT if row[key] != CHAT[key]] == ["id", top]


def test_a_row_without_an_id_is_named_by_its_text(perturb):
    """The name follows from the text alone, so that it holds in any file."""
    given = b'{"text": "one text"}\n{"id": null, "text": "another"}\n{"id": 1, "text": "one text"}'
    rows = perturb(*KEYBOARD, stdin=given).rows
    again = perturb(*KEYBOARD, stdin=given.splitlines()[0]).rows
    assert rows[0] == again[0]
    assert rows[0]["id"].startswith("text:")
    assert len({row["id"] for row in rows}) == 3


def test_the_id_may_stand_in_another_field(perturb):
    """`--id-field` names the field that names the row."""
    (row,) = perturb(*KEYBOARD, "--id-field", "qid", stdin=b'{"qid": 5, "id": 1, "text": "w"}').rows
    assert (row["qid"], row["id"]) == ("5#keyboard_typos:p=0.1", 1)


@pytest.mark.parametrize("name", ["steps.yaml", "steps.json"])
def test_steps_from_a_file(perturb, tmp_path, questions, name):
    """`--config` reads the steps from YAML or JSON, and gives what the arguments give."""
    config = tmp_path / name
    if name.endswith("yaml"):
        config.write_text("steps:\n  - keyboard_typos:p=0.1,layout=de\n  - {name: ocr, p: 0.2}\n")
    else:
        step = {"name": "keyboard_typos", "p": 0.1, "params": {"layout": "de"}}
        config.write_text(json.dumps({"steps": [step, "ocr:p=0.2"]}))
    rest = ("--field", "question", "-i", questions)
    arguments = perturb("apply", "keyboard_typos:p=0.1,layout=de", "ocr:p=0.2", *rest)
    done = perturb("apply", "--config", config, *rest)
    assert done.status == 0, done.err
    assert done.out == arguments.out


def test_an_intensity_is_a_strength_too(perturb, questions):
    """`--intensity` gives the p of the perturbator's own scale."""
    rest = ("--field", "question", "-i", questions)
    named = perturb("apply", "keyboard_typos", "--intensity", "high", *rest)
    number = perturb("apply", "keyboard_typos", "-p", 0.525, *rest)
    assert [row["question"] for row in named.rows] == [row["question"] for row in number.rows]
    record = named.rows[0]["perturbation"]
    assert record["condition"] == "keyboard_typos:intensity=high"
    assert record["recipe"].startswith("keyboard_typos@4:intensity=high --field")


def test_one_p_for_all_steps_that_have_none(perturb, questions):
    """`-p` is shared by the steps without a strength of their own."""
    rest = ("--field", "question", "-i", questions)
    shared = perturb("apply", "keyboard_typos", "ocr:p=0.3", "char_swap", "-p", 0.1, *rest)
    spelled = perturb("apply", "keyboard_typos:p=0.1", "ocr:p=0.3", "char_swap:p=0.1", *rest)
    assert shared.status == 0
    assert shared.out == spelled.out


def test_the_seed_decides(perturb, questions):
    """Another seed gives other edits; the default is the seed 0."""
    call = (*KEYBOARD, "--field", "question", "-i", questions)
    outs = [perturb(*call, *seed).out for seed in ((), ("--seed", 0), ("--seed", 2**64 - 1))]
    assert outs[0] == outs[1] != outs[2]
    assert perturb(*call, "--seed", 2**64).status == 2


BAD = b'{"id": 1, "text": "fine one"}\nnot json\n\n[1, 2]\r\n{"id": 2}\n{"id": 3, "text": "good"}\n'


def test_a_bad_line_stops_the_run(perturb, tmp_path):
    """By default the first bad line ends the run; the rows before it have gone through a pipe."""
    done = perturb(*KEYBOARD, stdin=BAD)
    assert done.status == 1
    assert done.message.startswith("standard input:2: not JSON: Expecting value at character 1")
    assert [row["id"] for row in done.rows] == ["1#keyboard_typos:p=0.1"]


def test_bad_lines_can_be_skipped(perturb):
    """`--bad-lines skip` goes on and counts them."""
    done = perturb(*KEYBOARD, "--bad-lines", "skip", stdin=BAD)
    assert done.status == 0
    assert [row["id"] for row in done.rows] == [f"{n}#keyboard_typos:p=0.1" for n in (1, 3)]
    assert done.message == "left out 3 bad lines of standard input"


def test_bad_lines_can_be_kept(perturb, tmp_path):
    """`--bad-lines FILE` keeps them as they were."""
    kept = tmp_path / "bad.jsonl"
    done = perturb(*KEYBOARD, "--bad-lines", kept, stdin=BAD)
    assert done.status == 0
    assert kept.read_bytes() == b'not json\n[1, 2]\r\n{"id": 2}\n'
    assert [row["id"] for row in done.rows] == [f"{n}#keyboard_typos:p=0.1" for n in (1, 3)]
    assert [path.name for path in tmp_path.iterdir()] == ["bad.jsonl"]
