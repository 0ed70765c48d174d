#!/usr/bin/env bash
# rouge-score 0.1.2: an answer in Russian, Greek or Japanese that equals its reference scores 0.
# Expected: equal texts score 1, in any alphabet, or are refused.
# Seen: the default tokenizer keeps a to z and digits. Nothing is left of other alphabets, and accents cut words in two,
# so a text that differs in every word can be perfect:
#> "привет мир" and "привет мир": rougeL 0.0
#> "Αθήνα" and "Αθήνα": rougeL 0.0
#> "東京" and "東京": rougeL 0.0
#> "5 яблок" and "5 груш": rougeL 1.0
#> "née" and "nàe": rougeL 1.0
# Why it matters: noise that swaps accents or letters of such alphabets has no effect on the score.
source "$(dirname "$0")/common.sh"
install rouge-score==0.1.2 nltk==3.10.4
run <<'PYTHON'
from rouge_score.rouge_scorer import RougeScorer

scorer = RougeScorer(["rougeL"])
EQUAL = [(text, text) for text in ("привет мир", "Αθήνα", "東京")]
for pair in (*EQUAL, ("5 яблок", "5 груш"), ("née", "nàe")):
    print('"{}" and "{}": rougeL {}'.format(*pair, float(scorer.score(*pair)["rougeL"].fmeasure)))
PYTHON
