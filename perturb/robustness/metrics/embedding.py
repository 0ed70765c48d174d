"""Semantic similarity: the cosine of two texts' embeddings."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from perturb.errors import UsageError
from perturb.values.arrays import Float64

Embed = Callable[[list[str]], ArrayLike]

# The default of Weave's scorer, so that both measure the same similarity.
_DEFAULT_MODEL = "all-MiniLM-L6-v2"
# What a model of sentence-transformers always has in its folder.
_MARK = "modules.json"
# A name without its owner is one of theirs.
_OWNER = "sentence-transformers"
# Of one question to the Hub: without it, a Hub that couldn't be reached cost 136 s.
_SECONDS = 10
_loaded: dict[str, Embed | Exception] = {}
_loading = Lock()


def embedder(model: Any = None) -> Embed:
    """Return what embeds texts by a model, which is loaded once, whoever asks for it.

    Args:
        model: a function that takes n texts and returns an array of shape (n, dimensions), an
            object with such a method `encode`, or a model of sentence-transformers: its folder, the
            name of an installed package that holds it, or its name on the Hub. By default
            all-MiniLM-L6-v2.

    Raises:
        UsageError: there is no such model here, and it can't be downloaded.
        ImportError: sentence-transformers is needed and not installed.

    Examples:
        >>> embedder(lambda texts: [[len(text), 1] for text in texts])(["a", "bc"])
        [[1, 1], [2, 1]]
    """
    encode = getattr(model, "encode", None) if not isinstance(model, str) else None
    if callable(encode) or callable(model):
        return encode if callable(encode) else model  # type: ignore[no-any-return]
    if not isinstance(model, str | Path | None):
        raise UsageError(
            "a model is a function of texts, an object with encode(), a path or a name; got "
            f"{type(model).__name__}"
        )
    name = str(model or _DEFAULT_MODEL)
    with _loading:
        if name not in _loaded:
            try:
                _loaded[name] = _load(name)
            except (ImportError, UsageError) as error:  # all who ask get it, and nobody waits again
                _loaded[name] = error
    loaded = _loaded[name]
    if isinstance(loaded, Exception):
        raise loaded
    return loaded


def _load(name: str) -> Embed:
    """Load a model of a folder, a package, the cache of downloads, or the Hub."""
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        raise ImportError(
            f"semantic similarity embeds texts with {name} through sentence-transformers, which "
            "is not installed: pip install sentence-transformers, or give your own embed function"
        ) from None
    folder = _folder(name)
    try:
        model = SentenceTransformer(folder or name, local_files_only=True)
    except (OSError, ValueError) as error:
        if folder is not None:
            raise UsageError(f"{folder} holds no model of sentence-transformers: {error}") from None
        _check_reachable(name)
        model = SentenceTransformer(name)
    encode: Embed = model.encode
    return encode


def _folder(name: str) -> str | None:
    """Return the folder of a model: the path itself, or where an installed package has it."""
    if Path(name).is_dir():
        return name
    module = name.replace("-", "_")
    spec = importlib.util.find_spec(module) if module.isidentifier() else None
    places = (spec.submodule_search_locations if spec else None) or ()
    marks = (mark for place in places for mark in sorted(Path(place).rglob(_MARK)))
    return next((str(mark.parent) for mark in marks), None)


def _check_reachable(name: str) -> None:
    """Ask the Hub once for a model: a download asks for minutes before it gives up.

    Raises:
        UsageError: it doesn't answer, or has none of this name.
    """
    from huggingface_hub import model_info

    try:
        model_info(name if "/" in name else f"{_OWNER}/{name}", timeout=_SECONDS)
    except Exception as error:  # of whichever of its libraries can't reach it
        raise UsageError(
            f"there is no embedding model {name!r}: it is no folder, no installed package, not "
            f"among those downloaded before, and the Hub says {type(error).__name__}: name its "
            "folder (--match embedding:FOLDER, embed= in Python), or download it where there is a "
            "network"
        ) from None


def cosine_similarities(embed: Embed, left: Sequence[str], right: Sequence[str]) -> Float64:
    """Return the cosine of the embeddings of each pair of texts, in [-1, 1].

    Args:
        embed: takes n texts, returns an array of shape (n, dimensions). It gets each text once, so
            that equal ones have a cosine of exactly 1.
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
    # Each text once: the embeddings of a model depend on the other texts of their batch.
    places = {text: place for place, text in enumerate(dict.fromkeys([*left, *right]))}
    vectors = np.asarray(embed([*places]), np.float64)
    if vectors.ndim != 2 or len(vectors) != len(places):
        raise ValueError(
            f"embed must return one row per text, {len(places)}; it returned shape {vectors.shape}"
        )
    lengths = np.linalg.norm(vectors, axis=1)
    bad = np.flatnonzero(~np.isfinite(lengths) | (lengths == 0))
    if bad.size:
        text = [*places][bad[0]]
        raise ValueError(f"the embedding of {text!r} has no direction: {vectors[bad[0]]}")
    units = vectors / lengths[:, None]
    one, other = ([places[text] for text in texts] for texts in (left, right))
    cosines = np.clip(np.einsum("ij,ij->i", units[one], units[other]), -1.0, 1.0)
    return np.where(np.equal(one, other), 1.0, cosines)
