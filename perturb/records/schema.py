"""The fields of a record: one table, from which its JSON Schema, Arrow type and checks are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from perturb._version import CONTRACT
from perturb.errors import DataError, UsageError, shown

if TYPE_CHECKING:
    import pyarrow

# The key of a row that holds its record.
LINKAGE = "perturbation"


class Field(NamedTuple):
    """A field of a record, which always has this one type and is never null.

    Attributes:
        name: of the field.
        kind: "string", "int32", "int64", "double" or "bool"; "strings" for a list of strings;
            "object", or "objects" for a list of them, with `parts`.
        about: a sentence on it.
        parts: the fields of an object.
        optional: not there in all records, but in all or none of those of one run.
    """

    name: str
    kind: str
    about: str
    parts: tuple[Field, ...] = ()
    optional: bool = False


STEP = (
    Field("name", "string", "The perturbator."),
    Field("version", "int32", "The version of the perturbator."),
    Field("p", "double", "The strength, in [0, 1]; 0.0 where params has a count."),
    Field(
        "params",
        "string",
        "All settings that are not the defaults, as a spec has them: NAME:p=P,PARAMS is the step.",
    ),
    Field("intensity", "string", "The intensity that p was given as; empty where it was not."),
    Field("severity", "int32", "The severity that p was given as; 0 where it was not."),
    Field("units", "int32", "The open units of the text, of which p is a share."),
    Field("closed", "int32", "The units that are protected, out of scope or of another script."),
    Field("sites", "int32", "The places where the step could act."),
    Field("edits", "int32", "The edits that it made."),
    Field("saturated", "bool", "Whether there were fewer sites than edits wanted."),
    Field("note", "string", "What the perturbator says beyond that, as JSON; or empty."),
)
EDIT = (
    Field("start", "int32", "The index of the first replaced code point of the original."),
    Field("end", "int32", "The index after the last; equal to start for an insertion."),
    Field("text", "string", "What was written; empty for a deletion."),
    Field("removed", "string", "What was replaced, in compact records.", optional=True),
)
SPAN = (
    Field("start", "int32", "Where the span starts in the perturbed text; -1 if it was dropped."),
    Field("end", "int32", "Where it ends; -1 if it was dropped."),
)
ANSWER = (
    Field("field", "string", "The path to the answer."),
    Field("original", "string", "What the answer was called before the steps, as JSON."),
)
RECORD = (
    Field("original_id", "string", "Names the original; all its versions share it."),
    Field("original", "string", "The text before; not in compact records.", optional=True),
    Field("field", "string", "The path to the text in its row; empty for a bare text."),
    Field("replicate", "int32", "The number of the version, from 0."),
    Field("seed", "int64", "The seed of the run."),
    Field("steps", "objects", "Each step that the text took.", STEP),
    Field("edits", "objects", "From the original to the text, in order, without overlap.", EDIT),
    Field("status", "string", "changed, unchanged or original."),
    Field("reason", "string", "Why the text is unchanged; else empty."),
    Field("rate", "double", "Edits a unit, over all steps; 0.0 for a text without units."),
    Field("categories", "strings", "Labels to group by."),
    Field("contract", "int32", "The version of what records promise."),
    Field("pipeline", "string", "What steps were drawn from, as a spec; empty if none was drawn."),
    Field("scope", "string", "The rules and spans in protect and only, as JSON; or empty."),
    Field("spans", "objects", "The caller's spans in the text.", SPAN, optional=True),
    Field("answer", "object", "The right answer before the steps.", ANSWER, optional=True),
)

_BITS = {"int32": 32, "int64": 64}
_CHECKED: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "int32": int,
    "int64": int,
    "double": (int, float),
    "bool": bool,
    "strings": list,
    "objects": list,
    "object": Mapping,
}
# So many objects are checked one by one in less time than together.
_FEW = 2


def check(linkage: Mapping[str, Any]) -> None:
    """Check that a record has every field, each of its type.

    Raises:
        DataError: it has not; the message names the field and what stands there.
    """
    _check(linkage, RECORD, "the perturbation record")


def _check(value: Any, fields: tuple[Field, ...], where: str) -> None:
    if not isinstance(value, Mapping):
        raise DataError(f"{where} must be an object; got {shown(value)}")
    for name, kind, _, parts, optional in fields:
        if optional and value.get(name) is None:
            continue
        got: Any = value.get(name)
        if not _fits(got, kind):
            said = shown(got) if name in value else "nothing"
            raise DataError(f"{where} needs {name!r}; got {said}")
        if kind in _BITS and not _within(_BITS[kind], got):
            raise DataError(f"{where} needs {name!r} within {_BITS[kind]} bits; got {shown(got)}")
        if kind == "object":
            _check(got, parts, f"{name!r} of {where}")
        elif kind == "objects":
            for index, one in enumerate(() if len(got) > _FEW and _are_usual(got, parts) else got):
                _check(one, parts, f"{name}[{index}] of {where}")
        elif kind == "strings" and not all(isinstance(one, str) for one in got):
            raise DataError(f"{where} needs strings in {name!r}; got {shown(got)}")


def _are_usual(values: Sequence[Any], fields: tuple[Field, ...]) -> bool:
    """Return true if no object can be wrong: each is a dict with strings and integers alone.

    A text has many edits, and a field of all together is faster than each edit by itself.
    """
    if set(map(type, values)) != {dict}:
        return False
    fields = tuple(one for one in fields if not one.optional or one.name in values[0])
    if set(map(len, values)) != {len(fields)}:
        return False
    try:
        columns = [list(map(itemgetter(one.name), values)) for one in fields]
    except KeyError:
        return False
    return all(
        set(map(type, column)) == {_CHECKED[one.kind]}
        and (one.kind not in _BITS or _within(_BITS[one.kind], min(column), max(column)))
        for one, column in zip(fields, columns, strict=True)
    )


def _within(bits: int, *numbers: int) -> bool:
    return all(-(1 << bits - 1) <= number < 1 << bits - 1 for number in numbers)


def _fits(value: Any, kind: str) -> bool:
    return isinstance(value, _CHECKED[kind]) and (kind == "bool" or not isinstance(value, bool))


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a row that `perturb apply` writes.

    Examples:
        >>> json_schema()["properties"]["perturbation"]["anyOf"][1]["type"]
        'array'
    """
    record = _object(RECORD)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A row of perturb, contract {CONTRACT}",
        "type": "object",
        "properties": {
            LINKAGE: {
                "description": "The record of the text of the row, or those of its texts.",
                "anyOf": [{"$ref": "#/$defs/record"}, {"type": "array", "items": record}],
            },
        },
        "required": [LINKAGE],
        "$defs": {"record": record},
    }


