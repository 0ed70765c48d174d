#!/usr/bin/env bash
# textblob 0.20.1: its speller turns clean questions into other questions.
# Expected: text without a typo comes back as it was, mostly.
# Seen: a word that its list lacks gives way to a near one, with its capital:
#> Who is Barack Obama? -> Who is Track Drama?
#> Kyiv is in Ukraine. -> Iv is in Ukraine.
#> He paid 3 euros in Marseille. -> He paid 3 europe in Marseilles.
#> Is covid a virus? -> Is could a virus?
# Why it matters: a speller in front of a model costs clean accuracy, so the drop from clean to noisy can shrink and the system
# looks more robust; compare noisy with the clean run without the speller too.
source "$(dirname "$0")/common.sh"
install textblob==0.20.1 nltk==3.10.4
run <<'PYTHON'
from textblob import TextBlob

for text in ("Who is Barack Obama?", "Kyiv is in Ukraine.", "He paid 3 euros in Marseille.", "Is covid a virus?"):
    print(text, "->", TextBlob(text).correct())
PYTHON
