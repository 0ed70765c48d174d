#!/usr/bin/env bash
# inspect-ai 0.3.285: an .eval log is a zip whose entries Python's zipfile can't read before 3.14, and ids are its paths.
# Expected: a zip of JSON opens everywhere, with one file a sample in one folder.
# Seen: entries are packed by method 93 (Zstandard), and a slash in an id makes a folder of its own:
#> methods of compression: [93]
#> samples/q/1_epoch_1.json
#> samples/q2_epoch_1.json
# Why it matters: tools that list samples/*.json miss the ids with a slash, and zipfile raises NotImplementedError.
source "$(dirname "$0")/common.sh"
install inspect-ai==0.3.285
run <<'PYTHON'
import os
import tempfile
import zipfile
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import match
from inspect_ai.solver import solver

os.environ["INSPECT_DISPLAY"] = "none"


@solver
def answers():
    async def solve(state, generate):
        state.output = ModelOutput.from_content("none", "7")
        return state

    return solve


folder = Path(tempfile.mkdtemp())
samples = [Sample(id=name, input="3 + 4?", target="7") for name in ("q/1", "q2")]
eval(Task(dataset=samples, solver=answers(), scorer=match()), model="mockllm/model", log_dir=str(folder), log_format="eval")
(log,) = folder.glob("*.eval")
entries = zipfile.ZipFile(log).infolist()
print("methods of compression:", sorted({entry.compress_type for entry in entries}))
for entry in entries:
    if entry.filename.startswith("samples/"):
        print(entry.filename)
PYTHON
