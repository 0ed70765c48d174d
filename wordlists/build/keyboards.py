"""Make `wordlists/keyboards/*.tsv` from the X keyboard configuration (XKB).

A table says, for each character of a layout, which characters a slipping finger would type instead.

Input, on Debian 12:

    apt-get update
    apt-get download xkb-data=2.35.1-1 x11proto-dev=2022.1-1
    dpkg -x xkb-data_2.35.1-1_all.deb xkb-data
    dpkg -x x11proto-dev_2022.1-1_all.deb x11proto-dev

Then, from the top of the checkout:

    python wordlists/build/keyboards.py \
        xkb-data/usr/share/X11/xkb/symbols x11proto-dev/usr/include/X11/keysymdef.h
"""

from __future__ import annotations

import math
import re
import sys
import unicodedata
from pathlib import Path

OUTPUT = Path(__file__).parents[1] / "keyboards"
KEYS = Path(__file__).parents[1] / "keys/keys.tsv"
SOURCE = "Debian xkb-data 2.35.1-1 (symbols), x11proto-dev 2022.1-1 (keysymdef.h)"

# The layouts by short name, which is also the XKB section unless `SECTIONS` names another.
LAYOUTS = {
    "am": "Armenian",
    "ara": "Arabic",
    "bd": "Bengali",
    "be": "Belgian",
    "bg": "Bulgarian",
    "br": "Brazilian Portuguese",
    "by": "Belarusian",
    "ca": "Canadian French",
    "ch": "Swiss German",
    "colemak": "English, Colemak",
    "cz": "Czech",
    "de": "German",
    "dk": "Danish",
    "dvorak": "English, Dvorak",
    "ee": "Estonian",
    "es": "Spanish",
    "fi": "Finnish",
    "fr": "French",
    "gb": "British English",
    "ge": "Georgian",
    "gr": "Greek",
    "hr": "Croatian",
    "hu": "Hungarian",
    "il": "Hebrew",
    "in": "Devanagari, InScript",
    "ir": "Persian",
    "is": "Icelandic",
    "it": "Italian",
    "lt": "Lithuanian",
    "lv": "Latvian",
    "mk": "Macedonian",
    "nl": "Dutch",
    "no": "Norwegian",
    "pk": "Urdu",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "rs": "Serbian, Cyrillic",
    "ru": "Russian",
    "se": "Swedish",
    "si": "Slovenian",
    "sk": "Slovak",
    "th": "Thai",
    "tr": "Turkish, Q",
    "ua": "Ukrainian",
    "us": "American English",
}
SECTIONS = {"colemak": "us(colemak)", "dvorak": "us(dvorak)"}

# Rows of a keyboard: the keys from left to right, and where the first stands, in key widths.
ROWS = (
    (["TLDE", *(f"AE{i:02}" for i in range(1, 14))], 0.0, 0),
    ([f"AD{i:02}" for i in range(1, 13)], 1.5, 1),
    ([f"AC{i:02}" for i in range(1, 12)], 1.75, 2),
    (["BKSL"], 12.75, 2),
    (["LSGT", *(f"AB{i:02}" for i in range(1, 12))], 1.25, 3),
)
PLACES = {key: (left + i, top) for keys, left, top in ROWS for i, key in enumerate(keys)}
REACH = 1.25  # key widths; the centre of a neighbour is nearer than this
MAX_DEPTH = 12  # of includes
UNSET = ("NoSymbol", "any")  # both keep what an earlier include set

# The symbol names on the two levels of a key, plain and shifted; empty where it names none.
Levels = tuple[str, str]

_SECTION = re.compile(r'((?:\b[a-z_]+\s+)*)xkb_symbols\s*"([^"]+)"\s*\{')
_STATEMENT = re.compile(
    r'\b(?:include|augment|override|replace)\s*"(?P<include>[^"]+)"'
    r"|\bkey\s*<(?P<key>\w+)>\s*\{(?P<body>[^}]*)\}"
)
_PART = re.compile(r"([^(:]+)(?:\(([^)]+)\))?")
_DEFINITION = re.compile(
    r"^#define XK_(\w+)\s+0x([0-9a-fA-F]+)(?:.*?U\+([0-9A-Fa-f]{4,6}))?", re.MULTILINE
)


def read_keysyms(path: Path) -> dict[str, str]:
    """Read which character each key symbol of `keysymdef.h` stands for."""
    characters: dict[str, str] = {}
    for name, value, comment in _DEFINITION.findall(path.read_text("utf-8")):
        code = int(value, 16)
        if comment:
            point = int(comment, 16)
        elif 0x20 <= code <= 0xFF:
            point = code
        elif 0x1000100 <= code <= 0x110FFFF:
            point = code - 0x1000000
        else:
            continue
        characters.setdefault(name, chr(point))
    return characters


def character(symbol: str, keysyms: dict[str, str]) -> str | None:
    """Return the character of a key symbol; none for a dead key, modifier or space."""
    if symbol in keysyms:
        found = keysyms[symbol]
    elif len(symbol) == 1:
        found = symbol
    elif match := re.fullmatch(r"U([0-9A-Fa-f]{3,6})|0x100([0-9A-Fa-f]{4,5})", symbol):
        found = chr(int(match[1] or match[2], 16))
    else:
        return None
    # A key for two Arabic letters has a presentation form here, which nobody types.
    is_form = "\ufe70" <= found <= "\ufeff"
    return None if is_form or unicodedata.category(found)[0] in "ZC" else found


