"""`perturb verify` passes what `perturb apply` wrote, and finds one changed byte."""

import json
import os

import pytest

STEPS = ("keyboard_typos:p=0.1", "word_swap:p=0.1")
FORMS = {
    "plain": (STEPS[0],),
    "two steps": STEPS,
    "grid": (*STEPS, "--grid"),
    "replicates": (*STEPS, "--replicates", "3"),
    "original": (*STEPS, "--with-original"),
    "compact": (*STEPS, "--compact"),
    "compact original": (*STEPS, "--compact", "--with-original", "--replicates", "2"),
    "protect": (*STEPS, "--protect", "url,number", "--protect", "word:much"),
    "protect offsets": (*STEPS, "--protect", "field:keep", "--protect", "email"),
    "only offsets": (*STEPS, "--only", "field:keep"),
    "spans": (*STEPS, "--spans", "keep"),
    "seed": (*STEPS, "--seed", "-9223372036854775808"),
    "count": ("keyboard_typos:count=3", "ocr:p=0.5,max_edits=1"),
    "skipped": ("keyboard_typos:p=0.5,skip_first=1", "case:p=0.5,skip_last=1,min_word_length=3"),
    "chosen": (f"one_of({STEPS[0]} | 2*{STEPS[1]})", "sometimes(0.5, ocr:p=0.2)"),
    "chosen grid": (
        f"some_of(1, {STEPS[0]} | {STEPS[1]})",
        "sometimes(0.5, ocr)",
        "--grid",
        "--compact",
    ),
    "id field": (*STEPS, "--id-field", "key"),
}


