"""A data set of texts with perturbed versions of each, as W&B Weave's scorer takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from perturb.rng import hash32, key64, uniform

if TYPE_CHECKING:
    from collections.abc import Sequence

_NAMES = tuple(
    f"weave.{name}"
    for name in (
        *("random_case_change", "remove_punctuation", "butterfingers", "add_whitespace"),
        *("swap_chars", "emphasize_words", "split_merge_words", "text_noise"),
        "random_capitalization",
    )
)
_AGAIN = 0.8


def create_perturbed_dataset(
    texts: Sequence[str], num_perturbations: int = 7, seed: int = 0
) -> list[dict[str, list[str]]]:
    """Make versions of texts, each by one of Weave's nine functions.

    A function has the weight 1, and 0.8 of what it had after each version of a text that it made.
    Where one leaves the text as it is, the next that is drawn takes its place; only a text that
    none of them can change, such as an empty one, has versions equal to it. What comes out for a
    text depends on the seed and the text alone.

    Args:
        texts: the originals.
        num_perturbations: how many versions of each, at least 0.
        seed: any integer.

    Returns:
        For each text `{"questions": [original, version, ...]}`.

    Raises:
        TypeError: `texts` is one string, or holds something else than strings.
        ValueError: a negative number of versions.

    Source: W&B Weave, `create_perturbed_dataset`; the functions are the drop-in names `weave.*`.

    Examples:
        >>> create_perturbed_dataset(["Who wrote Emma?"], num_perturbations=2)
        [{'questions': ['Who wrote Emma?', 'Who WROTE Emma?', 'Who wrote mEma?']}]
    """
    if isinstance(texts, str):
        raise TypeError(f"a list of texts is wanted; got the one text {texts!r}")
    if num_perturbations < 0:
        raise ValueError(f"num_perturbations must be at least 0; got {num_perturbations}")
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"texts[{place}] must be a string; got {text!r}")
    return [{"questions": [text, *_versions(text, num_perturbations, seed)]} for text in texts]


def _versions(text: str, wanted: int, seed: int) -> list[str]:
    """The versions of a text."""
    key = np.array([key64("create_perturbed_dataset", seed, text)], np.uint64)
    weights = np.ones(len(_NAMES))
    made = []
    for replicate in range(wanted):
        places = np.arange(len(_NAMES)) + replicate * len(_NAMES)
        # Drawn without replacement, by weight: the first is each with its share of the weights.
        waits = -np.log1p(-uniform(hash32(key, places))) / weights
        version, by = _first_change(text, np.argsort(waits).tolist(), seed, replicate)
        weights[by] *= _AGAIN
        made.append(version)
    return made


def _first_change(text: str, order: list[int], seed: int, replicate: int) -> tuple[str, int]:
    """What the first function that changes a text makes of it, and which it is."""
    from perturb.api import apply

    for place in order:
        version = apply(text, _NAMES[place], seed=seed, replicate=replicate).text
        if version != text:
            return version, place
    return text, order[0]
