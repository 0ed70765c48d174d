"""Pipelines and grids, and their forms as text, mappings and YAML.

A pipeline is a tree: steps, and combinators with branches of steps and combinators. The engine sees
it as stages, one for each step in the order written, with the gates that lead to it. A grid is
several pipelines, and each gives its own rows.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from perturb._version import STREAMS
from perturb.boundary import File, text_in, yaml_of
from perturb.engine.run import Stage
from perturb.errors import OutOfReachError, UsageError, unknown
from perturb.pipeline import grammar
from perturb.pipeline.combinators import Combinator
from perturb.pipeline.grammar import Branch
from perturb.pipeline.specs import Made, Tree, lacks_strength, read, replaced
from perturb.pipeline.step import Step
from perturb.registry.definition import Intensity, Severity
from perturb.registry.registry import goes_by_name
from perturb.rng import key64
from perturb.values.fields import Frozen, plain

T = TypeVar("T")

_STEP = attrgetter("step")
# A caller with one text at a time needs the same streams for each text.
_stream = lru_cache(maxsize=256, typed=True)(key64)


class Place(NamedTuple):
    """A step in its pipeline.

    Attributes:
        step: the step.
        label: the name of its stream of random numbers: the perturbator's name, with `#n` from the
            second step of that name on.
        branches: the branches that lead to it, each as the label of the combinator's stream, the
            combinator, and the number of the branch.
    """

    step: Step
    label: str
    branches: tuple[tuple[str, Combinator, int], ...]


class Pipeline(Made):
    """Steps in sequence, each on the text that the one before it wrote.

    Attributes:
        parts: steps, and combinators of such; at least one.

    Examples:
        >>> pipeline = Pipeline.of(["keyboard_typos:p=0.05", "sometimes(0.5, word_swap:p=0.1)"])
        >>> print(pipeline)
        keyboard_typos:p=0.05 sometimes(0.5, word_swap:p=0.1)
        >>> Pipeline.of(str(pipeline)) == Pipeline.of(pipeline.to_dict()) == pipeline
        True
    """

    @classmethod
    def of(cls, steps: Any, **settings: Any) -> Pipeline:
        """Make a pipeline from any form of steps.

        Args:
            steps: a pipeline, a step, a perturbator, a combinator, a spec string such as
                `"keyboard_typos:p=0.05,layout=de"` or `"one_of(ocr | 2*case) char_swap"`, a
                mapping with `name`, a strength and parameters (or with these below the name, as in
                `{"ocr": {"p": 0.1}}`), one with `one_of`, `some_of` or
                `sometimes`, one with `steps`, or a sequence of any of these.
            settings: a strength (`p`, `intensity`, `severity` or `count`, and `min_edits`,
                `max_edits`, `skip_first`, `skip_last`, `min_word_length`) for every step that has
                none of its own, in combinators too; and where there is one step, its parameters.

        Raises:
            UsageError: an unknown name or parameter, or an invalid value.
            TypeError: something that names no step.
        """
        return cls(read(steps).parts(settings))

    @classmethod
    def load(cls, path: str | Path, **settings: Any) -> Pipeline:
        """Read a pipeline from a YAML or JSON file, with settings as for `of`.

        Raises:
            UsageError: the file can't be read or isn't a pipeline; the message names it.
        """
        return from_file(path, lambda spec: cls.of(spec, **settings))

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Return the steps in the order written, each with its label and branches."""
        seen: Counter[str] = Counter()

        def label(name: str) -> str:
            seen[name] += 1
            return name if seen[name] == 1 else f"{name}#{seen[name]}"

        return tuple(_placed(self.parts, label, ()))

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Return the steps in the order written, including those in combinators."""
        return tuple(map(_STEP, self.places))

    @cached_property
    def reads_files(self) -> bool:
        """Return whether a step reads a file of the caller's."""
        return any(isinstance(v, File) for step in self.steps for v in step.parameters.values())

    @cached_property
    def pinned(self) -> str:
        """Return the pipeline as text, each step with the version of its perturbator."""
        return " ".join(map(str, replaced(self.parts, _pinned)))

    def stages(self, seed: int, replicate: int) -> list[Stage]:
        """Return the steps in the form that the engine runs."""

        def stream(label: str) -> int:
            return _stream(STREAMS, seed, label, replicate)

        stages = []
        for step, label, branches in self.places:
            gates = (chooser.gate(stream(name), branch) for name, chooser, branch in branches)
            stages.append(Stage(step, stream(label), tuple(gates)))
        return stages

    def to_dict(self) -> dict[str, Any]:
        """Return the pipeline as a mapping that JSON can hold."""
        return {"steps": [part.to_dict() for part in self.parts]}

    def __repr__(self) -> str:
        """Return the call that makes this pipeline, if names identify all of its steps."""
        return called(self, self.steps)

    def __str__(self) -> str:
        return " ".join(map(str, self.parts))


