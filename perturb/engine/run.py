"""The loop: every step finds sites, chooses, writes; the edits of all steps are composed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from perturb.draws import Int64, UInt64, hash32, mix64, uniform
from perturb.engine.batch import Batch
from perturb.engine.edits import Edits, compose
from perturb.engine.sites import COUNT, Sites, choose, touching
from perturb.engine.strings import Strings, repeated

# Why a text was left as it was, by number; the contract fixes the words.
REASONS = ("", "no site", "protected", "drew zero", "p is 0", "filtered", "cancelled out")
CHANGED, NO_SITE, PROTECTED, DREW_ZERO, P_IS_0, FILTERED, CANCELLED_OUT = range(len(REASONS))

Reasons = NDArray[np.uint8]


class Action(Protocol):
    """One step, as the engine sees it."""

    @property
    def p(self) -> float | None:
        """The share of the units to edit, in [0, 1]; None where `count` is given."""

    @property
    def count(self) -> int | None:
        """The number of edits a text, in place of a share."""

    @property
    def min_edits(self) -> int:
        """The fewest edits a text, sites permitting."""

    @property
    def max_edits(self) -> int | None:
        """The most edits a text."""

    def sites(self, batch: Batch) -> Sites:
        """Where the step may act."""


@dataclass(frozen=True, slots=True)
class Spans:
    """Spans of the texts of a batch, carried along by the edits.

    Attributes:
        starts: shape (n,); in code points of the batch, in any order.
        ends: shape (n,).
        touched: shape (n,); whether an edit lay inside or across the border so far.
    """

    starts: Int64
    ends: Int64
    touched: NDArray[np.bool_]

    @classmethod
    def of(cls, texts: Strings, spans: Sequence[Sequence[tuple[int, int]]]) -> Spans:
        """The spans that are given for each text, relative to its start."""
        rows = np.repeat(texts.starts, [len(row) for row in spans])
        flat = np.array([span for row in spans for span in row], np.int64).reshape(-1, 2)
        return cls(rows + flat[:, 0], rows + flat[:, 1], np.zeros(len(flat), np.bool_))

    def carried(self, edits: Edits) -> Spans:
        """The spans in the texts after `edits`."""
        starts, ends, touched = edits.carry(self.starts, self.ends)
        return Spans(starts, ends, touched | self.touched)

    def mask(self, size: int) -> NDArray[np.bool_]:
        """Which of `size` code points lie in a span."""
        change = np.bincount(self.starts, minlength=size + 1)
        change -= np.bincount(self.ends, minlength=size + 1)
        return np.cumsum(change[:size]) > 0


@dataclass(frozen=True, slots=True)
class Tally:
    """What one step did with each text; every array has shape (texts,)."""

    units: Int64
    sites: Int64
    edits: Int64
    reasons: Reasons


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run did to a batch.

    Attributes:
        source: the texts before.
        result: the texts after.
        edits: the edits from `source` to `result`.
        tallies: one for each step.
        reasons: shape (texts,); 0 where the text changed, else why not (`REASONS`).
        spans: the caller's spans in `result`.
    """

    source: Strings
    result: Strings
    edits: Edits
    tallies: tuple[Tally, ...]
    reasons: Reasons
    spans: Spans | None


def run(
    texts: Strings,
    keys: UInt64,
    steps: Sequence[tuple[Action, int]],
    protect: Spans | None = None,
    only: Spans | None = None,
    spans: Spans | None = None,
) -> Outcome:
    """Put a batch through the steps.

    Args:
        texts: the texts, as `Strings.of_texts` gives them.
        keys: shape (texts,); the key of each record.
        steps: each step with the number of its stream of draws.
        protect: where no edit may be.
        only: where alone edits may be.
        spans: spans to carry along.
    """
    now = texts
    none = np.zeros(0, np.int64)
    edits = Edits(none, none, repeated("", 0))
    tallies = []
    for action, stream in steps:
        batch = Batch(now, mix64(keys, stream))
        own, tally = _step(batch, action, protect, only)
        tallies.append(tally)
        if not len(own):
            continue
        after = own.apply(now)
        edits = compose(edits, own, texts, after)
        protect, only, spans = (s and s.carried(own) for s in (protect, only, spans))
        now = after
    reasons = _reasons(texts, edits, tallies)
    return Outcome(texts, now, edits, tuple(tallies), reasons, spans)


