#!/usr/bin/env bash
# scikit-learn 1.9.1, statsmodels 0.15.0, krippendorff 0.9.0, nltk 3.10.4: two judges who call all ten replies right agree
# by 1, by nan, or not at all.
# Expected: one answer for one table; chance alone would agree as well, so that kappa and alpha have none.
# Seen:
#> scikit-learn, kappa | nan
#> statsmodels, kappa  | nan
#> nltk, kappa         | 1.0
#> nltk, alpha         | 1.0
#> krippendorff, alpha | ValueError
# Why it matters: on an easy slice "perfect agreement" and "no figure" are the same judges; a mean over slices is nan, or
# ends, or is raised by the slices that show nothing.
source "$(dirname "$0")/common.sh"
install scikit-learn==1.9.1 statsmodels==0.15.0 krippendorff==0.9.0 nltk==3.10.4 scipy==1.17.1
run <<'PYTHON'
import krippendorff
import numpy as np
from nltk.metrics.agreement import AnnotationTask
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

both = [[1] * 10, [1] * 10]
task = AnnotationTask([(judge, item, 1) for judge in "ab" for item in range(10)])
agreements = {
    "scikit-learn, kappa": lambda: cohen_kappa_score(*both),
    "statsmodels, kappa": lambda: cohens_kappa([[0, 0], [0, 10]]).kappa,
    "nltk, kappa": task.kappa,
    "nltk, alpha": task.alpha,
    "krippendorff, alpha": lambda: krippendorff.alpha(np.array(both)),
}
for name, agreement in agreements.items():
    try:
        said = float(agreement())
    except ValueError as error:
        said = type(error).__name__
    print(f"{name:19} | {said}")
PYTHON
