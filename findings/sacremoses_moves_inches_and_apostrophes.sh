#!/usr/bin/env bash
# sacremoses 0.2.0: a text that is tokenised and joined again has other spaces around quotes.
# Expected: joining undoes splitting, in plain sentences.
# Seen: straight quotes of an English contraction come back; feet and inches, and the apostrophe that phones write, don't:
#> I can't pay $3.50!  -> I can't pay $3.50!
#> It's 5'10" tall.    -> It's 5 '10 "tall.
#> I don’t know.       -> I don ’ t know.
# Why it matters: steps that edit words between both change texts where they edit none, and 5'10" is no height any more.
source "$(dirname "$0")/common.sh"
install sacremoses==0.2.0
run <<'PYTHON'
from sacremoses import MosesDetokenizer, MosesTokenizer

split, join = MosesTokenizer("en").tokenize, MosesDetokenizer("en").detokenize
for text in ("I can't pay $3.50!", "It's 5'10\" tall.", "I don’t know."):
    print(f"{text:19} -> {join(split(text))}")
PYTHON
