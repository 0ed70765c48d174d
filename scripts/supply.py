"""Check a wheel: its contents, and that it works with the lowest and newest of what it needs.

    python scripts/supply.py dist/perturb_text-0.2.0-py3-none-any.whl

The wheel must hold the files of the package and the tables, byte for byte, the compiled kernels,
what describes it, and nothing else. For each other Python from 3.11 that is found, the newest
dependencies are installed into a fresh environment; for the oldest Python the lowest that
pyproject.toml allows. There every way to call a perturbator must give its golden text, and
fuzz/contract.py and fuzz/mutations.py must find nothing. Run it with `pip install uv`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
VERSIONS = ["3.11", "3.12", "3.13", "3.14"]
GOLDENS = """
import sys; sys.path.append("tests")
import numpy, orjson, regex, tqdm, yaml
import perturb
from cases import CASES, SENTENCE
assert "site-packages" in perturb.__file__, perturb.__file__
CASES = [one for one in CASES if "dictionary=" not in one.spec]  # needs a package of its own
made = [perturb.apply(SENTENCE, one.spec, p=0.2, seed=1).text for one in CASES]
wrong = [one.spec for one, text in zip(CASES, made) if text != one.golden]
assert not wrong, wrong
print(sys.version.split()[0], "numpy", numpy.__version__, "orjson", orjson.__version__, "regex",
      regex.__version__, "yaml", yaml.__version__, "tqdm", tqdm.__version__, len(CASES), "goldens")
"""


def expected() -> dict[str, Path]:
    """Return the files that a wheel must hold, by their names in it."""
    targets = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    folders = {"perturb": "perturb", **targets["force-include"]}
    files = {}
    for folder, name in folders.items():
        source = ROOT / folder
        for path in [source] if source.is_file() else sorted(source.rglob("*")):
            if path.is_file() and not {"__pycache__"} & set(path.parts):
                files[f"{name}/{path.relative_to(source)}".removesuffix("/.")] = path
    return {
        name: path
        for name, path in files.items()
        if path.suffix not in (".c", ".h", ".pyc") and path.name != "_kernels.so"
    }


def check_contents(wheel: Path) -> None:
    """Fail if a wheel lacks a file, has one too many, or one with other bytes."""
    files = expected()
    with ZipFile(wheel) as file:
        names = {
            name for name in file.namelist() if not name.partition("/")[0].endswith(".dist-info")
        }
        extra = names - set(files) - {"perturb/engine/native/_kernels.so"}
        missing = set(files) - names
        differ = [
            name for name in set(files) & names if file.read(name) != files[name].read_bytes()
        ]
    if extra or missing or differ:
        sys.exit(f"{wheel.name}: too many {extra}; missing {missing}; other bytes {differ}")
    print(f"{wheel.name} holds the {len(files)} files of the list, byte for byte")


def lowest() -> list[str]:
    """Return the lowest versions of the dependencies."""
    return [re.sub(r">=", "==", bound) for bound in PROJECT["project"]["dependencies"]]


def interpreters() -> dict[str, str]:
    """Return the Pythons that are found, by version."""
    paths = {}
    folders = sorted(
        Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/*/bin")
    )
    for version in VERSIONS:
        name = f"python{version}"
        if path := next(
            (str(place / name) for place in folders if (place / name).exists()),
            shutil.which(name),
        ):
            paths[version] = path
    return paths


def check_install(python: str, wheel: Path, dependencies: list[str]) -> None:
    """Install a wheel into a fresh environment, and try it there."""
    with tempfile.TemporaryDirectory() as folder:
        uv, fresh = [sys.executable, "-m", "uv"], str(Path(folder, "fresh"))
        subprocess.run([*uv, "venv", "--quiet", "--python", python, fresh], check=True)
        install = ["pip", "install", "--quiet", "--python", fresh, "--only-binary", ":all:"]
        subprocess.run([*uv, *install, str(wheel), *dependencies], check=True)
        inside = str(Path(fresh, "bin", "python"))
        for call in (
            ["-P", "-W", "error", "-c", GOLDENS],
            ["fuzz/contract.py", "--cases", "1000", "--seconds", "5"],
            ["fuzz/mutations.py", "--cases", "20", "--seconds", "5"],
        ):
            subprocess.run([inside, *call], check=True, cwd=ROOT)


def main() -> None:
    """Check one wheel."""
    wheel = Path(sys.argv[1]).resolve()
    check_contents(wheel)
    paths = interpreters()
    running = ".".join(map(str, sys.version_info[:2]))  # the tests run on the newest there
    for python in (path for version, path in paths.items() if version != running):
        check_install(python, wheel, [])
    check_install(paths[min(paths)], wheel, lowest())
    print(
        f"tried on {', '.join(paths)}; not found: {', '.join(set(VERSIONS) - set(paths)) or 'none'}"
    )


if __name__ == "__main__":
    main()
