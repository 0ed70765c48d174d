#!/usr/bin/env bash
# langid 1.1.6: a question in capitals is in another language, and a short text has a confident default.
# Expected: the case of letters doesn't change the language, and without evidence the score says so.
# Seen: the language of a question as it is and in capitals, then a greeting and a question mark, with equal scores:
#> What is the capital of France? en -> mt
#> How many people live in Papua New Guinea? en -> pl
#> Сколько людей живёт в Москве? ru -> kk
#> Где находится столица Франции? ru -> sr
#> hello: en 9.06
#> ?: en 9.06
# Why it matters: a filter by language throws the rows of a case perturbation away, or routes them to the wrong model.
source "$(dirname "$0")/common.sh"
install langid==1.1.6 numpy==2.4.6 setuptools==75.8.0
run <<'PYTHON'
from langid import classify

QUESTIONS = (
    "What is the capital of France?",
    "How many people live in Papua New Guinea?",
    "Сколько людей живёт в Москве?",
    "Где находится столица Франции?",
)
for question in QUESTIONS:
    print(question, classify(question)[0], "->", classify(question.upper())[0])
for text in ("hello", "?"):
    print("{}: {} {:.2f}".format(text, *classify(text)))
PYTHON
