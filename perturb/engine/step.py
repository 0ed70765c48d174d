"""One step on a batch: it finds sites, chooses among them, and writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, NamedTuple, Protocol

import numpy as np

from perturb.engine.answers import Permuted
from perturb.engine.batch import Batch
from perturb.engine.edits import Edits
from perturb.engine.grouped_sites import TextSites
from perturb.engine.placement import (
    EVERYWHERE,
    Placement,
    by_words,
    counted_words,
    placed,
    skipped,
    spread_within,
)
from perturb.engine.places import holding, touching
from perturb.engine.scope import Scope
from perturb.engine.selection import choose
from perturb.engine.sites import COUNT, Sites
from perturb.engine.spread import drawn_rates
from perturb.engine.text.scripts import segmented, unsegmented
from perturb.engine.text.strings import Strings, every, narrowed, repeated
from perturb.engine.units import count_units
from perturb.rng import hash32, hash32_of_one, uniform
from perturb.values.arrays import Bool, Float64, Int64, UInt8

# Why a text was left as it was, by number; the contract fixes the words. Of the texts of a row the
# least number counts: that a step took one says more than that none took another.
REASONS = (
    *("", "options refused", "no site", "protected", "drew zero", "p is 0", "filtered"),
    *("cancelled out", "not English", "not segmented", "no rewording", "not taken"),
)
CHANGED, _, NO_SITE, PROTECTED, DREW_ZERO, P_IS_0, FILTERED = range(7)
CANCELLED_OUT, NOT_ENGLISH, NOT_SEGMENTED, _, NOT_TAKEN = range(7, 12)

Reasons = UInt8
# What a step says of texts, by their numbers; it is made when it is asked for.
Notes = Callable[[], Mapping[int, Mapping[str, Any]]]


class Action(Protocol):
    """One step, as the engine sees it."""

    @property
    def p(self) -> float | None:
        """The strength, in [0, 1]; None where `count` is given."""

    @property
    def share(self) -> float | None:
        """The share of the units to edit, in [0, 1]; it never falls as `p` grows."""

    @property
    def spread(self) -> float:
        """How much the share varies from text to text; see `perturb.engine.spread`."""

    @property
    def count(self) -> int | None:
        """The number of edits per text, instead of a share."""

    @property
    def min_edits(self) -> int:
        """The fewest edits per text, if there are enough sites."""

    @property
    def max_edits(self) -> int | None:
        """The most edits per text."""

    @property
    def consistent(self) -> bool:
        """Whether the step treats the texts of a row as one text."""

    @property
    def on_options(self) -> bool:
        """Whether the step acts on answer options alone."""

    @property
    def placement(self) -> Placement:
        """Where the step may act, and whether its share is a share of words."""

    def sites(self, batch: Batch) -> Sites:
        """Return the sites at which the step may act."""


class Tally(NamedTuple):
    """The result of one step for each text; every array has shape (texts,).

    Attributes:
        units: the number of open units; `p` is a share of these.
        closed: the number of units that were closed to the step: protected, out of scope, or in a
            script or a language that it can't write.
        sites: the number of places where it could act.
        edits: the number of places where it acted.
        saturated: whether there were fewer sites than edits wanted.
        reasons: why it acted nowhere, if so.
        notes: returns further facts from the perturbator, by the number of the text.
    """

    units: Int64
    closed: Int64
    sites: Int64
    edits: Int64
    saturated: Bool
    reasons: Reasons
    notes: Notes

    def refuse(self, refused: Bool, reason: int) -> None:
        """Close all units of the texts that the step refuses."""
        self.closed[refused] += self.units[refused]
        self.units[refused] = self.sites[refused] = 0
        self.reasons[refused] = reason

    def spread(self, rows: Int64, texts: int) -> Tally:
        """Return the tally of `texts` texts if only those at `rows` took the step."""
        units, closed, sites, edits = np.zeros((4, texts), np.intp)
        saturated, reasons = np.zeros(texts, np.bool_), np.full(texts, NOT_TAKEN, np.uint8)
        moved = partial(_moved, self.notes, rows)
        tally = Tally(units, closed, sites, edits, saturated, reasons, moved)
        for name in Tally._fields[:-1]:
            getattr(tally, name)[rows] = getattr(self, name)
        return tally


def _moved(notes: Notes, rows: Int64) -> Mapping[int, Mapping[str, Any]]:
    said = notes()
    if isinstance(said, Permuted):
        return said.of_rows(rows)
    return {int(rows[row]): note for row, note in said.items()}


def perform(batch: Batch, action: Action, scope: Scope) -> tuple[Edits, Tally]:
    """Perform a step; return its edits to the texts of a batch, and its result for each text."""
    placement = action.placement
    if placement.segmenter:
        batch = batch.once(segmented, placement.segmenter)
    sites = action.sites(batch)
    reason, foreign = REASONS.index(sites.why_refused), sites.foreign
    if sites.unit == "word" and sites.refused is None:
        sites.refused, reason = unsegmented(batch), NOT_SEGMENTED
    have_places = sites.have_places
    sites.check_order()
    if batch.boundaries is not None:
        sites = sites.whole(batch.boundaries)
    closed_units = blocked = _blocked(batch, placement, scope)
    if placement != EVERYWHERE:
        sites, outside = placed(batch, sites, placement)
        if outside is not None:
            closed_units = outside if blocked is None else blocked | outside
    free = sites
    all_counts = counts = sites.count(batch.edges)
    if blocked is not None:
        free = sites.free(blocked)
        counts = free.count(batch.edges)
    words, spans = None, None
    if placement.per == "word":
        words, spans = by_words(batch, free), counted_words(batch, sites)
        free = words.first
        counts = free.count(batch.edges)
    units, closed = count_units(batch, sites, free, closed_units, spans)
    edits_asked = _wanted(batch, action, units)
    if sites.refused is not None:
        edits_asked[sites.refused] = 0
    wanted = np.minimum(edits_asked, counts)
    saturated = wanted < edits_asked
    if words is None or placement.within is None:
        edits, taken, edit_counts, notes = _edits(batch, free, scope, counts, wanted, blocked)
        saturated |= taken < wanted
    else:
        free = spread_within(batch, words, counts, wanted, placement.within)
        several = free.count(batch.edges)
        edits, _, edit_counts, notes = _edits(batch, free, scope, several, several, blocked)
        edit_counts = batch.count(words.hit_by(edits.starts))
    reasons = _why(action, all_counts, counts, wanted, edit_counts)
    if have_places and len(rows := (reasons == NO_SITE).nonzero()[0]):
        reasons[rows[have_places(batch.part(rows))]] = DREW_ZERO
    tally = Tally(units, closed, counts, edit_counts, saturated, reasons, notes)
    if sites.refused is not None:
        tally.refuse(sites.refused, reason)
    if foreign is not None:
        tally.reasons[foreign] = NOT_ENGLISH
    return edits, tally


def _edits(
    batch: Batch, sites: Sites, scope: Scope, counts: Int64, wanted: Int64, blocked: Bool | None
) -> tuple[Edits, Int64, Int64, Notes]:
    """Choose and write.

    Returns:
        The edits; for each text the number of chosen sites and of edits that count; the notes.
    """
    if isinstance(sites, TextSites):  # they aren't found yet
        sites, counts = sites.of_texts(wanted > 0, batch.edges), wanted
    starts, ends, taken = choose(sites, batch.keys, batch.edges, counts, wanted)
    chosen = sites.parts(batch.chosen(Strings(batch.codes, starts, ends), taken))
    chosen.sites = sites
    written = sites.write(chosen) if sites.write else repeated("", len(chosen))
    if batch.codes.dtype == np.uint8:
        written = narrowed(written)
    edits, edit_counts = Edits(chosen.texts.starts, chosen.texts.ends, written), taken
    changing = edits.changing(batch.texts)
    if scope.unwritten is not None:
        changing &= ~holding(edits.replacements, scope.unwritten)
    if not every(changing):
        edits = edits.keep(changing)
        edit_counts = batch.count(sites.holding(edits.starts))
    if sites.follow_up_edits is not None:
        others = Edits(*sites.follow_up_edits(chosen))
        if blocked is not None:
            others = others.keep(~touching(blocked, others.starts, others.ends))
        edits = edits.merged(others)
    notes = cache(partial(sites.note, chosen)) if sites.note else dict
    return edits, taken, edit_counts, notes


def _why(action: Action, sites: Int64, free: Int64, wanted: Int64, edits: Int64) -> Reasons:
    """Return why each text has no edit, if it has none."""
    if every(edits):
        return np.zeros(len(edits), np.uint8)
    reasons = np.full(len(edits), P_IS_0 if action.p == 0 else DREW_ZERO, np.uint8)
    reasons[wanted > 0] = FILTERED
    reasons[free == 0] = PROTECTED
    reasons[sites == 0] = NO_SITE
    reasons[edits > 0] = CHANGED
    return reasons


def _blocked(batch: Batch, placement: Placement, scope: Scope) -> Bool | None:
    """Mark the code points that no edit may touch; None if there are none."""
    skips = skipped(batch, placement) if placement != EVERYWHERE else None
    if scope.protect is None and scope.only is None and skips is None:
        return None
    blocked = blocked_by(scope, batch.texts)
    return blocked if skips is None else blocked | skips


def blocked_by(scope: Scope, texts: Strings) -> Bool:
    """Mark the code points of texts that no edit may touch."""
    size = len(texts.codes)
    blocked = np.zeros(size, np.bool_) if scope.only is None else ~scope.only.mask(size)
    if scope.protect is not None:
        blocked |= scope.protect.mask(size)
    blocked[0] = False
    blocked[texts.ends] = False
    return blocked


def _wanted(batch: Batch, action: Action, units: Int64) -> Int64:
    """Return the number of edits per text: share * units, rounded at random, exact on average."""
    counts: Int64
    share: float | Float64 | None = action.share
    if share is not None and action.spread:
        share = drawn_rates(batch.keys, float(share), action.spread)
    if share is None:
        counts = np.full(len(units), action.count)
    elif len(units) == 1 and not isinstance(share, np.ndarray):
        draw = hash32_of_one(int(batch.keys[0]), 0, COUNT) * 2.0**-32
        counts = np.array([int(share * int(units[0]) + draw)])
    else:
        drawn = uniform(hash32(batch.keys, np.zeros(len(units), np.intp), COUNT))
        counts = (share * units + drawn).astype(np.intp)
    if action.min_edits:
        counts = np.maximum(counts, action.min_edits)
    if action.max_edits is not None:
        counts = np.minimum(counts, action.max_edits)
    return counts
