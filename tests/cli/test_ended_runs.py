"""Runs that end before they are done, alone and with workers: no file and no process is left."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from time import monotonic

import pytest

KEYBOARD = ("apply", "keyboard_typos", "-p", "0.1", "--field", "question")
# Its workers are processes, those of KEYBOARD threads.
SWAP = ("apply", "word_swap", "-p", "0.1", "--field", "question")
HOW = pytest.mark.parametrize(
    ("call", "workers"), [(KEYBOARD, 1), (KEYBOARD, 2), (SWAP, 2)], ids=["one", "threads", "two"]
)
ROW = b'{"question": "Which river is the longest of all the rivers there are?"}\n'
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")


def feed(process, data):
    """Write to a process without end, until it takes no more."""

    def write():
        try:
            while True:
                process.stdin.write(data)
                process.stdin.flush()
        except (BrokenPipeError, ValueError):
            return

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    return writer


def running(process):
    """Whether a process still runs, after a moment that leaves the processor to it."""
    try:
        process.wait(0.01)
    except subprocess.TimeoutExpired:
        return True
    return False


def written_part(process, folder):
    """Wait until a process has begun to write its output, and give the name of what it writes."""
    while running(process):
        for path in folder.iterdir():
            if path.stat().st_size:
                return path
    raise AssertionError(process.stderr.read())


def wait_for_workers(process, call, workers):
    """Wait until what is to work at the same time does."""
    if workers > 1 and call is SWAP:
        assert first_worker(process)
    tasks, late = Path(f"/proc/{process.pid}/task"), monotonic() + 60
    while workers > 1 and call is KEYBOARD and sys.platform == "linux":
        assert running(process)
        if len(list(tasks.iterdir())) > workers:
            return
        assert monotonic() < late, "its workers are no threads: are there kernels?"


@pytest.mark.slow
@HOW
def test_a_killed_run_leaves_nothing_at_the_target(start, tmp_path, call, workers):
    """Killed in the middle of writing: the target path does not exist."""
    out = tmp_path / "out.jsonl"
    process = start(*call, "-o", out, "--workers", workers)
    writer = feed(process, ROW * 1000)
    assert written_part(process, tmp_path) != out
    wait_for_workers(process, call, workers)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    writer.join()
    assert not out.exists()
    assert not (tmp_path / "out.jsonl.manifest.json").exists()


@pytest.mark.slow
@HOW
def test_an_interrupted_run(start, tmp_path, call, workers):
    """Ctrl-C ends it with status 130 and one line; no file is left, not even a part."""
    out = tmp_path / "out.jsonl"
    process = start(*call, "-o", out, "--workers", workers, start_new_session=True)
    writer = feed(process, ROW * 1000)
    written_part(process, tmp_path)
    wait_for_workers(process, call, workers)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait() == 130
    writer.join()
    assert process.stderr.read() == b"perturb: interrupted\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals of POSIX")
@HOW
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
@pytest.mark.slow
def test_a_run_that_is_told_to_end(start, tmp_path, name, call, workers):
    """Status 128 and the signal, one line, and no file is left, not even a part."""
    number = getattr(signal, name)
    process = start(*call, "-o", tmp_path / "out.jsonl", "--workers", workers)
    writer = feed(process, ROW * 1000)
    written_part(process, tmp_path)
    wait_for_workers(process, call, workers)
    process.send_signal(number)
    assert process.wait() == 128 + number
    writer.join()
    said = {"SIGTERM": b"perturb: terminated\n", "SIGHUP": b"perturb: hung up\n"}[name]
    assert process.stderr.read() == said
    assert list(tmp_path.iterdir()) == []


def first_worker(process):
    """The number of a worker of a process, once there is one.

    From Python 3.14 on, a server that the process starts starts the workers.
    """
    while running(process):
        for child in children(process.pid):
            if workers := children(child):
                return workers[0]
            if b"multiprocessing" not in Path(f"/proc/{child}/cmdline").read_bytes():
                return child
    raise AssertionError(process.stderr.read())


def children(pid):
    """The numbers of the processes that a process started."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(number) for number in found]


@on_linux
@pytest.mark.slow
def test_a_killed_worker(start, tmp_path):
    """The run ends with status 1 and a message that says what may help."""
    out = tmp_path / "out.jsonl"
    process = start(*SWAP, "-o", out, "--workers", 2)
    writer = feed(process, ROW * 1000)
    os.kill(first_worker(process), signal.SIGKILL)
    assert process.wait() == 1
    writer.join()
    assert process.stderr.read() == (
        b"perturb: a worker process was killed, perhaps for lack of memory; try fewer --workers\n"
    )
    assert list(tmp_path.iterdir()) == []


@on_linux
@pytest.mark.slow
def test_workers_end_with_a_killed_run(start, tmp_path):
    """No worker is left behind by a run that was killed."""
    process = start(*SWAP, "-o", tmp_path / "out.jsonl", "--workers", 2)
    writer = feed(process, ROW * 1000)
    assert first_worker(process)
    process.kill()
    process.wait()
    writer.join()
    # The workers hold the other ends of these pipes: they end when the last of them is gone.
    assert process.stderr.read() == b""
    assert process.stdout.read() == b""
