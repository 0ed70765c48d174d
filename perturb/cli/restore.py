"""`perturb restore`: the rows as they were before they were perturbed."""

from __future__ import annotations

import contextlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import compress, islice
from operator import eq, ne
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.cli.apply import OUTPUT_OF_APPLY
from perturb.cli.talk import say
from perturb.errors import PerturbError, VerificationError
from perturb.io.addresses import is_address
from perturb.io.outputs import make_parents, writing

if TYPE_CHECKING:
    from perturb.io.inputs import Inputs

# Keeps a row that can't be restored, or its line, or stops at it.
Leave = Callable[[PerturbError, Any], None]
# The number of a row, itself or its line, its original, what all versions of this must agree on,
# which is all but further fields behind the record, where answers are, and its record.
_Restored = tuple[int, Any, Any, bytes | str, Mapping[str, str]]
# Rows written at a time. One by one, JSON lines take a sixth more time and CSV a third; from 50 to
# 20,000 the time is the same, and this many take no memory.
_AT_ONCE = 1000
MANUAL = f"""
Write each original of FILE once, with its own id, texts, answers and labels, in whatever order the
rows are. The records alone give the original and prove it, so the input isn't needed. A line that
was doubled gives nothing more, but without an id it can't be told from an equal row, and gives its
original again; a note counts both. Rows that --rows found inside a file come back as rows; of a
file that --nested wrote, the input is the original.

-o, --output FILE [-]  a file, or a folder with a file for each (default: standard output)
--bad-lines stop|skip|FILE [stop]  what to do with a row that was changed since, or has no record:
    stop (default); skip it and count it; or write it to FILE. Another version of it may still give
    its original; the same is done with a row whose original differs from that of an earlier one
{OUTPUT_OF_APPLY}
"""


def run(*, file: str, output: str, bad_lines: str, format: str | None) -> int:
    """Write the originals."""
    from perturb.io.inputs import check_apart, expanded
    from perturb.stream.perturb_file import bad_lines_file
    from perturb.stream.perturb_folder import check_places, is_to_be_folder

    if not is_to_be_folder([file], output):
        check_apart([file], ("output", output), *bad_lines_file(bad_lines))
        with _leaving(bad_lines) as leave:
            _restore(file, output, format, leave)
        return 0
    shards, folder = expanded(file), output.rstrip("/")
    check_places([file], shards, folder, format, bad_lines)
    with _leaving(bad_lines) as leave:
        for shard in shards:
            path = f"{folder}/{shard.place}"
            if not is_address(path):
                make_parents(Path(path))
            _restore(str(shard), path, format, leave)
    return 0


@contextlib.contextmanager
def _leaving(bad_lines: str) -> Iterator[Leave]:
    """Yield a function to call with each line that can't be restored; tell of these in the end."""
    from perturb.io.jsonl import dumps
    from perturb.stream.perturb_file import bad_lines_file

    count, first = 0, ""
    kept = [writing(path) for _, path in bad_lines_file(bad_lines)]
    with kept[0] if kept else contextlib.nullcontext((None, None)) as (file, _):

        def leave(error: PerturbError, row: Any) -> None:
            if bad_lines == "stop":
                hint = " (--bad-lines skip|FILE goes on without such rows)"
                raise type(error)(f"{error}{hint}") from None
            nonlocal count, first
            count, first = count + 1, first or str(error)
            if file is not None:
                file.write(row.rstrip(b"\n") + b"\n" if isinstance(row, bytes) else dumps(row))

        yield leave
    if count:
        say(f"left out {count:,} bad {'line' if count == 1 else 'lines'}, the first {first}")


def _restore(file: str, output: str, given: str | None, leave: Leave) -> None:
    from perturb.io.formats import output_format
    from perturb.io.inputs import open_input
    from perturb.io.jsonl import dumped
    from perturb.stream.pieces import PlainColumns

    with contextlib.closing(open_input(file, given)) as source, writing(output) as (out, _):
        form = output_format(output, given, file, source.format)
        writer = form.writer(out, output, PlainColumns(source, form))
        for originals in _originals(source, leave):
            lines = map(dumped, originals) if source.format.typed else originals
            writer.write(originals if source.format.typed and form.typed else b"".join(lines))
        writer.finish()


