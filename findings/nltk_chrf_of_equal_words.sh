#!/usr/bin/env bash
# nltk 3.10.4 and sacrebleu 2.6.0: a short answer that equals its reference isn't perfect under nltk's chrF.
# Expected: a text compared with itself scores 1, as in sacrebleu.
# Seen: orders of n-grams that a text of fewer than six characters can't have count as 0:
#> 7     | nltk 0.167 | sacrebleu 1.000
#> yes   | nltk 0.500 | sacrebleu 1.000
#> Paris | nltk 0.833 | sacrebleu 1.000
#> London | nltk 1.000 | sacrebleu 1.000
# Why it matters: a right "7" ranks below a wrong long answer, and a drop under noise may be a change of length.
source "$(dirname "$0")/common.sh"
install nltk==3.10.4 sacrebleu==2.6.0
run <<'PYTHON'
import sacrebleu
from nltk.translate import chrf_score

for word in ("7", "yes", "Paris", "London"):
    ours, theirs = chrf_score.sentence_chrf(word, word), sacrebleu.sentence_chrf(word, [word]).score / 100
    print(f"{word:5} | nltk {ours:.3f} | sacrebleu {theirs:.3f}")
PYTHON
