"""Recipes: jobs as text, which records and manifests hold and `perturb apply --recipe` takes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from perturb._version import CONTRACT
from perturb.errors import DataError, UsageError, shown, unknown
from perturb.pipeline import grammar
from perturb.pipeline.pipeline import Pipeline, cells_of, from_file
from perturb.plan.job import Job
from perturb.plan.options import OPTIONS
from perturb.plan.parts import Condition, expected, shortened
from perturb.plan.recipe_text import joined, on_one_line, split

# The options in the recipe of an untouched row: nothing in it is random.
_OF_ORIGINAL = ("field", "target", "choices", "fixed", "missing", "id_field", "lean")


def written_original(job: Job) -> str:
    """Return the recipe of untouched rows: their texts, and no steps."""
    options = {name: value for name, value in job.options.items() if name in _OF_ORIGINAL}
    return joined("", options)


def written(job: Job) -> str:
    """Return the recipe of a whole job.

    Examples:
        >>> from perturb.plan.parts import conditions_of
        >>> from perturb.plan.job import Job
        >>> job = Job(conditions=conditions_of("char_delete", {"p": 0.1}), seed=7)
        >>> written(job)
        'char_delete@2:p=0.1 --seed 7 --contract 4'
        >>> read(written(job)) == job
        True
    """
    parts = []
    for condition in job.conditions:
        steps = condition.pipeline.pinned
        is_named = condition.label != shortened(str(condition.pipeline))
        parts.append(f"{grammar.quoted_label(condition.label)}={steps}" if is_named else steps)
    options = dict(job.options)
    first = options.pop("first_replicate", 0)
    if first:
        options["replicate"] = first
    is_alone = len(parts) == 1 and not is_named
    return joined(parts[0] if is_alone else f"grid({' | '.join(parts)})", options)


def read(recipe: str) -> Job:
    """Return the job that a recipe describes.

    Raises:
        UsageError: it can't be read, or names a perturbator that isn't installed.
        DataError: it has another contract, or its rules are hashed.
    """
    steps, named = split(recipe)
    options = dict(named)
    contract = options.pop("contract", None)
    if contract is None:
        raise DataError(
            f"the recipe {shown(recipe)} names no contract, as the text under 'recipe' in a record "
            "or a manifest does; to run steps that you wrote yourself, leave out --recipe"
        )
    if contract != CONTRACT:
        raise DataError(
            f"the recipe has contract {contract}, but this release makes the bytes of contract "
            f"{CONTRACT}; get the originals back with perturb restore and perturb them again, or "
            "verify the rows with the release that wrote them"
        )
    for name in ("protect", "only"):
        if any(rule.startswith("sha256:") for rule in options.get(name, ())):
            raise DataError(
                f"the rules of --{name} are too long for a record, so only the manifest has them; "
                "put it beside the file"
            )
    if "replicate" in options:
        options["first_replicate"] = options.pop("replicate")
    try:
        return Job(conditions=_conditions(steps, options.pop("expect", ())), **options)
    except TypeError as error:  # all values come from text, so a wrong type is a wrong text
        raise UsageError(f"can't read the recipe {recipe!r}: {error}") from error


def _conditions(steps: str, expect: tuple[str, ...]) -> tuple[Condition, ...]:
    if not steps:
        return ()
    cells = ((_unpinned(label, each), each) for each, label in cells_of(steps, {}))
    return expected([*cells], expect)


def _unpinned(label: str, pipeline: Pipeline) -> str:
    """Return a label; if it is the steps of a recipe, without their versions."""
    return shortened(str(pipeline) if label == on_one_line(pipeline.pinned) else label)


def read_job_file(path: str | Path) -> tuple[Any, dict[str, Any] | None]:
    """Read a job from a YAML or JSON file.

    Args:
        path: a file with steps, and in a mapping also options of a job by their names in Python;
            or the manifest of an output, for the job that made it.

    Returns:
        The steps as written, and the options; for a manifest its recipe, and None.

    Raises:
        UsageError: the file can't be read; the message names it.
    """
    return from_file(path, _parted)


def _parted(spec: Any) -> tuple[Any, dict[str, Any] | None]:
    if not isinstance(spec, Mapping):
        return spec, {}
    if "recipe" in spec:
        recipe = spec["recipe"]
        if not isinstance(recipe, str):
            raise UsageError(f"the recipe must be a string; got {recipe!r}")
        return recipe, None
    known = *OPTIONS, "shape"
    options = {name: spec[name] for name in known if name in spec}
    steps = {name: value for name, value in spec.items() if name not in options}
    if "steps" not in steps:
        return steps, options
    for name in steps.keys() - {"steps"}:
        raise unknown("key of a job", name, ["steps", *known])
    return steps["steps"], options
