"""Recipes: jobs as text, which records and manifests hold and `perturb apply --recipe` takes.

recipe      STEPS --NAME VALUE ... --contract N
STEPS       a pipeline; `grid(LABEL=PIPELINE | ...)` for several conditions; none for originals
PIPELINE    as the grammar of pipelines has it, each step pinned by its version: `ocr@2:p=0.1`
VALUE       quoted as in JSON where it has white space, a quote or a backslash, or is empty
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from perturb._version import CONTRACT
from perturb.boundary import sha256
from perturb.errors import DataError, UsageError
from perturb.pipeline import grammar
from perturb.pipeline.grids import Grid
from perturb.pipeline.pipeline import Pipeline, from_file, pinned
from perturb.plan.job import Condition, Job, Version, shortened
from perturb.plan.options import BY_NAME, NAMES, to_words
from perturb.plan.recipe_text import cut, split
from perturb.plan.scope import SpanSource

_SPAN = re.compile(r"(\d+)-(\d+)")
# White space stands in strings of JSON alone, which may hold these as they are.
_LINE_END = re.compile("[\x85\u2028\u2029]")
_PLAIN = re.compile(r'(?!--)[^\s"\\]+')
# Rules that are longer stand in the manifest alone, and by their hash in the records.
_LONGEST_RULES = 400


def written_version(version: Version) -> str:
    """Return the recipe of the rows of one version."""
    options = {
        name: value
        for name, value in version.job.options.items()
        if name in BY_NAME and BY_NAME[name].of_row
    }
    for name in long_rules(version.job):
        rules = "\0".join(options[name]).encode("utf-8", "surrogatepass")
        options[name] = [f"sha256:{sha256(rules)[:16]}"]
    if version.condition.expect is not None:
        options["expect"] = [version.condition.expect]
    if version.replicate:
        options["replicate"] = version.replicate
    return _written(_pinned(version.condition.pipeline), options)


def long_rules(job: Job) -> list[str]:
    """Return the options with rules too long for every record, which a manifest has to hold."""
    options = job.options
    return [
        name
        for name in ("protect", "only")
        if sum(map(len, options.get(name, ()))) > _LONGEST_RULES
    ]


def written_original(job: Job) -> str:
    """Return the recipe of untouched rows: the texts that they are made of, and no steps."""
    options = {name: value for name, value in job.options.items() if name in _OF_ORIGINAL}
    return _written("", options)


# What the recipe of an untouched row says besides: nothing random is in it.
_OF_ORIGINAL = ("field", "target", "id_field", "lean")


def written(job: Job) -> str:
    """Return the recipe of a whole job.

    Examples:
        >>> from perturb.plan.job import Job, conditions_of
        >>> job = Job(conditions=conditions_of("char_delete", {"p": 0.1}), seed=7)
        >>> written(job)
        'char_delete@2:p=0.1 --seed 7 --contract 3'
        >>> read(written(job)) == job
        True
    """
    parts = []
    for condition in job.conditions:
        steps = _pinned(condition.pipeline)
        is_named = condition.label != shortened(str(condition.pipeline))
        parts.append(f"{grammar.quoted_label(condition.label)}={steps}" if is_named else steps)
    options = dict(job.options)
    first = options.pop("first_replicate", 0)
    if first:
        options["replicate"] = first
    is_alone = len(parts) == 1 and not is_named
    return _written(parts[0] if is_alone else f"grid({' | '.join(parts)})", options)


def _pinned(pipeline: Pipeline) -> str:
    return " ".join(map(pinned, pipeline.parts))


def _written(steps: str, options: dict[str, Any]) -> str:
    words = [steps] if steps else []
    words += to_words(options, _quoted)
    if "replicate" in options:
        words += ["--replicate", str(options["replicate"])]
    return _on_one_line(" ".join([*words, f"--contract {CONTRACT}"]))


def _on_one_line(text: str) -> str:
    return _LINE_END.sub(lambda end: f"\\u{ord(end[0]):04x}", text)


def _quoted(value: str) -> str:
    return value if _PLAIN.fullmatch(value) else orjson.dumps(value).decode()


def read(recipe: str) -> Job:
    """Return the job that a recipe describes.

    Raises:
        UsageError: it is none, or names what is not installed.
        DataError: it is of another contract, or its rules are hashed.
    """
    steps, named = split(recipe)
    options = dict(named)
    contract = options.pop("contract", None)
    if contract != CONTRACT:
        raise DataError(
            f"the recipe is of contract {contract}, and this release makes the bytes of contract "
            f"{CONTRACT}: use the release that wrote it"
        )
    for name in ("protect", "only"):
        if any(rule.startswith("sha256:") for rule in options.get(name, ())):
            raise DataError(
                f"the rules of --{name} are long and stand in the manifest alone, which is needed "
                "beside the file"
            )
        if name in options:
            options[name] = tuple(map(_rule, options[name]))
    if "spans" in options:
        options["spans"] = tuple(map(SpanSource.of, options["spans"]))
    if "replicate" in options:
        options["first_replicate"] = options.pop("replicate")
    try:
        return Job(conditions=_conditions(steps, options.pop("expect", ())), **options)
    except TypeError as error:  # in a text each value is the one of a kind
        raise UsageError(f"can't read the recipe {recipe!r}: {error}") from error


def _conditions(steps: str, expect: tuple[str, ...]) -> tuple[Condition, ...]:
    if not steps:
        return ()
    grid = Grid.of(steps)
    words = dict(map(cut, expect))
    return tuple(
        Condition(label, pipeline, words.get(grammar.quoted_label(label), words.get("")))
        for label, pipeline in zip(map(_unpinned, grid.labels, grid), grid, strict=True)
    )


def _unpinned(label: str, pipeline: Pipeline) -> str:
    """Return a label; one that is the steps of a recipe without their versions."""
    return shortened(str(pipeline) if label == _on_one_line(_pinned(pipeline)) else label)


def _rule(rule: str) -> Any:
    span = _SPAN.fullmatch(rule)
    return (int(span[1]), int(span[2])) if span else rule


def read_job_file(path: str | Path) -> tuple[Any, dict[str, Any] | None]:
    """Read a job from a YAML or JSON file.

    Args:
        path: a file that holds what names steps, where it is a mapping also options of a job by
            their names in Python; or the manifest of an output, for the job that made it.

    Returns:
        What names steps, and the options; of a manifest its recipe, and None.

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
            raise UsageError(f"its recipe must be a string; got {recipe!r}")
        return recipe, None
    options = {name: spec[name] for name in NAMES if name in spec}
    return {name: value for name, value in spec.items() if name not in options}, options
