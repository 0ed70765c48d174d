"""What was made of settings, kept for the next call with the same ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from perturb.boundary import trusted
from perturb.registry.registry import edition


class _Made(Protocol):
    @property
    def reads_files(self) -> bool:
        """True if a step reads a file of the caller's."""


Made = TypeVar("Made", bound=_Made)


def remembered(make: Callable[..., Made]) -> Callable[..., Made]:
    """Keep what was made of the same arguments, unless it came from a file, which may change.

    It is made anew once a perturbator of a known name is another one, and where other files and
    functions are trusted.
    """

    @lru_cache(maxsize=256, typed=True)
    def kept(_: object, *args: Any, **given: Any) -> Made:
        return make(*args, **given)

    def remembering(*args: Any, **given: Any) -> Made:
        try:
            made = kept((edition(), trusted()), *args, **given)
        except TypeError as error:
            if "unhashable" not in str(error):
                raise
            return make(*args, **given)
        return make(*args, **given) if made.reads_files else made

    return remembering
