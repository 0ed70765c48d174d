"""The job that the words and options of `perturb apply` describe."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from perturb.errors import UsageError
from perturb.io.addresses import is_address
from perturb.io.formats import format_of, names_file
from perturb.plan.options import OPTIONS

if TYPE_CHECKING:
    from perturb.plan.job import Job

# The marks of a step with settings: none of them begins the name of a file.
_SPEC = set(":(|")


def _is_input(word: str) -> bool:
    """Return true if a positional argument is an input file, and no step."""
    return word == "-" or is_address(word) or (names_file(word) and not set(word) & _SPEC)


def _check_steps(
    steps: Sequence[str], files: Sequence[str], config: str | None, recipe: str | None
) -> None:
    """Refuse a call without steps, or with files and texts in their place, and say what to type."""
    from perturb.registry.registry import is_known

    if steps and config is not None:
        raise UsageError(
            f"steps are given twice, as {' '.join(steps)} and in --config {config}; leave out one "
            "of them"
        )
    if recipe is not None and (steps or config is not None):
        raise UsageError("a recipe has its own steps; leave out the other steps, or --recipe")
    if not steps and config is None and recipe is None:
        import shlex

        named = "".join(f" {shlex.quote(file)}" for file in files)
        raise UsageError(
            f"no steps are given{' for' * bool(named)}{named}; for example: "
            f"perturb apply keyboard_typos -p 0.05{named} (perturb list shows all steps; --config "
            "FILE reads those of a file)"
        )
    for step in steps:
        if os.path.exists(step) and not is_known(step):  # noqa: PTH110  # never raises
            if os.path.isdir(step):  # noqa: PTH112
                raise UsageError(f"{step} is a folder, not a step; read it with -i {step}")
            form = format_of(step).title  # raises, with advice, for a file that perturb can't read
            raise UsageError(f"{step} is a file, not a step; read it as {form} with -i {step}")
        if " " in step and not set(step) & _SPEC and not any(map(is_known, step.split())):
            raise UsageError(
                f"{step!r} isn't a step; give a text with --text, as in: "
                'perturb apply keyboard_typos --text "The quick brown fox"'
            )


def job_of_options(
    *, steps: Sequence[str], config: str | None, recipe: str | None, **others: Any
) -> tuple[Job, list[str]]:
    """Return the job for every row, and the input files among the steps."""
    files = [word for word in steps if _is_input(word)]
    alone = [word for word in steps if word not in files]
    _check_steps(alone, files, config, recipe)
    try:
        return _job(steps=alone, config=config, recipe=recipe, **others), files
    except TypeError as error:
        raise UsageError(str(error)) from error


def _job(
    *,
    steps: Any,
    shape: str | None,
    config: str | None,
    recipe: str | None,
    grid: bool,
    trust: Sequence[str],
    **others: Any,
) -> Job:
    from perturb.pipeline.pipeline import crossed
    from perturb.plan.job import job_of

    settings: dict[str, Any] | None = {}
    if config is not None:
        from perturb.plan.recipe import read_job_file

        steps, settings = read_job_file(config)
    given = {name: others[name] for name in OPTIONS}
    options = {name: one for name, one in given.items() if one is not None and one is not False}
    if shape is not None:
        from perturb.plan.shapes import shape_options

        options = {**shape_options(shape, steps), **options}
    strength = {name: others[name] for name in ("p", "per", "intensity", "severity")}
    if recipe is not None or settings is None:
        return _of_recipe(recipe or steps, {**strength, "grid": grid or None}, options, trust)
    try:
        return job_of(crossed(steps) if grid else steps, **{**settings, **strength, **options})
    except (UsageError, TypeError) as error:
        if config is None:
            raise
        raise UsageError(f"{config}: {error}") from error


def _of_recipe(
    text: str, strength: dict[str, Any], options: dict[str, Any], trust: Sequence[str]
) -> Job:
    """Return the job of a recipe; options given beside it replace its own."""
    from perturb.boundary import trusting
    from perturb.plan import recipe
    from perturb.plan.job import job_of

    fixed = [name for name, value in strength.items() if value is not None]
    fixed += options.keys() & {"expect"}
    if fixed:
        raise UsageError(f"leave out {fixed[0]}: every step of a recipe has its own")
    with trusting(trust):  # a recipe comes with data, so it runs only what the caller trusts
        job = recipe.read(text)
    beside = job_of("identity", **options)
    return job.replaced(**{name: vars(beside)[name] for name in options})
