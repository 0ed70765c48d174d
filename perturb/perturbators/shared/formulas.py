"""The signs of formulas, such as the minus of 16 - 3, which are no punctuation of sentences."""

from __future__ import annotations

import numpy as np
import regex

from perturb.engine.batch import Batch, of_kind
from perturb.engine.text.characters import Kind, set_of
from perturb.engine.text.strings import decode, ranges
from perturb.values.arrays import Int64

_SIGNS = "-–−+*×÷/<>=^:!"
# A single letter is a variable, unless it is rather a word: plan B - a trip.
_SIGN = regex.compile(
    r"(?<=[0-9)\]]|(?<![^\W\d]|['’])(?!(?<=[^\W\d] |\0)[AIa])[A-Za-z])"
    r"(?P<gap> ?)(?P<sign>[<>!=]=|[-–−+*×÷/<>=^:])(?P=gap)"
    r"(?=[-−]?[$€£]?(?:[0-9(\[]|\.[0-9]|(?![AIa] [^\W\d])[A-Za-z](?![\w'’])))"
    r"|(?<=[=(<>*/^,] ?)(?P<sign>[-−])(?=[0-9A-Za-z.(])|(?<=[^\W\d] )(?P<sign>[-−])(?=[0-9])"
    r"|(?<=[0-9])(?P<sign>!)(?=[?)]| ?[-+*/=×÷]| [a-z])"
)


def formula_signs(batch: Batch) -> tuple[Int64, Int64]:
    """Return the starts and ends of signs with an operand on each side, and of those of numbers.

    An exclamation mark is a factorial if its sentence goes on: 5! divided by 3!
    """
    codes, letter, last = batch.codes, of_kind(Kind.LETTER), len(batch.codes) - 1
    places = np.flatnonzero(set_of(_SIGNS).mask(codes))
    # Most signs are between words, and are seen no further.
    left = places - 1 - (codes[places - 1] == ord(" "))
    right = np.minimum(places + 1, last)
    right = np.minimum(right + (codes[right] == ord(" ")), last)
    before, behind, beyond = codes[left], codes[right], codes[np.minimum(right + 1, last)]
    operand = letter.mask(before) & ~letter.mask(codes[left - 1])
    operand = operand | set_of("0123456789)]").mask(before)
    ahead = letter.mask(behind) & ~letter.mask(beyond)
    ahead = ahead | set_of("0123456789([$€£-−.=").mask(behind) | (codes[places] == ord("!"))
    near = operand & ahead | set_of("=(<>*/^,").mask(before)
    near = near | letter.mask(before) & of_kind(Kind.DIGIT).mask(behind)
    text = decode(codes) if near.any() else ""
    spans = []
    for place in places[near].tolist():
        gap = place - (text[place - 1] == " ")
        match = _SIGN.match(text, gap) or _SIGN.match(text, place)
        if match and match.start("sign") == place:
            spans.append(match.span("sign"))
    starts, ends = np.array(spans, np.intp).reshape(-1, 2).T
    return starts, ends


def places_of_signs(batch: Batch) -> Int64:
    """Return every place of `formula_signs`."""
    starts, ends = batch.once(formula_signs)
    return ranges(starts, ends - starts)
