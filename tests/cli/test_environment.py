"""The environment of the programs that a command starts."""

import os
import subprocess
import sys

import pytest


@pytest.mark.slow
@pytest.mark.parametrize("command", ["run", "score"])
def test_the_callers_own_program_has_the_environment_of_the_caller(tmp_path, command):
    """Its libraries start as many threads as it likes, whether it answers or judges."""
    program = tmp_path / "program.py"
    program.write_text(
        "import os, sys\n"
        "for line in sys.stdin:\n"
        "    print('Verdict: right' + str(os.environ.get('OPENBLAS_NUM_THREADS')), flush=True)\n"
    )
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"id": "a", "text": "How many?", "answer": "4", "prediction": "five"}\n')
    options = {
        "run": [str(rows), "-o", str(tmp_path / "answers.jsonl"), "--prediction", "said"],
        "score": [str(rows), "--match", "judge"],
    }
    call = [*options[command], "--command", f"{sys.executable} {program}"]
    given = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    given.pop("OPENBLAS_NUM_THREADS", None)
    subprocess.run(
        [sys.executable, "-m", "perturb", command, *call], env=given, capture_output=True
    )
    answers = "".join(path.read_text() for path in tmp_path.glob("*.j*") if path != rows)
    assert "Verdict: rightNone" in answers
