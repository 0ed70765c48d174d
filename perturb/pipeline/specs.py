"""Read steps once: text, mappings and objects become one tree of specs.

A spec has its perturbator and the caller's settings. Labels, strengths and steps follow from the
tree, so nothing is read a second time for them.
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
from perturb.registry.definition import RESERVED, Perturbator, checked_parameters, no_spread
from perturb.registry.registry import is_drop_in, is_known
from perturb.registry.registry import resolve as named
from perturb.values.fields import Frozen

# Prose rarely has these marks between three words, and steps of three words rarely do without.
_MARKS = frozenset(":(|=")


class Spec(NamedTuple):
    """A step as the caller gave it.

    Attributes:
        perturbator: the perturbator.
        settings: the caller's settings of strength and parameters.
        usual: the strength that another library's name implies, if it does.
    """

    perturbator: Perturbator
    settings: Mapping[str, Any]
    usual: Mapping[str, Any]


# A leaf of a tree: a step as the caller gave it, or a finished one.
Leaf = Spec | Step


class Made(Frozen):
    """Finished steps, and combinators of these."""

    parts: tuple[Step | Combinator, ...]

    def __init__(self, *values: Any, **given: Any) -> None:
        parts = next(iter((*values, *given.values())), None)
        if not isinstance(parts, tuple) or not all(
            isinstance(p, (Step, Combinator)) for p in parts
        ):
            kind = type(self).__name__
            of_names = f"{kind}.of(['keyboard_typos', 'case'], p=0.05) makes it of names"
            raise TypeError(f"{kind}(...) takes finished steps alone: {of_names}")
        super().__init__(*values, **given)


class Piece(NamedTuple):
    """One step or combinator of the caller's, with its meaning.

    Attributes:
        typed: the step as typed; None for a combinator, and for any form but text.
        parts: leaves and combinators, several if another library's name means several steps.
    """

    typed: str | None
    parts: tuple[Leaf | Combinator, ...]


class Tree(NamedTuple):
    """All steps of the caller's, read.

    Attributes:
        pieces: at least one.
        text: the whole as typed; None for any form but text.
    """

    pieces: tuple[Piece, ...]
    text: str | None

    @property
    def leaves(self) -> list[Leaf]:
        """The steps in the order written, including those in combinators."""
        return [leaf for piece in self.pieces for leaf in _leaves(piece.parts)]

    def parts(self, settings: Mapping[str, Any]) -> tuple[Step | Combinator, ...]:
        """Return finished steps, and combinators of these.

        Args:
            settings: a strength for the steps that have none of their own; for a single step also
                parameters.

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
        """Return the steps as typed, with a strength added to each step that has none.

        Returns:
            None if they weren't text, or if a combinator would need a strength.
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
    """Read any form of steps; see `Pipeline.of`.

    Raises:
        UsageError: an unknown name, or a text that can't be read.
        TypeError: an object that isn't a form of steps.
    """
    try:
        pieces = tuple(_pieces(steps))
    except RecursionError:
        raise UsageError("the steps are nested too deeply; use fewer levels") from None
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
    """Return a tree with each leaf replaced by the result of `make`, in the order written."""
    return tuple(
        part.replaced(branches=tuple(replaced(branch, make) for branch in part.branches))
        if isinstance(part, Combinator)
        else make(part)
        for part in parts
    )


def make_step(spec: str | Step | Perturbator | Mapping[str, Any], **settings: Any) -> Step:
    """Make a step from a spec and settings; a setting in both must have the same value in both.

    Args:
        spec: a name, a spec string, a perturbator or a mapping.
        settings: any fields of a step except its perturbator, and parameters.

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
                f"the step {leaf} already has its settings; leave out {', '.join(settings)}"
            )
        return leaf
    perturbator = leaf.perturbator
    settings = _merged(perturbator.name, leaf.settings, settings)
    if settings.keys().isdisjoint(SHARES):
        settings |= leaf.usual
    known = [key for key in STRENGTHS if key not in perturbator.parameters]
    strength = {key: settings.pop(key) for key in known if key in settings}
    parameters = checked_parameters(perturbator, settings, known)
    # Finding sites in an empty text makes the perturbator refuse parameters that it can't use.
    unit = sites_of(perturbator, Batch.of([""]), parameters).unit
    severe = partial(_severe, perturbator, parameters)
    counted = 0.0 if perturbator.spread is no_spread else perturbator.spread(**parameters)
    fields = resolve(perturbator, unit, strength, severe, counted)
    return Step(perturbator, **fields, parameters=parameters)


def _check_shared(leaves: Sequence[Leaf], strength: Mapping[str, Any]) -> None:
    """Refuse settings that several steps can't share, or that no step lacks."""
    for key in strength:
        if key not in STRENGTHS:
            raise UsageError(
                f"{len(leaves)} steps can't share {key}; write it to its own step, as in "
                f"{leaves[0].perturbator.name}:{key}=..."
            )
    if not any(map(lacks_strength, leaves)):
        raise UsageError(f"leave out {' and '.join(strength)}: every step already has a strength")


def _leaves(parts: Sequence[Any]) -> Iterator[Leaf]:
    """Yield the leaves of a tree, in the order written."""
    for part in parts:
        if isinstance(part, Combinator):
            for branch in part.branches:
                yield from _leaves(branch)
        else:
            yield part


