"""Jobs: instructions for every row of a file or an iterable, and counts of the results."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from perturb.engine.one_text import SingleOutcome
from perturb.engine.run import Outcome
from perturb.engine.step import REASONS
from perturb.errors import UsageError, shown
from perturb.io import json_path
from perturb.pipeline.grids import Grid
from perturb.pipeline.pipeline import Pipeline
from perturb.records.run_config import RunConfig
from perturb.records.schema import LINKAGE
from perturb.rows.job_options import OPTIONS, JobOptions, split_options

# The versions of one row; what all of them share is in memory at once.
MOST_VERSIONS = 10_000


class Job(JobOptions, kw_only=True):
    """The instructions for every row: pipelines, and the options of `JobOptions`.

    Attributes:
        pipelines: each gives `replicates` rows for each row.
        first_replicate: the number of the first replicate; above 0 for later epochs.

    Raises:
        UsageError: a value that can't be.
        TypeError: a value of a wrong type.
    """

    pipelines: tuple[Pipeline, ...]
    first_replicate: int = 0

    @classmethod
    def of(cls, steps: Any, **given: Any) -> Job:
        """Make a job from a caller's arguments.

        Args:
            steps: whatever names a pipeline, or a grid.
            given: the options of `JobOptions`; and what `Grid.of` takes: a strength, parameters.
                A strength or parameter that is None counts as not given.

        Raises:
            UsageError: an unknown name or parameter, or a value that can't be.
            TypeError: a value of a wrong type.
        """
        options, settings = split_options(given)
        settings = {name: value for name, value in settings.items() if value is not None}
        return cls(pipelines=Grid.of(steps, **settings).pipelines, **options)

    @classmethod
    def from_dict(cls, said: Mapping[str, Any]) -> Job:
        """Make the job that `to_dict` described; a mapping may have other keys too.

        Raises:
            KeyError: it lacks one.
            UsageError: an unknown name or parameter, or a value that can't be.
            TypeError: a value of a wrong type.
        """
        pipelines = tuple(map(Pipeline.of, said["pipelines"]))
        return cls(pipelines=pipelines, **{one.name: said[one.name] for one in OPTIONS})

    def to_dict(self) -> dict[str, Any]:
        """Return the job as a manifest holds it."""
        return {
            "pipelines": [pipeline.to_dict() for pipeline in self.pipelines],
            **self.options,
        }

    def __post_init__(self) -> None:
        _check_types(self)
        number = self.replicates
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            raise UsageError(f"replicates must be a whole number from 1; got {shown(number)}")
        if len(self.pipelines) * number > MOST_VERSIONS:
            raise UsageError(
                f"a row may have {MOST_VERSIONS:,} versions at most; got {len(self.pipelines):,} "
                f"pipelines and {shown(number)} replicates: make more runs, each with its own seed"
            )
        if not self.pipelines:
            raise UsageError("a job needs at least one pipeline; got none")
        labels = list(map(str, self.pipelines))
        if len(set(labels)) < len(labels):
            raise UsageError(f"two of the pipelines are the same: {', '.join(labels)}")
        _check_fields(self)
        self.settings  # noqa: B018  refuses now what can't be

    @property
    def options(self) -> dict[str, Any]:
        """The value of each option, by its name."""
        return {one.name: getattr(self, one.name) for one in OPTIONS}

    @cached_property
    def settings(self) -> list[RunConfig]:
        """The settings for the texts; each gives a row of its own."""
        protect, _ = self._protect
        only, only_field = self._only
        if only_field is not None:
            if only is not None and "json" in only:
                raise UsageError(f"only json and only field:{only_field} exclude each other")
            only = only or []
        made = []
        for pipeline in self.pipelines:
            config = RunConfig.of(
                pipeline,
                seed=self.seed,
                protect=protect,
                only=only,
                span_policy=self.span_policy,
                label=str(pipeline) if len(self.pipelines) > 1 else "",
            )
            replicates = range(self.first_replicate, self.first_replicate + self.replicates)
            made += [config.replaced(replicate=number) for number in replicates]
        return made

    @cached_property
    def _protect(self) -> tuple[Any, str | None]:
        return _field_rule(self.protect, "protect")

    @cached_property
    def _only(self) -> tuple[Any, str | None]:
        return _field_rule(self.only, "only")

    @property
    def protect_field(self) -> str | None:
        """The field with spans that no edit may touch; one list for one text."""
        return self._protect[1]

    @property
    def only_field(self) -> str | None:
        """The field with the spans to which edits are restricted."""
        return self._only[1]

    @cached_property
    def reordering(self) -> frozenset[str]:
        """The names of the steps that may move words."""
        steps = (step.perturbator for pipeline in self.pipelines for step in pipeline.steps)
        return frozenset(one.name for one in steps if "order" in one.touches)

    @cached_property
    def reads_more(self) -> bool:
        """True if fields other than the texts and the id of a row are read."""
        fields = (self.protect_field, self.only_field, self.spans_field, self.target)
        return any(field is not None for field in fields)

    @cached_property
    def many(self) -> bool:
        """True if a row may have several texts."""
        return json_path.is_many(self.field)

    @property
    def versions(self) -> int:
        """The number of output rows for each input row."""
        return len(self.settings) + self.with_original


def _check_types(job: Job) -> None:
    """Refuse options of a wrong type; a file or a caller without a type checker may give one."""
    for one in OPTIONS:
        value = getattr(job, one.name)
        if type(one.default) is bool and type(value) is not bool:
            raise TypeError(f"{one.name} must be true or false; got {value!r}")
        named = type(one.default) is str or (one.name.endswith("_field") and value is not None)
        if named and not isinstance(value, str):
            raise TypeError(f"{one.name} must be a string; got {value!r}")


def _check_fields(job: Job) -> None:
    """Refuse paths that can't be read, and fields that would be written over."""
    paths = (job.field, job.spans_field, job.target, job.protect_field, job.only_field)
    for path in paths:
        if path is not None:
            json_path.parse(path)
    taken = {LINKAGE: "the linkage record", job.field: "the text"}
    if job.id_field in taken:
        raise UsageError(
            f"the field {job.id_field!r} holds {taken[job.id_field]}; "
            "the id needs a field of its own"
        )
    taken[job.id_field] = "the id"
    if job.target in taken:
        raise UsageError(
            f"the field {job.target!r} holds {taken[job.target]}; the answer needs one of its own"
        )


class RowCounts:
    """The counts of the rows so far."""

    def __init__(self) -> None:
        self.rows = self.texts = self.written = self.changed = self.edits = self.units = 0
        self.reasons: dict[str, int] = {}

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


def _field_rule(rules: Any, name: str) -> tuple[Any, str | None]:
    """Take `field:PATH` out of the rules."""
    rules = [rules] if isinstance(rules, str) else list(rules or ())
    fields = [rule[6:] for rule in rules if isinstance(rule, str) and rule.startswith("field:")]
    if len(fields) > 1:
        raise UsageError(f"{name} takes spans from one field; got {' and '.join(fields)}")
    rest = [rule for rule in rules if not (isinstance(rule, str) and rule.startswith("field:"))]
    return rest or None, fields[0] if fields else None
