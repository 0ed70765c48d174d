"""Numbers and symbols as they are said."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

import numpy as np
import regex

from perturb.engine.batch import Batch
from perturb.engine.places import adjacent, are_among
from perturb.engine.text.characters import set_of
from perturb.engine.text.strings import column, decode, runs
from perturb.lexicon.hashing import HashTable, hash_spans, hash_strings, hashes_of
from perturb.lexicon.numerals import LIMIT, named
from perturb.lexicon.phrases import is_digit
from perturb.perturbators.layout.punctuation import loose_signs, signs_of
from perturb.perturbators.shared.character_tables import is_blank
from perturb.perturbators.shared.formulas import formula_signs
from perturb.perturbators.shared.written import Written
from perturb.perturbators.words.dates import MONTHS
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Codes, Int64, distinct

# The end and the name of each sign, by its start.
Signs = dict[int, tuple[int, str]]

_SILENT = "()[]{}/\\|*_~<>^"
_SAID = {"&": "and", "+": "plus", "=": "equals", "@": "at", "%": "percent", "#": "number"}
# Signs of a formula, which are silent elsewhere.
_OPERATORS = {
    **dict.fromkeys("-–−", "minus"), **dict.fromkeys("*×", "times"), "/": "divided by",
    "÷": "divided by", "<": "less than", ">": "greater than", "<=": "less than or equal to",
    ">=": "greater than or equal to", "!=": "not equal to", "==": "equals", "!": "factorial",
    "^": "to the power of", ":": "to",
}  # fmt: skip
# A hyphen or slash may be that of a score, pages or choices, unless something is computed.
_COMPUTES = regex.compile(
    r"(?i)[=^×÷*+]|\b(?:what(?: is|['’]s)|compute|calculate|evaluate|simplify|solve|subtract|equal)"
)
_MONEY = {"$": "dollar cent cents", "€": "euro cent cents", "£": "pound penny pence"}
_FULL_HOUR = "o'clock"
_SCALES = ("hundred", "thousand", "million", "billion", "trillion")
_SCALE_LETTERS = {"k": " thousand", "m": " million", "b": " billion"}
_PARTS = {"2": "half", "4": "quarter"}
# The groups of the pattern of spoken numbers.
_GROUPS = (
    "phone whole part of money decimals minutes scale percent ending unit per month half"
).split()

# Characters that may be next to a number without belonging to it, and those between its digits.
_EDGES = "\t\n\r !\"#$&'()*+-/;<=>?@[\\]^`{|}~"
_INSIDE = ".,:"
_EDGES_BEHIND = _EDGES.replace("/", "").replace("'", "") + _INSIDE
# Longer numbers are read one by one: `hash_spans` sees 48 letters, so two long ones may hash alike.
_SHORT = 40


def numbers_said(batch: Batch) -> Written:
    """Return the numbers in digits, with their currency and percent signs and units.

    Each comes with its spoken form: four dollars and fifty cents for $4.50.
    """
    codes = batch.codes
    digit = is_digit(codes)
    at = signs_of(batch, _INSIDE)
    digit[at] = digit[at - 1] & digit[at + 1]
    heads, ends = runs(digit)
    if not len(heads):
        return Written(heads, ends, column([]))
    money = set_of("".join(_MONEY))
    heads -= (codes[heads - 1] == ord(".")) & money.mask(codes[heads - 2])
    heads -= money.mask(codes[heads - 1])
    # +44 20 7946 0958
    grouped = is_blank(codes[ends]) & is_digit(codes[np.minimum(ends + 1, len(codes) - 1)])
    (plus,) = ((codes[heads - 1] == ord("+")) & grouped & is_blank(codes[heads - 2])).nonzero()
    text = decode(codes)
    phones = [_matched(text, head - 1) != "" for head in heads[plus].tolist()]
    heads[plus] -= np.array(phones, np.intp)
    ends += codes[ends] == ord("%")
    # Isolated numbers that are spelled alike are read once.
    spelled = hash_spans(batch, heads, ends)
    alone = _are_alone(batch, heads, ends)
    others = np.flatnonzero(~alone)
    spelled[others] = np.arange(len(others), dtype=np.uint64)
    _, first, which = np.unique(spelled, return_index=True, return_inverse=True)
    spans = (array[first].tolist() for array in (heads, ends, alone))
    numbers = (
        text[head:end] if plain else _matched(text, head)
        for head, end, plain in zip(*spans, strict=True)
    )
    lengths, said = zip(*map(_said, numbers), strict=True)
    sizes = np.array(lengths)[which]
    # A part of the number before it, as the 2 of 1/2, is not a number itself.
    reached = np.append(0, np.maximum.accumulate(heads + sizes)[:-1])
    rows = np.flatnonzero((sizes > 0) & (heads >= reached))
    return Written(heads[rows], (heads + sizes)[rows], column(said).take(which[rows]))


def _matched(text: str, head: int) -> str:
    """Return the match of the pattern at a place of a text, or ""."""
    match = _number().match(text, head)
    return match[0] if match else ""


def _are_alone(batch: Batch, heads: Int64, ends: Int64) -> Bool:
    """Mark the numbers whose surroundings don't belong to them."""
    codes, words = batch.codes, batch.words
    before, behind = codes[heads - 1], codes[ends]
    second = codes[np.minimum(ends + 1, len(codes) - 1)]
    alone = ((before == 0) | set_of(_EDGES).mask(before)) & (ends - heads <= _SHORT)
    alone &= (behind == 0) | set_of(_EDGES_BEHIND).mask(behind)
    rows = np.minimum(words.starts.searchsorted(ends), len(words) - 1)
    known, _ = _leads().find(hashes_of(batch, rows))
    tied = is_digit(second) | set_of("°€£").mask(second)
    tied[known] = True
    tied &= behind == ord(" ")
    tied |= is_digit(second) & (behind == ord("-"))
    marks: Bool = alone & ~tied
    return marks


