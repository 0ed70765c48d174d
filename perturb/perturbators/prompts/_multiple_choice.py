"""The options of multiple-choice questions, found in texts.

Options have labels (`A.`, `(b)`, `1)`, `iv.`), on lines of their own or several on one line; or
they are the lines of a text that has nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits
from typing import Literal, NamedTuple

import numpy as np
import regex

from perturb.engine.batch import Batch
from perturb.engine.text.characters import Kind, of_kind, set_of
from perturb.engine.text.sentences import line_ends
from perturb.engine.text.strings import Strings, decode, ranges, runs, same
from perturb.values.arrays import Bool, Codes, Int64

Form = Literal["labelled", "lines"]
Span = tuple[int, int]

ROMAN = tuple(
    tens + ones
    for tens in ("", "x", "xx")
    for ones in ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
)[1:]
NUMBERINGS = {
    "upper": tuple(ascii_uppercase),
    "lower": tuple(ascii_lowercase),
    "digit": tuple(str(number) for number in range(1, len(ROMAN) + 1)),
    "roman": ROMAN,
    "roman_upper": tuple(name.upper() for name in ROMAN),
}
BRACKETS = {"dot": ("", "."), "bracket": ("", ")"), "brackets": ("(", ")"), "square": ("[", "]")}
_PAIRS = (*BRACKETS.values(), ("", ":"))
_FIRST = {names[0]: names for names in NUMBERINGS.values()}

# A label at the start of a line (perhaps after a bullet) or after white space; `re` is faster here
# than `regex`.
_LABEL = re.compile(
    r"(?:(?P<line>(?<![^\n\r\0])[ \t]*(?:[-*•][ \t]+)?)|(?<![^\s\0]))"
    r"(?P<mark>(?P<open>[(\[]?)(?P<name>[A-Za-z]|\d{1,2}|[ivx]{2,6}|[IVX]{2,6})(?P<close>[.):\]]))"
    r"(?=[ \t]+[^\s\0]|(?<=[)\]])[\w\"'“‘$])"
)
# The separator between two options on one line belongs to neither.
_INSIDE = regex.compile(r"\s*(.*?)\s*(?:[,;|]\s*)?(?:(?<=[\s,;])(?:and|or)\s*)?$", regex.DOTALL)
_SENTENCE_END = regex.compile(r"[.?!](?=\s|$)")
# A zero follows every text.
_LINE_OVER = regex.compile(r"[\n\r\0]")
# A line in lower case, but not a field such as "answer:".
_GOES_ON = regex.compile(r"(?:\r\n|\n|\r)[ \t]*(?!\w+(?: \w+)?[ \t]*[:=])\p{Ll}")

# Longer words don't precede labels, and the search for one stays short.
_LONGEST_WORD = 20
_WORD_BEFORE = regex.compile(r"(\p{L}{2,})[ \t]$")
# Words that also precede labels of options; and None, for no word.
_LABELLED = {"option", "choice", "answer", "or", "and", None}
_OPTIONS = r"(?:options|choices|answers)"
_ANCHOR = regex.compile(
    r"\W*(?:(?:all|none|any|both|neither|either|some|two|three|more than one|at least one"
    r"|one or more) of (?:the |these |those )?"
    rf"(?:above|these|those|them|others?|(?:other )?{_OPTIONS})\b.{{0,40}}"
    rf"|(?:all|none|both|neither)(?: the)? (?:above|{_OPTIONS})\b.{{0,40}}"
    r"|(?:all|none|both|neither)(?: (?:is|are) (?:correct|true|right|wrong|false))?)\W*",
    regex.IGNORECASE,
)

# The first three letters of what `_ANCHOR` matches.
_FIRST_WORDS = [
    int.from_bytes(word, "big")
    for word in (
        b"all",
        b"non",
        b"any",
        b"bot",
        b"nei",
        b"eit",
        b"som",
        b"two",
        b"thr",
        b"mor",
        b"at ",
        b"one",
    )
]
# Of the first code points, those of words, and those of labels that are longer than a letter.
_WORD, _IN_NUMBERS = np.zeros((2, 256), np.bool_)
_WORD[[*map(ord, ascii_letters + digits + "_")]] = True
_IN_NUMBERS[[*map(ord, "ivxIVX" + digits)]] = True
_LONGEST_LABEL = max(len(name) for names in NUMBERINGS.values() for name in names)


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


class Questions(NamedTuple):
    """The questions of a batch, in order, and all their options, as columns.

    Attributes:
        whole: the code points of the batch as a string.
        texts: shape (n,); the text of each question.
        sizes: shape (n,); how many options it has.
        firsts: shape (n,); the number of the first of them.
        names: as of `Options`.
        labelled: the options of a question if they have labels; None if they are lines.
        question: shape (options,); the question of each option.
        contents: every option, without its label.
    """

    whole: str
    texts: Int64
    sizes: Int64
    firsts: Int64
    names: Sequence[tuple[str, ...]]
    labelled: Sequence[Options | None]
    question: Int64
    contents: Strings

    def options(self) -> list[Options]:
        """Return the options of each question."""
        spans = list(zip(self.contents.starts.tolist(), self.contents.ends.tolist(), strict=True))
        columns = (self.texts.tolist(), self.firsts.tolist(), self.names, self.labelled)
        return [
            options or Options(text, names, (), tuple(spans[first : first + len(names)]))
            for text, first, names, options in zip(*columns, strict=True)
        ]

    def text(self, option: int) -> str:
        """Return an option."""
        return self.whole[self.contents.starts[option] : self.contents.ends[option]]

    def label(self, option: int) -> Span:
        """Return the label of an option that has one, without its brackets."""
        options = self.labelled[question := self.question[option]]
        assert options is not None  # others have no labels
        return named(options)[option - self.firsts[question]]

    def having(self, places: Int64) -> Bool:
        """Mark the options with some of these places, which are in order."""
        return places.searchsorted(self.contents.ends) > places.searchsorted(self.contents.starts)

    def references(self) -> list[str | None]:
        """Return for each question why its labels can't change: an option names others."""
        said: list[str | None] = [None] * len(self.sizes)
        for option in np.flatnonzero(self.having(_like_labels(self.contents.codes))).tolist():
            question = int(self.question[option])
            names, text = self.names[question], self.text(option)
            if said[question] is None and _mention(names).search(text):
                name = names[option - self.firsts[question]]
                said[question] = f"option {name} names others: {text!r}"
        return said

    def movable(self) -> tuple[Bool, list[str | None]]:
        """Mark the options that may change places, and say why those of a question can't."""
        codes, contents = self.contents.codes, self.contents
        anchored = np.zeros(len(contents), np.bool_)
        for option in np.flatnonzero(_like_anchors(contents)).tolist():
            anchored[option] = is_anchor(self.text(option))
        numbers: Int64 = np.arange(len(contents))
        # Those at the end stay last, such as `none of the above`.
        last = np.maximum.reduceat(np.where(anchored, -1, numbers), self.firsts)
        moves = numbers <= last[self.question]
        counts = np.add.reduceat(moves, self.firsts, dtype=np.intp)
        # Else the answer alone would move.
        alike = same(contents, contents.take(self.firsts[self.question])) | ~moves
        alike = np.logical_and.reduceat(alike, self.firsts)
        lines = self.having(np.flatnonzero((codes == ord("\n")) | (codes == ord("\r"))))
        odd = moves & (anchored | (contents.lengths == 0) | lines)
        said: list[str | None] = [None] * len(counts)
        for question, options in enumerate(self.labelled):
            if options is not None and _GOES_ON.match(self.whole, options.contents[-1][1]):
                said[question] = f"option {options.names[-1]} seems to go on in the next line"
        for option in np.flatnonzero(odd)[::-1].tolist():
            question, text = int(self.question[option]), self.text(option)
            name = self.names[question][option - self.firsts[question]]
            why = "reaches over several lines" if text else "is empty"
            if anchored[option]:
                why = f"is not the last: {text!r}"
            said[question] = f"option {name} {why}"
        for question in np.flatnonzero(alike).tolist():
            said[question] = "all options are the same"
        for question in np.flatnonzero(counts < 2).tolist():
            said[question] = "fewer than two options can move"
        return moves, said


