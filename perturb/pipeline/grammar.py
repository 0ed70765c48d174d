"""Steps and combinators as text: `ocr:p=0.1 sometimes(0.5, case)`, `one_of(ocr | 2*case)`.

steps       a step or combinator, and further ones after white space
step        NAME, NAME:KEY=VALUE,KEY=VALUE; a VALUE may be a JSON string
combinator  one_of(WEIGHT*STEPS | ...), some_of(K, STEPS | ...), sometimes(PROBABILITY, STEPS)
grid        grid(LABEL=STEPS | ...), which stands alone; labels may be left out
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import orjson

from perturb.errors import UsageError, suggestion
from perturb.pipeline import combinators
from perturb.pipeline.combinators import Combinator

# A string of JSON.
QUOTED = r'"(?:[^"\\]|\\.)*"'
_NUMBER = r"\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"
# These are compiled on first use, and cached by `re`: most steps are a name, and need none of them.
_SPACE = r"\s*"
_OPENING = r"\s*(\w+)\s*\("
_STEP = r'\s*((?:"(?:[^"\\]|\\.)*"?|\s*[,=:]\s*|[^\s|()"])+)'
_WEIGHT = rf"\s*({_NUMBER})\s*\*"
_ARGUMENT = rf"\s*({_NUMBER})\s*,"
_ASSIGNMENT = rf"\s*([^=,\s]+)\s*=\s*({QUOTED}|[^,]*)\s*(?:,|$)"
_LITERALS = {"true": True, "false": False, "null": None}
_LABEL = rf'\s*({QUOTED}|[^\s=:|()",]+)\s*=\s*'
_KINDS = ("one_of", "some_of", "sometimes", "grid")
_EXAMPLES = {"some_of": "some_of(2, ocr | case | char_swap)", "sometimes": "sometimes(0.5, ocr)"}

Parts = tuple[Any, ...]


class Branch(NamedTuple):
    """A branch of a grid.

    Attributes:
        label: the label before it, or "".
        text: the steps as typed.
        parts: the steps as read.
    """

    label: str
    text: str
    parts: Parts


def read(text: str) -> Parts:
    """Read steps.

    Returns:
        The steps as spec strings, and combinators of such; `grid(...)` as the mapping that
        describes it.

    Raises:
        UsageError: the text can't be read; the message says from where.

    Examples:
        >>> read("ocr:p=0.1 sometimes(0.5, case)")
        ('ocr:p=0.1', sometimes(0.5, case))
    """
    if text.isidentifier():
        return (text,)
    try:
        parts, at = _steps(text, 0)
    except RecursionError:
        raise UsageError(f"the steps {text[:40]!r}... are nested too deeply") from None
    if at < len(text):
        raise _unread(text, at)
    return parts


def _steps(text: str, at: int) -> tuple[Parts, int]:
    """Read steps from an offset on; return them and the offset after them."""
    parts: list[Any] = []
    while True:
        if opening := re.compile(_OPENING).match(text, at):
            part, at = _combinator(text, opening[1], opening.end())
            parts.append(part)
        elif step := re.compile(_STEP).match(text, at):
            parts.append(step[1].strip())
            at = step.end()
        else:
            return tuple(parts), re.compile(_SPACE).match(text, at).end()  # type: ignore[union-attr]


def _combinator(text: str, kind: str, at: int) -> tuple[Combinator | dict[str, Any], int]:
    if kind not in _KINDS:
        raise UsageError(
            f"unknown combinator {kind!r}: {suggestion(kind, _KINDS)}; the settings of a step "
            "follow a colon, as in ocr:p=0.1"
        )
    number = 0.0
    if kind in _EXAMPLES:
        match = re.compile(_ARGUMENT).match(text, at)
        if match is None:
            raise UsageError(f"{kind} takes a number first, as in {_EXAMPLES[kind]}; got {text!r}")
        number, at = float(match[1]), match.end()
    weights, branches, at = _branches(text, kind, at)
    if kind == "one_of":
        return combinators.one_of(branches, weights), at
    if weights != [1] * len(branches):
        raise UsageError(f"{kind} takes no weights, only one_of does; got {text!r}")
    if kind == "grid":
        return {"grid": branches}, at
    if kind == "some_of":
        if not number.is_integer():
            raise UsageError(f"some_of takes a whole number of branches; got {number}")
        return combinators.some_of(int(number), branches), at
    if len(branches) > 1:
        raise UsageError(f"sometimes takes one branch; got {len(branches)} in {text!r}")
    return combinators.sometimes(number, branches[0]), at


def _branches(text: str, kind: str, at: int) -> tuple[list[float], list[Any], int]:
    """Read the branches of a combinator and the closing bracket."""
    weights: list[float] = []
    branches: list[Any] = []
    while True:
        lead = re.compile(_LABEL if kind == "grid" else _WEIGHT).match(text, at)
        first = lead.end() if lead else at
        branch, at = _steps(text, first)
        if not branch:
            raise UsageError(f"{kind} needs steps in each branch; got {text[at:]!r} in {text!r}")
        weights.append(float(lead[1]) if lead and kind != "grid" else 1.0)
        if kind == "grid":
            branch = Branch(unquoted(lead[1]) if lead else "", text[first:at], branch)
        branches.append(branch)
        if text[at : at + 1] == ")":
            return weights, branches, at + 1
        if text[at : at + 1] != "|":
            raise _unread(text, at)
        at += 1


def _unread(text: str, at: int) -> UsageError:
    got = f"{text[at:]!r} in {text!r}" if at < len(text) else f"the end of {text!r}: a ) is missing"
    return UsageError(
        f"can't read {got}; put a value with white space or any of , | ( ) in double quotes"
    )


def assignments(spec: str, rest: str) -> dict[str, Any]:
    """Read `key=value,key=value`; a value with a comma or quotes is a JSON string.

    Args:
        spec: the whole step, for messages.
        rest: the text after its name.

    Raises:
        UsageError: it can't be read; the message says where.
    """
    settings = {}
    at = 0
    while at < len(rest):
        match = re.compile(_ASSIGNMENT).match(rest, at)
        if match is None:
            raise UsageError(
                f"can't read {rest[at:]!r} in the step {spec!r}: settings are written "
                "name:key=value,key=value, as in ocr:p=0.1"
            )
        if match[1] in settings:
            raise UsageError(f"the step {spec!r} has {match[1]} twice; give it once")
        try:
            settings[match[1]] = _read(match[2].strip())
        except orjson.JSONDecodeError as error:
            raise UsageError(
                f"can't read the value {match[2]} in the step {spec!r}: {error}"
            ) from error
        at = match.end()
    return settings


def _read(text: str) -> Any:
    if text in _LITERALS:
        return _LITERALS[text]
    if text.startswith('"'):
        return orjson.loads(text)
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


def labelled(steps: Any) -> tuple[str, Any]:
    """Return the label of `LABEL=STEPS`, or "", and the steps.

    Examples:
        >>> labelled("noisy=ocr:p=0.1"), labelled("ocr:p=0.1")
        (('noisy', 'ocr:p=0.1'), ('', 'ocr:p=0.1'))
    """
    label = re.compile(_LABEL).match(steps) if isinstance(steps, str) else None
    return (unquoted(label[1]), steps[label.end() :]) if label else ("", steps)


def quoted_label(label: str) -> str:
    """Return a label in the form in which `labelled` reads it."""
    return quoted(label, r'[^\s=:|()",]+')


def quoted(text: str, plain: str) -> str:
    """Return a string as it is if it matches a pattern as a whole, else as a JSON string."""
    return text if re.fullmatch(plain, text) else orjson.dumps(text).decode()


def unquoted(text: str) -> str:
    """Return the content of a JSON string; any other text as it is."""
    try:
        return str(orjson.loads(text)) if text.startswith('"') else text
    except orjson.JSONDecodeError as error:
        raise UsageError(f"can't read the label {text}: {error}") from None


def assigned(settings: Mapping[str, Any]) -> str:
    """Return settings in the form that `assignments` reads."""
    return ",".join(f"{key}={written(value)}" for key, value in settings.items())


def written(value: Any) -> str:
    """Return a value as text that `assignments` can read."""
    if isinstance(value, str):
        needs_quotes = re.search(r'[,"\\\s|()]', value) or value == "" or _read(value) != value
        if not needs_quotes:
            return value
    return orjson.dumps(value).decode()
