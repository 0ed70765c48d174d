"""Search for failures with atheris, which changes inputs by the code that they reach.

    pip install atheris; python fuzz/guided.py --seconds 600

Bytes are read as a step, a path, a line of JSON, a file of separated values, a record, a text to
perturb, and rows to perturb, of which kernels must make what is made without them. Whatever they
are, nothing but the package's own errors may be raised, and records must hold. Without atheris the
bytes are drawn at random.
"""

from __future__ import annotations

import contextlib
import json
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import store

with contextlib.suppress(ImportError):
    import atheris

    with atheris.instrument_imports(include=["perturb"]):
        import perturb.io.csv_files
        import perturb.io.json_path
        import perturb.io.jsonl
        import perturb.pipeline.grammar
        import perturb.rows.verify
import contract

import perturb
from perturb.engine.native import binding
from perturb.errors import PerturbError
from perturb.io.inputs import open_input
from perturb.io.json_path import parse
from perturb.io.jsonl import dumps, loads
from perturb.pipeline.pipeline import Pipeline
from perturb.plan.job import job_of
from perturb.stream.blocks import perturb_block

claims: Counter[str] = Counter()
SEEDS = [
    b"\x00one_of(typo_mix:p=0.1 | 2*case:p=0.5,style=upper)",
    b"\x01messages[role=user].content[*]",
    b'\x02{"id": 18446744073709551616, "text": "\\ud800", "n": NaN}',
    b'\x03id,text\n1,"a ""b"", c"\n2,d\n',
    b'\x04{"text": "cib", "status": "changed", "expect": "same", "edits": "text|0:a>ci;id=", '
    b'"check": "xd1ab1a7f", "recipe": "ocr@3:p=0.1 --contract 4", "condition": "ocr:p=0.1"}',
    b"\x05\x10The quick brown fox, https://example.com {name}",
    b'\x06{"id": 1, "text": "a \\u00e9 \\n \xc3\xa9", "x": [-0.5, {"y": null}]}\n{"text": "b"}\n',
    b'\x06{"id": "a\\"b", "text": [{"type": "text", "text": "a b"}, {"type": "x"}], "n": NaN}\n',
]


def read_step(data: bytes) -> None:
    """A step is understood or refused, and what was understood can be written and read again."""
    steps = Pipeline.of(data.decode("utf-8", "surrogateescape"))
    assert Pipeline.of(steps.to_dict()) == steps


def read_path(data: bytes) -> None:
    """A path is understood or refused."""
    parse(data.decode("utf-8", "surrogateescape"))


def read_line(data: bytes) -> None:
    """A line of JSON comes back as it was."""
    value = loads(data.replace(b"\n", b""), as_written=True)
    written = dumps(value)
    assert dumps(loads(written, as_written=True)) == written


def read_table(data: bytes) -> None:
    """A file of separated values is read or refused."""
    with tempfile.NamedTemporaryFile(suffix=".csv") as file:
        Path(file.name).write_bytes(data)
        with contextlib.closing(open_input(file.name)) as rows:
            list(rows.rows())


def read_record(data: bytes) -> None:
    """A record is checked, and nothing that it names is opened or run."""
    given = loads(data.replace(b"\n", b""))
    if isinstance(given, dict):
        row = {"id": f"a#{given.get('condition')}", "text": given.get("text")}
        perturb.verify(row | {"perturbation": given})


def perturb_text(data: bytes) -> None:
    """A text is perturbed in some way, and its record holds."""
    name, p = NAMES[data[0] % len(NAMES)] if data else NAMES[0], [0.05, 0.3, 1.0][len(data) % 3]
    record = perturb.apply(data[1:].decode("utf-8", "replace"), name, p=p)
    contract.check_record(record, p, None, claims)


def perturb_rows(data: bytes) -> None:
    """Rows are perturbed, or refused, with kernels as without."""
    job, binding.LIBRARY = job_of("typo_mix:p=0.3"), None
    try:
        expected = perturb_block(job, False, 1, data)
    finally:
        binding.LIBRARY = KERNELS
    made = perturb_block(job, False, 1, data)
    assert (made.data, made.bad) == (expected.data, expected.bad)
    assert vars(made.counts) == vars(expected.counts)


KERNELS = binding.LIBRARY
NAMES = perturb.names()
TARGETS: list[Callable[[bytes], None]] = [
    read_step,
    read_path,
    read_line,
    read_table,
    read_record,
    perturb_text,
    perturb_rows,
]


def one(data: bytes) -> None:
    """Give bytes to what their first byte names."""
    target = TARGETS[data[0] % len(TARGETS) if data else 0]
    try:
        target(data[1:])
    except PerturbError:
        claims["refused"] += 1
    except TypeError as error:
        line = str(traceback.extract_tb(error.__traceback__)[-1].line)
        if not line.startswith("raise TypeError"):  # a value of a wrong type, said in words
            raise
        claims["refused"] += 1
    claims[target.__name__] += 1


def changed(dice: random.Random) -> bytes:
    """Return a seed with some bytes changed, lost or doubled."""
    data = bytearray(dice.choice(SEEDS))
    for _ in range(dice.randrange(8)):
        at = dice.randrange(1, len(data))
        end = at + dice.choice([1, 1, 4, 16])
        kind = dice.randrange(3)
        if kind == 0:
            data[at] = dice.randrange(256)
        elif kind == 1 and len(data) > 20:
            del data[at:end]
        else:
            data[at:at] = data[at:end]
    return bytes(data)


def main() -> int:
    """Print the counts; fail at the first bytes that are not understood or refused."""
    args = store.parser(str(__doc__), 1_000_000).parse_args()
    end, guided = time.monotonic() + args.seconds, "atheris" in globals()
    if guided and args.store:
        sys.exit("atheris ends the process before counts can be stored: leave out --store")
    if guided:
        folder = tempfile.mkdtemp()
        for number, data in enumerate(SEEDS):
            Path(folder, str(number)).write_bytes(data)
        # It ends the process itself, and prints and keeps the bytes that failed.
        seconds = min(int(args.seconds), 1 << 30) if args.seconds < 1e9 else 0
        limits = [f"-max_total_time={seconds}", f"-runs={args.cases}", f"-seed={args.seed + 1}"]
        atheris.Setup(
            [
                sys.argv[0],
                "-max_len=400",
                "-timeout=20",
                f"-artifact_prefix={folder}/",
                *limits,
                folder,
            ],
            one,
        )
        atheris.Fuzz()
    cases = 0
    while cases < args.cases and time.monotonic() < end:
        data = changed(random.Random(f"{args.seed}/{cases}"))
        try:
            one(data)
        except Exception as error:
            print(f"{args.seed}/{cases}: {data!r}: {type(error).__name__}: {error}")
            return 1
        cases += 1
    print(json.dumps({"cases": cases, "counts": dict(sorted(claims.items()))}))
    if args.store:
        store.add(args.store, "guided", args.seed, cases, claims)
    return 0


if __name__ == "__main__":
    sys.exit(main())
