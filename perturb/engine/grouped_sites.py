"""Sites of several parts, which change together or not at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self, cast

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.places import touching
from perturb.engine.sites import Chosen, Note, Sites, Write
from perturb.engine.text.strings import Strings, every, ranges
from perturb.values.arrays import Bool, Int64, distinct


class GroupedSites(Sites):
    """Sites of several parts each, which change together or not at all.

    Text between the parts of a site doesn't belong to it, and may be protected or part of another.

    Args:
        starts: shape (parts,); where the parts start, site after site in the order of their first
            parts, and strictly increasing in each; all are apart.
        ends: shape (parts,); where they end; no part is empty.
        sizes: shape (n,); how many parts each site has, at least one.
        unit: see `Sites`.
        write: gives the replacement of each part of the chosen sites.
        note: see `Sites`.
        spare: the parts that may stay as they are where they are blocked, as long as two of them
            remain in a site. None for no part.
    """

    def __init__(
        self,
        starts: Int64,
        ends: Int64,
        sizes: Int64,
        unit: str,
        write: Write,
        note: Note | None = None,
        spare: Bool | None = None,
    ) -> None:
        self.sizes = sizes
        self._spare = spare
        self._parts = (starts, ends)
        self._write = write
        self._firsts = np.cumsum(sizes) - sizes
        reached = np.maximum.accumulate(ends[self._firsts + sizes - 1])
        super().__init__(starts[self._firsts], reached, unit, write, note=note)

    def keep(self, mask: Bool) -> GroupedSites:
        """Return the sites where `mask` is true."""
        return self._kept(mask.repeat(self.sizes))

    def _kept(self, parts: Bool) -> Self:
        """Return the sites with some of the parts, where any are left."""
        starts, ends = (column[parts] for column in self._parts)
        spare = None if self._spare is None else self._spare[parts]
        sizes = np.add.reduceat(np.append(parts, False), self._firsts, dtype=np.intp)
        sizes = sizes[sizes > 0]
        sites = type(self)(starts, ends, sizes, self.unit, self._write, spare=spare)
        return sites._like(self)

    def whole(self, boundaries: Bool) -> GroupedSites:
        """Return the sites with all parts beginning and ending at cluster boundaries."""
        starts, ends = self._parts
        return self.keep(self._all(boundaries[starts] & boundaries[ends]))

    def free(self, blocked: Bool) -> GroupedSites:
        """Return the sites without a blocked code point in any part."""
        good = ~touching(blocked, *self._parts)
        if self._spare is None:
            return self.keep(self._all(good))
        left = np.append(0, np.cumsum(good & self._spare))
        enough = left[self._firsts + self.sizes] - left[self._firsts] > 1
        kept = enough & self._all(good | self._spare)
        return self._kept(kept.repeat(self.sizes) & good)

    def moved(self, by: Int64) -> Self:
        """Return the sites moved, each by its number of places."""
        starts, ends = (column + by.repeat(self.sizes) for column in self._parts)
        return type(self)(starts, ends, self.sizes, self.unit, self._write, self.note)

    def parts(self, chosen: Chosen) -> Chosen:
        """Return the parts of the chosen sites."""
        rows = self.starts.searchsorted(chosen.texts.starts)
        sizes = self.sizes[rows]
        parts = ranges(self._firsts[rows], sizes)
        starts, ends = (column[parts] for column in self._parts)
        keys, base = chosen.keys.repeat(sizes), (chosen.texts.starts - chosen.origins).repeat(sizes)
        if not every(starts[1:] > starts[:-1]):
            order = starts.argsort()
            starts, ends, keys, base = starts[order], ends[order], keys[order], base[order]
        return Chosen(Strings(chosen.texts.codes, starts, ends), keys, starts - base)

    def rows_at(self, places: Int64) -> Int64:
        """Return the rows of the parts that start at `places`, among those of all sites found."""
        found = cast("GroupedSites", self._all_sites or self)
        starts = found._parts[0]
        order = starts.argsort(kind="stable")
        return order[starts[order].searchsorted(places)]

    def holding(self, places: Int64) -> Int64:
        """Return the starts of the sites with parts that start at `places`; each once."""
        site, starts = np.arange(len(self.sizes)).repeat(self.sizes), self._parts[0]
        order = starts.argsort(kind="stable")
        return self.starts[distinct(site[order[starts[order].searchsorted(places)]])]

    def apart(self) -> bool:
        """Return true, since parts don't overlap, although sites may reach over each other."""
        return True

    def _all(self, good: Bool) -> Bool:
        """Mark the sites that have only valid parts."""
        bad = np.concatenate([[0], np.cumsum(~good)])
        clean: Bool = bad[self._firsts + self.sizes] == bad[self._firsts]
        return clean


# Wanted texts are searched alone if they are at most one text in so many. Copying them out costs
# time too, and a later look at all texts repeats the search. Chosen by hand.
_FEW = 4


class TextSites(GroupedSites):
    """One site for each text that has parts, which are found only if the site is wanted.

    Args:
        batch: the texts.
        find: gives the sites of texts; those of one text must not depend on other texts.
        sure: marks the texts that certainly have a part if nothing in them is blocked.
    """

    def __init__(self, batch: Batch, find: Callable[[Batch], GroupedSites], sure: Bool) -> None:
        self.unit = "text"
        self._batch, self._find, self._sure = batch, find, sure
        self._blocked: Bool | None = None
        self._sites: GroupedSites | None = None

    def __getattr__(self, name: str) -> Any:
        """Find all sites when any other attribute is needed."""
        return getattr(self._found(), name)

    # Not a property: an `AttributeError` inside `find` would call `__getattr__` again, forever.
    def _found(self) -> GroupedSites:
        if self._sites is None:
            sites = self._find(self._batch)
            self._sites = sites if self._blocked is None else sites.free(self._blocked)
        return self._sites

    def check_order(self) -> None:
        """Do nothing: texts are in order."""

    def count(self, edges: Int64) -> Int64:
        """Count the sites of each text: one or none."""
        others = self.of_texts(~self._sure, edges).count(edges) if not every(self._sure) else 0
        return self._sure + others

    def free(self, blocked: Bool) -> GroupedSites:
        """Return the sites without blocked code points in their parts."""
        sure = self._sure & (self._batch.count(blocked.nonzero()[0]) == 0)
        sites = TextSites(self._batch, self._find, sure)
        sites._blocked = blocked if self._blocked is None else blocked | self._blocked
        return self._limiting(sites)

    def whole(self, boundaries: Bool) -> GroupedSites:
        """Return the sites with parts that begin and end at cluster boundaries."""
        return self._limiting(self._found().whole(boundaries))

    def keep(self, mask: Bool) -> GroupedSites:
        """Return the sites where `mask` is true."""
        return self._limiting(self._found().keep(mask))

    def _limiting(self, sites: GroupedSites) -> GroupedSites:
        """Return some of these sites with the same limits."""
        sites.have_places = self.have_places
        return sites.limited(self.scripts, self.refused)

    def of_texts(self, wanted: Bool, edges: Int64) -> Sites:
        """Return the sites in the texts where `wanted` is true."""
        batch, (rows,) = self._batch, wanted.nonzero()
        if len(rows) * _FEW > len(batch.texts) or batch.segmented or self._sites is not None:
            return self._found() if every(wanted) else self._found().of_texts(wanted, edges)
        part = batch.part(rows)
        sites = self._find(part)
        moved = batch.texts.starts[rows] - part.texts.starts
        sites = sites.moved(moved[part.text_of(sites.starts)])
        return sites if self._blocked is None else sites.free(self._blocked)
