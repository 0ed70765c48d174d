"""A transformer of scikit-learn, for pipelines and for searches over strengths."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sklearn.base import BaseEstimator, TransformerMixin

from perturb.api import Steps, apply

__all__ = ["TextPerturber"]


class TextPerturber(TransformerMixin, BaseEstimator):  # type: ignore[misc, unused-ignore]
    """Perturb texts, in training, in prediction or in both.

    Each text is its own id, so its versions depend neither on other texts nor on its fold.

    Args:
        steps: see `perturb.apply`.
        p: see `perturb.apply`.
        seed: see `perturb.apply`.
        when: "fit" perturbs the texts that later steps are fitted on, "predict" those they predict,
            "always" both.

    Examples:
        >>> TextPerturber("char_swap", p=0.2).fit_transform(["How many eggs?"])
        ['Hwo many eggs?']
    """

    def __init__(
        self,
        steps: Steps = "keyboard_typos",
        p: float | None = None,
        *,
        seed: int = 0,
        when: str = "always",
    ) -> None:
        self.steps = steps
        self.p = p
        self.seed = seed
        self.when = when

    def fit(self, X: Iterable[str], y: Any = None) -> TextPerturber:  # noqa: ARG002, N803
        """Check the arguments; there is nothing to learn."""
        if self.when not in ("fit", "predict", "always"):
            raise ValueError(f"when must be 'fit', 'predict' or 'always'; got {self.when!r}")
        self._perturbed([])
        self.is_fitted_ = True
        return self

    def transform(self, X: Iterable[str]) -> list[str]:  # noqa: N803
        """Return the texts for prediction."""
        return list(X) if self.when == "fit" else self._perturbed(X)

    def fit_transform(self, X: Iterable[str], y: Any = None, **_: Any) -> list[str]:  # noqa: N803
        """Return the texts for fitting."""
        self.fit(X, y)
        return list(X) if self.when == "predict" else self._perturbed(X)

    def _perturbed(self, texts: Any) -> list[str]:
        return [record.text for record in apply(texts, self.steps, self.p, seed=self.seed)]

    def __sklearn_is_fitted__(self) -> bool:
        return True
