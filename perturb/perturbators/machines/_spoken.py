"""Numbers and signs as they are said."""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
import regex

from perturb.engine.batch import Batch
from perturb.engine.places import adjacent
from perturb.engine.text.characters import set_of
from perturb.engine.text.strings import column, decode, distinct, runs
from perturb.lexicon.hashing import hash_spans
from perturb.lexicon.numerals import LIMIT, named
from perturb.lexicon.phrases import is_digit
from perturb.perturbators.layout.punctuation import loose_signs, signs_of
from perturb.perturbators.shared.character_tables import is_blank
from perturb.perturbators.shared.written import Written
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Codes, Int64

_SILENT = "()[]{}/\\|*_~<>^"
_SAID = {"&": "and", "+": "plus", "=": "equals", "@": "at", "%": "percent", "#": "number"}
_MONEY = {"$": ("dollar", "cents"), "€": ("euro", "cents"), "£": ("pound", "pence")}
_FULL_HOUR = "o'clock"
_NUMBER = regex.compile(
    r"(?<![\w.,:])([$€£]?)([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]+)|:([0-5][0-9]))?"
    r"(?:(%)|( (?:hundred|thousand|million|billion|trillion))\b|(st|nd|rd|th))?(?![\w%])"
)

# What may stand beside a number and be no part of it, what may stand between its digits, and what
# the words begin with that are said with the number before them.
_EDGES = "\t\n\r !\"#$&'()*+-/;<=>?@[\\]^`{|}~"
_INSIDE, _SCALES = ".,:", ("htmb", "uhir", "noli", "dul", "rsil")
# Longer numbers may hash alike.
_SHORT = 40


def numbers_said(batch: Batch) -> Written:
    """Return the numbers in digits, with the signs of money and of percent beside them.

    With what is said for each, as for $4.50: four dollars and fifty cents.
    """
    codes = batch.codes
    digit = is_digit(codes)
    at = signs_of(batch, _INSIDE)
    digit[at] = digit[at - 1] & digit[at + 1]
    heads, ends = runs(digit)
    if not len(heads):
        return Written(heads, ends, column([]))
    heads -= set_of("".join(_MONEY)).mask(codes[heads - 1])
    ends += codes[ends] == ord("%")
    # What is said for those that stand alone is found once for all that are spelled alike.
    spelled = hash_spans(batch, heads, ends)
    others = np.flatnonzero(~_are_alone(codes, heads, ends))
    spelled[others] = np.arange(len(others), dtype=np.uint64)
    _, first, which = np.unique(spelled, return_index=True, return_inverse=True)
    text = decode(codes)
    matches = [_NUMBER.match(text, head) for head in heads[first].tolist()]
    sizes = np.array([len(match[0]) if match else 0 for match in matches])[which]
    said = column(_said(*match.groups()) if match else "" for match in matches)
    rows = np.flatnonzero(sizes)
    return Written(heads[rows], (heads + sizes)[rows], said.take(which[rows]))


def _are_alone(codes: Codes, heads: Int64, ends: Int64) -> Bool:
    """Mark the numbers to which nothing around them belongs."""
    before = codes[heads - 1]
    behind, *word = (codes[np.minimum(ends + step, len(codes) - 1)] for step in range(6))
    alone = ((before == 0) | set_of(_EDGES).mask(before)) & (ends - heads <= _SHORT)
    alone &= (behind == 0) | set_of(_EDGES + _INSIDE).mask(behind)
    scale: Bool = behind == ord(" ")
    for letters, code in zip(_SCALES, word, strict=True):
        scale &= set_of(letters).mask(code)
    marks: Bool = alone & ~scale
    return marks


def signs_said(batch: Batch, numbers: Written) -> Written:
    """Return the signs at the edge of words and between them, with what is said for each, if any.

    Args:
        batch: the texts.
        numbers: those whose signs are left out.
    """
    codes = batch.codes
    others = signs_of(batch, _SILENT + "".join(_SAID))
    places = distinct(np.append(loose_signs(batch), others))
    behind = np.append(0, numbers.ends)[numbers.starts.searchsorted(places, "right")]
    places = places[places >= behind]
    starts, ends = adjacent(places)
    led, followed = is_blank(codes[starts - 1]), is_blank(codes[ends])
    which = (~(led | followed)).astype(np.int64)
    said = places[set_of("".join(_SAID)).mask(codes[places])]
    rows = distinct(starts.searchsorted(said, "right") - 1)
    which[rows] = 2 + np.arange(len(rows))
    texts = ["", " "]
    for row in rows.tolist():
        run = decode(codes[starts[row] : ends[row]])
        words = " ".join(_SAID[sign] for sign in run if sign in _SAID)
        texts.append(" " * (not led[row]) + words + " " * (not followed[row]))
    # Of the two spaces around a sign that goes one goes with it.
    ends += (which == 0) & (codes[starts - 1] == ord(" ")) & (codes[ends] == ord(" "))
    return Written(starts, ends, column(texts).take(which))


@lru_cache(maxsize=4096)
def _said(
    money: str, whole: str, decimals: str, minutes: str, percent: str, scale: str, ending: str
) -> str:
    """Return what is said for a number, by the groups of the pattern."""
    plain = whole.isdigit() and not (money or decimals or minutes or percent or scale or ending)
    if minutes:
        return f"{_name(whole)} {_pair(minutes) if int(minutes) else _FULL_HOUR}"
    if ending:
        *lead, last = regex.split(r"(?<=[ -])", _name(whole))
        return "".join([*lead, _ordinals().get(last, last)])
    if plain and len(whole) == 4 and whole[0] in "12" and whole[1:3] != "00":
        return f"{_name(whole[:2])} {_pair(whole[2:]) if int(whole[2:]) else 'hundred'}"
    words, coins = _name(whole), ""
    if money and len(decimals or "") == 2 and not scale:
        coins = f" and {_name(decimals)} {_MONEY[money][1]}" if int(decimals) else ""
    elif decimals:
        words += " point " + " ".join(map(_name, decimals))
    if money:
        one = words == "one" and not scale
        words += f"{scale or ''} {_MONEY[money][0]}{'' if one else 's'}{coins}"
    else:
        words += scale or ""
    return words + " percent" * bool(percent)


def _pair(digits: str) -> str:
    """Return what is said for the last two digits of a year or a time."""
    return f"oh {_name(digits[1])}" if digits[0] == "0" else _name(digits)


def _name(digits: str) -> str:
    """Return the name of a number, or of each digit of one that begins with a zero or is large."""
    digits = digits.replace(",", "")
    if (len(digits) > 2 and digits[0] == "0") or int(digits) >= LIMIT:
        return " ".join(map(_name, digits))
    return named(np.array([int(digits)])).to_list()[0]


@cache
def _ordinals() -> dict[str, str]:
    return {row[1]: row[2] for row in read_rows("english", "numbers.tsv")}
