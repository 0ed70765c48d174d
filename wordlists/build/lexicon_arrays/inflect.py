"""Suffix rules of English inflection; the exceptions stand in `wordlists/english/inflections.tsv`."""

from __future__ import annotations

import re

_HISS = re.compile(r"(s|x|z|ch|sh)$")
_CONSONANT_Y = re.compile(r"(?<![aeiou])y$")
# One vowel between consonants in a one-syllable word: the last consonant is written twice.
_DOUBLES = re.compile(r"(qu|[^aeiouy]*)[aeiouy][^aeiouwxy]")
_KEEPS_E = re.compile(r"(ee|oe|ye)$")


def inflect(lemma: str, tag: str) -> str:
    """Inflect a word as a regular one.

    Args:
        lemma: lower-case word, its dictionary form.
        tag: Penn Treebank tag: NN NNS VB VBZ VBD VBN VBG JJ JJR JJS RB RBR RBS.

    Returns:
        The form; for a base tag the word itself.

    Raises:
        KeyError: no such tag.

    Examples:
        >>> inflect("box", "NNS"), inflect("stop", "VBG"), inflect("early", "RBR")
        ('boxes', 'stopping', 'earlier')
    """
    return _RULES[tag](lemma)


def _base(lemma: str) -> str:
    return lemma


def _s(lemma: str) -> str:
    if _HISS.search(lemma):
        return lemma + "es"
    return _CONSONANT_Y.sub("ie", lemma) + "s"


def _stem(lemma: str) -> str:
    return lemma + lemma[-1] if _DOUBLES.fullmatch(lemma) else lemma


def _e_suffix(lemma: str, suffix: str) -> str:
    if lemma.endswith("e"):
        return lemma + suffix[1:]
    if _CONSONANT_Y.search(lemma):
        return lemma[:-1] + "i" + suffix
    return _stem(lemma) + suffix


def _ed(lemma: str) -> str:
    return _e_suffix(lemma, "ed")


def _er(lemma: str) -> str:
    return _e_suffix(lemma, "er")


def _est(lemma: str) -> str:
    return _e_suffix(lemma, "est")


def _ing(lemma: str) -> str:
    if lemma.endswith("ie"):
        return lemma[:-2] + "ying"
    if lemma.endswith("e") and not _KEEPS_E.search(lemma):
        return lemma[:-1] + "ing"
    return _stem(lemma) + "ing"


_RULES = {
    "NN": _base,
    "NNS": _s,
    "VB": _base,
    "VBZ": _s,
    "VBD": _ed,
    "VBN": _ed,
    "VBG": _ing,
    "JJ": _base,
    "JJR": _er,
    "JJS": _est,
    "RB": _base,
    "RBR": _er,
    "RBS": _est,
}
