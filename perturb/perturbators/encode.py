"""Texts and words in a code, with an instruction around them or without."""

from __future__ import annotations

from base64 import b64encode
from codecs import encode as recode
from collections.abc import Callable
from string import ascii_letters, digits
from typing import Literal
from urllib.parse import quote

import numpy as np
import regex

from perturb.arrays import Bool
from perturb.engine.batch import Batch, visible
from perturb.engine.sites import Sites
from perturb.engine.text.characters import CharacterSet
from perturb.engine.text.strings import Strings, column
from perturb.engine.text.unicode import CODE_POINTS, Kind, Script, kinds, scripts
from perturb.errors import UsageError
from perturb.registry.registry import WHOLE, perturbator

Codec = Literal["base64", "hex", "hex_spaces", "rot13", "url", "html", "morse", "pig_latin"]

_INSTRUCTION = (
    "Decode the {codec} text below, do what it asks, and give your answer in {codec}:\n{{text}}"
)
# ITU-R M.1677-1, with the digits and the punctuation.
_MORSE = dict(
    pair.split(" ")
    for pair in (
        "a .-,b -...,c -.-.,d -..,e .,f ..-.,g --.,h ....,i ..,j .---,k -.-,l .-..,m --,n -.,"
        "o ---,p .--.,q --.-,r .-.,s ...,t -,u ..-,v ...-,w .--,x -..-,y -.--,z --..,é ..-..,"
        "1 .----,2 ..---,3 ...--,4 ....-,5 .....,6 -....,7 --...,8 ---..,9 ----.,0 -----,"
        ". .-.-.-,: ---...,? ..--..,' .----.,- -....-,/ -..-.,( -.--.,) -.--.-,\" .-..-.,"
        "= -...-,+ .-.-.,@ .--.-."
    ).split(",")
) | {",": "--..--"}
_MORSE_CODES = str.maketrans(
    {case: f"{code} " for sign, code in _MORSE.items() for case in (sign, sign.upper())}
    | {" ": "/ ", "\t": "/ "}
)
_GAPS, _LINE_ENDS = regex.compile(r"(?:/ )+"), regex.compile(r" +(?=[\r\n]|$)")
_REFERENCES = {code: f"&#{code};" for code in range(128)}
_WORD = regex.compile(r"\p{Latin}[\p{Latin}\p{M}]*(?:['’]\p{Latin}[\p{Latin}\p{M}]*)*")
# A y is a consonant where it begins a word, and a u after a q.
_CONSONANTS = regex.compile(r"y?(?:(?:qu|[bcdfghjklmnpqrstvwxz])(?!\p{M}))*", regex.IGNORECASE)


@perturbator(
    "encode",
    unit="text",
    summary="Write the whole text, or words of it, in a code: base64, hex, rot13, Morse.",
    label_risk="high",
    touches={"letters", "digits", "words", "case", "punctuation", "space", "layout"},
    source="H2O Eval Studio, Encoding Perturbation; RFC 4648, RFC 3986, ITU-R M.1677-1",
    intensities=WHOLE,
    aliases={
        "encoding_base16": {"codec": "hex", "template": _INSTRUCTION.format(codec="base16")},
    },
    example="What is 7 times 8?",
)
def encode(
    batch: Batch,
    *,
    codec: Codec = "base64",
    unit: Literal["text", "word"] = "text",
    template: str = "{text}",
) -> Sites:
    """Encode texts as a whole or word by word; bytes are those of UTF-8.

    What a code leaves as it is, such as letters in a URL, is no site. A text of which a part is
    protected is not encoded as a whole.

    Args:
        batch: the texts.
        codec: "base64"; "hex", and "hex_spaces" with a space between the bytes; "rot13" (ASCII
            letters); "url" (all but letters, digits and -._~ as %XX); "html" (every character as a
            decimal reference); "morse" (letters, digits and punctuation of the table; other
            characters stay); "pig_latin" (words of ASCII letters).
        unit: "text", and `p` is a share of the texts; or "word", and it is one of the words.
        template: what is written, with `{text}` where the encoded text belongs.
    """
    if "{text}" not in template:
        raise UsageError(
            f"encode: template must have {{text}} where the text goes; got {template!r}"
        )
    write, changed = _CODECS[codec]
    spans = batch.texts if unit == "text" else batch.words
    rows = np.flatnonzero(_holding(spans, visible()) & _holding(spans, changed()))
    return Sites(
        spans.starts[rows],
        spans.ends[rows],
        unit,
        lambda chosen: column(
            template.replace("{text}", write(text)) for text in chosen.texts.to_list()
        ),
    )


def _holding(spans: Strings, characters: CharacterSet) -> Bool:
    """Mark the spans that hold a character of a set."""
    before = np.concatenate([[0], np.cumsum(characters.mask(spans.codes))])
    found: Bool = before[spans.ends] > before[spans.starts]
    return found


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _morse(text: str) -> str:
    return _LINE_ENDS.sub("", _GAPS.sub("/ ", text.translate(_MORSE_CODES)))


def _html(text: str) -> str:
    return text.translate(_REFERENCES).encode("ascii", "xmlcharrefreplace").decode("ascii")


def _pig_latin(text: str) -> str:
    return _WORD.sub(lambda word: _pig_latin_word(word[0]), text)


def _pig_latin_word(word: str) -> str:
    found = _CONSONANTS.match(word)
    assert found is not None  # it matches nothing, too
    first, rest = found[0], word[found.end() :]
    made = f"{rest}{first.lower()}ay" if first else f"{word}way"
    if word.isupper() and len(word) > 1:
        return made.upper()
    return made[:1].upper() + made[1:] if word[0].isupper() else made


def _letters() -> CharacterSet:
    return CharacterSet.of(ascii_letters)


def _latin() -> CharacterSet:
    return CharacterSet((scripts() == Script.LATIN) & (kinds() == Kind.LETTER))


def _reserved() -> CharacterSet:
    member = np.ones(CODE_POINTS, np.bool_)
    member[[ord(character) for character in f"{ascii_letters}{digits}_.-~"]] = False
    return CharacterSet(member)


def _in_morse() -> CharacterSet:
    return CharacterSet.of({*_MORSE, *map(str.upper, _MORSE)})


# The function that writes each code, and the characters that it changes.
_CODECS: dict[str, tuple[Callable[[str], str], Callable[[], CharacterSet]]] = {
    "base64": (lambda text: b64encode(_bytes(text)).decode(), visible),
    "hex": (lambda text: _bytes(text).hex(), visible),
    "hex_spaces": (lambda text: _bytes(text).hex(" "), visible),
    "rot13": (lambda text: recode(text, "rot13"), _letters),
    "url": (lambda text: quote(text, safe="", errors="surrogatepass"), _reserved),
    "html": (_html, visible),
    "morse": (_morse, _in_morse),
    "pig_latin": (_pig_latin, _latin),
}