def _pinned(step: Step) -> str:
    """Return a step as text with the version of its perturbator, and with a counted spread."""
    name, colon, rest = step.spec(states_spread=True).partition(":")
    return f"{name}@{step.perturbator.version}{colon}{rest}"


def called(whole: Any, steps: Iterable[Step]) -> str:
    """Return the call that makes a pipeline or a grid from its text."""
    kind = type(whole).__name__
    if all(goes_by_name(step.perturbator) for step in steps):
        return f"perturb.{kind}.of({str(whole)!r})"
    return f"<{kind} {whole}>"


def from_file(path: str | Path, make: Callable[[Any], T]) -> T:
    """Call `make` with the content of a YAML or JSON file and return the result.

    Raises:
        UsageError: the file can't be read, or `make` refuses it; the message names it.
    """
    content = yaml_of(text_in(path), path)
    try:
        return make(content)
    except RecursionError:
        raise UsageError(f"{path} is nested too deeply; use fewer levels") from None
    except (ValueError, TypeError) as error:
        raise UsageError(f"{path}: {' '.join(str(error).split())}") from error


def _placed(
    parts: Sequence[Step | Combinator],
    label: Callable[[str], str],
    branches: tuple[tuple[str, Combinator, int], ...],
) -> Iterator[Place]:
    """Yield the steps in a tree with their labels; brackets mark the label of a combinator."""
    for part in parts:
        if isinstance(part, Step):
            yield Place(part, label(part.perturbator.name), branches)
            continue
        stream = label(f"{part.kind}()")
        for number, branch in enumerate(part.branches):
            yield from _placed(branch, label, (*branches, (stream, part, number)))


_AXES = ("p", "intensity", "severity")


class Grid(Frozen):
    """Pipelines for the same texts, each for its own versions; see `grid`.

    Attributes:
        pipelines: at least one.
        labels: the label of each, from the caller, or else its steps as typed.
    """

    pipelines: tuple[Pipeline, ...]
    labels: tuple[str, ...]

    @classmethod
    def of(cls, steps: Any, **settings: Any) -> Grid:
        """Make a grid from any form of steps; a pipeline gives a grid of one.

        Args:
            steps: a grid; a spec string such as `"grid(ocr | noisy=case char_swap)"`; a mapping
                with `grid`, a list of steps in any form, and `p`, `intensity` or `severity`, a
                value or a list of these; or any form of a pipeline.
            settings: as for `Pipeline.of`; `p`, `intensity` and `severity` of a grid may be lists.

        Raises:
            UsageError: an unknown name or parameter, or an invalid value.
            TypeError: an object that isn't a form of steps.
        """
        pipelines, labels = zip(*cells_of(steps, settings), strict=True)
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
        """Return the call that makes this grid, if names identify all of its steps."""
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
        steps: a list of steps in any form, with a list as a sequence. Steps with a strength of
            their own are in the grid once, and so is `identity`.
        p: shares of the units to edit, in [0, 1].
        intensity: in place of `p`: names such as "low" and "high".
        severity: in place of `p`: whole numbers from 1 to 5, see `apply`.

    Raises:
        UsageError: an unknown name or parameter, or an invalid value; or no step reaches a
            severity. If some steps reach it, the grid leaves out the others, and a warning names
            them.
        TypeError: an object that isn't a form of steps.

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


def cells_of(steps: Any, settings: Mapping[str, Any]) -> list[tuple[Pipeline, str]]:
    """Return the pipelines of steps or of a grid, with their labels; see `Grid.of`."""
    if isinstance(steps, Grid):
        if settings:
            raise UsageError(f"leave out {' and '.join(settings)}: the grid has its own strengths")
        return list(zip(steps.pipelines, steps.labels, strict=True))
    spec = _spec(steps)
    if spec is not None:
        return _cells(spec.pop("grid"), spec, settings)
    strength = {key: _single(key, value) for key, value in settings.items()}
    return [_cell(*_read(steps), strength)]


def crossed(steps: Any) -> dict[str, Any]:
    """Return the description of a grid of several steps, instead of their sequence."""
    if isinstance(steps, Mapping) and "steps" in steps:
        steps = steps["steps"]
    return _spec(steps) or {"grid": [steps] if isinstance(steps, (str, Mapping)) else steps}


