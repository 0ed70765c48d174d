#!/usr/bin/env bash
# sacrebleu 2.6.0: a corpus of right answers has BLEU 0 if all are shorter than four words, and 100 with one longer one.
# Expected: a corpus in which every answer equals its reference has BLEU 100, whatever their length.
# Seen: without any sequence of four words the score is 0; one long answer then speaks for all:
#> 99 right short answers: corpus 0.0, mean of sentences 100.0
#> the same and a right one of four words: corpus 100.0, mean of sentences 100.0
#> 99 wrong short answers and that one: corpus 44.4, mean of sentences 1.0
# Why it matters: on short answers corpus BLEU measures the few long rows, so a comparison of clean and noisy runs is void.
source "$(dirname "$0")/common.sh"
install sacrebleu==2.6.0
run <<'PYTHON'
from sacrebleu import corpus_bleu, sentence_bleu

SHORT, LONG = ["Paris"] * 99, ["The capital is Paris"]


def show(name, replies, references):
    corpus = corpus_bleu(replies, [references]).score
    mean = sum(sentence_bleu(a, [b]).score for a, b in zip(replies, references)) / len(replies)
    print(f"{name}: corpus {corpus:.1f}, mean of sentences {mean:.1f}")


show("99 right short answers", SHORT, SHORT)
show("the same and a right one of four words", SHORT + LONG, SHORT + LONG)
show("99 wrong short answers and that one", ["Lyon"] * 99 + LONG, SHORT + LONG)
PYTHON
