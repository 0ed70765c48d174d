"""Let calls that change a file fail, end short or be the last one, and look at what is left.

    python fuzz/faults.py

A shim (faults.c) stands between a command and the system: the n-th call that writes, syncs, opens
for writing, links, renames or removes within the output's folder fails with ENOSPC or EIO, writes
less than it was given, or ends the process as SIGKILL does, for every n in random order until
--seconds are over. Afterwards the old output and its manifest stand there, or the new ones; what
went wrong is one line; and the command, run again, gives what it gives undisturbed and leaves
nothing else. Signals while Python starts are among these cases. Before them come a clock that goes
back, a full and a read-only file system, a limit of the size of files, closed streams, and a
process that is stopped and goes on.
Needs Linux and a C compiler.
"""

from __future__ import annotations

import errno
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import store
from kills import wrong_end

START = "import sys; from perturb.__main__ import start; sys.exit(start())"
SYSTEM = "import sys\nfor line in sys.stdin: print('7', flush=True)\n"
ROWS = [{"id": n, "text": f"{n}: Which river is the longest of all, and why?"} for n in range(300)]
HOWS = [str(errno.ENOSPC), str(errno.EIO), "short", "kill"]


class Tried:
    """A folder in which commands are run, and what was found.

    Args:
        folder: for all files.

    Attributes:
        counts: of what was tried.
        wrong: what was found.
        end: when to begin nothing further.
    """

    def __init__(self, folder: Path, seconds: float) -> None:
        self.folder, self.out = folder, folder / "out"
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.end = time.monotonic() + seconds
        self.shim = folder / "faults.so"
        source = Path(__file__).with_suffix(".c")
        compiled = ["gcc", "-shared", "-fPIC", "-O1", "-o", str(self.shim), str(source), "-ldl"]
        subprocess.run(compiled, check=True)
        rows = folder / "in.jsonl"
        rows.write_text("".join(json.dumps(row) + "\n" for row in ROWS) + "no row\n")
        system = folder / "system.py"
        system.write_text(SYSTEM)
        few = folder / "few.jsonl"
        few.write_text("".join(json.dumps(row) + "\n" for row in ROWS[:3]))
        apply = ["apply", "typo_mix:p=0.1", "-i", str(rows), "--bad-lines"]
        ask = ["run", str(few), "--command", f"{sys.executable} {system}"]
        self.commands = {
            "file": [*apply, str(self.out / "bad.jsonl"), "-o", str(self.out / "made.jsonl")],
            "gzip": [*apply, "skip", "-o", str(self.out / "made.jsonl.gz")],
            "run": [*ask, "-o", str(self.out / "made.jsonl")],
        }
        self.to_stdout = [*apply, "skip"]

    def run(
        self,
        command: list[str],
        faults: Mapping[str, str] | None = None,
        before: Callable[[], object] | None = None,
        stdout: int = subprocess.PIPE,
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a command to its end."""
        faults = faults or {}
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        if faults:
            environment |= {"LD_PRELOAD": str(self.shim), **faults}
        return subprocess.run(
            [sys.executable, "-c", START, *command],
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            env=environment,
            preexec_fn=before,
            check=False,
        )

    def left(self) -> dict[str, bytes]:
        """Return the files of the output, but for journals, and times in manifests."""
        return {
            path.name: path.read_bytes()
            for path in sorted(self.out.iterdir())
            if not path.name.endswith(".journal")
        }

    def anew(self, old: Mapping[str, bytes]) -> None:
        """Put the output's folder back to what it was before."""
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir()
        for name, data in old.items():
            (self.out / name).write_bytes(data)

    def say(self, what: str, done: subprocess.CompletedProcess[bytes], why: str) -> None:
        """Keep what was found."""
        self.wrong.append(f"{what}: {why}: status {done.returncode}, {done.stderr[-300:]!r}")

    def check_line(self, what: str, done: subprocess.CompletedProcess[bytes], status: int) -> None:
        """Check that a command that failed says so in one line."""
        said = done.stderr.decode()
        self.counts[what.partition(",")[0]] += 1
        if done.returncode != status:
            self.say(what, done, f"the status is not {status}")
        elif status and (said.count("\n") != 1 or not said.startswith("perturb: ")):
            self.say(what, done, "it is not said in one line")
        elif "Traceback" in said or "defect" in said:
            self.say(what, done, "a trace")


def whole(name: str, left: Mapping[str, bytes], *states: Mapping[str, bytes]) -> str:
    """Return what is wrong with files that should be those of one of some states."""
    kept = {key: data for key, data in left.items() if not key.endswith(".part")}
    if kept in states:
        return ""
    return f"{name}: the files are neither the old nor the new ones: {sorted(left)}"


def every_call(tried: Tried) -> Iterator[Callable[[], None]]:
    """Yield what disturbs one call of a command, for each call of each command."""
    for name, command in tried.commands.items():
        tried.anew({})
        tried.run(command)
        new = tried.left()
        old = dict.fromkeys(new, b"what stood there")
        log = tried.folder / "log"
        tried.anew(old)
        tried.run(command, {"FAULT_WHERE": str(tried.out), "FAULT_LOG": str(log)})
        calls = range(1, log.stat().st_size + 1)
        log.unlink()
        for how in HOWS:
            yield from (partial(one_call, tried, name, how, at, (old, new)) for at in calls)


def one_call(
    tried: Tried, name: str, how: str, at: int, states: tuple[dict[str, bytes], dict[str, bytes]]
) -> None:
    """Disturb one call, and check what that led to."""
    old, new = states
    tried.anew(old)
    fault = {"FAULT_WHERE": str(tried.out), "FAULT_AT": str(at), "FAULT_HOW": how}
    done = tried.run(tried.commands[name], fault)
    what = f"{name}, {how} at {at}"
    left = tried.left()
    if how == "kill":
        tried.counts["killed at a call"] += 1
        if done.returncode != -signal.SIGKILL:
            tried.say(what, done, "it was not killed")
        for key, data in left.items():
            if not key.endswith(".part") and data not in (old.get(key), new.get(key)):
                tried.say(what, done, f"{key} is neither old nor new")
        tried.run(tried.commands[name])
        if tried.left() != new:
            tried.say(what, done, "run again it is not the same")
        return
    expected = 0 if how == "short" or done.returncode == 0 else 1
    tried.check_line(
        f"{'short writes' if how == 'short' else 'failed calls'}, {what}", done, expected
    )
    if problem := whole(what, left, *((new,) if done.returncode == 0 else (old, new))):
        tried.say(what, done, problem)


def standard_output(tried: Tried) -> None:
    """Disturb each write to standard output, buffered or not."""
    wanted = tried.run(tried.to_stdout).stdout
    for unbuffered in ("", "1"):
        for how in (str(errno.ENOSPC), "short"):
            for at in range(1, 4):
                fault = {"FAULT_WHERE": "stdout", "FAULT_AT": str(at), "FAULT_HOW": how}
                done = tried.run(tried.to_stdout, {**fault, "PYTHONUNBUFFERED": unbuffered})
                hit = how != "short" and done.returncode != 0
                tried.check_line(f"standard output, {how} at {at}", done, int(hit)) if hit else None
                tried.counts["standard output"] += not hit
                if not hit and done.stdout != wanted:
                    tried.say(f"standard output, {how} at {at}", done, "bytes are lost")
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        done = tried.run(tried.to_stdout, stdout=full.fileno())
    tried.check_line("full device", done, 1)


def surroundings(tried: Tried) -> None:
    """Run a command on a full and a read-only file system, under limits, and against the clock."""
    command = tried.commands["file"]
    tried.anew({})
    tried.run(command)
    new = tried.left()
    old = dict.fromkeys(new, b"what stood there")
    tried.anew({})
    done = tried.run(command, {"FAULT_CLOCK": "1"})
    tried.check_line("the clock goes back", done, 0)
    if tried.left() != new:
        tried.say("the clock goes back", done, "other bytes")
    tried.anew(old)
    limit = (20_000, 20_000)
    done = tried.run(command, before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit))
    tried.check_line("limit of the size of files", done, 1)
    if tried.left() != old:
        tried.say("limit of the size of files", done, "the old files are gone")
    for options in ("size=40k", "size=40k,ro"):
        tried.anew({})
        mounted = ["mount", "-t", "tmpfs", "-o", options, "none", str(tried.out)]
        if subprocess.run(mounted, check=False, capture_output=True).returncode:
            tried.counts["could not mount"] += 1
            continue
        try:
            done = tried.run(command)
            tried.check_line(f"file system, {options}", done, 1)
            if tried.left():
                tried.say(f"file system, {options}", done, f"left {sorted(tried.left())}")
        finally:
            subprocess.run(["umount", str(tried.out)], check=True)


