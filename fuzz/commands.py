"""The command line with random options and formats, against what Python gives."""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import json
import random
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import perturb
from perturb.cli import main

SUFFIXES = [".jsonl", ".jsonl", ".jsonl.gz", ".csv", ".tsv"]


class Group(NamedTuple):
    """Some texts, one way to perturb them, and the records of that."""

    texts: list[str]
    steps: list[str]
    p: float
    options: dict[str, Any]
    made: list[perturb.Record]


def check_command(group: Group, dice: random.Random, claims: Counter[str]) -> None:
    """Check the rows of a command against Python, and that `perturb verify` accepts them."""
    texts = [text for text in group.texts if "\0" not in text and text.isprintable()]
    if not texts:
        return
    suffix, field = dice.choice(SUFFIXES), dice.choice(["text", "question", "a b"])
    rows = [{"id": f"r{n}", field: text, "other": f"{n}"} for n, text in enumerate(texts)]
    replicates, original = dice.choice([1, 1, 2, 3]), dice.random() < 0.2
    seed, protect = group.options["seed"], group.options["protect"]
    rules = [protect] if isinstance(protect, str) else protect or []
    options = ["--field", field, "--replicates", str(replicates), f"--seed={seed}"]
    options += [word for rule in rules for word in ("--protect", rule)]
    options += ["--with-original"] * original
    options += ["--lean"] * (dice.random() < 0.2)
    options += ["--bad-lines", "skip"] * (dice.random() < 0.2)
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / f"in{suffix}", Path(folder) / f"out{suffix}"
        write(source, rows)
        run("apply", *group.steps, "-p", repr(group.p), "-i", source, "-o", target, *options)
        made = [(row["id"], row[field], row["other"]) for row in read(target)]
        run("verify", target, "--input", source)
    given: dict[str, Any] = {"p": group.p, "seed": seed, "protect": protect, "field": field}
    wanted = [
        (row["id"], row[field], row["other"])
        for row in perturb.augment(
            rows, group.steps, replicates=replicates, with_original=original, **given
        )
    ]
    assert made == wanted, f"the command line gives what Python gives: {options} {suffix}"
    claims["rows of the command line"] += len(made)


def run(*words: object) -> None:
    """Run a command in this process; it must succeed."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        status = main([*map(str, words)])
    assert status == 0, f"{words} ends with {status}: {said.getvalue()}"


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    """Write rows in the format that the name of the file tells."""
    with opened(path, "wt") as file:
        if ".jsonl" in path.suffixes:
            file.writelines(json.dumps(row) + "\n" for row in rows)
            return
        delimiter = "," if path.suffix == ".csv" else "\t"
        writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)


def read(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file in the format that its name tells."""
    with opened(path, "rt") as file:
        if ".jsonl" in path.suffixes:
            return [json.loads(line) for line in file]
        return list(csv.DictReader(file, delimiter="," if path.suffix == ".csv" else "\t"))


def opened(path: Path, mode: Any) -> Any:
    """Open a text file, compressed or not."""
    if path.suffix == ".gz":
        return gzip.open(path, mode, encoding="utf-8", newline="")
    return path.open(mode, encoding="utf-8", newline="")
