"""Dates, amounts of money and measures in other forms: what is written means the same."""

from datetime import datetime
from fractions import Fraction

import pytest
import regex

import perturb

MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December"
MONTH += "|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
DATE = regex.compile(
    rf"\d{{4}}-\d\d-\d\d|\d\d/\d\d/\d{{4}}|{MONTH} \d+(?:st|nd|rd|th)?, \d{{4}}|\d+ {MONTH} \d{{4}}"
)
FORMS = ("%Y-%m-%d", "%B %d, %Y", "%d %B %Y", "%b %d, %Y")
DAYS = [
    f"{m} {d}, {y}"
    for y in (1799, 2024)
    for m in ("March", "May", "December")
    for d in (1, 2, 13, 22, 31)
]


def as_day(text, numeric="%m/%d/%Y"):
    plain = regex.sub(r"(?<=\d)(?:st|nd|rd|th)", "", text)
    for form in (*FORMS, numeric):
        try:
            return datetime.strptime(plain, form).date()
        except ValueError:
            continue
    raise AssertionError(text)


@pytest.mark.parametrize(
    "to", ["random", "iso", "us", "gb", "short", "ordinal", "us_numeric", "gb_numeric"]
)
def test_a_date_is_the_same_day(to):
    texts = [f"She was born on {day} and left on 2001-02-03." for day in DAYS]
    numeric = "%d/%m/%Y" if to == "gb_numeric" else "%m/%d/%Y"
    seen = set()
    for record in perturb.apply(texts, perturb.steps.date_format(p=1, to=to)):
        before, after = DATE.findall(record.original), DATE.findall(record.text)
        assert [as_day(one) for one in before] == [as_day(one, numeric) for one in after]
        assert record.edits
        seen |= {regex.sub(r"\w", "x", one) for one in after}
    assert len(seen) > 3 or to != "random"


@pytest.mark.parametrize(
    ("text", "to", "wanted"),
    [
        ("on the 4th of July, at noon", "us", "on July 4, at noon"),
        ("On July 4 and 5 March.", "ordinal", "On July 4th and March 5th."),
        ("On Tuesday, Sept. 3rd, 1999, she", "gb", "On Tuesday, 3 September 1999, she"),
        ("13/04/2022, 25.12.2020", "iso", "2022-04-13, 2020-12-25"),
        ("3/4/2022, 2021-02-30, May 3-5, 2020, June 31, 2001", "iso", None),
        ("In May 12 people came; we march 5 miles; version 1.2.2003", "iso", None),
        ("10.12.2020.1, /2020-01-02/x, a2020-01-02", "us", None),
    ],
)
def test_dates(text, to, wanted):
    assert str(perturb.apply(text, perturb.steps.date_format(p=1, to=to))) == (wanted or text)


def test_the_order_of_numbers():
    assert str(perturb.apply("3/4/2022", "date_format:order=mdy,to=iso", p=1)) == "2022-03-04"
    assert str(perturb.apply("3/4/2022", "date_format:order=dmy,to=iso", p=1)) == "2022-04-03"


@pytest.mark.parametrize(
    ("text", "to", "wanted"),
    [
        ("It costs $5.", "words", "It costs 5 dollars."),
        (
            "It costs $1 or $1.50 or $0.25.",
            "words",
            "It costs 1 dollar or 1.50 dollars or 25 cents.",
        ),
        ("€12.50 and £3 and ¥1,000", "words", "12.50 euros and 3 pounds sterling and 1,000 yen"),
        ("It is € 20, not US$ 7.", "words", "It is 20 euros, not 7 dollars."),
        ("$5 million in all", "words", "5 million dollars in all"),
        ("a $5 bill, $2/hour", "words", None),
        ("a $5 bill, $2/hour", "code", "a USD 5 bill, USD 2/hour"),
        ("USD 1,200, 5 dollars, 7 EUR", "symbol", "$1,200, $5, €7"),
        ("$5-$10, -$5, $5k, $x$, $5 + 3$, US$7, \\$5, 3 pounds, $5's", "symbol", None),
    ],
)
def test_money(text, to, wanted):
    assert str(perturb.apply(text, perturb.steps.currency_format(p=1, to=to))) == (wanted or text)


