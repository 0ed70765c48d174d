"""Whether a JSON text is within a JSON Schema."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import orjson

from perturb.boundary import File, content_of
from perturb.errors import UsageError, installing


@lru_cache(maxsize=16)
def within(file: File) -> Callable[[str], bool]:
    """Return the function that says whether a text is JSON within the schema of a file.

    Raises:
        UsageError: `jsonschema` isn't installed; or the file can't be read, holds no JSON Schema,
            or doesn't match its hash.
    """
    try:
        from jsonschema import Draft202012Validator, SchemaError
        from jsonschema.validators import validator_for
        from referencing import Registry
        from referencing.exceptions import Unresolvable
    except ImportError as error:
        raise UsageError(f"schema= needs jsonschema: {installing('schema')}") from error
    try:
        schema = orjson.loads(content_of(file))
        if isinstance(schema, dict) and {"inputSchema", "outputSchema"} & schema.keys():
            if "outputSchema" not in schema:
                raise UsageError(
                    f"{file.path} is a tool without an outputSchema, which says what its results "
                    "are: give a file with their schema"
                )
            schema = schema["outputSchema"]
        kind = validator_for(schema, default=Draft202012Validator)
        kind.check_schema(schema)
    except orjson.JSONDecodeError as error:
        raise UsageError(f"{file.path} is not JSON: {error}") from None
    except SchemaError as error:
        raise UsageError(
            f"{file.path} is no JSON Schema: {error.message}, at {error.json_path}"
        ) from None
    # An empty registry: without one, a reference to an address would be fetched.
    validator = kind(schema, registry=Registry())

    def fits(text: str) -> bool:
        try:
            return bool(validator.is_valid(orjson.loads(text)))
        except orjson.JSONDecodeError:
            return False
        except Unresolvable as error:
            raise UsageError(
                f"{file.path} refers to {error.ref!r}, which isn't in it; perturb fetches no "
                "schema: put it under $defs"
            ) from None
        except RecursionError:
            raise UsageError(f"{file.path} refers to itself without end") from None

    return fits
