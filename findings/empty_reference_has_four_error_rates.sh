#!/usr/bin/env bash
# jiwer 4.0.0, kaldialign 0.12.0, sacrebleu 2.6.0, werpy 3.5.0: three words against an empty reference.
# Expected: one error rate, or an error.
# Seen: 3 is the number of words and no rate, infinity spoils any mean, 100 is a cap, and werpy prints its own error
# to standard output and returns None:
#> jiwer 3
#> kaldialign inf
#> sacrebleu 100.0
#> werpy None, after it printed "ZeroDivisionError: Invalid input"
# Why it matters: a system that should stay silent is judged by such rows alone, and one row can move the mean by 3.
source "$(dirname "$0")/common.sh"
install jiwer==4.0.0 kaldialign==0.12.0 sacrebleu==2.6.0 werpy==3.5.0
run <<'PYTHON'
import contextlib
import io

import jiwer
import kaldialign
import sacrebleu
import werpy

REPLY = "a b c"
print("jiwer", jiwer.wer("", REPLY))
print("kaldialign", kaldialign.edit_distance([], REPLY.split())["err_rate"])
print("sacrebleu", sacrebleu.sentence_ter(REPLY, [""]).score)
with contextlib.redirect_stdout(io.StringIO()) as printed:
    rate = werpy.wer("", REPLY)
print(f'werpy {rate}, after it printed "{printed.getvalue()[:32]}"')
PYTHON
