"""The manifest beside an output file: what it takes to make the file again, and to check it."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from perturb import __version__, tables
from perturb.errors import DataError
from perturb.io.files import STANDARD, Digest, writing
from perturb.record import CONTRACT
from perturb.rows import Counts


def path_of(output: str) -> Path:
    """Where the manifest of an output file stands."""
    return Path(f"{output}.manifest.json")


def write(
    output: str,
    *,
    arguments: dict[str, Any],
    source: str,
    read: Digest,
    written: Digest,
    counts: Counts,
    bad_lines: int,
) -> None:
    """Write the manifest of an output file.

    Args:
        output: the file.
        arguments: what to do, in a form that makes the same job again.
        source: the input file, "-" for standard input.
        read: of the input.
        written: of the output.
        counts: what came of the rows.
        bad_lines: how many lines were left out.
    """
    manifest = {
        "contract": CONTRACT,
        "versions": {
            "perturb": __version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
        },
        "tables": tables.read(),
        **arguments,
        "input": {
            "path": None if source == STANDARD else str(Path(source).resolve()),
            "sha256": read.hexdigest(),
            "bytes": read.size,
            "bad_lines": bad_lines,
        },
        "output": {"sha256": written.hexdigest(), "bytes": written.size},
        "counts": {
            "rows_read": counts.rows,
            "rows_written": counts.written,
            "changed": counts.changed,
            "unchanged": dict(sorted(counts.reasons.items())),
            "units": counts.units,
            "edits": counts.edits,
            "rate": round(counts.edits / max(counts.units, 1), 6),
        },
    }
    with writing(str(path_of(output))) as (file, _):
        file.write(orjson.dumps(manifest, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


def load(output: str) -> dict[str, Any] | None:
    """The manifest of an output file; None where there is none.

    Raises:
        DataError: it can't be read.
    """
    path = path_of(output)
    if not path.exists():
        return None
    try:
        manifest: dict[str, Any] = orjson.loads(path.read_bytes())
    except OSError as error:
        raise DataError(f"can't read {path}: {error.strerror}") from error
    except orjson.JSONDecodeError as error:
        raise DataError(f"{path} is not JSON: {error}") from error
    return manifest
