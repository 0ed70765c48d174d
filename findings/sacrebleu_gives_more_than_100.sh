#!/usr/bin/env bash
# sacrebleu 2.6.0: BLEU of a text with itself is a little more than 100.
# Expected: a score from 0 to 100.
# Seen: the geometric mean of the precisions is taken by logarithms, which round:
#> Paris: 100.00000000000004, at most 100: False
#> The capital of France is Paris: 100.00000000000004, at most 100: False
#> chrF of Paris: 100.0, at most 100: True
# Why it matters: code that checks the range refuses perfect answers, and code that chooses a method by it, such as an
# interval for bounded scores, takes the wrong one.
source "$(dirname "$0")/common.sh"
install sacrebleu==2.6.0
run <<'PYTHON'
from sacrebleu import sentence_bleu, sentence_chrf

SHORT, LONG = "Paris", "The capital of France is Paris"
scores = {text: sentence_bleu(text, [text]).score for text in (SHORT, LONG)}
scores[f"chrF of {SHORT}"] = sentence_chrf(SHORT, [SHORT]).score
for name, score in scores.items():
    print(f"{name}: {score}, at most 100: {score <= 100}")
PYTHON
