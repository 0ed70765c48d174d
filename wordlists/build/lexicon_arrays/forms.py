"""Every inflected form of every word, from the suffix rules and the table of exceptions."""

from __future__ import annotations

import re

from lexicon_arrays.inflect import inflect
from perturb.lexicon.tags import POS_TAGS

Exceptions = dict[tuple[str, str], str]

# What follows the head of a noun: "man of war", "mother-in-law", "point in time".
_TAIL = re.compile(r"[ -](of|in|to|for|on|at|by|up|from|with|de|la|and|the)[ -].*")
_LAST = re.compile(r".*[ -]")


def forms(pos: int, name: str, exceptions: Exceptions) -> list[str | None]:
    """Inflect a word with every tag of its part of speech.

    Args:
        pos: 0 noun, 1 verb, 2 adjective, 3 adverb.
        name: one or more words.
        exceptions: (word, tag) to form; "-" where there is none.

    Returns:
        One form a tag, in the order of `POS_TAGS`; None where the word has none.

    Examples:
        >>> forms(0, "mother-in-law", {})
        ['mother-in-law', 'mothers-in-law']
        >>> forms(1, "give up", {("give", "VBD"): "gave", ("give", "VBN"): "given"})
        ['give up', 'gives up', 'gave up', 'given up', 'giving up']
    """
    return [_form(name, pos, tag, exceptions) for tag in POS_TAGS[pos]]


def _form(name: str, pos: int, tag: str, exceptions: Exceptions) -> str | None:
    if (name, tag) in exceptions:
        found = exceptions[name, tag]
        return None if found == "-" else found
    if tag == POS_TAGS[pos][0]:
        return name
    if pos >= 2:
        return None
    before, head, after = _split(name, pos)
    found = exceptions.get((head, tag)) or inflect(head, tag)
    return None if found == "-" else before + found + after


def _split(name: str, pos: int) -> tuple[str, str, str]:
    """Cut a name into what stands before its head, the head, and what stands after."""
    if pos == 1 and " " in name:
        head, _, rest = name.partition(" ")
        return "", head, " " + rest
    tail = _TAIL.search(name) if pos == 0 else None
    after = tail.group() if tail else ""
    name = name.removesuffix(after)
    before = _LAST.match(name)
    start = before.end() if before else 0
    return name[:start], name[start:], after
