"""Letters: their case, and the alphabet that a letter belongs to."""

from __future__ import annotations

from functools import cache

import numpy as np

from perturb.engine.text.characters import CODE_POINTS, CharacterSet, Script, scripts
from perturb.rng import below
from perturb.values.arrays import Codes, Int64, UInt8, UInt32, distinct

# The blocks of letters with two cases, without Georgian: it capitalizes only whole words.
_CASED = (
    (0x0041, 0x0588),
    (0x1E00, 0x2000),
    (0x2C00, 0x2D00),
    (0xA640, 0xA7D0),
    (0xFF21, 0xFF5B),
    (0x10400, 0x10450),
)
_DIGITS = "0123456789"
_ALPHABETS = {
    Script.LATIN: "abcdefghijklmnopqrstuvwxyz",
    Script.GREEK: "αβγδεζηθικλμνξοπρστυφχψω",
    Script.CYRILLIC: "абвгдежзийклмнопрстуфхцчшщъыьэюя",
    Script.ARMENIAN: "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ",
    Script.GEORGIAN: "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ",
    Script.HEBREW: "אבגדהוזחטיכלמנסעפצקרשת",
    Script.ARABIC: "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
    Script.DEVANAGARI: "कखगघचछजझटठडढणतथदधनपफबभमयरलवशषसह",
    Script.BENGALI: "কখগঘচছজঝটঠডঢণতথদধনপফবভমযরলশষসহ",
    Script.THAI: "กขคฆงจฉชซญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ",
    Script.HIRAGANA: "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわん",
    Script.KATAKANA: "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン",
}


@cache
def case_maps() -> tuple[UInt32, UInt32]:
    """Return the lower and the upper case of every code point, shape (0x110000,) each.

    Only pairs of single code points that map to each other count: ß, İ and ǅ stay unchanged, since
    other forms would change the length or couldn't be reversed.
    """
    lower, upper = (np.arange(CODE_POINTS, dtype=np.uint32) for _ in range(2))
    for first, last in _CASED:
        for code in range(first, last):
            small = chr(code)
            capital = small.upper()
            if capital != small and len(capital) == 1 and capital.lower() == small:
                lower[ord(capital)] = code
                upper[code] = ord(capital)
    return lower, upper


@cache
def capitals() -> CharacterSet:
    """Return the letters that have a lower case."""
    lower, _ = case_maps()
    return CharacterSet(lower != np.arange(CODE_POINTS))


@cache
def cased() -> CharacterSet:
    """Return the letters that have two cases."""
    lower, upper = case_maps()
    return CharacterSet(lower != upper)


@cache
def _alphabets() -> tuple[UInt8, tuple[UInt32, ...]]:
    """Return the number of every code point's alphabet, 0 for none; and the alphabets."""
    number = np.zeros(CODE_POINTS, np.uint8)
    texts = ["", *_ALPHABETS.values(), _DIGITS]
    for index, script in enumerate(_ALPHABETS, start=1):
        number[scripts() == script] = index
    number[[ord(digit) for digit in _DIGITS]] = len(texts) - 1
    return number, tuple(np.array([ord(letter) for letter in text], np.uint32) for text in texts)


@cache
def in_alphabet() -> CharacterSet:
    """Return the characters with an alphabet: letters and marks of the scripts above, and digits."""
    return CharacterSet(_alphabets()[0] > 0)


def alphabet_scripts() -> frozenset[Script]:
    """Return the scripts that have an alphabet."""
    return frozenset(_ALPHABETS)


@cache
def letters_in_alphabet() -> CharacterSet:
    """Return the characters that have an alphabet, except digits."""
    member = _alphabets()[0] > 0
    member[[ord(digit) for digit in _DIGITS]] = False
    return CharacterSet(member)


def draw_from_alphabet(codes: Codes, draws: UInt32) -> UInt32:
    """Draw for each code point another letter of its own alphabet, in its own case.

    Args:
        codes: shape (n,); code points that have an alphabet.
        draws: shape (n,); the random numbers.

    Returns:
        Shape (n,); never the code point itself.
    """
    number, letters = _alphabets()
    lower, upper = case_maps()
    wide = codes.astype(np.intp)
    small, numbers = lower[wide], number[wide]
    drawn = small.copy()
    for alphabet in distinct(numbers).tolist():
        (mine,) = (numbers == alphabet).nonzero()
        drawn[mine] = other_than(small[mine], letters[alphabet], draws[mine])
    capital = small != wide
    drawn[capital] = upper[drawn[capital]]
    return drawn


def other_than(codes: Codes, alphabet: UInt32, draws: UInt32) -> UInt32:
    """Draw another code point of `alphabet` for each of `codes`, all equally likely."""
    place = np.argmax(alphabet == codes.astype(np.uint32)[:, None], axis=1)
    known = alphabet[place] == codes
    index: Int64 = below(draws, len(alphabet) - known)
    index += known & (index >= place)
    return alphabet[index]
