"""The fields of a record: one table, from which its JSON Schema, Arrow type and checks are made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from perturb._version import CONTRACT
from perturb.engine.step import REASONS
from perturb.errors import DataError, UsageError, shown
from perturb.plan.options import LINKAGE
from perturb.registry.vocabulary import EXPECTS

if TYPE_CHECKING:
    import pyarrow

STATUSES = ("changed", "original", *filter(None, REASONS))


class Field(NamedTuple):
    """A field of a record: a string, which is there in every record and never null.

    Attributes:
        name: the name of the field.
        about: a sentence on it.
        form: what JSON Schema says of it besides.
    """

    name: str
    about: str
    form: Mapping[str, Any] = {}


RECORD = (
    Field("original_id", "Names the original; all its versions share it."),
    Field("original", "The text before; empty with --lean and for rows with several texts."),
    Field("condition", "The noise, as the user typed or named it; empty for an original."),
    Field("status", "changed, original, or why nothing changed.", {"enum": list(STATUSES)}),
    Field("expect", "What becomes of the right answer.", {"enum": list(EXPECTS)}),
    Field(
        "edits",
        "What changed, as PATH|START:OLD>NEW|...;PATH=JSON, percent-encoded.",
        {
            "pattern": r"^$|^[^|=;]+(=[^|>;+]*|(\|[0-9]+:[^|>=;+]*>[^|>=;+]*)+)"
            r"(;[^|=;]+(=[^|>;+]*|(\|[0-9]+:[^|>=;+]*>[^|>=;+]*)+))*$"
        },
    ),
    Field(
        "check",
        "x, and the first 8 hexadecimal digits of the SHA-256 of the texts before.",
        {"pattern": "^x[0-9a-f]{8}$"},
    ),
    Field("recipe", "What makes the row again, as `perturb apply --recipe` takes it."),
)
NAMES = tuple(field.name for field in RECORD)


def checked(linkage: Any) -> dict[str, str]:
    """Return the record in a row; null, NaN and absence count as empty, as in CSV and SQL.

    Raises:
        DataError: it is not one; the message names the field and what stands there.
    """
    if not isinstance(linkage, Mapping):
        raise DataError(f"the {LINKAGE!r} of a row must be an object; got {shown(linkage)}")
    record: dict[str, Any] = {name: linkage.get(name) for name in NAMES}
    for name, value in record.items():
        if type(value) is str:  # as most are
            continue
        if value is None or value != value:  # NaN, as pandas reads an empty cell
            record[name] = ""
        elif name in ("original_id", "original", "condition"):
            record[name] = str(value)  # a reader took it for a number or a date
        else:
            raise DataError(f"the {LINKAGE!r} needs a string in {name!r}; got {shown(value)}")
    for name, known in (("status", STATUSES), ("expect", EXPECTS)):
        if record[name] not in known:
            raise DataError(
                f"the {LINKAGE!r} needs one of {', '.join(known)} in {name!r}; "
                f"got {shown(record[name])}"
            )
    return record


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a row that `perturb apply` writes.

    Examples:
        >>> json_schema()["properties"]["perturbation"]["properties"]["check"]["pattern"]
        '^x[0-9a-f]{8}$'
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A row of perturb, contract {CONTRACT}",
        "type": "object",
        "properties": {
            LINKAGE: {
                "description": "The record of the row.",
                "type": "object",
                "properties": {
                    name: {"type": "string", "description": about, **form}
                    for name, about, form in RECORD
                },
                "required": list(NAMES),
                "additionalProperties": False,
            },
        },
        "required": [LINKAGE],
    }


def arrow_type() -> pyarrow.DataType:
    """Return the Arrow type of a record.

    Raises:
        UsageError: pyarrow is not installed.
    """
    try:
        import pyarrow as pa
    except ImportError as error:
        raise UsageError(
            "the types of a table that is not in memory need the package pyarrow: "
            "pip install 'perturb-text[arrow]'"
        ) from error
    return pa.struct([(name, pa.string()) for name in NAMES])
