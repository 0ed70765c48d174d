"""The loop over the steps; the edits of all are composed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.edits import Edits, compose
from perturb.engine.scope import Scope, Spans
from perturb.engine.step import CANCELLED_OUT, CHANGED, NOT_TAKEN, Action, Reasons, Tally, perform
from perturb.engine.text.strings import Strings, packed, repeated, same
from perturb.rng import mix64
from perturb.values.arrays import Bool, Int64, UInt64

if TYPE_CHECKING:
    from perturb.engine.gates import Gate


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


_NONE = np.zeros(0, np.int64)
_NO_EDITS = Edits(_NONE, _NONE, repeated("", 0))
_NOTHING = Tally(*(_NONE, _NONE, _NONE, _NONE), np.zeros(0, np.bool_), np.zeros(0, np.uint8), {})


class Outcome:
    """The result of a run on a batch.

    Attributes:
        source: the texts before.
        result: the texts after.
        edits: the edits from `source` to `result`.
        tallies: one for each step.
        reasons: shape (texts,); 0 where the text changed, else why not (`REASONS`).
        spans: the caller's spans in `result`.
    """

    __slots__ = ("edits", "reasons", "result", "source", "spans", "tallies")

    def __init__(
        self,
        source: Strings,
        result: Strings,
        edits: Edits,
        tallies: tuple[Tally, ...],
        reasons: Reasons,
        spans: Spans | None,
    ) -> None:
        self.source = source
        self.result = result
        self.edits = edits
        self.tallies = tallies
        self.reasons = reasons
        self.spans = spans

    def texts(self, originals: Sequence[str]) -> list[str]:
        """Return the texts after; those that are unchanged are the originals themselves."""
        texts = self.result.to_texts()
        for row in self.reasons.nonzero()[0].tolist():
            texts[row] = originals[row]
        return texts

    def edit_columns(self) -> tuple[list[int], list[int], list[str]]:
        """Return the starts and the ends of all edits in their texts, and what they write."""
        base = self.source.starts.repeat(self.edits.per_text(self.source))
        written = self.edits.replacements
        return (
            (self.edits.starts - base).tolist(),
            (self.edits.ends - base).tolist(),
            packed(written.flat(), written.lengths).to_list(),
        )

    def edit_ends(self) -> list[int]:
        """Return for each text the number of edits in it and in the texts before it."""
        ends: list[int] = np.cumsum(self.edits.per_text(self.source)).tolist()
        return ends


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
        scope: the limits of the edits.
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
    undone = _undone(texts, now, edits)
    if len(undone):
        reasons = reasons.copy()
        reasons[undone] = CANCELLED_OUT
        kept = np.ones(len(texts), np.bool_)
        kept[undone] = False
        edits = edits.keep(kept.repeat(edits.per_text(texts)))
    return Outcome(texts, now, edits, tuple(tallies), reasons, spans)


def _rounds(stages: Sequence[Stage], keys: UInt64) -> Iterator[list[tuple[Stage, Bool | None]]]:
    """Group the stages into rounds, so that a text takes at most one stage of a round.

    Each stage comes with the texts that take it (None: all). The edits of a round are applied at
    once, so that one step of ten does not cost ten copies.
    """
    together: list[tuple[Stage, Bool | None]] = []
    busy: Bool | None = None
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
    taken: Bool | None,
    scope: Scope,
    replicate: int,
) -> tuple[Edits, Tally]:
    """Perform a step on the texts that take it, packed together; the others cost nothing."""
    if taken is None:
        return perform(Batch(texts, mix64(keys, stage.stream), replicate), stage.action, scope)
    rows = np.flatnonzero(taken)
    if not len(rows):
        return _NO_EDITS, _NOTHING.spread(rows, len(keys))
    part = texts.apart(rows)
    batch = Batch(part, mix64(keys[rows], stage.stream), replicate)
    own, tally = perform(batch, stage.action, scope.of_rows(texts, rows, part))
    moved = np.repeat(texts.starts[rows] - part.starts, own.per_text(part))
    own = Edits(own.starts + moved, own.ends + moved, own.replacements)
    return own, tally.spread(rows, len(keys))


def _undone(before: Strings, after: Strings, edits: Edits) -> Int64:
    """Return the texts that have edits and are the same after all of them.

    Edits that keep the length can't undo each other, since each changes its own place.
    """
    if not len(edits) or edits.one_for_one is not None:
        return _NONE
    counts = edits.per_text(before)
    growth = edits.growth()
    ends = np.cumsum(counts)
    grown = np.concatenate([[0], np.cumsum(growth)])
    uneven = np.concatenate([[0], np.cumsum(growth != 0)])
    even = grown[ends] == grown[ends - counts]
    rows = np.flatnonzero(even & (uneven[ends] > uneven[ends - counts]))
    # Most differ at their first edit.
    first = edits.starts[ends[rows] - counts[rows]]
    moved = first - before.starts[rows] + after.starts[rows]
    rows = rows[before.codes[first] == after.codes[moved]]
    undone: Int64 = rows[same(before.take(rows), after.take(rows))]
    return undone


def _reasons(texts: Strings, edits: Edits, tallies: list[Tally]) -> Reasons:
    """Return why each text is unchanged: its first step's reason, or that steps undid others."""
    if len(tallies) == 1:
        return tallies[0].reasons
    reasons = tallies[-1].reasons
    for tally in tallies[-2::-1]:
        reasons = np.where(tally.reasons == NOT_TAKEN, reasons, tally.reasons)
    undone = np.any([tally.edits > 0 for tally in tallies], axis=0)
    reasons = np.where(undone, CANCELLED_OUT, reasons)
    return np.where(edits.per_text(texts) > 0, CHANGED, reasons).astype(np.uint8)
