"""The answer in a box, as TeX writes it, or under its key in an object of JSON."""

from __future__ import annotations

import orjson
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


def keyed(text: str) -> str:
    r"""Return the answer in a reply that is a JSON object; "" where it has none.

    Examples:
        >>> keyed(r'{"why": "2 of 3\nhold", "answer": "Z\u00fcrich"}'), keyed("5")
        ('Zürich', '')
    """
    try:
        reply = orjson.loads(text) if text.lstrip().startswith("{") else {}
    except orjson.JSONDecodeError:
        return ""
    answers = (reply.get(key) for key in ("answer", "final_answer"))
    return next((str(answer) for answer in answers if answer is not None), "")