@pytest.fixture(scope="module")
def given(questions, tmp_path_factory):
    """Examples with spans, and with a second name."""
    path = tmp_path_factory.mktemp("given") / "in.jsonl"
    with path.open("w") as file:
        for n, line in enumerate(questions.read_bytes().splitlines()):
            row = json.loads(line)
            end = len(row["question"])
            row |= {"keep": [[0, min(3, end)], [end // 2, end]], "key": n}
            file.write(json.dumps(row) + "\n")
    return path


@pytest.mark.parametrize("form", FORMS)
def test_what_was_written_passes(perturb, given, tmp_path, form):
    """A written file passes with its manifest, and without it."""
    out = tmp_path / "out.jsonl"
    done = perturb("apply", *FORMS[form], "--field", "question", "-i", given, "-o", out)
    assert done.status == 0, done.err
    done = perturb("verify", out)
    assert done.status == 0, done.err
    assert b"reproduced, and the file is as its manifest says\n" in done.out
    (tmp_path / "out.jsonl.manifest.json").unlink()
    id_field = ("--id-field", "key") if form == "id field" else ()
    done = perturb("verify", out, *id_field)
    assert done.status == 0, done.err
    assert b"there is no manifest beside the file" in done.out
    assert perturb("verify", "-", *id_field, stdin=out.read_bytes()).status == 0


def test_texts_in_lists_pass(perturb, jsonl, tmp_path):
    """Rows with several texts pass, and say which text was changed by hand."""
    texts = ["Which river is the longest of all?", "That depends on how one measures."]
    rows = [{"messages": [{"role": r, "content": t} for r, t in zip("ab", texts, strict=True)]}]
    out = tmp_path / "out.jsonl"
    call = ("apply", *STEPS, "--field", "messages[*].content", "-o", out)
    assert perturb(*call, "-i", jsonl("in.jsonl", *rows)).status == 0
    assert perturb("verify", out).status == 0
    row = json.loads(out.read_bytes())
    row["messages"][1]["content"] += "!"
    jsonl("out.jsonl", row)
    done = perturb("verify", out)
    assert done.status == 1
    assert "out.jsonl:1: text:" in done.message
    assert "its edits do not give its text" in done.message


def damaged(path, number, old, new):
    """Change one byte of a line by hand."""
    lines = path.read_bytes().split(b"\n")
    assert len(old) == len(new)
    assert sum(a != b for a, b in zip(old, new, strict=True)) == 1
    assert old in lines[number - 1], lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(old, new, 1)
    path.write_bytes(b"\n".join(lines))


@pytest.fixture
def written(perturb, questions, tmp_path):
    """A written file."""
    path = tmp_path / "out.jsonl"
    assert perturb("apply", STEPS[0], "--field", "question", "-i", questions, "-o", path)
    return path


def edit_of(path, number):
    row = json.loads(path.read_bytes().split(b"\n")[number - 1])
    edit = json.dumps(row["perturbation"]["edits"][0], separators=(",", ":"))
    return f'"edits":[{edit}'.encode()


@pytest.mark.parametrize("manifest", [True, False])
@pytest.mark.parametrize("what", ["text", "original", "edit", "offset", "rate", "step", "syntax"])
def test_one_changed_byte_of_a_record_is_found(perturb, written, what, manifest):
    """One byte in the text, an edit, the original, a step or the syntax: the line is named."""
    if not manifest:
        written.with_name("out.jsonl.manifest.json").unlink()
    edit = edit_of(written, 2)
    changes = {
        "text": (b'"question":"A', b'"question":"B'),
        "original": (b'"original":"A train', b'"original":"A drain'),
        "edit": (edit, edit[:-3] + b'~"}'),
        "offset": (b'"edits":[{', b'"edits":[['),
        "rate": (b'"rate":0.', b'"rate":1.'),
        "step": (b'"steps":[{"name":"keyboard_t', b'"steps":[{"name":"keyboard_q'),
        "syntax": (b'"question":', b'"question";'),
    }
    damaged(written, 2, *changes[what])
    done = perturb("verify", written)
    assert done.status == 1
    assert done.out == b""
    assert f"{written.name}:2: " in done.message


@pytest.mark.parametrize(
    ("old", "new"),
    [(b'"id":"q002#0"', b'"id":"q003#0"'), (b'"answer":"205"', b'"answer":"206"')],
)
def test_one_changed_byte_elsewhere_is_found(perturb, written, questions, old, new):
    """With the manifest and the input the row is made again, with all its other fields."""
    damaged(written, 2, old, new)
    done = perturb("verify", written, "--input", questions)
    assert done.status == 1
    assert f"{written.name}:2: at byte " in done.message
    assert str(questions) in done.message


@pytest.mark.parametrize("lost", ["input", "not named", "standard input", "input changed"])
def test_a_change_is_seen_even_where_its_row_can_not_be_found(perturb, jsonl, tmp_path, lost):
    """Without the input the hash still tells that something was changed."""
    given = jsonl("in.jsonl", {"id": 1, "text": "some few words", "answer": 5})
    out = tmp_path / "out.jsonl"
    source = {"stdin": given.read_bytes()} if lost == "standard input" else {}
    call = ("apply", STEPS[0], "-o", out, *(() if source else ("-i", given)))
    assert perturb(*call, **source).status == 0
    damaged(out, 1, b'"answer":5', b'"answer":6')
    if lost == "input":
        given.unlink()
    if lost in ("standard input", "input changed"):
        damaged(given, 1, b'"answer": 5', b'"answer": 6')
    done = perturb("verify", out, *(() if lost == "not named" else ("--input", given)))
    assert done.status == 1
    assert "its SHA-256 is not the one in" in done.message
    assert "in which row can't be said" in done.message


@pytest.mark.parametrize("change", ["lost", "added", "swapped"])
def test_lost_added_and_swapped_rows_are_found(perturb, written, questions, change):
    """The rows are compared one by one with those made again."""
    lines = written.read_bytes().splitlines(keepends=True)
    changed = {
        "lost": lines[:-1],
        "added": [*lines, lines[-1]],
        "swapped": [*lines[:98], lines[99], lines[98]],
    }
    written.write_bytes(b"".join(changed[change]))
    done = perturb("verify", written, "--input", questions)
    assert done.status == 1
    place = {"lost": 100, "added": 101, "swapped": 99}[change]
    assert f"{written.name}:{place}: " in done.message


def test_a_file_packed_anew_is_no_changed_row(perturb, questions, tmp_path):
    """Where only the compression differs, that is what is said."""
    out = tmp_path / "out.jsonl.gz"
    perturb("apply", STEPS[0], "--field", "question", "-i", questions, "-o", out)
    out.write_bytes(out.read_bytes() + b"\x1f\x8b\x08" + b"\0" * 7 + b"\x03" + b"\0" * 9)
    done = perturb("verify", out, "--input", questions)
    assert done.status == 1
    assert "its rows are as they were written" in done.message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_manifest_that_is_no_file_is_not_read(perturb, written):
    """Reading a pipe or a device might never end."""
    manifest = written.with_name(f"{written.name}.manifest.json")
    manifest.unlink()
    os.mkfifo(manifest)
    done = perturb("verify", written)
    assert (done.status, done.message) == (1, f"can't read the manifest {manifest}: it is no file")


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"{}", b'{"output": 5}', b"\xff", b'{"input": {"path": 5}}'],
)
def test_a_damaged_manifest_is_named(perturb, written, content):
    """What is no manifest is said to be none."""
    path = written.with_name("out.jsonl.manifest.json")
    path.write_bytes(content)
    done = perturb("verify", written)
    assert done.status == 1
    assert str(path) in done.message


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("steps", [5]),
        ("steps", []),
        ("steps", [{"name": "nobody"}]),
        ("steps", [{"name": "keyboard_typos", "version": 99}]),
        ("steps", [{"name": "keyboard_typos", "p": "x"}]),
        ("steps", 5),
        ("seed", True),
        ("seed", 10**30),
        ("replicate", -1),
        ("pipeline", 5),
        ("pipeline", []),
        ("pipeline", "one_of("),
        ("pipeline", "one_of(" * 250 + "ocr" + ")" * 250),
        ("pipeline", "sometimes(1, ocr:p=0.1)"),
        ("pipeline", "grid(ocr)"),
        ("scope", '{"protect":["json"]}'),
        ("scope", '{"only":["json"]}'),
        ("scope", '{"protect":5}'),
        ("scope", '{"protect":[[0,999]]}'),
        ("scope", '{"protect":["regex:("]}'),
        ("scope", '{"only":[null]}'),
        ("scope", "[]"),
        ("scope", "{"),
        ("scope", None),
        ("edits", [{"start": 0, "end": 1, "text": 5}]),
        ("edits", [{"start": 5, "end": 2, "text": "x"}]),
        ("edits", [[0, 1, 5]]),
        ("edits", [[0, 1]]),
        ("edits", [[5, 2, "x"]]),
        ("edits", [5]),
        ("edits", [{"a": 1, "b": 2, "c": 3}]),
        ("field", "nothing"),
        ("field", "a[*].b"),
        ("field", "["),
        ("field", "topic[0]"),
        ("field", None),
        ("contract", 99),
        ("status", "original"),
        ("status", None),
        ("reason", "no site"),
        ("categories", []),
        ("original", 5),
        ("original_id", "other"),
    ],
)
def test_a_forged_record_is_named(perturb, questions, jsonl, key, value):
    """Whatever stands in a record, the line is named and nothing breaks down."""
    call = ("apply", STEPS[0], "--field", "question", "-i", questions)
    rows = perturb(*call).rows
    rows[6]["perturbation"][key] = value
    path = jsonl("out.jsonl", *rows)
    done = perturb("verify", path)
    assert done.status == 1
    assert f"{path.name}:7: " in done.message


