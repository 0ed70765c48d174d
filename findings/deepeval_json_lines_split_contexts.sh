#!/usr/bin/env bash
# deepeval 4.3.1: a dataset saved as JSON comes back as it was; saved as JSON Lines, its contexts are cut at each "|".
# Expected: the two forms of JSON differ in the line breaks.
# Seen: JSON Lines writes the list of contexts as one string joined by "|", and splits it there again:
#> json:  ["a", "b|c"]
#> jsonl: ["a", "b", "c"]
# Why it matters: a Markdown table or a shell pipe in a context becomes many contexts, so clean and noisy rows of one file
# differ in more than the noise if that writes or deletes a "|".
source "$(dirname "$0")/common.sh"
install deepeval==4.3.1
run <<'PYTHON'
import contextlib
import io
import json
import os
import tempfile

os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "YES"
from deepeval.dataset import EvaluationDataset, Golden

folder = tempfile.mkdtemp()
os.chdir(folder)
goldens = EvaluationDataset(goldens=[Golden(input="?", context=["a", "b|c"])])
for kind in ("json", "jsonl"):
    back = EvaluationDataset()
    with contextlib.redirect_stdout(io.StringIO()):
        path = goldens.save_as(file_type=kind, directory=folder, file_name="goldens")
        getattr(back, f"add_goldens_from_{kind}_file")(path)
    print(f"{kind + ':':6} {json.dumps(back.goldens[0].context)}")
PYTHON
