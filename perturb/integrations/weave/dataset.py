"""A data set of texts with perturbed versions of each, as W&B Weave's scorer takes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from perturb.api import apply
from perturb.records.record import Record
from perturb.rng import hash32, key64, uniform

_NAMES = tuple(
    f"weave.{name}"
    for name in (
        *("random_case_change", "remove_punctuation", "butterfingers", "add_whitespace"),
        *("swap_chars", "emphasize_words", "split_merge_words", "text_noise"),
        "random_capitalization",
    )
)
_AGAIN = 0.8
_ATTEMPTS = 5
_FAR = 1 << 20


def create_perturbed_dataset(
    texts: Sequence[str], num_perturbations: int = 7, seed: int = 0, *, records: bool = False
) -> list[dict[str, Any]]:
    """Make versions of texts, each by one of Weave's nine functions.

    A function has the weight 1, and 0.8 of what it had after each version of a text that it made.
    Where one leaves the text as it is, or makes a version that is there already, the next that is
    drawn takes its place. Only where none of them finds a new one, as for an empty or very short
    text, do versions repeat. What comes out for a text depends on the seed and the text alone.

    Args:
        texts: the originals.
        num_perturbations: how many versions of each, at least 0.
        seed: any integer.
        records: also give each version's record, as a row of `perturb.read_records`.

    Returns:
        For each text `{"questions": [original, version, ...]}`, and with `records` the `records` of
        its versions.

    Raises:
        TypeError: `texts` is one string, or holds something else than strings.
        ValueError: a negative number of versions.

    Source: W&B Weave, `create_perturbed_dataset`; the functions are the drop-in names `weave.*`.

    Examples:
        >>> create_perturbed_dataset(["Who wrote Emma?"], num_perturbations=2)
        [{'questions': ['Who wrote Emma?', 'Who WROTE Emma?', 'Who wrote mEma?']}]
    """
    if isinstance(texts, str):
        raise TypeError(f"expected a list of texts; got the one text {texts!r}")
    if num_perturbations < 0:
        raise ValueError(f"num_perturbations must be at least 0; got {num_perturbations}")
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"texts[{place}] must be a string; got {text!r}")
    rows: list[dict[str, Any]] = []
    for text in texts:
        versions = _versions(text, num_perturbations, seed)
        row = {"questions": [text, *(version.text for version in versions)]}
        more = {"records": [version.to_dict() for version in versions]} if records else {}
        rows.append({**row, **more})
    return rows


def _versions(text: str, count: int, seed: int) -> list[Record]:
    """Return the records of the versions of a text."""
    key = np.array([key64("create_perturbed_dataset", seed, text)], np.uint64)
    weights = np.ones(len(_NAMES))
    versions: list[Record] = []
    for replicate in range(count):
        places = np.arange(len(_NAMES)) + replicate * len(_NAMES)
        # Drawn without replacement, by weight: the first is each with its share of the weights.
        waits = -np.log1p(-uniform(hash32(key, places))) / weights
        order = np.argsort(waits).tolist()
        earlier = {text, *(version.text for version in versions)}
        version, place = _new_version(text, order, seed, replicate, earlier)
        weights[place] *= _AGAIN
        versions.append(version)
    return versions


def _new_version(
    text: str, order: list[int], seed: int, replicate: int, earlier: set[str]
) -> tuple[Record, int]:
    """Return the first version that is not there yet, and the function that made it.

    Each function is tried a few times; where all fail, the version is the first that differs from
    the text, or the text itself.
    """
    other: tuple[Record, int] | None = None
    for attempt in range(_ATTEMPTS):
        for place in order:
            # Far from the numbers of other versions, so that no two are drawn alike.
            again = replicate + attempt * _FAR
            record = apply(text, _NAMES[place], seed=seed, replicate=again)
            if record.text not in earlier:
                return record, place
            if other is None or (other[0].text == text != record.text):
                other = record, place
        if other is not None and other[0].text == text:
            break  # nothing changes this text
    assert other is not None
    return other
