"""Faults in the results that tools return to an agent: lost, cut, old, wrong, or an error."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Literal

import orjson
import regex

from perturb.boundary import File, content_of
from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.errors import DataError, PerturbError, UsageError, installing, shown
from perturb.perturbators.declaration import text_perturbator
from perturb.perturbators.tools._json import Value, values_in
from perturb.perturbators.tools._sites import Edit, shuffled, text_sites
from perturb.registry.definition import FieldPath
from perturb.registry.from_regex import KeyedRandom
from perturb.values.spans import rebuild

Kind = Literal[
    "random", "missing", "truncated", "stale", "wrong_type", "wrong_unit", "number", "error",
    "timeout", "reordered",
]  # fmt: skip
# What a fault may do to a text, the likeliest first.
Faults = Iterator[list[Edit]]
Fault = Callable[[str, Sequence[Value], KeyedRandom, bool], Faults]
# Whether a text is what a schema allows.
Fits = Callable[[str], bool]

# Payloads as services send them in place of a result.
_TIMEOUTS = (
    '{"error": {"type": "timeout", "message": "The request timed out after 30 s."}}',
    "Error: upstream request timeout",
)
_ERRORS = (
    *_TIMEOUTS,
    '{"error": {"type": "rate_limit_error", "message": "Rate limit reached. Retry after 20 s."}}',
    '{"error": {"code": 500, "message": "Internal server error", "status": "INTERNAL"}}',
    '{"error": "not_found", "message": "No resource with this id exists."}',
    '{"status": 401, "error": "Unauthorized", "message": "The access token has expired."}',
    "<html>\n<head><title>502 Bad Gateway</title></head>\n<body>\n"
    "<center><h1>502 Bad Gateway</h1></center>\n<hr><center>nginx</center>\n</body>\n</html>",
)
# How many places a fault tries for a schema: each is validated, and a schema may forbid them all.
_TRIES = 100
# The names of values that are no quantities: another number there is another thing, not a fault.
_NAMES = re.compile(
    r"(?i)(^|_)(id|ids|code|status|zip|phone|number|cvv|year|version|port|index|page)$|Id$"
)
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
    version=2,
    touches={"digits", "letters", "words", "case", "punctuation", "space", "order", "meaning"},
    expect="unknown",
    expect_of_kind={
        "missing": "abstain",
        "error": "abstain",
        "timeout": "abstain",
        "wrong_type": "same",
        "reordered": "same",
    },
    source="faults of services: timeouts, rate limits, gateways' pages, partial and stale results",
    example='{"city": "Oslo", "date": "2024-05-01", "distance": "12 km", "stops": [3, 8, 21]}',
)
def tool_result(
    batch: Batch,
    *,
    kind: Kind = "random",
    valid: bool = False,
    schema: File | None = None,
    schema_in: FieldPath | None = None,
) -> Sites:
    """Put a fault into the result of a tool: lost, cut, old, wrong, or an error.

    Put one fault into each result; `p` is a share of texts.

    A result is JSON, or plain text. Bytes outside the fault stay. A text that offers no place for
    the fault has no site, as plain text without a date has for `stale`.

    Args:
        batch: the texts.
        kind: "missing" empties the list that is most of it, or all of it; "truncated" cuts the
            text, or its longest list; "stale" sets dates back by one to three years; "wrong_type"
            writes a number as text or a text as a list; "wrong_unit" exchanges a unit; "number"
            changes a digit of a quantity; "error" sends a service's error instead, and "timeout"
            that of a slow one; "reordered" turns the longest list around; "random" draws one that
            fits.
        valid: whether JSON stays valid JSON.
        schema: a file with the JSON Schema of results, or the tool of MCP with its `outputSchema`;
            the step then holds its SHA-256 after the path. It stays fulfilled: the fault takes the
            next place that allows it, such as another number or a part that isn't required. A text
            that isn't such JSON has no site. It needs `jsonschema`.
        schema_in: the path to a field of the row with that schema or tool, in place of `schema`,
            such as `tool.outputSchema`. Where it is null, the result has no site.
    """
    if schema and schema_in:
        raise UsageError("tool_result takes a schema from a file or from a field: give one of them")

    def edits_of(row: int, text: str, rng: KeyedRandom) -> list[Edit] | str:
        if not text.strip():
            return "an empty text"
        fits: Fits = within_file(schema) if schema else bool
        if schema_in:
            if batch.beside is None:
                raise UsageError(
                    f"schema_in={schema_in} names a field of rows, and these texts are in none: "
                    "give rows, or the schema as schema=FILE"
                )
            own = batch.beside[row][schema_in]
            if own == "null":
                return f"no schema at {schema_in}"
            fits = within(own, schema_in)
        if not fits(text):
            return "no JSON within the schema"
        return _faulty(text, kind, rng, valid or fits is not bool, fits) or "no place for it"

    return text_sites(batch, edits_of)


def _faulty(text: str, kind: str, rng: KeyedRandom, valid: bool, fits: Fits) -> list[Edit]:
    """Return the edits of one fault, in order; none if the text has no place for it."""
    values = values_in(text) or ()
    kinds = rng.sample([*_FAULTS], len(_FAULTS)) if kind == "random" else [kind]
    for name in kinds:
        for edits in islice(_FAULTS[name](text, values, rng, valid), _TRIES):
            made = [edit for edit in sorted(edits) if text[edit[0] : edit[1]] != edit[2]]
            if made and fits(rebuild(text, made)):
                return made
    return []


def _longest(values: Sequence[Value], least: int, kind: str = "list") -> list[Value]:
    """Return the lists with so many items, or the objects, the longest first."""
    lists = [value for value in values if value.kind == kind and len(value.parts) >= least]
    return sorted(lists, key=lambda value: -len(value.parts))


def _missing(text: str, values: Sequence[Value], rng: KeyedRandom, _: bool) -> Faults:
    if not values:
        yield [(0, len(text), "No results.")]
    # A list that isn't most of a result may be beside the point, and its loss no fault.
    bulk = [each for each in _longest(values, 1) if 2 * (each.end - each.start) > len(text)]
    for value in (*bulk, *values[-1:], *_longest(values, 1)):
        if value.parts:
            yield [(value.start + 1, value.end - 1, "")]
    objects = [value.parts for value in values if value.kind == "object"]
    for parts, at in shuffled(rng, ((each, at) for each in objects for at in range(len(each)))):
        start, end = parts[at]
        if at:  # with the comma
            start = parts[at - 1][1]
        elif len(parts) > 1:
            end = parts[1][0]
        yield [(start, end, "")]


def _truncated(text: str, values: Sequence[Value], rng: KeyedRandom, valid: bool) -> Faults:
    if not (valid and values):
        edges = [cluster.start() for cluster in _CLUSTER.finditer(text)][1:]
        middle = edges[len(edges) // 4 : -(len(edges) // 4) or None]
        yield [(rng.choice(middle), len(text), "")] if middle else []
        return
    for value in (*_longest(values, 2), *values[-1:], *_longest(values, 2, "object")):
        parts = value.parts
        for kept in range((len(parts) + 1) // 2, len(parts)):
            yield [(parts[kept - 1][1], parts[-1][1], "")]


def _stale(text: str, _: Sequence[Value], rng: KeyedRandom, *__: object) -> Faults:
    for back in shuffled(rng, range(1, _YEARS + 1)):
        yield [(*date.span(1), str(int(date[1]) - back)) for date in _DATE.finditer(text)]


def _wrong_type(text: str, values: Sequence[Value], rng: KeyedRandom, *_: object) -> Faults:
    found = [value for value in values if value.kind in ("number", "boolean", "string")]
    for one in shuffled(rng, found):
        start, end, quoted = one.start, one.end, text[one.start : one.end]
        if one.kind != "string":
            yield [(start, end, f'"{quoted}"')]
        elif re.fullmatch(r'"-?(?:0|[1-9]\d{0,14})(?:\.\d+)?"', quoted):
            yield [(start, end, quoted[1:-1])]
        else:
            yield [(start, end, f"[{quoted}]")]


def _wrong_unit(text: str, values: Sequence[Value], rng: KeyedRandom, *_: object) -> Faults:
    for one in shuffled(rng, _in_values(_UNIT, text, values)):
        group = "unit" if one["unit"] else "sign"
        yield [(*one.span(group), _UNITS[one[group]])]
    inner = [(value.start + 1, value.end - 1) for value in values]
    for start, end in shuffled(rng, (span for span in inner if text[slice(*span)] in _UNITS)):
        yield [(start, end, _UNITS[text[start:end]])]


def _number(text: str, values: Sequence[Value], rng: KeyedRandom, *_: object) -> Faults:
    found = [
        (value.start, value.end)
        for value in values
        if value.kind == "number" and not _NAMES.search(value.name)
    ]
    if not values:
        found = [number.span() for number in _NUMBER.finditer(text)]
    for start, end in shuffled(rng, found):
        digits = [at for at in range(start, end) if text[at].isdecimal()]
        for at in shuffled(rng, digits[:2]):  # one of the first two, which count most
            least = 1 if at == digits[0] and len(digits) > 1 else 0
            others = [digit for digit in "0123456789"[least:] if digit != text[at]]
            yield from ([(at, at + 1, digit)] for digit in shuffled(rng, others))


def _sent(*payloads: str) -> Fault:
    """Return the fault that sends one of some payloads; of JSON alone, if it must be valid."""

    def fault(text: str, _: Sequence[Value], rng: KeyedRandom, valid: bool) -> Faults:
        for payload in shuffled(rng, (each for each in payloads if each[0] == "{" or not valid)):
            yield [(0, len(text), payload)]

    return fault


def _reordered(text: str, values: Sequence[Value], *_: object) -> Faults:
    for value in _longest(values, 2):
        items = [text[start:end] for start, end in value.parts]
        yield [(*span, new) for span, new in zip(value.parts, reversed(items), strict=True)]


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
    "error": _sent(*_ERRORS),
    "timeout": _sent(*_TIMEOUTS),
    "reordered": _reordered,
}


@lru_cache(maxsize=16)
def within_file(file: File) -> Fits:
    """Return the function that says whether a text is JSON within the schema of a file.

    Raises:
        UsageError: see `within`; or the file can't be read, or doesn't match its hash.
    """
    return within(content_of(file), file.path, UsageError)


@lru_cache(maxsize=256)
def within(text: bytes | str, name: str, refused: type[PerturbError] = DataError) -> Fits:
    """Return the function that says whether a text is JSON within a schema.

    Args:
        text: the schema, or a tool with its `outputSchema`.
        name: what messages call it.
        refused: the error if it is no JSON Schema, now or when a text is looked at.

    Raises:
        UsageError: `jsonschema` isn't installed.
    """
    try:
        from jsonschema import Draft202012Validator, SchemaError
        from jsonschema.validators import validator_for
        from referencing import Registry
        from referencing.exceptions import Unresolvable
    except ImportError as error:
        raise UsageError(f"a schema needs jsonschema: {installing('schema')}") from error
    try:
        schema = orjson.loads(text)
        if isinstance(schema, dict) and {"inputSchema", "outputSchema"} & schema.keys():
            if "outputSchema" not in schema:
                raise refused(
                    f"{name} is a tool without an outputSchema, which says what its results are: "
                    "give their schema"
                )
            schema = schema["outputSchema"]
        if not isinstance(schema, dict | bool):
            raise refused(f"{name} is no JSON Schema, which is an object; got {shown(schema)}")
        kind = validator_for(schema, default=Draft202012Validator)
        kind.check_schema(schema)
    except orjson.JSONDecodeError as error:
        raise refused(f"{name} is not JSON: {error}") from None
    except SchemaError as error:
        raise refused(f"{name} is no JSON Schema: {error.message}, at {error.json_path}") from None
    # An empty registry: without one, a reference to an address would be fetched.
    validator = kind(schema, registry=Registry())

    def fits(text: str) -> bool:
        try:
            return bool(validator.is_valid(orjson.loads(text)))
        except orjson.JSONDecodeError:
            return False
        except Unresolvable as error:
            raise refused(
                f"{name} refers to {error.ref!r}, which isn't in it; perturb fetches no schema: "
                "put it under $defs"
            ) from None
        except RecursionError:
            raise refused(f"{name} refers to itself without end") from None

    return fits
