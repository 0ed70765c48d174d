"""What may be edited in Python code: comments and docstrings, found by the library's tokenizer."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
# The beginning of a string that may be a docstring, which those of bytes and f-strings are not.
_QUOTES = re.compile(r"[rRuU]?('''|\"\"\"|'|\")")
# In a line of a docstring an escape, or plain text.
_PLAIN = re.compile(
    r"\\(?:N\{[^}]*\}|x..|u.{4}|U.{8}|[0-7]{1,3}|[\s\S])|(?P<plain>[^\s\\][^\\\r\n]*)"
)
_DOCTEST = ">>>"
# Tokens that may stand between a docstring and the head of its function, class or module.
_BEFORE = {"NL", "COMMENT", "INDENT", "DEDENT", "NEWLINE"}
_HEADS = {"def", "class"}
_BRACKETS = {**dict.fromkeys("([{", 1), **dict.fromkeys(")]}", -1)}


def comments(text: str) -> list[Span]:
    """Return the spans of the comments in Python code, after their signs.

    Raises:
        DataError: the tokenizer can't read the text.
    """
    spans, strings = list[Span](), 0
    for kind, token, start, end in _tokens(text, "comments"):
        # Up to Python 3.11, an f-string is one token: comments in it are none in any version.
        strings += kind.endswith("STRING_START") - kind.endswith("STRING_END")
        if kind == "COMMENT" and not strings and not _READ.match(token):
            opening = _OPENING.match(token)
            assert opening is not None  # a comment begins with its sign
            spans.append((start + opening.end(), end))
    return spans


def docstrings(text: str) -> list[Span]:
    """Return the spans of the prose in the docstrings of Python code, a line at a time.

    Doctests, escapes, and lines with the quote that ends the string stay as they are.

    Raises:
        DataError: the tokenizer can't read the text.
    """
    spans, waiting = list[Span](), (0, 0)
    head, depth, is_open = "", 0, True  # at the start of a module, and behind the head of others
    for kind, token, start, end in _tokens(text, "docstrings"):
        if kind in ("NEWLINE", "ENDMARKER") or token == ";":
            spans += _prose(text, *waiting)
            head = ""
        waiting = (start, end) if is_open and kind == "STRING" else (0, 0)
        if kind in _BEFORE:
            continue
        depth += _BRACKETS.get(token, 0)
        head = token if head in ("", "async") else head
        is_open = token == ":" and not depth and head in _HEADS
        if is_open:
            head = ""  # a further colon is one of a lambda or an annotation
    return spans


def _prose(text: str, start: int, end: int) -> list[Span]:
    """Return the spans of the prose in a docstring."""
    opening = _QUOTES.match(text, start, end)
    if opening is None:
        return []
    spans, in_doctest = list[Span](), False
    for line in _LINE.finditer(text, opening.end(), end - len(opening[1])):
        words = line[0].strip()
        in_doctest = words.startswith(_DOCTEST) or (in_doctest and words != "")
        if not in_doctest and opening[1][0] not in words:
            parts = _PLAIN.finditer(text, *line.span())
            spans += (part.span() for part in parts if part["plain"])
    return spans


def _tokens(text: str, rule: str) -> Iterator[tuple[str, str, int, int]]:
    """Yield the kind and the text of each token of Python code, and where it starts and ends."""
    import tokenize  # few runs are on code

    lines = [match.span() for match in _LINE.finditer(text)]
    # Python ends lines at any of three ends; the tokenizer is given one, which keeps columns.
    source = iter([text[start:end].rstrip("\r\n") + "\n" for start, end in lines])
    firsts = [*(start for start, _ in lines), len(text), len(text)]  # for the end of the code
    try:
        for token in tokenize.generate_tokens(lambda: next(source, "")):
            kind = tokenize.tok_name[token.type]
            # From Python 3.12 on, the tokenizer raises this itself, and lets other signs be.
            if kind == "ERRORTOKEN" and token.string[0] in "'\"":
                raise SyntaxError(f"unterminated string literal in line {token.start[0]}")
            start, end = (firsts[row - 1] + column for row, column in (token.start, token.end))
            yield kind, token.string, start, end
    except (tokenize.TokenError, SyntaxError, UnicodeError) as error:
        raise DataError(
            f"the rule {rule} is for Python code, but {text[:40]!r} isn't: {error}"
        ) from error
