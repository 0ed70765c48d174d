"""Every option of every command with odd values: none is a defect, and none shows a trace.

    python fuzz/options.py --cases 20000

Each call of a command that works gets one odd value: empty, huge, negative, a path that leads
nowhere, half of a pattern. It may be refused, in a line without escapes; it is no defect.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import itertools
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import store

from perturb.cli import main
from perturb.cli.parser import COMMANDS, parser_of
from perturb.cli.talk import DEFECT

VALUES = [
    *("", " ", "-", "--", ".", "..", "/", "/dev/null", "nowhere/x", "x" * 300, "x/" * 3000),
    *(
        "0",
        "-0",
        "-1",
        "1",
        "00",
        "+1",
        "1_0",
        "1e3",
        "1.5",
        "nan",
        "inf",
        "-inf",
        "0x10",
        "\u0663",
    ),
    *("9" * 20, "-" + "9" * 20, "9" * 400, "9" * 5000, "1e999", "2147483648", "65536"),
    *(",", "a,b", "=", ":", "|", "(", "case", "case:p=", "case:p=.5", "[", "]", "{}", "[]", "null"),
    *("\x1b[2J", "\u202e", "é", "*", "?", "[a", "\\", "%", "%s", "{x}", "a=b", "a:b", "regex:("),
    *("true", "stop", "skip", "json", "http://", "http://[", "http://x:99999", "word:", "span"),
    *("out.jsonl", "in.jsonl", "answers.jsonl", "scored.jsonl", "rows.parquet", "x.gz", "x.zst"),
    *(
        "x.csv",
        "x.parquet",
        "x.svg",
        "x.yaml",
        "list",
        "a.b[*].c[",
        "a[0",
        "messages[role=",
        "python:",
    ),
]
ROWS = [
    {"id": f"r{n}", "text": f"question {n} of the old house", "answer": n / 2} for n in range(3)
]
ANSWER = "import sys; [print('2', flush=True) for _ in sys.stdin]"
COMMAND = f'{sys.executable} -c "{ANSWER}"'
CALLS = {
    "test": ["in.jsonl", "--command", COMMAND, "-o", "made"],
    "apply": ["case", "-p", ".5", "-i", "in.jsonl", "-o", "made.jsonl"],
    "list": [],
    "show": ["case"],
    "verify": ["out.jsonl"],
    "restore": ["out.jsonl", "-o", "made.jsonl"],
    "diff": ["out.jsonl"],
    "play": ["--no-browser"],
    "paraphrase": ["in.jsonl", "--command", COMMAND, "-o", "made.table"],
    "run": ["out.jsonl", "--command", COMMAND, "-o", "made.jsonl"],
    "score": ["answers.jsonl"],
    "compare": ["answers.jsonl", "answers.jsonl"],
    "tolerance": ["answers.jsonl"],
    "power": ["answers.jsonl"],
    "fit": ["in.jsonl", "-o", "made.json"],
    "report": ["answers.jsonl", "-o", "made.html"],
    "explain": ["answers.jsonl", "--command", COMMAND, "-o", "made.jsonl"],
    "flips": ["answers.jsonl"],
    "dispersion": ["in.jsonl", "--score", "answer"],
    "summarize": ["runs"],
    "split-check": ["in.jsonl", "other.jsonl"],
    "completion": ["bash"],
}


def calls(command: str) -> Iterator[list[str]]:
    """Yield the calls of a command, each with one odd value, for an option or an argument."""
    base = CALLS[command]
    for action, value in itertools.product(parser_of(command)._actions, VALUES):
        if action.dest == "help" or action.nargs == 0:
            continue
        for option in action.option_strings[-1:]:
            odd = [f"{option}={value}"] if option.startswith("--") else [option, value]
            at = base.index(option) if option in base else len(base)
            yield [*base[:at], *base[at + 2 :], *odd]
        if not action.option_strings:
            yield [value, *base[1:]]
            yield [*base, value]


def run(words: list[str]) -> tuple[int, str]:
    """Run a command in this process, and return its status and what it says."""
    said = io.StringIO()
    made = io.TextIOWrapper(io.BytesIO(), "utf-8")
    serve = mock.patch("socketserver.BaseServer.serve_forever")
    with contextlib.redirect_stdout(made), contextlib.redirect_stderr(said), serve:
        try:
            status = main(words)
        except SystemExit as end:
            status = DEFECT if end.code is None else int(end.code)
    return status, said.getvalue()


def prepare() -> None:
    """Write the files that calls name into the working folder."""
    Path("in.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    Path("other.jsonl").write_text('{"id": "other", "text": "another"}\n')
    runs = Path("runs", "gsm8k", "plain")
    runs.mkdir(parents=True)
    for number in range(2):
        row = {"predicted_answer": "2", "symbolic_correct": True}
        (runs / f"output-rs{number}.jsonl").write_text(f"{json.dumps(row)}\n")
    for words in (
        ["apply", "case", "-p", ".5", "--with-original", "-i", "in.jsonl", "-o", "out.jsonl"],
        ["run", "out.jsonl", "--command", COMMAND, "-o", "answers.jsonl"],
    ):
        status, said = run(words)
        assert status == 0, said


def check(words: list[str], claims: Counter[str]) -> None:
    """Run a call, and refuse a defect."""
    status, said = run(words)
    shown = [word if len(word) < 80 else f"{word[:80]}... ({len(word)})" for word in words]
    assert status != DEFECT, f"{shown}: {said[-600:]}"
    assert "Traceback" not in said, f"{shown}: {said[-600:]}"
    assert not set(said) & set("\x1b\u202e"), f"{shown}: an escape reaches the terminal"
    claims[f"status {status}"] += 1


def every(seed: int) -> list[list[str]]:
    """Return all calls, in an order of the seed's."""
    found = [[name, *words] for name in COMMANDS for words in calls(name)]
    random.Random(seed).shuffle(found)
    return found


def main_loop(given: argparse.Namespace) -> Counter[str]:
    """Run as many calls as are asked for."""
    claims: Counter[str] = Counter()
    end = time.monotonic() + given.seconds
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), nothing_to_read():
        prepare()
        for words in every(given.seed)[: given.cases]:
            if time.monotonic() > end:
                break
            check(words, claims)
    return claims


@contextlib.contextmanager
def nothing_to_read() -> Iterator[None]:
    """Have standard input end at once."""
    with open(os.devnull) as standard, mock.patch("sys.stdin", standard):  # noqa: PTH123
        yield


if __name__ == "__main__":
    given = store.parser(__doc__ or "", cases=400).parse_args()
    claims = main_loop(given)
    print(json.dumps(claims))
    if given.store:
        store.add(given.store, "options", given.seed, sum(claims.values()), claims)
