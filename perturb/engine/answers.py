"""Right answers that follow the texts of their rows through a consistent step."""

from __future__ import annotations

import re
from collections import defaultdict

import numpy as np

from perturb.engine.edits import Edits
from perturb.engine.text.strings import Strings, column
from perturb.values.arrays import Bool, Int64

# An answer without the punctuation around it.
_CORE = re.compile(r"\W*(.*?)\W*", re.DOTALL)


def led(edits: Edits, texts: Strings, is_answer: Bool, rows: Int64, is_told: Bool) -> Edits:
    """Return the edits of a consistent step, those of answers as the texts of their rows lead.

    An answer changes only where a text of its row has the same and changes there; what the answer
    alone has stays. An answer that is just the text that changed, in whatever case, becomes the new
    one, although on its own it might be no site: a surname, a word without its article. A step that
    has a note on a row computes its answer, and leads itself where a text changes.

    Args:
        edits: the edits of the step.
        texts: the texts and the answers.
        is_answer: shape (texts,).
        rows: shape (texts,); the row of each.
        is_told: shape (texts,); whether the step has a note on its row.
    """
    owners = np.arange(len(texts)).repeat(edits.per_text(texts))
    leading, following = edits.keep(~is_answer[owners]), edits.keep(is_answer[owners])
    led_by = rows[owners[~is_answer[owners]]]
    (answers,) = (is_answer & np.isin(rows, led_by)).nonzero()
    changes: dict[int, dict[str, str]] = defaultdict(dict)
    pairs = zip(led_by.tolist(), *_both(leading, texts), strict=True)
    for row, removed, text in pairs if len(answers) else ():
        changes[row].setdefault(removed.casefold(), text)
    removals = {row: "\n".join(known) for row, known in changes.items()}
    of_own = owners[is_answer[owners]]
    own_rows = zip(rows[of_own].tolist(), is_told[of_own].tolist(), strict=True)
    stays = [
        row in removals and (leads or _has(removals[row], removed.casefold()))
        for (row, leads), removed in zip(own_rows, _both(following, texts)[0], strict=True)
    ]
    following = following.keep(np.array(stays, np.bool_))
    answers = answers[following.per_text(texts)[answers] == 0]
    starts, ends, names = list[int](), list[int](), list[str]()
    places = zip(answers.tolist(), texts.take(answers).to_list(), strict=True)
    for (at, answer), first in zip(places, texts.starts[answers].tolist(), strict=True):
        core = _CORE.fullmatch(answer)
        assert core is not None  # it may be empty
        text = changes[int(rows[at])].get(core[1].casefold(), "")
        if core[1] and text:
            starts.append(first + core.start(1))
            ends.append(first + core.end(1))
            names.append(_cased(text, core[1]))
    named = Edits(np.array(starts, np.intp), np.array(ends, np.intp), column(names))
    return leading.merged(following).merged(named)


def _both(edits: Edits, texts: Strings) -> tuple[list[str], list[str]]:
    """Return the strings that edits remove, and those that they write."""
    return Strings(texts.codes, edits.starts, edits.ends).to_list(), edits.replacements.to_list()


def _has(text: str, part: str) -> bool:
    """Return whether a text has a part as words of its own."""
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None


def _cased(text: str, like: str) -> str:
    """Return a text in small letters, or with a capital, if the other one is so."""
    return (
        text.lower() if like.islower() else text[0].upper() + text[1:] if like.istitle() else text
    )
