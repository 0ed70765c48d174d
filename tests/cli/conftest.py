"""What the tests of the command line share."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from endpoints import serving

from perturb.cli import main

ROOT = Path(__file__).parents[2]
MAIN = "import sys; from perturb.__main__ import start; sys.exit(start())"


@pytest.fixture
def server():
    """An endpoint that repeats what it is asked."""
    with serving() as endpoint:
        yield endpoint


@dataclass
class Done:
    """What a command left: its exit status, standard output and standard error."""

    status: int
    out: bytes
    err: str

    @property
    def rows(self):
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def message(self):
        """The one line that says what went wrong."""
        assert self.err.startswith("perturb: ")
        assert self.err.count("\n") == 1, self.err
        return self.err.removeprefix("perturb: ").rstrip("\n")


@pytest.fixture(scope="session")
def questions():
    """The path of the examples: a hundred rows with id, question, answer, topic."""
    return ROOT / "examples" / "questions.jsonl"


@pytest.fixture
def perturb(monkeypatch, capsysbinary, tmp_path):
    """Run the command line in this process."""

    def run(*arguments, stdin=b""):
        given = tmp_path / ".stdin"
        given.write_bytes(stdin)
        stream = given.open("rb")
        standard = SimpleNamespace(buffer=stream, fileno=stream.fileno, close=stream.close)
        monkeypatch.setattr(sys, "stdin", standard)
        capsysbinary.readouterr()
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as stopped:
            status = stopped.code
        finally:
            stream.close()
            given.unlink()
        out, err = capsysbinary.readouterr()
        return Done(status, out, err.decode())

    return run


@pytest.fixture
def start():
    """Start the command line as a process of its own; what still runs at the end is killed."""
    started = []

    def run(*arguments, **kwargs):
        path = os.pathsep.join(filter(None, sys.path))
        settings = {
            "env": {**os.environ, "PYTHONPATH": path},
            # A process in the background of a shell ignores Ctrl-C, and so would its children.
            "preexec_fn": partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
            **kwargs,
        }
        process = subprocess.Popen(
            # Not what stands in the folder of the call, a checkout without kernels perhaps.
            [sys.executable, "-P", "-c", MAIN, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **settings,
        )
        started.append(process)
        return process

    yield run
    for process in started:
        if process.poll() is None:
            process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()


@pytest.fixture
def jsonl(tmp_path):
    """Write rows, or lines as they are, to a file of a given name."""

    def write(name, *rows):
        lines = [row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows]
        path = tmp_path / name
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        return path

    return write
