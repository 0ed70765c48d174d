"""Steps as they were given, read once: text, mappings and objects become one tree of specs.

A spec knows its perturbator and what was said of its strength and parameters. Labels, strengths and
steps follow from the tree; nothing is read a second time for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from perturb.engine.batch import Batch
from perturb.errors import UsageError, shown, unknown
from perturb.pipeline import grammar
from perturb.pipeline.combinators import Combinator, from_mapping
from perturb.pipeline.grammar import Branch
from perturb.pipeline.step import SHARES, STRENGTHS, Step, resolve, sites_of, spelled_out
from perturb.registry.definition import RESERVED, Perturbator
from perturb.registry.parameters import checked_parameters
from perturb.registry.registry import is_drop_in, is_known
from perturb.registry.registry import resolve as named
from perturb.values.frozen import Frozen

# The marks of a step that says more than its name.
_MARKS = frozenset(":(|=")


class Spec(NamedTuple):
    """A step as it was given.

    Attributes:
        perturbator: the perturbator.
        settings: what was said of its strength and parameters.
        usual: the strength that its name stands for, where another library's name has one.
    """

    perturbator: Perturbator
    settings: Mapping[str, Any]
    usual: Mapping[str, Any]


# A leaf of a tree: a step as it was given, or one that is made already.
Leaf = Spec | Step


class Made(Frozen):
    """Steps that are made already, and combinators of such."""

    parts: tuple[Step | Combinator, ...]


class Piece(NamedTuple):
    """One step or combinator of what was given, and what it stands for.

    Attributes:
        typed: the step as it was typed; None for a combinator, and for what was no text.
        parts: leaves and combinators: several where another library's name stands for several.
    """

    typed: str | None
    parts: tuple[Leaf | Combinator, ...]


class Tree(NamedTuple):
    """All that was given, read.

    Attributes:
        pieces: at least one.
        text: the whole as it was typed; None for what was no text.
    """

    pieces: tuple[Piece, ...]
    text: str | None

    @property
    def leaves(self) -> list[Leaf]:
        """The steps in the order written, including those in combinators."""
        return [leaf for piece in self.pieces for leaf in _leaves(piece.parts)]

    def parts(self, settings: Mapping[str, Any]) -> tuple[Step | Combinator, ...]:
        """Return steps, and combinators of such.

        Args:
            settings: a strength for the steps that have none of their own; where there is one
                step, its parameters too.

        Raises:
            UsageError: an unknown parameter, or an invalid value.
            TypeError: a value of a wrong type.
        """
        leaves = self.leaves
        several = bool(settings) and len(leaves) > 1
        if several:
            _check_shared(leaves, settings)

        def step(leaf: Leaf) -> Step:
            return step_of(leaf, {} if several and not lacks_strength(leaf) else settings)

        parts = [part for piece in self.pieces for part in piece.parts]
        return replaced(parts, step)

    def label(self, strength: Mapping[str, Any]) -> str | None:
        """Return the steps as they were typed, each with the strength that it is given.

        Returns:
            None where they were no text, or a combinator is given a strength.
        """
        if self.text is None or not strength:
            return self.text
        lacking = [any(map(lacks_strength, _leaves(parts))) for _, parts in self.pieces]
        shared = grammar.assigned(strength)
        words = []
        for (typed, _), lacks in zip(self.pieces, lacking, strict=True):
            if typed is None:
                return None
            words.append(f"{typed}{',' if ':' in typed else ':'}{shared}" if lacks else typed)
        return " ".join(words)


def read(steps: Any) -> Tree:
    """Read whatever names steps; see `Pipeline.of`.

    Raises:
        UsageError: an unknown name, or a text that can't be read.
        TypeError: something that names no step.
    """
    try:
        pieces = tuple(_pieces(steps))
    except RecursionError:
        raise UsageError("the steps are nested too deeply") from None
    if not pieces:
        raise UsageError("a pipeline needs at least one step; got an empty list")
    typed = steps.text if isinstance(steps, Branch) else steps
    typed = [typed] if isinstance(typed, str) else typed
    is_text = isinstance(typed, list | tuple) and set(map(type, typed)) <= {str}
    return Tree(pieces, " ".join(" ".join(typed).split()) if is_text else None)


def lacks_strength(leaf: Leaf) -> bool:
    """Return whether a step has no strength of its own."""
    return isinstance(leaf, Spec) and leaf.settings.keys().isdisjoint(SHARES)


def replaced(parts: Sequence[Any], make: Callable[[Any], Any]) -> tuple[Any, ...]:
    """Return a tree with each leaf replaced by what is made of it, in the order written."""
    return tuple(
        part.replaced(branches=tuple(replaced(branch, make) for branch in part.branches))
        if isinstance(part, Combinator)
        else make(part)
        for part in parts
    )


def make_step(spec: str | Step | Perturbator | Mapping[str, Any], **settings: Any) -> Step:
    """Make a step of a spec and settings; a setting that both have must be the same in both.

    Args:
        spec: a name, a spec string, a perturbator or a mapping.
        settings: the fields of a step but its perturbator, and parameters.

    Raises:
        UsageError: an unknown name or parameter, or an invalid value.
        TypeError: a value of a wrong type.
    """
    return step_of(spec if isinstance(spec, Step) else _spec(spec), settings)


def step_of(leaf: Leaf, settings: Mapping[str, Any]) -> Step:
    """Return the step of a leaf and of further settings; see `make_step`."""
    if isinstance(leaf, Step):
        if settings:
            raise UsageError(
                f"the step {leaf} has its settings already; got {', '.join(settings)} as well"
            )
        return leaf
    perturbator = leaf.perturbator
    settings = _merged(perturbator.name, leaf.settings, settings)
    if settings.keys().isdisjoint(SHARES):
        settings |= leaf.usual
    known = [key for key in STRENGTHS if key not in perturbator.parameters]
    strength = {key: settings.pop(key) for key in known if key in settings}
    parameters = checked_parameters(perturbator, settings, known)
    # A perturbator refuses here the parameters that it can't use.
    unit = sites_of(perturbator, Batch.of([""]), parameters).unit
    severe = partial(_severe, perturbator, parameters)
    return Step(perturbator, **resolve(perturbator, unit, strength, severe), parameters=parameters)


def _check_shared(leaves: Sequence[Leaf], strength: Mapping[str, Any]) -> None:
    """Refuse what several steps can't share, or what none of them lacks."""
    for key in strength:
        if key not in STRENGTHS:
            raise UsageError(
                f"{key} can't be shared by {len(leaves)} steps; write it to the step it belongs "
                f"to, such as {leaves[0].perturbator.name}:{key}=..."
            )
    if not any(map(lacks_strength, leaves)):
        raise UsageError(f"{' and '.join(strength)} would do nothing: every step has its own")


