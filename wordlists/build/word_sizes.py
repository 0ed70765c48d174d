"""Write SCOWL's common words with their size class, and the words that are also names.

apt-get download scowl
dpkg -x scowl_*.deb x
python wordlists/build/word_sizes.py x/usr/share/dict/scowl wordlists
"""

import re
import sys
from pathlib import Path

LARGEST = 60
LARGEST_NAME = 50
WORD = re.compile(r"[a-z][a-z'-]*")
HEADER = """\
# {what}
# Source: SCOWL 2020.12.07 (Debian scowl 2020.12.07-2), Kevin Atkinson
# Licence: licenses/SCOWL.txt
# Made by: wordlists/build/word_sizes.py
# Columns: {columns}

"""


def read(folder, kinds, largest):
    """Return {entry: smallest size class it stands in}, classes 10 (most common) to `largest`."""
    sizes = {}
    for path in sorted(folder.iterdir()):
        kind, _, size = path.name.rpartition(".")
        if kind in kinds and int(size) <= largest:
            for word in path.read_text("latin-1").split():
                sizes[word] = min(sizes.get(word, 100), int(size))
    return sizes


def main(source, target):
    source, target = Path(source), Path(target)
    sizes = read(source, {"english-words", "american-words"}, LARGEST)
    words = sorted(w for w in sizes if WORD.fullmatch(w) and not w.endswith("'s"))
    with (target / "english" / "word_sizes.tsv").open("w", encoding="utf-8", newline="\n") as out:
        out.write(HEADER.format(what="Common American English words", columns="word; size, 10-60"))
        out.writelines(f"{word}\t{sizes[word]}\n" for word in words)
    kinds = {
        f"{where}-{kind}" for where in ("english", "american") for kind in ("proper-names", "upper")
    }
    names = {name.lower() for name in read(source, kinds, LARGEST_NAME)}
    with (target / "english" / "names.tsv").open("w", encoding="utf-8", newline="\n") as out:
        out.write(
            HEADER.format(what="Common words that are names when capitalised", columns="word")
        )
        out.writelines(f"{word}\n" for word in words if word in names)


if __name__ == "__main__":
    main(*sys.argv[1:])
