"""Pipelines: what to do with a text, and their forms as text, mappings and YAML.

A pipeline is a tree: steps, and combinators with branches of steps and combinators. The engine sees
it as stages, one for each step in the order written, with the gates that lead to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from perturb._version import STREAMS
from perturb.boundary import File, text_in, yaml_of
from perturb.engine.run import Stage
from perturb.errors import UsageError
from perturb.pipeline.combinators import Combinator
from perturb.pipeline.specs import Made, read, replaced
from perturb.pipeline.step import Step
from perturb.registry.store import goes_by_name
from perturb.rng import key64

T = TypeVar("T")

_STEP = attrgetter("step")
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


class Pipeline(Made):
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
        return cls(read(steps).parts(settings))

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