def _step(
    batch: Batch, action: Action, protect: Spans | None, only: Spans | None
) -> tuple[Edits, Tally]:
    scope = None if only is None else only.mask(len(batch.codes))
    sites = action.sites(batch)
    if batch.boundaries is not None:
        sites = sites.whole(batch.boundaries)
    units = _units(batch, sites, scope)
    free = sites
    found = counts = sites.count(batch.edges)
    blocked = _blocked(batch, protect, scope)
    if blocked is not None:
        free = sites.free(blocked)
        counts = free.count(batch.edges)
    wanted = np.minimum(_wanted(batch, action, units), counts)
    spans = Strings(batch.codes, *choose(free, batch.keys, batch.edges, counts, wanted))
    chosen = batch.chosen(spans)
    written = free.write(chosen) if free.write else repeated("", len(spans))
    edits = Edits(spans.starts, spans.ends, written)
    changing = edits.changing(batch.texts)
    if not changing.all():
        edits = edits.keep(changing)
    made = batch.count(edits.starts)
    if free.mend is not None:
        edits = _mended(edits, Edits(*free.mend(chosen)), blocked)
    return edits, Tally(units, counts, made, _why(action, found, counts, wanted, made))


def _units(batch: Batch, sites: Sites, scope: NDArray[np.bool_] | None) -> Int64:
    """Of how many units of each text the share is one."""
    if sites.unit != "place":
        return batch.units(sites.unit, scope)
    if scope is None:
        return sites.count(batch.edges)
    return batch.count(sites.starts[scope[sites.starts]])


def _why(action: Action, found: Int64, free: Int64, wanted: Int64, made: Int64) -> Reasons:
    """Why each text has no edit, if it has none."""
    reasons = np.full(len(made), P_IS_0 if action.p == 0 else DREW_ZERO, np.uint8)
    reasons[wanted > 0] = FILTERED
    reasons[free == 0] = PROTECTED
    reasons[found == 0] = NO_SITE
    reasons[made > 0] = CHANGED
    return reasons


def _blocked(
    batch: Batch, protect: Spans | None, scope: NDArray[np.bool_] | None
) -> NDArray[np.bool_] | None:
    """Which code points are protected; None if none is."""
    if protect is None and scope is None:
        return None
    size = len(batch.codes)
    blocked = np.zeros(size, np.bool_) if scope is None else ~scope
    if protect is not None:
        blocked |= protect.mask(size)
    blocked[0] = False
    blocked[batch.texts.ends] = False
    return blocked


def _mended(edits: Edits, mends: Edits, blocked: NDArray[np.bool_] | None) -> Edits:
    """The edits with the further ones that they ask for, as far as these may be made."""
    if blocked is not None:
        mends = mends.keep(~touching(blocked, mends.starts, mends.ends))
    return edits.merged(mends)


def _wanted(batch: Batch, action: Action, units: Int64) -> Int64:
    """How many edits each text is to have: p * units, rounded by chance to stay exact."""
    wanted: Int64
    if action.p is None:
        wanted = np.full(len(units), action.count)
    else:
        u = uniform(hash32(batch.keys, np.zeros(len(units), np.int64), COUNT))
        wanted = (action.p * units + u).astype(np.int64)
    if action.min_edits:
        wanted = np.maximum(wanted, action.min_edits)
    if action.max_edits is not None:
        wanted = np.minimum(wanted, action.max_edits)
    return wanted


def _reasons(texts: Strings, edits: Edits, tallies: list[Tally]) -> Reasons:
    """Why each text is as it was: what its first step said, or that the steps undid each other."""
    if len(tallies) == 1:
        return tallies[0].reasons
    undone = np.any([tally.edits > 0 for tally in tallies], axis=0)
    reasons = np.where(undone, CANCELLED_OUT, tallies[0].reasons)
    return np.where(edits.per_text(texts) > 0, CHANGED, reasons).astype(np.uint8)
