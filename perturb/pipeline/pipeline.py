"""Pipelines: what to do with a text, and their forms as text, mappings and YAML.

A pipeline is a tree: steps, and combinators with branches of steps and combinators. The engine sees
it as stages, one for each step in the order written, with the gates that lead to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from perturb._version import STREAMS
from perturb.boundary import File, text_in, yaml_of
from perturb.engine.run import Stage
from perturb.errors import UsageError, shown, unknown
from perturb.pipeline import grammar
from perturb.pipeline.combinators import Combinator, from_mapping
from perturb.pipeline.step import Step, has_strength, make_step, strengthened
from perturb.registry.built_in import is_drop_in
from perturb.registry.definition import Perturbator
from perturb.registry.registry import is_known
from perturb.registry.store import goes_by_name
from perturb.registry.vocabulary import RESERVED
from perturb.rng import key64
from perturb.values.frozen import Frozen

T = TypeVar("T")

# The marks of a step that says more than its name.
_SPEC = frozenset(":(|=")

# One text at a time asks for the same streams again and again.
_stream = lru_cache(maxsize=256, typed=True)(key64)


class Place(NamedTuple):
    """A step in its pipeline.

    Attributes:
        step: the step.
        label: names its stream of random numbers: the perturbator's name, with `#n` from the second
            step of that name on.
        branches: the branches that lead to it, each as the label of the combinator's stream, the
            combinator, and the number of the branch.
    """

    step: Step
    label: str
    branches: tuple[tuple[str, Combinator, int], ...]


class Pipeline(Frozen):
    """Steps that follow each other, each on what the one before it wrote.

    Attributes:
        parts: steps, and combinators of such; at least one.

    Examples:
        >>> pipeline = Pipeline.of(["keyboard_typos:p=0.05", "sometimes(0.5, word_swap:p=0.1)"])
        >>> print(pipeline)
        keyboard_typos:p=0.05 sometimes(0.5, word_swap:p=0.1)
        >>> Pipeline.of(str(pipeline)) == Pipeline.of(pipeline.to_dict()) == pipeline
        True
    """

    parts: tuple[Step | Combinator, ...]

    @classmethod
    def of(cls, steps: Any, **settings: Any) -> Pipeline:
        """Make a pipeline of whatever names one.

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
        try:
            parts = _parts(steps)
        except RecursionError:
            raise UsageError("the steps are nested too deeply") from None
        if not parts:
            raise UsageError("a pipeline needs at least one step; got an empty list")
        specs = list(_leaves(parts))
        if settings and len(specs) > 1:
            steps = iter(strengthened(specs, settings))
            return cls(_replaced(parts, lambda _: next(steps)))
        return cls(_replaced(parts, lambda spec: make_step(spec, **settings)))

    @classmethod
    def load(cls, path: str | Path, **settings: Any) -> Pipeline:
        """Read a pipeline from a YAML or JSON file, with settings as for `of`.

        Raises:
            UsageError: the file can't be read or is no pipeline; the message names it.
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
        return tuple(place.step for place in self.places)

    @cached_property
    def reads_files(self) -> bool:
        """Return whether a step reads a file of the caller's."""
        return any(isinstance(v, File) for step in self.steps for v in step.parameters.values())

    @cached_property
    def pinned(self) -> str:
        """Return the pipeline as text, each step with the version of its perturbator."""
        return " ".join(map(str, _replaced(self.parts, _pinned)))

    def stages(self, seed: int, replicate: int) -> list[Stage]:
        """Return the steps in the form that the engine runs."""

        def stream(label: str) -> int:
            return _stream(STREAMS, seed, label, replicate)

        return [
            Stage(
                step,
                stream(label),
                tuple(chooser.gate(stream(name), branch) for name, chooser, branch in branches),
            )
            for step, label, branches in self.places
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the pipeline as a mapping that JSON can hold."""
        return {"steps": [part.to_dict() for part in self.parts]}

    def __repr__(self) -> str:
        """Return the call that makes this pipeline, if all of its steps go by their names."""
        return called(self, self.steps)

    def __str__(self) -> str:
        return " ".join(map(str, self.parts))


def _pinned(step: Step) -> str:
    """Return a step as text with the version of its perturbator."""
    name, colon, rest = str(step).partition(":")
    return f"{name}@{step.perturbator.version}{colon}{rest}"


def called(whole: Any, steps: Iterable[Step]) -> str:
    """Return the call that makes a pipeline or a grid of its text."""
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
        raise UsageError(f"{path}: it is nested too deeply") from None
    except (ValueError, TypeError) as error:
        raise UsageError(f"{path}: {' '.join(str(error).split())}") from error


def _parts(steps: Any) -> tuple[Any, ...]:
    """Return the sequence that `steps` describes: steps as written, and combinators of such."""
    if isinstance(steps, Mapping) and "steps" in steps:
        extra = [key for key in steps if key != "steps"]
        if extra:
            raise unknown("key of a pipeline", extra[0], ["steps"])
        steps = steps["steps"]
    if isinstance(steps, (str, Step, Pipeline, Perturbator, Combinator, Mapping)):
        return _part(steps)
    if getattr(steps, "__module__", "") == "perturb.steps":
        raise TypeError(f"a step is what perturb.steps.{steps.__name__}(...) returns: call it")
    if callable(steps):
        raise TypeError(
            "a function becomes a step by perturb.from_function('name', function); "
            f"got {shown(steps)}"
        )
    if not isinstance(steps, Sequence):
        raise TypeError(
            "steps are a name such as 'keyboard_typos', a spec such as "
            f"'keyboard_typos:p=0.05', or a list of these; got {shown(steps)}"
        )
    return tuple(part for step in steps for part in _part(step))


def _part(spec: Any) -> tuple[Any, ...]:
    """Return the steps that one entry of a list of steps stands for."""
    if isinstance(spec, Pipeline):
        return spec.parts
    if isinstance(spec, str):
        if _is_prose(spec):
            raise UsageError(f"{shown(spec)} is no step; a text comes before the steps")
        return tuple(part for read in grammar.read(spec) for part in _opened(read))
    return _opened(spec)


def _is_prose(spec: str) -> bool:
    """Return whether a string is rather a text than steps: several words, none of them known."""
    words = spec.split()
    if len(words) < 3 or not _SPEC.isdisjoint(spec):
        return False
    return not any(is_known(word) or is_drop_in(word) for word in words)


def _opened(spec: Any) -> tuple[Any, ...]:
    """Return a step as it is, or a combinator with its branches read."""
    if isinstance(spec, Mapping) and "grid" in spec:
        raise UsageError(
            "a grid is not a pipeline: it gives several versions of a text; pass it to augment or "
            "to perturb apply, or use its pipelines one by one"
        )
    if isinstance(spec, Mapping):
        spec = from_mapping(spec) or _with_name(spec)
    if isinstance(spec, Combinator):
        branches = tuple(_parts(branch) for branch in spec.branches)
        if not all(branches):
            raise UsageError(f"{spec.kind} has an empty branch")
        return (spec.replaced(branches=branches),)
    return _expanded(spec)


def _with_name(spec: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a step written as its name with its settings below, as YAML invites to, in full."""
    if len(spec) != 1 or not RESERVED.isdisjoint(spec):
        return spec
    ((name, settings),) = spec.items()
    if settings is not None and not isinstance(settings, Mapping):
        raise UsageError(
            f"the settings of the step {name!r} must be a mapping, as in {name}: {{p: 0.1}}; "
            f"got {settings!r}"
        )
    return {"name": name, **(settings or {})}


def _expanded(spec: Any) -> tuple[Any, ...]:
    """Return the steps of a drop-in name that stands for several, or any other step as it is."""
    text = spec.get("name") if isinstance(spec, Mapping) else spec
    name, _, settings = text.partition(":") if isinstance(text, str) else ("", "", "")
    if not is_drop_in(name):
        return (spec,)
    from perturb.pipeline.drop_in_names import steps_of

    parts = grammar.read(steps_of(name))
    if len(parts) == 1 and isinstance(parts[0], str):
        return (spec,)
    if settings or (isinstance(spec, Mapping) and len(spec) > 1):
        raise UsageError(
            f"{name} has settings of its own; for others write its steps: {steps_of(name)}"
        )
    return _parts(parts)


def _leaves(parts: Sequence[Any]) -> Iterator[Any]:
    """Yield the steps in a tree, in the order written."""
    for part in parts:
        if isinstance(part, Combinator):
            for branch in part.branches:
                yield from _leaves(branch)
        else:
            yield part


def _replaced(parts: Sequence[Any], make: Callable[[Any], Any]) -> tuple[Any, ...]:
    """Return the tree with each step replaced by what is made of it, in the order written."""
    return tuple(
        part.replaced(branches=tuple(_replaced(branch, make) for branch in part.branches))
        if isinstance(part, Combinator)
        else make(part)
        for part in parts
    )


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


def lacks_strength(steps: Any) -> bool:
    """Return whether any of the steps lacks a strength of its own."""
    return not all(map(has_strength, _leaves(_parts(steps))))
