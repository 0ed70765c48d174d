#!/usr/bin/env bash
# inspect-ai 0.3.285: match() takes 17 for 7, exact() takes -5 for 5, and an empty target is always met.
# Expected: a wrong number is wrong, and an empty reply equals an empty target, no other.
# Seen: match() looks whether the reply ends in the target, exact() drops punctuation, a minus sign included ("C" correct,
# "I" incorrect; the reply, then the target):
#> match(): "17" for "7" is C
#> match(numeric=True): "17" for "7" is I
#> match(numeric=True): "It is 7, not 8" for "7" is I
#> exact(): "-5" for "5" is C
#> exact(): "C++" for "C" is C
#> exact(): "" for "" is I
#> match(): "anything" for "" is C
# Why it matters: typos in digits and signs leave accuracy as it is, so a system that copies them looks robust.
source "$(dirname "$0")/common.sh"
install inspect-ai==0.3.285
run <<'PYTHON'
import asyncio

from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Target, exact, match
from inspect_ai.solver import TaskState

CASES = [
    ("match()", match(), "17", "7"),
    ("match(numeric=True)", match(numeric=True), "17", "7"),
    ("match(numeric=True)", match(numeric=True), "It is 7, not 8", "7"),
    ("exact()", exact(), "-5", "5"),
    ("exact()", exact(), "C++", "C"),
    ("exact()", exact(), "", ""),
    ("match()", match(), "anything", ""),
]
for name, grade, reply, right in CASES:
    output = ModelOutput.from_content("none", reply)
    state = TaskState(model="none/none", sample_id=1, epoch=1, input="?", messages=[], output=output)
    print(f'{name}: "{reply}" for "{right}" is {asyncio.run(grade(state, Target(right))).value}')
PYTHON
