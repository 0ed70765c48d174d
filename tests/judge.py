"""Whether a replacement keeps part of speech and inflection: slowly, and apart from the lexicon.

It shares nothing with `perturb.lexicon` but the text of WordNet: forms come from the rules below
and a list of irregular words written by hand (`lexicon/irregular.tsv`).
"""

import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
WORDNET = HERE.parent / "wordlists/wordnet"
FILES = {"N": "noun.tsv", "V": "verb.tsv", "J": "adjective.tsv", "R": "adverb.tsv"}
BASE = ("NN", "VB", "JJ", "RB")
# Column of `irregular.tsv` that has the form with a tag.
COLUMN = {"NNS": 1, "VBD": 1, "VBN": 2, "JJR": 1, "JJS": 2, "RBR": 1, "RBS": 2}
MARK = re.compile(r"\*([^/*]+)/([A-Z-]+)\*")


class Sentence(NamedTuple):
    """A sentence, and the tag of the words that have one by where they start."""

    text: str
    tags: dict[int, str]


def sentences(name):
    """Read a table of marked sentences beside the tests of the lexicon."""
    return [_unmarked(line) for line in _lines(HERE / "lexicon" / name)]


def keeps(word, tag, replacement):
    """Say whether two words are synonyms with the tag: some word of a synset is spelled so."""
    return bool(_synsets(word.lower(), tag) & _synsets(replacement.lower(), tag))


def article_of(word):
    """"a" or "an" before a word, by its letters and the few that sound otherwise."""
    if re.match(r"hour|honest|honor|honour|heir|[lmnrsxf]{2,}$", word.lower()):
        return "an"
    if re.match(r"uni[^mn]|use|usu|uti|eu|one|once", word.lower()):
        return "a"
    return "an" if word[0].lower() in "aeiou" else "a"


def _unmarked(line):
    text, tags, last = "", {}, 0
    for match in MARK.finditer(line):
        text += line[last : match.start()]
        tags[len(text)] = match[2]
        text += match[1]
        last = match.end()
    return Sentence(text + line[last:], tags)


@cache
def _synsets(form, tag):
    """The synsets of the words that have `form` with `tag`."""
    known = _wordnet(tag[0])
    return {key for word in known if _near(word, form) and _spelled(word, tag, form) for key in known[word]}


def _near(word, form):
    """Say which words to look at at all; irregular words need not begin alike."""
    return word[:2] == form[:2] or word in _irregular() or word.partition(" ")[0] in _irregular()


def _spelled(word, tag, form):
    """Say whether a word, of which the first (verbs) or last part is inflected, has this form."""
    if tag in BASE:
        return word == form
    if tag[0] == "V":
        head, blank, rest = word.partition(" ")
        return form.endswith(blank + rest) and form.removesuffix(blank + rest) in _forms(head, tag)
    rest, blank, head = word.rpartition(" ")
    return form.startswith(rest + blank) and form.removeprefix(rest + blank) in _forms(head, tag)


@cache
def _forms(word, tag):
    """Every accepted form of a word."""
    if tag in COLUMN and word in _irregular():
        return set(_irregular()[word][COLUMN[tag] - 1].split(" "))
    if tag in ("NNS", "VBZ"):
        if re.search(r"(s|x|z|ch|sh)$", word):
            return {word + "es"}
        if re.search(r"[^aeiou]y$", word):
            return {word[:-1] + "ies"}
        return {word + "s"} | ({word + "es"} if word.endswith("o") else set())
    return _suffixed(word, {"VBG": "ing", "VBD": "ed", "VBN": "ed"}.get(tag, "er" if tag.endswith("R") else "est"))


def _suffixed(word, suffix):
    if suffix == "ing":
        if word.endswith("ie"):
            return {word[:-2] + "ying"}
        if re.search(r"[^eoy]e$", word):
            return {word[:-1] + "ing"}
    elif word.endswith("e"):
        return {word + suffix[1:]}
    elif re.search(r"[^aeiou]y$", word):
        return {word[:-1] + "i" + suffix}
    doubled = word + word[-1] + suffix
    if re.fullmatch(r"(qu|[^aeiou])*[aeiouy][^aeiouwxy]", word):
        return {doubled}
    # Of longer words the stress decides, which no rule here knows: permit, but visit.
    return {word + suffix, doubled} if re.search(r"[^aeiou][aeiou][^aeiouwxy]$", word) else {word + suffix}


@cache
def _irregular():
    return {row[0]: row[1:] for row in (line.split("\t") for line in _lines(HERE / "lexicon/irregular.tsv"))}


@cache
def _wordnet(initial):
    """The synsets of each word of one part of speech."""
    found = defaultdict(set)
    for number, line in enumerate(_lines(WORDNET / FILES[initial])):
        for member in line.split("\t")[1].split("|"):
            found[member.partition(":")[0].lower()].add(number)
    return found


def _lines(path):
    return path.read_text("utf-8").partition("\n\n")[2].splitlines()