def _leaves(parts: Sequence[Any]) -> Iterator[Leaf]:
    """Yield the leaves of a tree, in the order written."""
    for part in parts:
        if isinstance(part, Combinator):
            for branch in part.branches:
                yield from _leaves(branch)
        else:
            yield part


def _pieces(steps: Any) -> Iterator[Piece]:
    """Yield what a description holds, one entry after the other."""
    if isinstance(steps, Branch):
        yield from map(_piece, steps.parts)
        return
    if isinstance(steps, Mapping) and "steps" in steps:
        extra = [key for key in steps if key != "steps"]
        if extra:
            raise unknown("key of a pipeline", extra[0], ["steps"])
        steps = steps["steps"]
    if isinstance(steps, (str, Step, Made, Perturbator, Combinator, Mapping)):
        steps = (steps,)
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
    for spec in steps:
        if isinstance(spec, Made):
            yield Piece(None, spec.parts)
        elif isinstance(spec, str):
            if _is_prose(spec):
                raise UsageError(f"{shown(spec)} is no step; a text comes before the steps")
            yield from map(_piece, (spec,) if spec.isidentifier() else grammar.read(spec))
        else:
            yield _piece(spec)


def _is_prose(spec: str) -> bool:
    """Return whether a string is rather a text than steps: several words, none of them known."""
    words = spec.split()
    if len(words) < 3 or not _MARKS.isdisjoint(spec):
        return False
    return not any(is_known(word) or is_drop_in(word) for word in words)


def _piece(spec: Any) -> Piece:
    """Return a step, or a combinator with its branches, read."""
    typed = spec if isinstance(spec, str) else None
    if isinstance(spec, Mapping):
        if "grid" in spec:
            raise UsageError(
                "a grid is not a pipeline: it gives several versions of a text; pass it to augment "
                "or to perturb apply, or use its pipelines one by one"
            )
        spec = from_mapping(spec) or _with_name(spec)
    if isinstance(spec, Combinator):
        branches = tuple(
            tuple(part for piece in _pieces(branch) for part in piece.parts)
            for branch in spec.branches
        )
        if not all(branches):
            raise UsageError(f"{spec.kind} has an empty branch")
        return Piece(None, (spec.replaced(branches=branches),))
    if isinstance(spec, Step):
        return Piece(None, (spec,))
    return Piece(typed, _expanded(spec) or (_spec(spec),))


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


