"""Write the SHA-256 of every table, after any of them has changed.

    python wordlists/build/hashes.py wordlists

The file is as `sha256sum --check` reads it.
"""

import sys
from hashlib import sha256
from pathlib import Path

TABLES = (".json", ".npy", ".npz", ".tsv")


def main(folder):
    folder = Path(folder)
    paths = sorted(path for path in folder.rglob("*") if path.suffix in TABLES)
    with (folder / "HASHES").open("w", encoding="utf-8", newline="\n") as out:
        for path in paths:
            name = path.relative_to(folder).as_posix()
            out.write(f"{sha256(path.read_bytes()).hexdigest()}  {name}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
