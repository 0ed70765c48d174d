"""Run the engine over texts, batch by batch, and keep what it did as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import cast

from perturb.engine import allocator
from perturb.engine.one_text import SingleOutcome, SingleStep
from perturb.engine.protection import Rules, Span
from perturb.engine.run import run
from perturb.engine.scope import Scope, Spans
from perturb.engine.text.strings import Strings
from perturb.records.batch import RecordBatch
from perturb.records.record import Record
from perturb.records.record_list import RecordList
from perturb.records.run_config import RunConfig
from perturb.records.texts import Texts, cut_into_batches


def perturb_texts(texts: Texts, config: RunConfig) -> RecordList:
    """Perturb many texts, and return the record of each, in order.

    Raises:
        DataError: an edit touched a span and the policy is to refuse.
    """
    made = RecordList(repeat(cast(Record, None), len(texts.texts)))
    for rows, batch in perturb_batches(texts, config):
        records = map(Record, repeat(batch), range(len(rows)))
        for row, record in zip(rows, records, strict=True):
            made[row] = record
    return made


def perturb_batches(texts: Texts, config: RunConfig) -> Iterator[tuple[list[int], RecordBatch]]:
    """Perturb many texts, batch by batch.

    Yields:
        The rows of the texts of a batch, and their records.
    """
    allocator.keep()
    for rows in cut_into_batches(texts.texts):
        yield rows, perturb_batch(texts.take(rows), config)


def perturb_batch(texts: Texts, config: RunConfig) -> RecordBatch:
    """Perturb texts that are one batch.

    Raises:
        DataError: an edit touched a span and the policy is to refuse.
    """
    if len(texts.texts) == 1 and config.single is not None:
        single = _single(texts, config.single)
        if single is not None:
            return RecordBatch(texts, config, single)
    source = Strings.of_texts(texts.texts)
    spans = None if texts.spans is None else _spans(source, Rules(), texts.texts, texts.spans)
    scope = _scope(source, texts, config)
    outcome = run(source, texts.keys(), config.stages, scope, spans, config.replicate)
    return RecordBatch(texts, config, outcome)


def _single(texts: Texts, step: SingleStep) -> SingleOutcome | None:
    """Perturb one text by a kernel of its own, where nothing is to be protected or carried."""
    if texts.protect is not None or texts.only is not None or texts.spans is not None:
        return None
    key = int(texts.keys()[0]) if texts.ids is not None else None
    return step.perform(texts.texts[0], key)


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
