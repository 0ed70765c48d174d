"""Typing errors as people make them: the rate, the shares of the kinds, where they are."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from rapidfuzz.distance import Levenshtein

import perturb
from perturb.perturbators.letters.keyboard import slips
from perturb.perturbators.letters.slips import KINDS, WEIGHTS
from perturb.resources import read_rows

QUESTIONS = [
    json.loads(row)["question"]
    for row in (Path(__file__).parents[2] / "examples/questions.jsonl").read_text().splitlines()
]
# Prose: three quarters are letters of an alphabet here, each of one code point.
QUESTIONS = [
    one for one in QUESTIONS if 4 * len(re.findall("[a-zA-Zа-яА-Я]", one)) > 3 * len(one)
] * 40


def mistyped(p, **more):
    ids = list(range(len(QUESTIONS)))
    return perturb.apply(QUESTIONS, "human_typos", p=p, id=ids, **more)


def kind_of(edit, text):
    """The kind of an edit, which covers no more than the error."""
    here, behind = text[edit.start : edit.end], text[edit.end : edit.end + 1]
    if here == " ":
        return "run_on"
    if not edit.text:
        return "undouble" if behind == here else "omit"
    if not here:
        return "split" if edit.text == " " else "double" if behind == edit.text else "insert"
    if len(here) == 2:
        assert edit.text == here[::-1]
        return "transpose"
    assert len(here) == len(edit.text) == 1
    return "neighbour"


@pytest.mark.parametrize("p", [0.02, 0.05, 0.1, 0.2, 0.3])
def test_the_error_rate_is_p(p):
    """N = 2000 questions; the rate is within 2 % of p, 4 % where p is .02."""
    records = mistyped(p)
    distance = sum(Levenshtein.distance(record.original, record.text) for record in records)
    assert distance / sum(map(len, QUESTIONS)) == pytest.approx(p, rel=0.04 if p < 0.05 else 0.02)


def test_the_shares_of_the_kinds():
    """N = 2000 questions, about 9000 edits; each share is within .025 of its weight."""
    found = Counter(
        kind_of(edit, text)
        for text, record in zip(QUESTIONS, mistyped(0.05), strict=True)
        for edit in record.edits
    )
    assert set(found) == set(KINDS)
    for kind, weight in WEIGHTS.items():
        assert found[kind] / found.total() == pytest.approx(weight, abs=0.025), kind


def test_first_letters_are_rarely_wrong():
    """Of the letters of these questions 23 % are first letters; of the errors at most 8 % are."""
    first = total = 0
    for text, record in zip(QUESTIONS, mistyped(0.05), strict=True):
        for edit in record.edits:
            if text[edit.start] != " ":
                total += 1
                first += not text[edit.start - 1 : edit.start].isalpha()
    assert 0.02 < first / total < 0.08


def test_neighbours_are_in_the_same_row_four_to_one():
    """Where a letter has both: s has a and d beside it, w, x and z above and below."""
    for layout, row in (("us", "ad"), ("auto", "ad"), ("fr", "qd")):
        keys = slips(layout)
        options = keys._options.to_list()
        at = keys._row[ord("s")]
        mine = options[keys._first[at] : keys._first[at] + int(keys._size[at])]
        beside = sum(one in row for one in mine)
        assert beside == 4 * (len(mine) - beside) > 0


def test_neighbours_are_letters_of_the_keyboard():
    letters = {key for key, _ in read_rows("keyboards", "us.tsv") if key.isalpha()}
    written = {
        edit.text
        for text, record in zip(QUESTIONS, mistyped(0.2, seed=3), strict=True)
        for edit in record.edits
        if kind_of(edit, text) in ("neighbour", "insert")
    }
    assert {one for one in written if one.isascii()} <= letters


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("In 1870 and 1939 we sold 3.50, 12 and 7!", "1870 1939 3.50, 12 7!"),
        ("Летний театр работал с 1870 по 1939 год.", "1870 1939"),
    ],
)
def test_numbers_stay(text, kept):
    for seed in range(20):
        made = perturb.apply(text, "human_typos", p=0.3, seed=seed).text
        assert all(number in made for number in kept.split())


def test_the_layout_follows_the_script():
    text = "Летний театр работал всю зиму, и зрители любили его. "
    made = "".join(perturb.apply(text, "human_typos", p=0.3, seed=s).text for s in range(20))
    assert not any("a" <= letter <= "z" for letter in made)
    assert perturb.apply("敏捷的棕色狐狸。", "human_typos", p=0.3).edits == ()


@pytest.mark.parametrize("layout", ["tr", "cz", "hu", "hr", "lt", "sk", "si", "ge", "us"])
def test_letters_are_those_of_the_keyboard_in_texts_of_latin_1_too(layout):
    text = "Logs of a quiet opal, as is said: laid, pulp, hill. " * 20
    typed = {key for row in read_rows("keyboards", f"{layout}.tsv") for key in "".join(row)}
    step = f"human_typos:p=0.4,layout={layout}"
    record, beside = perturb.apply(text, step, seed=1), perturb.apply([text, "ЖЖЖ"], step, seed=1)
    assert {letter for edit in record.edits for letter in edit.text} <= typed | {" "}
    assert beside[0].text == record.text