def _object(fields: tuple[Field, ...]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {one.name: {"description": one.about, **_json(one)} for one in fields},
        "required": [one.name for one in fields if not one.optional],
        "additionalProperties": False,
    }


def _json(field: Field) -> dict[str, Any]:
    if field.kind in _BITS:
        limit = 1 << _BITS[field.kind] - 1
        return {"type": "integer", "minimum": -limit, "maximum": limit - 1}
    if field.kind == "strings":
        return {"type": "array", "items": {"type": "string"}}
    if field.kind == "objects":
        return {"type": "array", "items": _object(field.parts)}
    if field.kind == "object":
        return _object(field.parts)
    return {"type": {"double": "number", "bool": "boolean"}.get(field.kind, field.kind)}


def arrow_type(
    *, compact: bool = False, spans: bool = False, answer: bool = False
) -> pyarrow.DataType:
    """Return the Arrow type of a record.

    Args:
        compact: of records without their originals.
        spans: of records with the caller's spans.
        answer: of records with the right answer.

    Raises:
        UsageError: pyarrow is not installed.
    """
    try:
        import pyarrow as pa
    except ImportError as error:
        raise UsageError(
            "the Arrow type needs the package pyarrow: pip install 'perturb-text[arrow]'"
        ) from error
    left_out = {"original"} if compact else {"removed"}
    left_out |= {name for name, wanted in (("spans", spans), ("answer", answer)) if not wanted}
    scalars = {
        "string": pa.string(),
        "int32": pa.int32(),
        "int64": pa.int64(),
        "double": pa.float64(),
        "bool": pa.bool_(),
        "strings": pa.list_(pa.string()),
    }

    def struct(fields: tuple[Field, ...]) -> pa.DataType:
        return pa.struct([(one.name, arrow(one)) for one in fields if one.name not in left_out])

    def arrow(field: Field) -> pa.DataType:
        if not field.parts:
            return scalars[field.kind]
        made = struct(field.parts)
        return pa.list_(made) if field.kind == "objects" else made

    return struct(RECORD)
