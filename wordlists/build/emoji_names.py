"""Make `wordlists/unicode/emoji_names.tsv` from CLDR's short names.

    npm pack cldr-annotations-full@48.2.0
    tar xzf cldr-annotations-full-48.2.0.tgz package/annotations/en/annotations.json
    pip install regex==2026.11.15
    python wordlists/build/emoji_names.py package/annotations/en/annotations.json

Emoji of one code point, with or without a variation selector; no skin tones and no letters of flags.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import regex

OUTPUT = Path(__file__).parents[1] / "unicode" / "emoji_names.tsv"
HEADER = """\
# Emoji of one code point and their English names.
# Columns: emoji, name.
# Source: the short names of CLDR 48, through npm cldr-annotations-full 48.2.0.
# Licence: Unicode License V3, see licenses/UNICODE.txt; this file is derived, not a copy.
# Made by: wordlists/build/emoji_names.py

"""
EMOJI = regex.compile(r"[\p{Emoji}&&\p{Extended_Pictographic}--\p{ASCII}--[©®™]]", regex.V1)


def main(file: Path) -> None:
    """Write the table."""
    said = json.loads(file.read_text("utf-8"))["annotations"]["annotations"]
    rows = [f"{char}\t{facts['tts'][0]}\n" for char, facts in said.items() if EMOJI.fullmatch(char)]
    OUTPUT.write_text(HEADER + "".join(sorted(rows)), "utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
