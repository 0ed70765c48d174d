"""Change an output, its manifest or its input at random, and see that `perturb verify` finds it.

    python fuzz/mutations.py --cases 10000

Every second change is forged: the counts and the hashes in the manifest are made anew, so that all
three agree with each other again. Prints the counts by what was changed, as JSON, and fails if one
change is not found. A change is uncaught if verify, which is given the input, passes although one
of these is different: what the output holds (line ends, compression and the form of a table apart),
the JSON value of the manifest, or the bytes of the input. Of a forged manifest the rest of what
`TOLD` names is not proved, and a forged input counts if it gives another output.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import store

from perturb.errors import PerturbError
from perturb.io.formats import format_of
from perturb.io.inputs import open_input
from perturb.plan.job import job_of
from perturb.rows.stored import linkage_in
from perturb.stream.manifest import CHECKSUM, checksum
from perturb.stream.perturb_file import perturb_file
from perturb.stream.perturb_folder import perturb_folder
from perturb.stream.verify_file import verify_file, verify_folder

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
TAGGED = b"""-DOCSTART- -X- O

Ada NNP B-PER
lived VBD O
in IN O
London NNP B-LOC

Nobody NN O
wrote VBD O
"Emma" NNP B-MISC
"""


class Form(NamedTuple):
    """Files of one form.

    Attributes:
        steps: what is done.
        options: how.
        given: the place of the input that is changed.
        made: the place of the output that is changed.
        source: what is read: this input, or the folder that it lies in.
        target: what is written: this output, or the folder that it lies in.
    """

    steps: Any
    options: dict[str, Any]
    given: str = "in.jsonl"
    made: str = "out.jsonl"
    source: str = ""
    target: str = ""

    def files(self, folder: Path) -> dict[str, Path]:
        """Return the paths of the files that are changed, by what they are."""
        name = f"{self.target}/_manifest.json" if self.target else f"{self.made}.manifest.json"
        names = {"output": self.made, "manifest": name, "input": self.given}
        return {part: folder / name for part, name in names.items()}

    def perturb(self, folder: Path) -> None:
        """Make the output."""
        job = job_of(self.steps, **{"field": "question", **self.options})
        into = perturb_folder if self.target else perturb_file
        source = str(folder / (self.source or self.given))
        into(source, str(folder / (self.target or self.made)), job)

    def verify(self, folder: Path) -> None:
        """Verify the output."""
        check = verify_folder if self.target else verify_file
        source = str(folder / (self.source or self.given))
        check(str(folder / (self.target or self.made)), source=source)


FORMS = {
    "plain": Form(["typo_mix:p=0.2"], {}),
    "lean": Form(["char_swap:p=0.2"], {"lean": True}),
    "fields": Form(["name_swap:p=1", "ocr:p=0.1"], {"field": ["question", "tags[0]"]}),
    "answers": Form(["char_delete:p=0.1"], {"target": "answer", "with_original": True}),
    "grid": Form("grid(a=ocr:p=0.2 | b=case:p=0.5)", {"expect": {"a": "other"}}),
    "replicates": Form(["keyboard_typos:p=0.1"], {"replicates": 3, "with_original": True}),
    "chosen": Form(["one_of(typo_mix:p=0.1 | case:p=0.5)"], {"seed": -5, "protect": ["number"]}),
    "steps": Form(["char_delete:p=0.1", "whitespace:p=0.2"], {"seed": 1 << 40}),
    "csv": Form(["ocr:p=0.2"], {"with_original": True}, made="out.csv"),
    "csv to csv": Form(["ocr:p=0.2"], {}, given="in.csv", made="out.csv"),
    "tsv": Form(["keyboard_typos:p=0.2"], {"replicates": 2}, made="out.tsv"),
    "packed": Form(["keyboard_typos:p=0.2"], {}, made="out.jsonl.gz"),
    "json": Form(["keyboard_typos:p=0.2"], {"replicates": 2}, made="out.json"),
    "conll": Form(["case:p=0.2"], {"field": "tokens", "spans": "tags"}, given="in.conll"),
    "partitions": Form(
        ["ocr:p=0.2"], {"target": "part"}, "in/part=a/x.jsonl", "one.jsonl", source="in"
    ),
    "folder": Form(["char_swap:p=0.2"], {}, "in/part=a/x.jsonl", "out/part=a/x.jsonl", "in", "out"),
    "one of a folder": Form(
        ["char_swap:p=0.2"], {}, "in/part=a/x.jsonl", "beside/x.jsonl", "in/part=a", "beside"
    ),
}
if find_spec("pyarrow"):  # an extra
    FORMS |= {
        "parquet": Form(
            ["char_insert:p=0.2"], {"field": ["question", "tags[0]"]}, made="out.parquet"
        ),
        "parquet to parquet": Form(["ocr:p=0.2"], {}, given="in.parquet", made="out.parquet"),
        "arrow": Form(["ocr:p=0.2"], {"with_original": True}, made="out.arrow"),
    }
# What a manifest tells and nobody can prove: who signs it anew may say what he likes.
TOLD = ("versions", "plugins", "ids_in_two_shards", CHECKSUM)


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


def forged(form: Form, folder: Path) -> None:
    """Make counts and hashes in the manifest anew from the files, as who changed these would.

    Raises:
        ValueError: the manifest is none, or the output can't be read, so there is nothing to sign.
    """
    files = form.files(folder)
    said = json.loads(files["manifest"].read_bytes())
    try:
        place = str(Path(form.made).relative_to(form.target)) if form.target else ""
        about = said["shards"][place] if form.target else said
        for part in ("output", "input"):
            data = files[part].read_bytes()
            known = about[part]["sha256"]
            if part == "output" or isinstance(known, str):
                about[part]["sha256"] = hashlib.sha256(data).hexdigest()
                about[part]["bytes"] = len(data)
        statuses: dict[str, Counter[str]] = {}
        rows = [row for _, row in open_input(str(files["output"])).rows()]
        for row in map(linkage_in, rows):
            if row["status"] != "original":
                statuses.setdefault(row["condition"], Counter())[row["status"]] += 1
        if form.target:
            said["counts"]["rows_written"] += len(rows) - about["counts"]["rows_written"]
        about["counts"]["rows_written"] = len(rows)
        for label, counter in statuses.items():
            about["counts"]["conditions"][label]["statuses"] = dict(sorted(counter.items()))
    except (PerturbError, KeyError, TypeError, AttributeError) as error:
        raise ValueError("nothing to sign") from error
    said[CHECKSUM] = checksum(said)
    files["manifest"].write_text(json.dumps(said, indent=2) + "\n")


def proved(said: Any, known: Any) -> str:
    """Return what is proved of a manifest, as JSON.

    Args:
        said: its content.
        known: the content of the right one. Tables that are in it may be left out.
    """
    if not isinstance(said, dict):
        return json.dumps(said)
    kept = {key: value for key, value in said.items() if key not in TOLD and key in known}
    if isinstance(kept.get("input"), dict):
        kept["input"] = {key: value for key, value in kept["input"].items() if key != "path"}
    for about in said["shards"].values() if isinstance(said.get("shards"), dict) else ():
        if isinstance(about, dict) and isinstance(about.get("input"), dict):
            about["input"].pop("path", None)
    tables = kept.get("tables", {})
    if isinstance(tables, dict) and tables.items() <= known["tables"].items():
        kept["tables"] = known["tables"]
    return json.dumps(kept, sort_keys=True)


def holds(name: str, data: bytes) -> Any:
    """Return what a file holds that counts; its bytes where it can't be read."""
    form = format_of(name)
    try:
        if form.typed:
            table = table_of(data)
            return table.schema.serialize().to_pybytes(), repr(table.to_pylist())
        data = gzip.decompress(data) if name.endswith(".gz") else data
    except Exception:
        return data
    return data.replace(b"\r\n", b"\n")


