"""Negations, added to clauses or taken out of them."""

import pytest
from taken import by_spec

import perturb

WRITTEN = {
    "negation:mode=add": [
        ("Tom is happy and can swim.", "Tom is not happy and cannot swim."),
        ("She eats fish, they eat meat and he ate both.",
         "She does not eat fish, they do not eat meat and he did not eat both."),
        ("She has two cats and has eaten; he had been there.",
         "She does not have two cats and has not eaten; he had not been there."),
        ("Mark was born and raised here.", "Mark was not born and raised here."),
        ("They have eaten and danced; he came and raised it.",
         "They have not eaten and danced; he did not come and did not raise it."),
        ("He has already left.", "He has not already left."),
        ("Write a poem. List the names!", "Do not write a poem. Do not list the names!"),
        ("Which of these is a fish? Who is tall?", "Which of these is not a fish? Who is not tall?"),
        ("Is she happy? How many eggs does she eat? What color is the sky?", None),
        ("If she is paid, how much does she make?", "If she is not paid, how much does she make?"),
        ("She is not here, and he never ran; it isn't so.", None),
        ("The cake baked by Ann and two rawhide bones.", None),
        ("i cant even go", None),
        ("WAIT FOR IT!", None),
        ("Run `is it` and see https://a.org/is/it.", None),
    ],
    "negation:mode=remove": [
        ("He doesn't eat it and didn't go.", "He eats it and went."),
        (
            "He can't swim, it won't work, she isn’t here.",
            "He can swim, it will work, she is here.",
        ),
        ("Do not use rhymes. Don't run.", "Use rhymes. Run."),
        ("They do not. She is not tall.", "They do. She is tall."),
        ("Nothing happened; he never ran without a hat.", "Something happened; he ran with a hat."),
        ("She is tall, and eats.", None),
        (
            "i dont know, she wont come, they cant swim and it isnt so",
            "i know, she will come, they can swim and it is so",
        ),
        ("He did as was his wont, and hated religious cant.", None),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("spec", "text", "wanted"), by_spec(WRITTEN))
def test_what_is_written(spec, text, wanted):
    assert str(perturb.apply(text, spec, p=1)) == (wanted or text)


def test_both_ways_lead_back():
    text = "Tom is tall. She eats fish. They ran home, and he can swim."
    negated = str(perturb.apply(text, "negation:mode=add", p=1))
    assert negated.count("not") == 4
    assert str(perturb.apply(negated, "negation:mode=remove", p=1)) == text
