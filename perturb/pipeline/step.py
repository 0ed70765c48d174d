"""Steps: a perturbator with its strength and parameters, and the forms in which it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.errors import UsageError, shown
from perturb.pipeline import grammar
from perturb.registry.built_in import is_drop_in
from perturb.registry.definition import Perturbator
from perturb.registry.parameters import LARGEST, checked_parameters
from perturb.registry.registry import resolve
from perturb.registry.vocabulary import INTENSITIES
from perturb.values.frozen import Frozen

LIMITS = ("count", "min_edits", "max_edits", "skip_first", "skip_last", "min_word_length")
_STRENGTHS = ("p", "intensity", "severity", *LIMITS)
_SHARES = {"p", "intensity", "severity", "count"}


class Step(Frozen):
    """One perturbator with its strength and parameters.

    Attributes:
        perturbator: what to do.
        p: the share of the units to edit, or what `share` is made of, in [0, 1]; None where
            `count` is given.
        intensity: such as "low" where `p` is that of an intensity, else None.
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
    intensity: str | None = None
    severity: int | None = None
    count: int | None = None
    min_edits: int = 0
    max_edits: int | None = None
    skip_first: int = 0
    skip_last: int = 0
    min_word_length: int = 0
    parameters: Mapping[str, Any] = MappingProxyType({})

    @property
    def share(self) -> float | None:
        """Return the share of the units to edit, in [0, 1], which may depend on more than `p`."""
        if self.p is None:
            return None
        return self.perturbator.share(self.p, **self.parameters)

    def sites(self, batch: Batch) -> Sites:
        """Return the sites of a batch at which the step may act."""
        found = self.perturbator.find(batch, **self.parameters)
        if not isinstance(found, Sites):
            raise TypeError(f"{self.perturbator.name} must return Sites; got {shown(found)}")
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return the step as a mapping that JSON can hold, with all parameters."""
        made: dict[str, Any] = {
            "name": self.perturbator.name,
            "version": self.perturbator.version,
            "p": self.p,
        }
        for key in ("intensity", "severity", *LIMITS):
            if getattr(self, key) != _UNSET[key]:
                made[key] = getattr(self, key)
        made["params"] = dict(self.parameters)
        return made

    def to_record(self) -> dict[str, Any]:
        """Return the step as records hold it: keys and types are the same for all steps."""
        limits = {key: getattr(self, key) for key in LIMITS}
        limits = {key: value for key, value in limits.items() if value != _UNSET[key]}
        parts = (grammar.assigned(limits), _spelled(self.perturbator, self.parameters))
        return {
            "name": self.perturbator.name,
            "version": self.perturbator.version,
            "p": self.p or 0.0,
            "params": ",".join(filter(None, parts)),
            "intensity": self.intensity or "",
            "severity": self.severity or 0,
        }

    def __repr__(self) -> str:
        return f"<Step {self}>"

    def __str__(self) -> str:
        """Return the shortest spec string that describes this step."""
        strengths = {key: value for key, value in self.to_dict().items() if key in _STRENGTHS}
        if self.severity is not None or self.intensity is not None:
            del strengths["p"]
        given = {key: value for key, value in strengths.items() if value is not None}
        parts = (grammar.assigned(given), _spelled(self.perturbator, self.parameters))
        return f"{self.perturbator.name}:{','.join(filter(None, parts))}"


_UNSET = {name: getattr(Step, name) for name in ("intensity", "severity", *LIMITS)}


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
    given = _merged(found, given, settings)
    if _SHARES.isdisjoint(given):
        given |= usual
    strengths = {key: given.pop(key, None) for key in _STRENGTHS}
    parameters = checked_parameters(found, given, _STRENGTHS)
    step = Step(found, **_checked(found, parameters, **strengths), parameters=parameters)
    step.sites(Batch.of([""]))  # a perturbator refuses here the parameters that it can't use
    return step


def has_strength(spec: Any) -> bool:
    """Return whether a step, however it is written, has a strength of its own."""
    return isinstance(spec, Step) or not _SHARES.isdisjoint(_parsed(spec)[1])


def strengthened(steps: Sequence[Any], strength: Mapping[str, Any]) -> tuple[Step, ...]:
    """Make steps, with `strength` for those that have none of their own."""
    for key in strength:
        if key not in _STRENGTHS:
            raise UsageError(
                f"{key} can't be shared by {len(steps)} steps; write it to the step it belongs "
                f"to, such as {steps[0]}:{key}=..."
            )
    own = list(map(has_strength, steps))
    if all(own):
        raise UsageError(f"{' and '.join(strength)} would do nothing: every step has its own")
    return tuple(
        make_step(spec, **({} if has else strength)) for spec, has in zip(steps, own, strict=True)
    )


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
            raise UsageError(f"{spec!r} is not a step; a setting follows a step, as in ocr:{spec}")
        if name.strip().replace(".", "", 1).isdigit():
            raise UsageError(f"{spec!r} is not a step; a strength is written as in ocr:p={spec}")
        if "," in name:
            raise UsageError(
                f"{spec!r} is not a step; steps are separated by spaces or items of a list, and "
                "branches, as in one_of(ocr | case), by |"
            )
        found, given, usual = _named(name.strip())
        return found, {**given, **grammar.assignments(spec, rest)}, usual
    if not isinstance(spec.get("name"), str):
        raise UsageError(f"a step needs a 'name'; got {dict(spec)!r}")
    found, given, usual = _named(spec["name"])
    return found, {**given, **_settings(found, spec)}, usual


def _named(name: str) -> tuple[Perturbator, Mapping[str, Any], dict[str, Any]]:
    """Return the perturbator, parameters and usual strength that a name stands for."""
    if not is_drop_in(name):
        return *resolve(name), {}
    from perturb.pipeline.drop_in_names import steps_of

    found, given, _ = _parsed(steps_of(name))
    return found, given, {key: given.pop(key) for key in _SHARES & given.keys()}


def _settings(found: Perturbator, spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings in the mapping of a step, such as that of a record."""
    version, params = spec.get("version", found.version), spec.get("params") or {}
    if isinstance(params, str):
        params = grammar.assignments(found.name, params)
    if version != found.version:
        raise UsageError(
            f"{found.name}: version {version} is needed, but {found.version} is installed; "
            "use the release of perturb that wrote it"
        )
    if not isinstance(params, Mapping):
        raise UsageError(f"{found.name}: params must be a mapping or text; got {params!r}")
    others = ("name", "version", "params")
    settings = {key: value for key, value in spec.items() if key not in others}
    for key, unset in (("p", None), ("intensity", ""), ("severity", 0)):  # as records have it
        if key in settings and settings[key] == unset:
            del settings[key]
    return _merged(found, settings, params)


