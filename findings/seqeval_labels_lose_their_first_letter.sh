#!/usr/bin/env bash
# seqeval 1.2.2: a label without a prefix is read as one, so that labels which differ in their first letter are equal, with no more than a warning.
# Expected: LOC isn't DOC; a text without entities in which none is found is right.
# Seen:
#> LOC for DOC: f1 1.0
#> B-LOC for B-DOC: f1 0.0
#> no entity, and none found: f1 0.0
# Why it matters: tags of one word each, which need no B- and I-, are scored as right; and rows without entities pull a mean of rows down.
source "$(dirname "$0")/common.sh"
install seqeval==1.2.2
run <<'PYTHON'
from seqeval.metrics import f1_score

print("LOC for DOC: f1", float(f1_score([["LOC", "O"]], [["DOC", "O"]])))
print("B-LOC for B-DOC: f1", float(f1_score([["B-LOC", "O"]], [["B-DOC", "O"]])))
print("no entity, and none found: f1", float(f1_score([["O", "O"]], [["O", "O"]])))
PYTHON
