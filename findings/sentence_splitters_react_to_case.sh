#!/usr/bin/env bash
# pysbd 0.3.4, syntok 1.4.4: whether two sentences are two depends on their capitals, for one splitter and not the other.
# Expected: a full stop, a space and a word end a sentence in both, in any case.
# Seen: sentences (pysbd | syntok):
#> I like it. Really. It works.: 3 | 3
#> I LIKE IT. REALLY. IT WORKS.: 3 | 3
#> i like it. really. it works.: 3 | 1
#> It works. 3 of 4 agree.: 2 | 2
#> It works (mostly). it is new: 2 | 1
# Why it matters: measures by sentence, and noise on sentences, get another base if the first noise lowers the case; reviews
# and chats are lower case to begin with.
source "$(dirname "$0")/common.sh"
install pysbd==0.3.4 syntok==1.4.4
run <<'PYTHON'
import pysbd
from syntok import segmenter

TEXTS = (
    "I like it. Really. It works.",
    "I LIKE IT. REALLY. IT WORKS.",
    "i like it. really. it works.",
    "It works. 3 of 4 agree.",
    "It works (mostly). it is new",
)
for text in TEXTS:
    counted = sum(len(list(paragraph)) for paragraph in segmenter.analyze(text))
    print(f"{text}: {len(pysbd.Segmenter(language='en', clean=False).segment(text))} | {counted}")
PYTHON
