"""Grids: several pipelines, each of which gives rows of its own."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from perturb.errors import OutOfReachError, UsageError, unknown
from perturb.pipeline import grammar
from perturb.pipeline.pipeline import Pipeline, called, lacks_strength
from perturb.registry.vocabulary import Intensity, Severity
from perturb.values.frozen import Frozen
from perturb.values.scalars import plain

_AXES = ("p", "intensity", "severity")


class Grid(Frozen):
    """Pipelines for the same texts, each for versions of its own; see `grid`.

    Attributes:
        pipelines: at least one.
        labels: what each is called: the label that it was given, or the steps as they were typed.
    """

    pipelines: tuple[Pipeline, ...]
    labels: tuple[str, ...]

    @classmethod
    def of(cls, steps: Any, **settings: Any) -> Grid:
        """Make a grid of whatever names one; what names a pipeline gives a grid of one.

        Args:
            steps: a grid; a spec string such as `"grid(ocr | noisy=case char_swap)"`; a mapping
                with `grid`, a list of whatever names steps, and `p`, `intensity` or `severity`, a
                value or a list of these; or whatever names a pipeline.
            settings: as for `Pipeline.of`; `p`, `intensity` and `severity` of a grid may be lists.

        Raises:
            UsageError: an unknown name or parameter, or an invalid value.
            TypeError: something that names no step.
        """
        if isinstance(steps, Grid):
            if settings:
                raise UsageError(f"{' and '.join(settings)} would do nothing: the grid has its own")
            return steps
        spec = _spec(steps)
        if spec is None:
            cells = [_cell(steps, {key: _single(key, v) for key, v in settings.items()})]
        else:
            cells = _cells(spec.pop("grid"), spec, settings)
        pipelines, labels = zip(*cells, strict=True)
        return cls(pipelines, labels)

    def to_dict(self) -> dict[str, Any]:
        """Return the grid as a mapping that JSON can hold."""
        each = zip(self.labels, self.pipelines, strict=True)
        return {"grid": [_spelled(label, steps) or steps.to_dict() for label, steps in each]}

    def __len__(self) -> int:
        return len(self.pipelines)

    def __iter__(self) -> Iterator[Pipeline]:
        return iter(self.pipelines)

    def __str__(self) -> str:
        each = zip(self.labels, self.pipelines, strict=True)
        return f"grid({' | '.join(_spelled(label, steps) or str(steps) for label, steps in each)})"

    def __repr__(self) -> str:
        """Return the call that makes this grid, if all of its steps go by their names."""
        return called(self, (step for pipeline in self.pipelines for step in pipeline.steps))


def grid(
    steps: Sequence[Any],
    p: float | Sequence[float] | None = None,
    *,
    intensity: Intensity | Sequence[Intensity] | None = None,
    severity: Severity | Sequence[Severity] | None = None,
) -> Grid:
    """Cross steps with strengths, for a version of each text by each of them at each strength.

    Args:
        steps: a list; each is whatever names steps, a list being a sequence. Those with a strength
            of their own stand in the grid once, and so does `identity`.
        p: shares of the units to edit, in [0, 1].
        intensity: in place of `p`: names such as "low" and "high".
        severity: in place of `p`: whole numbers from 1 to 5, see `apply`.

    Raises:
        UsageError: an unknown name or parameter, or an invalid value; or no step reaches a
            severity. Where some do, the others are left out there, and a warning names them.
        TypeError: something that names no step.

    Examples:
        >>> import perturb
        >>> runs = perturb.grid(["char_delete", "case:p=1"], p=[0.1, 0.3])
        >>> print(runs)
        grid(char_delete:p=0.1 | char_delete:p=0.3 | "case:p=1"=case:p=1.0)
        >>> rows = [{"id": "q1", "text": "How many eggs?"}]
        >>> for row in perturb.augment(rows, runs):
        ...     print(row["id"], "|", row["text"])
        q1#char_delete:p=0.1 | Ho many eggs?
        q1#char_delete:p=0.3 | H many gs?
        q1#case:p=1 | hOW MANY EGGS?
    """
    axes = {"p": p, "intensity": intensity, "severity": severity}
    strength = {key: value for key, value in axes.items() if value is not None}
    return Grid.of({"grid": steps, **strength})


def crossed(steps: Any) -> dict[str, Any]:
    """Return the description of a grid of several steps, rather than of their sequence."""
    if isinstance(steps, Mapping) and "steps" in steps:
        steps = steps["steps"]
    return _spec(steps) or {"grid": [steps] if isinstance(steps, (str, Mapping)) else steps}


def _spec(steps: Any) -> dict[str, Any] | None:
    """Return the mapping that describes a grid, or None if `steps` is not a grid."""
    if isinstance(steps, list) and len(steps) == 1:
        return _spec(steps[0])
    if isinstance(steps, str):
        label, steps = grammar.labelled(steps)
        read = grammar.read(steps)
        steps = read[0] if len(read) == 1 and not label else None
    return dict(steps) if isinstance(steps, Mapping) and "grid" in steps else None


def _cells(
    cells: Any, spec: Mapping[str, Any], settings: Mapping[str, Any]
) -> list[tuple[Pipeline, str]]:
    """Return each cell at each strength; cells with a strength of their own once."""
    if isinstance(cells, (str, Mapping)) or not isinstance(cells, Sequence) or not cells:
        raise UsageError(f"a grid is made of a list of steps; got {cells!r}")
    for key in spec:
        if key not in _AXES:
            raise unknown("key of a grid", key, ["grid", *_AXES])
    axes = [key for key in _AXES if key in spec or key in settings]
    if len(axes) > 1 or not spec.keys().isdisjoint(settings):
        raise UsageError(
            f"a grid takes p, intensity or severity, given once; got {' and '.join(axes)}"
        )
    shared = {**settings, **spec}
    strengths = [{key: value} for key in axes for value in _values(key, shared.pop(key))]
    lacking = [lacks_strength(grammar.labelled(cell)[1]) for cell in cells]
    if strengths and not any(lacking):
        raise UsageError(f"{axes[0]} would do nothing: every step has its own")
    made, missed = list[tuple[Pipeline, str]](), dict[str, list[str]]()
    for cell, lacks in zip(cells, lacking, strict=True):
        each = strengths if lacks and strengths and _acts(cell) else [{}]
        for strength in each:
            try:
                made.append(_cell(cell, {**shared, **strength}, at_several=len(each) > 1))
            except OutOfReachError as error:
                if not strength:  # it is its own
                    raise
                missed.setdefault(error.limit, []).append(f"{strength['severity']}")
    if missed:
        steps = "; ".join(f"{' and '.join(each)} of {limit}" for limit, each in missed.items())
        what = f"the grid is without severity {steps}: such a step takes a p"
        if not made:
            raise UsageError(what)
        warnings.warn(what, stacklevel=2)
    return made


def _acts(cell: Any) -> bool:
    """Return whether any step of a cell edits: of `identity` all strengths are one version."""
    steps = Pipeline.of(grammar.labelled(cell)[1]).steps
    return any(step.perturbator.touches for step in steps)


def _spelled(label: str, steps: Pipeline) -> str:
    """Return a cell as text with its label; empty where its steps say the label."""
    return "" if label == str(steps) else f"{grammar.quoted_label(label)}={steps}"


def _cell(
    cell: Any, strength: Mapping[str, Any], *, at_several: bool = False
) -> tuple[Pipeline, str]:
    """Return the pipeline of a cell, and its label.

    Args:
        cell: steps, which may have a label.
        strength: for the steps that have none of their own.
        at_several: whether there are other strengths of the same cell, so that its label says it.
    """
    label, steps = grammar.labelled(cell)
    pipeline = Pipeline.of(steps, **strength)
    if label and at_several:
        label = f"{label}:{grammar.assigned(strength)}"
    return pipeline, label or _typed(steps, strength, pipeline)


def _typed(steps: Any, strength: Mapping[str, Any], pipeline: Pipeline) -> str:
    """Return steps as the caller typed them, each with the strength that it was given."""
    typed = [steps] if isinstance(steps, str) else steps
    if not isinstance(typed, list | tuple) or not all(isinstance(step, str) for step in typed):
        return str(pipeline)
    if not strength:
        return " ".join(" ".join(typed).split())
    parts = [part for step in typed for part in grammar.read(step)]
    if not all(isinstance(part, str) for part in parts):
        return str(pipeline)
    shared = grammar.assigned(strength)
    return " ".join(
        f"{part}{',' if ':' in part else ':'}{shared}" if lacks_strength(part) else part
        for part in parts
    )


def _single(key: str, setting: Any) -> Any:
    """Return the value of a setting for one pipeline."""
    if key not in _AXES:
        return plain(setting)
    first, *others = _values(key, setting)
    if others:
        raise UsageError(
            f"{len(setting)} values of {key} need a grid (--grid), which has a version by each "
            f"step at each of them; got {', '.join(map(str, setting))}; one with decimals has a "
            "point, such as 0.05"
        )
    return first


def _values(key: str, setting: Any) -> list[Any]:
    several = isinstance(setting, (list, tuple)) or getattr(setting, "ndim", 0) > 0
    values = [plain(each) for each in (setting if several else [setting])]
    if not values:
        raise UsageError(f"{key}: give at least one strength; got an empty list")
    return values
