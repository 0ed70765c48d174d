"""HTML entities for characters, and back."""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.substitution import substitutions
from perturb.engine.text.characters import Alternatives
from perturb.engine.text.strings import column
from perturb.registry.definition import PLACES
from perturb.registry.registry import perturbator
from perturb.resources import read_rows
from perturb.values.arrays import Int64


@perturbator(
    "html_entities",
    unit="place",
    summary="Write HTML entities for characters, or characters for HTML entities.",
    label_risk="none",
    touches={"digits", "punctuation", "space"},
    source="text that was escaped once too often, or once too rarely",
    intensities=PLACES,
    example='Tom & Jerry: "3 < 5" &amp; 5 &gt; 3 – © Ann',
)
def html_entities(batch: Batch, *, direction: Literal["escape", "unescape"] = "escape") -> Sites:
    """Leak HTML entities into text; `p` is a share of what can be escaped, or of the entities.

    Args:
        batch: the texts.
        direction: "escape" writes the entities of quotes, dashes, & < > and other signs, but not of
            letters; "unescape" writes the characters.
    """
    if direction == "escape":
        return substitutions(batch, _escapes(), unit="place")
    starts, ends, rows = _found(batch)
    characters = column(_entities())
    return Sites(
        starts,
        ends,
        "place",
        lambda chosen: characters.take(rows[chosen.rows]),
    )


def _found(batch: Batch) -> tuple[Int64, Int64, Int64]:
    """Return the start, the end and the row in the table of each entity."""
    codes, at = batch.codes, np.flatnonzero(batch.codes == ord("&"))
    lengths, rows = np.zeros(len(at), np.int64), np.zeros(len(at), np.int64)
    for row, names in enumerate(_entities().values()):
        for name in names:
            same = np.ones(len(at), np.bool_)
            for place, letter in enumerate(name):
                same &= codes[np.minimum(at + place, len(codes) - 1)] == ord(letter)
            lengths[same], rows[same] = len(name), row
    found = lengths > 0
    return at[found], (at + lengths)[found], rows[found]


@cache
def _escapes() -> Alternatives:
    return Alternatives({character: names[:1] for character, names in _entities().items()})


@cache
def _entities() -> dict[str, list[str]]:
    rows = read_rows("languages", "html_entities.tsv")
    return {chr(int(code, 16)): names.split(" ") for code, names in rows}
