#!/usr/bin/env bash
# phonetics 1.0.5: its Soundex has up to one digit a letter, zeros among them.
# Expected: a letter and three digits, as in the rules of the census and in jellyfish.
# Seen:
#> Ashcraft: A2026013, in jellyfish A261
#> Tymczak: T05202, in jellyfish T522
#> Robert: R01063, in jellyfish R163
#> Clark and Clarke alike: False, in jellyfish True
#> Catherine and Cathryn alike: False, in jellyfish True
#> Lloyd and Loyd alike: False, in jellyfish True
# Why it matters: a look-up by sound misses the spellings that it is for, and codes can't be compared with those of other programs.
source "$(dirname "$0")/common.sh"
install phonetics==1.0.5 jellyfish==1.3.0
run <<'PYTHON'
import jellyfish
import phonetics

for name in ("Ashcraft", "Tymczak", "Robert"):
    print(f"{name}: {phonetics.soundex(name)}, in jellyfish {jellyfish.soundex(name)}")
for one, two in (("Clark", "Clarke"), ("Catherine", "Cathryn"), ("Lloyd", "Loyd")):
    alike = [soundex(one) == soundex(two) for soundex in (phonetics.soundex, jellyfish.soundex)]
    print(f"{one} and {two} alike: {alike[0]}, in jellyfish {alike[1]}")
PYTHON
