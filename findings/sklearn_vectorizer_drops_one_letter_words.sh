#!/usr/bin/env bash
# scikit-learn 1.9.1: its vectorizers see neither "plan A" nor "5 people": words of one character are no tokens.
# Expected: texts that ask about other options and other numbers have other vectors.
# Seen: the default token_pattern wants two characters, so that the two questions are equal:
#> default: cosine 1.00
#> single characters too: cosine 0.72
# Why it matters: a check of near duplicates or of meaning by TF-IDF accepts an edit that changes an option letter or a digit.
source "$(dirname "$0")/common.sh"
install scikit-learn==1.9.1
run <<'PYTHON'
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics.pairwise import cosine_similarity

asked = "Which plan is cheaper, plan A or plan B, for 5 people?"
other = "Which plan is cheaper, plan C or plan D, for 9 people?"
for name, options in {"default": {}, "single characters too": {"token_pattern": r"\w+"}}.items():
    vectors = TfidfVectorizer(**options).fit_transform([asked, other])
    print(f"{name}: cosine {cosine_similarity(vectors)[0, 1]:.2f}")
PYTHON
