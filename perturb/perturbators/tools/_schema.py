"""Whether a JSON text is within a JSON Schema."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import orjson

from perturb.boundary import File, content_of
from perturb.errors import DataError, PerturbError, UsageError, installing, shown

Fits = Callable[[str], bool]


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
