"""Jobs: what to do with every row of a file or an iterable, and the counts of what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from perturb.engine.run import Outcome
from perturb.engine.step import REASONS
from perturb.errors import UsageError
from perturb.io import json_path
from perturb.pipeline.pipeline import Pipeline
from perturb.records.run_config import RunConfig, checked_config
from perturb.records.schema import LINKAGE


@dataclass(frozen=True)
class Job:
    """What to do with every row.

    Attributes:
        settings: what to do with its texts; each gives a row of its own.
        field: the path to the texts.
        id_field: the field that names a row; a row without it is named by its texts.
        protect_field: the field with spans that no edit may touch; one list for one text.
        only_field: the field with spans where alone edits may be.
        spans_field: the field with spans to carry along; the output row has them moved.
        answer_field: the field with the right one of several options; the output row has it named
            as it is after the steps.
        with_original: whether the untouched row comes first.
        compact: whether to leave the original out, and keep in each edit what it removed.
    """

    settings: Sequence[RunConfig]
    field: str = "text"
    id_field: str = "id"
    protect_field: str | None = None
    only_field: str | None = None
    spans_field: str | None = None
    answer_field: str | None = None
    with_original: bool = False
    compact: bool = False

    @cached_property
    def reads_more(self) -> bool:
        """Whether more is read of a row than its texts and its id."""
        fields = (self.protect_field, self.only_field, self.spans_field, self.answer_field)
        return any(field is not None for field in fields)

    @cached_property
    def many(self) -> bool:
        """Whether a row may have several texts."""
        return json_path.is_many(self.field)

    @property
    def versions(self) -> int:
        """How many rows come of one."""
        return len(self.settings) + self.with_original


@dataclass
class Counts:
    """What came of the rows so far."""

    rows: int = 0
    written: int = 0
    changed: int = 0
    edits: int = 0
    units: int = 0
    reasons: dict[str, int] = field(default_factory=dict)

    def add(self, more: Counts) -> None:
        """Count what was counted elsewhere too."""
        self.rows += more.rows
        self.written += more.written
        self.changed += more.changed
        self.edits += more.edits
        self.units += more.units
        for reason, number in more.reasons.items():
            self.reasons[reason] = self.reasons.get(reason, 0) + number

    def see(self, outcome: Outcome) -> None:
        """Count what a run of the engine did."""
        for tally in outcome.tallies:
            self.edits += int(tally.edits.sum())
            self.units += int(tally.units.sum())
        for reason, number in zip(REASONS, np.bincount(outcome.reasons).tolist(), strict=False):
            if not reason:
                self.changed += number
            elif number:
                self.reasons[reason] = self.reasons.get(reason, 0) + number


def job_of(
    pipelines: Sequence[Pipeline],
    *,
    replicates: int = 1,
    field: str = "text",
    id_field: str = "id",
    spans_field: str | None = None,
    answer_field: str | None = None,
    with_original: bool = False,
    compact: bool = False,
    seed: int = 0,
    protect: Any = None,
    only: Any = None,
    span_policy: str = "grow",
) -> Job:
    """Make a job of what a caller wrote; every pipeline gives `replicates` rows for each row.

    Raises:
        UsageError: a value that can't be.
        TypeError: a value of a wrong type.
    """
    if not isinstance(replicates, int) or isinstance(replicates, bool) or replicates < 1:
        raise UsageError(f"replicates must be a whole number from 1; got {replicates!r}")
    labels = [str(pipeline) for pipeline in pipelines]
    if len(set(labels)) < len(labels):
        raise UsageError(f"two of the pipelines are the same: {', '.join(labels)}")
    protect, protect_field = _field_rule(protect, "protect")
    only, only_field = _field_rule(only, "only")
    if only_field is not None:
        if only is not None and "json" in only:
            raise UsageError(f"only json and only field:{only_field} exclude each other: give one")
        only = only or []
    made = []
    for pipeline, label in zip(pipelines, labels, strict=True):
        settings = checked_config(
            pipeline, seed=seed, protect=protect, only=only, span_policy=span_policy
        )
        label = label if len(pipelines) > 1 else ""
        made += [replace(settings, replicate=r, label=label) for r in range(replicates)]
    for path in (field, spans_field, answer_field, protect_field, only_field):
        if path is not None:
            json_path.parse(path)
    for taken, use in ((LINKAGE, "the linkage record"), (field, "the text")):
        if id_field == taken:
            raise UsageError(f"the field {taken!r} holds {use}; the id needs a field of its own")
    for taken, use in ((LINKAGE, "the linkage record"), (field, "the text"), (id_field, "the id")):
        if answer_field == taken:
            raise UsageError(f"the field {taken!r} holds {use}; the answer needs one of its own")
    return Job(
        made,
        field,
        id_field,
        protect_field,
        only_field,
        spans_field,
        answer_field,
        with_original,
        compact,
    )


def _field_rule(rules: Any, name: str) -> tuple[Any, str | None]:
    """Take `field:PATH` out of the rules."""
    rules = [rules] if isinstance(rules, str) else list(rules or ())
    fields = [rule[6:] for rule in rules if isinstance(rule, str) and rule.startswith("field:")]
    if len(fields) > 1:
        raise UsageError(f"{name} takes spans from one field; got {' and '.join(fields)}")
    rest = [rule for rule in rules if not (isinstance(rule, str) and rule.startswith("field:"))]
    return rest or None, fields[0] if fields else None