def find(batch: Batch, form: Form) -> Questions:
    """Return the options of all questions.

    If a text is a list of strings and some items have no label, the items are the options.
    """
    whole, lists = decode(batch.codes), np.zeros(len(batch.texts), np.bool_)
    if batch.lists is not None:
        lists = batch.lists
    labelled: list[Options] = []
    if form == "labelled":
        labelled += _labelled(batch, whole, batch.edges.tolist())
    texts, sizes, starts, ends = _lines(batch, lists | (form == "lines"))
    items = dict(zip(texts.tolist(), sizes.tolist(), strict=True))
    own = {one.text for one in labelled if items.get(one.text) == len(one.names)}
    labelled = [one for one in labelled if one.text not in items or one.text in own]
    kept = ~np.isin(texts, [*own])
    of_kept = kept.repeat(sizes)
    texts, sizes, starts, ends = texts[kept], sizes[kept], starts[of_kept], ends[of_kept]
    spans = np.array([span for one in labelled for span in one.contents], np.intp).reshape(-1, 2)
    texts = np.append(texts, np.array([one.text for one in labelled], np.intp))
    sizes = np.append(sizes, np.array([len(one.names) for one in labelled], np.intp))
    starts, ends = np.append(starts, spans[:, 0]), np.append(ends, spans[:, 1])
    firsts = np.cumsum(sizes) - sizes
    order = np.argsort(starts[firsts])
    options = ranges(firsts[order], sizes[order])
    letters = [NUMBERINGS["upper"][:size] for size in range(len(ascii_uppercase) + 1)]
    unlabelled = len(texts) - len(labelled)
    known = [None if row < unlabelled else labelled[row - unlabelled] for row in order.tolist()]
    sizes = sizes[order]
    names = [
        letters[size] if one is None else one.names
        for size, one in zip(sizes.tolist(), known, strict=True)
    ]
    question = np.arange(len(sizes)).repeat(sizes)
    contents = Strings(batch.codes, starts[options], ends[options])
    firsts = np.cumsum(sizes) - sizes
    return Questions(whole, texts[order], sizes, firsts, names, known, question, contents)


