"""Robustness measures: from scores and linkage records to a verdict."""

from perturb.robustness.metrics.bagging import (
    Bagging,
    Blocks,
    Dispersion,
    bagging,
    dispersion,
    leave_one_out,
)
from perturb.robustness.metrics.consistency import consistency_rate
from perturb.robustness.metrics.dispersion import (
    RankedSystem,
    coefficient_of_variation,
    eps_gamma,
    eps_gamma_curve,
    index_of_dispersion,
    pairwise_agreement,
    rank_systems,
    relative_eps,
    variance,
)
from perturb.robustness.metrics.effect_size import (
    cohens_d,
    cohens_h,
    interpret_cohens_d,
    interpret_cohens_h,
    performance_drop_rate,
)
from perturb.robustness.metrics.inference import (
    Estimate,
    benjamini_hochberg,
    cluster_bootstrap,
    clustered_mean,
    mcnemar_exact,
    minimum_detectable_drop,
    paired_difference,
    worst_of_k,
)
from perturb.robustness.metrics.numeric import robustness_score
from perturb.robustness.metrics.score_intervals import (
    Interval,
    agresti_coull_interval,
    tango_interval,
)
from perturb.robustness.metrics.sign_flip import sign_flip_test
from perturb.robustness.scoring.contrast import Contrasts, compare
from perturb.robustness.scoring.findings import Contrast, Finding
from perturb.robustness.scoring.flips import RobustnessProblem, flips
from perturb.robustness.scoring.metric import MetricFlip, metric_flip
from perturb.robustness.scoring.score import score
from perturb.robustness.scoring.summarize import summarize_robustness
from perturb.robustness.scoring.verdict import Verdict

__all__ = [
    "Bagging",
    "Blocks",
    "Contrast",
    "Contrasts",
    "Dispersion",
    "Estimate",
    "Finding",
    "Interval",
    "MetricFlip",
    "RankedSystem",
    "RobustnessProblem",
    "Verdict",
    "agresti_coull_interval",
    "bagging",
    "benjamini_hochberg",
    "cluster_bootstrap",
    "clustered_mean",
    "coefficient_of_variation",
    "cohens_d",
    "cohens_h",
    "compare",
    "consistency_rate",
    "dispersion",
    "eps_gamma",
    "eps_gamma_curve",
    "flips",
    "index_of_dispersion",
    "interpret_cohens_d",
    "interpret_cohens_h",
    "leave_one_out",
    "mcnemar_exact",
    "metric_flip",
    "minimum_detectable_drop",
    "paired_difference",
    "pairwise_agreement",
    "performance_drop_rate",
    "rank_systems",
    "relative_eps",
    "robustness_score",
    "score",
    "sign_flip_test",
    "summarize_robustness",
    "tango_interval",
    "variance",
    "worst_of_k",
]
