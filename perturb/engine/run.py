"""The loop: every step finds sites, chooses, writes; the edits of all steps are composed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from perturb.draws import Int64, UInt64, hash32, hash32_of_one, mix64, uniform
from perturb.engine.batch import Batch
from perturb.engine.characters import CharacterSet
from perturb.engine.choice import choose
from perturb.engine.edits import Edits, compose
from perturb.engine.gates import Gate
from perturb.engine.sites import COUNT, Sites, covered, touching
from perturb.engine.skip import skipped
from perturb.engine.strings import Strings, every, repeated

# Why a text was left as it was, by number; the contract fixes the words.
REASONS = (
    *("", "no site", "protected", "drew zero", "p is 0", "filtered", "cancelled out"),
    "not taken",
)
CHANGED, NO_SITE, PROTECTED, DREW_ZERO, P_IS_0, FILTERED, CANCELLED_OUT, NOT_TAKEN = range(
    len(REASONS)
)

Reasons = NDArray[np.uint8]
Mask = NDArray[np.bool_]


class Action(Protocol):
    """One step, as the engine sees it."""

    @property
    def p(self) -> float | None:
        """The strength, in [0, 1]; None where `count` is given."""

    @property
    def share(self) -> float | None:
        """The share of the units to edit, in [0, 1], which never falls as `p` grows."""

    @property
    def count(self) -> int | None:
        """The number of edits a text, in place of a share."""

    @property
    def min_edits(self) -> int:
        """The fewest edits a text, sites permitting."""

    @property
    def max_edits(self) -> int | None:
        """The most edits a text."""

    @property
    def skip_first(self) -> int:
        """How many words at the start of a text stay."""

    @property
    def skip_last(self) -> int:
        """How many words at the end of a text stay."""

    @property
    def min_word_length(self) -> int:
        """Words of fewer characters stay."""

    def sites(self, batch: Batch) -> Sites:
        """Where the step may act."""


class Stage(NamedTuple):
    """A step in its place.

    Attributes:
        action: the step.
        stream: the number of its stream of draws.
        gates: a text takes the step if all of them are open to it.
    """

    action: Action
    stream: int
    gates: tuple[Gate, ...] = ()


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

    def of_rows(self, texts: Strings, rows: Int64, part: Strings) -> Spans:
        """The spans of the texts at `rows`, which `part` holds in the same order."""
        text = np.searchsorted(texts.starts, self.starts, "right") - 1
        place = np.minimum(np.searchsorted(rows, text), len(rows) - 1)
        (here,) = np.nonzero(rows[place] == text)
        moved = (part.starts - texts.starts[rows])[place[here]]
        return Spans(self.starts[here] + moved, self.ends[here] + moved, self.touched[here])

    def mask(self, size: int) -> NDArray[np.bool_]:
        """Which of `size` code points lie in a span."""
        return covered(self.starts, self.ends, size)


class Scope(NamedTuple):
    """What edits may do to the texts of a batch.

    Attributes:
        protect: where no edit may be; None for nowhere.
        only: where alone edits may be; None for everywhere.
        unwritten: an edit that would write one of these characters is not made.
    """

    protect: Spans | None = None
    only: Spans | None = None
    unwritten: CharacterSet | None = None

    def of_rows(self, texts: Strings, rows: Int64, part: Strings) -> Scope:
        """The scope of the texts at `rows`, which `part` holds in the same order."""
        protect, only = (s and s.of_rows(texts, rows, part) for s in (self.protect, self.only))
        return Scope(protect, only, self.unwritten)

    def carried(self, edits: Edits) -> Scope:
        """The scope in the texts after `edits`."""
        if self.protect is None and self.only is None:
            return self
        protect, only = (s and s.carried(edits) for s in (self.protect, self.only))
        return Scope(protect, only, self.unwritten)


@dataclass(slots=True)
class Tally:
    """What one step did with each text; every array has shape (texts,).

    Attributes:
        units: of how many units the share is one.
        sites: at how many places it could act.
        edits: at how many it did.
        reasons: why it did not, where it did at none.
        notes: what the perturbator has to say beyond that, by the number of the text.
    """

    units: Int64
    sites: Int64
    edits: Int64
    reasons: Reasons
    notes: Mapping[int, Mapping[str, Any]]

    def spread(self, rows: Int64, texts: int) -> Tally:
        """The tally of `texts` texts where only those at `rows` took the step."""
        units, sites, edits = np.zeros((3, texts), np.int64)
        reasons = np.full(texts, NOT_TAKEN, np.uint8)
        units[rows], sites[rows], edits[rows] = self.units, self.sites, self.edits
        reasons[rows] = self.reasons
        notes = {int(rows[row]): note for row, note in self.notes.items()}
        return Tally(units, sites, edits, reasons, notes)


_NONE = np.zeros(0, np.int64)
_NO_EDITS = Edits(_NONE, _NONE, repeated("", 0))
_NOTHING = Tally(_NONE, _NONE, _NONE, np.zeros(0, np.uint8), {})


@dataclass(slots=True)
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
    stages: Sequence[Stage],
    scope: Scope,
    spans: Spans | None = None,
    replicate: int = 0,
) -> Outcome:
    """Put a batch through the steps.

    Args:
        texts: the texts, as `Strings.of_texts` gives them.
        keys: shape (texts,); the key of each record.
        stages: the steps, in order.
        scope: what edits may do.
        spans: spans to carry along.
        replicate: which of several versions of the texts this is.
    """
    now = texts
    edits = _NO_EDITS
    tallies = []
    for together in _rounds(stages, keys):
        own = _NO_EDITS
        for stage, taken in together:
            of_stage, tally = _stage(now, keys, stage, taken, scope, replicate)
            own = of_stage.merged(own)
            tallies.append(tally)
        if not len(own):
            continue
        after = own.apply(now)
        edits = compose(edits, own, texts, after)
        scope, spans, now = scope.carried(own), spans and spans.carried(own), after
    reasons = _reasons(texts, edits, tallies)
    return Outcome(texts, now, edits, tuple(tallies), reasons, spans)


def _rounds(stages: Sequence[Stage], keys: UInt64) -> Iterator[list[tuple[Stage, Mask | None]]]:
    """Stages that no text takes two of, each with the texts that take it (None: all).

    What the stages of a round write is written at once, so that one step of ten is not ten copies.
    """
    together: list[tuple[Stage, Mask | None]] = []
    busy: Mask | None = None
    for stage in stages:
        taken = np.all([gate.open(keys) for gate in stage.gates], axis=0) if stage.gates else None
        if taken is not None and busy is not None and not (taken & busy).any():
            busy = taken | busy
        else:
            if together:
                yield together
            together, busy = [], taken
        together.append((stage, taken))
    yield together


def _stage(
    texts: Strings,
    keys: UInt64,
    stage: Stage,
    taken: Mask | None,
    scope: Scope,
    replicate: int,
) -> tuple[Edits, Tally]:
    """A step on the texts that take it, which are packed together; the others it costs nothing."""
    if taken is None:
        return _step(Batch(texts, mix64(keys, stage.stream), replicate), stage.action, scope)
    rows = np.flatnonzero(taken)
    if not len(rows):
        return _NO_EDITS, _NOTHING.spread(rows, len(keys))
    part = texts.apart(rows)
    batch = Batch(part, mix64(keys[rows], stage.stream), replicate)
    own, tally = _step(batch, stage.action, scope.of_rows(texts, rows, part))
    moved = np.repeat(texts.starts[rows] - part.starts, own.per_text(part))
    own = Edits(own.starts + moved, own.ends + moved, own.replacements)
    return own, tally.spread(rows, len(keys))


def _step(batch: Batch, action: Action, scope: Scope) -> tuple[Edits, Tally]:
    within = None if scope.only is None else scope.only.mask(len(batch.codes))
    sites = action.sites(batch)
    if batch.boundaries is not None:
        sites = sites.whole(batch.boundaries)
    units = _units(batch, sites, within)
    free = sites
    found = counts = sites.count(batch.edges)
    blocked = _blocked(batch, action, scope.protect, within)
    if blocked is not None:
        free = sites.free(blocked)
        counts = free.count(batch.edges)
    wanted = np.minimum(_wanted(batch, action, units), counts)
    spans = Strings(batch.codes, *choose(free, batch.keys, batch.edges, counts, wanted))
    chosen = free.parts(batch.chosen(spans))
    written = free.write(chosen) if free.write else repeated("", len(chosen))
    edits = Edits(chosen.texts.starts, chosen.texts.ends, written)
    changing = edits.changing(batch.texts)
    if scope.unwritten is not None:
        changing &= ~edits.writing(scope.unwritten)
    if not every(changing):
        edits = edits.keep(changing)
    made = batch.count(free.holding(edits.starts))
    if free.mend is not None:
        edits = _mended(edits, Edits(*free.mend(chosen)), blocked)
    reasons = _why(action, found, counts, wanted, made)
    notes = free.note(chosen) if free.note else {}
    return edits, Tally(units, counts, made, reasons, notes)


def _units(batch: Batch, sites: Sites, scope: NDArray[np.bool_] | None) -> Int64:
    """Of how many units of each text the share is one."""
    if sites.unit != "place":
        return batch.units(sites.unit, scope)
    if scope is None:
        return sites.count(batch.edges)
    return batch.count(sites.starts[scope[sites.starts]])


def _why(action: Action, found: Int64, free: Int64, wanted: Int64, made: Int64) -> Reasons:
    """Why each text has no edit, if it has none."""
    if every(made):
        return np.zeros(len(made), np.uint8)
    reasons = np.full(len(made), P_IS_0 if action.p == 0 else DREW_ZERO, np.uint8)
    reasons[wanted > 0] = FILTERED
    reasons[free == 0] = PROTECTED
    reasons[found == 0] = NO_SITE
    reasons[made > 0] = CHANGED
    return reasons


def _blocked(
    batch: Batch, action: Action, protect: Spans | None, within: NDArray[np.bool_] | None
) -> NDArray[np.bool_] | None:
    """Which code points are protected; None if none is."""
    skips = skipped(batch, action.skip_first, action.skip_last, action.min_word_length)
    if protect is None and within is None and skips is None:
        return None
    blocked = np.zeros(len(batch.codes), np.bool_) if within is None else ~within
    if protect is not None:
        blocked |= protect.mask(len(batch.codes))
    if skips is not None:
        blocked |= skips
    blocked[0] = False
    blocked[batch.texts.ends] = False
    return blocked


def _mended(edits: Edits, mends: Edits, blocked: NDArray[np.bool_] | None) -> Edits:
    """The edits with the further ones that they ask for, as far as these may be made."""
    if blocked is not None:
        mends = mends.keep(~touching(blocked, mends.starts, mends.ends))
    return edits.merged(mends)


def _wanted(batch: Batch, action: Action, units: Int64) -> Int64:
    """How many edits each text is to have: share * units, rounded by chance to stay exact."""
    wanted: Int64
    share = action.share
    if share is None:
        wanted = np.full(len(units), action.count)
    else:
        wanted = _rounded(share, units, batch.keys)
    if action.min_edits:
        wanted = np.maximum(wanted, action.min_edits)
    if action.max_edits is not None:
        wanted = np.minimum(wanted, action.max_edits)
    return wanted


def _rounded(share: float, units: Int64, keys: UInt64) -> Int64:
    """Shares of units as whole numbers, up or down by chance."""
    if len(units) == 1:
        once = hash32_of_one(int(keys[0]), 0, COUNT) * 2.0**-32
        return np.array([int(share * int(units[0]) + once)])
    drawn = uniform(hash32(keys, np.zeros(len(units), np.int64), COUNT))
    return (share * units + drawn).astype(np.int64)


def _reasons(texts: Strings, edits: Edits, tallies: list[Tally]) -> Reasons:
    """Why each text is as it was: what the first step it took said, or that steps undid others."""
    if len(tallies) == 1:
        return tallies[0].reasons
    reasons = tallies[-1].reasons
    for tally in tallies[-2::-1]:
        reasons = np.where(tally.reasons == NOT_TAKEN, reasons, tally.reasons)
    undone = np.any([tally.edits > 0 for tally in tallies], axis=0)
    reasons = np.where(undone, CANCELLED_OUT, reasons)
    return np.where(edits.per_text(texts) > 0, CHANGED, reasons).astype(np.uint8)
