"""The checks of a rewording, in one table; each says the fault that it finds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import regex

from perturb.engine.batch import Batch
from perturb.engine.presets import PRESETS
from perturb.engine.text import scripts
from perturb.errors import UsageError, shown, unknown
from perturb.lexicon.english import foreign_languages, is_foreign
from perturb.lexicon.store import surfaces_of_words
from perturb.resources import read_rows
from perturb.robustness.grading.matches import function_at
from perturb.robustness.grading.number_words import numbers_in_words
from perturb.robustness.grading.numbers import NUMBER, in_one_notation, value_of
from perturb.robustness.grading.units import unit_named
from perturb.robustness.metrics.embedding import cosine_similarities, embedder

# From a text and its rewording to the fault; "" if the check passes.
Check = Callable[[str, str], str]

# The length of a rewording, in lengths of the text. Chosen by hand: answers are shorter, and
# explanations, or several versions at once, are longer.
_SHORTEST, _LONGEST = 0.5, 2.0
# The largest share of its words that a text may keep. Chosen by hand: one of ten has to go. Models
# often put an opening before the text itself, so words that are added don't count.
_SAME_WORDS = 0.9
# The least cosine of embeddings. Chosen by hand, low: wording moves a cosine as much as meaning
# does, so that it finds texts about something else, and no small change of meaning.
_LEAST_SIMILAR = 0.7
_NUMBER = re.compile(NUMBER)
# Words for amounts beside the names of numbers.
_AMOUNTS = {
    **dict.fromkeys(("twice", "double", "doubled"), "2"),
    **dict.fromkeys(("thrice", "triple", "tripled"), "3"),
    **dict.fromkeys(("half", "halves"), "1/2"),
    **dict.fromkeys(("third", "thirds"), "1/3"),
    **dict.fromkeys(("quarter", "quarters"), "1/4"),
    **dict.fromkeys(("dozen", "dozens"), "12"),
}
_HYPHEN = re.compile(r"(?<=[^\W\d])-(?=[^\W\d])")  # two-thirds
_WORD = regex.compile(r"\w+(?:[-'’]\w+)*")
# A unit is a sign or an abbreviation behind a number, or a word of three letters or more; "in what
# year" asks when.
_UNIT = regex.compile(
    r"[$€£¥₹₩¢%°]|(?<=\d[ \u00a0]?)[^\W\d_]+"
    r"|(?<![\w'’]|\b(?i:what|which) )[^\W\d_]{3,}(?!\w)"
)
# Words that rather are something else: 5 in all, the second one, he won, she has, a real stone.
_NO_UNITS = {"bit", "has", "in", "quarter", "quarters", "real", "second", "stone", "won"}
_NEGATION = regex.compile(PRESETS["negation"])
_OPTION = regex.compile(
    r"(?m)^[ \t]*+[(\[]?(?:[A-Za-z]|\d{1,2}|[ivxIVX]{1,4})[)\].:]\s\S.*$|[(\[][A-Ha-h1-9][)\]]"
    r"|(?<![\w(\[])[A-Ha-h1-9]\)(?=\s)"
)
_KEPT = [
    regex.compile(PRESETS[name])
    for name in "url email placeholder code latex html mention chat_token".split()
]
_PRICE = regex.compile(r"\$\d")  # it looks like the argument of a shell script
# A word with a capital, and whether it begins a sentence.
_CAPITAL = regex.compile(
    r"(?<start>^|(?<!\b(?:Mrs?|Ms|Dr|St|Prof))[.!?:;\n\"“(*#-]\s*+)?(?<!\w)"
    r"(?!I['’])(?<name>\p{Lu}[\w.'’-]*\w|(?<=\w )(?!I\b)\p{Lu}\b)"
)
_PLAIN = regex.compile(r"(?<![\w'’])[^\W\d_\p{Lu}]{3,}(?![\w'’])")
_FORM = re.compile(r"(?:s|l?ed|l?ing)$")
_LETTER = regex.compile(r"\b\p{Lu}\b")
_QUESTION = regex.compile(r"(?:[^?？؟.!\n]|[.!](?!\s))*+[?？؟]")
# A group for each kind of question; "what" and "which" may ask for a time or a place too.
_ASKED = regex.compile(
    r"\b(?:(?<when>when|wh(?:at|ich) (?:year|month|day|date|time|century))"
    r"|(?<where>where|in wh(?:at|ich) (?:country|state|city|town|place))"
    r"|(?<amount>how (?:many|much))|(?<how>how)|(?<who>who(?:m|se)?)|(?<why>why)"
    r"|(?<what>what|which))\b"
)
_OPEN = {"amount", "how", "who", "where", "when", "why"}
# "How did he hurt it?" isn't "What did he hurt?", though it may be "What did he do to hurt it?".
_OBJECT = regex.compile(r"(?i)\bwhat (?:did|do|does)\b(?!.*\b(?:do|use|happen|of|by|from)\b)")
_ENDING = regex.compile(r"['’]s?$")


def numbers(before: str, after: str) -> str:
    """Compare the values of all numbers, in digits or in English words."""
    return _differs(_values(before), _values(after))


def _values(text: str) -> Iterator[str]:
    said = _HYPHEN.sub(" ", in_one_notation(text))
    yield from (str(value_of(number[0])) for number in _NUMBER.finditer(said))
    yield from map(str, numbers_in_words(said))
    yield from (_AMOUNTS[word] for word in _words(said) if word in _AMOUNTS)


def units(before: str, after: str) -> str:
    """Compare the units of measure and of money, each once."""
    one, other = _units(before), _units(after)
    lost, new = one.keys() - other.keys(), other.keys() - one.keys()
    return _differs(map(one.__getitem__, lost), map(other.__getitem__, new))


def _units(text: str) -> dict[Any, str]:
    """Return what the units of a text measure, each with its name."""
    said = (match[0] for match in _UNIT.finditer(text))
    return {tuple(unit_named(name).items()): name for name in said
            if unit_named(name) and name.lower() not in _NO_UNITS}  # fmt: skip


def names(before: str, after: str) -> str:
    """Compare the words with a capital that no sentence gives them, each once."""
    one, other = ({*map(_bare, _words(text)), *_LETTER.findall(text)} for text in (before, after))
    lost = {name for name in _names(before) if _sought(name) not in other}
    new = {name for name in _names(after) if _sought(name) not in one}
    return _differs(lost, new)


def _sought(name: str) -> str:
    """Return a name as it is sought: the letter of "Publisher A" is no article."""
    return name if len(name) == 1 else name.casefold()


def _names(text: str) -> Iterator[str]:
    is_english = not any(foreign_languages(Batch.of([text]).texts))
    for match in _CAPITAL.finditer(text):
        name = _bare(match["name"])
        if match["start"] is None or (is_english and not _is_word(name.lower())):
            yield name


def _is_word(word: str) -> bool:
    """Return whether a sentence may begin with a word that is no name."""
    if word in _first_names():
        return not _first_names()[word]
    return bool((surfaces_of_words(Batch.of([word])) >= 0).all())


@cache
def _first_names() -> Mapping[str, bool]:
    """Return first names, each with whether a sentence begins with it as a name alone."""
    rows = read_rows("english", "first_names.tsv")
    return {name: kind == "name" for name, *_, kind in rows}


def negations(before: str, after: str) -> str:
    """Compare how many English negations there are."""
    counts = [len(_NEGATION.findall(text)) for text in (before, after)]
    return "" if counts[0] == counts[1] else f"{counts[0]} before, {counts[1]} after"


def options(before: str, after: str) -> str:
    """Compare lines and labels of options, in their order."""
    lines = [[each.strip() for each in _OPTION.findall(text)] for text in (before, after)]
    return "" if lines[0] == lines[1] else _differs(*lines) or "in another order"


def placeholders(before: str, after: str) -> str:
    """Compare placeholders, addresses, code, LaTeX, tags and the like, character by character."""
    return _differs(_kept(before), _kept(after))


def _kept(text: str) -> Iterator[str]:
    found = (match[0] for rule in _KEPT for match in rule.finditer(text))
    return (each for each in found if not _PRICE.fullmatch(each))


def question(before: str, after: str) -> str:
    """Compare the question words: an answer isn't a rewording, and "where" isn't "who".

    "Who" may become "which person", but "which person" stays, except for amounts.
    """
    one, other = _asked(before), _asked(after)
    opened = (one in _OPEN and other == "what") or (one, other) == ("what", "amount")
    if one == other or (opened and not (one == "how" and _OBJECT.search(after))):
        return ""
    return f"asked {one or 'nothing'}, now {other or 'nothing'}"


def _asked(text: str) -> str:
    """Return the kind of the last question, `whether` without a question word, "" for none."""
    asked = _QUESTION.findall(text)
    if not asked:
        return ""
    # A full stop such as that of "Dr. No" hides the first half of a question.
    places = (_ASKED.finditer(part.casefold()) for part in (asked[-1], text))
    found = next(filter(None, ([str(match.lastgroup) for match in part] for part in places)), [])
    # "When he left, who came?" asks who.
    kinds = [kind for kind in found if kind == "amount"] or [
        kind for kind in found if kind != "when"
    ]
    return (kinds or found or ["whether"])[0]


def length(before: str, after: str) -> str:
    """Compare lengths: from half to twice as long."""
    times = len(after) / len(before)
    return "" if _SHORTEST <= times <= _LONGEST else f"{times:.2g} times as long"


def words(before: str, after: str) -> str:
    """Compare words: one of ten has to be another, whatever else is added."""
    one, other = Counter(_words(before)), Counter(_words(after))
    same = (one & other).total() / max(one.total(), 1)
    return "" if same <= _SAME_WORDS else f"{same:.0%} of the words are the same"


def language(before: str, after: str) -> str:
    """Compare languages, by scripts and function words; and find new words that aren't English."""
    batch = Batch.of([before, after])
    found = (
        scripts.of_texts(batch).tolist(),
        is_foreign(batch).tolist(),
        foreign_languages(batch.texts),
    )
    one, other = zip(*found, strict=True)
    if one != other:
        return "another language"
    said = dict.fromkeys(_PLAIN.findall(before))
    if 2 * len(_strange(said)) >= len(said):
        return ""  # no English, or too short to tell
    strange = _strange(dict.fromkeys(_PLAIN.findall(after)))
    return _differs((), (word for word in strange if word not in said))


