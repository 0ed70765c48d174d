#!/usr/bin/env bash
# rapidfuzz 3.14.6, jellyfish 1.3.0, textdistance 4.6.3, sacrebleu 2.6.0, jiwer 4.0.0: an empty reply to an empty answer.
# Expected: equal texts are equal, even when they're empty.
# Seen: one library takes both sides:
#> rapidfuzz ratio 100.0, partial_ratio 100.0, token_sort_ratio 100.0
#> rapidfuzz WRatio 0.0, QRatio 0.0, token_set_ratio 0.0
#> Jaro: jellyfish 0.0, textdistance 1
#> sacrebleu: BLEU 0.0, chrF 0.0, TER 0.0 (no errors)
#> jiwer: WER 0 (no errors)
# Why it matters: "say nothing" is the right answer in dialogues, extraction and SQuAD 2; it counts as all or as nothing.
source "$(dirname "$0")/common.sh"
install rapidfuzz==3.14.6 jellyfish==1.3.0 textdistance==4.6.3 sacrebleu==2.6.0 jiwer==4.0.0
run <<'PYTHON'
import jellyfish
import jiwer
import sacrebleu
import textdistance
from rapidfuzz import fuzz

for names in (("ratio", "partial_ratio", "token_sort_ratio"), ("WRatio", "QRatio", "token_set_ratio")):
    print("rapidfuzz", ", ".join(f"{name} {getattr(fuzz, name)('', '')}" for name in names))
print(f"Jaro: jellyfish {jellyfish.jaro_similarity('', '')}, textdistance {textdistance.jaro('', '')}")
bleu, chrf = sacrebleu.sentence_bleu("", [""]).score, sacrebleu.sentence_chrf("", [""]).score
print(f"sacrebleu: BLEU {bleu}, chrF {chrf}, TER {sacrebleu.sentence_ter('', ['']).score} (no errors)")
print(f"jiwer: WER {jiwer.wer('', '')} (no errors)")
PYTHON
