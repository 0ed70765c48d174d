#!/usr/bin/env bash
# rank-bm25 0.2.2: a query without a known word has a best document, and a word in half of the documents weighs nothing.
# Expected: no hit, or a sign that nothing matched; and "cat" finds a document with "cat" in it.
# Seen: all scores are 0, and `get_top_n` gives the last document:
#> pasword: [0.0, 0.0, 0.0] -> open your bill
#> cat: [0.0, 0.0, 0.0, 0.0] -> blue dog
# Why it matters: under typos recall falls to that of the last document and not to nothing, and a small test corpus seems broken.
source "$(dirname "$0")/common.sh"
install rank-bm25==0.2.2 numpy==1.26.4
run <<'PYTHON'
from rank_bm25 import BM25Okapi

for query, passages in (
    ("pasword", ["reset your password", "track your parcel", "open your bill"]),
    ("cat", ["red cat", "grey cat", "red dog", "blue dog"]),
):
    index = BM25Okapi([passage.split() for passage in passages])
    scores = [float(score) for score in index.get_scores([query])]
    print(f"{query}: {scores} -> {index.get_top_n([query], passages, 1)[0]}")
PYTHON
