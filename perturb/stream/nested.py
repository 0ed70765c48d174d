"""Files of JSON that come back in their own form: only values that changed are written again."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Generator, Iterator, Sequence
from functools import partial
from itertools import count
from typing import Any

from perturb.errors import UsageError
from perturb.io import json_files, json_path
from perturb.io.addresses import public
from perturb.io.formats import Format, suffix_format
from perturb.io.inner_rows import AROUND
from perturb.io.json_files import parse, place_after
from perturb.io.jsonl import BOM, loads, parsed, text_of_json
from perturb.io.outputs import Output, replaceable
from perturb.plan.job import Job
from perturb.plan.options import LINKAGE
from perturb.records.ids import given_id, with_id
from perturb.rows.seen_ids import id_column
from perturb.stream.pieces import PerturbedColumns

_WRITERS = (text_of_json, partial(json.dumps, ensure_ascii=False), json.dumps)


def check_nested(
    job: Job, sources: Sequence[str], target: str, read: Format, left_out: tuple[int | None, str]
) -> None:
    """Refuse a file, or versions of its rows, that can't be in the places of the originals.

    Args:
        job: the instructions for each row.
        sources: the paths of the inputs.
        target: the path of the output.
        read: the format of the inputs.
        left_out: the limit of rows, and the treatment of bad lines.

    Raises:
        UsageError: the message says what to do.
    """
    spans = (source.path for source in job.spans)
    paths = (*job.field, *job.choice_paths, *job.target, *spans)
    of_records = [name for name in ("expect", "lean") if name in job.options]
    shared = [path for path in paths if json_path.parse(path)[0] == AROUND]
    if job.rows is None:
        fault = "changes rows inside the values of a file: give --rows PATH too"
    elif read.name not in ("json", "jsonl") or suffix_format(target) not in (None, read):
        files = f"{public(sources[0])} and {public(target)}"
        fault = f"keeps the form of JSON: name the output as the input; got {files}"
    elif len(sources) > 1 or not replaceable(sources[0]):
        fault = "needs one file, with -i FILE, or an output folder for several: -o FOLDER/"
    elif job.rows_each != 1 or job.missing == "skip" or left_out != (None, "stop"):
        fault = (
            "has one version of each row in the place of its original: give one condition, and "
            "leave out --with-original, --replicates, --limit, --bad-lines and --missing skip"
        )
    elif of_records:
        fault = f"writes no records, so --{of_records[0]} does nothing: leave it out"
    elif shared:
        fault = (
            f"can't change {shared[0]!r}, which rows share, so that each changes it in its own "
            "way: let --rows lead to the objects that have this field, and name it without ^"
        )
    else:
        return
    raise UsageError(f"--nested {fault}")


class Source(json_files.Reader):
    """A file of JSON or JSON Lines, as the text that it is."""

    _done = 0

    def parts(self) -> Iterator[tuple[str, tuple[str, str, str]]]:
        """Yield each value with the text before it, and at last the text behind all of them."""
        self._between: list[str] = []
        for value in self._values():
            yield self._text_to(self._at - len(value[1])), value
            self._done = self._at
        yield self._text_to(len(self._text)), ("", "", "")

    def begins_with_mark(self) -> bool:
        """Return true if a byte order mark comes first, which is none of the text."""
        self._ahead = self._read()
        return self._ahead.startswith(BOM)

    def _text_to(self, end: int) -> str:
        text = "".join([*self._between, self._text[self._done : end]])
        self._between.clear()
        return text

    def _longer(self) -> bool:
        self._between.append(self._text[self._done : self._at])
        self._done = 0
        return super()._longer()


class Writer:
    """A writer of rows into the file that they are from, in the order of their places.

    Args:
        out: the stream to write to.
        target: the path of the output.
        columns: the columns of the rows, with their file and their job.
    """

    def __init__(self, out: Output, target: str, columns: PerturbedColumns) -> None:  # noqa: ARG002
        self._writing = _written(out, columns)
        next(self._writing)

    def write(self, data: bytes | memoryview) -> None:
        """Write the rows in lines of JSON."""
        for line in parsed(1, bytes(data), as_written=True):
            self._writing.send(line.value)

    def finish(self) -> None:
        """Write the rest, behind the last row."""
        with contextlib.suppress(StopIteration):
            self._writing.send({})


def _written(out: Output, columns: PerturbedColumns) -> Generator[None, dict[str, Any], None]:
    """Write a file; take a row for each place, and read no further before the next is there.

    So a fault of the file stops the run where its rows are read, with a message of that place.
    """
    (path,), job = columns.source.paths, columns.job
    made = yield
    source = Source(path, hashed=False, encoding=columns.source.encoding)
    source.inner = job.inner_rows
    within = (*job.inner_rows.outermost, 0) if job.inner_rows else ()
    with contextlib.closing(source):
        if source.begins_with_mark():
            out.write(BOM)
        for between, (before, text, after) in source.parts():
            rows = list[tuple[json_path.Location, Any]]()
            value = loads(f"{before}{text}{after}".encode(), as_written=True) if text else {}
            for location, row in json_path.locate(value, str(job.rows)) if text else ():
                new = (  # a text was the field of a row
                    {key: each if key == LINKAGE else made[key] for key, each in row.items()}
                    if isinstance(row, dict)
                    else made["text"]
                )
                if isinstance(row, dict) and id_column(row, job.id_field) is not None:
                    new = with_id(new, job.id_field, given_id(row, job.id_field))
                rows.append((location, new))
                made = yield
            json_path.put_into(new := dict(value), rows)
            for key in within if before else ():
                value, new = value[key], new[key]
            out.write(f"{between}{changed(text, value, new) if text else ''}".encode())


def changed(text: str, value: Any, new: Any) -> str:
    """Return the text of a value of JSON with the parts written again that are others now.

    Args:
        text: the text.
        value: the value that it holds.
        new: the value that it must hold.

    Examples:
        >>> changed('{"a": [1,  "b"]}', {"a": [1, "b"]}, {"a": [1, "d"]})
        '{"a": [1,  "d"]}'
    """
    for write in _WRITERS:  # most files are what one of these gives, which is all to see then
        if write(value) == text:
            return write(new)
    done, parts = 0, list[str]()
    for start, end, part in sorted(_changes(text, place_after(text, 0), value, new)):
        parts += (text[done:start], part)
        done = end
    return "".join([*parts, text[done:]])


def _changes(text: str, at: int, value: Any, new: Any) -> Iterator[tuple[int, int, str]]:
    """Yield the places of the smallest values that differ, each with its new text."""
    if value is new or value == new:
        return
    if isinstance(value, dict):
        is_alike = isinstance(new, dict) and value.keys() == new.keys()
    else:
        is_alike = isinstance(value, list) and isinstance(new, list) and len(value) == len(new)
    if is_alike:
        for key, start in _members(text, at).items():
            yield from _changes(text, start, value[key], new[key])
        return
    end = parse(text, at)[1]
    is_escaped = isinstance(new, str) and "\\u" in text[at:end]
    yield at, end, json.dumps(new) if is_escaped else text_of_json(new)


def _members(text: str, at: int) -> dict[Any, int]:
    """Return where the values of an object or a list begin; of two keys alike the last counts."""
    keys, members, is_object = count(), dict[Any, int](), text[at] == "{"
    at = place_after(text, at + 1)
    while text[at] not in "]}":
        key: Any = next(keys)
        if is_object:
            key, at = parse(text, at)
            at = place_after(text, place_after(text, at) + 1)
        members[key] = at
        at = place_after(text, parse(text, at)[1])
    return members
