"""Write the homophones that writers are known to confuse, with how often they do.

    python wordlists/build/homophone_confusions.py holbrook-tagged.dat missp.dat wordlists

Both files are R. Mitton's, of the Birkbeck spelling error corpus: the first is text with each error
tagged, the second has what was written for a word somewhere. A pair of `homophones.tsv` weighs as
many as the first counts, and one where only the second has it. Of words of closed classes, which a
text has many of, pairs stay that were found twice in the text; else half of all errors would be
"bee" for "be". Run after homophones.py.
"""

import re
import sys
from collections import Counter
from itertools import permutations
from pathlib import Path

HEADER = """\
# Homophones that writers confuse
# Source: counts of the Birkbeck spelling error corpus (R. Mitton), see SOURCES.md; own (5)
# Licence: MIT (LICENSE); the counts are facts, no text of the corpus is here
# Made by: wordlists/build/homophone_confusions.py
# Columns: word; what is written for it; weight

"""
TAGGED = re.compile(r"<ERR targ=([^>]+)>\s*([^<]+?)\s*</ERR>")
MOST = 20
FEWEST_OF_CLOSED_CLASS = 2
# In every guide to usage, and rare or absent in a corpus of school children of the 1960s.
KNOWN = (
    "its it's,it's its,your you're,you're your,their they're,they're their,they're there,"
    "there they're,whose who's,who's whose,to too,hour our,by buy,affect effect,effect affect,"
    "complement compliment,compliment complement,principal principle,principle principal,"
    "led lead,passed past,past passed,peek peak,sight site,site sight,weather whether,"
    "whether weather,role roll,break brake,brake break,piece peace,peace piece,through threw,"
    "threw through,discreet discrete,discrete discreet,stationery stationary,capital capitol,"
    "council counsel,cite site,allowed aloud,aloud allowed,bare bear,board bored,bored board"
).split(",")
# Attested in tests of single words, where nobody would write them in a text.
UNLIKELY = {("ere", "air"), ("ere", "err"), ("ere", "heir"), ("use", "yous"), ("when", "wen"),
            ("i", "eye"), ("eye", "i"), ("last", "lass"), ("sack", "sac"), ("made", "maid"),
            ("mill", "mil"), ("find", "fined"), ("hold", "holed"), ("one", "won"), ("fur", "fer"),
            ("coat", "cote"), ("oh", "ow"), ("read", "reed"), ("walk", "wok"), ("wore", "war")}  # fmt: skip


def read(path):
    return [line.split("\t") for line in path.read_text("utf-8").partition("\n\n")[2].splitlines()]


def counted(tagged):
    """Return how often each word was written for another, from text with tagged errors."""
    return Counter(
        (right.strip().lower(), wrong.lower()) for right, wrong in TAGGED.findall(tagged)
    )


def attested(lines):
    """Return the pairs of a list that has `$word` before what was written for it."""
    pairs, right = set(), ""
    for line in lines:
        word = line.strip().replace("_", " ").lower()
        if word.startswith("$"):
            right = word[1:]
        else:
            pairs.add((right, word))
    return pairs


def main(tagged, listed, target):
    target = Path(target) / "english"
    groups = [row[0].split(" ") for row in read(target / "homophones.tsv")]
    alike = {pair for group in groups for pair in permutations(group, 2)}
    closed = {row[0] for row in read(target / "stop_words.tsv")}
    counts = counted(Path(tagged).read_text("utf-8"))
    single = attested(Path(listed).read_text("latin-1").splitlines())
    weights = {tuple(pair.split(" ")): 5 for pair in KNOWN}
    for pair in alike - UNLIKELY:
        times = counts[pair]
        if times >= FEWEST_OF_CLOSED_CLASS or (pair[0] not in closed and (times or pair in single)):
            weights[pair] = max(weights.get(pair, 0), min(max(times, 1), MOST))
    with (target / "homophone_confusions.tsv").open("w", encoding="utf-8", newline="\n") as out:
        out.write(HEADER)
        rows = sorted((*pair, str(weight)) for pair, weight in weights.items())
        out.writelines("\t".join(row) + "\n" for row in rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