@cache
def _units() -> dict[str, tuple[str, str]]:
    """Return the spoken singular and plural of each unit, by its abbreviations."""
    return {
        short.replace("_", " "): (one, many)
        for table in ("units.tsv", "spoken_units.tsv")
        for *_, abbreviations, one, many in read_rows("english", table)
        for short in abbreviations.split(" ")
        if not short.endswith("*")
    }


@cache
def _leads() -> HashTable:
    """Return the first words of everything that can belong to a number before it."""
    leads = (regex.split(r"(?<=\w)(?=[/^ ])", unit)[0] for unit in _units())
    more = [*_SCALES, *MONTHS, "a", "p", "a.m", "p.m"]
    return HashTable.of(distinct(hash_strings([*leads, *more])))


@cache
def _number() -> regex.Pattern[str]:
    """Return the pattern of text that is said as one number."""
    units = "|".join(map(regex.escape, sorted(_units(), key=len, reverse=True)))
    whole = r"(?P<whole>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)"
    decimals, scale = r"\.(?P<decimals>[0-9]+)", rf" (?:{'|'.join(_SCALES)})\b"
    unit, per = rf" ?(?=[A-Za-zµμ°€£])(?P<unit>{units})", r"(?:/(?P<per>[A-Za-z]+))?"
    half = r"(?P<half> [aApP](?=\.[mM]\.|$))?"  # the rest stays: 9:00 a.m.
    return regex.compile(
        r"(?<![\w.,:])(?:(?P<phone>(?:[0-9]{3}-)?[0-9]{3}-[0-9]{4}|"
        r"\+[0-9]{1,3}(?:[ -][0-9]{2,5}){2,5}|0[0-9]{2,4}(?: [0-9]{3,4}){1,2})(?![-0-9])|"
        rf"(?P<whole>[1-9]|[12][0-9]|3[01])(?P<month> )(?=(?:{'|'.join(MONTHS)})\b|$)|"
        rf"(?:(?P<whole>[0-9]+) )?(?P<part>[1-9])/(?P<of>[2-9]|10)(?![/0-9])(?:{unit})?"
        rf"|(?P<money>[$€£])(?:{whole}(?:{decimals})?|{decimals})(?P<scale>{scale}|[kKmMbB])?{per}"
        rf"|{whole}(?:{decimals}|:(?P<minutes>[0-5][0-9]){half})?(?:(?P<percent>%)|(?P<scale>{scale}|[kK])"
        rf"|(?P<ending>st|nd|rd|th|'?s)|{unit}{per})?)(?:(?<= )|(?![\w%]|[.,:][0-9]))"
    )


def signs_said(batch: Batch, numbers: Written) -> Written:
    """Return the symbols at the edge of words and between them, each with its spoken form, if any.

    Args:
        batch: the texts.
        numbers: those whose symbols are skipped.
    """
    codes = batch.codes
    others = signs_of(batch, _SILENT + "".join(_SAID))
    computed = _computed(batch)
    parts = [place for start, (end, _) in computed.items() for place in range(start, end)]
    places = distinct(np.concatenate([loose_signs(batch), others, np.array(parts, np.intp)]))
    behind = np.append(0, numbers.ends)[numbers.starts.searchsorted(places, "right")]
    places = places[places >= behind]
    starts, ends = adjacent(places)
    led, followed = is_blank(codes[starts - 1]), is_blank(codes[ends])
    which = (~(led | followed)).astype(np.intp)
    said = set_of("".join(_SAID)).mask(codes[places]) | are_among(places, np.array([*computed]))
    said = places[said]
    rows = distinct(starts.searchsorted(said, "right") - 1)
    which[rows] = 2 + np.arange(len(rows))
    texts = ["", " "]
    for row in rows.tolist():
        words = " ".join(_read(codes, starts[row], ends[row], computed))
        texts.append(" " * (not led[row]) + words + " " * (not followed[row]))
    # If a symbol has two spaces around it, or after it, one goes with it.
    before, behind, second = (
        codes[np.minimum(places, len(codes) - 1)] == ord(" ")
        for places in (starts - 1, ends, ends + 1)
    )
    ends += (which == 0) & behind & (before | second)
    return Written(starts, ends, column(texts).take(which))


