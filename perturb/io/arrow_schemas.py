"""Schemas of tables with columns added or replaced, in the form of the table's library."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from perturb.errors import DataError
from perturb.io import json_path


def schema_with(given: Any, columns: Mapping[str, Any]) -> Any:
    """Return the schema of a table with columns added or replaced.

    Args:
        given: an Arrow schema; or a table of Arrow, Polars or Spark.
        columns: the Arrow type of each column.

    Returns:
        The schema in the form of the same library.
    """
    import pyarrow as pa

    library = type(given).__module__.partition(".")[0]
    if library == "pyspark":
        from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

        return from_arrow_schema(schema_with(to_arrow_schema(given.schema), columns))
    if library == "polars":
        import polars as pl

        empty = pl.DataFrame(schema=given.collect_schema()).to_arrow()
        frame = pl.from_arrow(schema_with(empty.schema, columns).empty_table())
        return frame.schema
    if not isinstance(given, pa.Schema):
        given = given.schema
    fields = {field.name: field for field in given}
    for name, kind in columns.items():
        parts = json_path.parse(name) if json_path.is_path(name) else (name,)
        if name not in fields and parts[0] in fields:  # the place of an id within a column
            name, kind = parts[0], _with_inside(fields[parts[0]].type, parts[1:], kind, name)
        old = fields.get(name, pa.field(name, kind))
        holds = kind == pa.string() and str(old.type) in ("large_string", "string_view")
        fields[name] = old if holds else old.with_type(kind)
    changed = {field.name for field in given if fields[field.name].type != field.type}
    return pa.schema(list(fields.values()), _described(given.metadata or {}, changed))


def _with_inside(given: Any, parts: Sequence[str], kind: Any, path: str) -> Any:
    """Return a type of Arrow with another one at a path into it."""
    import pyarrow as pa

    if not parts:
        return given if str(given) in ("large_string", "string_view") else kind
    if pa.types.is_struct(given):
        return pa.struct(
            [
                each.with_type(_with_inside(each.type, parts[1:], kind, path))
                if each.name == parts[0]
                else each
                for each in given
            ]
        )
    inner = getattr(given, "value_type", None)  # of a list
    if inner is not None and _with_inside(inner, parts[1:], kind, path) != inner:
        raise DataError(
            f"the ids of versions are texts, and {path!r} leads into a list of {inner}, in which "
            "one can't be: name the rows by another field"
        )
    return given


def _described(metadata: Mapping[bytes, bytes], changed: Collection[str]) -> dict[bytes, bytes]:
    """Return the metadata of a schema, such as the names of classes.

    Hugging Face's and pandas' metadata on changed columns is left out, and so is the fingerprint,
    which would identify the old data.
    """
    described = dict(metadata)
    with contextlib.suppress(ValueError, LookupError, TypeError, AttributeError):
        content = json.loads(described[b"huggingface"])
        content.pop("fingerprint", None)
        features = content["info"]["features"]
        content["info"]["features"] = {k: v for k, v in features.items() if k not in changed}
        described[b"huggingface"] = json.dumps(content).encode()
    with contextlib.suppress(ValueError, LookupError, TypeError):
        content = json.loads(described[b"pandas"])
        content["columns"] = [it for it in content["columns"] if it["name"] not in changed]
        described[b"pandas"] = json.dumps(content).encode()
    return described
