"""Build and check a release: an sdist, a wheel with kernels made from it, and one of pure Python.

    python scripts/release.py FOLDER [TAG]

Run it with `pip install build hatchling twine uv`. A TAG must be `v` and the version, and the bytes
of a tagged release are those on record: `docs/reference/bytes.tsv` has the digest of the golden
texts of each version. Nothing is published.
"""

import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from runpy import run_path

ROOT = Path(__file__).parents[1]
RECORD = ROOT / "docs" / "reference" / "bytes.tsv"
VERSION = run_path(str(ROOT / "perturb" / "_version.py"))["__version__"]


def digest() -> str:
    """Return the SHA-256 of the golden texts, each with the step that makes it."""
    cases = run_path(str(ROOT / "tests" / "cases.py"))["CASES"]
    return sha256("".join(f"{case.spec}\t{case.golden}\n" for case in cases).encode()).hexdigest()


def recorded() -> dict[str, str]:
    """Return the digest of each version on record."""
    lines = RECORD.read_text("utf-8").splitlines()[1:]
    return dict(line.split("\t") for line in lines)


def check(tag: str) -> None:
    """Fail if a tag isn't that of this version, or its bytes aren't those on record."""
    if tag != f"v{VERSION}":
        sys.exit(f"the tag of version {VERSION} is v{VERSION}; got {tag}")
    if recorded().get(VERSION) != digest():
        sys.exit(f"{RECORD} must have the line {VERSION}\\t{digest()}")


def build(folder: Path) -> None:
    """Build the files of a release, and have twine check what they say of themselves."""
    build = [sys.executable, "-m", "build", "--installer", "uv", "--outdir", str(folder)]
    twine = [sys.executable, "-m", "twine"]
    subprocess.run([*build, str(ROOT)], check=True)  # the wheel from the sdist
    wheels = [sys.executable, str(ROOT / "scripts" / "wheels.py"), str(folder), "any"]
    subprocess.run(wheels, check=True)
    subprocess.run([*twine, "check", "--strict", *map(str, folder.iterdir())], check=True)


if __name__ == "__main__":
    folder, *tags = sys.argv[1:]
    for tag in tags:
        check(tag)
    build(Path(folder))