def _originals(source: Inputs, leave: Leave) -> Iterator[list[Any]]:
    """Yield each original once, some at a time, wherever its versions stand.

    Those of a table with types are objects, since JSON lacks some types, and others lines of JSON.

    An id names one row in each of several files. Rows without one may be equal, and come back as
    often as the recipe that is there most often, which no two versions of a row share.
    """
    import numpy as np

    from perturb.io.inputs import STRIDE
    from perturb.records.ids import TEXT_PREFIX
    from perturb.rows.seen_ids import SeenIds

    # Hashes of Python differ between processes, and compare the rows of this one alone.
    rows, names, versions = _restored_rows(source, leave), SeenIds(), SeenIds()
    again, hashes, numbers, made_by = Counter[int](), array("q"), array("q"), array("q")
    while batch := list(islice(rows, _AT_ONCE)):
        places = range(len(hashes), len(hashes) + len(batch))
        row_numbers, given, lines, agreed, records = zip(*batch, strict=True)
        keys: list[Any] = [record["original_id"] for record in records]
        unnamed = [at for at, key in enumerate(keys) if key.startswith(TEXT_PREFIX)]
        if len(source.paths) > 1:
            keys = [(key, number // STRIDE) for key, number in zip(keys, row_numbers, strict=True)]
        made = [*map(hash, [(keys[at], records[at]["recipe"]) for at in unnamed])]
        at_first = [places[at] for at in unnamed]
        seen_at = versions.first_rows(made, at_first)
        for at in compress(range(len(made)), map(ne, at_first, seen_at)):
            again[made[at]] += 1
            keys[unnamed[at]] = keys[unnamed[at]], again[made[at]]
        hashes.extend(map(hash, agreed))
        numbers.extend(row_numbers)
        firsts = names.first_rows([*map(hash, keys)], places)
        made_by.extend(map(hash, zip(firsts, (one["recipe"] for one in records), strict=True)))
        theirs = map(hashes.__getitem__, firsts)
        for at in compress(range(len(batch)), map(ne, hashes[places.start :], theirs)):
            error = VerificationError(
                f"{source.at(row_numbers[at])}: its original {records[at]['original_id']!r} is not "
                f"the one that {source.at(numbers[firsts[at]])} gives: one of the two rows was "
                "changed since, or two inputs that share ids were joined"
            )
            leave(error, given[at])
        yield [*compress(lines, map(eq, places, firsts))]
    if twice := len(made_by) - len(np.unique(np.frombuffer(made_by, np.int64))):
        say(
            f"rows that repeat the original and the recipe of another: {twice:,}; it's written once"
        )
    if again:
        say(
            f"rows without an id that repeat another: {again.total():,}; each gives an equal "
            "original of its own, even if the line was doubled since"
        )


def _restored_rows(source: Inputs, leave: Leave) -> Iterator[_Restored]:
    """Yield each row with its original; leave those that have none."""
    from perturb.io.csv_files import cell_of
    from perturb.io.jsonl import at_line, dumped, dumps, loads
    from perturb.plan.recipe_text import read_options
    from perturb.rows.dict_rows import original_of
    from perturb.rows.read_records import LINES, rows_and_lines
    from perturb.rows.stored import stored
    from perturb.rows.stored_block import stored_lines

    def restored(given: Any, row: dict[str, Any], record: Mapping[str, str]) -> tuple[Any, Any]:
        """Return what to write of an original, and what its versions agree on."""
        later = _later(tuple(given), record["recipe"])
        agreed = {key: value for key, value in row.items() if key not in later}
        if source.format.typed:
            return row, repr(agreed)
        if source.format.name not in LINES:  # in a cell, values are text until they are restored
            agreed = {key: cell_of(value) for key, value in agreed.items()}
        return dumped(row), dumped(agreed)

    for numbered, lines in rows_and_lines(source):
        for (number, given), part in zip(numbered, stored_lines(lines), strict=True):
            if part is None:
                try:
                    with at_line(source.at(number)):
                        is_line = isinstance(given, bytes)
                        parts = stored(loads(given, as_written=True) if is_line else given)
                except PerturbError as error:
                    leave(error, given)
                else:
                    own = restored(parts.given, parts.row, parts.linkage)
                    yield number, given, *own, parts.linkage
            elif isinstance(given, bytes):
                original = agreed = part.original + b"\n"
                if b"\\u" in original or b"\\/" in original:  # other programs write more escapes
                    agreed = dumps(loads(original, as_written=True))
                yield number, given, original, agreed, part.record
            else:
                id_field = read_options(part.record["recipe"])["id_field"]
                own = restored(given, original_of(given, part.original, id_field), part.record)
                yield number, given, *own, part.record


@lru_cache(maxsize=64)
def _later(names: tuple[str, ...], recipe: str) -> frozenset[str]:
    """Return the fields behind a record that are none of the texts and answers of its recipe."""
    from perturb.io.json_path import root_of
    from perturb.plan.options import LINKAGE
    from perturb.plan.recipe_text import read_options

    options, fields = read_options(recipe), [name.partition(".")[0] for name in names]
    texts = {root_of(path, names) for path in (*options["field"], *options["target"])}
    return frozenset(fields[fields.index(LINKAGE) :]) - texts
