#!/usr/bin/env bash
# contractions 0.1.73: it expands words that lack no apostrophe, and never writes "has" or "had".
# Expected: expanding contractions keeps what a sentence says.
# Seen:
#> fix("the shell of an egg") = "the she will of an egg"
#> fix("He's been here.") = "He is been here."
#> fix("It's got worse.") = "It is got worse."
#> fix("I'd better go.") = "I would better go."
#> fix("She'd never seen it.") = "She would never seen it."
# Why it matters: used as a noise that should keep the answer, or to clean texts first, it makes other sentences of some.
source "$(dirname "$0")/common.sh"
install contractions==0.1.73
run <<'PYTHON'
import contractions

for text in (
    "the shell of an egg",
    "He's been here.",
    "It's got worse.",
    "I'd better go.",
    "She'd never seen it.",
):
    print(f'fix("{text}") = "{contractions.fix(text)}"')
PYTHON
