"""The configuration that all texts of a run share."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from perturb.engine.planned import PlannedStep, planned_step
from perturb.engine.protection import Rules
from perturb.engine.run import Stage
from perturb.errors import UsageError, shown
from perturb.io.jsonl import text_of_json
from perturb.pipeline.pipeline import Pipeline
from perturb.registry.vocabulary import SPAN_POLICIES
from perturb.values.frozen import Frozen

_SEEDS = 1 << 63


class RunConfig(Frozen):
    """The settings that all texts of a run have in common.

    Attributes:
        pipeline: the steps.
        seed: any signed integer of 64 bits; 0 is a seed like any other.
        replicate: the number, from 0, of this version of the same texts.
        protect: the places that no edit may touch.
        only: restricts edits to these places; None for everywhere.
        span_policy: "grow", "drop" or "refuse" a span that an edit touches.
        label: distinguishes the rows of this pipeline from those of others in the same output.

    Raises:
        UsageError: a value that can't be.
        TypeError: a value of a wrong type.
    """

    pipeline: Pipeline
    seed: int = 0
    replicate: int = 0
    protect: Rules = Rules()
    only: Rules | None = None
    span_policy: str = "grow"
    label: str = ""

    @classmethod
    def of(
        cls, pipeline: Pipeline, *, protect: Any = None, only: Any = None, **settings: Any
    ) -> RunConfig:
        """Make a configuration of what a caller wrote.

        Args:
            pipeline: the steps.
            protect: whatever `Rules.of` reads; None for nothing.
            only: whatever `Rules.of` reads; None for everywhere.
            settings: the other attributes.

        Raises:
            UsageError: a value that can't be.
            TypeError: a value of a wrong type.
        """
        return cls(
            pipeline,
            protect=Rules() if protect is None else Rules.of(protect),
            only=None if only is None else Rules.of(only),
            **settings,
        )

    def __post_init__(self) -> None:
        for name, value in (("seed", self.seed), ("replicate", self.replicate)):
            if not isinstance(value, int) or isinstance(value, bool):
                raise TypeError(f"{name} must be a whole number; got {shown(value)}")
        if not -_SEEDS <= self.seed < _SEEDS:
            raise UsageError(
                f"seed must be within 64 bits, from {-_SEEDS} to {_SEEDS - 1}, which is what "
                f"tables and databases hold; got {self.seed}"
            )
        if self.replicate < 0:
            raise UsageError(f"replicate must be at least 0; got {shown(self.replicate)}")
        if self.span_policy not in SPAN_POLICIES:
            known = ", ".join(SPAN_POLICIES)
            raise UsageError(f"span_policy is one of {known}; got {self.span_policy!r}")
        if self.protect.unwritten is not None:
            raise UsageError(
                "json restricts edits to the values of a JSON text, so it belongs in only; "
                "got it in protect"
            )

    @property
    def reads_files(self) -> bool:
        """True if a step reads a file of the caller's."""
        return self.pipeline.reads_files

    @cached_property
    def stages(self) -> list[Stage]:
        """The steps as the engine sees them."""
        return self.pipeline.stages(self.seed, self.replicate)

    @cached_property
    def planned(self) -> PlannedStep | None:
        """The step that is all there is to do to a text, where one kernel does it."""
        return None if self.protect or self.only is not None else planned_step(self.stages)

    @cached_property
    def specs(self) -> list[dict[str, Any]]:
        """Each step as records hold it, without what it did."""
        return [step.to_record() for step in self.pipeline.steps]

    @cached_property
    def categories(self) -> list[str]:
        """The category of each step."""
        return [f"perturbed_by:{step}" for step in self.pipeline.steps]

    @cached_property
    def drawn_from(self) -> str:
        """The pipeline as a spec where it draws the steps of a text; else empty."""
        return str(self.pipeline) if self.pipeline.by_chance else ""

    @cached_property
    def scope(self) -> str:
        """The protection as records hold it, without offsets."""
        return scope_of(self.protect, self.only)

    @cached_property
    def suffix(self) -> str:
        """The end that makes an original's id that of this version of it."""
        return f"#{self.label}#{self.replicate}" if self.label else f"#{self.replicate}"


def scope_of(protect: Rules, only: Rules | None) -> str:
    """Return the protection as records hold it: JSON, or nothing where there is none."""
    made = {"protect": protect.to_list()} if protect else {}
    if only is not None:
        made["only"] = only.to_list()
    return text_of_json(made) if made else ""
