"""Kill commands at random moments, and see what they leave.

    python fuzz/kills.py --cases 1000

Each case starts a command, as a process of its own or in a copy of this one, stops it after a
random time by SIGKILL, SIGTERM, SIGHUP or SIGINT, and checks: the output is absent or whole, the
manifest is there if the output is, a signal other than SIGKILL leaves no part of a file, and the
same command, run again, gives the bytes that an undisturbed run gave and leaves nothing but its
output. Prints the counts as JSON.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, NoReturn

import store

import perturb.stream.perturb_file  # noqa: F401  so that copies of this process need not
from perturb.__main__ import start as perturb_start
from perturb.io.outputs import let_signals_go, signals_held

START = "import sys; from perturb.__main__ import start; sys.exit(start())"
SYSTEM = "import json, sys\nfor line in sys.stdin: print('7', flush=True)\n"
SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT]
TEXT = "Which river is the longest of all the rivers there are, and why is it 6,650 km long?"


def commands(folder: Path) -> dict[str, list[str]]:
    """Return the command lines to be killed, by their names."""
    source, small = folder / "in.jsonl", folder / "small.jsonl"
    rows = [json.dumps({"id": n, "text": f"{n}: {TEXT}"}) + "\n" for n in range(6_000)]
    source.write_text("".join(rows))
    small.write_text("".join(rows[:40]))
    system = folder / "system.py"
    system.write_text(SYSTEM)
    apply = ["apply", "typo_mix:p=0.1", "-i", str(source)]
    return {
        "file": apply,
        "bad lines": [*apply, "--bad-lines", str(folder / "OUT" / "bad.jsonl")],
        "grid": ["apply", "char_swap", "case", "--grid", "-p", "0.1,0.2", "-i", str(source)],
        "workers": [*apply, "--workers", "2", "--replicates", "2"],
        "run": ["run", str(small), "--command", f"{sys.executable} {system}"],
    }


def start(command: list[str], out: Path) -> subprocess.Popen[bytes]:
    """Start a command that writes to a file."""
    return subprocess.Popen(
        [sys.executable, "-c", START, *command, "-o", str(out)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        start_new_session=True,
    )


class Forked:
    """A command in a copy of this process, in which Python and its modules are there already.

    Args:
        command: its words.
        out: where it writes to.
    """

    def __init__(self, command: list[str], out: Path) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        self.returncode: int | None = None
        with signals_held():
            self._pid = os.fork()
            if self._pid == 0:
                self._become(["perturb", *command, "-o", str(out)])

    def _become(self, command: list[str]) -> NoReturn:
        status = 70
        try:
            os.setsid()
            nothing = os.open(os.devnull, os.O_RDWR)
            for number, stream in enumerate([nothing, nothing, self._errors.fileno()]):
                os.dup2(stream, number)
            sys.argv = command
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            let_signals_go()
            status = perturb_start()
        finally:
            os._exit(status)

    def poll(self) -> int | None:
        """Return the exit status, if it has ended."""
        return self._waited(os.WNOHANG)

    def _waited(self, options: int) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self._pid, options)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, if it has not ended."""
        if self.poll() is None:
            os.kill(self._pid, number)

    def communicate(self) -> tuple[None, bytes]:
        """Wait until it has ended; return what it wrote to standard error."""
        self._waited(0)
        self._errors.seek(0)
        return None, self._errors.read()


def outcome(folder: Path) -> dict[str, bytes]:
    """Return the files in a folder, without journals and what a manifest says of times."""
    return {
        path.name: path.read_bytes()
        for path in sorted(folder.iterdir())
        if not path.name.endswith((".journal", ".manifest.json"))
    }


def check(sent: int, status: int, error: str, folder: Path, wanted: dict[str, bytes]) -> str:
    """Return what is wrong with what a killed command left; nothing if all is right."""
    left = outcome(folder)
    parts = [name for name in left if name.endswith(".part")]
    for name, content in left.items():
        if name not in parts and content != wanted.get(name):
            return f"{name} is not whole"
    if "out" in left and not (folder / "out.manifest.json").exists():
        return "there is an output without its manifest"
    if sent != signal.SIGKILL and parts:
        return f"left {parts}"
    return wrong_end(sent, status, error)


def wrong_end(sent: int, status: int, error: str) -> str:
    """Return what is wrong with how a command ended; nothing if all is right."""
    traced = "Traceback" in error
    if traced and "in start\n" in error:  # before that Python itself is starting
        return f"a trace: {error[-300:]}"
    # KeyboardInterrupt in a module that Python imports as it starts ends it with 1.
    starting = traced and sent == signal.SIGINT and error.rstrip().endswith("KeyboardInterrupt")
    if status not in (0, -sent, 128 + sent) and not (starting and status == 1):
        return f"exit status {status}: {error[-300:]}"
    return ""


def run(cases: int, seed: int, folder: Path, seconds: float) -> tuple[Counter[str], list[str]]:
    """Kill commands; return the counts by command and signal, and what went wrong."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    undisturbed: dict[tuple[Any, str], tuple[dict[str, bytes], float]] = {}
    out = folder / "OUT"
    made = commands(folder)
    for name, command in made.items():
        for begin in (start, Forked):
            out.mkdir()
            began = time.monotonic()
            _, error = begin(command, out / "out").communicate()
            undisturbed[begin, name] = (outcome(out), time.monotonic() - began)
            assert "out" in outcome(out), error
            shutil.rmtree(out)
    end = time.monotonic() + seconds
    for case in range(cases):
        if time.monotonic() > end:
            break
        dice = random.Random(f"{seed}/{case}")
        name, sent = dice.choice(list(made)), dice.choice(SIGNALS)
        begin = start if dice.random() < 0.2 else Forked
        wanted, whole = undisturbed[begin, name]
        out.mkdir()
        process: Any = begin(made[name], out / "out")
        time.sleep(dice.uniform(0, 1.1 * whole))
        ended = process.poll() is not None
        process.send_signal(sent)
        _, error = process.communicate()
        found = check(sent, process.returncode, error.decode(), out, wanted)
        counts["ended before" if ended else f"{name}, {signal.Signals(sent).name}"] += 1
        # Other work on the machine makes a command slower or faster than it was before.
        undisturbed[begin, name] = (wanted, whole * (0.95 if ended else 1.01))
        if not found and dice.random() < 0.3:
            _, error = begin(made[name], out / "out").communicate()
            counts["resumed"] += 1
            if outcome(out) != wanted:
                found = f"run again it is not the same: {sorted(outcome(out))} {error.decode()}"
        if found:
            wrong.append(f"{seed}/{case}: {name}, {signal.Signals(sent).name}: {found}")
        shutil.rmtree(out)
    return counts, wrong


def main() -> int:
    """Print the counts; fail if anything was wrong."""
    args = store.parser(str(__doc__), 1000).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        counts, wrong = run(args.cases, args.seed, Path(folder), args.seconds)
    made = sum(number for name, number in counts.items() if ", " in name)
    print(json.dumps({"kills": made, "counts": dict(sorted(counts.items())), "wrong": len(wrong)}))
    return store.ended(args, "kills", made, counts, wrong)


if __name__ == "__main__":
    sys.exit(main())
