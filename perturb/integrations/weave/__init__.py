"""Robustness evaluation under the names and in the shapes of W&B Weave; Weave isn't needed."""

from perturb.integrations.weave.dataset import create_perturbed_dataset
from perturb.integrations.weave.differences import ModelComparison, ModelDifference
from perturb.integrations.weave.evaluation import Evaluation
from perturb.integrations.weave.scored_row import ScoredRow
from perturb.integrations.weave.scorer import RobustnessScorer

__all__ = [
    "Evaluation",
    "ModelComparison",
    "ModelDifference",
    "RobustnessScorer",
    "ScoredRow",
    "create_perturbed_dataset",
]
