"""Write everything that derives from perturbators: `python scripts/refresh.py NAME [NAME ...]`.

Its place in the tables, the p of each severity, its label risk, the share of texts that it changes,
the hashes, the README's list, the types of `perturb.steps` and what `perturb list` says. Each
script reads what those before it wrote, and the first runs again at the end, since what is said of
a perturbator holds its figures.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SCRIPTS = (
    ("scripts/described.py",),
    ("benchmarks/severity.py", "NAMES"),
    ("benchmarks/label_risk.py", "NAMES"),
    ("benchmarks/reach.py",),
    ("wordlists/build/hashes.py", "wordlists"),
    ("scripts/formats.py",),
    ("scripts/steps.py",),
    ("scripts/described.py",),
)


def refresh(names: list[str]) -> None:
    """Run each script for some perturbators, and stop where one fails.

    Raises:
        subprocess.CalledProcessError: a script failed; it printed why.
    """
    # The scripts are about this checkout, whichever perturb the environment has.
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    for script, *words in SCRIPTS:
        arguments = names if words == ["NAMES"] else words
        print("python", script, *arguments, flush=True)
        command = [sys.executable, script, *arguments]
        subprocess.run(command, cwd=ROOT, env=environment, check=True)


if __name__ == "__main__":
    if not sys.argv[1:]:
        sys.exit(f"name at least one perturbator\n\n{__doc__}")
    refresh(sys.argv[1:])
