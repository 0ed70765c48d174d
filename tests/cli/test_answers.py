"""Lists of strings as texts, and the right answer followed, from file to file."""

import json

import pytest

from perturb.rows.stored import records_in, restored

LETTERS = "ABCD"
CHOICES = ["red 1", "blue", "see {x} now", "green"]
STEM = "Which?\n(a) red 1\n(b) blue\n(c) see {x} now\n(d) green\nAnswer: (b)"
SHUFFLE = ("option_shuffle", "option_labels:numbering=digit,brackets=bracket")
LINES = ("option_shuffle:form=lines",)


def rows(answer):
    return [
        {"id": n, "q": STEM, "choices": CHOICES, "meta": {"gold": answer}, "note": 1}
        for n in range(6)
    ]


def shown(row):
    """The options of a row, whichever field they are in now, and what the answer says of them."""
    return row["choices"], row["meta"]["gold"]


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("keyboard_typos:p=0.3",)], ids=["alone", "typos"])
@pytest.mark.parametrize("answer", ["B", "(b)", 1, "blue"])
@pytest.mark.parametrize(
    "form", [(), ("--lean",), ("--with-original", "--replicates", "3")], ids=str
)
def test_a_list_of_choices(perturb, jsonl, tmp_path, answer, form, more):
    """The answer leads to what the option became; the file passes; a changed answer does not."""
    out = tmp_path / "out.jsonl"
    given = jsonl("in.jsonl", *rows(answer))
    call = ("apply", *LINES, *more, *form, "--field", "choices", "--target", "meta.gold")
    done = perturb(*call, "-i", given, "-o", out)
    assert done.status == 0, done.err
    for line in out.read_bytes().splitlines():
        row = json.loads(line)
        assert row["q"] == STEM
        assert len(row["choices"]) == 4
        assert all(isinstance(choice, str) for choice in row["choices"])
        assert restored(row)["meta"] == {"gold": answer}
        (record,) = records_in(row)
        place = record.steps[0].note["options"][1][2] if record.status == "changed" else 1
        if not more:
            assert row["choices"][place] == "blue"
            assert sorted(row["choices"]) == sorted(CHOICES)
        wanted = {
            "B": LETTERS[place],
            "(b)": f"({LETTERS[place].lower()})",
            1: place,
            "blue": row["choices"][place],
        }
        assert row["meta"] == {"gold": wanted[answer]}
    assert perturb("verify", out).status == 0
    (tmp_path / "out.jsonl.manifest.json").unlink()
    assert perturb("verify", out).status == 0
    row["meta"]["gold"] = (
        (place + 1) % 4 if answer == 1 else "C" if row["meta"]["gold"] != "C" else "A"
    )
    jsonl("out.jsonl", row)
    done = perturb("verify", out)
    assert done.status == 1
    told = "meta", "is not its original", "don't restore its original"
    assert any(words in done.message for words in told)


@pytest.mark.parametrize(
    ("answer", "named"), [("B", "{}"), ("b.", "{}."), (1, 1), ("blue", "blue")]
)
def test_options_in_the_text(perturb, jsonl, tmp_path, answer, named):
    """Steps follow each other: moved, then labelled anew; the answer in the text says the same."""
    out = tmp_path / "out.jsonl"
    call = ("apply", *SHUFFLE, "--field", "q", "--target", "meta.gold", "--replicates", "2")
    assert perturb(*call, "-i", jsonl("in.jsonl", *rows(answer)), "-o", out).status == 0
    for line in out.read_bytes().splitlines():
        row = json.loads(line)
        options = dict(part.split(") ") for part in row["q"].split("\n")[1:-1])
        label = next(label for label, content in options.items() if content == "blue")
        assert row["q"].endswith(f"\nAnswer: ({label})")
        wanted = {1: int(label) - 1, "blue": "blue"}.get(answer, str(named).format(label))
        assert row["meta"]["gold"] == wanted
    assert perturb("verify", out).status == 0
    row["perturbation"]["edits"] = row["perturbation"]["edits"].replace("meta.gold=", "note=")
    jsonl("out.jsonl", row)
    assert perturb("verify", out).status == 1


