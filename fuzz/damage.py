"""Damage what commands read, in every format, and see that they say so and end.

    python fuzz/damage.py --cases 5000

Each case changes bytes of an input or an output at random, or a value of a manifest (which gets its
right checksum again), of a file of noise or of a configuration, or names an encoding, and runs a
command on it in a copy of this process. It has to end within a minute, by itself, with 0, 1 or 2,
and without a trace. Prints the counts by what was damaged and how it ended, as JSON. What is
damaged is made anew in each run and kept nowhere: it may crash other programs.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from encodings.aliases import aliases
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import store
from mutations import changed_bytes

from perturb.__main__ import start
from perturb.stream.manifest import dumped

SECONDS = 60
WORDS = "The caf\u00e9 on Main Street sells 12 eggs , and Ann eats 3 of them .".split()
ROWS = [
    {"id": f"q{n}", "text": " ".join(WORDS[n % 5 :] + WORDS[: n % 5]), "n": n, "tag": "ab"[n % 2]}
    for n in range(40)
]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
CELLS = [[str(value) for value in row.values()] for row in ROWS]
TABLE = "\n".join(["id,text,n,tag", *[f'{a},"{b}",{c},{d}' for a, b, c, d in CELLS]]).encode()
TEXTS = {
    "in.jsonl": LINES,
    "in.jsonl.gz": gzip.compress(LINES),
    "in.json": json.dumps(ROWS, indent=1).encode(),
    "in.csv": TABLE,
    "utf-16.csv": TABLE.decode().encode("utf-16"),
    "in.tsv": TABLE.replace(b",", b"\t"),
    "in.txt": "\n".join(row["text"] for row in ROWS).encode(),
    "in.conll": "\n\n".join(
        "\n".join(f"{w}\tO" for w in row["text"].split()) for row in ROWS
    ).encode(),
}
NOISE = {
    "format": "perturb noise 1",
    "rate": 0.1,
    "bursts": 0.5,
    "spread": 1.0,
    "edits": [["", "a", "", "e", 0.2], ["h", "e", "", "", 0.3], ["", "", " ", "s", 0.1]],
    "words": [["eggs", "egg", 0.5]],
}
CONFIG = {
    "steps": [{"name": "case", "p": 0.4}, {"name": "ocr", "p": 0.1, "params": {}}],
    "seed": 7,
    "field": ["text"],
    "protect": ["number", "word:Ann"],
    "replicates": 2,
}
# What a value may be by mistake.
ODD = [None, True, 0, -1, 1 << 80, 0.5, "", "x", "\0", [], [1], ["x"], [None], {}, {"x": 1}, [[]]]


def tables(folder: Path) -> list[str]:
    """Write the rows as tables of Arrow of many types; return the names of the files."""
    if not find_spec("pyarrow"):  # an extra
        return []
    import pyarrow as pa
    from pyarrow import feather, parquet

    table = pa.Table.from_pylist(ROWS)
    table = table.append_column("class", table["tag"].dictionary_encode())
    table = table.append_column(
        "deep", pa.array([{"a": [row["tag"]] * 3, "b": 1.5} for row in ROWS])
    )
    table = table.append_column("large", table["text"].cast(pa.large_string()))
    few, all_rows = pa.array([1.5, float("nan")]), pa.array([len(ROWS) // 2, len(ROWS)], pa.int32())
    odd = {
        "view": table["text"].cast(pa.string_view()),
        "list view": pa.array([[1, None]] * len(ROWS), pa.list_view(pa.int8())),
        "runs": pa.RunEndEncodedArray.from_arrays(all_rows, few),
    }
    feather.write_feather(table, str(folder / "in.feather"))
    parquet.write_table(table, folder / "in.parquet", row_group_size=16)
    for name, column in odd.items():
        table = table.append_column(name, column)
    for name, make in (("in.arrow", pa.ipc.new_file), ("stream.arrow", pa.ipc.new_stream)):
        with make(folder / name, table.schema) as out:
            out.write_table(table, max_chunksize=16)
    return ["in.arrow", "stream.arrow", "in.feather", "in.parquet"]


def odd_value(here: Any, dice: random.Random) -> None:
    """Put something odd in the place of a value somewhere in JSON, or take the value away."""
    keys = list(here) if isinstance(here, dict) else list(range(len(here)))
    key = dice.choice(keys)
    if isinstance(here[key], (dict, list)) and here[key] and dice.random() < 0.7:
        odd_value(here[key], dice)
    elif dice.random() < 0.2:
        del here[key]
    else:
        here[key] = dice.choice(ODD)


def torn(data: bytes, dice: random.Random) -> bytes:
    """Return bytes with some changed, lost or doubled, now and then many, or the end cut off."""
    if dice.random() < 0.1:
        return data[: dice.randrange(len(data))]
    for _ in range(dice.choice([1, 1, 1, 2, 8, 64])):
        data = changed_bytes(data, dice) or b"\0"
    return data


def odd_json(data: bytes, dice: random.Random) -> bytes:
    """Return JSON with an odd value, and the right checksum if it is a manifest; or torn."""
    if dice.random() < 0.1:
        return torn(data, dice)
    content = json.loads(data)
    checksum = content.pop("manifest_sha256", None)
    odd_value(content, dice)
    return dumped(content) if checksum else json.dumps(content).encode()


class Kind(NamedTuple):
    """A kind of damage.

    Attributes:
        file: the name of the file that is damaged.
        damaged: returns its bytes with some damage.
        calls: the commands that read it, one of which is run.
    """

    file: str
    damaged: Callable[[bytes, random.Random], bytes]
    calls: list[list[str]]


def prepared(folder: Path) -> dict[str, Kind]:
    """Write all files; return the kinds of damage by their names."""
    for name, data in TEXTS.items():
        (folder / name).write_bytes(data)
    (folder / "noise.json").write_text(json.dumps(NOISE))
    (folder / "job.yaml").write_text(json.dumps(CONFIG))
    (folder / "shards").mkdir()
    for number in range(2):
        (folder / "shards" / f"{number}.jsonl").write_bytes(LINES)
    kinds: dict[str, Kind] = {}
    for name in [*TEXTS, *tables(folder)]:
        kinds |= of_format(name, folder)
    whole = ["apply", "case", "-p", ".3", "-i", "shards/", "-o", "done/"]
    made(whole, folder)
    reading = ["verify done/", "verify done/ -i shards/", "verify done/0.jsonl", " ".join(whole)]
    kinds["folder"] = Kind("done/_manifest.json", odd_json, [*map(str.split, reading)])
    apply = ["apply", "-i", "in.jsonl", "-o", "out.jsonl"]
    kinds["noise"] = Kind("noise.json", odd_json, [[*apply, "fitted:file=noise.json"]])
    kinds["configuration"] = Kind("job.yaml", odd_json, [[*apply, "--config", "job.yaml"]])
    call = ["apply", "case", "-o", "out.jsonl", "-i"]
    encodings = sorted({*aliases, *aliases.values(), "idna", "punycode", "undefined", "no"})
    for name in ("in.jsonl", "in.txt", "utf-16.csv"):
        calls = [[*call, name, "--encoding", encoding] for encoding in encodings]
        kinds[f"encoding of {name}"] = Kind(name, torn, calls)
    return kinds


def of_format(name: str, folder: Path) -> dict[str, Kind]:
    """Return what can be damaged of a file of rows, and of the output made of it."""
    fields = "--field tokens --spans tags" if name == "in.conll" else "--field text"
    call = ["apply", "typo_mix", "-p", ".3", *fields.split(), "-i", name]
    end = "out" + name[name.index(".") :]
    kinds = {f"input {name}": Kind(name, torn, [[*call, "-o", end], [*call, "-o", "out.jsonl"]])}
    if name in ("in.txt", "in.conll"):  # which hold no records
        return kinds
    out, alone = f"out-{name}", f"alone-{name}"
    made([*call, "-o", out], folder)
    (folder / alone).write_bytes((folder / out).read_bytes())
    checks = [["verify", out], ["verify", out, "-i", name]]
    kinds[f"output {name}"] = Kind(out, torn, [*checks, ["restore", out, "-o", end]])
    kinds[f"output {name}, alone"] = Kind(alone, torn, [["verify", alone]])
    kinds[f"manifest {name}"] = Kind(f"{out}.manifest.json", odd_json, checks)
    return kinds


def made(words: list[str], folder: Path) -> None:
    """Run a command that is to succeed."""
    status, error = ended(words, folder)
    if status:
        raise SystemExit(f"{words}: {error}")


def ended(words: list[str], folder: Path) -> tuple[int, str]:
    """Run a command in a copy of this process; return its exit status and what it complained."""
    with tempfile.TemporaryFile() as errors:
        pid = os.fork()
        if pid == 0:
            status = 70
            try:
                os.chdir(folder)
                nothing = os.open(os.devnull, os.O_RDWR)
                for number, stream in enumerate([nothing, nothing, errors.fileno()]):
                    os.dup2(stream, number)
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.alarm(SECONDS)
                sys.argv = ["perturb", *words]
                status = start()
            finally:
                os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        errors.seek(0)
        return status, errors.read().decode(errors="replace")


def run(cases: int, seed: int, folder: Path, seconds: float) -> tuple[Counter[str], list[str]]:
    """Damage files; return the counts by kind and exit status, and what went wrong."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    kinds = [*prepared(folder).items()]
    end = time.monotonic() + seconds
    for case in range(cases):
        if time.monotonic() > end:
            break
        dice = random.Random(f"{seed}/{case}")
        name, kind = kinds[case % len(kinds)]
        path, call = folder / kind.file, dice.choice(kind.calls)
        whole = path.read_bytes()
        path.write_bytes(kind.damaged(whole, dice))
        status, error = ended(call, folder)
        path.write_bytes(whole)
        counts[f"{name}: {status}"] += 1
        if status not in (0, 1, 2) or "Traceback" in error:
            wrong.append(f"{name}, {call[0]}: {status} {error[-300:]}")
    return counts, wrong


def main() -> int:
    """Print the counts; fail if a command ended as none may."""
    args = store.parser(str(__doc__), 5_000).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        counts, wrong = run(args.cases, args.seed, Path(folder), args.seconds)
    print(json.dumps({"cases": sum(counts.values()), "ended": dict(sorted(counts.items()))}))
    return store.ended(args, "damage", counts.total(), counts, wrong)


if __name__ == "__main__":
    sys.exit(main())
