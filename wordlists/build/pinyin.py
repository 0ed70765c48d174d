"""Write the common Chinese characters by the syllable of pinyin that they are typed with, without tones.

    pip install pypinyin==0.55.0
    python wordlists/build/pinyin.py wordlists

The characters are those of the first level of GB 2312, 3,755 in common use; the reading is the usual one.
"""

import sys
from collections import defaultdict
from pathlib import Path

from pypinyin import lazy_pinyin

HEADER = """\
# Common Chinese characters by the syllable of pinyin that they are typed with
# Source: pypinyin 0.55.0 (its pinyin-data, from kMandarin of Unihan); the characters of the first level of GB 2312
# Licence: MIT (licenses/PYPINYIN.txt)
# Made by: wordlists/build/pinyin.py
# Columns: syllable, without tone; characters

"""
ROWS, CELLS = range(0xB0, 0xD8), range(0xA1, 0xFF)


def main(folder):
    """Write the table."""
    syllables = defaultdict(list)
    codes = b"".join(bytes([row, cell]) for row in ROWS for cell in CELLS)
    for character in codes.decode("gb2312", "ignore"):
        syllables[lazy_pinyin(character)[0]].append(character)
    lines = [f"{name}\t{''.join(own)}\n" for name, own in sorted(syllables.items()) if own[1:]]
    (Path(folder) / "languages/pinyin.tsv").write_text(HEADER + "".join(lines), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
