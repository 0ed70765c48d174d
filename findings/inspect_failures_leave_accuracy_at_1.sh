#!/usr/bin/env bash
# inspect-ai 0.3.285: a log says "success" and accuracy 1.0 while a third of the samples failed.
# Expected: a sample without a reply counts as wrong, or the figure says that it's left out.
# Seen: with fail_on_error=False the accuracy is that of the completed samples:
#> status success, accuracy 1.0, 6 of 9 samples completed
#> metrics that mention the failures: none
# Why it matters: if noise makes requests fail (length, filters, parsing), the noisy run can be better than the clean one.
source "$(dirname "$0")/common.sh"
install inspect-ai==0.3.285
run <<'PYTHON'
import os
import tempfile

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import match
from inspect_ai.solver import solver

os.environ["INSPECT_DISPLAY"] = "none"


@solver
def answers():
    async def solve(state, generate):
        if state.sample_id <= 3:
            raise ValueError("no reply")
        state.output = ModelOutput.from_content("none", "7")
        return state

    return solve


samples = [Sample(id=number, input="3 + 4?", target="7") for number in range(1, 10)]
task = Task(dataset=samples, solver=answers(), scorer=match())
(log,) = eval(task, model="mockllm/model", fail_on_error=False, log_dir=tempfile.mkdtemp())
metrics = log.results.scores[0].metrics
done, total = log.results.completed_samples, log.results.total_samples
print(f"status {log.status}, accuracy {metrics['accuracy'].value}, {done} of {total} samples completed")
print("metrics that mention the failures:", ", ".join(set(metrics) - {"accuracy", "stderr"}) or "none")
PYTHON
