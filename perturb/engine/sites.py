"""Sites, the places where a perturbator may act, and the choice among them.

Every site has a rank that is drawn from the key of its text and its own place. A choice takes the
lowest ranks of a text, so a larger choice only adds to a smaller one, and a site that goes away
moves no other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from perturb.draws import Int64, UInt32, UInt64, below, halves, hash32, hash32_halves, moved
from perturb.engine.strings import Codes, Strings

# Lanes of the draws: what a number is drawn for.
RANK, COUNT, FIRST_WRITE = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Chosen:
    """The chosen sites of a batch, as the function that writes the replacements sees them.

    Attributes:
        texts: the spans that are replaced; `texts.flat()` are their code points.
        keys: shape (n,); the key of the text of each site.
        origins: shape (n,); where each site starts in its text, in code points.
    """

    texts: Strings
    keys: UInt64
    origins: Int64

    def __len__(self) -> int:
        return len(self.origins)

    @property
    def first(self) -> Codes:
        """The first code point of each site; of an empty site, the one that follows it."""
        return self.texts.codes[self.texts.starts]

    def draw(self, lane: int = 0) -> UInt32:
        """One 32-bit draw a site; another `lane`, in [0, 32), gives independent ones."""
        return hash32(self.keys, self.origins, FIRST_WRITE + lane)

    def below(self, limit: int | Int64, lane: int = 0) -> Int64:
        """One integer in [0, limit) a site."""
        return below(self.draw(lane), limit)


Write = Callable[[Chosen], Strings]
# Spans that must change because of what is written at the chosen sites, and what to.
Mend = Callable[[Chosen], tuple[Int64, Int64, Strings]]


@dataclass(frozen=True, slots=True)
class Sites:
    """Where a perturbator may act in a batch.

    Attributes:
        starts: shape (n,); strictly increasing, in code points of the batch.
        ends: shape (n,); never decreasing; a site whose end is its start inserts.
        unit: what a share of these sites is a share of: "character", "word", or "place" for the
            perturbator's own kind of place.
        apart: whether it is known that no two sites overlap.
        write: gives the replacement of each chosen site; None deletes.
        mend: gives further edits that those replacements ask for, in order and outside of all
            sites, such as "an" for "a"; they are not counted in the share.
    """

    starts: Int64
    ends: Int64
    unit: str
    write: Write | None = field(default=None, repr=False)
    mend: Mend | None = field(default=None, repr=False)
    apart: bool = False

    def __len__(self) -> int:
        return len(self.starts)

    def keep(self, mask: NDArray[np.bool_]) -> Sites:
        """The sites where `mask` is true."""
        return replace(self, starts=self.starts[mask], ends=self.ends[mask])

    def keeping_apart(self) -> bool:
        """Whether no two sites overlap."""
        return self.apart or bool((self.starts[1:] >= self.ends[:-1]).all())


def choose(sites: Sites, counts: Int64, ranks: UInt32, wanted: Int64) -> Int64:
    """Choose the `wanted` lowest ranks of each text; of two that overlap only the lower.

    Args:
        sites: n sites, text after text.
        counts: shape (texts,); the number of sites of each text.
        ranks: shape (n,); no two in one text are equal.
        wanted: shape (texts,); how many to choose in each text, at most its count.

    Returns:
        The indices of the chosen sites, increasing. Fewer than `wanted` in a text where the sites
        that are left all overlap chosen ones.
    """
    apart = sites.keeping_apart()
    if apart and np.array_equal(wanted, counts):
        return np.arange(len(sites))
    # Few sites can be among the lowest; only those are sorted. 4 standard deviations of the number
    # of ranks under the limit make a shortfall rare, and a shortfall is only slower, never wrong.
    share = (wanted + 4 * np.sqrt(wanted + 1) + 2) / np.maximum(counts, 1)
    limit = (np.minimum(share, 1) * 0xFFFFFFFF).astype(np.uint32)
    low = np.flatnonzero(ranks <= np.repeat(limit, counts))
    chosen, short = _lowest(sites, low, ranks, counts, wanted, apart)
    short &= share < 1
    if short.any():
        again = np.flatnonzero(np.repeat(short, counts))
        wanted_again = np.where(short, wanted, 0)
        more, _ = _lowest(sites, again, ranks, counts, wanted_again, apart)
        done = chosen[~np.repeat(short, counts)[chosen]]
        chosen = np.sort(np.concatenate([done, more]))
    return chosen


def _lowest(
    sites: Sites, rows: Int64, ranks: UInt32, counts: Int64, wanted: Int64, apart: bool
) -> tuple[Int64, NDArray[np.bool_]]:
    """Choose among the sites at `rows`, and say which texts got fewer than they wanted."""
    if not apart:
        rows = rows[_independent(sites.starts[rows], sites.ends[rows], ranks[rows])]
    firsts = np.searchsorted(rows, np.concatenate([[0], np.cumsum(counts)]))
    here = np.diff(firsts)
    take = np.minimum(here, wanted)
    # One sort for all texts: the text's number above the rank.
    order = np.repeat(np.arange(len(counts), dtype=np.uint64) << np.uint64(32), here)
    order |= ranks[rows]
    taking = take > 0
    cut = np.zeros(len(counts), np.uint64)
    cut[taking] = np.sort(order)[(firsts[:-1] + take - 1)[taking]]
    chosen = rows[(order <= np.repeat(cut, here)) & np.repeat(taking, here)]
    return chosen, take < wanted


def _independent(starts: Int64, ends: Int64, ranks: UInt32) -> NDArray[np.bool_]:
    """Walk the sites in the order of their ranks and pass over each that overlaps a taken one.

    All sites that are lower than everything they overlap can be taken at once, whatever comes
    before them in the walk; then what overlaps them goes, and the rest is walked in the same way.
    """
    taken = np.zeros(len(starts), np.bool_)
    left = np.arange(len(starts))
    while len(left):
        start, end, rank = starts[left], ends[left], ranks[left]
        own = np.arange(len(left))
        first = np.minimum(np.searchsorted(end, start, "right"), own)
        last = np.maximum(np.searchsorted(start, end, "left"), own + 1)
        reach = np.stack([first, last], axis=1).ravel()
        wins = rank == np.minimum.reduceat(np.append(rank, rank[-1:]), reach)[::2]
        taken[left[wins]] = True
        won = np.concatenate([[0], np.cumsum(wins)])
        left = left[won[first] == won[last]]
    return taken


def ranks_of(keys: UInt64, texts: Strings, starts: Int64, counts: Int64) -> UInt32:
    """The rank of each site, drawn from the key of its text and its start in it.

    Args:
        keys: shape (texts,).
        texts: the texts of the batch.
        starts: shape (n,); where each site starts in the batch.
        counts: shape (texts,); the number of sites of each text.
    """
    low, high = halves(keys)
    return hash32_halves(
        np.repeat(moved(low, texts.starts), counts),
        np.repeat(high, counts),
        starts.astype(np.uint32),
        RANK,
    )
