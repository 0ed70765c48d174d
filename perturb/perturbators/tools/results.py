"""Faults in the results that tools return to an agent: lost, cut, old, wrong, or an error."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

import numpy as np
import regex

from perturb.engine.batch import Batch
from perturb.engine.grouped_sites import GroupedSites
from perturb.engine.sites import Sites
from perturb.perturbators.declaration import text_perturbator
from perturb.perturbators.tools._json import Value, values_in
from perturb.registry.from_function import writer
from perturb.registry.from_regex import KeyedRandom

Kind = Literal[
    "random", "missing", "truncated", "stale", "wrong_type", "wrong_unit", "number", "error",
    "reordered",
]  # fmt: skip
Edit = tuple[int, int, str]
Fault = Callable[[str, Sequence[Value], KeyedRandom, bool], list[Edit]]

# Payloads as services send them in place of a result; the last ones are no JSON.
_ERRORS = (
    '{"error": {"type": "timeout", "message": "The request timed out after 30 s."}}',
    '{"error": {"type": "rate_limit_error", "message": "Rate limit reached. Retry after 20 s."}}',
    '{"error": {"code": 500, "message": "Internal server error", "status": "INTERNAL"}}',
    '{"error": "not_found", "message": "No resource with this id exists."}',
    '{"status": 401, "error": "Unauthorized", "message": "The access token has expired."}',
    "Error: upstream request timeout",
    "<html>\n<head><title>502 Bad Gateway</title></head>\n<body>\n"
    "<center><h1>502 Bad Gateway</h1></center>\n<hr><center>nginx</center>\n</body>\n</html>",
)
_VALID_ERRORS = 5
# The names of values that are no quantities: another number there is another thing, not a fault.
_NAMES = re.compile(r"(?i)(^|_)(id|ids|code|status|zip|phone|year|version|port|index|page)$|Id$")
_DATE = re.compile(r"(?<!\d)((?:19|20)\d\d)(?=-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d))")
_NUMBER = re.compile(r"(?<![\w.,:/-])-?\d+(?:\.\d+)?(?!\w|[.,:/-]\d)")
# Units that are taken for each other.
_UNITS = {
    "km": "mi", "mi": "km", "m": "ft", "ft": "m", "cm": "in", "kg": "lb", "lb": "kg", "g": "oz",
    "oz": "g", "°C": "°F", "°F": "°C", "C": "F", "F": "C", "km/h": "mph", "mph": "km/h",
    "ms": "s", "s": "ms", "min": "h", "h": "min", "kB": "MB", "MB": "GB", "GB": "MB",
    "USD": "EUR", "EUR": "USD", "GBP": "USD", "JPY": "USD", "$": "€", "€": "$",
    "celsius": "fahrenheit", "fahrenheit": "celsius", "metric": "imperial", "imperial": "metric",
    "kilometers": "miles", "miles": "kilometers", "meters": "feet", "feet": "meters",
}  # fmt: skip
_ANY_UNIT = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
_UNIT = re.compile(rf"(?<=\d) ?(?P<unit>{_ANY_UNIT})(?![\w/])|(?P<sign>[$€])(?=\d)")
_CLUSTER = regex.compile(r"\X")
# How many years a stale result is back, at most. Chosen by hand.
_YEARS = 3


@text_perturbator(
    "tool_result",
    summary="Put a fault into the result of a tool: lost, cut, old, wrong, or an error.",
    touches={"digits", "letters", "words", "case", "punctuation", "space", "order", "meaning"},
    expect="unknown",
    source="faults of services: timeouts, rate limits, gateways' pages, partial and stale results",
    example='{"city": "Oslo", "date": "2024-05-01", "distance": "12 km", "stops": [3, 8, 21]}',
)
def tool_result(batch: Batch, *, kind: Kind = "random", valid: bool = False) -> Sites:
    """Put one fault into each result; `p` is a share of texts.

    A result is JSON, or plain text. Bytes outside the fault stay. A text that offers no place for
    the fault has no site, as plain text without a date has for `stale`.

    Args:
        batch: the texts.
        kind: "missing" empties the longest list, or all of it; "truncated" cuts the text, or its
            longest list; "stale" sets dates back by one to three years; "wrong_type" writes a
            number as text or a text as a list; "wrong_unit" exchanges a unit; "number" changes a
            digit of a quantity; "error" sends a service's error instead; "reordered" turns the
            longest list around; "random" draws one that fits.
        valid: whether JSON stays valid JSON.
    """
    sizes, flat, written = list[int](), list[tuple[int, int]](), list[str]()
    keys, starts = batch.keys.tolist(), batch.texts.starts.tolist()
    for key, base, text in zip(keys, starts, batch.texts.to_list(), strict=True):
        edits = _faulty(text, kind, KeyedRandom(key, 0), valid) if text.strip() else []
        sizes += [len(edits)] * bool(edits)
        flat += [(base + start, base + end) for start, end, _ in edits]
        written += [new for _, _, new in edits]
    places = np.array(flat, np.intp).reshape(-1, 2)
    first = places[:, 0]
    return GroupedSites(
        first, places[:, 1], np.array(sizes, np.intp), "text", writer(first, written)
    )


def _faulty(text: str, kind: str, rng: KeyedRandom, valid: bool) -> list[Edit]:
    """Return the edits of one fault, in order; none if the text has no place for it."""
    values = values_in(text) or ()
    kinds = rng.sample([*_FAULTS], len(_FAULTS)) if kind == "random" else [kind]
    for name in kinds:
        if edits := _FAULTS[name](text, values, rng, valid):
            return [edit for edit in sorted(edits) if text[edit[0] : edit[1]] != edit[2]]
    return []


def _longest(values: Sequence[Value], least: int) -> Value | None:
    """Return the list with most items, if it has so many."""
    lists = [value for value in values if value.kind == "list" and len(value.parts) >= least]
    return max(lists, key=lambda value: len(value.parts), default=None)


def _missing(text: str, values: Sequence[Value], *_: object) -> list[Edit]:
    if found := _longest(values, 1):
        return [(found.start + 1, found.end - 1, "")]
    if values:
        whole = values[-1]
        return [(whole.start + 1, whole.end - 1, "")] if whole.parts else []
    return [(0, len(text), "No results.")]


def _truncated(text: str, values: Sequence[Value], rng: KeyedRandom, valid: bool) -> list[Edit]:
    if not valid:
        edges = [cluster.start() for cluster in _CLUSTER.finditer(text)][1:]
        middle = edges[len(edges) // 4 : -(len(edges) // 4) or None]
        return [(rng.choice(middle), len(text), "")] if middle else []
    found = _longest(values, 2) or (values[-1] if values and len(values[-1].parts) > 1 else None)
    if found is None:
        return []
    kept = (len(found.parts) + 1) // 2
    return [(found.parts[kept - 1][1], found.parts[-1][1], "")]


def _stale(text: str, _: Sequence[Value], rng: KeyedRandom, *__: object) -> list[Edit]:
    back = 1 + rng.below(_YEARS)
    return [(*date.span(1), str(int(date[1]) - back)) for date in _DATE.finditer(text)]


def _wrong_type(text: str, values: Sequence[Value], rng: KeyedRandom, *_: object) -> list[Edit]:
    found = [value for value in values if value.kind in ("number", "boolean", "string")]
    if not found:
        return []
    one = rng.choice(found)
    start, end, quoted = one.start, one.end, text[one.start : one.end]
    if one.kind != "string":
        return [(start, end, f'"{quoted}"')]
    if re.fullmatch(r'"-?(?:0|[1-9]\d{0,14})(?:\.\d+)?"', quoted):
        return [(start, end, quoted[1:-1])]
    return [(start, end, f"[{quoted}]")]


def _wrong_unit(text: str, values: Sequence[Value], rng: KeyedRandom, *_: object) -> list[Edit]:
    found = list(_in_values(_UNIT, text, values))
    if found:
        one = rng.choice(found)
        group = "unit" if one["unit"] else "sign"
        return [(*one.span(group), _UNITS[one[group]])]
    named = [value for value in values if text[value.start + 1 : value.end - 1] in _UNITS]
    if not named:
        return []
    value = rng.choice(named)
    return [(value.start + 1, value.end - 1, _UNITS[text[value.start + 1 : value.end - 1]])]


def _number(text: str, values: Sequence[Value], rng: KeyedRandom, *_: object) -> list[Edit]:
    found = [
        (value.start, value.end)
        for value in values
        if value.kind == "number" and not _NAMES.search(value.name)
    ]
    if not values:
        found = [number.span() for number in _NUMBER.finditer(text)]
    if not found:
        return []
    start, end = rng.choice(found)
    digits = [at for at in range(start, end) if text[at].isdecimal()]
    at = digits[rng.below(min(2, len(digits)))]  # one of the first two, which count most
    least = 1 if at == digits[0] and len(digits) > 1 else 0
    others = [digit for digit in "0123456789"[least:] if digit != text[at]]
    return [(at, at + 1, rng.choice(others))]


def _error(text: str, _: Sequence[Value], rng: KeyedRandom, valid: bool) -> list[Edit]:
    return [(0, len(text), rng.choice(_ERRORS[: _VALID_ERRORS if valid else None]))]


def _reordered(text: str, values: Sequence[Value], *_: object) -> list[Edit]:
    found = _longest(values, 2)
    if found is None:
        return []
    items = [text[start:end] for start, end in found.parts]
    turned = items[::-1]
    return [
        (start, end, new)
        for (start, end), old, new in zip(found.parts, items, turned, strict=True)
        if old != new
    ]


def _in_values(
    pattern: re.Pattern[str], text: str, values: Sequence[Value]
) -> Iterator[re.Match[str]]:
    """Yield the matches in the texts of JSON, or in plain text."""
    places = [(value.start, value.end) for value in values if value.kind == "string"]
    for start, end in places if values else [(0, len(text))]:
        yield from pattern.finditer(text, start, end)


_FAULTS: Mapping[str, Fault] = {
    "missing": _missing,
    "truncated": _truncated,
    "stale": _stale,
    "wrong_type": _wrong_type,
    "wrong_unit": _wrong_unit,
    "number": _number,
    "error": _error,
    "reordered": _reordered,
}
