"""A text says that it changed exactly when it did."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.registry.from_function import from_function


def rotated(text):
    return text[1:] + text[:1]


STEPS = [
    "whitespace",
    "typo_mix",
    ["char_repeat", "char_repeat:mode=collapse"],
    from_function("rotated", rotated, together=False),
]


@pytest.mark.parametrize("steps", STEPS, ids=str)
@given(text=st.text("ab  \n", max_size=12), seed=st.integers(0, 99))
def test_status_is_the_truth(steps, text, seed):
    record = perturb.apply(text, steps, p=0.6, seed=seed)
    assert (record.status == "changed") is (record.text != text)
    assert bool(record.edits) is (record.text != text)
    assert record.restore() == text


def test_edits_of_one_step_that_undo_each_other():
    """All of "aaa" rotated is "aaa" again; beside it a text that changes keeps its edits."""
    turn = from_function("turn", lambda text: text[1:] + "a", together=False)
    swap = perturb.from_regex("swap", r"^a|$", lambda match, _: "" if match[0] else "a")
    same, other = perturb.apply(["aaa", "abc"], swap, p=1.0)
    assert (same.text, same.status, same.edits) == ("aaa", "cancelled out", ())
    assert (other.text, other.status, len(other.edits)) == ("bca", "changed", 2)
    assert perturb.apply("aaa", turn, p=1.0).status == "no site"
