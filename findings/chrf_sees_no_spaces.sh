#!/usr/bin/env bash
# sacrebleu 2.6.0: chrF gives 100 to a text whose word breaks are all wrong.
# Expected: a measure of characters sees a lost, moved or added space.
# Seen: chrF drops white space before it counts; only chrF++ (word_order=2) and BLEU fall:
#> th equick brown | chrF 100.0 | chrF++ 79.2 | BLEU 27.5
#> thequickbrown   | chrF 100.0 | chrF++ 85.7 | BLEU 0.0
#> t h e q u i c k b r o w n | chrF 100.0 | chrF++ 75.0 | BLEU 0.0
# Why it matters: under chrF a system that copies whitespace noise into its answer is perfectly robust.
source "$(dirname "$0")/common.sh"
install sacrebleu==2.6.0
run <<'PYTHON'
from sacrebleu import sentence_bleu, sentence_chrf

REFERENCE = ["the quick brown"]
for reply in ("th equick brown", "thequickbrown", "t h e q u i c k b r o w n"):
    chrf, plus = (sentence_chrf(reply, REFERENCE, word_order=order).score for order in (0, 2))
    print(f"{reply:15} | chrF {chrf:.1f} | chrF++ {plus:.1f} | BLEU {sentence_bleu(reply, REFERENCE).score:.1f}")
PYTHON
