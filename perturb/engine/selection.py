"""The choice among sites.

It takes the lowest ranks of a text, so a larger choice only adds to a smaller one, and a site that
goes away moves no other.
"""

from __future__ import annotations

import numpy as np

from perturb.engine.native import kernels
from perturb.engine.sites import MaskSites, RankedSites, Sites
from perturb.engine.text.strings import every
from perturb.values.arrays import Bool, Int64, UInt32, UInt64

# Ranks are sorted in a row for each text where the rows have at most so many cells for each rank.
_WIDTH = 8
# Up to this number, the sites of one text are sorted as they are.
_FEW = 1 << 12
_ALL = np.array([0xFFFFFFFF], np.uint32)


def choose(
    sites: Sites, keys: UInt64, edges: Int64, counts: Int64, wanted: Int64
) -> tuple[Int64, Int64, Int64]:
    """Choose the `wanted` lowest ranks of each text; of two that overlap only the lower.

    Args:
        sites: the sites of all texts.
        keys: shape (texts,); what the ranks are drawn from.
        edges: shape (texts + 1,); where each text begins, and where the last ends.
        counts: shape (texts,); the number of sites of each text.
        wanted: shape (texts,); how many to choose in each text, at most its count.

    Returns:
        The starts and the ends of the chosen sites, in order, and how many they are in each text:
        fewer than `wanted` where the sites that are left all overlap chosen ones.
    """
    if kernels.pays(len(wanted), int(edges[-1])):
        native = _by_kernel(sites, keys, edges, counts, wanted)
        if native is not None:
            return native
    apart = sites.apart()
    if apart and len(wanted) == 1 and counts[0] < _FEW:
        return *_lowest_of_few(sites, keys, edges, int(wanted[0])), wanted
    if apart and every(wanted == counts):
        return sites.starts, sites.ends, wanted
    # Few sites can be among the lowest; only those are sorted. 4 standard deviations of the number
    # of ranks under the limit make a shortfall rare, and a shortfall is only slower, never wrong.
    share = (wanted + 4 * np.sqrt(wanted + 1) + 2) / np.maximum(counts, 1)
    limits = (np.minimum(share, 1) * 0xFFFFFFFF).astype(np.uint32)
    chosen, taken = lowest(sites.below(keys, edges, limits), edges, wanted, apart)
    short = (taken < wanted) & (share < 1)
    if short.any():
        left = sites.of_texts(short, edges).below(keys, edges, _ALL)
        more, again = lowest(left, edges, np.where(short, wanted, 0), apart)
        done = chosen.keep(~short.repeat(taken))
        places = done.starts.searchsorted(more.starts)
        return (
            np.insert(done.starts, places, more.starts),
            np.insert(done.ends, places, more.ends),
            np.where(short, again, taken),
        )
    return chosen.starts, chosen.ends, taken


def _by_kernel(
    sites: Sites, keys: UInt64, edges: Int64, counts: Int64, wanted: Int64
) -> tuple[Int64, Int64, Int64] | None:
    """Do what `choose` does in C, where that can."""
    if isinstance(sites, MaskSites):
        starts = kernels.choose_marks(sites.mask, keys, edges, counts, wanted)
        return None if starts is None else (starts, starts + (not sites.inserts), wanted)
    ranks = None if sites.ranks_are_drawn else sites.ranks(keys, edges)
    found = kernels.choose_sites(
        sites.starts, sites.ends, sites.apart(), keys, edges, counts, wanted, ranks
    )
    if found is None:
        return None
    rows, made = found
    return sites.starts[rows], sites.ends[rows], made


def _lowest_of_few(sites: Sites, keys: UInt64, edges: Int64, wanted: int) -> tuple[Int64, Int64]:
    """Choose among few sites of one text that lie apart."""
    if wanted == len(sites.starts):
        return sites.starts, sites.ends
    rows = sites.ranks(keys, edges).argsort(kind="stable")[:wanted]
    rows.sort()
    return sites.starts[rows], sites.ends[rows]


def lowest(
    found: RankedSites, edges: Int64, wanted: Int64, apart: bool
) -> tuple[RankedSites, Int64]:
    """Choose among sites, and say how many are chosen in each text."""
    if not apart:
        found = found.keep(_independent(*found))
    firsts = found.starts.searchsorted(edges)
    here = firsts[1:] - firsts[:-1]
    take = np.minimum(here, wanted)
    chosen = found.ranks < _first_not_taken(found.ranks, here, take).repeat(here)
    chosen |= (take == here).repeat(here)
    if np.count_nonzero(chosen) < take.sum():  # the last one taken is like the first that is not
        return lowest(_with_distinct_ranks(found), edges, wanted, apart=True)
    return found.keep(chosen), take


def _with_distinct_ranks(found: RankedSites) -> RankedSites:
    """Return sites with ranks of the same order, no two alike."""
    ranks = np.empty(len(found.ranks), np.uint32)
    ranks[found.ranks.argsort(kind="stable")] = np.arange(len(ranks), dtype=np.uint32)
    return found._replace(ranks=ranks)


def _first_not_taken(ranks: UInt32, here: Int64, take: Int64) -> UInt32:
    """Return the rank of each text that `take` of its ranks lie below; anything where all do."""
    texts = np.arange(len(here))
    widest = int(here.max(initial=0))
    if widest * len(here) > _WIDTH * len(ranks):
        # One sort for all texts: the text's number above the rank.
        order = np.sort((texts.astype(np.uint64) << np.uint64(32)).repeat(here) | ranks)
        limits = np.append(order, np.uint64(0))[np.cumsum(here) - here + take]
    else:
        # Many small sorts are faster: a row for each text, the largest number after its ranks.
        rows = np.full((len(here), widest + 1), 0xFFFFFFFF, np.uint32)
        rows[np.arange(widest + 1) < here[:, None]] = ranks
        rows.sort(axis=1)
        limits = rows[texts, take]
    return np.asarray(limits, np.uint32)


def _independent(starts: Int64, ends: Int64, ranks: UInt32) -> Bool:
    """Walk the sites in the order of their ranks and pass over each that overlaps a taken one.

    All sites that are lower than everything they overlap can be taken at once, whatever comes
    before them in the walk; then what overlaps them goes, and the rest is walked in the same way.
    """
    taken = np.ones(len(starts), np.bool_)
    overlaps = starts[1:] < ends[:-1]
    taken[1:] = ~overlaps
    taken[:-1] &= ~overlaps
    (left,) = (~taken).nonzero()
    while len(left):
        start, end = starts[left], ends[left]
        own = np.arange(len(left))
        rank = ranks[left].astype(np.uint64) << np.uint64(32) | own.view(np.uint64)
        first = np.minimum(np.searchsorted(end, start, "right"), own)
        last = np.maximum(np.searchsorted(start, end, "left"), own + 1)
        reach = np.stack([first, last], axis=1).ravel()
        wins = rank == np.minimum.reduceat(np.append(rank, rank[-1:]), reach)[::2]
        taken[left[wins]] = True
        won = np.concatenate([[0], np.cumsum(wins)])
        left = left[won[first] == won[last]]
    return taken
