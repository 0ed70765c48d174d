#!/usr/bin/env bash
# anyascii 0.3.3, text-unidecode 1.3, Unidecode 1.4.0: cleaning text to ASCII changes its numbers.
# Expected: 3½ keeps its value, as 3 1/2 or 3.5; a minus sign becomes a hyphen.
# Seen: two of three write a fraction onto the digit before it, all write powers there, and one loses the minus sign:
#> 3½ cups | anyascii 31/2 cups | text-unidecode 31/2 cups | Unidecode 3 1/2 cups
#> 10² m   | anyascii 102 m | text-unidecode 102 m | Unidecode 102 m
#> −5 °C   | anyascii -5 degC | text-unidecode [?]5 degC | Unidecode -5 degC
# Why it matters: a pipeline that cleans questions first asks another one, and its right answer is no longer right; what looks
# like a fall under Unicode noise is the cleaner's.
source "$(dirname "$0")/common.sh"
install anyascii==0.3.3 text-unidecode==1.3 Unidecode==1.4.0
run <<'PYTHON'
from anyascii import anyascii
from text_unidecode import unidecode as text_unidecode
from unidecode import unidecode

for text in ("3½ cups", "10² m", "−5 °C"):
    print(f"{text:7} | anyascii {anyascii(text)} | text-unidecode {text_unidecode(text)} | Unidecode {unidecode(text)}")
PYTHON
