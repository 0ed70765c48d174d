"""Build the wheels of a release: one for each platform, cross-compiled, and one of pure Python.

Run it as `python scripts/wheels.py FOLDER [PLATFORM ...]`, with `pip install build ziglang` in an
environment that has perturb's build requirements (hatchling). Nothing else needs it: an install
from source compiles with the system's compiler, or does without.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
# The platform of each wheel, and the target as zig names it; "any" is of pure Python.
TARGETS = {
    "manylinux_2_17_x86_64": "x86_64-linux-gnu.2.17",
    "manylinux_2_17_aarch64": "aarch64-linux-gnu.2.17",
    "musllinux_1_2_x86_64": "x86_64-linux-musl",
    "musllinux_1_2_aarch64": "aarch64-linux-musl",
    "macosx_11_0_x86_64": "x86_64-macos.11.0",
    "macosx_11_0_arm64": "aarch64-macos.11.0",
    "win_amd64": "x86_64-windows-gnu",
    "win_arm64": "aarch64-windows-gnu",
    "any": None,
}


def main(folder: str, *platforms: str) -> None:
    """Build the wheels of some platforms, or of all, into a folder."""
    if unknown := set(platforms) - set(TARGETS):
        sys.exit(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(TARGETS)}")
    for platform in platforms or TARGETS:
        build(Path(folder).absolute(), platform)
    for wheel in sorted(Path(folder).glob("*.whl")):
        print(wheel.name, f"{wheel.stat().st_size / 1e6:.1f} MB")


def build(folder: Path, platform: str) -> None:
    """Build one wheel."""
    target = TARGETS[platform]
    # A compiler that fails makes a wheel of pure Python.
    with_zig = f"-m ziglang cc -s -target {target}"
    compiler = f"{sys.executable} {with_zig if target else '-c exit(1)'}"
    environment = {**os.environ, "CC": compiler, "PERTURB_PLATFORM": platform}
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
