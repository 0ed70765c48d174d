"""Say which share of the package's lines a run of the tests covers.

    pip install coverage
    python scripts/covered.py [ARGUMENTS OF PYTEST]

Without arguments that is the README's second command; with `-n auto --slow` it is the run of CI.
Lines that run in child processes count. Prints the share and the files with most lines left out,
and fails below `LEAST`. Measuring takes about twice the time of the tests.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from coverage import Coverage, CoverageData

ROOT = Path(__file__).parents[1]
# A change that breaks something should fail in the minute that people wait, not first in CI.
LEAST = 0.90
CONFIG = """\
[run]
source = perturb
data_file = {}
parallel = true
concurrency = multiprocessing, thread
patch = subprocess, _exit
sigterm = true
"""


def covered(folder: Path, arguments: list[str]) -> dict[str, set[int]]:
    """Return the lines that a run of the tests covers, by file."""
    config = folder / "coveragerc"
    config.write_text(CONFIG.format(folder / "data"), "utf-8")
    command = [sys.executable, "-m", "coverage", "run", f"--rcfile={config}", "-m", "pytest", "-q"]
    subprocess.run([*command, *arguments], cwd=ROOT, check=False)
    Coverage(config_file=str(config)).combine([str(folder)])
    data = CoverageData(str(folder / "data"))
    data.read()
    return {file: {*(data.lines(file) or ())} for file in data.measured_files()}


def main(arguments: list[str]) -> int:
    """Measure a run, and print its share."""
    with tempfile.TemporaryDirectory() as folder:
        lines_run = covered(Path(folder), arguments or ["-n", "auto"])
    total, left = 0, {}
    for file in (ROOT / "perturb").rglob("*.py"):
        lines = {*Coverage(data_file=None, config_file=False).analysis2(str(file))[1]}
        total += len(lines)
        left[file.relative_to(ROOT)] = len(lines - lines_run.get(str(file), set()))
    for path in sorted(left, key=lambda path: -left[path])[:20]:
        print(f"{left[path]:5} lines left out  {path}")
    share = 1 - sum(left.values()) / total
    print(f"{share:.1%} of {total:,} lines are covered")
    return int(share < LEAST)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
