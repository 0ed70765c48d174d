"""The sites: the places where a perturbator may act.

Every site has a rank. If `ranks_are_drawn`, it depends only on the key of its text and its place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self, cast

import numpy as np

from perturb.engine.native import kernels
from perturb.engine.places import count, touching
from perturb.engine.text.characters import Alternatives, Script
from perturb.engine.text.strings import ONE, Strings, every, stack
from perturb.rng import below, halves, hash32, hash32_halves, hash32_of_key, moved
from perturb.values.arrays import Bool, Codes, Int64, UInt8, UInt32, UInt64

if TYPE_CHECKING:
    from perturb.engine.batch import Batch

# Lanes of the draws: the purposes of random numbers.
RANK, COUNT, FIRST_WRITE = 0, 1, 2


class Chosen:
    """The chosen sites of a batch, as the function that writes the replacements sees them.

    Attributes:
        texts: the spans to replace; `texts.flat()` are their code points.
        keys: shape (n,); the key of the text of each site.
        origins: shape (n,); where each site starts in its text, in code points.
        sites: the sites from which these were chosen; None if they weren't chosen.
    """

    __slots__ = ("keys", "origins", "sites", "texts")

    def __init__(
        self, texts: Strings, keys: UInt64, origins: Int64, sites: Sites | None = None
    ) -> None:
        self.texts = texts
        self.keys = keys
        self.origins = origins
        self.sites = sites

    def __len__(self) -> int:
        return len(self.origins)

    @property
    def first(self) -> Codes:
        """The first code point of each site; for an empty site, the one that follows it."""
        return self.texts.codes[self.texts.starts]

    @property
    def rows(self) -> Int64:
        """Return the row of each site among all sites of the perturbator.

        For sites of several parts it is the row of the part among all parts.
        """
        if self.sites is None:
            raise TypeError("only sites that were chosen among others have rows")
        return self.sites.rows_at(self.texts.starts)

    def take(self, rows: Int64) -> Chosen:
        """Return the sites at `rows`."""
        return Chosen(self.texts.take(rows), self.keys[rows], self.origins[rows], self.sites)

    def with_origins(self, origins: Int64) -> Chosen:
        """Return the same sites with the draws of other places in their texts."""
        return Chosen(self.texts, self.keys, origins, self.sites)

    def draw(self, lane: int = 0) -> UInt32:
        """Return a 32-bit draw for each site; each `lane`, in [0, 32), gives independent ones."""
        return hash32(self.keys, self.origins, FIRST_WRITE + lane)

    def below(self, limit: int | Int64, lane: int = 0) -> Int64:
        """Return an integer in [0, limit) for each site."""
        return below(self.draw(lane), limit)


def drawn(keys: UInt64, edges: Int64, places: Int64, lane: int) -> UInt32:
    """Return a draw for each of the increasing places, from its text's key and its place there.

    Args:
        keys: shape (texts,); the key of each text.
        edges: shape (texts + 1,); where each text begins, and where the last ends.
        places: shape (n,).
        lane: the purpose of the draws.
    """
    native = kernels.draws(keys, edges, places, lane)
    if native is not None:
        return native
    narrow = places.astype(np.uint32)
    if len(keys) == 1:
        return hash32_of_key(int(keys[0]), narrow, lane, int(edges[0]))
    counts, (low, high) = count(places, edges), halves(keys)
    return hash32_halves(moved(low, edges[:-1]).repeat(counts), high.repeat(counts), narrow, lane)


Write = Callable[[Chosen], Strings]


class Substitution:
    """The function that replaces each chosen character by one of its alternatives.

    A class instead of a plain function lets the engine see that the step can be one kernel.

    Attributes:
        table: the alternatives of each character.
    """

    def __init__(self, table: Alternatives) -> None:
        self.table = table

    def __call__(self, chosen: Chosen) -> Strings:
        """Return the replacement of each chosen character."""
        return self.table.draw(chosen.first, chosen.draw())


# The spans that must change because of the replacements at chosen sites, and the new texts.
FollowUpEdits = Callable[[Chosen], tuple[Int64, Int64, Strings]]
# Further facts about the step for the record of a text, by the number of the text.
Note = Callable[[Chosen], Mapping[int, Mapping[str, Any]]]


class RankedSites(NamedTuple):
    """Sites with their ranks; arrays of shape (n,). Of equal ranks the first is the lower."""

    starts: Int64
    ends: Int64
    ranks: UInt32

    def keep(self, mask: Bool) -> RankedSites:
        """Return the sites where `mask` is true."""
        (rows,) = mask.nonzero()
        return RankedSites(self.starts[rows], self.ends[rows], self.ranks[rows])


class Sites:
    """The places of a batch at which a perturbator may act.

    Args:
        starts: shape (n,); strictly increasing, in code points of the batch.
        ends: shape (n,); never decreasing; a site with equal start and end inserts.
        unit: the unit of `p`: "character", "word", "sentence", "line", "text", or "place" for the
            perturbator's own kind of place.
        write: gives the replacement of each chosen site; None deletes.
        follow_up_edits: gives further edits that those replacements require, in order and outside
            all sites, such as "an" for "a"; they don't count towards the share.
        note: gives further facts about the step for the records, in JSON-able form.

    Attributes:
        scripts: the scripts that the step can write; units that begin with a letter of another
            script are closed, and `p` is a share of the open ones. None for all scripts.
        refused: shape (texts,); whether a text is in a language that the step doesn't know, or has
            options that it doesn't understand. None for no text. Steps on words also refuse texts
            without spaces between words: "not segmented".
        why_refused: the reason why such texts stay unchanged.
        foreign: shape (texts,); which of them are in such a language, if `why_refused` is another
            reason; else None.
        have_places: if sites are drawn among places, says which texts without sites have places,
            so that only chance left them without. None if all places are sites.
    """

    have_places: Callable[[Any], Bool] | None = None
    scripts: frozenset[Script] | None = None
    refused: Bool | None = None
    why_refused = "not English"
    foreign: Bool | None = None
    # If false, the kernel that chooses gets the ranks.
    ranks_are_drawn = True
    # All sites of the step, if these are only some of them; None if these are all.
    _all_sites: Sites | None = None

    def __init__(
        self,
        starts: Int64,
        ends: Int64,
        unit: str,
        write: Write | None = None,
        follow_up_edits: FollowUpEdits | None = None,
        note: Note | None = None,
    ) -> None:
        self.starts = starts
        self.ends = ends
        self.unit = unit
        self.write = write
        self.follow_up_edits = follow_up_edits
        self.note = note

    def limited(
        self, scripts: frozenset[Script] | None = None, refused: Bool | None = None
    ) -> Self:
        """Return these sites with the scripts that the step writes and the texts it refuses."""
        self.scripts, self.refused = scripts, refused
        return self

    def keep(self, mask: Bool) -> Sites:
        """Return the sites where `mask` is true."""
        return Sites(self.starts[mask], self.ends[mask], self.unit)._like(self)

    def _like(self, other: Sites) -> Self:
        """Copy the attributes that all sites of a step share."""
        self.write, self.note = other.write, other.note
        self.follow_up_edits = other.follow_up_edits
        self.scripts, self.refused = other.scripts, other.refused
        self.why_refused, self.foreign = other.why_refused, other.foreign
        self.have_places = other.have_places
        self._all_sites = other._all_sites or other
        return self

    def rows_at(self, places: Int64) -> Int64:
        """Return the rows of the sites that start at `places`, among all sites found."""
        return (self._all_sites or self).starts.searchsorted(places)

    def whole(self, boundaries: Bool) -> Sites:
        """Return the sites that begin and end where grapheme clusters do."""
        return self.keep(boundaries[self.starts] & boundaries[self.ends])

    def free(self, blocked: Bool) -> Sites:
        """Return the sites that neither hold a blocked code point nor insert beside one."""
        return self.keep(~touching(blocked, self.starts, self.ends))

    def parts(self, chosen: Chosen) -> Chosen:
        """Return the spans that the chosen sites replace; plain sites replace themselves."""
        return chosen

    def holding(self, places: Int64) -> Int64:
        """Return the starts of the sites whose parts start at `places`."""
        return places

    def check_order(self) -> None:
        """Raise `ValueError` unless the sites are in increasing order."""
        if not every(self.starts[1:] > self.starts[:-1]):
            (rows,) = (self.starts[1:] <= self.starts[:-1]).nonzero()
            before, after = self.starts[rows[0] : rows[0] + 2].tolist()
            raise ValueError(
                "sites must be in increasing order, with different starts; "
                f"got one at {after} after one at {before} of the batch"
            )

    def count(self, edges: Int64) -> Int64:
        """Count the sites of each text, which reaches from its edge to the next."""
        return count(self.starts, edges)

    def of_texts(self, wanted: Bool, edges: Int64) -> Sites:
        """Return the sites in the texts where `wanted` is true."""
        return self.keep(wanted.repeat(self.count(edges)))

    def apart(self) -> bool:
        """Return true if no two sites overlap."""
        return bool((self.starts[1:] >= self.ends[:-1]).all())

    def ranks(self, keys: UInt64, edges: Int64) -> UInt32:
        """Return the rank of each site, drawn from its text's key and its place in the text."""
        return drawn(keys, edges, self.starts, RANK)


