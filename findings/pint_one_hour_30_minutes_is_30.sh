#!/usr/bin/env bash
# pint 0.25.3: a quantity of two units is their product, and 3 1/2 is 1.5.
# Expected: the sum, as people say it, or an error.
# Seen: a space multiplies, so that hours and minutes, feet and inches become a product of both units, and a mixed
# fraction less than its whole number:
#> 1 h 30 min      -> 30 hour * minute
#> 5 ft 10 in      -> 50 foot * inch
#> 3 1/2 cups      -> 1.5 cup
#> 1 h 30 min == 90 min: False
# Why it matters: graders that read answers with pint call the right "1 h 30 min" wrong and "1.5 cups" for 3 1/2 right.
source "$(dirname "$0")/common.sh"
install pint==0.25.3
run <<'PYTHON'
from pint import UnitRegistry

read = UnitRegistry()
for text in ("1 h 30 min", "5 ft 10 in", "3 1/2 cups"):
    print(f"{text:15} -> {read(text)}")
print("1 h 30 min == 90 min:", read("1 h 30 min") == read("90 min"))
PYTHON
