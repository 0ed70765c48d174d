"""Texts and words in a code, with or without an instruction around them."""

from __future__ import annotations

from base64 import a85encode, b32encode, b64encode
from binascii import b2a_uu
from codecs import encode as recode
from collections.abc import Callable
from functools import cache
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits, punctuation
from typing import Literal
from urllib.parse import quote

import numpy as np
import regex

from perturb.engine.batch import Batch, visible
from perturb.engine.places import touching
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.characters import (
    CODE_POINTS,
    CharacterSet,
    Kind,
    Script,
    kinds,
    scripts,
    set_of,
)
from perturb.engine.text.strings import Strings, column
from perturb.errors import UsageError
from perturb.perturbators.declaration import text_perturbator
from perturb.resources import read_rows

Unit = Literal["text", "word"]

Codec = Literal[
    "base64", "base32", "ascii85", "uuencode", "hex", "hex_spaces", "binary", "rot13", "caesar",
    "atbash", "url", "html", "morse", "nato", "braille", "pig_latin", "reverse", "tags",
]  # fmt: skip
# The columns of the table of codes.
_MORSE, _NATO = 1, 2
_INSTRUCTION = (
    "Decode the {codec} text below, do what it asks, and give your answer in {codec}:\n{{text}}"
)
# Uncontracted braille: the letters, the signs before capitals, numbers, and letters after numbers.
_BRAILLE = "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵"
_CAPITAL, _NUMBER, _LETTER = "⠠⠼⠰"
_BRAILLE_CODES = str.maketrans(
    dict(zip(ascii_lowercase, _BRAILLE, strict=True))
    | {letter: _CAPITAL + cell for letter, cell in zip(ascii_uppercase, _BRAILLE, strict=True)}
    | {digit: _BRAILLE[(int(digit) - 1) % 10] for digit in digits}
)
_NUMBERS = regex.compile(r"[0-9]++(?P<letter>(?=[a-j]))?+")
_SHIFT = 3
_CLUSTER = regex.compile(r"\X")
# The offset from ASCII to the characters of the block Tags.
_TAGS = 0xE0000
# The bytes in a line of uuencode, by POSIX.
_LINE = 45


@cache
def _spelled(place: int) -> dict[int, str]:
    """Return the code of each character with a space behind it, and a slash between words."""
    codes = {row[0]: row[place] for row in read_rows("languages", "spelling_codes.tsv")}
    return str.maketrans(
        {case: f"{code} " for sign, code in codes.items() if code for case in {sign, sign.upper()}}
        | {" ": "/ ", "\t": "/ "}
    )


def _moved(small: str) -> dict[int, int]:
    """Return the replacements of a to z, in both cases."""
    return str.maketrans(ascii_letters, small + small.upper())


_ATBASH = _moved(ascii_lowercase[::-1])
_CAESAR = _moved(ascii_lowercase[_SHIFT:] + ascii_lowercase[:_SHIFT])
_GAPS, _LINE_ENDS = regex.compile(r"(?:/ )+"), regex.compile(r" +(?=[\r\n]|$)")
_IN_TAGS = {code: chr(_TAGS + code) for code in range(ord(" "), ord("~") + 1)}
_REFERENCES = {code: f"&#{code};" for code in range(128)}
_WORD = regex.compile(r"\p{Latin}[\p{Latin}\p{M}]*(?:['’]\p{Latin}[\p{Latin}\p{M}]*)*")
# A y is a consonant at the start of a word, and so is a u after a q.
_CONSONANTS = regex.compile(r"y?(?:(?:qu|[bcdfghjklmnpqrstvwxz])(?!\p{M}))*", regex.IGNORECASE)


