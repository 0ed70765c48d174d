"""Options that are the items of a list, and their answers."""

import pytest

import perturb

MMLU = [
    {"question": f"Which is {number}?", "choices": ["one", "two", "red", "four"], "answer": 2}
    for number in range(12)
]
FIELDS = {"field": ["question", "choices"], "target": "answer"}


def test_a_wrong_answer_names_its_row():
    rows = [{"choices": ["x", "y"], "answer": answer} for answer in "ABC"]
    made = perturb.augment(rows, "option_shuffle:form=lines", field="choices", target="answer")
    with pytest.raises(perturb.DataError, match=r"row 3: .* the answer 'C' is none of the options"):
        list(made)


@pytest.mark.parametrize("steps", ["option_shuffle", "option_shuffle:mode=rotate"])
def test_the_items_of_a_list_are_options(steps):
    """No `form` is needed, the answer follows, and a row alone becomes what it does among others."""
    made = list(perturb.augment(MMLU, steps, **FIELDS))
    assert made == [next(perturb.augment([row], steps, **FIELDS)) for row in MMLU]
    assert len({tuple(row["choices"]) for row in made}) > (steps == "option_shuffle")
    for before, row in zip(MMLU, made, strict=True):
        assert row["question"] == before["question"]
        assert sorted(row["choices"]) == sorted(before["choices"])
        assert row["choices"][row["answer"]] == "red"
        assert perturb.restored(row) == before
        assert perturb.verify(row)
    alone = perturb.augment(MMLU, f"{steps.replace(':', ':form=lines,')}", **FIELDS)
    if ":" in steps:
        assert [row["choices"] for row in alone] == [row["choices"] for row in made]


def test_the_labels_of_items_of_a_list():
    """Where each item has a label, labels stay or are rewritten; where none has, none is."""
    row = {"choices": ["A. one", "B. two", "C. red"], "answer": "C"}
    (made,) = perturb.augment([row], "option_shuffle", field="choices", target="answer")
    assert [item[:2] for item in made["choices"]] == ["A.", "B.", "C."]
    assert made["choices"]["ABC".index(made["answer"])].endswith("red")
    (made,) = perturb.augment([row], "option_labels:numbering=digit", field="choices")
    assert [item[-3:] for item in made["choices"]] == ["one", "two", "red"]
    assert [item[1] for item in made["choices"]] != ["A", "B", "C"]
    (made,) = perturb.augment(MMLU[:1], "option_labels", **FIELDS)
    assert made["perturbation"]["status"] == "no site"


@pytest.mark.parametrize("items", [["red", "blue"], ["A. red", "B. blue"]])
def test_a_list_takes_a_further_option(items):
    """With labels or without; flags get one more, and other answers stay."""
    for answer, after in ((1, 1), ("B", "B"), ([0, 1], [0, 1, 0])):
        rows = [{"id": 1, "choices": items, "answer": answer}]
        call = {"field": "choices", "target": "answer"}
        (made,) = perturb.augment(rows, "distractor:kind=option", p=1.0, **call)
        assert made["choices"][:2] == items
        assert len(made["choices"]) == 3
        assert made["choices"][2].startswith("C. ") == items[0].startswith("A. ")
        assert made["answer"] == after
        assert perturb.restored(made) == rows[0]
    rows = [{"id": 1, "choices": "Which?\nA. red\nB. blue"}]
    (made,) = perturb.augment(rows, "distractor:kind=option", p=1.0, field="choices")
    assert made["choices"].startswith("Which?\nA. red\nB. blue\nC. ")