def _spec(steps: Any) -> dict[str, Any] | None:
    """Return the mapping that describes a grid, or None if `steps` isn't a grid."""
    if isinstance(steps, list) and len(steps) == 1:
        return _spec(steps[0])
    if isinstance(steps, str) and "grid" in steps:
        label, steps = grammar.labelled(steps)
        parts = grammar.read(steps)
        steps = parts[0] if len(parts) == 1 and not label else None
    return dict(steps) if isinstance(steps, Mapping) and "grid" in steps else None


def _cells(
    cells: Any, spec: Mapping[str, Any], settings: Mapping[str, Any]
) -> list[tuple[Pipeline, str]]:
    """Return each cell at each strength, and cells with their own strength once."""
    if isinstance(cells, (str, Mapping)) or not isinstance(cells, Sequence) or not cells:
        raise UsageError(f"a grid takes a list of steps; got {cells!r}")
    for key in spec:
        if key not in _AXES:
            raise unknown("key of a grid", key, ["grid", *_AXES])
    axes = [key for key in _AXES if key in spec or key in settings]
    if len(axes) > 1 or not spec.keys().isdisjoint(settings):
        raise UsageError(
            f"a grid takes one of p, intensity and severity, once; got {' and '.join(axes)}"
        )
    shared = {**settings, **spec}
    strengths = [{key: value} for key in axes for value in _values(key, shared.pop(key))]
    trees = list(map(_read, cells))
    lacking = [any(map(lacks_strength, tree.leaves)) for _, tree in trees]
    if strengths and not any(lacking):
        raise UsageError(f"leave out {axes[0]}: every step already has a strength")
    made, missed = list[tuple[Pipeline, str]](), dict[str, list[str]]()
    for (label, tree), lacks in zip(trees, lacking, strict=True):
        each = strengths if lacks and strengths and _acts(tree) else [{}]
        for strength in each:
            try:
                made.append(_cell(label, tree, {**shared, **strength}, at_several=len(each) > 1))
            except OutOfReachError as error:
                if not strength:  # the caller wrote this severity to the step itself
                    raise
                missed.setdefault(error.limit, []).append(f"{strength['severity']}")
    if missed:
        steps = "; ".join(f"{' and '.join(each)} of {limit}" for limit, each in missed.items())
        what = f"the grid leaves out severity {steps}; give such a step a p"
        if not made:
            raise UsageError(what)
        warnings.warn(what, stacklevel=2)
    return made


def _read(cell: Any) -> tuple[str, Tree]:
    """Return the label of a cell, or "", and its steps."""
    if isinstance(cell, Branch):
        return cell.label, read(cell)
    has_label = isinstance(cell, str) and "=" in cell
    label, steps = grammar.labelled(cell) if has_label else ("", cell)
    return label, read(steps)


def _acts(tree: Tree) -> bool:
    """Return whether any step of a cell edits; `identity` is the same at all strengths."""
    return any(leaf.perturbator.touches for leaf in tree.leaves)


def _spelled(label: str, steps: Pipeline) -> str:
    """Return a cell as text with its label; "" if its steps are the label."""
    return "" if label == str(steps) else f"{grammar.quoted_label(label)}={steps}"


def _cell(
    label: str, tree: Tree, strength: Mapping[str, Any], *, at_several: bool = False
) -> tuple[Pipeline, str]:
    """Return the pipeline of a cell, and its label.

    Args:
        label: the caller's label; "" for the steps as typed.
        tree: the steps.
        strength: the strength of the steps that have none of their own.
        at_several: whether the same cell has other strengths too, so that its label needs this one.
    """
    parts = tree.parts(strength)
    if label and at_several:
        label = f"{label}:{grammar.assigned(strength)}"
    label = label or tree.label(strength) or ""
    pipeline = Pipeline(parts)
    return pipeline, label or str(pipeline)


def _single(key: str, setting: Any) -> Any:
    """Return the value of a setting for one pipeline."""
    if key not in _AXES:
        return plain(setting)
    first, *others = _values(key, setting)
    if others:
        raise UsageError(
            f"several values of {key} need a grid (--grid), with a version for each step at each "
            f"value; write decimals with a point, as in 0.05; got {', '.join(map(str, setting))}"
        )
    return first


def _values(key: str, setting: Any) -> list[Any]:
    several = isinstance(setting, (list, tuple)) or getattr(setting, "ndim", 0) > 0
    values = [plain(each) for each in (setting if several else [setting])]
    if not values:
        raise UsageError(f"{key}: give at least one strength; got an empty list")
    return values
