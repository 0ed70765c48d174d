#!/usr/bin/env bash
# grapheme 0.6.0, uniseg 0.10.1, regex 2026.11.19, wcwidth 0.9.4: an Indic conjunct is one cluster or two.
# Expected: libraries that implement one Unicode annex count the same user-perceived characters.
# Seen: clusters (grapheme | uniseg | regex | wcwidth); Unicode 15.1 joined conjuncts, and grapheme has an older table:
#> \u0915\u094d\u0937: 2 | 1 | 1 | 1
#> \u0995\u09cd\u09b7: 2 | 1 | 1 | 1
#> \u0d15\u0d4d\u0d37: 2 | 1 | 1 | 1
#> \u0e01\u0e33: 1 | 1 | 1 | 1
# Why it matters: "10 % of the characters" is another number of edits in Hindi, Bengali and Malayalam, and an edit that is
# whole for one library splits a letter for another.
source "$(dirname "$0")/common.sh"
install grapheme==0.6.0 uniseg==0.10.1 regex==2026.11.19 wcwidth==0.9.4
run <<'PYTHON'
import grapheme
import regex
from uniseg.graphemecluster import grapheme_clusters
from wcwidth import iter_graphemes

for text in ("\u0915\u094d\u0937", "\u0995\u09cd\u09b7", "\u0d15\u0d4d\u0d37", "\u0e01\u0e33"):
    ways = (grapheme.graphemes, grapheme_clusters, lambda text: regex.findall(r"\X", text), iter_graphemes)
    counts = " | ".join(str(len(list(way(text)))) for way in ways)
    print(f"{text.encode('unicode_escape').decode()}: {counts}")
PYTHON
