#!/usr/bin/env bash
# statsmodels 0.15.0: McNemar's test of two systems that never differ has p = 0, 1 or nan.
# Expected: without a flip nothing speaks against equality, so p is 1.
# Seen: the continuity correction is subtracted from a difference of 0 too, so balanced flips count as an excess:
#> 0 flips each way: exact p=1.000, corrected p=0.000, uncorrected p=nan
#> 1 flips each way: exact p=1.000, corrected p=0.480, uncorrected p=1.000
#> 5 flips each way: exact p=1.000, corrected p=0.752, uncorrected p=1.000
#> 5 and 6 flips: corrected p=1.000
# Why it matters: exact=False, the usual choice for many rows, reports the most robust system there is as broken.
source "$(dirname "$0")/common.sh"
install statsmodels==0.15.0 scipy==1.17.1 pandas==3.1.1
run <<'PYTHON'
from statsmodels.stats.contingency_tables import mcnemar

WAYS = {"exact": {}, "corrected": {"exact": False}, "uncorrected": {"exact": False, "correction": False}}
for flips in (0, 1, 5):
    found = {name: mcnemar([[90, flips], [flips, 9]], **way).pvalue for name, way in WAYS.items()}
    print(f"{flips} flips each way:", ", ".join(f"{name} p={p:.3f}" for name, p in found.items()))
print(f"5 and 6 flips: corrected p={mcnemar([[90, 5], [6, 9]], exact=False).pvalue:.3f}")
PYTHON
