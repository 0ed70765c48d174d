"""References of an option to others, in any case and form, and what only looks like one."""

import pytest

import perturb


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A. x\nB. y\nC. both a and (b)", "option C names others: 'both a and (b)'"),
        ("A. x\nB. y\nC. a & b", "option C names others: 'a & b'"),
        ("A. x\nB. y\nC. neither a nor b", "option C names others: 'neither a nor b'"),
        ("(a) x\n(b) y\n(c) All but (a)", "option c names others: 'All but (a)'"),
        ("(a) x\n(b) y\n(c) (a) but not (b)", "option c names others: '(a) but not (b)'"),
        ("(a) x\n(b) y\n(c) None of (a) to (b)", "option c names others: 'None of (a) to (b)'"),
        ("a) x\nb) y\nc) Both A and B", "option c names others: 'Both A and B'"),
        ("I. x\nII. y\nIII. i and ii only", "option III names others: 'i and ii only'"),
    ],
)
def test_a_reference_keeps_options_in_their_order(text: str, said: str) -> None:
    record = perturb.apply(text, "option_shuffle")
    assert (record.text, record.status) == (text, "options refused")
    assert record.steps[0].note == {"refused": [said]}


@pytest.mark.parametrize(
    "content",
    [
        *("a banana", "a and the", "both a cat and b", "a + b", "not a chance", "a vitamin"),
        *("B vitamins", "Plan A", "A", "B", "the best of both worlds", "some other reason"),
        "1 or 2",
    ],
)
def test_what_only_looks_like_a_reference(content: str) -> None:
    """One label alone, or words that are no labels, name no option."""
    record = perturb.apply(f"A. x\nB. {content}\nC. z", "option_shuffle")
    assert "refused" not in (record.steps[0].note or {})
