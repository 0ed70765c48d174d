"""Steps: a perturbator with its strength and parameters, and the forms in which it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

from perturb.engine.batch import Batch
from perturb.engine.placement import Of, Per, Placement, Spare, Where
from perturb.engine.sites import Sites
from perturb.errors import UsageError, shown
from perturb.pipeline import grammar
from perturb.pipeline.strength import SHARES, resolve
from perturb.registry.built_in import is_drop_in
from perturb.registry.definition import Perturbator
from perturb.registry.parameters import checked_parameters
from perturb.registry.registry import is_known
from perturb.registry.registry import resolve as named
from perturb.registry.store import goes_by_name
from perturb.registry.vocabulary import Intensity, Severity
from perturb.values.frozen import Frozen


class Step(Frozen):
    """One perturbator with its strength and parameters.

    Attributes:
        perturbator: what to do.
        p: the share of the units to edit, or what `share` is made of, in [0, 1]; with `per`
            "word" that of the words; None where `count` is given.
        intensity: such as "low" where `p` is that of an intensity, else None.
        severity: from 1 to 5 where `p` is that of a severity, else None.
        count: the number of edits a text, at least 0.
        min_edits: the fewest edits a text, as far as there are sites.
        max_edits: the most edits a text.
        per: "word" where `p`, `count` and the limits are about words, and one edit is made in each
            that is hit; else "unit". See `perturb.engine.placement.Placement` for this and for:
        where: which letters of a word may be hit.
        of: which characters may be hit, and are counted.
        spare: which words stay.
        within: the share of the letters of a word that are hit in one that is.
        signs: whether signs may be hit and written.
        spread: how much the rate differs from text to text, around the share as their mean: its
            standard deviation in units of that mean, from 0 to 4.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that gives the words of Chinese, Japanese and Thai, such as
            "budoux"; kept with its version. Without it steps on words leave such texts alone.
        parameters: every parameter of the perturbator with its value.
    """

    perturbator: Perturbator
    p: float | None
    intensity: Intensity | None = None
    severity: Severity | None = None
    count: int | None = None
    min_edits: int = 0
    max_edits: int | None = None
    per: Per = "unit"
    where: Where = "any"
    of: Of = "any"
    spare: Spare = "none"
    within: float | None = None
    signs: bool = True
    spread: float = 0.0
    skip_first: int = 0
    skip_last: int = 0
    min_word_length: int = 0
    segmenter: str = ""
    parameters: Mapping[str, Any] = MappingProxyType({})

    @property
    def share(self) -> float | None:
        """Return the share of the units to edit, in [0, 1], which may depend on more than `p`."""
        if self.p is None or self.per == "word":
            return self.p
        return self.perturbator.share(self.p, **self.parameters)

    @property
    def consistent(self) -> bool:
        """Return whether the texts of a row are one text to the perturbator."""
        return self.perturbator.consistent

    @cached_property
    def placement(self) -> Placement:
        """Return where the step may act."""
        return Placement(*(getattr(self, name) for name in Placement._fields))

    def sites(self, batch: Batch) -> Sites:
        """Return the sites of a batch at which the step may act."""
        sites = self.perturbator.find(batch, **self.parameters)
        if not isinstance(sites, Sites):
            raise TypeError(f"{self.perturbator.name} must return Sites; got {shown(sites)}")
        return sites

    def to_dict(self) -> dict[str, Any]:
        """Return the step as a mapping that JSON can hold, with all parameters."""
        others = {key: getattr(self, key) for key in STRENGTHS[1:]}
        return {
            "name": self.perturbator.name,
            "version": self.perturbator.version,
            "p": self.p,
            **{key: value for key, value in others.items() if value != getattr(Step, key)},
            "params": dict(self.parameters),
        }

    def __repr__(self) -> str:
        """Return the call that makes this step, if its perturbator goes by its name."""
        if not goes_by_name(self.perturbator):
            return f"<Step {self}>"
        name, _, rest = str(self).partition(":")
        settings = grammar.assignments(name, rest).items()
        return f"perturb.steps.{name}({', '.join(f'{key}={value!r}' for key, value in settings)})"

    def __str__(self) -> str:
        """Return the shortest spec string that describes this step."""
        strengths = {key: value for key, value in self.to_dict().items() if key in STRENGTHS}
        if self.severity is not None or self.intensity is not None:
            del strengths["p"]
        strengths = {key: value for key, value in strengths.items() if value is not None}
        parts = (grammar.assigned(strengths), _spelled(self.perturbator, self.parameters))
        return f"{self.perturbator.name}:{','.join(filter(None, parts))}"


# The fields that say how strong a step is, and where it may act.
STRENGTHS = Step._fields[1:-1]


def make_step(spec: str | Step | Perturbator | Mapping[str, Any], **settings: Any) -> Step:
    """Make a step of a spec and settings; a setting that both have must be the same in both.

    Args:
        spec: a name, a spec string, a perturbator or a mapping.
        settings: the fields of a step but its perturbator, and parameters.

    Raises:
        UsageError: an unknown name or parameter, or an invalid value.
        TypeError: a value of a wrong type.
    """
    if isinstance(spec, Step):
        if settings:
            raise UsageError(
                f"the step {spec} has its settings already; got {', '.join(settings)} as well"
            )
        return spec
    perturbator, parsed, usual = _parsed(spec)
    settings = _merged(perturbator.name, parsed, settings)
    if settings.keys().isdisjoint(SHARES):
        settings |= usual
    known = [key for key in STRENGTHS if key not in perturbator.parameters]
    strength = {key: settings.pop(key) for key in known if key in settings}
    parameters = checked_parameters(perturbator, settings, known)
    # A perturbator refuses here the parameters that it can't use.
    unit = Step(perturbator, None, parameters=parameters).sites(Batch.of([""])).unit
    severe = partial(_severe, perturbator, parameters)
    return Step(perturbator, **resolve(perturbator, unit, strength, severe), parameters=parameters)


def has_strength(spec: Any) -> bool:
    """Return whether a step, however it is written, has a strength of its own."""
    return isinstance(spec, Step) or not _parsed(spec)[1].keys().isdisjoint(SHARES)


def strengthened(steps: Sequence[Any], strength: Mapping[str, Any]) -> tuple[Step, ...]:
    """Make steps, with `strength` for those that have none of their own."""
    for key in strength:
        if key not in STRENGTHS:
            raise UsageError(
                f"{key} can't be shared by {len(steps)} steps; write it to the step it belongs "
                f"to, such as {steps[0]}:{key}=..."
            )
    if all(map(has_strength, steps)):
        raise UsageError(f"{' and '.join(strength)} would do nothing: every step has its own")
    return tuple(make_step(spec, **({} if has_strength(spec) else strength)) for spec in steps)


def _parsed(spec: Any) -> tuple[Perturbator, dict[str, Any], dict[str, Any]]:
    """Return the perturbator of a step, its settings, and its default strength."""
    if not isinstance(spec, (str, Perturbator, Mapping)):
        raise TypeError(
            "a step is a name, a spec such as 'ocr:p=0.1', a perturbator or a mapping; "
            f"got {shown(spec)}"
        )
    if isinstance(spec, Perturbator):
        return spec, {}, {}
    if isinstance(spec, str):
        name, _, rest = spec.partition(":")
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
        return perturbator, {**fixed, **grammar.assignments(spec, rest)}, usual
    if not isinstance(spec.get("name"), str):
        raise UsageError(f"a step needs a 'name'; got {dict(spec)!r}")
    perturbator, fixed, usual = _named(spec["name"])
    return perturbator, {**fixed, **_settings(perturbator, spec)}, usual


def _named(name: str) -> tuple[Perturbator, Mapping[str, Any], dict[str, Any]]:
    """Return the perturbator, parameters and usual strength that a name stands for."""
    if not is_drop_in(name):
        return *named(name), {}
    from perturb.pipeline.drop_in_names import steps_of

    perturbator, fixed, _ = _parsed(steps_of(name))
    return perturbator, fixed, {key: fixed.pop(key) for key in SHARES if key in fixed}


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
    settings = _spelled(perturbator, {**perturbator.parameters, **fixed})
    return f"{perturbator.name}:{settings}" if settings else perturbator.name


def _spelled(perturbator: Perturbator, parameters: Mapping[str, Any]) -> str:
    """Return the parameters that differ from the defaults, in the form of a spec string."""
    defaults = perturbator.parameters
    return grammar.assigned({k: v for k, v in parameters.items() if v != defaults[k]})


def _severe(perturbator: Perturbator, parameters: Mapping[str, Any], severity: object) -> float:
    """Return the share of a severity."""
    # What was measured is English, whether a text is looked at or taken for it.
    counted = {
        key: value for key, value in parameters.items() if (key, value) != ("language", "en")
    }
    from perturb.registry.severity import share_of  # reads a table

    return share_of(perturbator, _spelled(perturbator, counted), severity)
