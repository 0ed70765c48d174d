"""The way of a call through the files: each is read once where that can be, and few times else."""

import json
import subprocess
import sys
from itertools import groupby

import pytest

from perturb.engine.native import binding

pytestmark = pytest.mark.skipif(binding.LIBRARY is None, reason="NumPy goes other ways")

TRACED = """
import json, sys
from inspect import CO_OPTIMIZED
from pathlib import Path
import perturb, perturb.perturbators.letters.chars
from perturb.cli import main
apply = perturb.apply
home, files = str(Path(perturb.__file__).parent), []
def note(frame, event, _):
    name = frame.f_code.co_filename
    # Bodies of modules and classes run when a file is imported, and are no calls.
    if event == "call" and name.startswith(home) and frame.f_code.co_flags & CO_OPTIMIZED:
        files.append(name[len(home) + 1 :])
sys.setprofile(note)
{call}
sys.setprofile(None)
print(json.dumps(files))
"""


def walked(call, folder):
    """The calls, the files, and the returns to a file that was left, of a call in a new process."""
    done = subprocess.run(
        [sys.executable, "-c", TRACED.format(call=call)],
        cwd=folder,
        capture_output=True,
        check=True,
    )
    files = json.loads(done.stdout)
    visits = [file for file, _ in groupby(files)]
    return len(files), len(set(files)), len(visits) - len(set(files))


APPLY = 'apply("The quick brown fox jumps over the lazy dog.", {})'


@pytest.mark.slow
@pytest.mark.parametrize(
    ("steps", "most"),
    [
        # The first call of all: it reads the step, looks it up, and calls a kernel.
        ("'char_delete', p=.1", (179, 24, 47)),
        ("{'name': 'char_delete', 'p': .1}", (186, 25, 49)),
        ("'grid(char_delete:p=0.1)'", (182, 24, 48)),
        # A step that no kernel does alone runs the engine.
        ("'char_replace', p=.1", (308, 34, 92)),
        # What is protected is read by a file of its own, which looks for parts first.
        ("'char_delete', p=.1, protect='number'", (328, 38, 97)),
    ],
)
def test_a_first_call_reads_its_steps_once(steps, most, tmp_path) -> None:
    walk = walked(APPLY.format(steps), tmp_path)
    assert all(count <= limit for count, limit in zip(walk, most, strict=True)), walk


@pytest.mark.slow
def test_a_call_that_came_before_is_not_read_again(tmp_path) -> None:
    """The second call reads no step: it looks up the job, and runs the engine."""
    call = APPLY.format("'char_delete', p=.1")
    first, second = (walked(calls, tmp_path)[0] for calls in (call, f"{call}; {call}"))
    assert second - first < 0.65 * first


@pytest.mark.slow
def test_a_command_on_a_hundred_rows(tmp_path) -> None:
    rows = (f'{{"id": "q{n}", "text": "The quick brown fox number {n}"}}\n' for n in range(100))
    (tmp_path / "in.jsonl").write_text("".join(rows))
    words = ["apply", "char_delete", "-p", "0.1", "-i", "in.jsonl", "-o", "out.jsonl"]
    _, files, returns = walked(f"main({words})", tmp_path)
    assert files <= 50, (files, returns)
    assert returns <= 320, (files, returns)