def closed_streams(tried: Tried) -> None:
    """Close standard streams before a command starts; and the reader of its output on the way."""
    command = tried.commands["file"]
    tried.anew({})
    tried.run(command)
    new = tried.left()
    for closed in ((0,), (1,), (2,), (0, 1, 2)):
        tried.anew({})
        done = tried.run(command, before=lambda closed=closed: [os.close(n) for n in closed])
        tried.counts["closed streams"] += 1
        if done.returncode or tried.left() != new:
            tried.say(f"closed {closed}", done, f"left {sorted(tried.left())}")
    done = tried.run(tried.to_stdout, before=lambda: os.close(1))
    tried.check_line("standard output is closed", done, 1)
    shell = [sys.executable, "-u", "-c", START, *tried.to_stdout]
    process = subprocess.Popen(shell, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    tried.counts["the reader is gone"] += 1
    if process.wait() or (process.stderr and process.stderr.read().count(b"\n") > 1):
        tried.wrong.append(f"the reader is gone: status {process.returncode}")


def signals(tried: Tried) -> Iterator[Callable[[], None]]:
    """Yield what sends a signal while Python starts, for each signal and after other times."""
    for sent in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        yield from (partial(one_signal, tried, sent, wait) for wait in range(0, 200, 10))


def one_signal(tried: Tried, sent: signal.Signals, wait: int) -> None:
    """Send a signal after so many milliseconds, and check what that led to."""
    tried.anew({})
    process = subprocess.Popen(
        [sys.executable, "-c", START, *tried.commands["file"]],
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    time.sleep(wait / 1000)
    process.send_signal(sent)
    said = process.communicate()[1].decode()
    tried.counts["signals at the start"] += 1
    what = f"{sent.name} after {wait} ms"
    if wrong := wrong_end(sent, process.returncode, said):
        tried.wrong.append(f"{what}: {wrong}")
    elif process.returncode and tried.left():
        tried.wrong.append(f"{what}: left {sorted(tried.left())}")


def stopped(tried: Tried) -> None:
    """Stop a process for a while, again and again."""
    wanted = tried.run(tried.to_stdout).stdout
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", START, *tried.to_stdout],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    for _ in range(20):
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.01)
        process.send_signal(signal.SIGCONT)
        time.sleep(0.02)
    tried.counts["stopped and continued"] += 20
    if process.communicate()[0] != wanted or process.returncode:
        tried.wrong.append(f"stopped and continued: status {process.returncode}")


def main() -> int:
    """Print the counts; fail if anything was wrong."""
    args = store.parser(str(__doc__), 0).parse_args()
    if shutil.which("gcc") is None or not sys.platform.startswith("linux"):
        print("faults.py needs Linux and gcc; nothing was tried")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        tried = Tried(Path(os.path.realpath(folder)), args.seconds)
        for part in (surroundings, standard_output, closed_streams, stopped):
            part(tried)
        cases = [*every_call(tried), *signals(tried)]
        random.Random(args.seed).shuffle(cases)
        for number, case in enumerate(cases):
            if time.monotonic() > tried.end:
                print(f"{number} of {len(cases)} cases", file=sys.stderr)
                break
            case()
    counts = dict(sorted(tried.counts.items()))
    print(json.dumps({"counts": counts, "wrong": len(tried.wrong)}, indent=2))
    return store.ended(args, "faults", sum(counts.values()), counts, tried.wrong)


if __name__ == "__main__":
    sys.exit(main())
