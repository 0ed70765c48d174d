"""Steps that take the texts of one field of several."""

import json

import pytest

import perturb
from perturb.cli import main

ROWS = [
    {
        "id": "a",
        "question": "Who wrote the long novel about the whale?",
        "context": "Anna Miller wrote Moby Dick in 1851.",
        "answer": "Anna Miller",
        "chat": [{"role": "user", "content": "Is it long?"}, {"role": "bot", "content": "It is."}],
    },
    {
        "question": "Who was Robert?",
        "context": "Robert painted a chapel. Robert was a sculptor too.",
        "answer": "a sculptor",
        "chat": [
            {"role": "user", "content": "Where is it?"},
            {"role": "bot", "content": "In Rome"},
        ],
    },
]
FIELDS = ["question", "context"]
CHAT = "chat[role=user].content"


def of(rows, label):
    return [row for row in rows if row["perturbation"]["condition"] == label]


@pytest.mark.parametrize("step", ["char_delete", "word_swap", "ocr", "name_swap"])
def test_a_step_writes_in_its_field_what_it_writes_there_beside_others(step) -> None:
    own = {field: f"{step}:p=1,field={field}" for field in FIELDS}
    grid = f"grid({' | '.join([*own.values(), f'{step}:p=1'])})"
    made = list(perturb.augment(ROWS, grid, field=FIELDS))
    every = of(made, f"{step}:p=1")
    for field, other in (FIELDS, FIELDS[::-1]):
        for before, row, both in zip(ROWS, of(made, own[field]), every, strict=True):
            assert row[other] == before[other]
            if step != "name_swap":  # in a row whose names stay the same, they are one text
                assert row[field] == both[field]
    assert any(row["context"] != before["context"] for row, before in zip(every, ROWS, strict=True))


def test_steps_in_a_row_have_fields_of_their_own() -> None:
    steps = "char_delete:p=0.3,field=question case:p=1,field=context"
    alone = perturb.augment(ROWS, "char_delete:p=0.3,field=question", field=FIELDS)
    for row, first, before in zip(
        perturb.augment(ROWS, steps, field=FIELDS), alone, ROWS, strict=True
    ):
        assert row["question"] == first["question"]
        assert row["context"].lower() == before["context"].lower()
        assert row["context"] != before["context"]


def test_a_right_answer_follows_a_consistent_step_in_its_field() -> None:
    (row,) = perturb.augment(ROWS[:1], "name_swap:p=1,field=context", field=FIELDS, target="answer")
    assert row["question"] == ROWS[0]["question"]
    assert row["answer"] != ROWS[0]["answer"]
    assert row["context"].startswith(row["answer"])
    assert row["perturbation"]["expect"] == "mapped"


@pytest.mark.parametrize(
    "steps",
    [
        "grid(char_delete:p=0.3,field=context | ocr:p=1,field=question | case:p=1)",
        f'grid(char_delete:p=0.3,field="{CHAT}" | word_swap:p=1,field=context)',
        "grid(name_swap:p=1,field=context | name_swap:p=1,field=question char_delete:field=context)",
    ],
)
def test_from_file_to_file(steps, tmp_path, capfd) -> None:
    """A block of lines is what its rows are; records verify and restore."""
    rows, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    rows.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    fields = [*FIELDS, CHAT]
    words = ["apply", steps, "-i", str(rows), "-o", str(out), "--with-original"]
    words += [word for field in fields for word in ("--field", field)]
    assert main([*words, "--target", "answer"]) == 0
    made = [json.loads(line) for line in out.read_text().splitlines()]
    same = perturb.augment(ROWS, steps, field=fields, target="answer", with_original=True)
    assert made == list(same)
    assert main(["verify", str(out), "--input", str(rows)]) == 0
    capfd.readouterr()
    assert main(["restore", str(out)]) == 0
    assert [json.loads(line) for line in capfd.readouterr().out.splitlines()] == ROWS


def test_a_field_that_no_text_is_read_from() -> None:
    with pytest.raises(perturb.UsageError, match="to perturb are question: name it with --field"):
        perturb.augment(ROWS, "ocr:field=context", field="question")
    with pytest.raises(TypeError, match="field must be a path"):
        perturb.augment(ROWS, {"name": "ocr", "field": 3}, field="question")


def test_a_row_without_the_field_has_no_site() -> None:
    rows = [{"id": "a", "question": "How many eggs are there?"}]
    settings = {"field": FIELDS, "missing": "keep"}
    (row,) = perturb.augment(rows, "char_delete:p=0.3,field=context", **settings)
    assert row["question"] == rows[0]["question"]
    assert row["perturbation"]["status"] == "not taken"
