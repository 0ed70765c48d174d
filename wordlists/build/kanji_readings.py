"""Write the Japanese nouns of two kanji that are read alike, which an input method takes for each other.

    pip install janome==0.5.0
    python wordlists/build/kanji_readings.py wordlists

Both kanji are of the first level of JIS X 0208, 2,965 in common use. The dictionary has no counts, but costs that were learned from a
corpus: where very many words of a kind have the same, they were not in it, and are left out. Of a reading the four cheapest are taken.
"""

import sys
from collections import Counter, defaultdict
from pathlib import Path

from janome.sysdic import entries

HEADER = """\
# Japanese nouns of two kanji by their reading
# Source: mecab-ipadic 2.7.0-20070801 of the Nara Institute of Science and Technology (PyPI janome 0.5.0); first level of JIS X 0208
# Licence: IPADIC (licenses/IPADIC.txt)
# Made by: wordlists/build/kanji_readings.py
# Columns: words, between spaces

"""
ROWS, CELLS = range(0xB0, 0xD0), range(0xA1, 0xFF)
KINDS = ("一般", "サ変接続", "形容動詞語幹", "副詞可能")
MOST, UNSEEN = 4, 200
# What nobody wants to find in place of another word.
TABOO = set(
    "性交 性器 精子 精液 射精 売春 買春 強姦 自慰 肛門 痴漢 痴女 変態 娼婦 愛液 遊女 情交 淫行 屍姦 白痴 土人 支那".split()
)


def main(folder):
    """Write the table."""
    codes = b"".join(bytes([row, cell]) for row in ROWS for cell in CELLS)
    common = set(codes.decode("euc_jp", "ignore"))
    rows = []
    for word, _, _, cost, parts, _, _, _, reading, _ in entries().values():
        part, kind, *_ = parts.split(",")
        if (
            len(word) == 2
            and part == "名詞"
            and kind in KINDS
            and common.issuperset(word)
            and word not in TABOO
        ):
            rows.append((reading, word, kind, cost))
    alike = Counter((kind, cost) for _, _, kind, cost in rows)
    costs = defaultdict(dict)
    for reading, word, kind, cost in rows:
        if alike[kind, cost] < UNSEEN:
            costs[reading][word] = min(cost, costs[reading].get(word, cost))
    rows = {
        " ".join(sorted(own, key=lambda word: (own[word], word))[:MOST]): None
        for _, own in sorted(costs.items())
        if len(own) > 1
    }
    text = "".join(f"{row}\n" for row in rows)
    (Path(folder) / "languages/kanji_readings.tsv").write_text(HEADER + text, "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