def _merged(found: Perturbator, some: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Merge settings from two places; a setting in both must have the same value in both."""
    for key in more:
        if key in some and some[key] != more[key]:
            raise UsageError(
                f"{found.name}: {key} is given twice, as {some[key]!r} and {more[key]!r}"
            )
    return {**some, **more}


def spelled(alias: str) -> str:
    """Return the spec string, without a strength, that an alias stands for."""
    found, given, _ = _named(alias)
    written = _spelled(found, {**found.parameters, **given})
    return f"{found.name}:{written}" if written else found.name


def _spelled(found: Perturbator, parameters: Mapping[str, Any]) -> str:
    """Return the parameters that differ from the defaults, in the form of a spec string."""
    defaults = found.parameters
    return grammar.assigned({k: v for k, v in parameters.items() if v != defaults[k]})


def _checked(
    found: Perturbator,
    parameters: Mapping[str, Any],
    *,
    p: Any,
    intensity: Any,
    severity: Any,
    **limits: Any,
) -> dict[str, Any]:
    """Return the strength of a step; the default is the perturbator's own "low"."""
    name, limits = found.name, _limited(found.name, limits)
    shares = {"p": p, "intensity": intensity, "severity": severity, "count": limits.get("count")}
    given = [key for key, value in shares.items() if value is not None]
    if given == ["p", "count"] and p == 0:  # as in a record, where the count decides
        p, given = None, ["count"]
    if len(given) > 1 and given not in (["p", "intensity"], ["p", "severity"]):  # also as there
        raise UsageError(
            f"{name}: give one of p, intensity, severity and count; got {' and '.join(given)}"
        )
    if intensity is not None:
        p = _intense(found, intensity, p)
    elif severity is not None:
        p = _severe(found, parameters, severity, p)
    elif p is None and "count" not in limits:
        p = found.intensities["low"]
    share = None if p is None else _share(name, p)
    return {"p": share, "intensity": intensity, "severity": severity, **limits}


def _limited(name: str, limits: Mapping[str, Any]) -> dict[str, int]:
    """Return the limits of a step that are given."""
    given = {key: value for key, value in limits.items() if value is not None}
    for key, value in given.items():
        if not isinstance(value, int) or isinstance(value, bool):
            raise TypeError(f"{name}: {key} must be a whole number; got {shown(value)}")
        if value < 0:
            raise UsageError(f"{name}: {key} must be at least 0; got {shown(value)}")
        if value > LARGEST:
            raise UsageError(f"{name}: {key} must be at most {LARGEST}; got {shown(value)}")
    fewest, most = given.get("min_edits", 0), given.get("max_edits")
    if most is not None and fewest > most:
        raise UsageError(f"{name}: min_edits {fewest} is more than max_edits {most}")
    return given


def _intense(found: Perturbator, intensity: Any, p: Any) -> float:
    """Return the share of an intensity; a share given with it, as in a record, must be equal."""
    if intensity not in INTENSITIES:
        raise UsageError(
            f"{found.name}: intensity is one of {', '.join(INTENSITIES)}; got {intensity!r} "
            "(numbers from 1 to 5 are a severity)"
        )
    return _same(found, f"intensity {intensity}", found.intensities[intensity], p)


def _severe(found: Perturbator, parameters: Mapping[str, Any], severity: Any, p: Any) -> float:
    """Return the share of a severity; a share given with it, as in a record, must be the same."""
    # What was measured is English, whether a text is looked at or taken for it.
    counted = {
        key: value for key, value in parameters.items() if (key, value) != ("language", "en")
    }
    from perturb.registry.severity import share_of  # reads a table

    meant = share_of(found, _spelled(found, counted), severity)
    return _same(found, f"severity {severity}", meant, p)


def _same(found: Perturbator, strength: str, meant: float, p: Any) -> float:
    if p not in (None, meant):
        raise UsageError(
            f"{found.name}: give one of p and {strength.partition(' ')[0]}; here {strength} is "
            f"p={meant!r}, got p={p!r} as well"
        )
    return meant


def _share(name: str, p: Any) -> float:
    if not isinstance(p, (int, float)) or isinstance(p, bool):
        raise TypeError(f"{name}: p must be a number in [0, 1]; got {shown(p)}")
    if not 0 <= p <= 1:
        hint = f"; for {p:g} % write p={p / 100:g}" if 1 < p <= 100 else ""
        raise UsageError(f"{name}: p must be in [0, 1]; got {p!r}{hint}")
    return float(p)