def has_effect(
    form: Form, part: str, before: dict[str, bytes], folder: Path, is_forged: bool
) -> bool:
    """Return whether a change changed anything that counts; the files are the changed ones."""
    path = form.files(folder)[part]
    after = path.read_bytes()
    if part == "output":
        return bool(holds(path.name, before[part]) != holds(path.name, after))
    if part == "input":
        if not is_forged or before[part] == after:
            return before[part] != after
        again = form._replace(
            made=f"again/{form.made}", target=form.target and f"again/{form.target}"
        )
        shutil.rmtree(folder / "again", ignore_errors=True)
        (folder / "again").mkdir()
        try:
            again.perturb(folder)
        except PerturbError:
            return True
        made = folder / again.made
        return bool(holds(made.name, made.read_bytes()) != holds(made.name, before["output"]))
    try:
        said, known = json.loads(after), json.loads(before[part])
    except (ValueError, RecursionError):
        return True
    if is_forged:
        return proved(said, known) != proved(known, known)
    return json.dumps(said, sort_keys=True) != json.dumps(known, sort_keys=True)


def write_inputs(folder: Path) -> None:
    """Write the rows in all homes that forms read."""
    lines = "".join(json.dumps(row) + "\n" for row in ROWS)
    (folder / "in.jsonl").write_text(lines)
    for part in ("a", "b"):
        (folder / "in" / f"part={part}").mkdir(parents=True)
        rows = [{**row, "id": f"{part}{row['id']}"} for row in ROWS]
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / "in" / f"part={part}" / "x.jsonl").write_text(text)
    (folder / "in.conll").write_bytes(TAGGED)
    with (folder / "in.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([["id", "question", "answer"], *([*row.values()][:3] for row in ROWS)])
    if find_spec("pyarrow"):
        import pyarrow
        from pyarrow import parquet

        rows = [{key: row[key] for key in ("id", "question", "answer", "rate")} for row in ROWS]
        parquet.write_table(pyarrow.Table.from_pylist(rows), folder / "in.parquet")


def run(
    cases: int, seed: int, folder: Path, seconds: float = float("inf")
) -> tuple[Counter[str], list[str]]:
    """Make changes; return how many of each sort were found, and the descriptions of the others."""
    write_inputs(folder)
    originals = {}
    for name, form in FORMS.items():
        form.perturb(folder)
        form.verify(folder)
        files = form.files(folder)
        originals[name] = {part: path.read_bytes() for part, path in files.items()}
    counts: Counter[str] = Counter()
    missed = []
    end = time.monotonic() + seconds
    for case in range(cases):
        if time.monotonic() > end:
            break
        dice = random.Random(f"{seed}/{case}")
        name, part = dice.choice(list(FORMS)), dice.choice(["output", "manifest", "input"])
        form, is_forged = FORMS[name], dice.random() < 0.5
        files, before = form.files(folder), originals[name]
        if part == "manifest":
            whole = changed_manifest
        elif files[part].suffix == ".gz":
            whole = changed_packed
        else:
            whole = CHANGES[format_of(files[part].name).name]
        ways = [changed_bytes, whole, whole] if is_forged else [changed_bytes, whole]
        if files[part].suffix == ".arrow":  # damage that a process may not survive
            ways = [whole]
        change = dice.choice(ways)
        after = change(before[part], dice)
        for other, path in files.items():
            path.write_bytes(after if other == part else before[other])
        what = f"{part}{', forged' * is_forged}"
        try:
            if is_forged:
                forged(form, folder)
            if not has_effect(form, part, before, folder, is_forged):
                counts["without effect"] += 1
                continue
            form.verify(folder)
        except (PerturbError, ValueError):
            counts[what] += 1
        except Exception as error:
            missed.append(f"{seed}/{case}: {name}, {what}: {type(error).__name__}: {error}")
        else:
            missed.append(f"{seed}/{case}: {name}, {what}: passes")
        finally:
            for other, path in files.items():
                path.write_bytes(before[other])
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
