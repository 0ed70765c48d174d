"""Jobs: instructions for every row of a file or an iterable, and counts of the results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclasses_field
from functools import cached_property
from typing import Any

import numpy as np

from perturb.engine.one_text import SingleOutcome
from perturb.engine.run import Outcome
from perturb.engine.step import REASONS
from perturb.errors import UsageError, shown
from perturb.io import json_path
from perturb.pipeline.pipeline import Pipeline
from perturb.records.run_config import RunConfig, checked_config
from perturb.records.schema import LINKAGE

# The versions of one row; what all of them share is in memory at once.
MOST_VERSIONS = 10_000


@dataclass(frozen=True)
class Job:
    """The instructions for every row.

    Attributes:
        settings: the settings for its texts; each gives a row of its own.
        field: the path to the texts.
        id_field: the field that names a row; a row without it is named by its texts.
        protect_field: the field with spans that no edit may touch; one list for one text.
        only_field: the field with the spans to which edits are restricted.
        spans_field: the field with spans to carry along; the output row has them moved.
        answer_field: the field with the right one of several options; the output row has it named
            as it is after the steps.
        with_original: whether the untouched row comes first.
        compact: whether to leave the original out, and keep in each edit what it removed.
        options: what the job was made of, in the form that a manifest keeps.
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
    options: Mapping[str, Any] = dataclasses_field(default_factory=dict)

    @cached_property
    def reads_more(self) -> bool:
        """True if fields other than the texts and the id of a row are read."""
        fields = (self.protect_field, self.only_field, self.spans_field, self.answer_field)
        return any(field is not None for field in fields)

    @cached_property
    def many(self) -> bool:
        """True if a row may have several texts."""
        return json_path.is_many(self.field)

    @property
    def versions(self) -> int:
        """The number of output rows for each input row."""
        return len(self.settings) + self.with_original


@dataclass
class RowCounts:
    """The counts of the rows so far."""

    rows: int = 0
    texts: int = 0
    written: int = 0
    changed: int = 0
    edits: int = 0
    units: int = 0
    reasons: dict[str, int] = dataclasses_field(default_factory=dict)

    def add(self, more: RowCounts) -> None:
        """Add counts that were made elsewhere."""
        self.rows += more.rows
        self.texts += more.texts
        self.written += more.written
        self.changed += more.changed
        self.edits += more.edits
        self.units += more.units
        for reason, number in more.reasons.items():
            self.reasons[reason] = self.reasons.get(reason, 0) + number

    def see(self, outcome: Outcome | SingleOutcome) -> None:
        """Count the outcome of a run of the engine."""
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
    """Make a job from a caller's arguments; each pipeline gives `replicates` rows for each row.

    Raises:
        UsageError: a value that can't be.
        TypeError: a value of a wrong type.
    """
    if not isinstance(replicates, int) or isinstance(replicates, bool) or replicates < 1:
        raise UsageError(f"replicates must be a whole number from 1; got {shown(replicates)}")
    if len(pipelines) * replicates > MOST_VERSIONS:
        raise UsageError(
            f"a row may have {MOST_VERSIONS:,} versions at most; got {len(pipelines):,} pipelines "
            f"with {shown(replicates)} replicates: make more runs, each with a --seed of its own"
        )
    labels = [str(pipeline) for pipeline in pipelines]
    if len(set(labels)) < len(labels):
        raise UsageError(f"two of the pipelines are the same: {', '.join(labels)}")
    options = {
        "pipelines": [pipeline.to_dict() for pipeline in pipelines],
        "field": field,
        "id_field": id_field,
        "seed": seed,
        "replicates": replicates,
        "protect": protect,
        "only": only,
        "spans_field": spans_field,
        "answer_field": answer_field,
        "span_policy": span_policy,
        "with_original": with_original,
        "compact": compact,
    }
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
        options,
    )


def _field_rule(rules: Any, name: str) -> tuple[Any, str | None]:
    """Take `field:PATH` out of the rules."""
    rules = [rules] if isinstance(rules, str) else list(rules or ())
    fields = [rule[6:] for rule in rules if isinstance(rule, str) and rule.startswith("field:")]
    if len(fields) > 1:
        raise UsageError(f"{name} takes spans from one field; got {' and '.join(fields)}")
    rest = [rule for rule in rules if not (isinstance(rule, str) and rule.startswith("field:"))]
    return rest or None, fields[0] if fields else None
