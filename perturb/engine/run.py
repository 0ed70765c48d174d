"""The loop over the steps, which composes their edits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from perturb.engine.answers import led
from perturb.engine.batch import Batch
from perturb.engine.edits import Edits, compose
from perturb.engine.scope import Scope, Spans
from perturb.engine.step import (
    CANCELLED_OUT,
    CHANGED,
    NO_SITE,
    NOT_TAKEN,
    Action,
    Reasons,
    Tally,
    perform,
)
from perturb.engine.text.strings import GAP, Strings, every, packed, repeated, same
from perturb.rng import mix64
from perturb.values.arrays import Bool, Int64, UInt64

if TYPE_CHECKING:
    from perturb.engine.gates import Gate


class Stage(NamedTuple):
    """A step in its place.

    Attributes:
        action: the step.
        stream: the number of its stream of draws.
        gates: a text takes the step if all gates are open to it.
        field: the number of the field whose texts take the step; None for all.
    """

    action: Action
    stream: int
    gates: tuple[Gate, ...] = ()
    field: int | None = None


class Rows(NamedTuple):
    """The rows of data that the texts of a batch belong to; texts of one row are adjacent.

    Attributes:
        heads: shape (texts,); whether each text is the first of its row.
        keys: shape (texts,); the key of each text's row.
        fields: shape (texts,); the number of the field that each text is of; -1 for those that
            only consistent steps may change, since they are right answers. None where all texts
            take all steps.
        options: shape (texts,); the followers that hold options. Steps on options take these
            alone. None where these look for options in all texts.
    """

    heads: Bool
    keys: UInt64
    fields: Int64 | None = None
    options: Bool | None = None

    @property
    def answers(self) -> Bool | None:
        """Which texts are right answers; None if no text is."""
        if self.fields is None:
            return None
        answers: Bool = (
            self.fields < 0 if self.options is None else (self.fields < 0) & ~self.options
        )
        return answers if answers.any() else None


_NONE = np.zeros(0, np.intp)
_NO_EDITS = Edits(_NONE, _NONE, repeated("", 0))
_NOTHING = Tally(_NONE, _NONE, _NONE, _NONE, np.zeros(0, np.bool_), np.zeros(0, np.uint8), dict)


class Outcome(NamedTuple):
    """The result of a run on a batch.

    Attributes:
        source: the texts before.
        result: the texts after.
        edits: the edits from `source` to `result`.
        tallies: one for each step. The counts of a consistent step in a row are those of the row's
            first text; the reasons are those of each text.
        reasons: shape (texts,); 0 where the text changed, else why not (`REASONS`).
        spans: the caller's spans in `result`.
    """

    source: Strings
    result: Strings
    edits: Edits
    tallies: tuple[Tally, ...]
    reasons: Reasons
    spans: Spans | None

    def texts(self, originals: Sequence[str]) -> list[str]:
        """Return the texts after; unchanged ones are the originals themselves."""
        texts = self.result.to_texts()
        for row in self.reasons.nonzero()[0].tolist():
            texts[row] = originals[row]
        return texts

    def edit_columns(self) -> tuple[list[int], list[int], list[str], list[str]]:
        """Return the starts and ends of all edits in their texts, and both strings of each."""
        base = self.source.starts.repeat(self.edits.per_text(self.source))
        strings = self.edits.replacements
        removed = Strings(self.source.codes, self.edits.starts, self.edits.ends)
        return (
            (self.edits.starts - base).tolist(),
            (self.edits.ends - base).tolist(),
            packed(strings.flat(), strings.lengths).to_list(),
            packed(removed.flat(), removed.lengths).to_list(),
        )

    def edit_ends(self) -> list[int]:
        """Return the number of edits up to the end of each text."""
        ends: list[int] = np.cumsum(self.edits.per_text(self.source)).tolist()
        return ends


def run(
    texts: Strings,
    keys: UInt64,
    stages: Sequence[Stage],
    scope: Scope,
    spans: Spans | None = None,
    replicate: int = 0,
    rows: Rows | None = None,
    lists: Bool | None = None,
    beside: Any = None,
) -> Outcome:
    """Put a batch through the steps.

    All texts of a row take a step, or none. To a consistent step they are one text, with the row's
    key: they are joined by `GAP`, which no edit touches. Other steps see each text alone.

    Args:
        texts: the texts, as `Strings.of_texts` gives them.
        keys: shape (texts,); the key of each text.
        stages: the steps, in order.
        scope: the limits of the edits.
        spans: spans to carry along.
        replicate: which of several versions of the texts this is.
        rows: the rows that the texts belong to; None where each text is a row with its own key.
        lists: shape (texts,); the texts whose lines are the items of a list. None for no text.
        beside: see `Batch`.
    """
    now = texts
    edits = _NO_EDITS
    tallies = []
    for together in _rounds(stages, keys, rows):
        round_edits = _NO_EDITS
        for stage, taken in together:
            of_stage, tally = _stage(now, keys, stage, taken, scope, replicate, rows, lists, beside)
            round_edits = of_stage.merged(round_edits)
            tallies.append(tally)
        if not len(round_edits):
            continue
        after = round_edits.apply(now)
        edits = compose(edits, round_edits, texts, after)
        if together[-1][0] is not stages[-1]:  # else no step comes that would ask
            scope = scope.carried(round_edits)
        spans, now = spans and spans.carried(round_edits, now), after
    reasons = _reasons(texts, edits, tallies)
    undone = _undone(texts, now, edits)
    if len(undone):
        reasons = reasons.copy()
        reasons[undone] = CANCELLED_OUT
        stays = np.ones(len(texts), np.bool_)
        stays[undone] = False
        edits = edits.keep(stays.repeat(edits.per_text(texts)))
    return Outcome(texts, now, edits, tuple(tallies), reasons, spans)


def _rounds(
    stages: Sequence[Stage], keys: UInt64, rows: Rows | None
) -> Iterator[list[tuple[Stage, Bool | None]]]:
    """Group the stages into rounds, so that a text takes at most one stage of a round.

    Each stage comes with the texts that take it (None: all). The edits of a round are applied at
    once, so that one step of ten does not cost ten copies.
    """
    together: list[tuple[Stage, Bool | None]] = []
    busy: Bool | None = None
    for stage in stages:
        taken = _taken(stage, keys, rows)
        if taken is not None and busy is not None and not (taken & busy).any():
            busy = taken | busy
        else:
            if together:
                yield together
            together, busy = [], taken
        together.append((stage, taken))
    yield together


def _taken(stage: Stage, keys: UInt64, rows: Rows | None) -> Bool | None:
    """Mark the texts that take a stage; None for all."""
    conditions = [gate.open(keys if rows is None else rows.keys) for gate in stage.gates]
    if rows is not None and rows.options is not None and stage.action.on_options:
        conditions.append(rows.options)
    elif rows is not None and rows.fields is not None:
        follows, number = rows.fields < 0, stage.field
        if number is not None:
            # Where a consistent step rewrites a text, the right answer goes along.
            conditions.append((rows.fields == number) | (follows & stage.action.consistent))
        elif not stage.action.consistent:
            conditions.append(~follows)
    return np.all(conditions, axis=0) if conditions else None


def _stage(
    texts: Strings,
    keys: UInt64,
    stage: Stage,
    taken: Bool | None,
    scope: Scope,
    replicate: int,
    rows: Rows | None,
    lists: Bool | None,
    beside: Any,
) -> tuple[Edits, Tally]:
    """Perform a step on the texts that take it, packed together so that others cost nothing."""
    heads = answers = None
    if rows is not None and stage.action.consistent:
        keys, heads, answers = rows.keys, rows.heads, rows.answers
    if taken is None and answers is None and (heads is None or every(heads)):
        batch = Batch(texts, mix64(keys, stage.stream), replicate, lists, beside)
        return perform(batch, stage.action, scope)
    rows_taken = np.arange(len(texts)) if taken is None else np.flatnonzero(taken)
    if not len(rows_taken):
        return _NO_EDITS, _NOTHING.spread(rows_taken, len(keys))
    part = texts if taken is None else texts.apart(rows_taken)
    firsts, seen = rows_taken, part
    if heads is not None:
        row_of = np.cumsum(heads)[rows_taken]
        inner = np.append(False, row_of[1:] == row_of[:-1])
        firsts, part = rows_taken[~inner], part.joined(inner)
        seen = Strings(part.codes, part.starts[~inner], part.ends[np.append(~inner[1:], True)])
    protected, scope = scope.protect, scope.of_rows(texts, rows_taken, part)
    if len(firsts) < len(rows_taken):
        scope = scope.outside(part.starts[inner] - len(GAP), part.starts[inner])
    if lists is not None:  # joined texts aren't a list
        lists = lists[firsts] if len(firsts) == len(rows_taken) else None
    own = None if beside is None else beside[firsts]
    batch = Batch(seen, mix64(keys[firsts], stage.stream), replicate, lists, own)
    edits, tally = perform(batch, stage.action, scope)
    counts = edits.per_text(part)
    moved = np.repeat(texts.starts[rows_taken] - part.starts, counts)
    edits = Edits(edits.starts + moved, edits.ends + moved, edits.replacements)
    if answers is not None and rows is not None:
        row_in: Int64 = np.cumsum(rows.heads)
        leads = np.isin(row_in, row_in[firsts[[*tally.notes()]]])
        edits = led(edits, texts, answers, row_in, leads, protected)
        counts = edits.per_text(texts)[rows_taken]
        alone = np.add.reduceat(counts, np.flatnonzero(~inner)) == 0
        alone &= tally.reasons == CHANGED
        tally.sites[alone] = tally.edits[alone] = 0
        tally.reasons[alone] = NO_SITE
    spread = tally.spread(firsts, len(keys))
    if len(firsts) < len(rows_taken):
        of_row = tally.reasons[np.cumsum(~inner) - 1]
        spread.reasons[rows_taken] = np.where((of_row == CHANGED) & (counts == 0), NO_SITE, of_row)
    return edits, spread


def _undone(before: Strings, after: Strings, edits: Edits) -> Int64:
    """Return the texts that have edits and are the same afterwards.

    Edits that keep the length can't undo each other, since each changes its own place.
    """
    if not len(edits) or edits.one_for_one is not None:
        return _NONE
    if len(before.starts) == 1 and len(before.codes) != len(after.codes):
        return _NONE
    counts = edits.per_text(before)
    ends = np.cumsum(counts)
    grown = np.append(0, np.cumsum(edits.growth()))
    rows = np.flatnonzero((counts > 0) & (grown[ends] == grown[ends - counts]))
    # Most differ at their first edit.
    first = edits.starts[ends[rows] - counts[rows]]
    moved = first - before.starts[rows] + after.starts[rows]
    rows = rows[before.codes[first] == after.codes[moved]]
    undone: Int64 = rows[same(before.take(rows), after.take(rows))]
    return undone


def _reasons(texts: Strings, edits: Edits, tallies: list[Tally]) -> Reasons:
    """Return why each text is unchanged: its first step's reason, or undone edits."""
    if len(tallies) == 1:
        return tallies[0].reasons
    reasons = tallies[-1].reasons
    for tally in tallies[-2::-1]:
        reasons = np.where(tally.reasons == NOT_TAKEN, reasons, tally.reasons)
    undone = np.any([tally.reasons == CHANGED for tally in tallies], axis=0)
    reasons = np.where(undone, CANCELLED_OUT, reasons)
    return np.where(edits.per_text(texts) > 0, CHANGED, reasons).astype(np.uint8)