def test_rotations_through_replicates(perturb, jsonl):
    """Three replicates and the original have each option once at each place."""
    call = (
        "apply",
        "option_shuffle:mode=rotate,form=lines",
        "--field",
        "choices",
        "--with-original",
    )
    done = perturb(*call, "--replicates", "3", stdin=json.dumps(rows(0)[0]).encode())
    for place in range(4):
        assert sorted(row["choices"][place] for row in done.rows) == sorted(CHOICES)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"c": ["x", "y"], "a": "E"}, "the answer 'E' is none of the options"),
        ({"c": ["x", "y"], "a": "z"}, "their texts 'x', 'y'"),
        ({"c": ["x", "y"], "a": 2}, "their numbers 0 to 1"),
        ({"c": ["x", "y"], "a": -1}, "the answer -1 is none"),
        ({"c": ["x", "y"], "a": True}, "the answer True is none"),
        ({"c": ["x", "y"], "a": None}, "the answer None is none"),
        ({"c": ["x", "y"], "a": "2"}, "the answer '2' is none"),
        ({"c": ["x", "y"], "a": {"label": "A"}}, "is an object, in which perturb looks for no"),
        ({"c": ["3", "1"], "a": "1"}, "is both the number of an option and the text of one"),
        ({"c": ["B", "A"], "a": "B"}, "is both the label of an option and the text of one"),
        ({"c": ["x", "y"]}, "no field 'a'"),
        ({"c": ["x", "y\nz"], "a": 0}, "the item 'y\\nz' has a line break"),
        ({"c": ["x", "y\r"], "a": 0}, "the item 'y\\r' has a line break"),
        ({"c": [], "a": 0}, "the field 'c' is an empty list"),
        ({"c": ["x", 5], "a": 0}, "a list of strings; got a list of other things"),
        ({"c": "A. x\nB. y", "a": "C"}, "their labels are A, B"),
        ({"c": "A. x\nB. y", "a": "w"}, "the answer 'w' is none of the options"),
    ],
)
def test_what_is_wrong_is_said(perturb, row, message):
    form = "lines" if isinstance(row["c"], list) else "labelled"
    call = ("apply", f"option_shuffle:form={form}", "--field", "c", "--target", "a")
    done = perturb(*call, stdin=json.dumps({"id": "r7", **row}).encode())
    assert done.status == 1
    assert message in done.message
    assert "<stdin>:1" in done.message or "standard input:1" in done.message, done.message


def test_a_step_that_changes_the_number_of_lines(perturb):
    done = perturb("apply", "encode", "--field", "c", stdin=b'{"id": "r7", "c": ["x", "y"]}')
    assert done.status == 1
    assert "the record r7: its steps make 1 lines of a list of 2 strings" in done.message


def test_answers_to_several_texts(perturb):
    done = perturb(
        "apply", "option_shuffle", "--field", "c[*]", "--target", "a",
        stdin=b'{"c": ["A. x\\nB. y\\nC. z\\nD. w", "A. x\\nB. y\\nC. z\\nD. v"], "a": 1}',
    )  # fmt: skip
    assert done.status == 1
    assert "the answer 1 is to several texts, whose options moved otherwise" in done.message


@pytest.mark.parametrize(
    ("taken", "holds"),
    [("text", "a text"), ("id", "an answer"), ("perturbation", "the linkage record")],
)
def test_a_field_for_two_things(perturb, taken, holds):
    done = perturb("apply", "ocr", "--target", taken)
    assert done.status == 2
    assert f"{taken!r}" in done.message
    assert holds in done.message


def test_workers_change_nothing(perturb, jsonl):
    given = jsonl("in.jsonl", *rows("B"))
    call = ("apply", *LINES, "--field", "choices", "--target", "meta.gold", "-i", given)
    assert perturb(*call).out == perturb(*call, "--workers", 2).out


@pytest.mark.parametrize("steps", ["option_shuffle", "distractor:kind=option"])
@pytest.mark.parametrize("way", ["--field", "--choices"])
def test_a_list_of_options_is_restored_as_a_list(perturb, jsonl, tmp_path, steps, way):
    row, out = {"id": "q", "c": ["red", "blue", "green"]}, tmp_path / "out.jsonl"
    done = perturb("apply", steps, way, "c", "-i", jsonl("in.jsonl", row), "-o", out)
    assert done.status == 0
    assert perturb("restore", out).rows == [row]
    assert perturb("verify", out, "-i", tmp_path / "in.jsonl").status == 0
