"""Right answers that follow the texts of their rows through a consistent step."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from perturb.engine.edits import Edits
from perturb.engine.scope import Spans
from perturb.engine.text.strings import Strings, column
from perturb.values.arrays import Bool, Int64

_WORD = re.compile(r"\w")
# An answer without the punctuation around it.
_CORE = re.compile(r"\W*(.*?)\W*", re.DOTALL)

_Notes = Callable[[], Mapping[int, Mapping[str, Any]]]


class Permuted(Mapping[int, Mapping[str, Any]]):
    """What a step says of texts with lines that it put in another order: notes only where read.

    Attributes:
        texts: shape (n,); the number of each text.
        firsts: shape (n,); the first line of each in `places`.
        places: shape (lines,); the place of each line now, from 0 in each text.
    """

    def __init__(self, texts: Int64, firsts: Int64, places: Int64, notes: _Notes) -> None:
        self.texts, self.firsts, self.places, self._notes = texts, firsts, places, cache(notes)

    def __getitem__(self, text: int) -> Mapping[str, Any]:
        return self._notes()[text]

    def __iter__(self) -> Iterator[int]:
        return iter(self._notes())

    def __len__(self) -> int:
        return len(self._notes())

    def of_rows(self, rows: Int64) -> Permuted:
        """Return the notes if each text has the number of its row among `rows`."""
        columns = rows[self.texts], self.firsts, self.places
        return Permuted(*columns, lambda: {int(rows[text]): note for text, note in self.items()})

    def orders(self) -> list[list[int]]:
        """Return the places of the lines of each text."""
        places = self.places.tolist()
        return [places[a:b] for a, b in pairwise([*self.firsts.tolist(), len(places)])]


# The former and the new text of each change to the texts of a row, by the former in one case.
_Changes = dict[str, tuple[str, str]]


def led(
    edits: Edits,
    texts: Strings,
    is_answer: Bool,
    rows: Int64,
    is_told: Bool,
    protected: Spans | None,
) -> Edits:
    """Return the edits of a consistent step, those of answers as the texts of their rows lead.

    An answer changes only where a text of its row has the same and changes there; what the answer
    alone has stays. Two things become the new text although the step sees no site in them, such as
    a surname alone: a name that changed, also in capitals, wherever the answer has it as words of
    its own; and an answer that is just what changed, in whatever case. A step that has a note on a
    row computes its answer, and leads itself where a text changes.

    Args:
        edits: the edits of the step.
        texts: the texts and the answers.
        is_answer: shape (texts,).
        rows: shape (texts,); the row of each.
        is_told: shape (texts,); whether the step has a note on its row.
        protected: the spans that no edit may touch; None for no spans.
    """
    owners = np.arange(len(texts)).repeat(edits.per_text(texts))
    leading, following = edits.keep(~is_answer[owners]), edits.keep(is_answer[owners])
    led_by = rows[owners[~is_answer[owners]]]
    (answers,) = (is_answer & np.isin(rows, led_by)).nonzero()
    changes: dict[int, _Changes] = defaultdict(dict)
    pairs = zip(led_by.tolist(), *_both(leading, texts), strict=True)
    for row, removed, text in pairs if len(answers) else ():
        changes[row].setdefault(removed.casefold(), (removed, text))
    removals = {row: "\n".join(known) for row, known in changes.items()}
    of_own = owners[is_answer[owners]]
    own_rows = zip(rows[of_own].tolist(), is_told[of_own].tolist(), strict=True)
    stays = [
        row in removals
        and (leads or next(_places(removals[row], removed.casefold()), None) is not None)
        for (row, leads), removed in zip(own_rows, _both(following, texts)[0], strict=True)
    ]
    following = following.keep(np.array(stays, np.bool_))
    starts, ends, written = list[int](), list[int](), list[str]()
    closed = None if protected is None else protected.mask(len(texts.codes))
    places = zip(answers.tolist(), texts.take(answers).to_list(), strict=True)
    for (at, answer), first in zip(places, texts.starts[answers].tolist(), strict=True):
        known = changes[int(rows[at])]
        for start, end, text in _whole(answer, known) or _names(answer, known):
            place = slice(first + start, first + end)
            if _meets(following, place) or (closed is not None and closed[place].any()):
                continue
            starts.append(place.start)
            ends.append(place.stop)
            written.append(text)
    named = Edits(np.array(starts, np.intp), np.array(ends, np.intp), column(written))
    return leading.merged(following).merged(named)


def _both(edits: Edits, texts: Strings) -> tuple[list[str], list[str]]:
    """Return the strings that edits remove, and those that they write."""
    return Strings(texts.codes, edits.starts, edits.ends).to_list(), edits.replacements.to_list()


def _whole(answer: str, known: _Changes) -> list[tuple[int, int, str]]:
    """Return the place of an answer that is what changed, in whatever case, and its new text."""
    core = _CORE.fullmatch(answer)
    assert core is not None  # it may be empty
    _, text = known.get(core[1].casefold(), ("", ""))
    return [(*core.span(1), _cased(text, core[1]))] if core[1] and text else []


def _names(answer: str, known: _Changes) -> list[tuple[int, int, str]]:
    """Return the places of changed names in an answer, and their new texts; the longest first."""
    found: list[tuple[int, int, str]] = []
    for name, text in sorted(known.values(), key=lambda each: -len(each[0])):
        if not (name[:1].isupper() and text):
            continue
        for form in (name, name.upper()):
            for start in _places(answer, form):
                end = start + len(form)
                if all(end <= other[0] or start >= other[1] for other in found):
                    found.append((start, end, _cased(text, form)))
    return found


def _places(text: str, part: str) -> Iterator[int]:
    """Yield where a text has a part as words of its own."""
    at = text.find(part)
    while at >= 0:
        end = at + len(part)
        if not _WORD.search(text[max(at - 1, 0) : at] + text[end : end + 1]):
            yield at
        at = text.find(part, at + 1)


def _meets(edits: Edits, place: slice) -> bool:
    """Return whether one of edits in order meets a place."""
    at = int(edits.ends.searchsorted(place.start, "right"))
    return at < len(edits) and bool(edits.starts[at] < place.stop)


def _cased(text: str, like: str) -> str:
    """Return a text in small letters, in capitals, or with a capital, if the other one is so."""
    if like.islower():
        return text.lower()
    if like.isupper() and len(like) > 1:
        return text.upper()
    return text[:1].upper() + text[1:] if like.istitle() else text
