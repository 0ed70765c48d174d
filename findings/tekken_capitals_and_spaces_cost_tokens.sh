#!/usr/bin/env bash
# mistral-common 1.13.1, tekken_240911: doubled spaces cost more tokens than capitals, no-break spaces more than either.
# Expected: harmless changes of white space and case cost a few tokens.
# Seen: tokens of one English question of 19 words:
#> as it is: 20
#> in capitals: 33
#> with doubled spaces: 38
#> with no-break spaces: 40
# Why it matters: such rows cost up to twice as much and are cut off earlier under a limit of tokens, which then looks like
# a loss of ability.
source "$(dirname "$0")/common.sh"
install mistral-common==1.13.1
run <<'PYTHON'
from pathlib import Path

import mistral_common
from mistral_common.tokens.tokenizers.tekken import Tekkenizer

(table,) = Path(mistral_common.__file__).parent.rglob("tekken_240911.json")
tokenizer = Tekkenizer.from_file(table)
QUESTION = "What is the name of the river that flows through the capital of France and the city of Rouen?"
WAYS = {
    "as it is": QUESTION,
    "in capitals": QUESTION.upper(),
    "with doubled spaces": QUESTION.replace(" ", "  "),
    "with no-break spaces": QUESTION.replace(" ", "\u00a0"),
}
for name, text in WAYS.items():
    print(f"{name}: {len(tokenizer.encode(text, bos=False, eos=False))}")
PYTHON
