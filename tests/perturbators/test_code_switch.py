"""Nouns of another language in English text."""

import pytest
import regex

import perturb
from perturb.resources import read_rows


@pytest.mark.parametrize(
    ("text", "to", "wanted"),
    [
        ("The horse crossed a river in winter.", "gl", "The horse crossed a río in inverno."),
        ("She drank milk in the kitchen.", "it", "She drank latte in the cucina."),
        ("The horse is near the water.", "zh", "The 马 is near the 水."),
        ("A soldier saw the tree at night.", "es", "A soldado saw the árbol at noche."),
        # No plural, no name, and no word before which the article would be wrong.
        ("Rivers, Winter Street and an hour; a tree.", "it", "Rivers, Winter Street and an ora; a tree."),
        ("It takes 8 min to reach the river.", "es", "It takes 8 min to reach the río."),
        ("She will water it, see /door/water.", "zh", None),
    ],
)  # fmt: skip
def test_code_switch(text, to, wanted):
    assert str(perturb.apply(text, perturb.steps.code_switch(p=1, to=to))) == (wanted or text)


@pytest.mark.slow
def test_the_table():
    rows = read_rows("languages", "code_switch.tsv")
    assert len({row[0] for row in rows}) == len(rows) > 1500
    for noun, *words in rows:
        assert regex.fullmatch("[a-z]+", noun)
        assert all(regex.fullmatch(r"\p{Latin}+|-", word) for word in words[:4]), noun
        assert regex.fullmatch(r"\p{Han}{1,3}|-", words[4]), noun
