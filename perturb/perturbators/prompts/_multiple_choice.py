"""The options of multiple-choice questions, found in texts.

Options have labels (`A.`, `(b)`, `1)`, `iv.`, `**A.**`, `A、`, `Option A:`, `①`), on lines of their
own or several on one line; or they are the lines of a text that has nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import Literal, NamedTuple

import numpy as np
import regex

from perturb.engine.batch import Batch
from perturb.engine.text.characters import Kind, of_kind, set_of
from perturb.values.lists import NUMBERINGS

Form = Literal["labelled", "lines"]
Span = tuple[int, int]

BRACKETS = {"dot": ("", "."), "bracket": ("", ")"), "brackets": ("(", ")"), "square": ("[", "]")}
_PAIRS = (*BRACKETS.values(), ("", ":"), ("", ""), ("（", "）"), *product([""], "）．、："))
_CIRCLED = tuple(map(chr, range(ord("①"), ord("⑳") + 1)))
ALL_NUMBERINGS = {**NUMBERINGS, "circled": _CIRCLED}
_FIRST = {names[0]: names for names in ALL_NUMBERINGS.values()}

# A label at the start of a line (perhaps after a bullet, in bold, after a word, or above its
# option) or after white space; `re` is faster here than `regex`. A full stop without a space behind
# it ends a label only after a capital at the start of a line: else it is in a number or a name.
_LABEL = re.compile(
    r"(?:(?P<line>(?<![^\n\r\0])[ \t]*(?:[-*•][ \t]+)?(?P<bold>\*\*|__)?"
    r"(?P<word>(?:[Oo]ption|OPTION|[Cc]hoice|CHOICE)[ \t]+)?)|(?<![^\s\0])|(?=[①-⑳]))"
    r"(?P<mark>(?P<open>[(\[（]?)(?P<name>[A-Za-z]|\d{1,2}|[ivx]{2,6}|[IVX]{2,6}|[①-⑳](?=(?P<circle>)))"
    r"(?P<close>(?(circle)|[.):\]）．、：])))(?(bold)(?P=bold))"
    r"(?=[ \t]+[^\s\0]|(?<=[)\]])[\w\"'“‘$]|(?<=[）．、：①-⑳])[^\s\0]"
    r"|(?(line)(?:[ \t]*(?:\r\n|\n|\r)[ \t]*(?![(\[（]?\w{1,2}[.):\]])[^\s\0]"
    r"|(?<=[A-Z]\.)[^\W\d_])|(?!)))"
)
# The separator between two options on one line belongs to neither.
_INSIDE = regex.compile(r"\s*(.*?)\s*(?:[,;|]\s*)?(?:(?<=[\s,;])(?:and|or)\s*)?$", regex.DOTALL)
_SENTENCE_END = regex.compile(r"[.?!](?=\s|$)")
_SPACE = regex.compile(r"\s*")
# A zero follows every text.
_LINE_OVER = regex.compile(r"[\n\r\0]")
# A line in lower case, but not a field such as "answer:".
GOES_ON = regex.compile(r"(?:\r\n|\n|\r)[ \t]*(?!\w+(?: \w+)?[ \t]*[:=])\p{Ll}")

# Longer words don't precede labels, and the search for one stays short.
_LONGEST_WORD = 20
_WORD_BEFORE = regex.compile(r"(\p{L}{2,})[ \t]$")
# Words that also precede labels of options; and None, for no word.
_LABELLED = {"option", "choice", "answer", "or", "and", None}


class Options(NamedTuple):
    """The options of one question.

    Attributes:
        text: the number of the text.
        names: the label of each option without its brackets; if the options are lines, the letters
            that one would use for them.
        marks: the span of each label with its brackets, in code points of the batch; empty if the
            options are lines.
        contents: the span of each option, without its label.
        answers: the span of each label with which the text itself answers the question, and the
            number of the option.
        mentions: the same for the labels that the text lists, as in "Select A, B, or C".
        brackets: the text before and after the name of each label.
    """

    text: int
    names: tuple[str, ...]
    marks: tuple[Span, ...]
    contents: tuple[Span, ...]
    answers: tuple[tuple[Span, int], ...] = ()
    mentions: tuple[tuple[Span, int], ...] = ()
    brackets: tuple[str, str] = ("", "")


def labelled(batch: Batch, whole: str, edges: Sequence[int]) -> Iterator[Options]:
    """Yield the options with labels of all questions, in order."""
    for text in _asking(batch):
        start, end = edges[text], edges[text + 1] - 1
        marks = list(_LABEL.finditer(whole, start, end))
        if len(marks) > 1:
            yield from _questions(whole, text, end, _runs_of_text(marks))


def _asking(batch: Batch) -> list[int]:
    """Return the texts with the first label of a kind, such as A.; no others have options."""
    codes = batch.codes
    first, close = set_of("".join(_FIRST)).mask(codes), set_of(".):]）．、：").mask(codes)
    at = 1 + np.flatnonzero(first[1:-1] & close[2:])
    at = at[~of_kind(Kind.LETTER, Kind.DIGIT).mask(codes[at - 1])]
    if codes.dtype != np.uint8:
        at = np.sort(np.append(at, np.flatnonzero(codes == ord(_CIRCLED[0]))))
    return np.flatnonzero(batch.count(at)).tolist()


Run = list[re.Match[str]]


def _runs_of_text(marks: Run) -> list[Run]:
    """Return the runs of labels in a text: of those at line starts, or of all if these are more."""
    leading = [mark for mark in marks if mark["line"] is not None]
    of_lines = _runs(leading)
    of_all = of_lines if len(leading) == len(marks) else _runs(marks)
    return of_all if sum(map(len, of_all)) > sum(map(len, of_lines)) else of_lines


def _runs(marks: Run) -> list[Run]:
    """Return the runs of labels that count up from the first of their kind, in equal brackets.

    Next to letters, a run of numbers doesn't mark options: it counts the questions, or statements
    that the options are about.
    """
    going: dict[tuple[str, ...], Run] = {}
    runs: list[Run] = []
    for mark in marks:
        *brackets, name = mark.group("open", "close", "name")
        continued = [
            run
            for (first, *others), run in going.items()
            if others == brackets and _FIRST[first][len(run) : len(run) + 1] == (name,)
        ]
        for run in continued:
            run.append(mark)
        if not continued and name in _FIRST and tuple(brackets) in _PAIRS:
            runs.append([mark])
            going[name, *brackets] = runs[-1]
    runs = [run for run in runs if len(run) > 1 + _is_doubtful(run) and not _is_counted(run)]
    return _apart([run for run in runs if run[0]["name"] in "Aa"] or runs)


def _is_doubtful(run: Run) -> bool:
    """Return true if two labels may be speakers (A: and B:), initials (A. Smith) or factors."""
    close = run[0]["close"]
    inline = all(mark["line"] is None for mark in run[1:])
    if run[0]["word"]:
        return False
    return close == ":" or (inline and (close == "." or run[0]["name"] not in "Aa"))


def _is_counted(run: Run) -> bool:
    """Return true if the same word precedes every label, so that it is counted: Day 1: ..."""
    words = set()
    for mark in run:
        start = mark.start("mark")
        word = _WORD_BEFORE.search(mark.string, max(0, start - _LONGEST_WORD), start)
        words.add(word and word[1].lower())
    return len(words) == 1 and words.isdisjoint(_LABELLED)


def _apart(runs: list[Run]) -> list[Run]:
    """Return the runs that begin neither inside a run taken before nor in its last option."""
    taken: list[Run] = []
    for run in runs:
        first, last = run[0], taken[-1][-1] if taken else run[0]
        alike = first.group("open", "close") == last.group("open", "close")
        if not taken or first.start() >= (last.end() if alike else _line_end(last)):
            taken.append(run)
    return taken


def _line_end(mark: re.Match[str]) -> int:
    """Return the end of the line in which the option of a label begins."""
    begins = _SPACE.match(mark.string, mark.end())
    assert begins is not None  # it matches nothing as well
    return next(_LINE_OVER.finditer(mark.string, begins.end())).start()


def _questions(whole: str, text: int, end: int, runs: list[Run]) -> Iterator[Options]:
    """Return the options that runs of labels mark, in a text that ends at `end`."""
    edges = [*(run[0].start() for run in runs), end]
    before = whole.rfind("\0", 0, edges[0]) + 1
    for run, beyond in zip(runs, edges[1:], strict=True):
        names = tuple(mark["name"] for mark in run)
        contents = _contents(whole, run, min(beyond, _line_end(run[-1])))
        end_of_last = contents[-1][1]
        # The labels with which the text itself answers the question, as in `Answer: B`.
        found = _answer(names).finditer(whole, end_of_last, beyond)
        answers = {match.span("name"): names.index(match["name"]) for match in found}
        mentions = (
            (span, number)
            for stem in ((before, run[0].start()), (end_of_last, beyond))
            for span, number in _mentions(whole, *stem, names)
            if span not in answers
        )
        marks = tuple(mark.span("mark") for mark in run)
        brackets = run[0]["open"], run[0]["close"]
        said = tuple(answers.items()), tuple(mentions)
        yield Options(text, names, marks, contents, *said, brackets)
        before = beyond


def _contents(whole: str, run: Run, end_of_last: int) -> tuple[Span, ...]:
    """Return the content after each label, without the separator before the next label."""
    contents = []
    for mark, following in pairwise(run):
        start, end = mark.end(), following.start()
        inside = None if following["line"] is not None else _INSIDE.match(whole, start, end)
        contents.append(inside.span(1) if inside else _stripped(whole, start, end))
    start, end = _stripped(whole, run[-1].end(), end_of_last)
    inline = run[-1]["line"] is None
    if inline and not any(_SENTENCE_END.search(whole, *content) for content in contents):
        over = _SENTENCE_END.search(whole, start, end)
        end = over.start() if over else end
    return (*contents, (start, end))


def _stripped(whole: str, start: int, end: int) -> Span:
    content = whole[start:end]
    first = start + len(content) - len(content.lstrip())
    return first, max(first, start + len(content.rstrip()))


def _mentions(
    whole: str, start: int, end: int, names: tuple[str, ...]
) -> Iterator[tuple[Span, int]]:
    """Yield the labels of lists of all labels: A, B, C, or D; A/B/C/D; A-D."""
    for match in _all_of(names).finditer(whole, start, end):
        for group in match.re.groupindex:
            if match[group] is not None:
                yield match.span(group), int(group.rpartition("_")[2])


@lru_cache(maxsize=256)
def _all_of(names: tuple[str, ...]) -> regex.Pattern[str]:
    between = r"[)\]]?[ ]?(?:,[ ]?(?:or |and )?|/|\||or |and )[(\[]?"
    listed = between.join(
        rf"(?P<n_{number}>{regex.escape(name)})" for number, name in enumerate(names)
    )
    last = len(names) - 1
    ranged = (
        rf"|(?P<first_0>{regex.escape(names[0])})(?:[-–]| to | through )"
        rf"(?P<last_{last}>{regex.escape(names[last])})"
        if names[0] == "A"
        else ""
    )
    return regex.compile(rf"(?<![\w'’])(?:{listed}{ranged})(?![\w'’])")


def _any_of(names: tuple[str, ...]) -> str:
    """Return a pattern for a label in a sentence, in brackets or without."""
    return rf"(?:[(\[]?\b(?-i:{'|'.join(map(regex.escape, names))})\b(?!['’])[)\]]?)"


@lru_cache(maxsize=256)
def _answer(names: tuple[str, ...]) -> regex.Pattern[str]:
    either = "|".join(map(regex.escape, names))
    # In lower case "a" is a word as well.
    alone = r"(?! \w)" if names[0] == "a" else ""
    return regex.compile(
        r"\b(?:answer|ans|solution|(?:correct|right|best) (?:option|choice))\b(?: key)?"
        r"(?:(?:\s+is)?\s*[:=][\s*_]*|\s+is\s+|\s+(?=\S+[ \t]*(?:[\n\r\0]|$)))[(\[]?"
        rf"(?P<name>(?-i:{either}))(?![\w'’]){alone}"
        rf"(?!\s*(?:[,/|]|or\b|and\b)\s*{_any_of(names)})",
        regex.IGNORECASE,
    )


# Words that join labels to a reference to other options, and words that may be beside those.
_JOINTS = "both|neither|either|nor|and|or|only|just|alone|but|except|not|none|all|to|through"
_BESIDE = "of|is|are|correct|true|right|wrong|false|options?|choices?|answers?"


@lru_cache(maxsize=256)
def mention(names: tuple[str, ...], are_lines: bool = False) -> regex.Pattern[str]:
    """Return a pattern for mentions of options: `both A and B`, `A or C`, `option D`, `only A`.

    Args:
        names: the labels.
        are_lines: whether the options have no labels, so that they may also be named by numbers.
    """
    one = _any_of(names)
    number = _any_of(NUMBERINGS["digit"][: len(names)])
    # In another case a label may be a word, "a", so all of the option must be labels and joints.
    label = rf"\b(?:{'|'.join(map(regex.escape, names))})\b(?!['’])"
    whole = (
        rf"|^(?=.*{label})(?=.*(?:\b(?:{_JOINTS})\b|&))(?:(?:\b(?:{_JOINTS}|{_BESIDE})\b|{label})"
        r"[\s()\[\]&,.]*+|^[\s(\[]+)+$"
    )
    whole *= names[0].isalpha()
    numbers = rf"|\b(?:both|options?|choices?|answers?)\s+{number}\s*(?:,|&|\band\b|\bor\b)"
    return regex.compile(
        rf"{one}\s*(?:,|/|&|\+|\band\b|\bor\b|\bnor\b)\s*(?:and |or )?{one}"
        rf"|\b(?:options?|choices?|answers?)\s+{one}"
        rf"|^\W*(?:only|both|just|not|all (?:but|except)|same as)\s+{one}\W*$"
        rf"|^\W*{one}\s+(?:only|alone)\W*$" + numbers * are_lines + whole,
        regex.IGNORECASE,
    )


def named(options: Options) -> tuple[Span, ...]:
    """Return the span of each option's label, without its brackets; an empty span for a line."""
    before, after = map(len, options.brackets)
    marks = options.marks or tuple((start, start) for start, _ in options.contents)
    return tuple((start + before, end - after) for start, end in marks)
