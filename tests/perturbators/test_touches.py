"""Every perturbator, as it comes, changes nothing but what it says that it touches."""

import pytest
import regex
from lines import EXAMPLES, rows_in

import perturb
from perturb import Pipeline
from perturb.registry.registry import lookup

QUESTIONS = [row["question"] for row in rows_in(EXAMPLES)]
TEXTS = [
    *QUESTIONS,
    "Wind: 3.14 m/s, or 1,000,000 km; call 555-0100 at 9:30 (room B12, 2nd floor).\nA1: x2 = 7y",
    "Летний театр работал с 1870 по 1939 гг., вход 25 руб.",
    "Το θέατρο λειτούργησε από το 1870 ως το 1939, με 25 δραχμές.",
    "عمل المسرح من 1870 إلى 1939 وكان ثمنه 25 أو ٣٥ قرشا.",
    "थिएटर 1870 से 1939 तक चला, टिकट 25 या ३५ रुपये।",
    "โรงละครเปิดตั้งแต่ปี 1870 ถึง 1939 ราคา 25 บาท",
    "剧院从1870年到1939年开放,票价25元。",
    "Select A, B, C, or D.\nA. 12 dogs\nB. 7 cats\nC. 3 mice\nD. none of the 3",
    "Q: What's 5 x 5?\nA: 25\n\nQ: what's 6 x 7?\nA: 42",
]
_DIGITS = regex.compile(r"\p{Nd}+")
_LETTERS = regex.compile(r"[\p{L}\p{M}\p{N}]")
_BLANK = regex.compile(r"[\s\p{Z}]")


def touches(name):
    return lookup(name).touches


@pytest.mark.parametrize("p", [0.2, 1.0])
@pytest.mark.parametrize(
    "name", [name for name in perturb.names() if "digits" not in touches(name)]
)
def test_numbers_stay(name, p) -> None:
    for one in perturb.apply(TEXTS, name, p=p, seed=3):
        before, after = _DIGITS.findall(one.original), _DIGITS.findall(one.text)
        if "order" in touches(name):
            before, after = sorted(before), sorted(after)
        # With all that stands between them gone, two numbers are one.
        if name == "char_delete":
            before, after = "".join(before), "".join(after)
        assert after == before, one


@pytest.mark.parametrize(
    "name",
    [name for name in perturb.names() if touches(name) <= {"punctuation", "space", "layout"}],
)
def test_letters_and_digits_stay(name) -> None:
    for one in perturb.apply(TEXTS, name, p=1.0, seed=3):
        assert _LETTERS.findall(one.text) == _LETTERS.findall(one.original), one


@pytest.mark.parametrize(
    "name", [name for name in perturb.names() if touches(name) <= {"space", "layout"}]
)
def test_all_but_white_space_stays(name) -> None:
    for one in perturb.apply(TEXTS, name, p=1.0, seed=3):
        assert _BLANK.sub("", one.text) == _BLANK.sub("", one.original), one


@pytest.mark.parametrize("name", [name for name in perturb.names() if touches(name) <= {"order"}])
def test_every_character_stays(name) -> None:
    for one in perturb.apply(TEXTS, name, p=1.0, seed=3):
        assert sorted(one.text) == sorted(one.original), one


@pytest.mark.parametrize("name", ["keyboard_typos", "ocr", "char_swap", "char_replace", "typo_mix"])
def test_digits_can_be_asked_for(name) -> None:
    made = perturb.apply(TEXTS, Pipeline.of(name, p=1.0, digits=True), seed=3)
    assert any(_DIGITS.findall(one.text) != _DIGITS.findall(one.original) for one in made)
