"""`perturb verify`: make the rows of a file again, and compare."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from perturb.boundary import display
from perturb.cli.apply import OUTPUT_OF_APPLY, tell_of_ids
from perturb.errors import DataError

if TYPE_CHECKING:
    from perturb.stream.verify_file import Checked


MANUAL = f"""
-i, --input* FILE  the input, to make the whole file again; may be repeated
{OUTPUT_OF_APPLY}
--trust* NAME []  a file (its path), function (module:function) or lexicon that the records
    may use; perturb opens and runs no others; may be repeated
"""


def run(
    *, file: str, input: list[str] | None, format: str | None, trust: list[str], **_: Any
) -> int:
    """Check the file, and report the checks."""
    from perturb.io.files import title_of
    from perturb.io.inputs import expanded, is_folder
    from perturb.stream.verify_file import verify_file, verify_folder

    if is_folder(file):
        folder = verify_folder(file, source=input, trust=trust)
        shards = f"{file}, {folder.shards:,} {'shard' if folder.shards == 1 else 'shards'}"
        _print(shards, folder)
        tell_of_ids(folder.shared_ids)
        return 0
    for path in expanded(file):
        done = verify_file(path, source=input, format=format, trust=trust)
        name = title_of(path)
        if not done.rows and not done.manifest:
            raise DataError(f"{name} has no rows and no manifest, so there is nothing to verify")
        _print(name, done)
    return 0


def _print(name: str, done: Checked) -> None:
    """Print the checks of a file."""
    again = done.rows - done.consistent
    rows = f"{again if done.rows else 'no'} {'row' if again == 1 else 'rows'} reproduced"
    if done.consistent:
        rows += f"; {done.consistent} only restored, since a step can't run again here"
        rows += " (--plugin FILE loads the file that defines it)"
    display(f"{name}: {rows}" + (", and the file matches its manifest" * done.manifest))
    if done.not_compared:
        display(f"{name}: {done.not_compared}")