def test_an_amount_stays_the_same():
    """A reader of another kind finds the same numbers in the same currencies."""
    names = {
        "$": "USD",
        "dollar": "USD",
        "dollars": "USD",
        "€": "EUR",
        "euro": "EUR",
        "euros": "EUR",
    }
    amount = regex.compile(
        r"([$€]|USD |EUR )?(\d[\d,.]*\d|\d)(?: (dollars?|euros?|cents?|USD|EUR)\b)?"
    )

    def read(text):
        found = []
        for before, number, after in amount.findall(text):
            name = (before or after).strip()
            value = Fraction(number.replace(",", ""))
            found.append(
                (value / 100, "USD") if name.startswith("cent") else (value, names.get(name, name))
            )
        return found

    texts = [f"Ann paid {x} for a pen and {y} for ink." for x in ("$5", "$0.40", "USD 1,250.75", "1 dollar")
             for y in ("€3", "2.50 euros", "EUR 1")] * 5  # fmt: skip
    records = perturb.apply(texts, "currency_format", p=1, id=list(range(len(texts))))
    assert {len(record.edits) for record in records} == {2}
    for record in records:
        assert read(record.original) == read(record.text)


@pytest.mark.parametrize(
    ("text", "mode", "wanted"),
    [
        ("5 km, 1 kg, 2 litres", "name", "5 kilometers, 1 kilogram, 2 L"),
        ("60 mph or 2 miles per hour", "name", "60 miles per hour or 2 mph"),
        ("a 2 hour walk of 1 hour", "scale", None),
        ("The 4 feet of rope", "system", "The 1.2192 meters of rope"),
        ("He is 5 ft 7 in tall; it took 8 min 20 s.", "system", None),
        ("500 square feet", "system", "46.45152 square meters"),
        ("3m, the 1990s, 5G, $5 m, 5-mile, 1/2 mile, 5'6, 4 feet hurt, 5 in all", "name", None),
    ],
)
def test_measures(text, mode, wanted):
    made = str(perturb.apply(text, perturb.steps.unit_format(p=1, mode=mode)))
    if mode == "scale":
        stays = "It took 8 min 20 s."
        assert str(perturb.apply(stays, "unit_format:mode=scale", p=1)) == stays
        assert regex.fullmatch(
            "a (120 minute|7,200 second) walk of (60 minutes|3,600 seconds)", made
        )
    else:
        assert made == (wanted or text)


@pytest.mark.parametrize("mode", ["name", "scale", "system"])
def test_a_measure_stays_the_same(mode):
    sizes = {"km": 1000, "kilometers": 1000, "kilometer": 1000, "m": 1, "meters": 1, "meter": 1,
             "cm": "1/100", "centimeter": "1/100", "centimeters": "1/100", "mm": "1/1000", "millimeters": "1/1000",
             "ft": "0.3048", "foot": "0.3048", "feet": "0.3048", "in": "0.0254", "inch": "0.0254",
             "inches": "0.0254", "mi": "1609.344", "mile": "1609.344", "miles": "1609.344"}  # fmt: skip
    measure = regex.compile(r"(\d[\d,.]*) ([a-z]+)")

    def read(text):
        return [Fraction(n.replace(",", "")) * Fraction(sizes[u]) for n, u in measure.findall(text)]

    units = ("km", "meters", "cm", "feet", "inches", "miles")
    texts = [
        f"It ran {n} {unit} and" for n in ("1", "3", "12", "0.5", "2.75", "1,500") for unit in units
    ]
    changed = 0
    for record in perturb.apply(texts * 3, perturb.steps.unit_format(p=1, mode=mode)):
        assert read(record.original) == read(record.text)
        changed += record.status == "changed"
    assert changed > 40
