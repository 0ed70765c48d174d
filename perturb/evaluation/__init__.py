"""Ask a system about rows, explain its answers, and search for the texts that break it."""

from perturb.evaluation.evaluate import IncompleteError, InterruptedEvaluation, evaluate
from perturb.evaluation.robust_eval import robust_eval
from perturb.evaluation.search.minimal_edits import Explanation, minimal_edits
from perturb.evaluation.search.worst_case import Worst, worst_case
from perturb.evaluation.stopping import decided

__all__ = [
    "Explanation",
    "IncompleteError",
    "InterruptedEvaluation",
    "Worst",
    "decided",
    "evaluate",
    "minimal_edits",
    "robust_eval",
    "worst_case",
]
