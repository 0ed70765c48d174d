"""Change bytes, rows, cells, tables and manifests at random, each whole in its own format."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import re
from collections.abc import Callable
from typing import Any


def changed_bytes(data: bytes, random: random.Random) -> bytes:
    """Return bytes with one of them, or a piece, changed, lost or doubled."""
    at = random.randrange(len(data))
    end = min(len(data), at + random.choice([1, 1, 1, 8, 64]))
    how = random.randrange(4)
    if how == 0:
        return data[:at] + bytes([data[at] ^ (1 << random.randrange(8))]) + data[at + 1 :]
    if how == 1:
        return data[:at] + data[end:]
    if how == 2:
        return data[:end] + data[at:]
    return data[:at] + bytes([random.randrange(32, 127)]) + data[at + 1 :]


def reordered(rows: list[Any], random: random.Random) -> list[Any]:
    """Return rows with one of them lost, doubled or moved."""
    rows = [*rows]
    at, other = random.randrange(len(rows)), random.randrange(len(rows))
    row = rows.pop(at)
    how = random.randrange(3)
    return rows if how == 0 else [*rows[:other], *[row] * how, *rows[other:]]


def changed_lines(data: bytes, random: random.Random) -> bytes:
    """Return JSON lines in another order, or with a value in one of them changed."""
    lines = data.splitlines(keepends=True)
    if random.random() < 0.4:
        return b"".join(reordered(lines, random))
    at = random.randrange(len(lines))
    if random.random() < 0.3:
        lines[at] = respelled(lines[at], random)
        return b"".join(lines)
    row = json.loads(lines[at])
    change_value(row, random)
    lines[at] = json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    return b"".join(lines)


def respelled(line: bytes, random: random.Random) -> bytes:
    """Return an object whose values many readers take for the same, and others don't."""
    row = json.loads(line)
    keys = list(row)
    key = random.choice(keys)
    how = random.randrange(4)
    if how == 0:  # readers differ in which of the two they take
        return b"{" + json.dumps({key: "forged"})[1:-1].encode() + b"," + line[1:]
    if how == 1:
        random.shuffle(keys)
        return json.dumps({key: row[key] for key in keys}, separators=(",", ":")).encode() + b"\n"
    if how == 2:
        return re.sub(rb"(?<=[:,])(-?\d+)(?=[,}])", rb"\1.0", line, count=1)
    return re.sub(rb"(?<=[:,])(-?\d+\.\d+)(?=[,}])", rb"\g<1>0", line, count=1)


def changed_json(data: bytes, random: random.Random) -> bytes:
    """Return an array of rows in another order, or with a value in one of them changed."""
    rows = json.loads(data)
    rows = reordered(rows, random) if random.random() < 0.5 else rows
    change_value(rows, random)
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode()


def changed_tokens(data: bytes, random: random.Random) -> bytes:
    """Return lines of tokens in another order, or with a letter in one of them changed."""
    lines = data.splitlines(keepends=True)
    if random.random() < 0.6:
        return b"".join(reordered(lines, random))
    return changed_bytes(data, random)


def changed_packed(data: bytes, random: random.Random) -> bytes:
    """Return packed lines, changed as those of JSON are."""
    return gzip.compress(changed_lines(gzip.decompress(data), random))


def changed_cells(data: bytes, random: random.Random) -> bytes:
    """Return CSV or TSV with its rows in another order, or a cell changed."""
    delimiter = "\t" if b"\t" in data.partition(b"\n")[0] else ","
    header, *rows = csv.reader(io.StringIO(data.decode(), newline=""), delimiter=delimiter)
    if random.random() < 0.6:
        rows = reordered(rows, random)
    else:
        change_value(random.choice(rows), random)
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter).writerows([header, *rows])
    return file.getvalue().encode()


def table_of(data: bytes) -> Any:
    """Return the table of Parquet or Arrow."""
    import pyarrow
    from pyarrow import parquet

    if data.startswith(b"PAR1"):
        return parquet.read_table(io.BytesIO(data))
    return pyarrow.ipc.open_file(data).read_all()


def changed_table(data: bytes, random: random.Random) -> bytes:
    """Return Parquet or Arrow with its rows in another order, or a value or a type changed."""
    import pyarrow
    from pyarrow import parquet

    table, how = table_of(data), random.randrange(5)
    at = random.randrange(table.num_columns)
    name, values = table.schema.names[at], table.column(at).to_pylist()
    if how < 2:
        table = table.take(reordered([*range(table.num_rows)], random))
    elif how == 2:
        change_value(values, random)
        values = (values + values[:1])[: table.num_rows]
        values += [None] * (table.num_rows - len(values))
        try:
            column = pyarrow.array(values, table.schema.field(at).type)
        except (pyarrow.ArrowException, TypeError):
            column = pyarrow.array(map(str, values))
        table = table.set_column(at, name, column)
    elif how == 3:
        table = table.drop_columns([name]).append_column(name, table.column(at))
    else:
        table = table.replace_schema_metadata({"huggingface": "forged"})
    file = io.BytesIO()
    if data.startswith(b"PAR1"):
        parquet.write_table(table, file)
    else:
        with pyarrow.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)
    return file.getvalue()


def change_value(here: dict | list, random: random.Random) -> None:
    """Change one value somewhere in a JSON object or list."""
    keys = list(here) if isinstance(here, dict) else list(range(len(here)))
    if not keys:
        here.update(x=1) if isinstance(here, dict) else here.append(1)
        return
    key = random.choice(keys)
    value = here[key]
    if isinstance(value, (dict, list)) and random.random() < 0.8:
        change_value(value, random)
    elif isinstance(value, str) and value and random.random() < 0.7:
        at = random.randrange(len(value))
        here[key] = value[:at] + random.choice(["", "0", "x", value[at] * 2]) + value[at + 1 :]
    elif isinstance(value, (int, float)) and random.random() < 0.7:
        here[key] = random.choice([value + 1, -value, value * 10, not value, float(value)])
    elif random.random() < 0.5:
        del here[key]
    else:
        here[key] = random.choice([None, "", 0, [], {}, True, value, "x"])


def changed_manifest(data: bytes, random: random.Random) -> bytes:
    """Return a manifest with one value changed."""
    said = json.loads(data)
    change_value(said, random)
    return json.dumps(said, indent=2).encode() + b"\n"


# How a file is changed whose format stays whole, by its format.
CHANGES: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "jsonl": changed_lines,
    "json": changed_json,
    "csv": changed_cells,
    "tsv": changed_cells,
    "conll": changed_tokens,
    "parquet": changed_table,
    "arrow": changed_table,
}
