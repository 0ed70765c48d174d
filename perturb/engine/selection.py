"""The choice among sites.

The lowest ranks of a text are chosen, so a larger choice only adds to a smaller one, and removing a
site moves no other.
"""

from __future__ import annotations

import numpy as np

from perturb.engine.native import kernels
from perturb.engine.places import count
from perturb.engine.sites import MaskSites, RankedSites, Sites
from perturb.engine.text.strings import every
from perturb.values.arrays import Bool, Int64, UInt32, UInt64


def choose(
    sites: Sites, keys: UInt64, edges: Int64, counts: Int64, wanted: Int64
) -> tuple[Int64, Int64, Int64]:
    """Choose the `wanted` lowest ranks of each text; of two overlapping sites the lower one.

    Args:
        sites: the sites of all texts.
        keys: shape (texts,); the keys from which ranks are drawn.
        edges: shape (texts + 1,); where each text begins, and where the last ends.
        counts: shape (texts,); the number of sites of each text.
        wanted: shape (texts,); how many to choose in each text, at most its count.

    Returns:
        The starts and the ends of the chosen sites, in order, and their number in each text: fewer
        than `wanted` if all other sites overlap chosen ones.
    """
    if kernels.pays(len(wanted), int(edges[-1])):
        native = _by_kernel(sites, keys, edges, counts, wanted)
        if native is not None:
            return native
    apart = sites.apart()
    if apart and every(wanted == counts):
        return sites.starts, sites.ends, wanted
    ranks = sites.ranks(keys, edges)
    if apart and len(wanted) == 1:  # in far fewer calls than many texts need
        rows = ranks.argsort(kind="stable")[: int(wanted[0])]
        rows.sort()
        return sites.starts[rows], sites.ends[rows], wanted
    ranked = RankedSites(sites.starts, sites.ends, ranks)
    # Few sites can be among the lowest, and only those are sorted. Four standard deviations of the
    # number of ranks under the limit make a shortfall rare: it is slower, but never wrong.
    share = (wanted + 4 * np.sqrt(wanted + 1) + 2) / np.maximum(counts, 1)
    limits = (np.minimum(share, 1) * 0xFFFFFFFF).astype(np.uint32)
    few = ranked.keep(ranks <= limits.repeat(counts))
    chosen, taken = lowest(few, edges, wanted, apart)
    if not every(taken == wanted):
        chosen, taken = lowest(ranked, edges, wanted, apart)
    return chosen.starts, chosen.ends, taken


def _by_kernel(
    sites: Sites, keys: UInt64, edges: Int64, counts: Int64, wanted: Int64
) -> tuple[Int64, Int64, Int64] | None:
    """Choose sites in C if a kernel can; see `choose`."""
    if isinstance(sites, MaskSites):
        starts = kernels.choose_marks(sites.mask, keys, edges, counts, wanted)
        return None if starts is None else (starts, starts + (not sites.inserts), wanted)
    drawn = sites.ranks_are_drawn
    ranks = None if drawn else sites.ranks(keys, edges)
    apart = drawn and sites.apart()  # the kernel reads the ranks that others give
    chosen = kernels.choose_sites(
        sites.starts, sites.ends, apart, keys, edges, counts, wanted, ranks
    )
    if chosen is None:
        return None
    rows, taken = chosen
    return sites.starts[rows], sites.ends[rows], taken


def lowest(
    sites: RankedSites, edges: Int64, wanted: Int64, apart: bool
) -> tuple[RankedSites, Int64]:
    """Choose among sites; return them and their number in each text."""
    if not apart:
        sites = sites.keep(_independent(*sites))
    counts = count(sites.starts, edges)
    # One sort for all texts: the number of the text above the rank.
    texts = np.arange(len(counts), dtype=np.uint64) << np.uint64(32)
    order = (texts.repeat(counts) | sites.ranks).argsort(kind="stable")
    taken = np.minimum(counts, wanted)
    place = np.arange(len(order)) - (np.cumsum(counts) - counts).repeat(counts)
    chosen = np.zeros(len(order), np.bool_)
    chosen[order[place < taken.repeat(counts)]] = True
    return sites.keep(chosen), taken


def _independent(starts: Int64, ends: Int64, ranks: UInt32) -> Bool:
    """Walk the sites in the order of their ranks and pass over each that overlaps a taken one.

    All sites that are lower than everything they overlap can be taken at once, whatever comes
    before them in the walk; then the sites that overlap them go, and the rest is walked likewise.
    """
    taken = np.ones(len(starts), np.bool_)
    overlaps = starts[1:] < ends[:-1]
    taken[1:] = ~overlaps
    taken[:-1] &= ~overlaps
    (left,) = (~taken).nonzero()
    while len(left):
        start, end = starts[left], ends[left]
        own = np.arange(len(left))
        rank = ranks[left].astype(np.uint64) << np.uint64(32) | own.astype(np.uint64)
        first = np.minimum(np.searchsorted(end, start, "right"), own)
        last = np.maximum(np.searchsorted(start, end, "left"), own + 1)
        reach = np.stack([first, last], axis=1).ravel()
        wins = rank == np.minimum.reduceat(np.append(rank, rank[-1:]), reach)[::2]
        taken[left[wins]] = True
        won = np.concatenate([[0], np.cumsum(wins)])
        left = left[won[first] == won[last]]
    return taken
