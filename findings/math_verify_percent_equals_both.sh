#!/usr/bin/env bash
# math-verify 0.9.0: 50% equals 50 and equals 0.5, and 50 doesn't equal 0.5.
# Expected: equality is transitive.
# Seen:
#> $50\%$ and $50$: True
#> $50\%$ and $0.5$: True
#> $50$ and $0.5$: False
# Why it matters: a noise that makes a system write "50%" for "0.5" or lose the percent sign is graded as no change, a
# hundredfold error included.
source "$(dirname "$0")/common.sh"
install 'math-verify[antlr4_13_2]==0.9.0'
run <<'PYTHON'
from math_verify import parse, verify

for right, reply in ((r"$50\%$", "$50$"), (r"$50\%$", "$0.5$"), ("$50$", "$0.5$")):
    print(f"{right} and {reply}: {verify(parse(right), parse(reply))}")
PYTHON
