#!/usr/bin/env bash
# num2words 0.5.14 with word2number 1.1: large and negative numbers don't survive the way to words and back.
# Expected: the reader of number words reads what the writer of number words wrote, or refuses it.
# Seen: the writer's commas end the number for the reader, which doesn't know "minus" either:
#> 1001 -> one thousand and one -> 1001
#> 1234 -> one thousand, two hundred and thirty-four -> 1
#> 1234567 -> one million, two hundred and thirty-four thousand, five hundred and sixty-seven -> 1
#> -5 -> minus five -> 5
# Why it matters: the pair looks like a lossless perturbation of numbers, and passes a test on small ones.
source "$(dirname "$0")/common.sh"
install num2words==0.5.14 word2number==1.1
run <<'PYTHON'
from num2words import num2words
from word2number.w2n import word_to_num

for number in (1001, 1234, 1234567, -5):
    words = num2words(number)
    print(f"{number} -> {words} -> {word_to_num(words)}")
PYTHON
