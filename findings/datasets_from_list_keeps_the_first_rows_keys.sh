#!/usr/bin/env bash
# datasets 5.2.0: rows with other keys than the first lose them without a word.
# Expected: a column of all keys, empty where a row has none; or an error.
# Seen: keys that the first row lacks are gone; beside it, `from_dict` of columns and JSON Lines of the same rows keep them:
#> from_list      | ['question']
#> from_generator | ['question']
#> JSON Lines     | ['options', 'question']
# Why it matters: benchmarks mix questions with and without options; whether the options arrive depends on which comes first.
source "$(dirname "$0")/common.sh"
install datasets==5.2.0
run <<'PYTHON'
import json
import tempfile
from pathlib import Path

from datasets import Dataset, disable_progress_bars

disable_progress_bars()
rows = [{"question": "Is water wet?"}, {"question": "Which is red?", "options": ["sky", "blood"]}]
with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    made = {
        "from_list": Dataset.from_list(rows),
        "from_generator": Dataset.from_generator(lambda: iter(rows), cache_dir=folder),
        "JSON Lines": Dataset.from_json(str(file), cache_dir=folder),
    }
    for name, dataset in made.items():
        print(f"{name:14} | {sorted(dataset.column_names)}")
PYTHON
