#!/usr/bin/env bash
# vaderSentiment 3.3.2: a curly apostrophe, as word processors write it, turns a complaint into praise.
# Expected: "isn’t" negates as "isn't" does.
# Seen: the list of negations has straight apostrophes alone, so that the negation isn't read:
#> straight -0.3412  curly  0.4404  The food isn't good.
#> straight -0.2755  curly  0.3612  I don't recommend it.
#> straight -0.3875  curly  0.4939  The staff weren't friendly.
# Why it matters: texts from a word processor that negate by a contraction count as their opposite.
source "$(dirname "$0")/common.sh"
install vaderSentiment==3.3.2
run <<'PYTHON'
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

vader = SentimentIntensityAnalyzer()
for text in ("The food isn't good.", "I don't recommend it.", "The staff weren't friendly."):
    straight, curly = (vader.polarity_scores(one)["compound"] for one in (text, text.replace("'", "’")))
    print(f"straight {straight:7.4f}  curly {curly:7.4f}  {text}")
PYTHON
