#!/usr/bin/env bash
# inflect 7.6.0: it writes words for numbers that it doesn't read, without an error.
# Expected: the number in words, or an error.
# Seen:
#> ½ = zero
#> 1e3 = thirteen
#> 12:30 = one thousand, two hundred and thirty
#> 2nd = second
#> 3/4 = thirty-four
#> 5 km = five
# Why it matters: numbers spelled out as a noise change the answer in silence, and their units go.
source "$(dirname "$0")/common.sh"
install inflect==7.6.0
run <<'PYTHON'
import inflect

engine = inflect.engine()
for number in ("½", "1e3", "12:30", "2nd", "3/4", "5 km"):
    print(number, "=", engine.number_to_words(number))
PYTHON
