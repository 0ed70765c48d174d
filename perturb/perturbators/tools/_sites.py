"""One site for each text: all edits of it, or the reason why there are none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.grouped_sites import GroupedSites
from perturb.engine.sites import Chosen
from perturb.registry.from_function import writer
from perturb.registry.from_regex import KeyedRandom

T = TypeVar("T")
Edit = tuple[int, int, str]


def text_sites(
    batch: Batch, edits_of: Callable[[int, str, KeyedRandom], Sequence[Edit] | str]
) -> GroupedSites:
    """Return a site for each text with edits.

    Args:
        batch: the texts.
        edits_of: from the number of a text, the text and its random numbers, gives its edits in
            order, none of them an insertion; or why there are none, for the note.
    """
    sizes, flat, new, refused = list[int](), list[tuple[int, int]](), list[str](), dict[int, str]()
    keys, starts = batch.keys.tolist(), batch.texts.starts.tolist()
    for row, text in enumerate(batch.texts.to_list()):
        edits = edits_of(row, text, KeyedRandom(keys[row], 0))
        if isinstance(edits, str):
            refused[row] = edits
        elif edits := [edit for edit in edits if text[edit[0] : edit[1]] != edit[2]]:
            sizes.append(len(edits))
            flat += [(starts[row] + start, starts[row] + end) for start, end, _ in edits]
            new += [text for _, _, text in edits]
    firsts, ends = np.array(flat, np.intp).reshape(-1, 2).T
    write, counts = writer(firsts, new), np.array(sizes, np.intp)

    def note(_: Chosen) -> Mapping[int, Mapping[str, list[str]]]:
        return {row: {"refused": [why]} for row, why in refused.items()}

    return GroupedSites(firsts, ends, counts, "text", write, note)


def shuffled(rng: KeyedRandom, items: Iterable[T]) -> Iterator[T]:
    """Yield items in random order, each drawn when it is asked for."""
    pool = [*items]
    while pool:
        yield pool.pop(rng.below(len(pool)))
