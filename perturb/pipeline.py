"""Steps and pipelines: what to do and how much, and their forms as text, mappings and YAML."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin

import orjson
import regex

from perturb.draws import key64
from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.errors import UsageError, unknown
from perturb.record import CONTRACT
from perturb.registry import INTENSITIES, Perturbator, resolve
from perturb.tables import File, pinned

_STRENGTHS = ("p", "intensity", "count", "min_edits", "max_edits")
_SHARES = {"p", "intensity", "count"}
_ASSIGNMENT = regex.compile(r'\s*([^=,\s]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^,]*)\s*(?:,|$)')
# One text at a time asks for the same streams again and again.
_stream = lru_cache(maxsize=256, typed=True)(key64)
_LITERALS = {"true": True, "false": False, "null": None}


@dataclass(frozen=True, repr=False)
class Step:
    """One perturbator with its strength and parameters.

    Attributes:
        perturbator: what to do.
        p: the share of the units to edit, in [0, 1]; None where `count` is given.
        count: the number of edits a text, at least 0.
        min_edits: the fewest edits a text, as far as there are sites.
        max_edits: the most edits a text.
        parameters: every parameter of the perturbator with its value.
    """

    perturbator: Perturbator
    p: float | None
    count: int | None = None
    min_edits: int = 0
    max_edits: int | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def sites(self, batch: Batch) -> Sites:
        """Where the step may act."""
        return self.perturbator.find(batch, **self.parameters)

    def to_dict(self) -> dict[str, Any]:
        """The step as a JSON-able mapping, all parameters spelled out."""
        made: dict[str, Any] = {
            "name": self.perturbator.name,
            "version": self.perturbator.version,
            "p": self.p,
        }
        if self.count is not None:
            made["count"] = self.count
        if self.min_edits:
            made["min_edits"] = self.min_edits
        if self.max_edits is not None:
            made["max_edits"] = self.max_edits
        made["params"] = dict(self.parameters)
        return made

    def __repr__(self) -> str:
        return f"<Step {self}>"

    def __str__(self) -> str:
        """The shortest spec string that gives this step again."""
        strengths = {key: value for key, value in self.to_dict().items() if key in _STRENGTHS}
        defaults = self.perturbator.parameters
        given = {k: v for k, v in self.parameters.items() if v != defaults[k]}
        settings = [
            f"{key}={_written(value)}"
            for key, value in {**strengths, **given}.items()
            if value is not None
        ]
        return ":".join([self.perturbator.name, ",".join(settings)])


@dataclass(frozen=True)
class Pipeline:
    """Steps that follow each other, each on what the one before it wrote.

    Attributes:
        steps: at least one.

    Examples:
        >>> pipeline = Pipeline.of(["keyboard_typos:p=0.05", "word_swap:p=0.1"])
        >>> print(pipeline)
        keyboard_typos:p=0.05 word_swap:p=0.1
        >>> Pipeline.of(pipeline.to_dict()) == pipeline
        True
    """

    steps: tuple[Step, ...]

    @classmethod
    def of(cls, steps: Any, **settings: Any) -> Pipeline:
        """Make a pipeline of whatever names one.

        Args:
            steps: a pipeline, a step, a perturbator, a spec string such as
                `"keyboard_typos:p=0.05,layout=de"`, a mapping with `name`, a strength and
                parameters, a mapping with `steps`, or a sequence of any of these.
            settings: a strength (`p`, `intensity` or `count`, `min_edits`, `max_edits`) for every
                step that has none of its own; and where there is one step, its parameters.

        Raises:
            UsageError: an unknown name or parameter, or a value that can't be.
            TypeError: something that names no step.
        """
        if isinstance(steps, Pipeline):
            steps = steps.steps
        if isinstance(steps, Mapping) and "steps" in steps:
            extra = [key for key in steps if key != "steps"]
            if extra:
                raise unknown("key of a pipeline", extra[0], ["steps"])
            steps = steps["steps"]
        if isinstance(steps, (str, Step, Perturbator, Mapping)):
            steps = [steps]
        if not isinstance(steps, Sequence):
            raise TypeError(
                "steps are a name such as 'keyboard_typos', a spec such as "
                f"'keyboard_typos:p=0.05', or a list of these; got {steps!r}"
            )
        if not steps:
            raise UsageError("a pipeline needs at least one step; got an empty list")
        if settings and len(steps) > 1:
            return cls(_strengthened(steps, settings))
        return cls(tuple(make_step(step, **settings) for step in steps))

    @classmethod
    def load(cls, path: str | Path) -> Pipeline:
        """Read a pipeline from a YAML or JSON file.

        Raises:
            UsageError: the file can't be read or is no pipeline; the message names it.
        """
        import yaml

        try:
            return cls.of(yaml.safe_load(Path(path).read_text("utf-8")))
        except OSError as error:
            raise UsageError(f"can't read the pipeline {path}: {error.strerror}") from error
        except (yaml.YAMLError, UnicodeDecodeError, UsageError, TypeError) as error:
            raise UsageError(f"{path}: {' '.join(str(error).split())}") from error

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The label of each step: its name, and `#n` from the second of that name on."""
        seen: Counter[str] = Counter()
        labels = []
        for step in self.steps:
            name = step.perturbator.name
            seen[name] += 1
            labels.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
        return tuple(labels)

    @cached_property
    def reads_files(self) -> bool:
        """Whether a step draws from a file of the caller's."""
        return any(isinstance(v, File) for step in self.steps for v in step.parameters.values())

    def streams(self, seed: int, replicate: int) -> list[int]:
        """The key of each step's stream of draws."""
        return [_stream(CONTRACT, seed, label, replicate) for label in self.labels]

    def to_dict(self) -> dict[str, Any]:
        """The pipeline as a JSON-able mapping."""
        return {"steps": [step.to_dict() for step in self.steps]}

    def __str__(self) -> str:
        return " ".join(map(str, self.steps))


