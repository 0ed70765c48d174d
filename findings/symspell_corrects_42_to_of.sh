#!/usr/bin/env bash
# symspellpy 6.10.1: lookup_compound corrects numbers to the word "of".
# Expected: a speller of sentences leaves digits alone.
# Seen: a short number is a typo of a common word; ignore_non_words=True, off by default, spares it:
#> The answer is not 42. -> the answer is not of
#> It's 10:30 in New York. -> it's of of in new york
#> Teh quikc brown fox -> the quick brown fox
#> the same as the first with ignore_non_words=True -> the answer is not 42
# Why it matters: a speller in front of a model, the usual defence against typos, removes the point of a question; the
# defence then seems to be of no use against noise.
source "$(dirname "$0")/common.sh"
install symspellpy==6.10.1 setuptools==75.8.0
run <<'PYTHON'
from importlib.resources import files

from symspellpy import SymSpell

speller = SymSpell(max_dictionary_edit_distance=2)
speller.load_dictionary(str(files("symspellpy") / "frequency_dictionary_en_82_765.txt"), 0, 1)
TEXTS = ("The answer is not 42.", "It's 10:30 in New York.", "Teh quikc brown fox")
for text in TEXTS:
    print(text, "->", speller.lookup_compound(text, 2)[0].term)
spared = speller.lookup_compound(TEXTS[0], 2, ignore_non_words=True)[0].term
print("the same as the first with ignore_non_words=True ->", spared)
PYTHON
