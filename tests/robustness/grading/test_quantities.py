"""Quantities in the notations that systems answer in, and what must never be taken for another."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.robustness.grading.quantities import last_quantity
from perturb.robustness.grading.ways import match_of

# What is said, the right answer, and whether they are the same.
QUANTITIES = [
    ("2.5 billion", "2.5 million", 0),
    ("10:30", "9:30", 0),
    ("5'10\"", "6'10\"", 0),
    ("2 million", "2000000", 1),
    ("½", "0.5", 1),
    ("1½ hours", "1.5", 1),
    ("1\u20442", "0.5", 1),
    ("1'234", "1234", 1),
    ("2²", "4", 1),
    ("three million", "3000000", 1),
    ("10:30", "30", 0),
    ("5 km", "5 miles", 0),
    ("5 km", "5000 m", 1),
    ("90 minutes", "1.5 hours", 1),
    ("1 hour and 30 minutes", "90", 1),
    ("1 h 30 min", "1.5", 1),
    ("1 hour 30 minutes", "1.5 hours", 1),
    ("1 hour 30 minutes", "30", 0),
    ("$18 per day", "18", 1),
    ("$18", "€18", 0),
    ("500 cents", "$5", 1),
    ("£5", "5 pounds", 1),
    ("5 lb", "5 kg", 0),
    ("3 pm", "15:00", 1),
    ("3 pm", "3", 1),
    ("3 pm", "3 am", 0),
    ("10:30 PM", "22:30", 1),
    ("22:30", "10:30", 0),
    ("10:30 p.m.", "10:30", 1),
    ("3万5千", "35000", 1),
    ("5万円", "50000", 1),
    ("2 Millionen", "2000000", 1),
    ("5k", "5000", 1),
    ("$5M", "5 million dollars", 1),
    ("5 m²", "5 m", 0),
    ("5 sq ft", "5 ft", 0),
    ("30 mph", "30 km/h", 0),
    ("30 miles per hour", "30 mph", 1),
    ("5 m/s", "18 km/h", 1),
    ("I have 5 in total", "$5", 1),
    ('She said "5"', "5 kg", 1),
    ("2024-05-03", "2023-05-03", 0),
    ("1.2.3", "2.2.3", 0),
    ("1.234.567", "1234567", 1),
    ("1,00,000", "1 lakh", 1),
    ("the answer is minus 5", "-5", 1),
    ("the answer is \u20135", "-5", 1),
    ("10 minus 5", "5", 1),
    ("40°26'46\"", "41°26'46\"", 0),
    ("16:9", "16:10", 0),
    ("50%", "50", 1),
    ("50 percent", "50%", 1),
    ("18°C", "18 °F", 0),
    ("18 degrees", "18°F", 1),
    ("٣٫٥", "3.5", 1),
    ("१२", "12", 1),
    ("5 GB", "5 MB", 0),
    ("6 ft 2 in", "6'2\"", 1),
    ("74 inches", "6'2\"", 1),
    ("5\\text{ cm}^2", "5 cm", 0),
    ("2 dozen", "2", 1),
    ("5 feet", "5 ft", 1),
    ("12 months", "1 year", 1),
    ("Q1:42", "42", 1),
    ("3/5/2024", "4/5/2024", 0),
    ("a 5-mile run", "5 miles", 1),
    ("5 MILES", "5 mi", 1),
    ("1 234", "234", 0),
    ("He paid 1 234 567 in all", "1234567", 1),
    ("1 234 567,5", "1234567.5", 1),
    ("half a million", "500000", 1),
    ("half a million", "1 million", 0),
    ("two and a half", "2.5", 1),
    ("2 and a half hours", "2 hours", 0),
    ("a dozen", "12", 1),
    ("a dozen", "1", 0),
    ("half a dozen eggs", "6", 1),
    ("8.15 pm", "20:15", 1),
    ("8.15 pm", "8:15 am", 0),
    ("10h30", "10:30", 1),
    ("10h30", "9:30", 0),
    ("三万", "30000", 1),
    ("三万", "3", 0),
    ("twenty-five percent", "25%", 1),
    ("five km", "5 miles", 0),
    ("ten thirty", "10:30", 1),
    ("ten thirty in the morning", "22:30", 0),
    ("10:30 at night", "22:30", 1),
    ("7 o'clock in the evening", "7 am", 0),
    ("about 12,5 %", "5 %", 0),
    ("5 grams", "5 gram", 1),
    ("It is '5'", "5 ft", 1),
    ("1h30", "90", 1),
    ("1h30m", "90 min", 1),
    ("7 days", "1 week", 1),
    ("2 thousand million", "2 billion", 1),
    ("3 hours, 15 minutes and 10 seconds", "11710 seconds", 1),
    ("5 kg", "5 apples", 1),
    ("5 USD", "$5", 1),
    ("USD 5", "$5", 1),
    ("Rs. 500", "₹500", 1),
    ("5 millions d'euros", "5000000 €", 1),
    ("half past 9", "9", 0),
    ("half past nine", "9:30", 1),
    ("ten past 3", "3:10", 1),
    ("quarter to 1", "12:45", 1),
    ("quarter to 8", "8:15", 0),
    ("at seven o'clock", "7", 1),
    ("7 o'clock", "7:00", 1),
    ("noon", "12:00", 1),
    ("noon", "12 pm", 1),
    ("midnight", "12 pm", 0),
    ("It is midnight.", "00:00", 1),
    ("She ate 5 apples by noon", "5", 1),
    ("2:30 hours", "2.5 hours", 1),
    ("2:30", "150 minutes", 0),
    ("72 degrees Fahrenheit", "72 degrees Celsius", 0),
    ("72 degrees Celsius", "72 °C", 1),
    ("5 MB", "5 Mb", 0),
    ("8 bits", "1 byte", 1),
    ("5 nautical miles", "5 miles", 0),
    ("5 light years", "5 years", 0),
    ("2 metric tons", "2000 kg", 1),
    ("5 basis points", "0.05 %", 1),
    ("5‰", "5 per mille", 1),
    ("20p", "20 pounds", 0),
    ("20 quid", "£20", 1),
    ("6 foot 2", "6'2\"", 1),
    ("5ft10", "5'10\"", 1),
    ("5 ft 3 men", "3", 1),
    ("12 dozen", "144", 1),
    ("3,5 Mio.", "3.5 million", 1),
    ("3,5 Milliarden", "3.5 million", 0),
]


@pytest.mark.parametrize(("said", "right", "value"), QUANTITIES)
def test_quantities(said, right, value):
    assert match_of("number")(said, right)[0] == value


def test_right_answers_agree_whether_or_not_they_name_the_unit():
    """Answers are compared with one another as well, by what was read."""
    said = ["$18", "18", "18 dollars", "18.00 USD", "1800 cents"]
    assert {match_of("number")(each, "$18") for each in said} == {(1.0, "18")}
    assert match_of("number")("18 euros", "$18") == (0.0, "18")


# Of each kind no two are the same, whatever the number.
SCALES = ["", " thousand", " million", " billion", " trillion", " crore"]
UNITS = [
    *(" mm", " cm", " metres", " km", " inches", " feet", " miles", " g", " kg", " lb", " ounces"),
    *(" seconds", " minutes", " hours", " days", " weeks", " months", " years", " °C", " °F", "%"),
    *(" ml", " litres", " gallons", " dollars", " cents", " euros", " yen", " mph", " km/h"),
    *(" km²", " square miles", " m³", " watts", " kWh", " MB", " GB", " dozen"),
    *(" Mb", " MiB", " acres", " hectares", " tons", " stone", " fortnights", " nautical miles"),
    *(" light years", " knots", " bits", " per mille", " basis points", " K", " bar", " psi"),
    *(" pesos", " roubles", " pence", " rand", " yuan"),
]
NUMBERS = st.sampled_from(["2", "7", "1.5", "1,200", "3/4", "½", "12"])


@given(NUMBERS, st.sampled_from([*combinations(SCALES, 2)]), st.sampled_from(["", " people"]))
def test_different_scales_are_never_equal(number, scales, thing):
    one, other = (f"It has {number}{scale}{thing}." for scale in scales)
    assert match_of("number")(one, other)[0] == 0


@given(NUMBERS, st.sampled_from([*combinations(UNITS, 2)]))
def test_different_units_are_never_equal(number, units):
    one, other = (f"The answer is {number}{unit}." for unit in units)
    assert match_of("number")(one, other)[0] == 0
    assert match_of("number")(one, one)[0] == 1


# In words, each with its value; and times. No two of them are the same.
SPELLED = {"two": 2, "twelve": 12, "twenty-five": 25, "one and a half": 1.5, "two point five": 2.5}
THINGS = [
    *SCALES[:5],
    *(unit for unit in UNITS if unit.isascii() and unit.replace(" ", "").isalpha()),
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
    ],
)
def test_quantities_are_found_in_linear_time(part):
    match_of("number")(part * 50_000, "1.5")
