"""The command line as a process: pipes, signals, full disks, and what it imports."""

import json
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

KEYBOARD = ("apply", "keyboard_typos", "-p", "0.1", "--field", "question")
ROW = b'{"question": "Which river is the longest of all the rivers there are?"}\n'
MAIN = "import sys; from perturb.__main__ import start; sys.exit(start())"
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full and /proc")


def shell(command, **variables):
    """Run a line of bash in which $perturb is the command."""
    environment = {
        **os.environ,
        **{key: str(value) for key, value in variables.items()},
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    line = command.replace("$perturb", f"{shlex.quote(sys.executable)} -c {shlex.quote(MAIN)}")
    return subprocess.run(["bash", "-c", line], env=environment, capture_output=True, check=False)


@pytest.mark.slow
def test_a_closed_pipe_ends_quietly(questions):
    """`| head -1` gets its line; nothing is complained of, and the status is 0."""
    call = shlex.join(KEYBOARD)
    for command in (f"{call} --replicates 200 -i $in", "list --json", "show ocr", f"{call} -i $in"):
        done = shell(f"$perturb {command} | head -1; echo ${{PIPESTATUS[0]}}", **{"in": questions})
        assert done.stderr == b""
        assert done.stdout.count(b"\n") == 2
        assert done.stdout.endswith(b"\n0\n")


@pytest.mark.slow
def test_rows_stream(start):
    """A row comes out of the pipe while the input is still open."""
    process = start(*KEYBOARD)
    process.stdin.write(ROW)
    process.stdin.flush()
    assert process.stdout.readline().startswith(b'{"question":"')
    process.stdin.close()
    assert process.wait() == 0


@on_linux
@pytest.mark.parametrize("command", [(*KEYBOARD, "-i", "$in"), ("list",), ("show", "ocr")])
@pytest.mark.slow
def test_a_full_disk_behind_standard_output(questions, command):
    """One line says so, with status 1, however much there is to write."""
    for replicates in (["--replicates", "1"], ["--replicates", "9"]):
        call = shlex.join([*command, *(replicates if command[0] == "apply" else [])])
        call = call.replace("'$in'", '"$in"')
        done = shell(f"$perturb {call} > /dev/full", **{"in": questions})
        assert done.returncode == 1
        assert done.stderr == b"perturb: can't write standard output: No space left on device\n"


@pytest.mark.slow
def test_closed_standard_streams(questions):
    """A stream that the caller closed is named."""
    call = shlex.join(KEYBOARD)
    done = shell(f"$perturb {call} <&-")
    assert (done.returncode, done.stderr) == (
        1,
        b"perturb: can't read standard input: it is closed\n",
    )
    done = shell(f'$perturb {call} -i "$in" >&-', **{"in": questions})
    assert (done.returncode, done.stderr) == (
        1,
        b"perturb: can't write standard output: it is closed\n",
    )


@on_linux
@pytest.mark.parametrize("to", [">&-", "> /dev/full"])
@pytest.mark.parametrize(
    "command",
    ["show ocr", "diff", "verify", "completion bash", "help", "--version", "apply --help"],
)
@pytest.mark.slow
def test_no_command_loses_what_it_prints(questions, tmp_path, to, command):
    """One line says so, with status 1, whoever does the printing: argparse is silent."""
    out = tmp_path / "out.jsonl"
    made = shell(
        f'$perturb {shlex.join(KEYBOARD)} -i "$in" -o "$out" >&-', **{"in": questions, "out": out}
    )
    assert (made.returncode, made.stderr) == (0, b"")
    file = ' "$out"' * (command in ("diff", "verify"))
    done = shell(f"$perturb {command}{file} {to}", out=out)
    why = b"it is closed" if to == ">&-" else b"No space left on device"
    assert done.stderr == b"perturb: can't write standard output: " + why + b"\n"
    assert done.returncode == 1


@on_linux
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", [KEYBOARD, ("diff", "-")])
@pytest.mark.slow
def test_output_that_is_cut_short_is_an_error(tmp_path, unbuffered, command):
    """Where a write takes only a part, the rest is written too, or the command fails."""
    rows = ROW * 3000
    if command[0] == "diff":
        made = subprocess.run(
            [sys.executable, "-c", MAIN, *KEYBOARD],
            input=rows,
            env=environment(),
            capture_output=True,
        )
        rows = made.stdout
    limit = 40_000
    out = tmp_path / "out"
    with out.open("wb") as file:
        done = subprocess.run(
            [sys.executable, "-c", MAIN, *command],
            input=rows,
            stdout=file,
            stderr=subprocess.PIPE,
            env={**environment(), "PYTHONUNBUFFERED": unbuffered},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        )
    assert out.stat().st_size == limit
    assert done.returncode == 1
    assert done.stderr == b"perturb: can't write standard output: File too large\n"


@on_linux
@pytest.mark.slow
def test_a_reader_that_is_slow_gets_all(start):
    """A process that is stopped and goes on again loses nothing, unbuffered as well."""
    process = start(*KEYBOARD, env={**environment(), "PYTHONUNBUFFERED": "1"})
    given = ROW * 20_000
    writer = threading.Thread(target=lambda: (process.stdin.write(given), process.stdin.close()))
    writer.start()
    rows = process.stdout.readline().count(b"\n")
    for _ in range(20):
        process.send_signal(signal.SIGSTOP)
        process.send_signal(signal.SIGCONT)
        rows += process.stdout.read1(1 << 17).count(b"\n")
    rows += process.stdout.read().count(b"\n")
    writer.join()
    assert (process.wait(), rows) == (0, 20_000)


@pytest.mark.slow
def test_output_in_another_encoding(start, jsonl):
    """What a terminal can't show is escaped, not refused."""
    row = {"id": "\ud800#case", "text": "a \ud800 and ж", "perturbation": None}
    record = {
        "original_id": "\ud800",
        "original": "b \ud800 and ж",
        "condition": "case",
        "status": "changed",
        "expect": "same",
        "edits": "text|0:b>a",
        "check": "xc20dbac8",
        "recipe": "case",
    }
    path = jsonl("out.jsonl", row | {"perturbation": record})
    for encoding in ("utf-8", "ascii"):
        process = start("diff", path, env={**environment(), "PYTHONIOENCODING": encoding})
        out, err = process.communicate()
        assert (process.returncode, err) == (0, b"")
        shown = "ж".encode() if encoding == "utf-8" else b"\\u0436"
        assert out == b"\\ud800#case  changed\n[-b-]{+a+} \\ud800 and " + shown + b"\n\n"


def environment():
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


# Run as a process of its own: what the command line does before it knows the command counts too.
HELP = """
import sys
from perturb.__main__ import start
sys.argv = ["perturb", *{words}]
try: start()
except SystemExit: pass
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import perturb", ("numpy", "nltk", "pandas", "pyarrow", "hypothesis", "yaml", "tqdm")),
        ("import perturb; perturb.apply", ("nltk", "pandas", "pyarrow", "hypothesis", "pytest")),
        *(
            (
                HELP.format(words=words),
                ("numpy", "nltk", "pandas", "pyarrow", "hypothesis", "yaml", "orjson", "regex"),
            )
            for words in (
                *(["--help"], ["apply", "--help"], ["score", "--help"], ["compare", "--help"]),
                *(["explain", "--help"], ["completion", "--word==score", "--word==--"]),
            )
        ),
        (HELP.format(words=["list"]), ("numpy", "regex", "yaml")),
        *(
            (HELP.format(words=["show", name]), (f"perturb.perturbators.{other}",))
            for name, other in (("ocr", "wordnet"), ("synonym", "ocr"))
        ),
    ],
)
def test_what_is_not_imported(code, absent):
    """Help needs no NumPy, and nothing needs the heavy libraries."""
    code += "\nimport sys; print('loaded:', *sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, check=True
    )
    loaded = done.stdout.decode().rpartition("loaded: ")[2].split()
    assert "perturb" in loaded
    assert not set(absent) & {name.partition(".")[0] for name in loaded}.union(loaded)


# Needed for other formats, other commands, options or mistakes; `python -X importtime` shows who
# imports one of them. A package stands for all that is in it.
NOT_FOR_A_ROW = frozenset(
    """
    _hashlib asyncio bz2 concurrent csv difflib gzip importlib.metadata lzma multiprocessing
    numpy.ma numpy.random numpy.typing regex shlex shutil tempfile threading tqdm traceback yaml
    perturb.engine.difference perturb.engine.gates perturb.engine.presets perturb.engine.rules
    perturb.evaluation perturb.integrations perturb.io.arrow_files perturb.io.csv_files
    perturb.io.frames perturb.io.json_files perturb.io.text_files
    perturb.cli.shapes perturb.plan.shapes
    perturb.io.parquet_files perturb.lexicon perturb.pipeline.drop_in_names
    perturb.registry.from_function
    perturb.registry.from_regex perturb.registry.label_risk
    perturb.registry.severity perturb.report perturb.robustness perturb.rows.stored
    perturb.rows.table_rows perturb.rows.verify perturb.stream.manifest
    perturb.stream.workers perturb.transform perturb.user_patterns
    """.split()
)
NOT_FOR_A_LINE = {"perturb.api", "perturb.records.record"}
NOT_FOR_A_TEXT = {"argparse", "mmap", "perturb.cli", "perturb.rows", "perturb.stream"}
LINE = """
import sys
from perturb.__main__ import start
sys.argv = ["perturb", "apply", "keyboard_typos", "-p", "0.5"]
assert start() == 0
"""
TEXT = "import perturb; perturb.apply('How many eggs?', 'keyboard_typos')"
LOADED = """
import json, sys
ours = [module for name, module in sys.modules.items() if name.partition(".")[0] == "perturb"]
found = {thing.__qualname__ for module in ours for thing in vars(module).values()
         if hasattr(thing, "__dataclass_fields__")}
print(json.dumps([list(sys.modules), sorted(found)]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "absent"),
    [(LINE, NOT_FOR_A_ROW | NOT_FOR_A_LINE), (TEXT, NOT_FOR_A_ROW | NOT_FOR_A_TEXT)],
    ids=["line", "text"],
)
def test_what_a_row_does_not_wait_for(code, absent):
    """One row takes little more than NumPy's import: no further module, and no dataclass."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{LOADED}"],
        input=b'{"text": "a few words"}\n',
        env=environment(),
        capture_output=True,
        check=True,
    )
    loaded, dataclasses = json.loads(done.stdout.splitlines()[-1])
    modules = {
        name for name in loaded if re.match(r"perturb\.perturbators\.(?!shared\.)\w+\.[a-z]", name)
    }
    assert modules == {"perturb.perturbators.letters.keyboard"}
    prefixes = {".".join(name.split(".")[:n]) for name in loaded for n in (1, 2, 3)}
    assert not absent & prefixes
    assert not dataclasses  # `Frozen` says why


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux's list of threads")
def test_no_threads_for_linear_algebra():
    code = (
        HELP.format(words=["show", "synonym"])
        + "import os\nprint(len(os.listdir('/proc/self/task')))"
    )
    given = environment() | {"OPENBLAS_NUM_THREADS": ""}
    del given["OPENBLAS_NUM_THREADS"]
    done = subprocess.run([sys.executable, "-c", code], env=given, capture_output=True, check=True)
    assert done.stdout.splitlines()[-1] == b"1", done.stderr
