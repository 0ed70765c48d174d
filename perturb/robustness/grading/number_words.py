"""The number that a reply says in words, English or Han, where it is the answer; and its bounds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from perturb.values.patterns import lazy_re, lazy_regex

ONES = "one two three four five six seven eight nine".split()
TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SCALES = {"trillion": 10**12, "billion": 10**9, "million": 10**6, "thousand": 10**3}
_VALUES = {
    **{word: value for value, word in enumerate(["zero", *ONES, *TEENS])},
    **{word: 10 * value for value, word in enumerate(_TENS, 2)},
    "a": 1,
}
WORD = "|".join((*_VALUES, "hundred", *_SCALES))
_BELOW_100 = (
    rf"(?:(?:{'|'.join(_TENS)})(?:[\s-]+(?:{'|'.join(ONES)}))?|{'|'.join((*TEENS, *ONES))})\b"
)
_BELOW_1000 = (
    rf"(?:(?:a|{_BELOW_100})[\s-]+hundred(?:\s+(?:and\s+)?{_BELOW_100})?\b|{_BELOW_100}|a(?=\s))"
)
_PHRASE = (
    rf"(?=(?:{WORD})\b)(?:zero\b|"
    + "".join(
        rf"(?:{_BELOW_1000}[\s-]+{scale}\b(?:,?\s+(?:and\s+)?(?=(?:{WORD})\b))?)?"
        for scale in _SCALES
    )
    + rf"(?:(?!a\s+(?!hundred)){_BELOW_1000})?)(?<=\w)"
)
_DIGITS = {word: str(value) for value, word in enumerate(["zero", *ONES])} | {"oh": "0"}
_HAN = "〇零一二两兩三四五六七八九十百千万萬亿億"
_HAN_DIGITS = str.maketrans(_HAN, "0012223456789十百千万万亿亿")
_PARTS = {"half": 2, "halve": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6,
          "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10}  # fmt: skip
PART = rf"(?:{'|'.join(_PARTS)})s?"
# What says a value, right before it.
_SAYS = (
    r"(?:^|(?:\b(?:is|are|was|were|be|equals|makes|gives|gets|has|have|had|costs|earns|pays|takes|took|"
    r"leaves|lasts|weighs|needs|totals|at)|['’]s)\s|[=:])[\s*_\"'(]*"
    r"(?:(?:about|around|approximately|roughly|exactly|only|just)\s+)?"
)
# A unit is one word or two; no word among them changes the number or comments on it.
_UNIT = (
    rf"(?:(?!(?:{WORD}|of|and|or|to|in|from|by|for|per|if|as|that|who|which|is|are|was|were|but|not|than"
    rf"|so|at|the|an|{PART}|scores?|point|plus|minus|times|squared|cubed|hundreds|hundredths?"
    r"|thousands|thousandths?|millions|others?|different)\b)[a-z]+|per\s(?:cent|mille))"
)
_HALF_DAY = r"[ap]\.? ?m\b\.?|in the (?:morning|afternoon|evening)|at night"
_SAID = lazy_re(
    rf"{_SAYS}(?P<sign>(?:minus|negative)\s+)?"
    rf"(?P<said>(?:(?:{WORD}|an|and|of|point|oh|{PART}|dozen)\b[\s,-]*)+)(?<!-)"
    rf"(?P<unit>(?:(?:{_UNIT}\s*){{1,2}}(?:of\s+{_UNIT}\s*)?)?|{_HALF_DAY})[\s.!*_\"')]*$",
    re.IGNORECASE,
)
_IN_HAN = lazy_re(rf"(?<![\d{_HAN}])([{_HAN}]{{1,20}})([^\W\d_]{{0,3}})\W*$")
# Two hours and a half.
_UNIT_FIRST = lazy_re(rf"\s({_UNIT})\s+and\s+a\s+half\b", re.IGNORECASE)
# Three quarters may be coins, unless a hyphen or a whole makes them one number; their unit is both.
_FRACTION = lazy_re(
    rf"(?P<and>\band[\s-]+)?\b(?:(?P<above>an?|{'|'.join(ONES)})(?:-|\s+(?(and)|(?!quarters(?!\s+of\b))))"
    rf"(?P<part>{PART})|half)\b(?:\s+(?:of\s+)?an?\b)?"
)
# One number, perhaps a time, and its scale and unit.
_ONE = lazy_re(
    r"(?:\d+(?:\.\d+|:\d\d)?|(?:\d{1,3} )?\d+/\d+)"
    r"(?: (?!(?:and|an?|point|oh)\b)[^\d\s,-]+)*"
)
# The words of other languages that say most numbers, or begin them.
_FOREIGN = r"""zwei \w*drei vier fünf sechs sieb \bacht neun zehn \belf\b zwölf \w+zehn \w+zig\b
hundert \w*tausend deux trois quatre\b cinq sept\b huit neuf dix\b onze douze treize quatorze
quinze vingt trente quarante cent\b mille\b dos\b tres\b cuatro cinco seis\b siete ocho\b nueve
diez\b doce\b veint treint ciento? mil\b tre\b quattro sette\b otto\b nove\b dieci dodici venti\b
trent dois três sete\b oito dez\b doze vinte trinta twee drie vijf zeven negen\b tien\b twaalf
twintig honderd duizend два две\b три четыр пят шест сем восем девят десят \w+дцат сорок сто\b
тысяч"""
_NONE_OF = r"no\s(?!answer|clue|data|doubt|idea|information|number|problem|way)\w+"
_UNSURE = (
    rf"(?:{WORD.replace('|a|', '|')}|hundreds|thousands|millions|billions|couple|pair|dozens?|"
    rf"double|triple|twice|thrice|{PART}|eleventh|twelfth|\w+(?:teen|tie)th|none|nil|nothing|nobody|"
    rf"nought|null|nan|inf|infinit[ey]|no\s(?:\w+\s)?(?:left|more)|"
    rf"there\s(?:is|are|was|were)\s{_NONE_OF}|"
    r"an?\s(?:second|minute|hour|day|week|month|year|mile|dollar|cent|pound))\b"
)
_MAY_SAY = lazy_regex(
    rf"(?i)\p{{N}}|[{_HAN}]|\b(?-i:[IVXLCDM]{{2,}})\b"
    rf"|\b(?:{'|'.join(_FOREIGN.split())}|{_UNSURE})|∞"
    # Within a sentence these are said of other things: first, I don't know.
    rf"|^\W*(?:(?:the\s)?(?:first|second|once)|no|{_NONE_OF})\W*$"
)
_ANY = lazy_re(rf"(?i)(?<![\w-])(?:{_PHRASE})(?![\w-])")
_EACH = lazy_re(rf"(?<!\w)(?:{_PHRASE})(?!\w)")


def _as_fraction(match: re.Match[str]) -> str:
    """Return a fraction in words as one with a slash, behind the number that it belongs to."""
    part = (match["part"] or "half").removesuffix("s")
    return f"{' ' * bool(match['and'])}{_VALUES.get(match['above'], 1)}/{_PARTS[part]}"


def _decimals(match: re.Match[str]) -> str:
    return f" .{''.join(_DIGITS[word] for word in re.findall('[a-z]+', match[1]))}"


# How words become digits, in this order: no part of a fraction or a decimal is a number of its own.
_WRITTEN: list[tuple[re.Pattern[str], Any]] = [
    (lazy_re(r"\bhalf a dozen\b"), "six"),
    (lazy_re(r"\b(?:a|one) dozen\b"), "twelve"),
    (lazy_re(r"^an? (?=and\b)"), "one "),
    (lazy_re(rf"\s+point((?:[\s-]+(?:{'|'.join(_DIGITS)})\b)+)"), _decimals),
    (lazy_re(rf"\boh[\s-]+({'|'.join(ONES)})\b"), lambda match: f"0{_DIGITS[match[1]]}"),
    (_FRACTION, _as_fraction),
    (_EACH, lambda match: str(_value(match[0]))),
    (lazy_re(r"[\s,-]+(?=\.)"), ""),
    (lazy_re(r"[\s,-]+"), " "),
    (lazy_re(rf"^(1[0-2]|[1-9]) ([0-5]\d)(?= (?:{_HALF_DAY})|$)"), r"\1:\2"),
]
# What makes a number the end of a range, one of two, or a bound. An angle bracket that follows
# neither a variable nor a space may end a tag or an arrow.
_SIGN = r"(?:^|(?<=[\w)}]) |(?<![</\w])[a-zA-Z] ?)"
BOUND = lazy_re(
    rf"(?:[ -]?(?:[-–—~〜～至到]|\b(?:to|through|bis|à|до)\b)[ -]?(?P<to>)| and (?P<and>)"
    rf"| or (?:[a-z] ?= ?)?(?P<or>)| ?(?:±|\+/-) ?(?P<within>)"
    rf"|(?:\b(?:more|greater|larger|higher) than |{_SIGN}> ?)(?P<over>)"
    rf"|(?:\b(?:less|fewer|smaller|lower) than |{_SIGN}< ?)(?P<under>)"
    rf"|{_SIGN}(?:≥|>=) ?(?P<from>)|{_SIGN}(?:≤|<=) ?(?P<most>))$"
)
# What goes from one number to another is the other in the end; of two, the last is said.
APART = lazy_re(
    r"(?<!etween )\0and$|(?i:\b(?:add|adjust|chang|climb|convert|cut|declin|decreas|drop|f[ae]ll|go"
    r"|gon|grew|grow|improv|increas|jump|mov|rais|reduc|revis|r[io]s|round|shr[aiu]nk|simplif|turn|updat"
    r"|went)p?(?:e|es|ed|en|n|s|y|ies|ied|ing)?\b[^.!?\d]*\0to$)"
)
_LAST_WORDS = {*re.findall(r"\w\w+", f"{WORD} dozen {' '.join(_PARTS)} {'s '.join(_PARTS)}s")}
_LAST = 80
# The characters at the end of a reply that are searched: no number below a million is so long.
_LONGEST = 200


def may_say_number(text: str) -> bool:
    """Return whether a number may be in a text, in words of any place or in another language.

    Examples:
        >>> may_say_number("I am not sure."), may_say_number("Es sind zweiundzwanzig.")
        (False, True)
    """
    return _MAY_SAY.search(text) is not None


def in_digits(text: str, start: int = 0) -> str | None:
    """Return the number in words that a reply is, or ends with, in digits; None without one.

    It may have a unit of one or two words. "One" is as often a pronoun, so it has to be all.

    Args:
        text: the reply.
        start: the place of the character from which it may begin.

    Examples:
        >>> in_digits("Now she has twenty-one eggs.")
        '21 eggs'
        >>> in_digits("two and a half million"), in_digits("at ten thirty"), in_digits("one or two")
        ('2 1/2 million', '10:30', None)
    """
    if (han := _IN_HAN.search(text, start)) and (han[1] != "一" or not han.start()):
        return f"{_han_value(han[1].translate(_HAN_DIGITS))}{han[2]}"
    # Behind it are at most four words of a unit.
    if _LAST_WORDS.isdisjoint(re.findall("[a-z]+", text[start:][-_LAST:].lower())[-5:]):
        return None
    cut = max(0, len(text) - _LONGEST)
    match = _SAID.search(
        _UNIT_FIRST.sub(r" and a half \1", text[cut:].rstrip()), max(0, start - cut)
    )
    # What begins at the cut may not be the beginning of the reply.
    if match is None or (cut and not match.start()):
        return None
    is_part = any(map(str.isalpha, match.string[: match.start("said")]))
    said = (match["said"].lower() + match["unit"]).strip()
    for pattern, written in _WRITTEN:
        said = pattern.sub(written, said)
    if re.match(r"1(?: [a-z]|$)", said) and (is_part or said != "1"):
        return None
    return f"{'-' * bool(match['sign'])}{said}" if _ONE.fullmatch(said) else None


def numbers_in_words(text: str) -> Iterator[int]:
    """Yield the numbers that English words in a text say, but for one, as often a pronoun.

    Examples:
        >>> list(numbers_in_words("One of the twenty-two sold three hundred and five eggs."))
        [22, 305]
    """
    for match in _ANY.finditer(text):
        value = _value(match[0].lower())
        if value != 1:
            yield value


def _value(phrase: str) -> int:
    """Return the number that a phrase in lower case says."""
    total = group = 0
    for word in re.findall(rf"\b(?:{WORD})\b", phrase):
        if word == "hundred":
            group *= 100
        elif word in _SCALES:
            total, group = total + group * _SCALES[word], 0
        else:
            group += _VALUES[word]
    return total + group


def _han_value(numerals: str) -> int:
    """Return the number of Han numerals, its digits as those of ASCII."""
    for mark, value in {"亿": 10**8, "万": 10**4, "千": 1000, "百": 100, "十": 10}.items():
        before, is_there, after = numerals.rpartition(mark)
        if is_there:
            return (_han_value(before) if before else 1) * value + _han_value(after)
    return int(numerals or 0)
