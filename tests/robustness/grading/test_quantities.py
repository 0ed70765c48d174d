"""Quantities in the notations that systems answer in, and what must never be taken for another."""

import json
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.robustness.grading.quantities import last_quantity
from perturb.robustness.grading.ways import match_of

# What is said, the right answer, and whether they are the same; null if the reply isn't read.
LINES = Path(__file__).with_name("number_replies.jsonl").read_text("utf-8").splitlines()


@pytest.mark.parametrize(("said", "right", "value"), [*map(json.loads, LINES)])
def test_quantities(said, right, value):
    score, answer = match_of("number")(said, right)
    assert score == (value or 0)
    assert value is not None or answer is None


@pytest.mark.parametrize(("said", "right"), [json.loads(line)[:2] for line in LINES])
def test_a_reply_is_equal_to_an_answer_as_that_is_to_it(said, right):
    one, other = last_quantity(said or ""), last_quantity(right)
    assert one is None or other is None or one.equals(other) == other.equals(one)


ENDS = st.sampled_from([*combinations(["¾", "2", "3.5", "7", "1,200"], 2)])
JOINED = ["{} to {}", "{}-{}", "{} - {}", "{}–{}", "between {} and {}", "from {} to {}"]
UNITS_OF_RANGES = ["", " km", " miles", "%", " million", " eggs"]


@given(*[st.tuples(ENDS, *map(st.sampled_from, (JOINED, UNITS_OF_RANGES)))] * 2)
def test_a_range_is_equal_to_the_same_range_alone(one, other):
    number = match_of("number")
    ((low, high), joined, unit), (_, _, other_unit) = one, other
    said, right = (each[1].format(*each[0]) + each[2] for each in (one, other))
    is_same = one[0] == other[0]
    if unit == other_unit:
        assert number(said, right)[0] == is_same
    elif not is_same or "" not in (unit, other_unit) or " million" in (unit, other_unit):
        assert number(said, right)[0] == 0
    assert number(said, high + unit)[0] == number(high + unit, said)[0] == 0
    assert number(said, f"{joined.format(low + unit, high)}{unit}")[0] == 1


@pytest.mark.parametrize(
    ("said", "value"),
    [("It rose from 10 to 12", 12), ("We round 11.8 to 12.", 12), ("10 - 12 = -2", -2),
     ("5'10", 70), ("on 2020-10-12", 2020), ("It is 10-12, less 4, so 8", 8), ("a 5-year plan", 5),
     ("2-1/2 cups", 2.5), ("<answer>12</answer>", 12), ("=> 12", 12), ("I gave 5 to a friend", 5)],
)  # fmt: skip
def test_what_is_no_range_is_read(said, value):
    assert match_of("number")(said, str(value))[0] == 1


def test_right_answers_agree_whether_or_not_they_name_the_unit():
    """Answers are compared with one another as well, by what was read."""
    said = ["$18", "18", "18 dollars", "18.00 USD", "1800 cents"]
    assert {match_of("number")(each, "$18") for each in said} == {(1.0, "18")}
    assert match_of("number")("18 euros", "$18") == (0.0, "18 eur")


@pytest.mark.parametrize("right", ["7 euros", "7 CAD", "7 USD"])
def test_wrong_answers_of_different_currencies_do_not_agree(right):
    cad, usd, bare = (match_of("number")(said, right)[1] for said in ("5 CAD", "5 USD", "5"))
    assert cad != usd
    assert bare == "5"


# Of each kind no two are the same, whatever the number.
SCALES = ["", " thousand", " million", " billion", " trillion", " crore"]
OTHER_SCALES = {
    1e3: "हज़ार آلاف nghìn tusen",
    1e5: "लाख",
    1e6: "juta triệu ล้าน",
    1e7: "करोड़",
    1e9: "tỷ milyar",
}
UNITS = [
    *(" mm", " cm", " metres", " km", " inches", " feet", " miles", " g", " kg", " lb", " ounces"),
    *(" seconds", " minutes", " hours", " days", " weeks", " months", " years", " °C", " °F", "%"),
    *(" ml", " litres", " gallons", " dollars", " cents", " euros", " yen", " mph", " km/h"),
    *(" km²", " square miles", " m³", " watts", " kWh", " MB", " GB", " dozen"),
    *(" Mb", " MiB", " acres", " hectares", " tons", " stone", " fortnights", " nautical miles"),
    *(" light years", " knots", " bits", " per mille", " basis points", " K", " bar", " psi"),
    *(" pesos", " roubles", " pence", " rand", " yuan", " CAD", " ppm", " radians"),
    *(" mg/L", " mg/dL", " baht a day", " baht a week"),
]
# Words that are no unit to it.
THINGS_COUNTED = [
    *(
        " nights",
        " laps",
        " eggs a day",
        " eggs a week",
        " gold coins",
        " gold bars",
        " CHW",
        " sols",
    ),
    *(
        " parts per million",
        " parts per billion",
        "x",
        "y",
        " metric tonnes of coal",
        " kat",
    ),
]
NUMBERS = st.sampled_from(["2", "7", "1.5", "1,200", "3/4", "½", "12"])


def test_scales_of_other_languages_are_read():
    number = match_of("number")
    for scale, words in OTHER_SCALES.items():
        for word in words.split():
            assert number(f"5 {word}", f"{5 * scale:.0f}")[0] == 1, word
            assert number(f"5 {word}", "5")[0] == 0, word


