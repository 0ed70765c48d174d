#!/usr/bin/env bash
# word2number 1.1, text2digits 0.1.2, number-parser 0.3.2: three readers of number words agree on few of them.
# Expected: common phrases have one value, and other text is refused.
# Seen (word2number | text2digits | number-parser):
#> nineteen ninety nine: 1719 | 1999 | 19 99
#> seven eleven: 18 | 711 | 7 11
#> minus five: 5 | -5 | minus 5
#> two point five: 2.5 | 2.5 | 2 point 5
#> one point five million: 1 | 1.5000000 | 1 point 5000000
#> one hundred and one: 101 | 101 | 101
# Why it matters: whoever turns numbers into words as noise, and back to grade, measures the reader.
source "$(dirname "$0")/common.sh"
install word2number==1.1 text2digits==0.1.2 number-parser==0.3.2 setuptools==75.8.0
run <<'PYTHON'
from number_parser import parse
from text2digits.text2digits import Text2Digits
from word2number.w2n import word_to_num

PHRASES = (
    "nineteen ninety nine",
    "seven eleven",
    "minus five",
    "two point five",
    "one point five million",
    "one hundred and one",
)
for phrase in PHRASES:
    print(f"{phrase}: {word_to_num(phrase)} | {Text2Digits().convert(phrase)} | {parse(phrase)}")
PYTHON
