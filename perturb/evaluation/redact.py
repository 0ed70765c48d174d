"""Keep keys and passwords out of files and messages."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

import regex

HIDDEN = "(hidden)"

# Names of options, fields and variables with secret values.
_NAME = regex.compile(
    r"(?i)key$|secret|passw(?:or)?d|passphrase|credential|authorization|bearer"
    r"|^(?:\w*[-_])?(?:api|access|auth|refresh|session|hf|id)[-_]?token$|^-*token$"
)
# Keys with a known form, and passwords in URLs.
_VALUE = regex.compile(
    r"\b(?:sk|pk|rk)-[\w-]{12,}|\bhf_\w{16,}|\bgh[opsur]_\w{20,}|\bxox[abposr]-[\w-]{10,}"
    r"|\bAKIA[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|\beyJ[\w-]{10,}\.[\w-]+\.[\w-]+"
    r"|(?i:(?<=\bbearer\s))[\w.~+/=-]+|(?<=://[^/\s:@]{0,99}:)[^/\s@]+(?=@)"
)
_ASSIGNED = regex.compile(r"([\w.-]+)=(\S+)")


def redacted(value: Any) -> Any:
    """Return JSON with the values of secret fields hidden, and texts without known keys."""
    if isinstance(value, dict):
        return {
            name: HIDDEN if _is_secret(name, inner) else redacted(inner)
            for name, inner in value.items()
        }
    if isinstance(value, list):
        return [redacted(inner) for inner in value]
    return _VALUE.sub(HIDDEN, value) if isinstance(value, str) else value


def secrets_in(value: Any, hidden: bool = False) -> Iterator[str]:
    """Yield the texts that `redacted` hides as values of secret fields; all texts if `hidden`."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from secrets_in(inner, hidden or _is_secret(name, inner))
    elif isinstance(value, list):
        for inner in value:
            yield from secrets_in(inner, hidden)
    elif hidden and value:
        yield str(value)
        yield from str(value).split()[1:]  # "Bearer KEY"


def _is_secret(name: str, value: Any) -> bool:
    return _NAME.search(name) is not None and value is not None and not isinstance(value, bool)


def redacted_command(words: list[str]) -> str:
    """Return a command line with the values of secret options and variables hidden."""
    shown: list[str] = []
    hide_next = False
    for word in words:
        assigned = _ASSIGNED.fullmatch(word)
        if hide_next and not word.startswith("-"):
            shown.append(HIDDEN)
        elif assigned is not None and _NAME.search(assigned[1]):
            shown.append(f"{assigned[1]}={HIDDEN}")
        else:
            shown.append(_VALUE.sub(HIDDEN, word))
        hide_next = word.startswith("-") and assigned is None and _NAME.search(word) is not None
    return shlex.join(shown)


def without(text: str, secrets: tuple[str, ...]) -> str:
    """Return a text in which each secret is replaced."""
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    return text
