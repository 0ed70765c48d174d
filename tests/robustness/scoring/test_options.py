import pytest

from perturb.robustness.grading.option_labels import options_of


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("Q?\nA. one thing\nB. two", ("A", "B")),
        ("Q?\n[i] x\n[ii] y\n[iii] z", ("i", "ii", "iii")),
        ("Q? (1) x (2) y", ("1", "2")),
        ("1. First question\n2. Second\n", ("1", "2")),
        ("Q?\n- a) x\n- b) y", ("a", "b")),
        ("Q?\nOptions:\n- x\n- y\n- z\nAnswer:", ("A", "B", "C")),
        ("CHOICES ::\n\n* x\n\n* y", ("A", "B")),
        ("Facts:\n- x\n- y", None),
        ("No options. A dog.", None),
        ("B. x\nC. y", None),
    ],
)
def test_options(question, labels):
    found = options_of(question)
    assert (None if found is None else found.labels) == labels
