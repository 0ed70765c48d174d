"""Run the engine over texts, batch by batch, and keep what it did as records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import repeat
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from perturb.engine import allocator
from perturb.engine.planned import PlannedStep, SingleOutcome
from perturb.engine.protection import Rules
from perturb.engine.run import Outcome, run
from perturb.engine.scope import Scope
from perturb.engine.text.strings import Strings
from perturb.plan.job import Job, Version
from perturb.records.batch import RecordBatch
from perturb.records.texts import Texts, in_order
from perturb.values.arrays import Int64

if TYPE_CHECKING:
    from perturb.records.record import RecordList

T = TypeVar("T")


def perturb_texts(texts: Texts, version: Version) -> RecordList:
    """Perturb many texts, and return the record of each, in order.

    Raises:
        DataError: an edit touched a span and the policy is to refuse.
    """
    from perturb.records.record import (
        Record,  # rows have records as JSON alone
        RecordList,
    )

    return RecordList(
        in_batches(texts, version, lambda batch: map(Record, repeat(batch), range(len(batch))))
    )


def in_batches(
    texts: Texts, version: Version, made_of: Callable[[RecordBatch], Iterable[T]]
) -> list[T]:
    """Perturb many texts, and return in their order what is made of each.

    Args:
        texts: the texts.
        version: what they have in common.
        made_of: returns what is made of each text of a batch.
    """
    order: list[Int64] = []
    values: list[T] = []
    for rows, batch in perturb_batches(texts, version):
        order.append(rows)
        values += made_of(batch)
    return in_order(order, values)


def perturb_batches(
    texts: Texts, version: Version, decoded: bool = True
) -> Iterator[tuple[Int64, RecordBatch]]:
    """Perturb many texts, batch by batch.

    Args:
        texts: the texts.
        version: what they have in common.
        decoded: whether they are asked for as strings afterwards.

    Yields:
        The rows of the texts of a batch, and their records.
    """
    allocator.keep()
    if len(texts) == 1:
        yield np.zeros(1, np.intp), perturb_batch(texts, version, decoded)
        return
    for rows, batch in texts.batches:
        step = _planned(batch, version)
        odd = None if step is None else step.leaves(batch.source)
        if odd is None:
            yield rows, perturb_batch(batch, version, decoded)
            continue
        for mask in (~odd, odd):
            yield rows[mask], perturb_batch(batch.where(mask), version, decoded)


def perturb_batch(texts: Texts, version: Version, decoded: bool = True) -> RecordBatch:
    """Perturb texts that are one batch; see `perturb_batches`.

    Raises:
        DataError: an edit touched a span and the policy is to refuse.
    """
    step = _planned(texts, version)
    outcome: Outcome | SingleOutcome | None = None
    if step is not None and len(texts) == 1:
        key = int(texts.keys[0]) if texts.are_named else None
        outcome = step.perform_one(texts.texts[0], key)
    if step is not None and outcome is None:
        outcome = step.perform(texts.source, texts.keys)
    return RecordBatch(texts, version, outcome or _run(texts, version), decoded)


def _planned(texts: Texts, version: Version) -> PlannedStep | None:
    """Return the step that is all that is done with the texts, if one kernel can do it."""
    if texts.protect is not None or texts.only is not None:
        return None
    return version.planned if texts.spans is None and texts.followers is None else None


def _run(texts: Texts, version: Version) -> Outcome:
    """Perturb texts by the engine."""
    source = texts.source
    spans = None
    if texts.spans is not None:
        spans = Rules().spans_of(source, lambda: texts.texts, texts.spans)
    scope = _scope(source, texts, version.job)
    rows = None if texts.groups is None else texts.rows
    lists = None if texts.lists is None else np.array(texts.lists, np.bool_)
    return run(source, texts.keys, version.stages, scope, spans, version.replicate, rows, lists)


def _scope(source: Strings, texts: Texts, job: Job) -> Scope:
    """Return what edits may do."""
    protect = only = unwritten = None
    if job.protect or texts.protect is not None:
        protect = job.protect_rules.spans_of(source, lambda: texts.texts, texts.protect)
    if job.only_rules is not None:
        only = job.only_rules.spans_of(source, lambda: texts.texts, texts.only)
        unwritten = job.only_rules.unwritten
    return Scope(protect, only, unwritten)
