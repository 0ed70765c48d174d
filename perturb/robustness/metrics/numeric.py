"""Robustness of a numeric predictor to Gaussian noise on its features."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from perturb.rng import key64
from perturb.robustness.metrics.sampling import normals
from perturb.values.arrays import Float64


def robustness_score(
    predict_fn: Callable[[Float64], ArrayLike],
    X: ArrayLike,  # noqa: N803  the field's name for a feature matrix
    noise_level: float = 0.05,
    n_rep: int = 10,
    seed: int = 0,
    noise: ArrayLike | None = None,
) -> float:
    """Return how little predictions change under noise: the mean of `1 - MSE / var`, in [0, 1].

    Each repetition adds `noise_level * sd_j * N(0, 1)` to column j and scores
    `clip(1 - mean((f(X') - f(X))**2) / var(f(X)), 0, 1)`. Standard deviations and the variance are
    the sample's (ddof 1). Where the predictions on `X` are all equal the variance is 0: a
    repetition then scores 1 if the noise changes no prediction, else 0.

    Args:
        predict_fn: takes a matrix like `X`, returns one number a row.
        X: features, shape (rows, columns), at least two rows, no missing values.
        noise_level: share of each column's standard deviation, above 0.
        n_rep: number of repetitions, at least 1.
        seed: any integer; the noise is a function of it and of the shape.
        noise: standard normal draws to use instead, shape (n_rep, rows, columns).

    Returns:
        1 where noise changes no prediction, near 0 where it dominates them.

    Raises:
        ValueError: an argument is out of range, or `predict_fn` returns another number of
            predictions than rows or a value that is not finite.

    Source: `robustness_score` of the R package TrustworthyMLR, its reference page.

    Examples:
        >>> X = np.arange(12.0).reshape(4, 3)
        >>> robustness_score(lambda rows: np.full(len(rows), 5.0), X)
        1.0
        >>> 0.99 < robustness_score(lambda rows: rows @ [1, 2, 3], X) < 1
        True
    """
    features = _features(X)
    if not (np.isfinite(noise_level) and noise_level > 0):
        raise ValueError(f"noise_level must be a number above 0, got {noise_level!r}")
    if n_rep < 1:
        raise ValueError(f"n_rep must be at least 1, got {n_rep!r}")
    baseline = _predict(predict_fn, features)
    scale = noise_level * features.std(axis=0, ddof=1)
    scores = [
        _score(baseline, _predict(predict_fn, features + draws * scale))
        for draws in _draws(noise, seed, (n_rep, *features.shape))
    ]
    return float(np.mean(scores))


def _features(matrix: ArrayLike) -> Float64:
    features = np.asarray(matrix, np.float64)
    if features.ndim != 2 or features.shape[0] < 2 or features.shape[1] < 1:
        raise ValueError(
            f"X must have the shape (rows, columns) with at least two rows, got {features.shape}"
        )
    bad = np.argwhere(~np.isfinite(features))
    if len(bad):
        row, column = bad[0]
        raise ValueError(f"X[{row}, {column}] is {features[row, column]}: no value may be missing")
    return features


def _draws(noise: ArrayLike | None, seed: int, shape: tuple[int, ...]) -> Any:
    if noise is None:
        keys = (key64("robustness_score", seed, repetition) for repetition in range(shape[0]))
        return (normals(key, shape[1] * shape[2]).reshape(shape[1:]) for key in keys)
    draws = np.asarray(noise, np.float64)
    if draws.shape != shape:
        raise ValueError(
            f"noise must have the shape (n_rep, rows, columns) = {shape}, got {draws.shape}"
        )
    return draws


def _predict(predict_fn: Callable[[Float64], ArrayLike], features: Float64) -> Float64:
    predictions = np.asarray(predict_fn(features), np.float64)
    if predictions.size != len(features):
        raise ValueError(
            f"predict_fn must return one number a row, got shape {predictions.shape} "
            f"for {len(features)} rows"
        )
    if not np.isfinite(predictions).all():
        raise ValueError("predict_fn returned a prediction that is not a finite number")
    return predictions.ravel()


def _score(baseline: Float64, perturbed: Float64) -> float:
    error = float(np.mean((perturbed - baseline) ** 2))
    if (baseline == baseline[0]).all():
        return float(error == 0.0)
    return float(np.clip(1 - error / baseline.var(ddof=1), 0.0, 1.0))