def _pieces(steps: Any) -> Iterator[Piece]:
    """Yield the steps and combinators of a description in order."""
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
        raise TypeError(f"perturb.steps.{steps.__name__} makes a step: call it with (...)")
    if callable(steps):
        raise TypeError(
            "to use a function as a step, wrap it: perturb.from_function('name', function); "
            f"got {shown(steps)}"
        )
    if not isinstance(steps, Sequence):
        raise TypeError(
            "steps must be a name such as 'keyboard_typos', a spec such as "
            f"'keyboard_typos:p=0.05', or a list of these; got {shown(steps)}"
        )
    for spec in steps:
        if isinstance(spec, Made):
            yield Piece(None, spec.parts)
        elif isinstance(spec, str):
            if _is_prose(spec):
                raise UsageError(f"{shown(spec)} isn't a step; give the text before the steps")
            yield from map(_piece, (spec,) if spec.isidentifier() else grammar.read(spec))
        else:
            yield _piece(spec)


def _is_prose(spec: str) -> bool:
    """Return whether a string looks like a text, not steps: several words, none of them known."""
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
                "a grid isn't a pipeline, as it gives several versions of a text; pass it to "
                "augment or to perturb apply, or use its pipelines one by one"
            )
        spec = from_mapping(spec) or _with_name(spec)
    if isinstance(spec, Combinator):
        branches = tuple(
            tuple(part for piece in _pieces(branch) for part in piece.parts)
            for branch in spec.branches
        )
        if not all(branches):
            raise UsageError(f"{spec.kind} needs steps in each branch")
        return Piece(None, (spec.replaced(branches=branches),))
    if isinstance(spec, Step):
        return Piece(None, (spec,))
    return Piece(typed, _expanded(spec) or (_spec(spec),))


def _with_name(spec: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the full mapping of a step written in YAML as its name with settings below it."""
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
    """Return the steps of a drop-in name that means several; () for any other step."""
    text = spec.get("name") if isinstance(spec, Mapping) else spec
    name, _, settings = text.partition(":") if isinstance(text, str) else ("", "", "")
    if not is_drop_in(name):
        return ()
    from perturb.pipeline.drop_in_names import steps_of

    parts = grammar.read(steps_of(name))
    if len(parts) == 1 and isinstance(parts[0], str):
        return ()
    if settings or (isinstance(spec, Mapping) and len(spec) > 1):
        raise UsageError(
            f"{name} has fixed settings; to change them, write its steps: {steps_of(name)}"
        )
    return tuple(part for piece in map(_piece, parts) for part in piece.parts)


def _spec(spec: Any) -> Spec:
    """Return the spec of a name, a spec string, a perturbator or a mapping."""
    if not isinstance(spec, (str, Perturbator, Mapping)):
        raise TypeError(
            "a step must be a name, a spec such as 'ocr:p=0.1', a perturbator or a mapping; "
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
        raise UsageError(f"{spec!r} isn't a step; write a setting after its step, as in {likely}")
    if name.strip().replace(".", "", 1).isdigit():
        raise UsageError(f"{spec!r} isn't a step; write a strength as in ocr:p={spec}")
    if "," in name:
        raise UsageError(
            f"{spec!r} isn't a step; separate steps by spaces or as items of a list, and branches "
            "by |, as in one_of(ocr | case)"
        )
    name, pin, version = name.strip().partition("@")
    perturbator, fixed, usual = _named(name)
    if pin:
        _check_version(perturbator, version)
    settings = grammar.assignments(spec, rest) if colon else {}
    return Spec(perturbator, {**fixed, **settings}, usual)


def _named(name: str) -> Spec:
    """Return the perturbator, parameters and usual strength that a name means."""
    if not is_drop_in(name):
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
    if settings.get("p", 0) is None:  # beside a count, in the mapping of a step
        del settings["p"]
    return _merged(perturbator.name, settings, params)


def _check_version(perturbator: Perturbator, version: Any) -> None:
    installed = perturbator.version
    if str(version) != str(installed):
        hint = "use the release of perturb that wrote it"
        if not str(version).isdigit():
            hint = f"write a strength after a colon, as in {perturbator.name}:p={version}"
        raise UsageError(
            f"{perturbator.name}: the step needs version {version}, not {installed} as here; {hint}"
        )


def _merged(name: str, some: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Merge settings from two places; a setting in both must have the same value in both."""
    for key in more:
        if key in some and some[key] != more[key]:
            raise UsageError(f"{name}: give {key} once; got {some[key]!r} and {more[key]!r}")
    return {**some, **more}


def spelled(alias: str) -> str:
    """Return the spec string that an alias means, without a strength."""
    perturbator, fixed, _ = _named(alias)
    settings = spelled_out(perturbator, {**perturbator.parameters, **fixed})
    return f"{perturbator.name}:{settings}" if settings else perturbator.name


def _severe(perturbator: Perturbator, parameters: Mapping[str, Any], severity: object) -> float:
    """Return the share of a severity."""
    # Severities were measured on English texts, where `language=en` and "auto" do the same.
    counted = {
        key: value for key, value in parameters.items() if (key, value) != ("language", "en")
    }
    from perturb.registry.severity import share_of  # here, since it reads a table

    return share_of(perturbator, spelled_out(perturbator, counted), severity)
