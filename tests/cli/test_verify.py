"""`perturb verify` says which row is wrong and how; test_verify_matrix.py has what passes."""

import json
import os

import pytest

from perturb import augment

STEP = "keyboard_typos:p=0.1"


@pytest.fixture
def written(perturb, questions, tmp_path):
    """A written file."""
    path = tmp_path / "out.jsonl"
    done = perturb("apply", STEP, "--field", "question", "-i", questions, "-o", path)
    assert done.status == 0
    return path


def damaged(path, number, old, new):
    """Change one byte of a line by hand."""
    lines = path.read_bytes().split(b"\n")
    assert sum(a != b for a, b in zip(old, new, strict=True)) == 1
    assert old in lines[number - 1], lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(old, new, 1)
    path.write_bytes(b"\n".join(lines))


def test_the_text_that_was_changed_is_named(perturb, jsonl, tmp_path):
    """Of the texts in a list, by where the edits are not what they wrote, or by the check."""
    texts = ["Which river is the longest of all?", "That depends on how one measures."]
    rows = [{"messages": [{"role": r, "content": t} for r, t in zip("ab", texts, strict=True)]}]
    out = tmp_path / "out.jsonl"
    call = ("apply", "char_delete:p=0.1", "--field", "messages[*].content", "-o", out)
    assert perturb(*call, "-i", jsonl("in.jsonl", *rows)).status == 0
    row = json.loads(out.read_bytes())
    row["messages"][1]["content"] += "!"
    done = perturb("verify", jsonl("out.jsonl", row))
    assert done.status == 1
    assert "out.jsonl:1: text:" in done.message
    assert "its edits don't restore its original" in done.message


@pytest.mark.parametrize("manifest", [True, False])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"question":"A', b'"question":"B'),
        (b'"original":"A train', b'"original":"A drain'),
        (b'"edits":"question|1', b'"edits":"question|2'),
        (b'"check":"x', b'"check":"y'),
        (b'"recipe":"keyboard_typos@4', b'"recipe":"keyboard_typos@9'),
        (b"--contract 4", b"--contract 2"),
        (b'"question":', b'"question";'),
    ],
)
def test_one_changed_byte_is_found(perturb, written, old, new, manifest):
    """The line is named, with the manifest and without it."""
    if not manifest:
        written.with_name("out.jsonl.manifest.json").unlink()
    damaged(written, 2, old, new)
    done = perturb("verify", written)
    assert (done.status, done.out) == (1, b"")
    assert f"{written.name}:2: " in done.message


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [(b'"answer":"205"', b'"answer":"206"', "answer"), (b'"topic":"a', b'"topic":"A', "topic")],
)
def test_the_input_names_the_row_and_the_field(perturb, written, questions, old, new, key):
    """What no record holds is found by the hash, and told by the input."""
    damaged(written, 2, old, new)
    done = perturb("verify", written)
    assert done.status == 1
    assert "its SHA-256 is not the one in" in done.message
    assert "--input FILE finds the row" in done.message
    done = perturb("verify", written, "--input", questions)
    assert done.status == 1
    assert f"{written.name}:2: {key} is '" in done.message


@pytest.mark.parametrize("lost", ["gone", "standard input", "changed"])
def test_an_input_that_is_lost_or_another(perturb, jsonl, tmp_path, lost):
    given = jsonl("in.jsonl", {"id": 1, "text": "some few words", "answer": 5})
    out = tmp_path / "out.jsonl"
    source = {"stdin": given.read_bytes()} if lost == "standard input" else {}
    assert perturb("apply", STEP, "-o", out, *(() if source else ("-i", given)), **source).err == ""
    assert perturb("verify", out, "--input", given).status == 0
    if lost == "gone":
        given.unlink()
    else:
        damaged(given, 1, b'"answer": 5', b'"answer": 6')
    done = perturb("verify", out, "--input", given)
    assert done.status == 1
    assert ("can't read" if lost == "gone" else "input.sha256 is") in done.message


def test_a_file_packed_anew_is_told(perturb, questions, tmp_path):
    """Its rows are the same; its bytes are not."""
    out = tmp_path / "out.jsonl.gz"
    perturb("apply", STEP, "--field", "question", "-i", questions, "-o", out)
    out.write_bytes(out.read_bytes() + b"\x1f\x8b\x08" + b"\0" * 7 + b"\x03" + b"\0" * 9)
    done = perturb("verify", out, "--input", questions)
    assert done.status == 1
    assert "its SHA-256 is not the one in" in done.message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_manifest_that_is_no_file_is_not_read(perturb, written):
    """Reading a pipe or a device might never end."""
    manifest = written.with_name(f"{written.name}.manifest.json")
    manifest.unlink()
    os.mkfifo(manifest)
    done = perturb("verify", written)
    assert (done.status, done.message) == (
        1,
        f"can't read the manifest {manifest}: not a regular file",
    )


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