def make_step(spec: str | Step | Perturbator | Mapping[str, Any], **settings: Any) -> Step:
    """Make a step of a spec and settings; a setting that both have must be the same in both.

    Args:
        spec: a name, a spec string, a perturbator or a mapping.
        settings: `p`, `intensity`, `count`, `min_edits`, `max_edits` and parameters.

    Raises:
        UsageError: an unknown name or parameter, or a value that can't be.
        TypeError: a value of a wrong type.
    """
    if isinstance(spec, Step):
        if settings:
            raise UsageError(
                f"the step {spec} has its settings already; got {', '.join(settings)} as well"
            )
        return spec
    found, given = _parsed(spec)
    for key, value in settings.items():
        if key in given and given[key] != value:
            raise UsageError(f"{found.name}: {key} is given twice, as {given[key]!r} and {value!r}")
        given[key] = value
    strengths = {key: given.pop(key, None) for key in _STRENGTHS}
    step = Step(found, **_checked(found, **strengths), parameters=_filled(found, given))
    step.sites(Batch.of([""]))  # a perturbator refuses here the parameters that it can't use
    return step


def _strengthened(specs: Sequence[Any], strength: Mapping[str, Any]) -> tuple[Step, ...]:
    """Make steps, with `strength` for those that have none of their own."""
    for key in strength:
        if key not in _STRENGTHS:
            raise UsageError(
                f"{key} can't be shared by {len(specs)} steps; write it to the step it belongs "
                f"to, such as {specs[0]}:{key}=..."
            )
    own = [isinstance(spec, Step) or not _SHARES.isdisjoint(_parsed(spec)[1]) for spec in specs]
    if all(own):
        raise UsageError(f"{' and '.join(strength)} would do nothing: every step has its own")
    return tuple(
        make_step(spec, **({} if has else strength)) for spec, has in zip(specs, own, strict=True)
    )


def _parsed(spec: str | Perturbator | Mapping[str, Any]) -> tuple[Perturbator, dict[str, Any]]:
    if not isinstance(spec, (str, Perturbator, Mapping)):
        raise TypeError(f"a step is a name, a spec, a perturbator or a mapping; got {spec!r}")
    if isinstance(spec, Perturbator):
        return spec, {}
    if isinstance(spec, str):
        name, _, rest = spec.partition(":")
        found, given = resolve(name.strip())
        return found, {**given, **_assignments(spec, rest)}
    if not isinstance(spec.get("name"), str):
        raise UsageError(f"a step needs a 'name'; got {dict(spec)!r}")
    settings = {**spec, **_mapping(spec, "params")}
    found, given = resolve(settings.pop("name"))
    settings.pop("params", None)
    version = settings.pop("version", found.version)
    if version != found.version:
        raise UsageError(
            f"{found.name}: version {version} is asked for, version {found.version} is installed; "
            "use the release of perturb that wrote it"
        )
    return found, {**given, **{k: v for k, v in settings.items() if k != "p" or v is not None}}


