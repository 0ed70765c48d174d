"""Comments in Python code, found by the standard library's tokenizer."""

from __future__ import annotations

import re

from perturb.engine.scope import Span
from perturb.errors import DataError

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
# Comments that a program reads are no text: the interpreter's, an encoding, and what tools obey.
_READ = re.compile(
    r"#!|#.*?coding[:=]|#\s*(?:(?:type|fmt|mypy|pyright|pylint|ruff|isort|yapf)\s*:"
    r"|(?:pragma|noqa|nosec|flake8)\b|%%)",
    re.IGNORECASE,
)
_OPENING = re.compile(r"#+[:!]?\s*")


def comments(text: str) -> list[Span]:
    """Return the spans of the comments in Python code, after their signs.

    Raises:
        DataError: the tokenizer can't read the text.
    """
    import tokenize  # few runs are on code

    lines = [match.span() for match in _LINE.finditer(text)]
    # Python ends lines at any of three ends; the tokenizer is given one, which keeps columns.
    source = iter([text[start:end].rstrip("\r\n") + "\n" for start, end in lines])
    found, strings = list[Span](), 0
    try:
        for token in tokenize.generate_tokens(lambda: next(source, "")):
            # Up to Python 3.11, an f-string is one token: comments in it are none in any version.
            kind = tokenize.tok_name[token.type]
            strings += kind.endswith("STRING_START") - kind.endswith("STRING_END")
            # From Python 3.12 on, the tokenizer raises this itself, and lets other signs be.
            if kind == "ERRORTOKEN" and token.string[0] in "'\"":
                raise SyntaxError(f"unterminated string literal in line {token.start[0]}")
            if kind == "COMMENT" and not strings and not _READ.match(token.string):
                (row, column), opening = token.start, _OPENING.match(token.string)
                assert opening is not None  # a comment begins with its sign
                start = lines[row - 1][0] + column
                found.append((start + opening.end(), start + len(token.string)))
    except (tokenize.TokenError, SyntaxError, UnicodeError) as error:
        raise DataError(
            f"the rule comments is for Python code, but {text[:40]!r} isn't: {error}"
        ) from error
    return found
