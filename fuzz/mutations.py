"""Change an output, its manifest or its input at random, and see that `perturb verify` finds it.

    python fuzz/mutations.py --cases 10000

Prints the counts by what was changed, as JSON, and fails if one change is not found. A change is
uncaught if the bytes of the output or the input, or the JSON value of the manifest, are different
and verify, which is given the input, passes all the same.
"""

from __future__ import annotations

import csv
import io
import json
import random
import sys
import tempfile
import time
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import store

from perturb.errors import PerturbError
from perturb.plan.job import job_of
from perturb.stream.perturb_file import perturb_file
from perturb.stream.verify_file import verify_file

ROWS = [
    {
        "id": n,
        "question": text,
        "answer": n * 7,
        "tags": ["a", "b"],
        "deep": {"b": None},
        "rate": 0.5,
    }
    for n, text in enumerate(
        [
            "How many eggs does Ann sell if she has 12 and eats 3 of them?",
            "Der Zug fährt um 9 Uhr ab. Wann kommt er in Köln an?",
            "Сколько стоят пять яблок по три рубля?",
            "Which of them is blue? A. sky B. sea C. coal",
            "",
            "One line\nand another, with a naïve café 🙂.",
        ]
    )
]
FORMS = {
    "plain": (["typo_mix:p=0.2"], {}),
    "lean": (["char_swap:p=0.2"], {"lean": True}),
    "fields": (["name_swap:p=1", "ocr:p=0.1"], {"field": ["question", "tags[0]"]}),
    "answers": (["char_delete:p=0.1"], {"target": "answer", "with_original": True}),
    "grid": ("grid(a=ocr:p=0.2 | b=case:p=0.5)", {"expect": {"a": "other"}}),
    "replicates": (["keyboard_typos:p=0.1"], {"replicates": 3, "with_original": True}),
    "chosen": (["one_of(typo_mix:p=0.1 | case:p=0.5)"], {"seed": -5, "protect": ["number"]}),
    "steps": (["char_delete:p=0.1", "whitespace:p=0.2"], {"seed": 1 << 40}),
    "table.csv": (["ocr:p=0.2"], {"with_original": True}),
    "table.tsv": (["keyboard_typos:p=0.2"], {"replicates": 2}),
}
if find_spec("pyarrow"):  # an extra
    FORMS["table.parquet"] = (["char_insert:p=0.2"], {"field": ["question", "tags[0]"]})


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
    if random.random() < 0.6:
        return b"".join(reordered(lines, random))
    at = random.randrange(len(lines))
    row = json.loads(lines[at])
    change_value(row, random)
    lines[at] = json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    return b"".join(lines)


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


def changed_table(data: bytes, random: random.Random) -> bytes:
    """Return Parquet with its rows in another order, or a string changed."""
    import pyarrow
    from pyarrow import parquet

    table = parquet.read_table(io.BytesIO(data))
    if random.random() < 0.6:
        table = table.take(reordered([*range(table.num_rows)], random))
    else:
        columns = [at for at, kind in enumerate(table.schema.types) if kind == pyarrow.string()]
        at = random.choice(columns)
        texts = table.column(at).to_pylist()
        texts[random.randrange(len(texts))] += "x"
        table = table.set_column(at, table.schema.field(at), pyarrow.array(texts, pyarrow.string()))
    file = io.BytesIO()
    parquet.write_table(table, file)
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


def same(part: str, before: bytes, after: bytes) -> bool:
    """Return whether a change changed nothing: types count, spaces in a manifest don't."""
    if before == after:
        return True
    if part != "manifest":
        return False
    try:
        return json.dumps(json.loads(before), sort_keys=True) == json.dumps(
            json.loads(after), sort_keys=True
        )
    except (ValueError, RecursionError):
        return False


# How a file is changed whose format stays whole, by its suffix.
CHANGES = {
    ".json": changed_manifest,
    ".jsonl": changed_lines,
    ".csv": changed_cells,
    ".tsv": changed_cells,
    ".parquet": changed_table,
}


def files_of(form: str, folder: Path) -> dict[str, Path]:
    """Return the files of a form by what they are; its name may end with a suffix."""
    output = folder / f"out{Path(form).suffix or '.jsonl'}"
    manifest = folder / f"{output.name}.manifest.json"
    return {"output": output, "manifest": manifest, "input": folder / "in.jsonl"}


def run(
    cases: int, seed: int, folder: Path, seconds: float = float("inf")
) -> tuple[Counter[str], list[str]]:
    """Make changes; return how many of each sort were found, and the descriptions of the others."""
    source = folder / "in.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    originals = {}
    for form, (steps, options) in FORMS.items():
        files = files_of(form, folder)
        job = job_of(steps, **{"field": "question", **options})
        perturb_file(str(source), str(files["output"]), job)
        verify_file(str(files["output"]), source=str(source))
        originals[form] = {part: path.read_bytes() for part, path in files.items()}
    counts: Counter[str] = Counter()
    missed = []
    end = time.monotonic() + seconds
    for case in range(cases):
        if time.monotonic() > end:
            break
        dice = random.Random(f"{seed}/{case}")
        form, part = dice.choice(list(FORMS)), dice.choice(["output", "manifest", "input"])
        files = files_of(form, folder)
        ways = [changed_bytes, CHANGES[files[part].suffix]]
        before = originals[form][part]
        after = dice.choice(ways)(before, dice)
        if same(part, before, after):
            counts["without effect"] += 1
            continue
        for other, path in files.items():
            path.write_bytes(after if other == part else originals[form][other])
        try:
            verify_file(str(files["output"]), source=str(source))
        except PerturbError:
            counts[part] += 1
        except Exception as error:
            missed.append(f"{seed}/{case}: {form}, {part}: {type(error).__name__}: {error}")
        else:
            missed.append(f"{seed}/{case}: {form}, {part}: passes")
    return counts, missed


def main() -> int:
    """Print the counts; fail if a change was not found."""
    args = store.parser(str(__doc__), 10_000).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        counts, missed = run(args.cases, args.seed, Path(folder), args.seconds)
    print(
        json.dumps({"cases": sum(counts.values()), "found": dict(counts), "not found": len(missed)})
    )
    for one in missed:
        print(one, file=sys.stderr)
    if args.store and not missed:
        store.add(args.store, "mutations", args.seed, sum(counts.values()), counts)
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
