"""The checks of a rewording, in one table; each says the fault that it finds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import regex

from perturb.engine.batch import Batch
from perturb.engine.presets import PRESETS
from perturb.engine.text import scripts
from perturb.errors import UsageError, shown, unknown
from perturb.lexicon.english import foreign_languages
from perturb.lexicon.store import surfaces_of_words
from perturb.resources import read_rows
from perturb.robustness.grading.matches import function_at
from perturb.robustness.grading.number_words import numbers_in_words
from perturb.robustness.grading.numbers import NUMBER, in_one_notation, value_of
from perturb.robustness.grading.quantities import unit_named
from perturb.robustness.metrics.embedding import cosine_similarities, embedder

# From a text and its rewording to the fault; "" if the check passes.
Check = Callable[[str, str], str]

# The length of a rewording, in lengths of the text. Chosen by hand: answers are shorter, and
# explanations, or several versions at once, are longer.
_SHORTEST, _LONGEST = 0.5, 2.0
# The largest share of words that both may have. Chosen by hand: one of ten words has to differ.
_SAME_WORDS = 0.9
# The least cosine of embeddings. Chosen by hand, low: wording moves a cosine as much as meaning
# does, so that it finds texts about something else, and no small change of meaning.
_LEAST_SIMILAR = 0.7
_NUMBER = re.compile(NUMBER)
# Words for amounts beside the names of numbers.
_AMOUNTS = {"twice": 2, "double": 2, "doubled": 2, "thrice": 3, "triple": 3, "tripled": 3,
            "half": Fraction(1, 2), "halves": Fraction(1, 2), "third": Fraction(1, 3),
            "thirds": Fraction(1, 3), "quarter": Fraction(1, 4), "quarters": Fraction(1, 4),
            "dozen": 12, "dozens": 12}  # fmt: skip
_WORD = regex.compile(r"\w+(?:[-'’]\w+)*")
# A unit is a sign or an abbreviation behind a number, or a word of three letters or more.
_UNIT = regex.compile(r"[$€£¥₹₩¢%°]|(?<=\d[ \u00a0]?)[^\W\d_]+|(?<![\w'’])[^\W\d_]{3,}(?!\w)")
# Words that rather are something else: 5 in all, the second one, he won.
_NO_UNITS = {"in", "second", "won"}
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
    r"(?!I['’])(?<name>\p{Lu}[\w.'’-]*\w)"
)
_ENDING = regex.compile(r"['’]s?$")


def numbers(before: str, after: str) -> str:
    """Compare the values of all numbers, in digits or in English words."""
    return _differs(_values(before), _values(after))


def _values(text: str) -> Iterator[str]:
    said = in_one_notation(text, decimal_comma=False)
    yield from (str(value_of(number[0])) for number in _NUMBER.finditer(said))
    yield from map(str, numbers_in_words(said))
    yield from (str(_AMOUNTS[word]) for word in _words(said) if word in _AMOUNTS)


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
    one, other = ({*map(_bare, _words(text))} for text in (before, after))
    lost = {name for name in _names(before) if name.casefold() not in other}
    new = {name for name in _names(after) if name.casefold() not in one}
    return _differs(lost, new)


def _names(text: str) -> Iterator[str]:
    is_english = not foreign_languages(Batch.of([text])).any()
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
    one, other = (
        [match[0] for rule in _KEPT for match in rule.finditer(text)] for text in (before, after)
    )
    return _differs(
        *([each for each in some if not _PRICE.fullmatch(each)] for some in (one, other))
    )


def question(before: str, after: str) -> str:
    """Compare whether something is asked: an answer isn't a rewording."""
    asks = [regex.search("[?？؟]", text) is not None for text in (before, after)]
    return "" if asks[0] == asks[1] else "no question any more" if asks[0] else "a question now"


def length(before: str, after: str) -> str:
    """Compare lengths: from half to twice as long."""
    times = len(after) / len(before)
    return "" if _SHORTEST <= times <= _LONGEST else f"{times:.2g} times as long"


def words(before: str, after: str) -> str:
    """Compare words: one of ten has to differ."""
    one, other = Counter(_words(before)), Counter(_words(after))
    same = (one & other).total() / max(one.total(), other.total(), 1)
    return "" if same <= _SAME_WORDS else f"{same:.0%} of the words are the same"


def language(before: str, after: str) -> str:
    """Compare languages, by scripts and function words."""
    batch = Batch.of([before, after])
    found = np.stack([scripts.of_texts(batch), foreign_languages(batch)], axis=1)
    return "" if (found[0] == found[1]).all() else "another language"


CHECKS: Mapping[str, Check] = {
    each.__name__: each
    for each in (
        *(numbers, units, names, negations, options, placeholders),
        *(question, length, words, language),
    )
}
ALL, ENTAILMENT = "all", "entailment"


class _Further(NamedTuple):
    """A check with an argument behind a colon."""

    make: Callable[[str], Check]
    form: str


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


_FURTHER = {
    "embedding": _Further(_similar, "embedding[:MODEL]"),
    "python": _Further(_by_function, "python:FILE.py:FUNCTION"),
}


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
            found[name] = _FURTHER[kind].make(rest)
        else:
            raise unknown("check", name, [ALL, *CHECKS, *(each.form for each in _FURTHER.values())])
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
