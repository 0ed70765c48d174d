#!/usr/bin/env bash
# math-verify 0.9.0: without dollar signs some notations of a number are read as another number, or as nothing.
# Expected: a number is read, or it isn't.
# Seen: an exponent, the fraction of a mixed number and minutes are cut off, and a true minus sign hides the number:
#> 1e3: [1]
#> 1 1/2: [1]
#> 10:30: [10]
#> −5 (U+2212): []
#> $−5$ (U+2212): [-5]
#> -5: [-5]
# Why it matters: "1e3" passes for a right answer 1, and a model that answers right in another notation under noise is
# graded wrong, so the drop is the grader's.
source "$(dirname "$0")/common.sh"
install 'math-verify[antlr4_13_2]==0.9.0'
run <<'PYTHON'
from math_verify import parse

for reply in ("1e3", "1 1/2", "10:30", "−5", "$−5$", "-5"):
    note = " (U+2212)" if "−" in reply else ""
    print(f"{reply}{note}: {[value for value in parse(reply) if not isinstance(value, str)]}")
PYTHON
