"""Signals end a process cleanly, wherever they come."""

import signal
import subprocess
import sys

import pytest

CODE = """
import os, signal, sys
from perturb.cli.signals import ending_cleanly
from perturb.io.outputs import writing

class Collected:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        for _ in range(1000): pass

try:
    with ending_cleanly(), writing(sys.argv[1]) as (file, _):
        file.write(b"half")
        {body}
except KeyboardInterrupt as error:
    print(error, error.signal, flush=True)
    sys.exit(7)
print("went on")
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs signals of POSIX")
@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ("os.kill(os.getpid(), signal.SIGHUP)", 7, b"hung up 1\n"),
        ("Collected(); x = 1", 143, b""),
    ],
)
def test_no_signal_is_lost(tmp_path, body, status, said):
    """Not even one that comes while an object is collected, where Python drops exceptions."""
    done = subprocess.run(
        [sys.executable, "-c", CODE.replace("{body}", body), str(tmp_path / "out")],
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (status, said), done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs signals of POSIX")
@pytest.mark.parametrize("name", ["SIGINT", "SIGHUP"])
def test_a_worker_leaves_the_signals_of_a_terminal_to_its_parent(name):
    """They come to all processes; one that answers afterwards neither ended nor said a word."""
    code = f"""
import multiprocessing, os, signal
from types import SimpleNamespace
from perturb.cli.signals import ending_cleanly
from perturb.stream.workers import by_processes

def blocks():
    os.kill(multiprocessing.active_children()[0].pid, signal.{name})
    yield 1, b"a"

with ending_cleanly():
    made = by_processes(lambda first, lines: SimpleNamespace(data=lines.upper()), blocks(), 1)
    print([bytes(block.data) for block in made], flush=True)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (b"[b'A']\n", b"")


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals of POSIX")
def test_a_signal_while_a_module_is_imported_ends_the_process(tmp_path):
    """Some modules turn whatever comes there into an error of their own, as NumPy does."""
    folder = tmp_path / "modules"
    folder.mkdir()
    (folder / "turning.py").write_text(
        "import os, signal\n"
        "try:\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    for _ in range(1000): pass\n"
        "except BaseException as error:\n"
        "    raise ImportError('a bad install') from None\n"
    )
    code = f"import sys; sys.path.append({str(folder)!r})\n" + CODE.replace(
        "{body}", "import turning"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "out")], capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (130, b"perturb: interrupted\n")
    assert list(tmp_path.iterdir()) == [folder]


STARTING = """
import os, signal, sys
from perturb.__main__ import start

class Turning:
    def find_spec(name, *_):
        if name == "perturb.cli":
            try:
                os.kill(os.getpid(), signal.SIGINT)
                for _ in range(1000): pass
            except BaseException:
                raise ImportError("a bad install") from None

sys.meta_path.insert(0, Turning)
signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored in the background
start()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals of POSIX")
def test_a_signal_before_our_modules_are_there_ends_the_process():
    done = subprocess.run([sys.executable, "-c", STARTING], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, b"")


OPENED = """
import os, signal, sys
from perturb.cli.signals import ending_cleanly
from perturb.io import outputs

def interrupted(*_, **__):
    os.kill(os.getpid(), signal.SIGINT)
    for _ in range(1000): pass

try:
    with ending_cleanly(), outputs.writing_together() as opened:
        opened(sys.argv[1])
        {name} = interrupted
        opened(sys.argv[1] + ".bad")
except KeyboardInterrupt:
    sys.exit(7)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs signals of POSIX")
@pytest.mark.parametrize("name", ["outputs._Sink", "outputs.fcntl.flock"])
def test_a_signal_while_a_file_is_opened_leaves_no_part(tmp_path, name):
    done = subprocess.run(
        [sys.executable, "-c", OPENED.replace("{name}", name), str(tmp_path / "out")],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 7, done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs signals of POSIX")
def test_a_signal_while_arguments_are_parsed_ends_the_process():
    """argparse would put an AttributeError in place of what comes there."""
    code = (
        "import argparse, os, signal\n"
        "from perturb.cli.signals import ending_cleanly\n"
        "class Action(argparse._StoreAction):\n"
        "    def __setattr__(self, name, value):\n"
        "        if name == 'save_nargs':\n"
        "            os.kill(os.getpid(), signal.SIGHUP)\n"
        "            for _ in range(1000): pass\n"
        "        super().__setattr__(name, value)\n"
        "parser = argparse.ArgumentParser()\n"
        "parser.add_argument('steps', nargs='*', action=Action)\n"
        "with ending_cleanly():\n"
        "    parser.parse_known_intermixed_args([])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (128 + signal.SIGHUP, b"perturb: hung up\n")
