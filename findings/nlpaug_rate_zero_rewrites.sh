#!/usr/bin/env bash
# nlpaug 1.1.11: an augmenter at rate 0 rewrites the text.
# Expected: with all rates and minima at 0, the text comes back as it was.
# Seen: the text is split into tokens and joined again, so spaces and apostrophes move, without one augmentation:
#> KeyboardAug: "it's  fine (really)." -> "it ' s fine (really )."
#> RandomCharAug: "it's  fine (really)." -> "it ' s fine (really )."
# Why it matters: a model that reacts to rate 0 reacts to the tokenizer. All rates carry this change too.
source "$(dirname "$0")/common.sh"
install nlpaug==1.1.11 nltk==3.10.4 setuptools==75.8.0
run <<'PYTHON'
from nlpaug.augmenter.char import KeyboardAug, RandomCharAug

text = "it's  fine (really)."
for augmenter in (KeyboardAug, RandomCharAug):
    zero = augmenter(aug_char_p=0, aug_word_p=0, aug_char_min=0, aug_word_min=0)
    print(f'{augmenter.__name__}: "{text}" -> "{zero.augment(text)[0]}"')
PYTHON
