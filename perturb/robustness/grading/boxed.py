"""The answer in a box, as TeX writes it."""

from __future__ import annotations

import regex

from perturb.values.patterns import lazy_regex

# What opens a box, what else is escaped, and the braces.
_BRACES = lazy_regex(r"(\\(?:boxed|fbox)\s*+\{)|\\.|([{}])", regex.DOTALL)


def boxed(text: str) -> str | None:
    r"""Return what the last `\boxed{}` of a text holds; None if there is none, or it is empty.

    Examples:
        >>> boxed(r"\boxed{3}, no: $\boxed{\{1, \frac{1}{2}\}}$")
        '\\{1, \\frac{1}{2}\\}'
    """
    open_braces: list[int | None] = []  # where the content of a box begins; None for other braces
    start = end = -1
    for brace in _BRACES.finditer(text):
        if brace[1] or brace[2] == "{":
            open_braces.append(brace.end() if brace[1] else None)
        elif brace[2] and open_braces:
            begins = open_braces.pop()
            if begins is not None and begins > start:
                start, end = begins, brace.start()
    return text[start:end].strip() or None if end >= 0 else None