def _expanded(spec: Any) -> tuple[Leaf | Combinator, ...]:
    """Return the steps of a drop-in name that stands for several; of another step nothing."""
    text = spec.get("name") if isinstance(spec, Mapping) else spec
    name, _, settings = text.partition(":") if isinstance(text, str) else ("", "", "")
    if "." not in name or not is_drop_in(name):
        return ()
    from perturb.pipeline.drop_in_names import steps_of

    parts = grammar.read(steps_of(name))
    if len(parts) == 1 and isinstance(parts[0], str):
        return ()
    if settings or (isinstance(spec, Mapping) and len(spec) > 1):
        raise UsageError(
            f"{name} has settings of its own; for others write its steps: {steps_of(name)}"
        )
    return tuple(part for piece in map(_piece, parts) for part in piece.parts)


def _spec(spec: Any) -> Spec:
    """Return a step that is given by a name, a spec string, a perturbator or a mapping."""
    if not isinstance(spec, (str, Perturbator, Mapping)):
        raise TypeError(
            "a step is a name, a spec such as 'ocr:p=0.1', a perturbator or a mapping; "
            f"got {shown(spec)}"
        )
    if isinstance(spec, Perturbator):
        return Spec(spec, {}, {})
    if isinstance(spec, str):
        return _spec_of_text(spec)
    if not isinstance(spec.get("name"), str):
        raise UsageError(f"a step needs a 'name'; got {dict(spec)!r}")
    perturbator, fixed, usual = _named(spec["name"])
    return Spec(perturbator, {**fixed, **_settings(perturbator, spec)}, usual)


def _spec_of_text(spec: str) -> Spec:
    name, colon, rest = spec.partition(":")
    if "=" in name:
        step, _, value = name.partition("=")
        likely = f"{step}:p={value}" if is_known(step) else f"ocr:{spec}"
        raise UsageError(f"{spec!r} is not a step; a setting follows a step, as in {likely}")
    if name.strip().replace(".", "", 1).isdigit():
        raise UsageError(f"{spec!r} is not a step; a strength is written as in ocr:p={spec}")
    if "," in name:
        raise UsageError(
            f"{spec!r} is not a step; steps are separated by spaces or items of a list, and "
            "branches, as in one_of(ocr | case), by |"
        )
    name, pin, version = name.strip().partition("@")
    perturbator, fixed, usual = _named(name)
    if pin:
        _check_version(perturbator, version)
    settings = grammar.assignments(spec, rest) if colon else {}
    return Spec(perturbator, {**fixed, **settings}, usual)


def _named(name: str) -> Spec:
    """Return the perturbator, parameters and usual strength that a name stands for."""
    if "." not in name or not is_drop_in(name):
        return Spec(*named(name), {})
    from perturb.pipeline.drop_in_names import steps_of

    perturbator, settings, _ = _spec_of_text(steps_of(name))
    usual = {key: settings[key] for key in SHARES if key in settings}
    fixed = {key: value for key, value in settings.items() if key not in usual}
    return Spec(perturbator, fixed, usual)


def _settings(perturbator: Perturbator, spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings in the mapping of a step, such as that of a record."""
    version, params = spec.get("version", perturbator.version), spec.get("params") or {}
    if isinstance(params, str):
        params = grammar.assignments(perturbator.name, params)
    _check_version(perturbator, version)
    if not isinstance(params, Mapping):
        raise UsageError(f"{perturbator.name}: params must be a mapping or text; got {params!r}")
    others = ("name", "version", "params")
    settings = {key: value for key, value in spec.items() if key not in others}
    for key, unset in (("p", None), ("intensity", ""), ("severity", 0)):  # as records have it
        if key in settings and settings[key] == unset:
            del settings[key]
    return _merged(perturbator.name, settings, params)


def _check_version(perturbator: Perturbator, version: Any) -> None:
    installed = perturbator.version
    if str(version) != str(installed):
        hint = "use the release of perturb that wrote it"
        if not str(version).isdigit():
            hint = f"a strength follows a colon, as in {perturbator.name}:p={version}"
        raise UsageError(
            f"{perturbator.name}: version {version} is needed, but {installed} is installed; {hint}"
        )


def _merged(name: str, some: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Merge settings from two places; a setting in both must have the same value in both."""
    for key in more:
        if key in some and some[key] != more[key]:
            raise UsageError(f"{name}: {key} is given twice, as {some[key]!r} and {more[key]!r}")
    return {**some, **more}


def spelled(alias: str) -> str:
    """Return the spec string, without a strength, that an alias stands for."""
    perturbator, fixed, _ = _named(alias)
    settings = spelled_out(perturbator, {**perturbator.parameters, **fixed})
    return f"{perturbator.name}:{settings}" if settings else perturbator.name


def _severe(perturbator: Perturbator, parameters: Mapping[str, Any], severity: object) -> float:
    """Return the share of a severity."""
    # What was measured is English, whether a text is looked at or taken for it.
    counted = {
        key: value for key, value in parameters.items() if (key, value) != ("language", "en")
    }
    from perturb.registry.severity import share_of  # reads a table

    return share_of(perturbator, spelled_out(perturbator, counted), severity)
