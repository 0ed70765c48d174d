"""Steps and pipelines: what to do and how much, and their forms as text, mappings and YAML.

A pipeline is a tree: steps, and combinators with branches of steps and combinators. The engine sees
it as stages, one for each step in the order written, with the gates that lead to it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, TypeVar, get_args, get_origin

import orjson
import regex

from perturb import dropins, specs
from perturb import severity as severities
from perturb.combinators import Combinator, from_mapping
from perturb.draws import key64
from perturb.engine.batch import Batch
from perturb.engine.run import Stage
from perturb.engine.sites import Sites
from perturb.errors import UsageError, unknown
from perturb.record import CONTRACT
from perturb.registry import INTENSITIES, Perturbator, resolve
from perturb.tables import File, pinned

T = TypeVar("T")

_LIMITS = ("count", "min_edits", "max_edits", "skip_first", "skip_last", "min_word_length")
_STRENGTHS = ("p", "intensity", "severity", *_LIMITS)
_SHARES = {"p", "intensity", "severity", "count"}
_ASSIGNMENT = regex.compile(r'\s*([^=,\s]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^,]*)\s*(?:,|$)')
# One text at a time asks for the same streams again and again.
_stream = lru_cache(maxsize=256, typed=True)(key64)
_LITERALS = {"true": True, "false": False, "null": None}


@dataclass(frozen=True, repr=False)
class Step:
    """One perturbator with its strength and parameters.

    Attributes:
        perturbator: what to do.
        p: the share of the units to edit, or what `share` is made of, in [0, 1]; None where
            `count` is given.
        severity: from 1 to 5 where `p` is that of a severity, else None.
        count: the number of edits a text, at least 0.
        min_edits: the fewest edits a text, as far as there are sites.
        max_edits: the most edits a text.
        skip_first: how many words at the start of a text the step leaves alone, with all before
            them. They count among the units that `p` is a share of, and so do those below.
        skip_last: how many words at the end of a text it leaves alone, with all after them.
        min_word_length: it leaves words of fewer characters alone.
        parameters: every parameter of the perturbator with its value.
    """

    perturbator: Perturbator
    p: float | None
    severity: int | None = None
    count: int | None = None
    min_edits: int = 0
    max_edits: int | None = None
    skip_first: int = 0
    skip_last: int = 0
    min_word_length: int = 0
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def share(self) -> float | None:
        """The share of the units to edit, in [0, 1]: `p`, or what the perturbator makes of it."""
        if self.p is None:
            return None
        return self.perturbator.share(self.p, **self.parameters)

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
        for key in ("severity", *_LIMITS):
            if getattr(self, key) != _UNSET[key]:
                made[key] = getattr(self, key)
        made["params"] = dict(self.parameters)
        return made

    def __repr__(self) -> str:
        return f"<Step {self}>"

    def __str__(self) -> str:
        """The shortest spec string that gives this step again."""
        strengths = {key: value for key, value in self.to_dict().items() if key in _STRENGTHS}
        if self.severity is not None:
            del strengths["p"]
        settings = [f"{key}={_written(v)}" for key, v in strengths.items() if v is not None]
        given = _spelled(self.perturbator, self.parameters)
        return ":".join([self.perturbator.name, ",".join([*settings, *([given] if given else [])])])


_UNSET = {one.name: one.default for one in fields(Step) if one.name in _STRENGTHS}


class Place(NamedTuple):
    """A step in its pipeline.

    Attributes:
        step: the step.
        label: names its stream of draws: its perturbator, and `#n` from the second of that name on.
        branches: those that lead to it, each as the label of the combinator's stream, the
            combinator, and which of its branches.
    """

    step: Step
    label: str
    branches: tuple[tuple[str, Combinator, int], ...]


@dataclass(frozen=True)
class Pipeline:
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
                mapping with `name`, a strength and parameters, one with `one_of`, `some_of` or
                `sometimes`, one with `steps`, or a sequence of any of these.
            settings: a strength (`p`, `intensity`, `severity` or `count`, and `min_edits`,
                `max_edits`, `skip_first`, `skip_last`, `min_word_length`) for every step that has
                none of its own, in combinators too; and where there is one step, its parameters.

        Raises:
            UsageError: an unknown name or parameter, or a value that can't be.
            TypeError: something that names no step.
        """
        try:
            parts = _parts(steps)
        except RecursionError:
            raise UsageError("the steps are nested too deeply") from None
        if not parts:
            raise UsageError("a pipeline needs at least one step; got an empty list")
        given = list(_leaves(parts))
        if settings and len(given) > 1:
            made = _strengthened(given, settings)
        else:
            made = tuple(make_step(step, **settings) for step in given)
        return cls(_filled_in(parts, iter(made)))

    @classmethod
    def load(cls, path: str | Path, **settings: Any) -> Pipeline:
        """Read a pipeline from a YAML or JSON file, with settings as for `of`.

        Raises:
            UsageError: the file can't be read or is no pipeline; the message names it.
        """
        return from_file(path, lambda spec: cls.of(spec, **settings))

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The steps in the order written, each with its label and what leads to it."""
        seen: Counter[str] = Counter()

        def label(name: str) -> str:
            seen[name] += 1
            return name if seen[name] == 1 else f"{name}#{seen[name]}"

        return tuple(_placed(self.parts, label, ()))

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps in the order written, those in combinators too."""
        return tuple(place.step for place in self.places)

    @cached_property
    def by_chance(self) -> bool:
        """Whether there are combinators, so that a text may take some steps and others not."""
        return any(place.branches for place in self.places)

    @cached_property
    def reads_files(self) -> bool:
        """Whether a step draws from a file of the caller's."""
        return any(isinstance(v, File) for step in self.steps for v in step.parameters.values())

    def stages(self, seed: int, replicate: int) -> list[Stage]:
        """The steps as the engine sees them."""

        def stream(label: str) -> int:
            return _stream(CONTRACT, seed, label, replicate)

        return [
            Stage(
                step,
                stream(label),
                tuple(chooser.gate(stream(own), branch) for own, chooser, branch in branches),
            )
            for step, label, branches in self.places
        ]

    def to_dict(self) -> dict[str, Any]:
        """The pipeline as a JSON-able mapping."""
        return {"steps": [part.to_dict() for part in self.parts]}

    def __str__(self) -> str:
        return " ".join(map(str, self.parts))


