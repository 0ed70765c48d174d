#!/usr/bin/env bash
# jiwer 4.0.0: only a plain space separates words, and trailing spaces cost nothing.
# Expected: two words are two words, whatever white space stands between them, as str.split has it.
# Seen: a transcript that differs in the kind of white space has a word error rate of 2/3 to 2, one with an added
# space at its end has a character error rate of 0, and one with the same space in the middle has 1/3:
#> wer("a b", "a\nb") = 1.0
#> wer("a b", "a\tb") = 1.0
#> wer("a\u00a0b", "a b") = 2.0
#> wer("one two three", "one two\nthree") = 0.6666666666666666
#> wer("a b", "a  b") = 0.0
#> cer("a b", "a b ") = 0.0
#> cer("a b", "a  b") = 0.3333333333333333
# Why it matters: line breaks and no-break spaces, which are the mildest noise, measure as the loss of all words.
source "$(dirname "$0")/common.sh"
install jiwer==4.0.0
run <<'PYTHON'
import json

import jiwer

CASES = [
    (jiwer.wer, "a b", "a\nb"),
    (jiwer.wer, "a b", "a\tb"),
    (jiwer.wer, "a\u00a0b", "a b"),
    (jiwer.wer, "one two three", "one two\nthree"),
    (jiwer.wer, "a b", "a  b"),
    (jiwer.cer, "a b", "a b "),
    (jiwer.cer, "a b", "a  b"),
]
for rate, reference, reply in CASES:
    print(f"{rate.__name__}({json.dumps(reference)}, {json.dumps(reply)}) = {rate(reference, reply)}")
PYTHON
