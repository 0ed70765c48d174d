import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.robustness.grading.quantities import last_number
from perturb.robustness.grading.ways import match_of

ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
TENS = ["", "", *"twenty thirty forty fifty sixty seventy eighty ninety".split()]


def spelled(value):
    for scale, name in ((10**9, "billion"), (10**6, "million"), (1000, "thousand")):
        if value >= scale:
            rest = value % scale
            link = " and " if 0 < rest < 100 else ", "
            return f"{spelled(value // scale)} {name}" + (f"{link}{spelled(rest)}" if rest else "")
    if value >= 100:
        rest = f" and {spelled(value % 100)}" if value % 100 else ""
        return f"{ONES[value // 100]} hundred{rest}"
    if value >= 20:
        return TENS[value // 10] + (f"-{ONES[value % 10]}" if value % 10 else "")
    return ONES[value]


@given(st.one_of(st.integers(2, 10**12 - 1), st.integers(2, 2000)), st.booleans())
def test_each_number_is_read_as_it_is_spelled(value, plain):
    words = spelled(value)
    if plain:
        words = words.replace(" and ", " ").replace(",", "").replace("-", " ")
    for reply in (words, f"The answer is {words}.", f"So x = {words} dollars!"):
        assert last_number(reply) == str(value)


READ = [
    ("Eighteen.", "18"),
    ("Eighteen dollars.", "18"),
    ("**eighteen**", "18"),
    ("a hundred", "100"),
    ("a hundred and one", "101"),
    ("eighteen hundred", "1800"),
    ("She has eighteen eggs left.", "18"),
    ("One.", "1"),
    ("The answer is zero.", "0"),
    ("x = negative five", "-5"),
    ("no one knows", None),
    ("One moment please.", None),
    ("The first is one.", None),
    ("It is one of a kind", None),
    ("It is two or three.", None),
    ("two and a half", "2.5"),
    ("two-thirds", "2/3"),
    ("seven-eighths", "0.875"),
    ("two dozen", "2"),
    ("two point five", "2.5"),
    ("ninety-nine point nine", "99.9"),
    ("one two three", None),
    ("five six", None),
    ("five plus six", None),
    ("twenty twelve", None),
    ("twenty-first", None),
    ("two thousand and some", None),
    ("six hundred and", None),
    ("It is not eighteen.", None),
    ("is about eighteen", "18"),
    ("I can't say; there are two ways to read it.", None),
    ("a", None),
    ("It is a mistake.", None),
    ("thousand", None),
    ("x" * 300 + " eighteen", None),
    ("a million and a half", None),
    ("three quarters", "3"),
    ("three-quarters of a mile", "0.75"),
    ("two-and-a-half years", "2.5"),
    ("an hour and a half", "1.5"),
    ("zero point oh five million", "50000"),
    ("She has 3 boxes, so it is twenty-one.", "21"),
    ("third", None),
    ("1_000", "1000"),
    ("12_000_000 m", "12000000"),
    ("x_1", "1"),
    ("五", "5"),
    ("统一", None),
    ("两千零五十", "2050"),
    ("一亿三千万人。", "130000000"),
]


@pytest.mark.parametrize(("reply", "value"), READ)
def test_replies(reply, value):
    assert last_number(reply) == value


@pytest.mark.parametrize(
    "reply",
    [
        "I am not sure.",
        "Paris",
        "?",
        "It depends on the weather.",
        "Je ne sais pas.",
        "No idea.",
        "no way",
        "No, it is not.",
        "First, I don't know.",
        "At once.",
        "tooth",
    ],
)
def test_a_reply_that_says_no_number_is_read_and_wrong(reply):
    assert match_of("number")(reply, "3") == (0.0, "no number")
    assert match_of("close:1")(reply, "3") == (0.0, "no number")


@pytest.mark.parametrize(
    "reply",
    [
        "Two or three.",
        "None of them.",
        "Es sind zweiundzwanzig.",
        "veinte",
        "XIV",
        "二つか三つでしょう",
        "",
        " ",
        "a few dozen",
        "the third",
        *(
            "no",
            "No apples.",
            "none",
            "once",
            "Twice.",
            "a couple",
            "a pair",
            "second",
            "The first",
        ),
        *("the eleventh", "fourteenth", "infinity", "-inf", "∞", "infinite", "NaN"),
    ],
)
def test_a_reply_that_may_say_a_number_is_not_read(reply):
    assert match_of("number")(reply, "3") == (0.0, None)


def test_a_day_is_not_joined_to_the_number_behind_it():
    for month in ("May", "Sept.", "December"):
        assert last_number(f"On {month} 12 300 people") == last_number("300")
    for word in ("about", "Marks", "Decimal"):
        assert last_number(f"{word} 12 300 people") == last_number("12300")
