"""Write the common words of other languages that no English text has.

    pip install --no-deps stopwordsiso==0.7.1
    PYTHONPATH=. python wordlists/build/foreign_words.py .../stopwordsiso/stopwords-iso.json wordlists

The languages are those of `languages/function_words.tsv`. Words of less than three letters, words
of the lexicon and those that the source lists as English too are left out.
"""

import json
import sys
from pathlib import Path

import regex

from perturb.lexicon.hashing import hash_strings
from perturb.lexicon.store import surfaces_of_hashes

WORD = regex.compile(r"[\p{Ll}\p{M}]{3,8}")
HEADER = """\
# What: common words of languages in Latin script, to tell them from English
# Source: Stopwords ISO (PyPI stopwordsiso 0.7.1), Gene Diaz and contributors, without the words that English has
# Licence: MIT, licenses/STOPWORDS_ISO.txt
# Made by: build/foreign_words.py
# Columns: ISO 639-1 code; words of three to eight letters in lower case, separated by blanks

"""


def is_english(word):
    return surfaces_of_hashes(hash_strings([word]))[0] >= 0


def main(source, target):
    folder = Path(target) / "languages"
    listed = json.loads(Path(source).read_text("utf-8"))
    body = (folder / "function_words.tsv").read_text("utf-8").partition("\n\n")[2]
    known = dict(line.split("\t") for line in body.splitlines())
    with (folder / "foreign_words.tsv").open("w", encoding="utf-8", newline="\n") as out:
        out.write(HEADER)
        for language, own in known.items():
            words = set(listed[language]) - set(listed["en"]) - set(own.split())
            kept = [word for word in words if WORD.fullmatch(word) and not is_english(word)]
            out.write(f"{language}\t{' '.join(sorted(kept))}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