def from_file(path: str | Path, make: Callable[[Any], T]) -> T:
    """What `make` makes of the content of a YAML or JSON file.

    Raises:
        UsageError: the file can't be read, or `make` refuses it; the message names it.
    """
    import yaml

    try:
        return make(yaml.safe_load(Path(path).read_text("utf-8")))
    except OSError as error:
        raise UsageError(f"can't read the pipeline {path}: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError, UsageError, TypeError) as error:
        raise UsageError(f"{path}: {' '.join(str(error).split())}") from error


def _parts(steps: Any) -> tuple[Any, ...]:
    """What follows each other in `steps`: steps as they are written, and combinators of such."""
    if isinstance(steps, Mapping) and "steps" in steps:
        extra = [key for key in steps if key != "steps"]
        if extra:
            raise unknown("key of a pipeline", extra[0], ["steps"])
        steps = steps["steps"]
    if isinstance(steps, (str, Step, Pipeline, Perturbator, Combinator, Mapping)):
        return _part(steps)
    if not isinstance(steps, Sequence):
        raise TypeError(
            "steps are a name such as 'keyboard_typos', a spec such as "
            f"'keyboard_typos:p=0.05', or a list of these; got {steps!r}"
        )
    return tuple(part for step in steps for part in _part(step))


def _part(spec: Any) -> tuple[Any, ...]:
    """What one entry of a list of steps stands for."""
    if isinstance(spec, Pipeline):
        return spec.parts
    if isinstance(spec, str):
        return tuple(part for read in specs.read(spec) for part in _opened(read))
    return _opened(spec)


def _opened(spec: Any) -> tuple[Any, ...]:
    """A step as it is; a combinator with its branches read."""
    if isinstance(spec, Mapping) and "grid" in spec:
        raise UsageError(
            "a grid stands alone and gives several versions of a text: hand it to augment, or to "
            "perturb apply, or take its pipelines one by one"
        )
    if isinstance(spec, Mapping):
        spec = from_mapping(spec) or spec
    if isinstance(spec, Combinator):
        branches = tuple(_parts(branch) for branch in spec.branches)
        if not all(branches):
            raise UsageError(f"{spec.kind} has an empty branch")
        return (replace(spec, branches=branches),)
    return _expanded(spec)


def _expanded(spec: Any) -> tuple[Any, ...]:
    """The steps of a drop-in name that stands for several; any other step as it is."""
    text = spec.get("name") if isinstance(spec, Mapping) else spec
    name, _, settings = text.partition(":") if isinstance(text, str) else ("", "", "")
    if "." not in name:
        return (spec,)
    parts = specs.read(dropins.steps_of(name))
    if len(parts) == 1 and isinstance(parts[0], str):
        return (spec,)
    if settings or (isinstance(spec, Mapping) and len(spec) > 1):
        raise UsageError(
            f"{name} has settings of its own; for others write its steps: {dropins.steps_of(name)}"
        )
    return _parts(parts)


def _leaves(parts: Sequence[Any]) -> Iterator[Any]:
    """The steps in a tree, in the order written."""
    for part in parts:
        if isinstance(part, Combinator):
            for branch in part.branches:
                yield from _leaves(branch)
        else:
            yield part


def _filled_in(parts: Sequence[Any], steps: Iterator[Step]) -> tuple[Step | Combinator, ...]:
    """The tree with other steps in the places of its steps."""
    return tuple(
        replace(part, branches=tuple(_filled_in(branch, steps) for branch in part.branches))
        if isinstance(part, Combinator)
        else next(steps)
        for part in parts
    )


def _placed(
    parts: Sequence[Step | Combinator],
    label: Callable[[str], str],
    branches: tuple[tuple[str, Combinator, int], ...],
) -> Iterator[Place]:
    """The steps in a tree with their labels; a combinator's has brackets, as no step's can."""
    for part in parts:
        if isinstance(part, Step):
            yield Place(part, label(part.perturbator.name), branches)
            continue
        own = label(f"{part.kind}()")
        for number, branch in enumerate(part.branches):
            yield from _placed(branch, label, (*branches, (own, part, number)))


def make_step(spec: str | Step | Perturbator | Mapping[str, Any], **settings: Any) -> Step:
    """Make a step of a spec and settings; a setting that both have must be the same in both.

    Args:
        spec: a name, a spec string, a perturbator or a mapping.
        settings: `p`, `intensity`, `severity`, `count`, `min_edits`, `max_edits`, `skip_first`,
            `skip_last`, `min_word_length` and parameters.

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
    found, given, usual = _parsed(spec)
    for key, value in settings.items():
        if key in given and given[key] != value:
            raise UsageError(f"{found.name}: {key} is given twice, as {given[key]!r} and {value!r}")
        given[key] = value
    if _SHARES.isdisjoint(given):
        given |= usual
    strengths = {key: given.pop(key, None) for key in _STRENGTHS}
    parameters = _filled(found, given)
    step = Step(found, **_checked(found, parameters, **strengths), parameters=parameters)
    step.sites(Batch.of([""]))  # a perturbator refuses here the parameters that it can't use
    return step


def lacks_strength(steps: Any) -> bool:
    """Whether any of the steps that something names does not say how much it is to do."""
    return not all(map(_has_strength, _leaves(_parts(steps))))


def _has_strength(spec: Any) -> bool:
    return isinstance(spec, Step) or not _SHARES.isdisjoint(_parsed(spec)[1])


def _strengthened(specs: Sequence[Any], strength: Mapping[str, Any]) -> tuple[Step, ...]:
    """Make steps, with `strength` for those that have none of their own."""
    for key in strength:
        if key not in _STRENGTHS:
            raise UsageError(
                f"{key} can't be shared by {len(specs)} steps; write it to the step it belongs "
                f"to, such as {specs[0]}:{key}=..."
            )
    own = list(map(_has_strength, specs))
    if all(own):
        raise UsageError(f"{' and '.join(strength)} would do nothing: every step has its own")
    return tuple(
        make_step(spec, **({} if has else strength)) for spec, has in zip(specs, own, strict=True)
    )


def _parsed(spec: Any) -> tuple[Perturbator, dict[str, Any], dict[str, Any]]:
    """The perturbator of a step, its settings, and the strength that it has without one."""
    if not isinstance(spec, (str, Perturbator, Mapping)):
        raise TypeError(f"a step is a name, a spec, a perturbator or a mapping; got {spec!r}")
    if isinstance(spec, Perturbator):
        return spec, {}, {}
    if isinstance(spec, str):
        name, _, rest = spec.partition(":")
        found, given, usual = _named(name.strip())
        return found, {**given, **_assignments(spec, rest)}, usual
    if not isinstance(spec.get("name"), str):
        raise UsageError(f"a step needs a 'name'; got {dict(spec)!r}")
    settings = {**spec, **_mapping(spec, "params")}
    found, given, usual = _named(settings.pop("name"))
    settings.pop("params", None)
    version = settings.pop("version", found.version)
    if version != found.version:
        raise UsageError(
            f"{found.name}: version {version} is asked for, version {found.version} is installed; "
            "use the release of perturb that wrote it"
        )
    settings = {key: value for key, value in settings.items() if key != "p" or value is not None}
    return found, {**given, **settings}, usual


def _named(name: str) -> tuple[Perturbator, Mapping[str, Any], dict[str, Any]]:
    """What a name stands for: a perturbator, parameters, and a drop-in name's usual strength."""
    if "." not in name:
        return *resolve(name), {}
    found, given, _ = _parsed(dropins.steps_of(name))
    return found, given, {key: given.pop(key) for key in _SHARES & given.keys()}


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
    quoted = regex.search(r'[,"\\\s|()]', plain) or plain == "" or _read(plain) != value
    return orjson.dumps(value).decode() if quoted else plain


def spelled(alias: str) -> str:
    """The spec string, without a strength, of what an alias stands for."""
    found, given, _ = _named(alias)
    written = _spelled(found, {**found.parameters, **given})
    return f"{found.name}:{written}" if written else found.name


def _spelled(found: Perturbator, parameters: Mapping[str, Any]) -> str:
    """The parameters that are not the defaults, as a spec string has them."""
    defaults = found.parameters
    return ",".join(f"{k}={_written(v)}" for k, v in parameters.items() if v != defaults[k])


def _checked(
    found: Perturbator,
    parameters: Mapping[str, Any],
    *,
    p: Any,
    intensity: Any,
    severity: Any,
    **limits: Any,
) -> dict[str, Any]:
    """The strength of a step; without any it is the perturbator's own "low"."""
    name = found.name
    shares = {"p": p, "intensity": intensity, "severity": severity, "count": limits["count"]}
    given = [key for key, value in shares.items() if value is not None]
    if len(given) > 1 and given != ["p", "severity"]:  # which a record has both
        raise UsageError(
            f"{name}: give one of p, intensity, severity and count; got {' and '.join(given)}"
        )
    limits = {key: value for key, value in limits.items() if value is not None}
    for key, value in limits.items():
        if not isinstance(value, int) or isinstance(value, bool):
            raise TypeError(f"{name}: {key} must be a whole number; got {value!r}")
        if value < 0:
            raise UsageError(f"{name}: {key} must be at least 0; got {value}")
    fewest, most = limits.get("min_edits", 0), limits.get("max_edits")
    if most is not None and fewest > most:
        raise UsageError(f"{name}: min_edits {fewest} is more than max_edits {most}")
    if intensity is not None and intensity not in INTENSITIES:
        raise UsageError(f"{name}: intensity is one of {', '.join(INTENSITIES)}; got {intensity!r}")
    if severity is not None:
        p = _severe(found, parameters, severity, p)
    elif p is None and "count" not in limits:
        p = found.intensities[intensity or "low"]
    return {"p": None if p is None else _share(name, p), "severity": severity, **limits}


def _severe(found: Perturbator, parameters: Mapping[str, Any], severity: Any, p: Any) -> float:
    """The share of a severity; a share that is given with it, as in a record, must be that."""
    meant = severities.share_of(found, _spelled(found, parameters), severity)
    if p not in (None, meant):
        raise UsageError(
            f"{found.name}: give one of p and severity; here severity {severity} is p={meant!r}, "
            f"got p={p!r} as well"
        )
    return meant


def _share(name: str, p: Any) -> float:
    if not isinstance(p, (int, float)) or isinstance(p, bool):
        raise TypeError(f"{name}: p must be a number in [0, 1]; got {p!r}")
    if not 0 <= p <= 1:
        hint = f"; for {p:g} % write p={p / 100:g}" if 1 < p <= 100 else ""
        raise UsageError(f"{name}: p must be in [0, 1]; got {p!r}{hint}")
    return float(p)


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