def _mapping(spec: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = spec.get(key) or {}
    if not isinstance(value, Mapping):
        raise UsageError(f"{spec['name']}: {key} must be a mapping; got {value!r}")
    return value


def _assignments(spec: str, rest: str) -> dict[str, Any]:
    """Read `key=value,key=value`; a value with a comma or quotes is written as JSON string."""
    given = {}
    at = 0
    while at < len(rest):
        found = _ASSIGNMENT.match(rest, at)
        if found is None:
            raise UsageError(
                f"can't read {rest[at:]!r} in the step {spec!r}: settings are written "
                "name:key=value,key=value"
            )
        try:
            given[found[1]] = _read(found[2].strip())
        except orjson.JSONDecodeError as error:
            raise UsageError(
                f"can't read the value {found[2]} in the step {spec!r}: {error}"
            ) from error
        at = found.end()
    return given


def _read(text: str) -> Any:
    if text in _LITERALS:
        return _LITERALS[text]
    if text.startswith('"'):
        return orjson.loads(text)
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


def _written(value: Any) -> str:
    plain = value if isinstance(value, str) else orjson.dumps(value).decode()
    quoted = regex.search(r'[,"\\\s]', plain) or plain == "" or _read(plain) != value
    return orjson.dumps(value).decode() if quoted else plain


def _checked(
    found: Perturbator,
    *,
    p: Any,
    intensity: Any,
    count: Any,
    min_edits: Any,
    max_edits: Any,
) -> dict[str, Any]:
    """The strength of a step; without any it is the perturbator's own "low"."""
    name = found.name
    given = [
        key
        for key, value in (("p", p), ("intensity", intensity), ("count", count))
        if value is not None
    ]
    if len(given) > 1:
        raise UsageError(f"{name}: give one of p, intensity and count; got {' and '.join(given)}")
    for key, value in (("count", count), ("min_edits", min_edits), ("max_edits", max_edits)):
        if value is None:
            continue
        if not isinstance(value, int) or isinstance(value, bool):
            raise TypeError(f"{name}: {key} must be a whole number; got {value!r}")
        if value < 0:
            raise UsageError(f"{name}: {key} must be at least 0; got {value}")
    if max_edits is not None and (min_edits or 0) > max_edits:
        raise UsageError(f"{name}: min_edits {min_edits} is more than max_edits {max_edits}")
    if intensity is not None and intensity not in INTENSITIES:
        raise UsageError(f"{name}: intensity is one of {', '.join(INTENSITIES)}; got {intensity!r}")
    if p is None and count is None:
        p = found.intensities[intensity or "low"]
    if p is not None:
        if not isinstance(p, (int, float)) or isinstance(p, bool):
            raise TypeError(f"{name}: p must be a number in [0, 1]; got {p!r}")
        if not 0 <= p <= 1:
            hint = f"; for {p:g} % write p={p / 100:g}" if 1 < p <= 100 else ""
            raise UsageError(f"{name}: p must be in [0, 1]; got {p!r}{hint}")
        p = float(p)
    return {"p": p, "count": count, "min_edits": min_edits or 0, "max_edits": max_edits}


def _filled(found: Perturbator, given: Mapping[str, Any]) -> dict[str, Any]:
    given = {key: _by_name(value) if callable(value) else value for key, value in given.items()}
    for key, value in given.items():
        if key not in found.parameters:
            raise unknown(f"parameter of {found.name}", key, [*found.parameters, *_STRENGTHS])
        wanted = found.types.get(key, Any)
        if type(value) is str and File in (wanted, *get_args(wanted)):
            given[key] = value = pinned(value)
        if not _fits(value, wanted):
            raise UsageError(f"{found.name}: {key} must be {_in_words(wanted)}; got {value!r}")
    return {**found.parameters, **given}


def _by_name(function: Any) -> str:
    """A function as `module:name`, so that a record can hold it and another process find it."""
    module, name = function.__module__, function.__qualname__
    if getattr(import_module(module), name, None) is not function:
        raise UsageError(
            f"{module}.{name} can't be imported by its name; give a function of a module"
        )
    return f"{module}:{name}"


def _fits(value: Any, wanted: Any) -> bool:
    if wanted is Any:
        return True
    if get_origin(wanted) is Literal:
        return value in get_args(wanted)
    if isinstance(wanted, UnionType):
        return any(_fits(value, one) for one in get_args(wanted))
    if wanted is float and type(value) is int:
        return True
    return type(value) is wanted and not (wanted is float and not math.isfinite(value))


def _in_words(wanted: Any) -> str:
    if get_origin(wanted) is Literal or isinstance(wanted, UnionType):
        return " or ".join(_in_words(one) for one in get_args(wanted))
    names = {
        str: "a string",
        File: "the path of a file",
        int: "a whole number",
        float: "a finite number",
        bool: "true or false",
    }
    return "nothing" if wanted is NoneType else names.get(wanted, repr(wanted))
