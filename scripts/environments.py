"""Run each page of the documentation in an environment with what the page says to install.

    python scripts/environments.py dist/perturb_text-0.2.0-py3-none-any.whl [SITE]

The README's first command is run as it is printed, in a copy of this checkout, and its environment
is that of all pages that say no more. Any other page is read in a fresh one, into which an extra
or a package comes where the page names it after `pip install`, or where a comment before a block
says that its readers have it (`<!-- needs: polars -->`): what stands above works without. The last
environment has the extra `docs` alone and writes the site, into the folder SITE if there is one.

Run it with `pip install uv`.
"""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tests"))
import pages_shown  # noqa: E402

UV = Path(sys.executable).with_name("uv")
os.environ["UV_LINK_MODE"] = "hardlink"  # nothing is written here, and files keep their times

# By module, where the package has another name.
PACKAGES = {"sklearn": "scikit-learn"}
# Blocks that need these are read only in the environment of the tests, where they may be missing.
LARGE = {
    *("[inspect]", "[nlpaug]", "[spacy]", "datasets", "glitchlings", "langtest", "nlaugmenter"),
    *("[sentence-transformers]", "[transformers]", "nlpaug", "ray", "textattack", "torch"),
}
READ = """
import sys
import perturb
assert "site-packages" in perturb.__file__, perturb.__file__
sys.path.append("scripts")
import environments
environments.read(*sys.argv[1:])
"""


def needed(page: Path) -> Iterator[tuple[str, ...]]:
    """Yield what each block needs that is read here."""
    return (block.needs for block in pages_shown.blocks(page) if not LARGE & {*block.needs})


def read(page: str, wheel: str, uv: str) -> None:
    """Read a page in the environment that runs this, and install into it what the page says."""

    def install(block: pages_shown.Block) -> None:
        missing = [one for one in block.needs if not pages_shown.is_there(one)]
        if missing and not LARGE & {*block.needs}:
            named = (wheel + one if one[0] == "[" else PACKAGES.get(one, one) for one in missing)
            called(uv, "pip", "install", "--quiet", "--python", sys.executable, *named)
            importlib.invalidate_caches()

    with tempfile.TemporaryDirectory() as folder, pages_shown.reading(Path(folder)) as reader:
        assert reader.read(Path(page), install)


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


def environment(folder: Path, wanted: str) -> Path:
    """Return a fresh environment with what is wanted."""
    called(UV, "venv", "--quiet", "--python", sys.executable, folder)
    called(UV, "pip", "install", "--quiet", "--python", folder, wanted)
    return folder


def main(wheel: Path, site: Path | None) -> None:
    """Read all pages."""
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(3) as pool:
        folder = Path(name)
        pages = {page: {*needed(page)} for page in pages_shown.PAGES}
        more = {page for page, each in pages.items() if any(each)}

        def read_in(where: Path, page: Path) -> None:
            # Each page by itself: what one registers, the next must not find.
            called(where / "bin/python", "-P", "-c", READ, page, wheel, UV)
            out = {one for block in pages_shown.blocks(page) for one in block.needs} & LARGE
            but = f", but for what needs {', '.join(sorted(out))}" if out else ""
            print(f"{page.relative_to(ROOT)} is read{but}", flush=True)

        def plain() -> None:
            where = first(folder)
            for page, each in pages.items():
                if each and page not in more:
                    read_in(where, page)

        # All at one path, since bytecode goes by the path and the time of a source.
        def extended() -> None:
            for page in sorted(more):
                read_in(environment(folder / "fresh", str(wheel)), page)
                shutil.rmtree(folder / "fresh")

        def build() -> None:
            where = environment(folder / "docs", f"{wheel}[docs]")
            called(where / "bin/python", "scripts/build_site.py", site or folder / "site")

        for job in [pool.submit(one) for one in (extended, build, plain)]:
            job.result()


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]) if sys.argv[2:] else None)
