"""Rows without a text: an error, kept as they are, or left out."""

import pytest

import perturb
from perturb.transform import Transform


def test_rows_without_a_text():
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"id": [1, 2, 3], "text": ["one text", None, "more text"], "n": [1, 2, 3]})
    with pytest.raises(
        perturb.DataError, match=r"row 2: .* got null; perturb apply --missing keep"
    ):
        Transform("char_swap", p=0.5)(table)
    made = Transform("char_swap", p=0.5, missing="keep", replicates=2)(table).to_pylist()
    assert [row["n"] for row in made] == [1, 1, 2, 3, 3]
    assert (made[2]["text"], made[2]["perturbation"]["status"]) == (None, "original")
    transform = Transform("char_swap", p=0.5, missing="keep", replicates=2)
    assert [row for row in made if row["n"] != 2] == transform(table.take([0, 2])).to_pylist()
    assert transform(table.to_pylist()) == made
    assert perturb.restored(made[2]) == {"id": 2, "text": None, "n": 2}
    assert all(map(perturb.verify, made))


def test_of_several_texts_those_that_are_there_are_perturbed():
    rows = [
        {"id": "a", "premise": "some words", "chat": [{"content": "other words"}]},
        {"id": "b", "premise": None, "chat": [{"content": "other words"}]},
        {"id": "c", "premise": float("nan"), "chat": []},
    ]
    fields = ["premise", "chat[*].content"]
    with pytest.raises(
        perturb.DataError, match=r"row 2: .* got null; perturb apply --missing keep"
    ):
        Transform("case:style=upper,p=1", field=fields)(rows)
    kept = Transform("case:style=upper,p=1", field=fields, missing="keep")(rows)
    assert [row["perturbation"]["status"] for row in kept] == ["changed", "changed", "original"]
    assert kept[1]["chat"] == [{"content": "OTHER WORDS"}]
    assert all(map(perturb.verify, kept))
    skipped = kept[1]["perturbation"]["recipe"].replace("keep", "skip")
    assert Transform("case:style=upper,p=1", field=fields, missing="skip")(rows)[1:] == [
        {**kept[1], "perturbation": {**kept[1]["perturbation"], "recipe": skipped}}
    ]
    table = {name: [row[name] for row in rows] for name in rows[0]}
    assert Transform("case:style=upper,p=1", field=fields, missing="keep")(table)[
        "perturbation"
    ] == [row["perturbation"] for row in kept]
    with pytest.raises(perturb.DataError, match="row 3"):
        Transform("case:style=upper,p=1", field=fields, missing="skip")(
            [*rows[:2], {"id": "c", "premise": 5}]
        )


def test_rows_without_a_text_are_left_out():
    table = {"id": [1, 2, 3], "text": ["some words", None, "other words"], "n": [1, 2, 3]}
    made = Transform("char_swap", p=0.5, missing="skip", replicates=2)(table)
    assert made["n"] == [1, 1, 3, 3]
    assert None not in made["perturbation"]
