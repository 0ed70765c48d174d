#!/usr/bin/env bash
# inspect-ai 0.3.285: exact() and f1() call the reply "A" wrong where the right answer is A.
# Expected: a reply that equals the right answer is right, whatever the letter of the option.
# Seen: articles are dropped, "A" is one, and a right answer without words is passed over (the reply, then the target):
#> exact(): "A" for "A" is I
#> exact(): "B" for "B" is C
#> f1(): "A" for "A" is 0.0
#> f1(): "B" for "B" is 1.0
#> f1(): "A or B" for "A" is 0.0
# Why it matters: a quarter of the questions with four options counts as wrong before and after the noise, so that neither the
# accuracy nor what noise takes of it can be right; steps that move options change how many these are.
source "$(dirname "$0")/common.sh"
install inspect-ai==0.3.285
run <<'PYTHON'
import asyncio

from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Target, exact, f1
from inspect_ai.solver import TaskState

CASES = [(exact, "A", "A"), (exact, "B", "B"), (f1, "A", "A"), (f1, "B", "B"), (f1, "A or B", "A")]
for grader, reply, right in CASES:
    output = ModelOutput.from_content("none", reply)
    state = TaskState(model="none/none", sample_id=1, epoch=1, input="?", messages=[], output=output)
    score = asyncio.run(grader()(state, Target(right)))
    print(f'{grader.__name__}(): "{reply}" for "{right}" is {score.value}')
PYTHON
