"""A function of one unit is a perturbator like any other."""

import asyncio
import sys

import pytest

import perturb
from perturb import testing
from perturb.perturbators.declaration import perturbator


def loud_word(word: str, *, mark: str = "") -> str:
    """Shout; it is at the top of its module, so that what is made of it can be pickled.

    Args:
        mark: what follows.
    """
    return word.upper() + mark


@pytest.mark.slow
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
    with pytest.raises(perturb.UsageError, match="must be character, word"):
        perturbator("five", unit="place", **words)(five)
    with pytest.raises(TypeError, match="five: the function must return a string for 'a'; got 5"):
        perturb.apply("a", perturbator("five", unit="word", **words)(five), p=1.0)


def test_an_async_function(forget) -> None:
    """It is called as a plain one is, in an event loop as well, and never with an empty text."""
    seen = []

    @perturbator("slow_shout", unit="text", summary="Shout.", label_risk="low")
    async def slow_shout(text: str, *, mark: str = "!") -> str:
        seen.append(text)
        await asyncio.sleep(0)
        return text.upper() + mark

    async def within() -> list[str]:
        return [r.text for r in perturb.apply(["a b", "", "c"], "slow_shout:mark=?", p=1.0)]

    assert asyncio.run(within()) == ["A B?", "", "C?"]
    assert seen == ["a b", "c"]
    assert perturb.verify(perturb.apply("a b", slow_shout, p=1.0))


def test_an_async_function_that_fails_names_its_text(forget) -> None:
    @perturbator("fails", unit="word", summary="Fail.", label_risk="low")
    async def fails(word: str) -> str:
        raise OSError("no line")

    with pytest.raises(OSError, match="no line") as caught:
        perturb.apply("hello", fails, p=1.0)
    assert "raised by the function of the perturbator fails, for 'hello'" in caught.value.__notes__


def scrambled(word: str, rng: perturb.KeyedRandom, *, keep: int = 1) -> str:
    """Put the inner letters of a word in another order.

    Args:
        keep: how many letters at its start stay.
    """
    inner = list(word[keep:-1])
    rng.shuffle(inner)
    return word[:keep] + "".join(inner) + word[-1:]


def test_a_random_function_of_a_word(forget, monkeypatch) -> None:
    """Each place has its own numbers, whatever other texts there are, and none is a parameter."""
    facts = {"unit": "word", "summary": "Scramble.", "label_risk": "low", "touches": ("letters",)}
    made = perturbator("scrambled", **facts)(scrambled)
    text = "somewhere somewhere somewhere somewhere"
    record = perturb.apply(text, made, p=1.0)
    assert len(set(record.text.split())) > 1
    assert all(sorted(word) == sorted("somewhere") for word in record.text.split())
    assert perturb.verify(record)
    assert perturb.apply(["elsewhere", text], made, p=1.0)[1].text == record.text
    assert perturb.apply(text, made, p=1.0, seed=1).text != record.text
    assert perturb.describe("scrambled")["parameters"] == {"keep": 1}
    kept = perturb.apply(text, "scrambled:keep=4", p=1.0)
    assert all(word.startswith("some") for word in kept.text.split())
    assert perturb.verify(kept)


def test_random_numbers_of_a_place() -> None:
    """A shuffle permutes, a sample draws without putting back, and every order comes."""
    letters = list("abc")
    perturb.KeyedRandom(7, 0).shuffle(letters)
    assert sorted(letters) == list("abc")
    orders = {tuple(perturb.KeyedRandom(key, 0).sample("abc", 3)) for key in range(100)}
    assert len(orders) == 6
    assert perturb.KeyedRandom(7, 0).sample("abc", 0) == []
    with pytest.raises(perturb.UsageError, match="k from 0 to 3"):
        perturb.KeyedRandom(7, 0).sample("abc", 4)


def test_a_perturbator_of_english_prose(forget) -> None:
    """It has a language, and acts neither on other languages nor in code."""

    @perturbator("hush", unit="word", summary="Hush.", label_risk="low", english=True)
    def hush(word: str, *, mark: str = "…") -> str:
        """Hush words.

        Args:
            word: the word.
            mark: what is written.
        """
        return mark

    assert hush.languages == ("en",)
    assert hush.parameters == {"mark": "…", "language": "auto"}
    assert 'language: "auto" leaves texts alone' in perturb.describe("hush")["doc"]
    assert str(perturb.apply("We run `it` now.", hush, p=1.0)) == "… … `it` …."
    german = "Der Hund und die Katze sind nicht im Haus."
    assert str(perturb.apply(german, hush, p=1.0)) == german
    assert str(perturb.apply("Der Hund", "hush:language=en", p=1.0)) == "… …"