def _strange(words: Iterable[str]) -> list[str]:
    """Return the words that English lacks; it lists no "persons", nor British "levelled"."""
    forms = {word: _FORM.sub("", word) for word in words}
    texts = Batch.of([*forms, *forms.values()])
    known = surfaces_of_words(texts).reshape(2, -1).max(axis=0) >= 0 if forms else ()
    return [word for word, is_known in zip(forms, known, strict=True) if not is_known]


CHECKS: Mapping[str, Check] = {
    each.__name__: each
    for each in (
        *(numbers, units, names, negations, options, placeholders),
        *(question, length, words, language),
    )
}
ALL, ENTAILMENT = "all", "entailment"


def _similar(model: str) -> Check:
    embed = embedder(model or None)

    def embedding(before: str, after: str) -> str:
        cosine = float(cosine_similarities(embed, [before], [after])[0])
        return "" if cosine >= _LEAST_SIMILAR else f"cosine {cosine:.2f}"

    return embedding


def _by_function(place: str) -> Check:
    called = function_at(place)

    def by_function(before: str, after: str) -> str:
        said = called(before, after)
        if isinstance(said, bool):
            return "" if said else "no"
        if said is None or isinstance(said, str):
            return said or ""
        raise UsageError(
            f"python:{place} must return true, false, or the fault as a text; got {shown(said)}"
        )

    return by_function


