"""Numbers in other forms, and which numbers stay."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from taken import all_of, by_spec

import perturb
from perturb.engine.batch import Batch
from perturb.lexicon.numerals import LIMIT, digits, in_words, named

WRITTEN = {
    "number_format": [
        ("21 apples and 3.14 pies", "Twenty-one apples and 3.14 pies"),
        ("He ate 21. 305 were left!", "He ate twenty-one. Three hundred five were left!"),
        ("all 1,000 of (7 or) 8", "all one thousand of (seven or) eight"),
        ("A4, 12:30, 1/2, 3-4, $5, 50%, 1st, #3, 007, 12,34, 5.a, 1_000, -5",) * 2,
        ("on May 5, 1776 and 5 May 1945, in 2024",) * 2,
        ("On May 12 300 people came.", "On May 12 three hundred people came."),
        ("It may be 12 300 people, or on May 12 345 678 people.",) * 2,
        ("5 km; 1040 dollars, 6000 men", "5 km; one thousand forty dollars, six thousand men"),
        ("It ran 1st in 3 races.", "It ran 1st in three races."),
        # Years, groups, phone numbers, labels, lists, formulas and code.
        ("In 1870, since 1066, from 1754 to 1763, by 44 BC or AD 90; the 1850 census",) * 2,
        ("12 345 or 1 000 000; call 555 0134, (020) 7946 0958, tel. 5550134",) * 2,
        ("between 24 and 26 december; my phone number is 6287822, or 6287822 to 6287829",) * 2,
        ("1000 tornadoes a year", "One thousand tornadoes a year"),
        ("an average of 1000 tornadoes", "an average of one thousand tornadoes"),
        ("The confession of 1559 shows it: O 2, H 2 and CO\n2 near the 41 freeway",) * 2,
        ("565 °C, 760 mm (2 ft 6 in), 20 to 30% or 30 to 40 km/h",) * 2,
        ("No. 5, page 12, Question 3: step 2, Windows 95, 10 Downing Street; Apollo 11",) * 2,
        ("1. Rest\n2) Go\n3: stay\n4",) * 2,
        ("- 3 eggs\n* 2 cups", "- three eggs\n* two cups"),
        ("x = 5, f(3), arr[0], range(10), 5 + 7 = 12, 2 x 4, 9 - 6, {\"n\": 3}\nreturn 0;",) * 2,
        ("it was 1234567890123",) * 2,
        ("привет 5 мир, 价格5元 ٣",) * 2,
        ("so 0", "so zero"),
    ],
    "number_format:to=digits": [
        ("twenty-one and Three hundred and five", "21 and 305"),
        ("TWO MILLION dogs", "2000000 dogs"),
        ("one hundred twenty three thousand four hundred fifty-six", "123456"),
        ("zero, seventeen", "0, 17"),
        ("two and three", "2 and 3"),
        # No number together, so none apart.
        ("one two three, two hundred three hundred, and five and",
         "one two three, two hundred three hundred, and 5 and"),
        ("a hundred, hundreds, nine hundred trillion, two thirds, two point five",) * 2,
        ("no one, that one, one another, one dog", "no one, that one, one another, 1 dog"),
        ("thirty (30) days, thirty days", "thirty (30) days, 30 days"),
        ("twenty  three, twenty\nthree", "20  3, 20\n3"),
        ("one should go, One might say, one by one, one of us, one thinks",) * 2,
        ("She has one apple and one large pear", "She has 1 apple and 1 large pear"),
    ],
    "number_format:to=speech": [
        ("At 9:00 a.m. on 3 March", "At nine a.m. on the third of March"),
        ("Call +44 20 7946 0958 or 020 7946 0958",
         "Call plus four four two zero seven nine four six zero nine five eight or "
         "zero two zero seven nine four six zero nine five eight"),
        ("a line with +5 20 times, +3", "a line with +5 twenty times, +3"),
        ('{"price": 12, "note": "3 cats"}',) * 2,
        ("SELECT a FROM t WHERE x = 12; $y = 5$",) * 2,
    ],
    "number_format:to=separators": [
        ("10000 and 1,000; 1234 items", "10,000 and 1000; 1,234 items"),
        ("$15000 or 1,234,567 in 1999", "$15,000 or 1234567 in 1999"),
        ("in 1870, from 1492, ZIP 90210, id 48213, call 5550134",) * 2,
        ("12,34 and 1234,567 and 1,2345 and 1000.5 and 999",) * 2,
    ],
}  # fmt: skip


@pytest.mark.parametrize(("spec", "before", "after"), by_spec(WRITTEN))
def test_what_is_written(spec, before, after):
    assert all_of(spec, before) == after


@pytest.mark.parametrize(
    ("context", "answer", "made"),
    [
        ("from their 24-yard line to a 24-10 lead", "24", ("from their 24-yard line to a 24-10 lead", "24")),
        ("on waves of 687 and 760 cycles", "687 and 760", ("on waves of six hundred eighty-seven and seven hundred sixty cycles", "six hundred eighty-seven and seven hundred sixty")),
        ("in all 38 races", "38", ("in all thirty-eight races", "thirty-eight")),
        ("in all thirty-eight races", "38", ("in all thirty-eight races", "38")),
    ],
)  # fmt: skip
def test_a_number_of_an_answer_goes_with_the_text(context, answer, made):
    (row,) = perturb.augment(
        [{"context": context, "answer": answer}],
        "number_format",
        p=1,
        field="context",
        target="answer",
    )
    assert (row["context"], row["answer"]) == made


@pytest.mark.slow
@given(st.integers(0, LIMIT - 1) | st.integers(0, 10**4))
def test_numbers_are_read_as_they_are_written(value):
    (words,) = named(np.array([value])).to_list()
    for text in (words, words.upper(), words.replace("-", " ")):
        assert in_words(Batch.of(["", f"x {text}!", "y"])).values.tolist() == [value]
    assert digits(np.array([value]), commas=True).to_list() == [f"{value:,}"]
    assert digits(np.array([value]), commas=False).to_list() == [f"{value}"]
