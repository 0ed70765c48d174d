"""Patterns that are compiled when they are first used, since most calls use few of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

import regex


class _Lazy:
    def __init__(self, compile: Callable[..., Any], *arguments: Any) -> None:
        self._compile, self._arguments = compile, arguments

    def __getattr__(self, name: str) -> Any:
        """Return what the pattern has by this name, which is an attribute from then on."""
        if name.startswith("__"):  # asked of copies, which are made without their own attributes
            raise AttributeError(name)
        attribute = getattr(self._compile(*self._arguments), name)
        setattr(self, name, attribute)
        return attribute


def lazy_re(pattern: str, flags: int = 0) -> re.Pattern[str]:
    r"""Return a pattern of `re`.

    Examples:
        >>> lazy_re(r"\d+").findall("7 of 12")
        ['7', '12']
    """
    return cast("re.Pattern[str]", _Lazy(re.compile, pattern, flags))


def lazy_regex(pattern: str, flags: int = 0) -> regex.Pattern[str]:
    r"""Return a pattern of `regex`.

    Examples:
        >>> lazy_regex(r"\p{Lu}").findall("a Bc D")
        ['B', 'D']
    """
    return cast("regex.Pattern[str]", _Lazy(regex.compile, pattern, flags))
