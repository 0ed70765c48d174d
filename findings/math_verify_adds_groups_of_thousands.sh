#!/usr/bin/env bash
# math-verify 0.9.0: a number whose thousands TeX's thin space parts, as the SI wants it, is the sum of its groups.
# Expected: 12\,345 is 12345.
# Seen: it is 12 + 345, as if it were a whole number and a fraction; and a group of zeros makes all of it 0:
#> $12\,345$: 357
#> $2\,500$: 502
#> $10\,000$: 0
#> $12{,}345$: 12345
#> $12,345$: 12345
#> verify("$0$", "$10\,000$"): True
# Why it matters: a right answer so written is graded wrong, beside it 357 and 0 are right, and noise on white space
# moves scores that no model has moved.
source "$(dirname "$0")/common.sh"
install 'math-verify[antlr4_13_2]==0.9.0'
run <<'PYTHON'
from math_verify import parse, verify

for reply in (r"$12\,345$", r"$2\,500$", r"$10\,000$", "$12{,}345$", "$12,345$"):
    (value,) = (each for each in parse(reply) if not isinstance(each, str))
    print(f"{reply}: {value.doit() if hasattr(value, 'doit') else value}")
print('verify("$0$", "$10\\,000$"):', verify(parse("$0$"), parse(r"$10\,000$")))
PYTHON