# The checks with an argument behind a colon.
_FURTHER = {"embedding": _similar, "python": _by_function}


def checks_of(given: Iterable[str]) -> dict[str, Check]:
    """Return checks by their names.

    Args:
        given: names of `CHECKS`, `all` for all of these, `embedding`, `embedding:MODEL` or
            `python:FILE.py:FUNCTION`.

    Raises:
        UsageError: there is no such check.
    """
    found: dict[str, Check] = {}
    for name in given:
        kind, _, rest = name.partition(":")
        if name == ALL:
            found |= CHECKS
        elif name in CHECKS:
            found[name] = CHECKS[name]
        elif kind in _FURTHER:
            found[name] = _FURTHER[kind](rest)
        else:
            raise unknown("check", name, [ALL, *CHECKS, "embedding", "python:FILE.py:FUNCTION"])
    return found


def _differs(before: Iterable[str], after: Iterable[str]) -> str:
    """Return the items that are lost and those that are new; "" for none."""
    one, other = Counter(before), Counter(after)
    lost, new = (", ".join(sorted(each.elements())) for each in (one - other, other - one))
    return "; ".join(filter(None, (lost and f"lost {lost}", new and f"new {new}")))


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _bare(word: str) -> str:
    """Return a word without the ending of the possessive."""
    return _ENDING.sub("", word)
