#!/usr/bin/env bash
# inflection 0.5.1: any word that ends in s has a singular.
# Expected: words that are no plural stay, as "series" and "news" do.
# Seen:
#> his    -> hi
#> this   -> thi
#> is     -> i
#> gas    -> ga
#> lens   -> len
#> series -> series
# Why it matters: noise in number that is made with it writes words that nobody writes, and answers normalised with it are equal
# where they aren't: "gas" and "ga".
source "$(dirname "$0")/common.sh"
install inflection==0.5.1
run <<'PYTHON'
from inflection import singularize

for word in ("his", "this", "is", "gas", "lens", "series"):
    print(f"{word:6} -> {singularize(word)}")
PYTHON
