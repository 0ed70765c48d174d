"""mypy and pyright accept right uses of the public API, and refuse wrong ones, line by line.

Right uses are also all examples in Python of the README and of docs/; pyright, which takes ten times
as long, reads them with --heavy alone.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pages_shown
import pytest

ROOT = Path(__file__).parents[1]
RIGHT, WRONG = ROOT / "tests" / "typing" / "right.py", ROOT / "tests" / "typing" / "wrong.py"


# Examples leave out what readers don't need to see, and use names again for other things.
RELAXED = (
    "# mypy: allow-untyped-defs, allow-untyped-calls, allow-any-generics, allow-redefinition\n"
)
RELAXED += '# mypy: disable-error-code="import-not-found,import-untyped,no-redef,unused-ignore"\n'
RELAXED += "# pyright: reportMissingImports=false\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the Python of each page."""
    made = tmp_path_factory.mktemp("examples")
    for page in pages_shown.PAGES:
        for name, text in pages_shown.sources(page).items():
            (made / name).write_text(RELAXED + text, "utf-8")
    assert len([*made.iterdir()]) > 20
    return made


def wanted():
    """The lines on which an error is expected."""
    lines = WRONG.read_text("utf-8").splitlines()
    return {number for number, line in enumerate(lines, 1) if "# wrong" in line}


@pytest.mark.slow
def test_mypy(folder) -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", RIGHT, WRONG]
    command += sorted(folder.iterdir())
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    found = re.findall(r"^(\S+):(\d+): error: ", done.stdout, re.MULTILINE)
    assert found, done.stderr
    assert {Path(file).name for file, _ in found} == {WRONG.name}, done.stdout
    assert {int(line) for _, line in found} == wanted(), done.stdout


@pytest.mark.slow
def test_pyright(folder, in_full) -> None:
    pytest.importorskip("pyright", reason="pyright is not installed")
    probe = [sys.executable, "-m", "pyright", "--version"]
    if shutil.which("node") is None or subprocess.run(probe, capture_output=True).returncode:
        pytest.skip("pyright needs node, and on its first run a network")
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run(
        [*command, RIGHT, WRONG, *[folder] * in_full],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    said = json.loads(done.stdout[done.stdout.index("{") :])["generalDiagnostics"]
    errors = [one for one in said if one["severity"] == "error"]
    assert {Path(one["file"]).name for one in errors} == {WRONG.name}, errors
    lines = {one["range"]["start"]["line"] + 1 for one in errors}
    assert lines == wanted(), errors
