"""Robustness evaluation under the names and in the shapes of W&B Weave; Weave isn't needed."""

from perturb.integrations.weave.dataset import create_perturbed_dataset
from perturb.integrations.weave.evaluation import Evaluation, ScoredRow
from perturb.integrations.weave.scorer import RobustnessScorer

__all__ = ["Evaluation", "RobustnessScorer", "ScoredRow", "create_perturbed_dataset"]
