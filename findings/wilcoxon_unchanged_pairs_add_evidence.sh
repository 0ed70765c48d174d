#!/usr/bin/env bash
# scipy 1.17.1: pairs without a difference turn five falls from p = 0.0625 into p = 0.025.
# Expected: wilcoxon's default, zero_method="wilcox", discards pairs without a difference, so they can't matter.
# Seen: their presence switches from the exact distribution to the normal approximation, for however few pairs remain:
#> 5 equal falls and 0 unchanged pairs: p=0.0625
#> 5 equal falls and 1 unchanged pairs: p=0.0625
#> 5 equal falls and 100 unchanged pairs: p=0.0253
#> the same with zero_method="zsplit": p=0.3535
# Why it matters: under mild noise most pairs are unchanged, and their presence alone makes five falls "significant".
source "$(dirname "$0")/common.sh"
install scipy==1.17.1
run <<'PYTHON'
from scipy.stats import wilcoxon

for unchanged in (0, 1, 100):
    p = wilcoxon([-1] * 5 + [0] * unchanged).pvalue
    print(f"5 equal falls and {unchanged} unchanged pairs: p={p:.4f}")
p = wilcoxon([-1] * 5 + [0] * 100, zero_method="zsplit").pvalue
print(f'the same with zero_method="zsplit": p={p:.4f}')
PYTHON
