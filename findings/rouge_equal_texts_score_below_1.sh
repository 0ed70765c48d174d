#!/usr/bin/env bash
# rouge 1.0.1: the F of two equal texts isn't 1, and case and a full stop make other words.
# Expected: equal texts score 1, as in rouge-score.
# Seen:
#> equal texts: precision 1.0, recall 1.0, f 0.999999995
#> share of 3 equal replies with f >= 1: 0.0
#> "The Cat." for "the cat": f 0.0
#> the same in rouge-score: f 1.0
# Why it matters: a threshold of 1, or a test for equality, finds no reply right.
source "$(dirname "$0")/common.sh"
install rouge==1.0.1 rouge-score==0.1.2
run <<'PYTHON'
from rouge import Rouge
from rouge_score.rouge_scorer import RougeScorer

TEXTS = ["a red house", "two eggs", "the capital of Norway"]
scores = [each["rouge-l"] for each in Rouge().get_scores(TEXTS, TEXTS)]
first = scores[0]
print(f"equal texts: precision {first['p']}, recall {first['r']}, f {first['f']}")
print("share of 3 equal replies with f >= 1:", sum(each["f"] >= 1 for each in scores) / 3)
(pair,) = Rouge().get_scores(["The Cat."], ["the cat"])
print(f'"The Cat." for "the cat": f {pair["rouge-l"]["f"]}')
other = RougeScorer(["rougeL"]).score("the cat", "The Cat.")["rougeL"]
print("the same in rouge-score: f", other.fmeasure)
PYTHON