@pytest.mark.parametrize("row", [5, {"id": "a", "text": "b"}, {"perturbation": []}])
def test_what_was_not_written_by_apply_is_named(perturb, jsonl, row):
    """A row without a record, or without an id, is no row to verify."""
    record = {"id": "a", "text": "b", "perturbation": {"field": "text"}}
    for rows in ([row, record], [{**record, "id": 5}]):
        done = perturb("verify", jsonl("out.jsonl", *rows))
        assert done.status == 1
        assert "out.jsonl:" in done.message


@pytest.mark.parametrize(
    "form", ["compact", "grid", "replicates", "protect offsets", "chosen", "chosen grid"]
)
def test_one_changed_byte_is_found_in_every_form(perturb, given, tmp_path, form):
    """Also where a record holds no original, the row is named: it is made again from the input."""
    out = tmp_path / "out.jsonl"
    perturb("apply", *FORMS[form], "--field", "question", "-i", given, "-o", out)
    line = next(
        number
        for number, row in enumerate(map(json.loads, out.read_bytes().splitlines()), 1)
        if row["question"].startswith("What") and number > 5
    )
    damaged(out, line, b'"question":"W', b'"question":"w')
    done = perturb("verify", out, "--input", given)
    assert done.status == 1
    assert f"{out.name}:{line}: " in done.message


def test_a_compact_row_named_by_its_text_has_no_blind_spot(perturb, tmp_path):
    """Any one byte of the text changed by hand is found, outside of the edits too."""
    text = "How many lazy eggs?"
    out = tmp_path / "out.jsonl"
    rows = json.dumps({"text": text}).encode() + b"\n"
    done = perturb("apply", "char_delete", "-p", "0.1", "--compact", "-o", str(out), stdin=rows)
    assert done.status == 0
    (tmp_path / "out.jsonl.manifest.json").unlink()
    data = out.read_bytes()
    assert perturb("verify", str(out)).status == 0
    start = data.index(b'"text":"') + 8
    for at in range(start, data.index(b'"', start)):
        out.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        done = perturb("verify", str(out))
        assert done.status == 1, data[at : at + 1]
        assert done.err.startswith(f"perturb: {out}:1: ")


def test_compact_rows_named_as_texts_are(perturb, jsonl):
    """Names such as text:notes pass; the hash of another text would not, and is refused before."""
    rows = [{"id": name, "text": "Hello there, you."} for name in ("text:notes", "text:1", "b")]
    given = jsonl("in.jsonl", *rows)
    out = given.with_name("out.jsonl")
    assert perturb("apply", "char_swap:p=0.5", "--compact", "-i", given, "-o", out).status == 0
    assert perturb("verify", out).status == 0
    given = jsonl("other.jsonl", {"id": "text:0123456789abcdef", "text": "Hello there, you."})
    done = perturb("apply", "char_swap:p=0.5", "--compact", "-i", given)
    assert (done.status, "is that of a text without one" in done.message) == (1, True)
    assert perturb("apply", "char_swap:p=0.5", "-i", given, "-o", out).status == 0
    assert perturb("verify", out).status == 0
