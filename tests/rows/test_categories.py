"""The categories of a row, as suites of tests name them."""

import pytest

import perturb


@pytest.mark.parametrize(
    ("steps", "names"),
    [
        ("char_delete:p=0.5", ["char_delete:p=0.5"]),
        ("a=char_delete:p=0.5 case:p=1", ["char_delete:p=0.5", "case:p=1.0"]),
        ("noisy=one_of(ocr | case)", ["noisy"]),
        ('char_delete:p=0.5,fill="a b"', ['char_delete:p=0.5,fill="a b"']),
        ('noisy=char_delete:p=0.5,fill="a b" case:p=1', ["noisy"]),
    ],
)
def test_each_step_is_one_unless_they_were_drawn_or_have_a_quoted_parameter(steps, names):
    rows = perturb.augment([{"id": 1, "text": "Hi there, friend"}], steps, with_original=True)
    original, row = rows
    assert perturb.categories(original) == ("original",)
    assert perturb.categories(row) == ("perturbed", *(f"perturbed_by:{name}" for name in names))
