"""Say how many lines the short run of the tests covers, of those that the full run does.

    pip install coverage
    python scripts/covered.py [--workers N] [PATH ...]

The short run is the README's second command, the full one adds --slow, as CI does. Lines that run
in child processes count. Prints both shares of all lines, and the files that lose most. Measuring
takes twice the time of the tests; it fails if the short run covers less than `LEAST` of the full.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from coverage import Coverage, CoverageData

ROOT = Path(__file__).parents[1]
# A change that breaks something should fail within the minute that people wait, not first in CI.
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


def covered(folder: Path, *arguments: str) -> dict[str, set[int]]:
    """Return the lines that a run of the tests covers, by file."""
    folder.mkdir()
    config = folder / "coveragerc"
    config.write_text(CONFIG.format(folder / "data"), "utf-8")
    command = [sys.executable, "-m", "coverage", "run", f"--rcfile={config}", "-m", "pytest", "-q"]
    subprocess.run([*command, *arguments], cwd=ROOT, check=False)
    Coverage(config_file=str(config)).combine([str(folder)])
    data = CoverageData(str(folder / "data"))
    data.read()
    return {path: {*(data.lines(path) or ())} for path in data.measured_files()}


def statements(path: str) -> set[int]:
    """Return the lines of a file that can run."""
    return {*Coverage(data_file=None, config_file=False).analysis2(path)[1]}


def main() -> int:
    """Measure both runs, and print their shares."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--workers", default="auto", help="as for pytest -n (default: auto)")
    parser.add_argument("paths", nargs="*", help="tests to run (default: all)")
    given = parser.parse_args()
    options = ["-n", given.workers, *given.paths]
    with tempfile.TemporaryDirectory() as folder:
        short = covered(Path(folder, "short"), *options)
        full = covered(Path(folder, "full"), "--slow", *options)
    files = {path: statements(path) for path in map(str, (ROOT / "perturb").rglob("*.py"))}
    counts = {
        path: (len(full.get(path, set()) & lines), len(short.get(path, set()) & lines))
        for path, lines in files.items()
    }
    total = sum(map(len, files.values()))
    most, fewer = (sum(each) for each in zip(*counts.values(), strict=True))
    for path, (full_lines, short_lines) in sorted(
        counts.items(), key=lambda item: item[1][1] - item[1][0]
    )[:20]:
        print(f"{full_lines - short_lines:5} lines less  {os.path.relpath(path, ROOT)}")
    print(f"full run: {most:,} of {total:,} lines, {most / total:.1%}")
    print(f"short run: {fewer:,} lines, {fewer / total:.1%}, which is {fewer / most:.1%} of these")
    return int(fewer < LEAST * most)


if __name__ == "__main__":
    sys.exit(main())
