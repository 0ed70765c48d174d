"""Jobs kept for the next call with the same settings."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from perturb.boundary import trusted
from perturb.plan.job import Job
from perturb.registry.store import edition


def remembered(make: Callable[..., Job]) -> Callable[..., Job]:
    """Keep the job that was made of the same arguments, unless it reads a file, which may change.

    It is made anew once a perturbator of a known name is another one, and where other files and
    functions are trusted.
    """

    @lru_cache(maxsize=256, typed=True)
    def job_once(_: object, *args: Any, **options: Any) -> Job:
        return make(*args, **options)

    def remembering(*args: Any, **options: Any) -> Job:
        try:
            job = job_once((edition(), trusted()), *args, **options)
        except TypeError as error:
            if "unhashable" not in str(error):
                raise
            return make(*args, **options)
        return make(*args, **options) if job.reads_files else job

    return remembering
