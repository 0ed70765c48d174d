"""The keyword arguments that all entry points share besides their steps, as one list of types.

Type checkers read it where a function has `**options: Unpack[Options]`, and `spelled_out` gives the
function the signature that people and editors see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from inspect import signature
from re import Pattern
from typing import TYPE_CHECKING, Any, Protocol, TypedDict, TypeVar

from perturb.boundary import trusted
from perturb.engine.placement import Per
from perturb.registry import registry
from perturb.registry.definition import (
    Copies,
    Expect,
    Intensity,
    Missing,
    Offsets,
    Severity,
    SpanPolicy,
)
from perturb.values import signatures
from perturb.values.signatures import Door

if TYPE_CHECKING:
    import regex

    Compiled = Pattern[str] | regex.Pattern[str]
    Rule = str | Compiled | Sequence[int]
    Protection = Rule | Sequence[Rule]


class _ReadsFiles(Protocol):
    """As much of a job as `kept` needs to know."""

    @property
    def reads_files(self) -> bool: ...


J = TypeVar("J", bound=_ReadsFiles)


class Noise(TypedDict, total=False):
    """Strength and place of edits, as `perturb.apply` explains them."""

    per: Per | None
    intensity: Intensity | None
    severity: Severity | None
    count: int | None
    seed: int
    protect: Protection | None
    only: Protection | None
    span_policy: SpanPolicy


class Options(Noise, total=False):
    """Further options for rows, as `perturb.augment` explains them."""

    shape: str | None
    field: str | Sequence[str]
    target: str | Sequence[str]
    choices: str | Sequence[str]
    fixed: str | Sequence[str]
    spans: str | Sequence[str]
    copies: Copies
    offsets: Offsets
    missing: Missing
    id_field: str
    replicates: int
    with_original: bool
    lean: bool
    expect: Expect | Mapping[str, Expect] | None


# Signatures show these defaults; every other one is None.
_DEFAULTS = {"seed": 0, "span_policy": "grow", "field": "text", "target": (), "spans": ()}
_DEFAULTS |= {"choices": (), "fixed": ()}
_DEFAULTS |= {"missing": "error", "id_field": "id", "replicates": 1, "with_original": False}
_DEFAULTS |= {"lean": False, "offsets": "characters", "copies": "warn"}


def spelled_out(door: Door) -> Door:
    """Give a function that takes `**options` the signature that names each of them."""
    *_, options = signature(door).parameters.values()
    kinds = Noise if "Noise" in options.annotation else Options
    return signatures.spelled_out(door, kinds.__annotations__, _DEFAULTS)


def remembered(make: Callable[..., J]) -> Callable[..., J]:
    """Keep the job that was made of the same arguments, unless it reads a file, which may change.

    A call makes it again once a known name means another perturbator, or once other files and
    functions are trusted.
    """

    @lru_cache(maxsize=256, typed=True)
    def job_once(_: object, *args: Any, **options: Any) -> J:
        return make(*args, **options)

    def remembering(*args: Any, **options: Any) -> J:
        try:
            job = job_once((registry.edition, trusted()), *args, **options)
        except TypeError as error:
            if "unhashable" not in str(error):
                raise
            return make(*args, **options)
        return make(*args, **options) if job.reads_files else job

    return remembering
