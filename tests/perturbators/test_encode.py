"""Codes are read back by other code than that which writes them."""

import base64
import binascii

import pytest

import perturb

SMALL = "abcdefghijklmnopqrstuvwxyz"
CELLS = dict(zip("⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵", SMALL, strict=True))


def from_braille(text):
    made, capital, number = "", False, False
    for cell in text:
        letter = CELLS.get(cell)
        if cell in "⠠⠼⠰":
            capital, number = cell == "⠠", cell == "⠼"
        elif number and letter and letter <= "j":
            made += "1234567890"["abcdefghij".index(letter)]
        else:
            made += (letter.upper() if capital else letter) if letter else cell
            capital = number = False
    return made


def from_letters(old):
    table = str.maketrans(old + old.upper(), SMALL + SMALL.upper())
    return lambda text: text.translate(table)


DECODERS = {
    "base32": lambda text: base64.b32decode(text).decode(),
    "ascii85": lambda text: base64.a85decode(text).decode(),
    "uuencode": lambda text: b"".join(map(binascii.a2b_uu, text.splitlines())).decode(),
    "tags": lambda text: "".join(chr(ord(c) & 0x7F) if ord(c) >> 7 == 0x1C00 else c for c in text),
    "binary": lambda text: bytes(int(byte, 2) for byte in text.split()).decode(),
    "caesar": from_letters("defghijklmnopqrstuvwxyzabc"),
    "atbash": from_letters("zyxwvutsrqponmlkjihgfedcba"),
    "braille": from_braille,
}


@pytest.mark.parametrize("codec", DECODERS)
@pytest.mark.parametrize(
    "text", ["The 12 lazy dogs of 1870, and 3b or 3k!", "Où est-il? Żółw 5", "A1B2 c34d zZ\n09x"]
)
def test_codes_are_read_back(codec, text):
    made = perturb.apply(text, f"encode:codec={codec}").text
    assert made != text
    assert DECODERS[codec](made) == text


@pytest.mark.parametrize(
    ("codec", "text", "wanted"),
    [
        ("atbash", "Abc xyZ 1!", "Zyx cbA 1!"),
        ("caesar", "Abc xyZ 1!", "Def abC 1!"),
        ("nato", "Go to 7b", "Golf Oscar / Tango Oscar / Seven Bravo"),
        ("braille", "Go 12b", "⠠⠛⠕ ⠼⠁⠃⠰⠃"),
        ("binary", "Hi", "01001000 01101001"),
        ("base32", "foobar", "MZXW6YTBOI======"),
        ("uuencode", "Cat", "#0V%T"),
        ("reverse", "ab\r\ncde\u0301", "e\u0301dc\r\nba"),
        ("reverse", "aba", "aba"),
    ],
)
def test_codes_by_hand(codec, text, wanted):
    assert perturb.apply(text, f"encode:codec={codec}").text == wanted