def _labelled(batch: Batch, whole: str, edges: Sequence[int]) -> Iterator[Options]:
    """Yield the options with labels of all questions, in order."""
    for text in _asking(batch):
        start, end = edges[text], edges[text + 1] - 1
        marks = list(_LABEL.finditer(whole, start, end))
        if len(marks) > 1:
            yield from _questions(whole, text, end, _runs_of_text(marks))


def _asking(batch: Batch) -> list[int]:
    """Return the texts with the first label of a kind, such as A.; no others have options."""
    codes = batch.codes
    first, close = set_of("".join(_FIRST)).mask(codes), set_of(".):]").mask(codes)
    at = 1 + np.flatnonzero(first[1:-1] & close[2:])
    at = at[~of_kind(Kind.LETTER, Kind.DIGIT).mask(codes[at - 1])]
    return np.flatnonzero(batch.count(at)).tolist()


def _lines(batch: Batch, wanted: Bool) -> tuple[Int64, Int64, Int64, Int64]:
    """Return the texts of several lines among those wanted, how many, and these, as spans."""
    ends, starts = line_ends(batch.codes, set_of("\n\r"))
    sizes = batch.count(ends) + 1
    wanted = wanted & (sizes > 1) & (sizes <= len(ascii_uppercase))
    texts, kept = np.flatnonzero(wanted), wanted[batch.text_of(ends)]
    starts = np.sort(np.append(batch.texts.starts[texts], starts[kept]), kind="stable")
    ends = np.sort(np.append(batch.texts.ends[texts], ends[kept]), kind="stable")
    return texts, sizes[texts], starts, ends


def _like_labels(codes: Codes) -> Int64:
    """Return where words start that may be labels, and few others."""
    narrow = np.minimum(codes, 0xFF).astype(np.uint8)
    starts, ends = runs(_WORD[narrow])
    others = np.append(0, np.cumsum(~_IN_NUMBERS[narrow]))
    short = (ends - starts <= _LONGEST_LABEL) & (others[starts] == others[ends])
    places: Int64 = starts[short | (ends - starts == 1)]
    return places


def _like_anchors(contents: Strings) -> Bool:
    """Mark the strings whose first word may be that of `_ANCHOR`, and few others."""
    codes = np.append(contents.codes, np.zeros(3, contents.codes.dtype))
    words = np.append(
        np.flatnonzero((codes > 0x7F) | _WORD[np.minimum(codes, 0x7F)]), len(codes) - 3
    )
    first = words[words.searchsorted(contents.starts)]
    packed = (codes[first[:, None] + np.arange(3)] | 0x20).astype(np.uint32)
    known = np.isin(packed @ np.array([1 << 16, 1 << 8, 1], np.uint32), _FIRST_WORDS)
    return (first < contents.ends) & (known | (packed > 0x7F).any(axis=1))


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
    return next(_LINE_OVER.finditer(mark.string, mark.end())).start()


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
        yield Options(
            text,
            names,
            tuple(mark.span("mark") for mark in run),
            contents,
            tuple(answers.items()),
            tuple(mentions),
            (run[0]["open"], run[0]["close"]),
        )
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
    return start + len(content) - len(content.lstrip()), start + len(content.rstrip())


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


@lru_cache(maxsize=256)
def _mention(names: tuple[str, ...]) -> regex.Pattern[str]:
    """Return a pattern for mentions of options: `both A and B`, `A or C`, `option D`, `only A`."""
    one = _any_of(names)
    return regex.compile(
        rf"{one}\s*(?:,|/|&|\+|\band\b|\bor\b|\bnor\b)\s*(?:and |or )?{one}"
        rf"|\b(?:options?|choices?|answers?)\s+{one}"
        rf"|^\W*(?:only|both|just|not|all (?:but|except)|same as)\s+{one}\W*$"
        rf"|^\W*{one}\s+(?:only|alone)\W*$",
        regex.IGNORECASE,
    )


def named(options: Options) -> tuple[Span, ...]:
    """Return the span of each option's label, without its brackets; an empty span for a line."""
    before, after = map(len, options.brackets)
    marks = options.marks or tuple((start, start) for start, _ in options.contents)
    return tuple((start + before, end - after) for start, end in marks)


def is_anchor(text: str) -> bool:
    """Return whether an option at the end stays last, such as `none of the above`."""
    return _ANCHOR.fullmatch(text) is not None
