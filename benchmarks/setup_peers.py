"""Install the libraries that the benchmarks compare with, each into an environment of its own.

Run it as `python benchmarks/setup_peers.py`.
"""

import subprocess
import venv
from pathlib import Path

ENVIRONMENTS = Path(__file__).parent / ".envs"
PEERS = {
    "nlpaug": ("nlpaug==1.1.11", "nltk==3.10.4", "numpy==2.4.6", "pandas==3.1.1"),
    "glitchlings": ("glitchlings==1.0.0",),
}


def python_of(peer):
    """The interpreter of a peer's environment."""
    windows, other = ENVIRONMENTS / peer / "Scripts/python.exe", ENVIRONMENTS / peer / "bin/python"
    return windows if windows.exists() else other


def main():
    for peer, packages in PEERS.items():
        print(f"{peer}: {' '.join(packages)}", flush=True)
        venv.create(ENVIRONMENTS / peer, with_pip=True, clear=True)
        install = [python_of(peer), "-m", "pip", "install", "--quiet", *packages]
        if subprocess.run(install, check=False).returncode:
            print(f"{peer}: could not be installed; the benchmarks go on without it")


if __name__ == "__main__":
    main()