RECIPE = "keyboard_typos@4:p=0.1 --field question --contract 4"
FORGED = {
    "recipe": [
        *(
            "",
            "x",
            "--contract 4",
            "--field question",
            RECIPE.replace("contract 4", "contract 99"),
            5,
            None,
        ),
        *(RECIPE.replace("@4", "@99"), "one_of("),
        *(RECIPE.replace("p=0.1", "p=x"), "one_of(" * 250 + "ocr" + ")" * 250, f"({RECIPE}"),
        *(f"{RECIPE} --seed {seed}" for seed in ("x", "true", 10**30)),
        *(f"{RECIPE} {more}" for more in ("--replicate -1", "--nobody 5", "--seed", '--only "')),
        *(f"{RECIPE} --protect {rule}" for rule in ("json", "regex:(", "0-999", "nobody", "5")),
        *(RECIPE.replace("question", path) for path in ("nothing", "a[*].b", "[", "topic[0]")),
        "grid(a=ocr@3 | b=ocr@3:p=0.2) --field question --contract 4",
    ],
    "edits": [
        *("question", "question|", "question|0:a", "question|a:b>c", "question|0:>", "=", ";"),
        *("question|9999:a>b", "question|5:a>b|2:c>d", "question|0:%GG>b", "question|0:%FF>b"),
        *("nobody|0:a>b", "answer={", "topic[0]=5", "id.x=5", "question[0]=1", 5, ["a"]),
    ],
    "status": ["original", "unchanged", "no site", None, 5],
    "condition": ["", None, "keyboard_typos:p=0.2"],
    "expect": ["", "other", "nothing"],
    "check": ["", "x", None, "xzzzzzzzz"],
    "original": ["", 5],
    "original_id": ["other", 5],
}


@pytest.mark.slow
@pytest.mark.parametrize("key", FORGED)
def test_a_forged_record_is_named(perturb, questions, jsonl, key):
    """Whatever stands in a record, the line is named and nothing breaks down."""
    call = ("apply", STEP, "--field", "question", "-i", questions)
    rows = perturb(*call).rows
    for value in FORGED[key]:
        forged = [*rows[:6], rows[6] | {"perturbation": rows[6]["perturbation"] | {key: value}}]
        path = jsonl("out.jsonl", *forged)
        done = perturb("verify", path)
        assert done.status in (1, 2), value
        assert f"{path.name}:7: " in done.message, value
        assert "defect of perturb" not in done.message, value


def test_a_step_that_nobody_knows_is_told(perturb, written):
    """It may be a function of a notebook: its rows are restored; a manifest knows better."""
    damaged(written, 2, b'"recipe":"keyboard_t', b'"recipe":"keyboard_q')
    done = perturb("verify", written)
    assert (done.status, "isn't in its manifest" in done.message) == (1, True)
    written.with_name("out.jsonl.manifest.json").unlink()
    done = perturb("verify", written)
    assert done.status == 0
    assert b"1 only restored, since a step can't run again here" in done.out


@pytest.mark.parametrize("row", [5, {"id": "a", "text": "b"}, {"perturbation": []}])
def test_what_was_not_written_by_apply_is_named(perturb, jsonl, row):
    """A row without a record, or without an id, is no row to verify."""
    record = {"id": "a", "text": "b", "perturbation": {"status": "changed"}}
    for rows in ([row, record], [{**record, "id": 5}]):
        done = perturb("verify", jsonl("out.jsonl", *rows))
        assert done.status == 1
        assert "out.jsonl:" in done.message


@pytest.mark.parametrize("name", ["text:notes", "text:1", "text:0123456789abcdef", "b#0", "#", "é"])
def test_rows_may_be_named_as_texts_and_versions_are(perturb, jsonl, name):
    given = jsonl("in.jsonl", {"id": name, "text": "Hello there, you."})
    out = given.with_name("out.jsonl")
    call = ("apply", "char_swap:p=0.5", "--lean", "--replicates", 2, "--with-original")
    assert perturb(*call, "-i", given, "-o", out).status == 0
    assert perturb("verify", out).status == 0


def test_two_rows_of_one_id_are_found_without_a_manifest(perturb, jsonl):
    """As of a cluster, whose partitions know nothing of each other."""
    rows = list(augment([{"id": n, "text": "some words"} for n in range(3)], "char_swap", p=0.5))
    assert perturb("verify", jsonl("out.jsonl", *rows)).status == 0
    done = perturb("verify", jsonl("out.jsonl", *rows, rows[1]))
    assert done.status == 1
    assert "out.jsonl:4: its id is that of row 2 too" in done.message
    alike = list(augment([{"text": "some words"}] * 2, "char_swap", p=0.5))
    assert perturb("verify", jsonl("out.jsonl", *alike)).status == 0  # one original, twice


def test_a_lean_row_named_by_its_text_has_no_blind_spot(perturb, tmp_path):
    """Any one byte of the text changed by hand is found, outside of the edits too."""
    out = tmp_path / "out.jsonl"
    rows = json.dumps({"text": "How many lazy eggs?"}).encode() + b"\n"
    assert perturb("apply", "char_delete:p=0.1", "--lean", "-o", out, stdin=rows).status == 0
    (tmp_path / "out.jsonl.manifest.json").unlink()
    data = out.read_bytes()
    assert perturb("verify", out).status == 0
    assert perturb("verify", "-", stdin=data).out.startswith(b"standard input: 1 row reproduced")
    start = data.index(b'"text":"') + 8
    for at in range(start, data.index(b'"', start)):
        out.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        done = perturb("verify", out)
        assert done.status == 1, data[at : at + 1]
        assert done.err.startswith(f"perturb: {out}:1: ")


def test_results_of_standard_input_name_it_as_errors_do(perturb):
    made = perturb("apply", "char_delete:p=0.1", stdin=b'{"text": "How many lazy eggs?"}\n').out
    done = perturb("verify", "-", stdin=made)
    assert b"standard input: 1 row" in done.out, done
