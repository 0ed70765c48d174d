"""Regular expressions of the caller's: clear errors, and matched in bounded time. Private."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from perturb.errors import DataError, UsageError

# No pattern may take longer on one text, in seconds.
TIMEOUT = 20.0
# A pattern that takes longer on an empty text calls itself before it reads anything; if let, it
# does so until it has taken a gigabyte.
_ON_NOTHING = 0.5
# The texts on which a pattern took too long: rows that failed together are tried one by one, to
# name the one at fault, which need not wait again. After so many the pattern is at fault, and not
# the texts.
_failed: dict[regex.Pattern[str], list[str]] = {}
_ENOUGH = 3
_ADVICE = "make it simpler, for example with possessive quantifiers (a++)"


def compiled(pattern: str | regex.Pattern[str]) -> regex.Pattern[str]:
    """Return a pattern compiled.

    Raises:
        UsageError: it is not a regular expression, or it calls itself without end.
    """
    text = pattern if isinstance(pattern, str) else pattern.pattern
    try:
        expression = regex.compile(pattern)
        expression.search("", timeout=_ON_NOTHING)
    except regex.error as error:
        raise UsageError(f"the pattern {text!r} is not a regular expression: {error}") from error
    except RecursionError:
        raise UsageError(f"the pattern {text[:40]!r}... is nested too deeply") from None
    except (TimeoutError, MemoryError):
        raise UsageError(
            f"the pattern {text!r} calls itself without end; it must match something before "
            r"it does, as in \((?:[^()]|(?R))*\)"
        ) from None
    return expression


def matches(pattern: regex.Pattern[str], text: str) -> Iterator[regex.Match[str]]:
    """Yield the matches of a pattern in a text, in the order in which they are found.

    Raises:
        DataError: it takes too long, or too much memory.
        UsageError: it has taken too long on several texts.
    """
    failed = _failed.get(pattern, [])
    if text in failed:
        raise _too_slow(pattern, text)
    if len(failed) >= _ENOUGH:
        raise UsageError(
            f"the pattern {pattern.pattern!r} took more than {TIMEOUT:g} s on each of {_ENOUGH} "
            f"texts, the last of them {failed[-1][:40]!r}..., and is tried on no other; {_ADVICE}"
        )
    try:
        yield from pattern.finditer(text, timeout=TIMEOUT)
    except TimeoutError:
        _failed.setdefault(pattern, []).append(text)
        raise _too_slow(pattern, text) from None
    except MemoryError:
        raise DataError(
            f"the pattern {pattern.pattern!r} needs too much memory on the text {text[:40]!r}...; "
            "does it call itself without end?"
        ) from None


def _too_slow(pattern: regex.Pattern[str], text: str) -> DataError:
    return DataError(
        f"the pattern {pattern.pattern!r} took more than {TIMEOUT:g} s on the text "
        f"{text[:40]!r}...; {_ADVICE}"
    )
