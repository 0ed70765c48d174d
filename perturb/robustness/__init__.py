"""Robustness measures: from scores and linkage records to a verdict.

Importing this module costs NumPy's import and no more: `evaluate`, which has the machinery to ask a
system at its back, comes when it is first used.
"""

from typing import TYPE_CHECKING, Any

from perturb.robustness.bagging import Bagging, Dispersion, bagging, leave_one_out
from perturb.robustness.compare import (
    Estimate,
    benjamini_hochberg,
    cluster_bootstrap,
    clustered_mean,
    mcnemar_exact,
    minimum_detectable_drop,
    paired_difference,
    worst_of_k,
)
from perturb.robustness.consistency import consistency_rate
from perturb.robustness.dispersion import (
    Ranked,
    coefficient_of_variation,
    eps_gamma,
    eps_gamma_curve,
    index_of_dispersion,
    rank_systems,
    variance,
)
from perturb.robustness.effect_size import (
    cohens_d,
    cohens_h,
    interpret_cohens_d,
    interpret_cohens_h,
    performance_drop_rate,
)
from perturb.robustness.explain import Explanation, minimal_edits
from perturb.robustness.flips import MetricFlip, RobustnessProblem, flips, metric_flip
from perturb.robustness.numeric import robustness_score
from perturb.robustness.perturbed_dataset import create_perturbed_dataset
from perturb.robustness.scorer import RobustnessScorer
from perturb.robustness.summarize import summarize_robustness
from perturb.robustness.worst_case import Worst, search

if TYPE_CHECKING:
    from perturb.experiment.evaluate import IncompleteError, evaluate

__all__ = [
    "Bagging",
    "Dispersion",
    "Estimate",
    "Explanation",
    "IncompleteError",
    "MetricFlip",
    "Ranked",
    "RobustnessProblem",
    "RobustnessScorer",
    "Worst",
    "bagging",
    "benjamini_hochberg",
    "cluster_bootstrap",
    "clustered_mean",
    "coefficient_of_variation",
    "cohens_d",
    "cohens_h",
    "consistency_rate",
    "create_perturbed_dataset",
    "eps_gamma",
    "eps_gamma_curve",
    "evaluate",
    "flips",
    "index_of_dispersion",
    "interpret_cohens_d",
    "interpret_cohens_h",
    "leave_one_out",
    "mcnemar_exact",
    "metric_flip",
    "minimal_edits",
    "minimum_detectable_drop",
    "paired_difference",
    "performance_drop_rate",
    "rank_systems",
    "robustness_score",
    "search",
    "summarize_robustness",
    "variance",
    "worst_of_k",
]


def __getattr__(name: str) -> Any:
    if name not in ("IncompleteError", "evaluate"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from perturb.experiment import evaluate

    return getattr(evaluate, name)
