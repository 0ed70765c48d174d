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
import json
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import store
from changes import CHANGES, changed_bytes, changed_manifest, changed_packed, table_of

from perturb.errors import PerturbError
from perturb.io.formats import suffix_format
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


def forged(form: Form, folder: Path) -> bool:
    """Make counts and hashes in the manifest anew from the files, as who changed these would.

    Returns:
        Whether there was something to sign: the manifest is one, and the output can be read.
    """
    files = form.files(folder)
    try:
        said = json.loads(files["manifest"].read_bytes())
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
    except (PerturbError, ValueError, KeyError, TypeError, AttributeError):
        return False
    said[CHECKSUM] = checksum(said)
    files["manifest"].write_text(json.dumps(said, indent=2) + "\n")
    return True


def proved(said: Any, known: dict[str, Any]) -> str:
    """Return what is proved of a manifest, as JSON; nobody reads keys that the right one lacks.

    Args:
        said: its content, whose parts may be of any type.
        known: the content of the right one. Tables that are in it may be left out.
    """
    if not isinstance(said, dict):
        return json.dumps(said)
    kept = {key: value for key, value in said.items() if key in known and key not in TOLD}
    for part in ("input", "output"):
        if part in known and isinstance(kept.get(part), dict):
            pairs = kept[part].items()
            kept[part] = {key: value for key, value in pairs if key in known[part]} | {"path": ""}
    if isinstance(kept.get("shards"), dict):
        kept["shards"] = {
            place: proved(about, known["shards"].get(place, {}))
            for place, about in kept["shards"].items()
        }
    tables = kept.get("tables", {})
    if isinstance(tables, dict) and tables.items() <= known.get("tables", {}).items():
        kept["tables"] = known.get("tables")
    return json.dumps(kept, sort_keys=True)


def holds(name: str, data: bytes) -> Any:
    """Return what a file holds that counts; its bytes where it can't be read."""
    form = suffix_format(name)
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
            whole = CHANGES[suffix_format(files[part].name).name]
        ways = [changed_bytes, whole, whole] if is_forged else [changed_bytes, whole]
        if files[part].suffix == ".arrow":  # damage that a process may not survive
            ways = [whole]
        change = dice.choice(ways)
        after = change(before[part], dice)
        for other, path in files.items():
            path.write_bytes(after if other == part else before[other])
        what = f"{part}{', forged' * is_forged}"
        try:
            if is_forged and not forged(form, folder):
                counts["nothing to sign"] += 1
                continue
            if not has_effect(form, part, before, folder, is_forged):
                counts["without effect"] += 1
                continue
            form.verify(folder)
        except PerturbError:
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
    return store.ended(args, "mutations", counts.total(), counts, missed)


if __name__ == "__main__":
    sys.exit(main())