@text_perturbator(
    "encode",
    touches={"letters", "digits", "words", "case", "punctuation", "space", "layout"},
    source="H2O Eval Studio, Encoding Perturbation; RFC 4648, RFC 3986, ITU-R M.1677-1, POSIX",
    aliases={"encoding_base16": {"codec": "hex", "template": _INSTRUCTION.format(codec="base16")}},
    example="What is 7 times 8?",
)
def encode(
    batch: Batch, *, codec: Codec = "base64", unit: Unit = "text", template: str = "{text}"
) -> Sites:
    """Write the whole text, or words of it, in a code: base64, hex, rot13, Morse.

    Encode texts as a whole or word by word; bytes are those of UTF-8.

    Characters that a code doesn't change, such as letters in a URL, don't count. A text with a
    protected part is not encoded as a whole.

    Args:
        batch: the texts.
        codec: "base64", "base32", "ascii85", "uuencode" (without the lines around it); "hex", and
            "hex_spaces" with a space between the bytes; "binary" (eight bits a byte, with spaces);
            "rot13", "caesar" (three letters on) and "atbash" (z for a), of ASCII letters; "url"
            (all but letters, digits and -._~ as %XX); "html" (every character as a decimal
            reference); "morse" and "nato" (letters, digits, and punctuation of the table of Morse;
            other characters stay); "braille" (uncontracted; letters and digits of ASCII);
            "pig_latin" (words of ASCII letters); "reverse" (the characters from the last to the
            first); "tags" (ASCII as the characters of Unicode's block Tags, which don't show).
        unit: "text", and `p` is a share of the texts; or "word", and `p` is a share of the words.
        template: the text to write, with `{text}` in place of the encoded text.
    """
    if "{text}" not in template:
        raise UsageError(
            f"encode: template must have {{text}} in place of the text; got {template!r}"
        )
    write, changed = _CODECS[codec]
    spans = batch.spans_of(unit)
    for characters in (visible(), set_of(changed) if isinstance(changed, str) else changed()):
        holds = touching(characters.mask(batch.codes), spans.starts, spans.ends)
        spans = spans.take(np.flatnonzero(holds))
    if codec == "reverse":
        differs = [_reversed(text) != text for text in spans.to_list()]
        spans = spans.take(np.flatnonzero(differs))

    def written(chosen: Chosen) -> Strings:
        return column(template.replace("{text}", write(text)) for text in chosen.texts.to_list())

    return Sites(spans.starts, spans.ends, unit, written)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _tidied(text: str, place: int) -> str:
    return _LINE_ENDS.sub("", _GAPS.sub("/ ", text.translate(_spelled(place))))


def _in_codes(place: int) -> CharacterSet:
    return CharacterSet.of(set(map(chr, _spelled(place))) - set(" \t"))


def _braille(text: str) -> str:
    signed = _NUMBERS.sub(
        lambda match: _NUMBER + match[0] + (_LETTER if match["letter"] is not None else ""), text
    )
    return signed.translate(_BRAILLE_CODES)


def _html(text: str) -> str:
    return text.translate(_REFERENCES).encode("ascii", "xmlcharrefreplace").decode("ascii")


def _uuencode(text: str) -> str:
    data = _bytes(text)
    lines = (b2a_uu(data[at : at + _LINE], backtick=True) for at in range(0, len(data), _LINE))
    return b"".join(lines).decode("ascii").rstrip("\n")


def _reversed(text: str) -> str:
    return "".join(reversed(_CLUSTER.findall(text)))


def _in_pig_latin(match: regex.Match[str]) -> str:
    """Return a word in pig Latin, in its case."""
    word = match[0]
    rest = _CONSONANTS.sub("", word, count=1)
    first = word.removesuffix(rest)
    coded = f"{rest}{first.lower()}ay" if first else f"{word}way"
    if word.isupper() and len(word) > 1:
        return coded.upper()
    return coded[:1].upper() + coded[1:] if word[0].isupper() else coded


def _latin() -> CharacterSet:
    return CharacterSet((scripts() == Script.LATIN) & (kinds() == Kind.LETTER))


def _reserved() -> CharacterSet:
    member = np.ones(CODE_POINTS, np.bool_)
    member[[ord(character) for character in f"{ascii_letters}{digits}_.-~"]] = False
    return CharacterSet(member)


# The function that writes each code, and the characters that it changes.
_CODECS: dict[str, tuple[Callable[[str], str], str | Callable[[], CharacterSet]]] = {
    "base64": (lambda text: b64encode(_bytes(text)).decode(), visible),
    "base32": (lambda text: b32encode(_bytes(text)).decode(), visible),
    "ascii85": (lambda text: a85encode(_bytes(text)).decode(), visible),
    "hex": (lambda text: _bytes(text).hex(), visible),
    "hex_spaces": (lambda text: _bytes(text).hex(" "), visible),
    "binary": (lambda text: " ".join(f"{byte:08b}" for byte in _bytes(text)), visible),
    "rot13": (lambda text: recode(text, "rot13"), ascii_letters),
    "caesar": (lambda text: text.translate(_CAESAR), ascii_letters),
    "atbash": (lambda text: text.translate(_ATBASH), ascii_letters),
    "url": (lambda text: quote(text, safe="", errors="surrogatepass"), _reserved),
    "html": (_html, visible),
    "morse": (lambda text: _tidied(text, _MORSE), lambda: _in_codes(_MORSE)),
    "nato": (lambda text: _tidied(text, _NATO), lambda: _in_codes(_NATO)),
    "braille": (_braille, ascii_letters + digits),
    "pig_latin": (lambda text: _WORD.sub(_in_pig_latin, text), _latin),
    "reverse": (_reversed, visible),
    "tags": (lambda text: text.translate(_IN_TAGS), ascii_letters + digits + punctuation),
    "uuencode": (_uuencode, visible),
}
