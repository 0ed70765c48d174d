"""What only looks like a reference of an option to others."""

import pytest

import perturb


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
