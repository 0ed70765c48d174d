#!/usr/bin/env bash
# lm_eval 0.4.13: by the flexible extraction of its GSM8K, right replies that end in dots or in cents are wrong.
# Expected: the last number is the answer, 18 in all of these but the last, which is -18.
# Seen: two or more of "$0-9.,", with or without a digit, are a number; $18.00 isn't 18; and a minus sign is none:
#> The answer is 18.          takes '18.'     1.0
#> The answer is 18...        takes '18...'   0.0
#> It is 18, as I said, ...   takes '...'     0.0
#> The answer is $18.00.      takes '$18.00.' 0.0
#> The answer is −18.         takes '18.'     1.0
# Why it matters: noise in punctuation, or a model that trails off, seems to break arithmetic.
source "$(dirname "$0")/common.sh"
install lm_eval==0.4.13
run <<'PYTHON'
from pathlib import Path

import lm_eval
import yaml
from lm_eval.api.metrics import exact_match_hf_evaluate
from lm_eval.filters.extraction import RegexFilter

task = yaml.safe_load((Path(lm_eval.__file__).parent / "tasks/gsm8k/gsm8k.yaml").read_text())
way, metric = task["filter_list"][1]["filter"][0], task["metric_list"][0]
flexible = RegexFilter(regex_pattern=way["regex_pattern"], group_select=way["group_select"])
options = {name: metric[name] for name in ("regexes_to_ignore", "ignore_case", "ignore_punctuation")}
for reply in (
    "The answer is 18.",
    "The answer is 18...",
    "It is 18, as I said, ...",
    "The answer is $18.00.",
    "The answer is −18.",
):
    ((taken,),) = flexible.apply([[reply]], [{}])
    score = exact_match_hf_evaluate(predictions=[taken], references=["#### 18"], **options)
    print(f"{reply:26} takes {taken!r:9} {score['exact_match']}")
PYTHON
