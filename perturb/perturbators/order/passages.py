"""Whole passages: pasted twice, or cut off."""

from __future__ import annotations

from typing import Literal

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Chosen, OrderedSites, Sites
from perturb.engine.text import scripts
from perturb.engine.text.characters import blank
from perturb.engine.text.sentences import line_ends
from perturb.engine.text.strings import Strings, concatenate, optional, repeated, stack
from perturb.registry.definition import WORDS
from perturb.registry.registry import perturbator
from perturb.values.arrays import Int64


@perturbator(
    "truncate",
    unit="word",
    summary="Cut off the end of a text, or its beginning.",
    label_risk="high",
    touches={"words", "digits", "punctuation", "space", "meaning"},
    source="what a limit on the length of an input does",
    intensities=WORDS,
)
def truncate(
    batch: Batch,
    *,
    where: Literal["start", "end"] = "end",
    unit: Literal["word", "character"] = "word",
) -> Sites:
    """Cut words or characters off; `p` is the share that goes.

    Each is an edit of its own, made one after another from the end that is cut: so what is cut at
    a smaller `p` is also cut at a larger one. A word is cut together with the space or punctuation
    that separates it from the words that stay. Protected text stays, and the cut goes on beyond it.

    Args:
        batch: the texts.
        where: which end of the text goes, "start" or "end".
        unit: what is counted, "word" or "character".
    """
    pieces = batch.words if unit == "word" else batch.characters
    counts = batch.count(pieces.starts)
    left = np.cumsum(counts) - counts
    place = np.arange(len(pieces)) - left.repeat(counts)
    size = counts.repeat(counts)
    turn = place if where == "start" else size - 1 - place
    ranks = ((turn << 32) // size).astype(np.uint32)
    spans = _with_gaps(batch, pieces, counts, where) if unit == "word" else pieces
    return OrderedSites(spans.starts, spans.ends, unit, ranks).keep(spans.lengths > 0)


def _with_gaps(batch: Batch, words: Strings, counts: Int64, where: str) -> Strings:
    """Return each word together with the gap between it and the word that is cut next."""
    starts, ends = words.starts.copy(), words.ends.copy()
    if where == "end":
        starts[1:] = words.ends[:-1]
    else:
        ends[:-1] = words.starts[1:]
    some = counts > 0
    last = np.cumsum(counts)[some]
    starts[last - counts[some]] = batch.texts.starts[some]
    ends[last - 1] = batch.texts.ends[some]
    if batch.boundaries is None:
        return Strings(batch.codes, starts, ends)
    # A word such as the 1 of a keycap may end within a cluster; it goes with the whole of that.
    edges = np.flatnonzero(batch.boundaries)
    starts, ends = (edges[np.searchsorted(edges, border)] for border in (starts, ends))
    return Strings(batch.codes, starts, ends)


@perturbator(
    "duplicate",
    unit="sentence",
    summary="Paste a sentence, a line or the text twice.",
    label_risk="low",
    touches={"words", "digits", "punctuation", "space"},
    source="what a slip in copying and pasting does",
    intensities=WORDS,
    example="The bus was late. We walked home. Ann sang.\nIt rained. Bob ran ahead.",
)
def duplicate(batch: Batch, *, unit: Literal["sentence", "line", "text"] = "sentence") -> Sites:
    """Repeat passages behind themselves; blank ones are no site.

    Args:
        batch: the texts.
        unit: the passage, and what `p` is a share of. A sentence is repeated behind a space, or
            without one in Chinese and Japanese; a line or text on a line of its own.
    """
    passages: Strings = getattr(batch, f"{unit}s")
    passages = passages.take(
        np.flatnonzero(blank().past(batch.codes, passages.starts) < passages.ends)
    )

    def again(chosen: Chosen) -> Strings:
        rows = chosen.rows
        mine = passages.take(rows)
        parted = _space(batch, mine) if unit == "sentence" else _line_end(batch, mine)
        return concatenate(parted, mine)

    return Sites(passages.ends, passages.ends, unit, again)


def _space(batch: Batch, sentences: Strings) -> Strings:
    """Return the separator between each sentence and its copy."""
    text = batch.text_of(sentences.starts)
    return optional(~scripts.solid(scripts.of_texts(batch)[text]), " ")


def _line_end(batch: Batch, passages: Strings) -> Strings:
    """Return the line end of each passage, or else of the line before, or else a line feed.

    It is empty where the passage itself ends with a line end.
    """
    codes = batch.codes
    starts, ends = (np.append(border, len(codes)) for border in line_ends(codes))
    row = np.searchsorted(starts, passages.ends)
    row -= starts[row] != passages.ends
    text = batch.text_of(passages.starts)
    known = (row >= 0) & (starts[row] >= batch.texts.starts[text])
    closed = known & (ends[row] == passages.ends)
    found = Strings(codes, starts[row], np.where(closed, starts[row], ends[row]))
    both = stack(found, repeated("\n", len(found)))
    return both.take(np.arange(len(found)) + np.where(known, 0, len(found)))
