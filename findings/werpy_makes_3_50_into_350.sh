#!/usr/bin/env bash
# werpy 3.5.0: its normalization deletes the decimal point, so a tenfold or hundredfold error is no error.
# Expected: normalization makes spellings of one thing equal, and leaves different amounts different.
# Seen:
#> normalize("It costs $3.50.") = "it costs 350"
#> wer("It costs $3.50.", "It costs 350 dollars.") = 0.333
#> wer("It costs 3.50", "It costs 350") = 0.0
#> wer("a 5-day trip", "a 5 day trip") = 0.667
# Why it matters: noise that hits digits and points is invisible, while a lost hyphen counts as two errors.
source "$(dirname "$0")/common.sh"
install werpy==3.5.0
run <<'PYTHON'
import werpy

PAIRS = [
    ("It costs $3.50.", "It costs 350 dollars."),
    ("It costs 3.50", "It costs 350"),
    ("a 5-day trip", "a 5 day trip"),
]
print(f'normalize("{PAIRS[0][0]}") = "{werpy.normalize(PAIRS[0][0])}"')
for reference, reply in PAIRS:
    rate = werpy.wer(werpy.normalize(reference), werpy.normalize(reply))
    print(f'wer("{reference}", "{reply}") = {round(float(rate), 3)}')
PYTHON
