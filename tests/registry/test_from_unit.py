"""A function of one unit is a perturbator like any other."""

import sys

import pytest

import perturb
from perturb import testing
from perturb.registry import registry
from perturb.registry.registry import perturbator


@pytest.fixture
def forget(monkeypatch):
    """What a test registers is forgotten after it."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))


def loud_word(word: str, *, mark: str = "") -> str:
    """Shout; it is at the top of its module, so that what is made of it can be pickled.

    Args:
        mark: what follows.
    """
    return word.upper() + mark


def test_a_function_of_a_word(forget, monkeypatch) -> None:
    facts = {"unit": "word", "summary": "Shout.", "label_risk": "low", "touches": ("case",)}
    made = perturbator("loud_word", **facts)(loud_word)
    monkeypatch.setattr(sys.modules[__name__], "loud_word", made)

    text = "Speak UP, don't whisper"
    assert str(perturb.apply(text, loud_word, p=1.0)) == "SPEAK UP, DON'T WHISPER"
    record = perturb.apply(text, "loud_word:mark=!", p=1.0)
    assert str(record) == "SPEAK! UP!, DON'T! WHISPER!"
    assert perturb.verify(record)
    assert perturb.apply(text, loud_word, p=1.0).sites == 3
    assert perturb.describe("loud_word")["parameters"] == {"mark": ""}
    for check in testing.CHECKS:
        if check is not testing.check_other_process:
            check(perturb.Pipeline.of(loud_word).steps[0], 3)


@pytest.mark.parametrize(
    ("unit", "after"),
    [
        ("sentence", "<One two.> <Three.>\n<Four>"),
        ("line", "<One two. Three.>\n<Four>"),
        ("text", "<One two. Three.\nFour>"),
    ],
)
def test_each_unit(forget, unit, after) -> None:
    @perturbator("bracket", unit=unit, summary="Put brackets.", label_risk="low")
    def bracket(unit: str) -> str:
        return f"<{unit}>"

    assert str(perturb.apply("One two. Three.\nFour", bracket, p=1.0)) == after


def test_what_is_wrong_is_said(forget) -> None:
    def five(word: str) -> str:
        return 5

    words = {"summary": "Wrong.", "label_risk": "low"}
    with pytest.raises(perturb.UsageError, match="needs a unit to be called with: character, word"):
        perturbator("five", unit="place", **words)(five)
    with pytest.raises(TypeError, match="five: the function must return a string for 'a'; got 5"):
        perturb.apply("a", perturbator("five", unit="word", **words)(five), p=1.0)
