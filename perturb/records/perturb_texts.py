"""Run the engine over texts, batch by batch, and keep what it did as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import TYPE_CHECKING

from perturb.engine import allocator
from perturb.engine.one_text import SingleOutcome
from perturb.engine.planned import PlannedStep
from perturb.engine.protection import Rules, Span
from perturb.engine.run import Outcome, run
from perturb.engine.scope import Scope, Spans
from perturb.engine.text.strings import Strings
from perturb.records.batch import RecordBatch
from perturb.records.run_config import RunConfig
from perturb.records.texts import Texts, in_order, places_in_order
from perturb.values.arrays import Int64

if TYPE_CHECKING:
    from perturb.records.record_list import RecordList


def perturb_texts(texts: Texts, config: RunConfig) -> RecordList:
    """Perturb many texts, and return the record of each, in order.

    Raises:
        DataError: an edit touched a span and the policy is to refuse.
    """
    from perturb.records.record import Record  # rows have records as JSON alone
    from perturb.records.record_list import RecordList

    order: list[Int64] = []
    made: list[Record] = []
    for rows, batch in perturb_batches(texts, config):
        order.append(rows)
        made += map(Record, repeat(batch), range(len(rows)))
    return RecordList(*in_order(places_in_order(order), made))


def perturb_batches(
    texts: Texts, config: RunConfig, decoded: bool = True
) -> Iterator[tuple[Int64, RecordBatch]]:
    """Perturb many texts, batch by batch.

    Args:
        texts: the texts.
        config: what they have in common.
        decoded: whether they are asked for as strings afterwards.

    Yields:
        The rows of the texts of a batch, and their records.
    """
    allocator.keep()
    for rows, batch in texts.batches:
        step = _planned(batch, config)
        left = None if step is None else step.leaves(batch.source)
        if left is None:
            yield rows, perturb_batch(batch, config, decoded)
            continue
        for mask in (~left, left):
            yield rows[mask], perturb_batch(batch.where(mask), config, decoded)


def perturb_batch(texts: Texts, config: RunConfig, decoded: bool = True) -> RecordBatch:
    """Perturb texts that are one batch; see `perturb_batches`.

    Raises:
        DataError: an edit touched a span and the policy is to refuse.
    """
    step = _planned(texts, config)
    return RecordBatch(texts, config, _one(texts, step) or _many(texts, step, config), decoded)


def _planned(texts: Texts, config: RunConfig) -> PlannedStep | None:
    """Return the step that is all that is done with the texts, if one kernel can do it."""
    if texts.protect is not None or texts.only is not None or texts.spans is not None:
        return None
    return config.planned


def _one(texts: Texts, step: PlannedStep | None) -> SingleOutcome | None:
    """Perturb one text by a kernel of its own, where that can."""
    if step is None or len(texts) > 1:
        return None
    return step.perform_one(texts.texts[0], None if texts.ids is None else int(texts.keys[0]))


def _many(texts: Texts, step: PlannedStep | None, config: RunConfig) -> Outcome:
    """Perturb texts by one kernel where that can do all, else by the engine."""
    source = texts.source
    done = None if step is None else step.perform(source, texts.keys)
    if done is not None:
        return done
    spans = None if texts.spans is None else _spans(source, Rules(), texts.texts, texts.spans)
    scope = _scope(source, texts, config)
    return run(source, texts.keys, config.stages, scope, spans, config.replicate)


def _scope(source: Strings, texts: Texts, config: RunConfig) -> Scope:
    """Return what edits may do."""
    protect = only = unwritten = None
    if config.protect or texts.protect is not None:
        protect = _spans(source, config.protect, texts.texts, texts.protect)
    if config.only is not None:
        only = _spans(source, config.only, texts.texts, texts.only)
        unwritten = config.only.unwritten
    return Scope(protect, only, unwritten)


def _spans(
    source: Strings,
    rules: Rules,
    texts: Sequence[str],
    offsets: Sequence[Sequence[Span]] | None,
) -> Spans:
    """Return the spans that the rules name in each text, and those given for it."""
    if offsets is None:
        return Spans.of(source, [rules.spans(text) for text in texts])
    pairs = zip(texts, offsets, strict=True)
    return Spans.of(source, [rules.with_offsets(own).spans(text) for text, own in pairs])
