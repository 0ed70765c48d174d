"""Faults in the results of live tools: a wrapper around the function of a tool."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from itertools import count
from typing import Any, TypeVar

from perturb.api import apply
from perturb.errors import UsageError
from perturb.pipeline.pipeline import Pipeline
from perturb.records.record import Record

__all__ = ["wrap"]

_F = TypeVar("_F", bound=Callable[..., Any])


def wrap(
    tool: _F,
    steps: Any,
    *,
    seed: int = 0,
    retry: str = "same",
    log: Callable[[Record], object] | None = None,
) -> _F:
    """Wrap a tool so that its results have faults, the same for the same call.

    The steps see a result as text: a string as it is, anything else as JSON. A result that wasn't a
    string comes back as one only if the fault leaves no JSON. The fault of a call depends on the
    seed, the name of the tool and its arguments alone, not on the order of calls. A tool that
    raises isn't touched. Several threads or tasks may call it.

    Args:
        tool: a function, plain or async, that returns a string or a value that JSON can hold.
        steps: in any form, such as `"tool_result:kind=error,p=0.3"` for a fault in three of ten
            calls; see `perturb.apply`.
        seed: the seed of all faults.
        retry: whether the same call again sees the "same" fault, or the "next" one.
        log: gets the record of each result, which `perturb.verify` makes again; for example
            `records.append`. It names the call as its original: the tool, its arguments and, from
            the first retry on with "next", the number of the try.

    Returns:
        The wrapped tool, with the signature of `tool`.

    Raises:
        UsageError: unknown steps or an invalid setting; or, at a call, arguments or a result that
            JSON can't hold.
        TypeError: `tool` can't be called.

    Examples:
        >>> records = []
        >>> def weather(city: str) -> dict:
        ...     return {"city": city, "temperature": 12, "unit": "celsius"}
        >>> faulty = wrap(weather, "tool_result:kind=wrong_unit", log=records.append)
        >>> faulty("Oslo")
        {'city': 'Oslo', 'temperature': 12, 'unit': 'fahrenheit'}
        >>> records[0].original_id, records[0].status, faulty("Oslo") == faulty("Oslo")
        ('weather(city="Oslo")', 'changed', True)
    """
    if not callable(tool):
        raise TypeError(f"wrap takes the function of a tool; got {tool!r}")
    if retry not in ("same", "next"):
        raise UsageError(f'retry is "same" or "next"; got {retry!r}')
    pipeline = Pipeline.of(steps)
    tries: dict[str, Iterator[int]] = {}
    name = getattr(tool, "__name__", type(tool).__name__)

    def faulty(result: Any, args: Sequence[Any], named: dict[str, Any]) -> Any:
        call = _written(name, tool, args, named)
        # Threads that make the same call at once still get a number each.
        replicate = next(tries.setdefault(call, count())) if retry == "next" else 0
        text = result if isinstance(result, str) else _json(result, f"the result of {call}")
        key = f"{call}#{replicate}" if replicate else call
        record = apply(text, pipeline, seed=seed, id=key, replicate=replicate)
        if log is not None:
            log(record)
        return record.text if isinstance(result, str) else _read(record.text)

    if any(map(inspect.iscoroutinefunction, (tool, type(tool).__call__))):  # or an object

        @wraps(tool)
        async def later(*args: Any, **named: Any) -> Any:
            return faulty(await tool(*args, **named), args, named)

        return later  # type: ignore[return-value]

    @wraps(tool)
    def now(*args: Any, **named: Any) -> Any:
        return faulty(tool(*args, **named), args, named)

    return now  # type: ignore[return-value]


def _written(name: str, tool: Callable[..., Any], args: Sequence[Any], named: Any) -> str:
    """Return a call as text, with its arguments by name and in the order of their names."""
    try:
        bound = inspect.signature(tool).bind(*args, **named)
        bound.apply_defaults()
        given = dict(bound.arguments)
    except ValueError:  # functions of C may have no signature
        given = {**{f"{place}": value for place, value in enumerate(args)}, **named}
    parts = [f"{key}={_json(given[key], f'{name}: the argument {key}')}" for key in sorted(given)]
    return f"{name}({', '.join(parts)})"


def _json(value: Any, what: str) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{what} can't be written as JSON: {error}") from error


def _read(text: str) -> Any:
    """Return the value of a JSON text, or the text if it is none any more."""
    try:
        return json.loads(text)
    except ValueError:
        return text