def _read(codes: Codes, place: int, end: int, computed: Signs) -> Iterator[str]:
    """Yield the words for the symbols from one place to another."""
    while place < end:
        behind, word = computed.get(place, (place + 1, _SAID.get(chr(codes[place]))))
        if word:
            yield word
        place = behind


def _computed(batch: Batch) -> Signs:
    """Return the ends and names of signs of formulas, by their starts.

    Without spaces, a dash, slash or colon may also be that of a date, a share or a time.
    """
    found: Signs = {}
    starts, ends = batch.once(formula_signs)
    asks: dict[int, bool] = {}
    places = (array.tolist() for array in (starts, ends, batch.text_of(starts)))
    for start, end, row in zip(*places, strict=True):
        sign = decode(batch.codes[start:end])
        spaced = (batch.codes[[start - 1, end]] == ord(" ")).all()
        before = chr(batch.codes[start - 1 - spaced])
        if sign in "-–/" and (before.isalnum() or before in ")]"):
            if row not in asks:
                asks[row] = (
                    _COMPUTES.search(batch.texts.take(np.array([row])).to_list()[0]) is not None
                )
            spaced &= asks[row]
        elif sign not in (":", "<", ">"):
            spaced = True
        if sign in _OPERATORS and spaced:
            found[start] = end, _OPERATORS[sign]
    return found


@lru_cache(maxsize=4096)
def _said(number: str) -> tuple[int, str]:
    """Return the length of the number that a string begins with, and its spoken form."""
    match = _number().match(number)
    if not match:
        return 0, ""
    groups = [group or "" for group in match.group(*_GROUPS)]
    phone, whole, part, of, money, decimals, minutes, scale, percent = groups[:9]
    ending, unit, per, month, half = groups[9:]
    if phone:
        signs = regex.sub("[ -]", "", phone)
        return len(phone), " ".join("plus" if sign == "+" else _name(sign) for sign in signs)
    if month:
        return len(match[0]), f"the {_ordered(_name(whole))} of{month}"
    amount = _name(whole or "0")
    alone = not (money or decimals or minutes or scale or percent or unit or per)
    if part:
        name = _PARTS.get(of) or _ordinals()[_name(of)]
        amount = f"{amount} and " * bool(whole) + f"{_name(part)} "
        amount += name if part == "1" else _plural(name)
    elif minutes:
        full = _FULL_HOUR * (not (unit or half))
        amount += f" {_pair(minutes) if int(minutes) else full}".rstrip() + half
    elif alone and len(whole) == 4 and whole[0] in "12" and whole[1:3] != "00":
        amount = f"{_name(whole[:2])} {_pair(whole[2:]) if int(whole[2:]) else 'hundred'}"
    in_coins = money and len(decimals) == 2 and not scale
    if decimals and not in_coins:
        amount += " point " + " ".join(map(_name, decimals))
    if ending:
        amount = _plural(amount) if ending[-1] == "s" else _ordered(amount)
    amount += _SCALE_LETTERS.get(scale.lower(), scale)
    if money:
        note, cent, cents = _MONEY[money].split(" ")
        paid = [f"{amount} {note}{'' if amount == 'one' else 's'}"]
        if in_coins and int(decimals):
            coins = f"{_name(decimals)} {cent if decimals == '01' else cents}"
            paid = [*paid * (amount != "zero"), coins]
        amount = " and ".join(paid)
    if unit:
        amount += f" {_units()[unit][amount != 'one' and (not part or bool(whole))]}"
    if per:
        amount += f" per {_units().get(per, (per.lower(),))[0]}"
    return len(match[0]), amount + " percent" * bool(percent)


def _plural(word: str) -> str:
    """Return the plural of the name of a number or of a part."""
    return regex.sub("y$", "ie", regex.sub("f$", "ve", regex.sub("x$", "xe", word))) + "s"


def _ordered(name: str) -> str:
    """Return the ordinal of the name of a number."""
    *lead, last = regex.split(r"(?<=[ -])", name)
    return "".join([*lead, _ordinals().get(last, last)])


def _pair(digits: str) -> str:
    """Return the spoken form of the last two digits of a year or a time."""
    return f"oh {_name(digits[1])}" if digits[0] == "0" else _name(digits)


def _name(digits: str) -> str:
    """Return the name of a number, or of each digit if it begins with a zero or is large."""
    digits = digits.replace(",", "")
    if (len(digits) > 2 and digits[0] == "0") or int(digits) >= LIMIT:
        return " ".join(map(_name, digits))
    return named(np.array([int(digits)])).to_list()[0]


@cache
def _ordinals() -> dict[str, str]:
    return {row[1]: row[2] for row in read_rows("english", "numbers.tsv")}
