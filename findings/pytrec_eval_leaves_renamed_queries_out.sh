#!/usr/bin/env bash
# pytrec_eval-terrier 0.5.11: queries that it doesn't know, or that have no run, are left out without a word.
# Expected: an unknown query is an error, and a query without results counts as 0.
# Seen: a run whose ids were made unique for a noisy copy gives nothing; a system that answers one of two queries is
# perfect in the mean of what comes back; and of two equal scores the greater document id comes first:
#> ids renamed to "q1#1": {}
#> one of two queries answered: {'q1': {'recip_rank': 1.0}}
#> tied with "a", "b" is right: 1.0
#> tied with "b", "a" is right: 0.5
# Why it matters: each noisy copy needs its own judgements, and the number of queries must be counted by hand.
source "$(dirname "$0")/common.sh"
install pytrec_eval-terrier==0.5.11
run <<'PYTHON'
from pytrec_eval import RelevanceEvaluator


def judged(right, run):
    return RelevanceEvaluator(right, {"recip_rank"}).evaluate(run)


right = {"q1": {"a": 1}, "q2": {"a": 1}}
print('ids renamed to "q1#1":', judged(right, {"q1#1": {"a": 1.0}, "q2#1": {"a": 1.0}}))
print("one of two queries answered:", judged(right, {"q1": {"a": 1.0}}))
for found, other in (("b", "a"), ("a", "b")):
    rank = judged({"q": {found: 1}}, {"q": {"a": 1.0, "b": 1.0}})["q"]["recip_rank"]
    print(f'tied with "{other}", "{found}" is right: {rank}')
PYTHON
