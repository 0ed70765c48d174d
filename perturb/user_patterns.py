"""Regular expressions of callers: clear errors, and matching in bounded time. Private."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from perturb.errors import DataError, UsageError

# The most seconds that a pattern may take on one text. Chosen by hand: a linear pattern takes less
# on megabytes, and one with exponential time wouldn't end in a day either.
TIMEOUT = 20.0
# A pattern that takes more seconds on an empty text calls itself before it reads anything; without
# a limit it would take a gigabyte and five seconds. Chosen by hand.
_ON_NOTHING = 0.5
# The texts on which a pattern took too long. Rows that failed together are tried again one by one
# to name the one at fault, which then doesn't wait again.
_failed: dict[regex.Pattern[str], list[str]] = {}
# After so many such texts the pattern is at fault. More would only add 20 seconds each.
_ENOUGH = 3
_ADVICE = "make it simpler, for example with possessive quantifiers (a++)"


def compiled(pattern: str | regex.Pattern[str]) -> regex.Pattern[str]:
    """Return a compiled pattern.

    Raises:
        UsageError: it isn't a regular expression, or calls itself without end.
    """
    text = pattern if isinstance(pattern, str) else pattern.pattern
    try:
        expression = regex.compile(pattern)
        expression.search("", timeout=_ON_NOTHING)
    except regex.error as error:
        raise UsageError(f"the pattern {text!r} isn't a regular expression: {error}") from error
    except RecursionError:
        raise UsageError(f"the pattern {text[:40]!r}... is nested too deeply") from None
    except (TimeoutError, MemoryError):
        raise UsageError(
            f"the pattern {text!r} calls itself without end; it must match something before "
            r"it does, as in \((?:[^()]|(?R))*\)"
        ) from None
    return expression


def matches(pattern: regex.Pattern[str], text: str) -> Iterator[regex.Match[str]]:
    """Yield the matches of a pattern in a text, in the order found.

    Raises:
        DataError: it takes too long, or too much memory.
        UsageError: it took too long on several texts.
    """
    failed = _failed.get(pattern, [])
    if text in failed:
        raise _too_slow(pattern, text)
    if len(failed) >= _ENOUGH:
        raise UsageError(
            f"the pattern {pattern.pattern!r} took more than {TIMEOUT:g} s on each of {_ENOUGH} "
            f"texts, the last of them {failed[-1][:40]!r}..., and isn't tried again; {_ADVICE}"
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
