"""Score the robustness of one question's outputs: the original's against the perturbed ones'."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from perturb.robustness.metrics.effect_size import (
    cohens_d,
    cohens_h,
    interpret_cohens_d,
    interpret_cohens_h,
)
from perturb.robustness.metrics.embedding import (
    DEFAULT_MODEL,
    Embed,
    cosine_similarities,
    default_embedder,
)
from perturb.values.arrays import Float64


@dataclass(eq=False)
class RobustnessScorer:
    """Score how much a system's outputs change when its input is perturbed.

    With `use_exact_match` outputs are compared by `str(a) == str(b)` and the change is Cohen's h,
    |h| / pi in [0, 1]. Otherwise outputs are compared by the cosine of their embeddings and the
    change is Cohen's d, |d| in [0, inf], with its sign.

    Without ground truths the output for the original is the reference and its own score is 1.0.

    Args:
        use_exact_match: compare by equality instead of by meaning.
        use_ground_truths: compare each output with its ground truth.
        return_interpretation: add the rule of thumb in words.
        sd_floor: as for `cohens_d`.
        embed: takes a list of n texts and returns an array of shape (n, dimensions); or the name
            of a model of sentence-transformers. By default all-MiniLM-L6-v2. A model is loaded
            when first needed.

    Source: "AI guardrails: Robustness scorers" (Weights & Biases).

    Examples:
        >>> scorer = RobustnessScorer(use_exact_match=True, return_interpretation=True)
        >>> scorer.score(["Paris", "Paris", "Lyon", "Paris"])["interpretation"]
        'Huge effect'
    """

    use_exact_match: bool = False
    use_ground_truths: bool = False
    return_interpretation: bool = False
    sd_floor: float = 0.0
    embed: Embed | str | None = None

    def score(
        self, output: Sequence[Any], ground_truths: Sequence[Any] | None = None
    ) -> dict[str, Any]:
        """Score the outputs for one question.

        Args:
            output: the output for the original, then at least one for a perturbed input (at least
                two without `use_exact_match`).
            ground_truths: one for each output; ignored without `use_ground_truths`, since an
                evaluation hands over every column.

        Returns:
            `cohen_h`, or `cohen_d` and `cohen_d_sign` ("positive": perturbing lowers the score;
            "negative": it raises it; "zero": neither); `score(original)`; `score(perturbed)`, the
            mean; and `interpretation` if asked for.

        Raises:
            ValueError: too few outputs, or ground truths missing or of another number.
            ImportError: an embedder is needed and none is installed.
        """
        references = self._references(output, ground_truths)
        scores = self._similarities([str(item) for item in output], references)
        if not self.use_ground_truths:
            scores[0] = 1.0  # exactly, whatever the rounding of a cosine with itself
        original, perturbed = float(scores[0]), scores[1:]
        report = self._effect(original, perturbed)
        report["score(original)"] = original
        report["score(perturbed)"] = float(perturbed.mean())
        if self.return_interpretation:
            report["interpretation"] = (
                interpret_cohens_h(report["cohen_h"])
                if self.use_exact_match
                else interpret_cohens_d(report["cohen_d"])
            )
        return report

    def _references(self, output: Sequence[Any], ground_truths: Sequence[Any] | None) -> list[str]:
        if isinstance(output, str) or len(output) < 2:
            raise ValueError(
                f"output must list the original's output and at least one more, got {output!r}"
            )
        if not self.use_ground_truths:
            return [str(output[0])] * len(output)
        if ground_truths is None:
            raise ValueError("use_ground_truths is set: give ground_truths, one for each output")
        if isinstance(ground_truths, str) or len(ground_truths) != len(output):
            raise ValueError(
                f"{len(output)} outputs need {len(output)} ground_truths in a list, "
                f"got {ground_truths!r}"
            )
        return [str(item) for item in ground_truths]

    def _similarities(self, output: list[str], references: list[str]) -> Float64:
        if self.use_exact_match:
            return np.array([float(a == b) for a, b in zip(output, references, strict=True)])
        if self.embed is None or isinstance(self.embed, str):
            self.embed = default_embedder(self.embed or DEFAULT_MODEL)
        return cosine_similarities(self.embed, output, references)

    def _effect(self, original: float, perturbed: Float64) -> dict[str, Any]:
        if self.use_exact_match:
            return {"cohen_h": abs(cohens_h(original, perturbed)) / math.pi}
        d = cohens_d(original, perturbed, self.sd_floor)
        sign = "positive" if d > 0 else "negative" if d < 0 else "zero"
        return {"cohen_d": abs(d), "cohen_d_sign": sign}
