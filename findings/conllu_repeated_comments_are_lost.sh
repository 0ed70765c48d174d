#!/usr/bin/env bash
# conllu 6.0.0 and pyconll 3.3.1: of comments that begin alike, the last one alone is written back.
# Expected: comments of CoNLL-U are free text in lines of their own, so that reading and writing keeps all.
# Seen: how many of three such lines are left, and the lines of words that came back otherwise:
#> conllu: 1 of 3, 0 of 2 words
#> pyconll: 1 of 3, 1 of 2 words
# Why it matters: annotators number their remarks and translations in such lines; a treebank that is augmented by way of these
# libraries loses them without a word, and pyconll sorts what stands in the last column.
source "$(dirname "$0")/common.sh"
install conllu==6.0.0 pyconll==3.3.1
run <<'PYTHON'
import conllu
import pyconll

REMARKS = ["# remark = agreed", "# remark = by two readers", "# remark = of draft 3"]
WORDS = ["1\tHello\thello\tINTJ\t_\t_\t0\troot\t_\tGloss=salut|Align=2", "2\tyou\tyou\tPRON\t_\t_\t1\tvocative\t_\t_"]
TEXT = "\n".join([*REMARKS, *WORDS, "", ""])

back = {
    "conllu": "".join(sentence.serialize() for sentence in conllu.parse(TEXT)),
    "pyconll": pyconll.load_from_string(TEXT).conll(),
}
for name, text in back.items():
    lines = text.splitlines()
    kept = sum(remark in lines for remark in REMARKS)
    print(f"{name}: {kept} of 3, {sum(word not in lines for word in WORDS)} of 2 words")
PYTHON
