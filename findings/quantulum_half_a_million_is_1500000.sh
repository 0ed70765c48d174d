#!/usr/bin/env bash
# quantulum3 0.10.0: "half a million" is one and a half million, and a decimal comma parts a number.
# Expected: 500,000; one quantity of 1.5 kg.
# Seen:
#> half a million: 1500000.0
#> half a million people: 1500000.0
#> two and a half hours: 2.5 hour
#> 1,5 kg: 1.0, 5.0 kilogram
#> 10:30: 10.0, 30.0
# Why it matters: as a grader of replies in words it finds right ones wrong, and three times as much right.
source "$(dirname "$0")/common.sh"
install quantulum3==0.10.0 setuptools==80.9.0
run <<'PYTHON'
from quantulum3 import parser

for text in (
    "half a million",
    "half a million people",
    "two and a half hours",
    "1,5 kg",
    "10:30",
):
    found = parser.parse(text)
    names = ["" if each.unit.name == "dimensionless" else f" {each.unit.name}" for each in found]
    print(f"{text}: " + ", ".join(f"{each.value}{name}" for each, name in zip(found, names)))
PYTHON
