"""Sites of several parts, which change together or not at all."""

from __future__ import annotations

import numpy as np

from perturb.engine.places import touching
from perturb.engine.sites import Chosen, Note, Sites, Write
from perturb.engine.text.strings import Strings, distinct, ranges
from perturb.values.arrays import Bool, Int64


class GroupedSites(Sites):
    """Sites of several parts each, which change together or not at all.

    What lies between the parts of a site is no part of it: it may be protected.

    Args:
        starts: shape (parts,); where the parts start, strictly increasing.
        ends: shape (parts,); where they end; no part is empty.
        sizes: shape (n,); how many parts each site has, at least one.
        unit: see `Sites`.
        write: gives the replacement of each part of the chosen sites.
        note: see `Sites`.
    """

    def __init__(
        self,
        starts: Int64,
        ends: Int64,
        sizes: Int64,
        unit: str,
        write: Write,
        note: Note | None = None,
    ) -> None:
        self.sizes = sizes
        self._parts = (starts, ends)
        self._write = write
        self._firsts = np.cumsum(sizes) - sizes
        super().__init__(
            starts[self._firsts], ends[self._firsts + sizes - 1], unit, write, note=note
        )

    def keep(self, mask: Bool) -> GroupedSites:
        """Return the sites where `mask` is true."""
        starts, ends = (column[mask.repeat(self.sizes)] for column in self._parts)
        return GroupedSites(starts, ends, self.sizes[mask], self.unit, self._write)._like(self)

    def whole(self, boundaries: Bool) -> GroupedSites:
        """Return the sites all of whose parts begin and end where grapheme clusters do."""
        starts, ends = self._parts
        return self.keep(self._all(boundaries[starts] & boundaries[ends]))

    def free(self, blocked: Bool) -> GroupedSites:
        """Return the sites none of whose parts holds a blocked code point."""
        return self.keep(self._all(~touching(blocked, *self._parts)))

    def parts(self, chosen: Chosen) -> Chosen:
        """Return the parts of the chosen sites."""
        rows = self.starts.searchsorted(chosen.texts.starts)
        sizes = self.sizes[rows]
        parts = ranges(self._firsts[rows], sizes)
        starts, ends = (column[parts] for column in self._parts)
        base = (chosen.texts.starts - chosen.origins).repeat(sizes)
        return Chosen(
            Strings(chosen.texts.codes, starts, ends), chosen.keys.repeat(sizes), starts - base
        )

    def _row_starts(self) -> Int64:
        """Return where the parts start."""
        return self._parts[0]

    def holding(self, places: Int64) -> Int64:
        """Return the starts of the sites whose parts start at `places`; each once."""
        starts: Int64 = self.starts[distinct(self.starts.searchsorted(places, "right") - 1)]
        return starts

    def _all(self, good: Bool) -> Bool:
        """Mark the sites that have only good parts."""
        bad = np.concatenate([[0], np.cumsum(~good)])
        clean: Bool = bad[self._firsts + self.sizes] == bad[self._firsts]
        return clean