@given(NUMBERS, st.sampled_from([*combinations(SCALES, 2)]), st.sampled_from(["", " people"]))
def test_different_scales_are_never_equal(number, scales, thing):
    one, other = (f"It has {number}{scale}{thing}." for scale in scales)
    assert match_of("number")(one, other)[0] == 0


@given(NUMBERS, st.sampled_from([*combinations(UNITS + THINGS_COUNTED, 2)]))
def test_different_units_are_never_equal(number, units):
    one, other = (f"The answer is {number}{unit}." for unit in units)
    assert match_of("number")(one, other)[0] == 0
    assert match_of("number")(one, one)[0] == 1
    assert match_of("number")(one, number)[0] == 1


@given(*[st.sampled_from(range(1, 999))] * 2, st.sampled_from(UNITS + THINGS_COUNTED))
def test_a_number_that_is_denied_is_never_read(said, denied, unit):
    for how in ("not", "and not", "rather than", "instead of"):
        reply = f"It is {said}{unit}, {how} {denied}{unit}."
        for right in (said, denied):
            assert match_of("number")(reply, f"{right}{unit}")[0] == (right == said)


# In words, each with its value; and times. No two of them are the same.
SPELLED = {"two": 2, "twelve": 12, "twenty-five": 25, "one and a half": 1.5, "two point five": 2.5}
THINGS = [
    *SCALES[:5],
    *(
        unit
        for unit in UNITS
        if unit.isascii() and unit.replace(" ", "").isalpha() and " a " not in unit
    ),
]
TIMES = [
    f"{hour} {minute} {half}"
    for hour in ("one", "ten", "twelve")
    for minute in ("fifteen", "oh five", "forty-two")
    for half in ("am", "in the evening")
]


@given(*[st.tuples(st.sampled_from([*SPELLED]), st.sampled_from(THINGS))] * 2)
def test_numbers_in_words_are_read_as_those_in_digits(one, other):
    """So different scales and units are never equal."""
    words = [f"It has {word}{thing}." for word, thing in (one, other)]
    digits = [f"It has {SPELLED[word]}{thing}." for word, thing in (one, other)]
    assert match_of("number")(*words)[0] == match_of("number")(*digits)[0]
    assert match_of("number")(words[0], digits[0])[0] == 1


@given(st.sampled_from([*combinations(TIMES, 2)]))
def test_different_times_in_words_are_never_equal(times):
    assert match_of("number")(*times)[0] == 0
    assert match_of("number")(times[0], times[0])[0] == 1


CLOCKS = st.tuples(st.integers(0, 23), st.integers(0, 59))


@given(CLOCKS, CLOCKS)
def test_different_times_are_never_equal(one, other):
    said, right = (f"at {hour}:{minute:02}" for hour, minute in (one, other))
    assert match_of("number")(said, right)[0] == (one == other)
    halves = [
        f"{(hour - 1) % 12 + 1}:{minute:02} {'ap'[hour > 11]}m" for hour, minute in (one, other)
    ]
    assert match_of("number")(*halves)[0] == (one == other)
    assert match_of("number")(halves[0], said)[0] == 1


@given(CLOCKS, CLOCKS)
def test_times_in_words_are_those_in_digits(one, other):
    words = {15: "quarter past {}", 30: "half past {}", 45: "quarter to {}", 0: "{} o'clock"}
    (hour, quarter), (other_hour, minute) = one, other
    hour, quarter = hour % 12 + 1, quarter % 4 * 15
    said = words[quarter].format(hour % 12 + 1 if quarter == 45 else hour)
    right = f"{other_hour % 12 + 1}:{minute:02}"
    assert match_of("number")(said, right)[0] == (right == f"{hour}:{quarter:02}")


@given(st.integers(1, 9), st.integers(0, 11), st.integers(1, 9), st.integers(0, 11))
def test_different_compounds_are_never_equal(feet, inches, other_feet, other_inches):
    said, right = f"{feet}'{inches}\"", f"{other_feet} ft {other_inches} in"
    assert match_of("number")(said, right)[0] == ((feet, inches) == (other_feet, other_inches))
    times = f"{feet} h {inches} min", f"{other_feet} hours and {other_inches} minutes"
    assert match_of("number")(*times)[0] == ((feet, inches) == (other_feet, other_inches))


@given(st.text(st.sampled_from("12 .,:/'\"hkm$°½-万(in)am\\{}^#e"), max_size=40))
def test_any_text_is_read_or_has_none(text):
    quantity = last_quantity(text)
    assert quantity is None or quantity.equals(quantity)


@pytest.mark.parametrize(
    "part",
    [
        "1'2",
        "1h30 ",
        "1:2",
        "1.2.",
        "5 km ",
        "3万",
        "1,21",
        "1 million ",
        "½",
        "一 ",
        "1 234 ",
        "two and ",
        *("not 5 ", "5 or ", "$5", "**5", "5 [1]", "5 = ", "1,111", "5 * 5 = 5 * ", "5 eggs a "),
        *("5/", "9 9/", "1,", "-", r"\frac{1", "1,2", "1.234,", "10^", "2*10^3*", "is "),
        *("one hundred ", "####", "(1,", "10 to ", "5 or ", "5 mil ", "*5*", " - ", "5mil1,", "} "),
    ],
)
def test_quantities_are_found_in_linear_time(part):
    match_of("number")(part * 50_000, "1.5")
