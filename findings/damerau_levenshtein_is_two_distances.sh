#!/usr/bin/env bash
# textdistance 4.6.3, pyxDamerauLevenshtein 1.11.0, jellyfish 1.3.0, rapidfuzz 3.14.6, nltk 3.10.4: from CA to ABC it is 2 edits
# or 3, by functions of one name.
# Expected: the distance of Damerau and Levenshtein is a metric, 2 here: swap, then insert between the two.
# Seen: two of them return the restricted distance, which edits no part twice and isn't a metric:
#> textdistance.damerau_levenshtein                       3
#> pyxdameraulevenshtein.damerau_levenshtein_distance     3
#> jellyfish.damerau_levenshtein_distance                 2
#> rapidfuzz.distance.DamerauLevenshtein.distance         2
#> nltk.edit_distance(transpositions=True)                2
# Why it matters: error rates and limits of distances measured with one don't hold with another, and an index that relies on
# the inequality of the triangle misses neighbours.
source "$(dirname "$0")/common.sh"
install textdistance==4.6.3 pyxDamerauLevenshtein==1.11.0 jellyfish==1.3.0 rapidfuzz==3.14.6 nltk==3.10.4
run <<'PYTHON'
import jellyfish
import nltk
import pyxdameraulevenshtein
import textdistance
from rapidfuzz.distance import DamerauLevenshtein

distances = {
    "textdistance.damerau_levenshtein": textdistance.damerau_levenshtein,
    "pyxdameraulevenshtein.damerau_levenshtein_distance": pyxdameraulevenshtein.damerau_levenshtein_distance,
    "jellyfish.damerau_levenshtein_distance": jellyfish.damerau_levenshtein_distance,
    "rapidfuzz.distance.DamerauLevenshtein.distance": DamerauLevenshtein.distance,
    "nltk.edit_distance(transpositions=True)": lambda a, b: nltk.edit_distance(a, b, transpositions=True),
}
for name, distance in distances.items():
    print(f"{name:54} {distance('CA', 'ABC')}")
PYTHON
