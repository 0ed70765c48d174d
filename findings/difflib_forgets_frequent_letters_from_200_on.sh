#!/usr/bin/env bash
# Python's difflib: from 200 characters on, the similarity of two texts drops by half.
# Expected: the ratio of a text and its noisy version hardly depends on one character more.
# Seen: autojunk, which is on, leaves out each character that makes up more than 1 % of a text of 200 or more:
#> 199 characters, autojunk=True: 0.583
#> 199 characters, autojunk=False: 0.583
#> 200 characters, autojunk=True: 0.285
#> 200 characters, autojunk=False: 0.585
# Why it matters: thresholds of similarity that were set on questions reject paragraphs with the same noise.
source "$(dirname "$0")/common.sh"
python3 -m venv "$room/venv"  # nothing to install
run <<'PYTHON'
from difflib import SequenceMatcher

text = ("the cat sat on the mat and the dog lay by the door while rain fell on the roof ") * 3
for length in (199, 200):
    clean = text[:length]
    noisy = " ".join(word[::-1] if at % 2 else word for at, word in enumerate(clean.split(" ")))
    for autojunk in (True, False):
        ratio = SequenceMatcher(None, clean, noisy, autojunk=autojunk).ratio()
        print(f"{length} characters, autojunk={autojunk}: {ratio:.3f}")
PYTHON
