"""Words and sentences in another order."""

from __future__ import annotations

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.strings import Strings, packed, ranges, same
from perturb.errors import UsageError
from perturb.registry.definition import PLACES, WHOLE
from perturb.registry.registry import perturbator
from perturb.values.arrays import Int64


@perturbator(
    "word_shuffle",
    unit="place",
    summary="Put the words of a short window in another order.",
    label_risk="high",
    touches={"order"},
    source="T. M. Pham et al., Out of Order, Findings of ACL 2021",
    intensities=PLACES,
)
def word_shuffle(batch: Batch, *, window: int = 3) -> Sites:
    """Shuffle words; `p` is a share of the windows.

    A window is a run of words of one sentence, counted from its start. Whatever stands between the
    words stays where it is. A window is one edit, so a span inside it is carried to the whole
    window.

    Args:
        batch: the texts.
        window: the number of words of a window, at least 2; a large one holds a whole sentence.
    """
    words = batch.words
    return _shuffled(batch, words, batch.sentences.starts, _size("word_shuffle", window))


@perturbator(
    "sentence_shuffle",
    unit="place",
    summary="Put the sentences of a text, or of a window of it, in another order.",
    label_risk="high",
    touches={"order"},
    source="D. Dhole et al., NL-Augmenter, 2021, sentence reordering",
    intensities=WHOLE,
    example="Ann had nine eggs. She ate two. She sold the rest at $2 each. What did she make?",
)
def sentence_shuffle(batch: Batch, *, window: int | None = None) -> Sites:
    """Shuffle sentences; `p` is a share of the windows.

    What stands between the sentences stays where it is. A window is one edit, so a span inside it
    is carried to the whole window.

    Args:
        batch: the texts.
        window: the number of sentences of a window, at least 2, counted from the start of the text;
            without it the whole text is one window.
    """
    size = len(batch.codes) + 2 if window is None else _size("sentence_shuffle", window)
    return _shuffled(batch, batch.sentences, batch.texts.starts, size)


def _size(name: str, window: int) -> int:
    if window < 2:
        raise UsageError(f"{name}: window must be at least 2; got {window}")
    return window


def _shuffled(batch: Batch, pieces: Strings, borders: Int64, size: int) -> Sites:
    """Return a site at each window of `size` pieces that differ; none reaches over a border.

    Args:
        batch: the texts.
        pieces: the pieces to put in another order.
        borders: increasing; the places where counting starts again.
        size: the number of pieces of a window, at least 2.
    """
    part = np.searchsorted(borders, pieces.starts, "right")
    (opens,) = np.diff(part, prepend=-1).nonzero()
    counts = np.diff(opens, append=len(pieces))
    begins = (np.arange(len(pieces)) - opens.repeat(counts)) % size == 0
    (first,) = begins.nonzero()
    last = np.append(first, len(pieces))[1:] - 1
    here = np.arange(len(pieces) - 1)
    differs = ~same(pieces.take(here), pieces.take(here + 1))
    differing = np.concatenate([[0], np.cumsum(differs)])
    mixed = differing[last] > differing[first]
    first, last = first[mixed], last[mixed]

    def written(chosen: Chosen) -> Strings:
        opening, closing = first[chosen.rows], last[chosen.rows]
        return _permuted(batch, pieces, opening, closing + 1 - opening)

    return Sites(pieces.starts[first], pieces.ends[last], "place", written)


def _permuted(batch: Batch, pieces: Strings, firsts: Int64, counts: Int64) -> Strings:
    """Return the windows of `counts` pieces from `firsts` on, each in an order that changes it."""
    rows, window = ranges(firsts, counts), np.arange(len(firsts)).repeat(counts)
    rank = batch.chosen(pieces.take(rows)).draw()
    order = np.lexsort((rank, window))
    changed = np.zeros(len(firsts), np.bool_)
    changed[window[~same(pieces.take(rows[order]), pieces.take(rows))]] = True
    # A window that came out as it was is turned by one, which moves something unless all are alike.
    place, own = np.arange(len(rows)), (np.cumsum(counts) - counts).repeat(counts)
    turned = own + (place - own + 1) % counts.repeat(counts)
    source = rows[np.where(changed[window], order, turned)]
    gaps = np.append(pieces.starts[1:], 0)[rows]
    gaps[np.cumsum(counts) - 1] = pieces.ends[rows][np.cumsum(counts) - 1]
    starts = np.stack([pieces.starts[source], pieces.ends[rows]], axis=1).ravel()
    ends = np.stack([pieces.ends[source], gaps], axis=1).ravel()
    codes = Strings(pieces.codes, starts, ends).flat()
    return packed(codes, pieces.ends[firsts + counts - 1] - pieces.starts[firsts])
