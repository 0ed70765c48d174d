"""The options of a question: the labels that it gives them, and their texts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from string import ascii_lowercase
from typing import NamedTuple

from perturb.robustness.grading.matches import plain
from perturb.robustness.grading.number_words import ONES, TEENS
from perturb.values.lists import NUMBERINGS
from perturb.values.patterns import lazy_regex

_WORDS = (*ONES, *TEENS[:1])
_NUMBERINGS = (*(NUMBERINGS[name] for name in ("lower", "digit", "roman")), _WORDS)

# Of Russian, which only options that have them are counted by: В isn't B, and the third.
_RUSSIAN = tuple("абвгдежз")

# The longest Roman number up to 19 is xviii.
NAME = rf"[A-Za-zА-За-з]|\d{{1,2}}|[ivxIVX]{{1,5}}|(?i:{'|'.join(_WORDS)})"
_MARK = rf"[(\[]?(?P<name>{NAME})[.):\]]"
_LEADING = lazy_regex(
    rf"(?m)^[ \t]*(?:[-*•+–·>][ \t]*)?\**{_MARK}\**[ \t]*(?P<text>\S.*?)[ \t\r]*$"
)
_NEXT = rf"(?:(?:and|or)[ \t]+)?[(\[]?(?:{NAME})[.):\]][ \t]"
_INLINE = lazy_regex(rf"(?m)(?<!\S){_MARK}[ \t]+(?P<text>\S.*?)(?=[ \t,;|]+{_NEXT}|[ \t\r]*$)")
# Options without labels, as bullets under a line that introduces them.
_BULLET = lazy_regex(r"(?m)^[ \t]*[-*•+–·][ \t]+(\S.*?)[ \t\r]*$")
_BULLETED = lazy_regex(
    r"(?mi)^[ \t]*(?:answer[ \t]+)?(?:options|choices|alternatives|candidates)\b.*\s*\n"
    r"(?:[ \t]*[-*•+–·][ \t]+\S.*(?:\s*\n|\Z)){2,}"
)


class Options(NamedTuple):
    """The options of a question: the labels as it writes them, and the texts."""

    labels: tuple[str, ...]
    texts: tuple[str, ...]


LETTERS = Options(tuple(ascii_lowercase.upper()), ())


@lru_cache(maxsize=4096)
def options_of(question: str, *, items: bool = False) -> Options | None:
    r"""Find the options in a question; None where no two labels count up from the first.

    Bullets under a line such as "Options:" are options too, counted A, B, C, and so are the lines
    of a question that is a list of options.

    Examples:
        >>> options_of("Capital of France?\n(i) Rome\n(ii) Paris")
        Options(labels=('i', 'ii'), texts=('Rome', 'Paris'))
        >>> options_of("Which is red? A. sky B. blood")
        Options(labels=('A', 'B'), texts=('sky', 'blood'))
    """
    if items:
        lines = tuple(question.split("\n"))
        return Options(LETTERS.labels[: len(lines)], lines) if len(lines) <= 26 else None
    for pattern in (_LEADING, _INLINE):
        labels = [(match["name"], match["text"]) for match in pattern.finditer(question)]
        runs = [run for start in range(len(labels)) for run in _runs(labels[start:])]
        if runs:
            longest = max(runs, key=len)
            return Options(*(tuple(part) for part in zip(*longest, strict=True)))
    listed = _BULLETED.search(question)
    texts = tuple(_BULLET.findall(listed[0])) if listed else ()
    return Options(LETTERS.labels[: len(texts)], texts) if texts else None


def _runs(labels: list[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """Yield the labels from the first on that count up, in each numbering that fits."""
    for numbering in (*_NUMBERINGS, _RUSSIAN):
        run = 0
        while run < min(len(labels), len(numbering)) and labels[run][0].lower() == numbering[run]:
            run += 1
        if run > 1:
            yield labels[:run]


def option_of_label(name: str, options: Options, strict: bool = False) -> int | None:
    """Return the option of a label: in the question's numbering, or else, if not strict, in any."""
    lower, count = name.lower(), len(options.labels)
    ways = [(name, options.labels), (lower, tuple(map(str.lower, options.labels)))]
    if not strict:
        known = _NUMBERINGS[options.labels[0].lower() in _RUSSIAN :]
        ways += [(lower, numbering[:count]) for numbering in known]
    return next((labels.index(each) for each, labels in ways if each in labels), None)


def option_of_text(text: str, options: Options) -> int | None:
    """Return the one option with this text, read as plain text."""
    name, texts = plain(text), [plain(each) for each in options.texts]
    return texts.index(name) if name and texts.count(name) == 1 else None
