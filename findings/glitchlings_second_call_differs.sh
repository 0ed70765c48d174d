#!/usr/bin/env bash
# glitchlings 1.0.0: a seeded glitchling gives another text at its second call, a Gaggle of it doesn't; order in a list counts.
# Expected: one seed and one text give one result, alone or in a Gaggle.
# Seen: a glitchling draws on from call to call, and a Gaggle starts again at each:
#> Typogre: the second call gives another text
#> Rushmore: the second call gives another text
#> Zeedub: the second call gives another text
#> Gaggle([Typogre, Rushmore]): the second call gives the same text
#> Gaggle([Rushmore, Typogre]): another text than in the order above
# Why it matters: a row's noise depends on how many rows came before it, so a shard or a rerun from the middle differs.
source "$(dirname "$0")/common.sh"
install glitchlings==1.0.0
run <<'PYTHON'
from glitchlings import Gaggle, Rushmore, Typogre, Zeedub

TEXT = "The quick brown fox jumps over the lazy dog while a small crowd watches from the bridge."


def second(perturb):
    return f"the second call gives {'the same' if perturb(TEXT) == perturb(TEXT) else 'another'} text"


for kind in (Typogre, Rushmore, Zeedub):
    print(f"{kind.__name__}: {second(kind(rate=0.1, seed=3))}")
kinds = (Typogre, Rushmore)
there, back = (Gaggle([kind(rate=0.1) for kind in order], seed=3) for order in (kinds, kinds[::-1]))
print(f"Gaggle([Typogre, Rushmore]): {second(there)}")
print(f"Gaggle([Rushmore, Typogre]): {'the same' if there(TEXT) == back(TEXT) else 'another'} text than in the order above")
PYTHON
