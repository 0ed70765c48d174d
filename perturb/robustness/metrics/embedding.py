"""Semantic similarity: the cosine of two texts' embeddings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from perturb.values.arrays import Float64

Embed = Callable[[list[str]], ArrayLike]

_DEFAULT_MODEL = "all-MiniLM-L6-v2"


def default_embedder(model: str | None = None) -> Embed:
    """Load a model through sentence-transformers; by default all-MiniLM-L6-v2.

    Raises:
        ImportError: sentence-transformers is not installed.
    """
    model = model or _DEFAULT_MODEL
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        raise ImportError(
            f"semantic similarity embeds texts with {model} through sentence-transformers, which "
            "is not installed: pip install sentence-transformers, or give your own embed function"
        ) from None
    encode: Embed = SentenceTransformer(model).encode
    return encode


def cosine_similarities(embed: Embed, left: Sequence[str], right: Sequence[str]) -> Float64:
    """Return the cosine of the embeddings of each pair of texts, in [-1, 1].

    Args:
        embed: takes n texts, returns an array of shape (n, dimensions).
        left: n texts.
        right: n texts.

    Raises:
        ValueError: `embed` returns another shape, a value that is not finite, or only zeros for a
            text.

    Examples:
        >>> embed = lambda texts: [[text.count("a"), text.count("b")] for text in texts]
        >>> cosine_similarities(embed, ["aab", "b"], ["ba", "aa"]).round(3).tolist()
        [0.949, 0.0]
    """
    texts = [*left, *right]
    vectors = np.asarray(embed(texts), np.float64)
    if vectors.ndim != 2 or len(vectors) != len(texts):
        raise ValueError(
            f"embed must return one row per text, {len(texts)}; it returned shape {vectors.shape}"
        )
    lengths = np.linalg.norm(vectors, axis=1)
    bad = np.flatnonzero(~np.isfinite(lengths) | (lengths == 0))
    if bad.size:
        raise ValueError(f"the embedding of {texts[bad[0]]!r} has no direction: {vectors[bad[0]]}")
    units = vectors / lengths[:, None]
    cosines = np.einsum("ij,ij->i", units[: len(left)], units[len(left) :])
    return np.asarray(np.clip(cosines, -1.0, 1.0))
