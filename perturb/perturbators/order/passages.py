"""Words and passages out of order, pasted twice, or cut off."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.places import marked_before
from perturb.engine.sites import Chosen, OrderedSites, Sites
from perturb.engine.text import scripts
from perturb.engine.text.characters import blank
from perturb.engine.text.sentences import line_ends
from perturb.engine.text.strings import (
    Strings,
    concatenate,
    optional,
    packed,
    ranges,
    repeated,
    same,
    stack,
)
from perturb.perturbators.declaration import own_perturbator, place_perturbator, word_perturbator
from perturb.registry.definition import WHOLE, WORDS, Range
from perturb.values.arrays import Int64

# One piece has no other order.
_Window = Annotated[int | None, Range(2)]
Edge = Literal["start", "end"]
Unit = Literal["word", "character"]


@word_perturbator(
    "truncate",
    version=2,
    touches={"words", "digits", "punctuation", "space", "meaning"},
    source="truncation to a limit on input length",
)
def truncate(batch: Batch, *, where: Edge = "end", unit: Unit = "word") -> Sites:
    """Cut off the end of a text, or its beginning.

    Cut off words or characters; `p` is the share that goes.

    Each is an edit of its own, starting from the cut end: so a cut at a smaller `p` is part of the
    cut at a larger one. A word goes with the space or punctuation between it and the words that
    stay. Protected text stays, and the cut goes on beyond it.

    Args:
        batch: the texts.
        where: which end of the text goes, "start" or "end".
        unit: the unit to count, "word" or "character".
    """
    pieces = batch.words if unit == "word" else batch.characters
    counts = batch.count(pieces.starts)
    place, size = ranges(np.zeros_like(counts), counts), counts.repeat(counts)
    turn = place if where == "start" else size - 1 - place
    ranks = ((turn.astype(np.int64) << 32) // size).astype(np.uint32)
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
    # A word such as the 1 of a keycap may end within a cluster; the whole cluster goes.
    edges = np.flatnonzero(batch.boundaries)
    starts, ends = (edges[np.searchsorted(edges, border)] for border in (starts, ends))
    return Strings(batch.codes, starts, ends)


@own_perturbator(
    "duplicate",
    unit="sentence",
    touches={"words", "digits", "punctuation", "space"},
    source="slips in copying and pasting",
    intensities=WORDS,
    example="The bus was late. We walked home. Ann sang.\nIt rained. Bob ran ahead.",
)
def duplicate(batch: Batch, *, unit: Literal["sentence", "line", "text"] = "sentence") -> Sites:
    """Paste a sentence, a line or the text twice.

    Blank ones are left alone.

    Args:
        batch: the texts.
        unit: the passage, and the unit of `p`. A sentence is repeated after a space, or without one
            in Chinese and Japanese; a line or text on a line of its own.
    """
    passages = batch.spans_of(unit)
    full = blank().past(batch.codes, passages.starts) < passages.ends
    passages = passages.take(np.flatnonzero(full))

    def again(chosen: Chosen) -> Strings:
        copies = passages.take(chosen.rows)
        if unit != "sentence":
            return concatenate(_line_end(batch, copies), copies)
        written = scripts.of_texts(batch)[batch.text_of(copies.starts)]
        return concatenate(optional(~scripts.solid(written), " "), copies)

    return Sites(passages.ends, passages.ends, unit, again)


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
    breaks = Strings(codes, starts[row], np.where(closed, starts[row], ends[row]))
    both = stack(breaks, repeated("\n", len(row)))
    return both.take(np.arange(len(row)) + np.where(known, 0, len(row)))


@place_perturbator(
    "word_shuffle",
    touches={"order"},
    source="T. M. Pham et al., Out of Order, Findings of ACL 2021",
)
def word_shuffle(batch: Batch, *, window: Annotated[int, Range(2)] = 3) -> Sites:
    """Put the words of a short window in another order.

    Shuffle words; `p` is a share of the windows.

    A window is a run of words of one sentence, counted from its start. Everything between the words
    stays in place. Labels move with their words, if it is sure where these are.

    Args:
        batch: the texts.
        window: the number of words in a window; a large one holds a whole sentence.
    """
    return _shuffled(batch, batch.words, batch.sentences.starts, window)


@place_perturbator(
    "sentence_shuffle",
    touches={"order"},
    source="D. Dhole et al., NL-Augmenter, 2021, sentence reordering",
    intensities=WHOLE,
    example="Ann had nine eggs. She ate two. She sold the rest at $2 each. What did she make?",
)
def sentence_shuffle(batch: Batch, *, window: _Window = None) -> Sites:
    """Put the sentences of a text, or of a window of it, in another order.

    Shuffle sentences; `p` is a share of the windows.

    Everything between the sentences stays in place. Labels move with their sentences, if it is sure
    where their text is.

    Args:
        batch: the texts.
        window: the number of sentences in a window, counted from the start of the text; without it
            the whole text is one window.
    """
    size = len(batch.codes) + 2 if window is None else window
    return _shuffled(batch, batch.sentences, batch.texts.starts, size)


def _shuffled(batch: Batch, pieces: Strings, borders: Int64, size: int) -> Sites:
    """Return a site at each window of `size` pieces that differ; none crosses a border.

    Args:
        batch: the texts.
        pieces: the pieces to put in another order.
        borders: increasing; the places where counting starts again.
        size: the number of pieces of a window, at least 2.
    """
    part = np.searchsorted(borders, pieces.starts, "right")
    (opens,) = np.diff(part, prepend=-1).nonzero()
    counts = np.diff(opens, append=len(pieces))
    (first,) = (ranges(np.zeros_like(counts), counts) % size == 0).nonzero()
    last = np.append(first, len(pieces))[1:] - 1
    here = np.arange(len(pieces) - 1)
    differs = marked_before(~same(pieces.take(here), pieces.take(here + 1)))
    mixed = differs[last] > differs[first]
    first, last = first[mixed], last[mixed]

    def written(chosen: Chosen) -> Strings:
        rows = chosen.rows
        return _permuted(batch, pieces, first[rows], (last - first)[rows] + 1)

    return Sites(pieces.starts[first], pieces.ends[last], "place", written)


def _permuted(batch: Batch, pieces: Strings, firsts: Int64, counts: Int64) -> Strings:
    """Return the windows of `counts` pieces from `firsts`, each in an order that changes it."""
    rows, window = ranges(firsts, counts), np.arange(len(firsts)).repeat(counts)
    rank = batch.chosen(pieces.take(rows)).draw()
    order = np.lexsort((rank, window))
    changed = np.zeros(len(firsts), np.bool_)
    changed[window[~same(pieces.take(rows[order]), pieces.take(rows))]] = True
    # A window that came out unchanged is rotated by one, which changes it unless all pieces are
    # equal.
    begins = (np.cumsum(counts) - counts).repeat(counts)
    turned = begins + (np.arange(len(rows)) - begins + 1) % counts.repeat(counts)
    source = rows[np.where(changed[window], order, turned)]
    gaps = np.append(pieces.starts[1:], 0)[rows]
    gaps[np.cumsum(counts) - 1] = pieces.ends[rows][np.cumsum(counts) - 1]
    starts = np.stack([pieces.starts[source], pieces.ends[rows]], axis=1).ravel()
    ends = np.stack([pieces.ends[source], gaps], axis=1).ravel()
    codes = Strings(pieces.codes, starts, ends).flat()
    return packed(codes, pieces.ends[firsts + counts - 1] - pieces.starts[firsts])