class OrderedSites(Sites):
    """Sites taken in an order of their own, whatever the key.

    Args:
        starts: see `Sites`.
        ends: see `Sites`.
        unit: see `Sites`.
        ranks: shape (n,); fastest if spread over the 32-bit integers within each text. Of equal
            ranks the first is taken first.
    """

    ranks_are_drawn = False

    def __init__(self, starts: Int64, ends: Int64, unit: str, ranks: UInt32) -> None:
        super().__init__(starts, ends, unit)
        self._ranks = ranks

    def keep(self, mask: Bool) -> Sites:
        """Return the sites where `mask` is true."""
        ranks = self._ranks[mask]
        return OrderedSites(self.starts[mask], self.ends[mask], self.unit, ranks)._like(self)

    def ranks(self, keys: UInt64, edges: Int64) -> UInt32:  # noqa: ARG002
        """Return the rank of every site, as it was given."""
        return self._ranks


class MaskSites(Sites):
    """Sites at single characters, marked in a mask over the batch.

    If most characters are sites, drawing a rank for every character and then checking the marks is
    faster than listing the sites first.

    Args:
        mask: shape (code points of the batch,); whole characters of one code point.
        unit: see `Sites`.
        write: see `Sites`.
        inserts: whether a site is the place before the marked character.
    """

    def __init__(
        self, mask: Bool, unit: str, write: Write | None = None, *, inserts: bool = False
    ) -> None:
        self.mask = mask
        self.unit = unit
        self.write = write
        self.follow_up_edits = self.note = None
        self.inserts = inserts

    def __getattr__(self, name: str) -> Int64:
        """List the sites when the list is first used."""
        if name == "starts":
            (self.starts,) = self.mask.nonzero()
            return self.starts
        if name == "ends":
            self.ends = self.starts if self.inserts else self.starts + ONE
            return self.ends
        raise AttributeError(name)

    def whole(self, boundaries: Bool) -> Sites:  # noqa: ARG002
        """Return the sites themselves, since marks are at whole characters."""
        return self

    def check_order(self) -> None:
        """Do nothing: a mask is in order."""

    def free(self, blocked: Bool) -> Sites:
        """Return the sites that neither hold a blocked code point nor insert beside one."""
        sites = self.masked(~blocked)
        if self.inserts:
            sites.mask[1:] &= ~blocked[:-1]
        return sites

    def masked(self, wanted: Bool) -> MaskSites:
        """Return the sites at wanted characters."""
        return MaskSites(self.mask & wanted, self.unit, inserts=self.inserts)._like(self)

    def count(self, edges: Int64) -> Int64:
        """Count the sites of each text, which reaches from its edge to the next."""
        if len(edges) == 2:
            return np.array([np.count_nonzero(self.mask)])
        # Sums in half the width are twice as fast.
        counts = np.add.reduceat(self.mask.view(np.uint8), edges[:-1], dtype=np.uint32)
        return counts.astype(np.intp)

    def apart(self) -> bool:
        """Return true, since single characters don't overlap."""
        return True


