"""Run the engine over texts, batch by batch, and keep its work as records."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from perturb.engine import memory
from perturb.engine.planned import PlannedStep
from perturb.engine.protection import NO_RULES
from perturb.engine.reading import Reading
from perturb.engine.run import Outcome, run
from perturb.engine.scope import Scope, Spans
from perturb.engine.step import blocked_by
from perturb.plan.job import Job, Version
from perturb.records.batch import RecordBatch
from perturb.records.texts import Texts
from perturb.values.arrays import Int64

if TYPE_CHECKING:
    from perturb.records.record import RecordList


def perturb_texts(texts: Texts, version: Version) -> RecordList:
    """Perturb many texts, and return the record of each, in order.

    Raises:
        DataError: an edit touched a span and the policy is to refuse.
    """
    from perturb.records.record import Record, RecordList  # rows have records as JSON alone

    made: list[Any] = [None] * len(texts)
    for rows, batch in perturb_batches(texts, version):
        records = map(Record, repeat(batch.check_spans()), range(len(batch)))
        for row, record in zip(rows.tolist(), records, strict=True):
            made[row] = record
    return RecordList(made)


def perturb_batches(
    texts: Texts, version: Version, decoded: bool = True
) -> Iterator[tuple[Int64, RecordBatch]]:
    """Perturb many texts, batch by batch.

    Args:
        texts: the texts.
        version: the job, condition and replicate that they share.
        decoded: whether they are asked for as strings afterwards.

    Yields:
        The rows of the texts of a batch, and their records.
    """
    memory.keep()
    if len(texts) == 1:
        yield np.zeros(1, np.intp), perturb_batch(texts, version, decoded)
        return
    for rows, batch in texts.batches:
        step = _planned(batch, version)
        reading = None if step is None else step.read(batch.source, _is_limited(batch, version.job))
        odd = None if reading is None else reading.odd
        if reading is None or odd is None:
            yield rows, _perturbed(batch, version, decoded, reading)
            continue
        if batch.groups is not None:  # the texts of a row are of one record
            groups = np.asarray(batch.groups)
            odd = np.isin(groups, groups[odd])
        for mask in (~odd, odd):
            if mask.any():
                some = batch.where(mask, is_copied=mask is odd)
                of_some = None if mask is odd else reading.only(mask)
                yield rows[mask], _perturbed(some, version, decoded, of_some)


def perturb_batch(texts: Texts, version: Version, decoded: bool = True) -> RecordBatch:
    """Perturb texts that are one batch; see `perturb_batches`."""
    is_limited = _is_limited(texts, version.job)
    is_alone = len(texts) == 1 and texts.spans is None and not is_limited
    is_named = texts.ids is not None or texts.given_keys is not None
    key = int(texts.keys[0]) if is_alone and is_named else None
    step = _planned(texts, version)
    if step is not None and is_alone:
        outcome = step.perform_one(texts.texts[0], key)
        if outcome is not None:
            return RecordBatch(texts, version, outcome, decoded)
    reading = None if step is None else step.read(texts.source, is_limited)
    if reading is not None and reading.odd is not None:
        reading = None
    return _perturbed(texts, version, decoded, reading)


def _perturbed(
    texts: Texts, version: Version, decoded: bool, reading: Reading | None
) -> RecordBatch:
    """Perturb texts by a planned step that has read them, or else by the engine."""
    if reading is None:
        return RecordBatch(texts, version, _run(texts, version), decoded)
    step, source, blocked = version.planned, texts.source, None
    assert step is not None  # it has read the texts
    if _is_limited(texts, version.job):
        blocked = blocked_by(_scope(texts, version.job), source)
    outcome = step.perform(source, texts.keys, reading, blocked)
    if (spans := _spans(texts)) is not None:
        outcome = outcome._replace(spans=spans.carried(outcome.edits, source))
    return RecordBatch(texts, version, outcome, decoded)


def _planned(texts: Texts, version: Version) -> PlannedStep | None:
    """Return the step that is all that is done with the texts, if one kernel can do it."""
    return version.planned if texts.numbers is None else None


def _is_limited(texts: Texts, job: Job) -> bool:
    """Return whether there are places where no edit may be."""
    limits = texts.protect, job.only, texts.only
    return bool(job.protect) or any(limit is not None for limit in limits)


def _run(texts: Texts, version: Version) -> Outcome:
    """Perturb texts by the engine."""
    source, spans = texts.source, _spans(texts)
    scope = _scope(texts, version.job)
    rows = None if texts.groups is None else texts.rows
    lists = None if texts.lists is None else np.array(texts.lists, np.bool_)
    beside = None if texts.beside is None else np.array(texts.beside, np.object_)
    replicate = version.replicate
    return run(source, texts.keys, version.stages, scope, spans, replicate, rows, lists, beside)


def _spans(texts: Texts) -> Spans | None:
    """Return the spans that the texts carry along."""
    return None if texts.spans is None else texts.spans_of(NO_RULES, texts.spans)


def _scope(texts: Texts, job: Job) -> Scope:
    """Return the limits of the edits."""
    protect = only = unwritten = None
    if job.protect or texts.protect is not None:
        protect = texts.spans_of(job.protect_rules, texts.protect)
    if job.only_rules is not None:
        only = texts.spans_of(job.only_rules, texts.only)
        unwritten = job.only_rules.unwritten
    return Scope(protect, only, unwritten)
