from perturb.robustness.grading.plan import OfCorpus as OfCorpus
from perturb.robustness.metrics.bagging import Bagging as Bagging
from perturb.robustness.metrics.bagging import Blocks as Blocks
from perturb.robustness.metrics.bagging import Dispersion as Dispersion
from perturb.robustness.metrics.bagging import bagging as bagging
from perturb.robustness.metrics.bagging import dispersion as dispersion
from perturb.robustness.metrics.bagging import leave_one_out as leave_one_out
from perturb.robustness.metrics.bounded import Interval as Interval
from perturb.robustness.metrics.bounded import bounded_interval as bounded_interval
from perturb.robustness.metrics.bounded import bounded_test as bounded_test
from perturb.robustness.metrics.consistency import consistency_rate as consistency_rate
from perturb.robustness.metrics.dispersion import RankedSystem as RankedSystem
from perturb.robustness.metrics.dispersion import (
    coefficient_of_variation as coefficient_of_variation,
)
from perturb.robustness.metrics.dispersion import eps_gamma as eps_gamma
from perturb.robustness.metrics.dispersion import eps_gamma_curve as eps_gamma_curve
from perturb.robustness.metrics.dispersion import index_of_dispersion as index_of_dispersion
from perturb.robustness.metrics.dispersion import pairwise_agreement as pairwise_agreement
from perturb.robustness.metrics.dispersion import rank_systems as rank_systems
from perturb.robustness.metrics.dispersion import relative_eps as relative_eps
from perturb.robustness.metrics.dispersion import variance as variance
from perturb.robustness.metrics.effect_size import cohens_d as cohens_d
from perturb.robustness.metrics.effect_size import cohens_h as cohens_h
from perturb.robustness.metrics.effect_size import interpret_cohens_d as interpret_cohens_d
from perturb.robustness.metrics.effect_size import interpret_cohens_h as interpret_cohens_h
from perturb.robustness.metrics.effect_size import (
    performance_drop_rate as performance_drop_rate,
)
from perturb.robustness.metrics.inference import Estimate as Estimate
from perturb.robustness.metrics.inference import benjamini_hochberg as benjamini_hochberg
from perturb.robustness.metrics.inference import cluster_bootstrap as cluster_bootstrap
from perturb.robustness.metrics.inference import clustered_mean as clustered_mean
from perturb.robustness.metrics.inference import (
    minimum_detectable_drop as minimum_detectable_drop,
)
from perturb.robustness.metrics.inference import paired_difference as paired_difference
from perturb.robustness.metrics.inference import worst_of_k as worst_of_k
from perturb.robustness.metrics.numeric import robustness_score as robustness_score
from perturb.robustness.scoring.contrast import Contrasts as Contrasts
from perturb.robustness.scoring.findings import Contrast as Contrast
from perturb.robustness.scoring.findings import Finding as Finding
from perturb.robustness.scoring.flips import RobustnessProblem as RobustnessProblem
from perturb.robustness.scoring.flips import flips as flips
from perturb.robustness.scoring.metric import MetricFlip as MetricFlip
from perturb.robustness.scoring.metric import metric_flip as metric_flip
from perturb.robustness.scoring.power import Power as Power
from perturb.robustness.scoring.power import power as power
from perturb.robustness.scoring.score import score as score
from perturb.robustness.scoring.standings import Standing as Standing
from perturb.robustness.scoring.standings import Standings as Standings
from perturb.robustness.scoring.standings import compare as compare
from perturb.robustness.scoring.summarize import summarize_robustness as summarize_robustness
from perturb.robustness.scoring.tolerance import tolerance as tolerance
from perturb.robustness.scoring.tolerances import Rung as Rung
from perturb.robustness.scoring.tolerances import Tolerance as Tolerance
from perturb.robustness.scoring.tolerances import Tolerances as Tolerances
from perturb.robustness.scoring.trend import Change as Change
from perturb.robustness.scoring.verdict import Verdict as Verdict