class Kinds(NamedTuple):
    """Kinds of texts that a step has different sites in.

    Attributes:
        names: what each is called; the first is that of all texts of ASCII.
        choose: returns the number of the kind of each text, which depends on no other text.
        make: returns the sites of texts that are of a kind; those of the first are known.
    """

    names: Sequence[str]
    choose: Callable[[Strings], UInt8]
    make: Callable[[Batch, str], Sites]


def sites_of_kinds(batch: Batch, first: Sites, kinds: Kinds, number: UInt8) -> Sites:
    """Return the sites of texts of different kinds, each kind's made of its own texts alone.

    Args:
        batch: the texts.
        first: the sites that they have if all are of the first kind, with the scripts of all.
        kinds: the kinds.
        number: shape (texts,); the number of the kind of each text.
    """
    numbers = np.flatnonzero(np.bincount(number)).tolist()
    rows = [np.flatnonzero(number == at) for at in numbers]
    owns = [batch.part(some) if at else batch for at, some in zip(numbers, rows, strict=True)]
    parts = [
        kinds.make(own, kinds.names[at]) if at else first.of_texts(number == 0, batch.edges)
        for at, own in zip(numbers, owns, strict=True)
    ]
    # How far the texts of each kind are from their places among all texts.
    shifts = np.zeros((len(numbers), len(number)), np.intp)
    for shift, at, some, own in zip(shifts, numbers, rows, owns, strict=True):
        shift[some] = batch.edges[some] - own.edges[:-1] if at else 0

    def write(chosen: Chosen) -> Strings:
        text = batch.text_of(chosen.texts.starts)
        of_kind = [np.flatnonzero(number[text] == at) for at in numbers]
        written = []
        for sites, own, shift, some in zip(parts, owns, shifts, of_kind, strict=True):
            mine, back = chosen.take(some), shift[text[some]]
            spans = Strings(own.codes, mine.texts.starts - back, mine.texts.ends - back)
            written.append(cast(Write, sites.write)(Chosen(spans, mine.keys, mine.origins, sites)))
        return stack(*written).take(np.concatenate(of_kind).argsort())

    moved = [
        shift[some].repeat(sites.count(own.edges)) if at else 0
        for sites, own, shift, some, at in zip(parts, owns, shifts, rows, numbers, strict=True)
    ]
    starts = np.concatenate([part.starts + by for part, by in zip(parts, moved, strict=True)])
    order = starts.argsort(kind="stable")  # runs, one for each kind
    ends = np.concatenate([part.ends + by for part, by in zip(parts, moved, strict=True)])[order]
    ranks = [part.ranks(own.keys, own.edges) for part, own in zip(parts, owns, strict=True)]
    merged = OrderedSites(starts[order], ends, first.unit, np.concatenate(ranks)[order])
    merged.write = write
    return merged.limited(scripts=first.scripts)