class Symbols:
    """The sections of a folder of XKB symbols files, resolved on request."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keys(self, file: str, variant: str | None = None, depth: int = 0) -> dict[str, Levels]:
        """Return the levels of each key of a section, its includes followed."""
        if depth > MAX_DEPTH:
            raise ValueError(f"{file}({variant}): includes nested deeper than {MAX_DEPTH}")
        keys: dict[str, Levels] = {}
        for statement in _STATEMENT.finditer(self._section(file, variant)):
            if statement["include"]:
                for part in re.split(r"[+|]", statement["include"]):
                    name, section = _match(_PART, part).groups()
                    _merge(keys, self.keys(name, section, depth + 1))
            else:
                _merge(keys, {statement["key"]: _levels(statement["body"])})
        return keys

    def _section(self, file: str, variant: str | None) -> str:
        text = re.sub(r"(//|#).*", "", (self.folder / file).read_text("utf-8"))
        sections = list(_SECTION.finditer(text))
        if variant is None:
            defaults = (section for section in sections if "default" in section[1].split())
            chosen = next(defaults, sections[0])
        else:
            chosen = next(section for section in sections if section[2] == variant)
        return text[chosen.end() : _closing_brace(text, chosen.end())]


def _match(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    match = pattern.match(text)
    if not match:
        raise ValueError(f"{text!r} is not of the form {pattern.pattern}")
    return match


def _closing_brace(text: str, start: int) -> int:
    depth = 1
    for brace in re.compile(r"[{}]").finditer(text, start):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.start()
    raise ValueError("a section is not closed")


def _levels(body: str) -> Levels:
    """Return the first two symbols of the first list of a key's definition."""
    lists = re.search(r"\[([^]]*)\]", re.sub(r"\[\s*[Gg]roup\d\s*\]", "", body))
    symbols = [symbol.strip() for symbol in lists[1].split(",")] if lists else []
    plain, shifted, *_ = ("" if symbol in UNSET else symbol for symbol in (*symbols, "", ""))
    return plain, shifted


def _merge(keys: dict[str, Levels], later: dict[str, Levels]) -> None:
    """Lay `later` over `keys`; a level without a symbol keeps the earlier one."""
    for key, (plain, shifted) in later.items():
        old_plain, old_shifted = keys.get(key, ("", ""))
        keys[key] = plain or old_plain, shifted or old_shifted


def neighbours(places: dict[str, tuple[float, float]]) -> dict[str, str]:
    """Return the characters within reach of each character, nearest first, ties by code point."""
    table: dict[str, str] = {}
    for char, here in places.items():
        near = sorted(
            (math.dist(here, there), other)
            for other, there in places.items()
            if other != char and math.dist(here, there) < REACH
        )
        if near:
            table[char] = "".join(other for _, other in near)
    return table


def layout(keys: dict[str, Levels], keysyms: dict[str, str]) -> dict[str, str]:
    """Return the neighbours on the plain level, and on the shifted for what the plain one lacks."""
    table: dict[str, str] = {}
    for level in (0, 1):
        places: dict[str, tuple[float, float]] = {}
        for key, place in PLACES.items():
            char = character(keys[key][level], keysyms) if key in keys else None
            if char and not unicodedata.category(char).startswith("M"):
                places.setdefault(char, place)
        table = neighbours(places) | table
    return table


def write(name: str, table: dict[str, str]) -> None:
    """Write the table of one layout, in the order of the code points."""
    header = f"""\
# Keyboard layout {name} ({LAYOUTS[name]}): the characters within {REACH} key widths of each one.
# Columns: character, neighbours (nearest first), on the plain level, else on the shifted one.
# Source: {SOURCE}; section {SECTIONS.get(name, name)}.
# Licence: X11 and MIT style, see licenses/XKB.txt; this file is derived, not a copy.
# Made by: wordlists/build/keyboards.py

"""
    rows = "".join(f"{char}\t{near}\n" for char, near in sorted(table.items()))
    (OUTPUT / f"{name}.tsv").write_text(header + rows, "utf-8", newline="\n")


def row(name: str, keys: dict[str, Levels], keysyms: dict[str, str]) -> str:
    """Return what each key of a layout types, plain and shifted; a blank for nothing."""
    levels = (
        "".join(
            (character(keys[key][level], keysyms) if key in keys else None) or " " for key in PLACES
        )
        for level in (0, 1)
    )
    return "\t".join([name, *levels]) + "\n"


def write_keys(rows: list[str]) -> None:
    """Write what the keys of all layouts type."""
    header = f"""\
# What the keys of keyboards type, by layout.
# Columns: layout, plain, shifted; the same {len(PLACES)} keys in each, row by row; a blank for a key that
# types nothing at once, such as a dead key.
# Source: {SOURCE}.
# Licence: X11 and MIT style, see licenses/XKB.txt; this file is derived, not a copy.
# Made by: wordlists/build/keyboards.py

"""
    KEYS.parent.mkdir(exist_ok=True)
    KEYS.write_text(header + "".join(rows), "utf-8", newline="\n")


def main(symbols_folder: str, keysymdef: str) -> None:
    """Write one table of neighbours a layout, and the table of keys."""
    symbols, keysyms = Symbols(Path(symbols_folder)), read_keysyms(Path(keysymdef))
    OUTPUT.mkdir(exist_ok=True)
    rows = []
    for name in LAYOUTS:
        file, variant = _match(_PART, SECTIONS.get(name, name)).groups()
        keys = symbols.keys(file, variant)
        write(name, layout(keys, keysyms))
        rows.append(row(name, keys, keysyms))
    write_keys(rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
