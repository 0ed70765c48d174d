"""Text that was written in one encoding and read in another, or as HTML."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Literal

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.characters import CODE_POINTS, Alternatives, CharacterSet
from perturb.engine.text.strings import Strings, column, packed
from perturb.errors import UsageError
from perturb.perturbators.declaration import place_perturbator
from perturb.perturbators.shared.written import rewrites
from perturb.resources import read_rows

# All of them have ASCII as their first half.
Encoding = Literal[
    "utf-8", "latin-1", "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp437", "cp866",
    "koi8-r", "mac-roman",
]  # fmt: skip
_REPLACEMENT = "\ufffd"


@place_perturbator(
    "mojibake",
    touches={"letters", "digits", "punctuation", "space"},
    source="WHATWG Encoding Standard",
    example="Zoë’s café in Málaga charges 5 € – très cher.",
)
def mojibake(batch: Batch, *, written: Encoding = "utf-8", read: Encoding = "cp1252") -> Sites:
    """Read text in another encoding than it was written in: cafÃ© for café.

    Decode with the wrong encoding; `p` is a share of the characters that come out differently.

    Each character is read on its own. Bytes from 80 to 9F that `read` leaves undefined become
    control characters, as in browsers; any other invalid bytes become U+FFFD.

    Args:
        batch: the texts.
        written: the encoding of the bytes; characters outside it stay.
        read: the encoding in which they are read.
    """
    if written == read:
        raise UsageError(f"mojibake: written and read are both {written!r}; give two encodings")
    differing, lost = _sets(written, read)
    clusters = batch.characters
    differs = np.logical_or.reduceat(differing.mask(batch.codes), clusters.starts)
    able = ~np.logical_or.reduceat(lost.mask(batch.codes), clusters.starts)
    rows = np.flatnonzero(differs & able)

    def garbled(chosen: Chosen) -> Strings:
        lengths = chosen.texts.lengths
        distinct, places = np.unique(chosen.texts.flat(), return_inverse=True)
        texts = column(_garbled(chr(code), written, read) for code in distinct.tolist())
        texts = texts.take(places)
        ends = np.append(0, np.cumsum(texts.lengths))[np.cumsum(lengths)]
        return packed(texts.flat(), np.diff(ends, prepend=0))

    return Sites(clusters.starts[rows], clusters.ends[rows], "place", garbled)


def _garbled(character: str, written: str, read: str) -> str:
    utf_8 = written == "utf-8"
    data = character.encode() if utf_8 else bytes([_table(written).index(character)])
    if read == "utf-8":
        return data.decode(errors="replace")
    return "".join(_table(read)[byte] for byte in data)


@lru_cache(maxsize=16)
def _table(encoding: str) -> str:
    """Return the 256 characters of an encoding."""
    text = bytes(range(256)).decode(encoding, "replace")
    return "".join(
        chr(byte) if character == _REPLACEMENT and byte < 0xA0 else character
        for byte, character in enumerate(text)
    )


@lru_cache(maxsize=16)
def _sets(written: str, read: str) -> tuple[CharacterSet, CharacterSet]:
    """Return the characters that come out differently, and those that can't be written at all."""
    lost = np.full(CODE_POINTS, written != "utf-8")
    if written == "utf-8":
        lost[0xD800:0xE000] = True
        differing = ~lost
        differing[:0x80] = False
        return CharacterSet(differing), CharacterSet(lost)
    known = set(_table(written)) - {_REPLACEMENT}
    lost[[ord(character) for character in known]] = False
    changed = (c for c in known if _garbled(c, written, read) != c)
    return CharacterSet.of(changed), CharacterSet(lost)


@place_perturbator(
    "html_entities",
    touches={"digits", "punctuation", "space"},
    source="text that was escaped once too often or not often enough",
    example='Tom & Jerry: "3 < 5" &amp; 5 &gt; 3 – © Ann',
)
def html_entities(batch: Batch, *, direction: Literal["escape", "unescape"] = "escape") -> Sites:
    """Write HTML entities for characters, or characters for HTML entities.

    Leak HTML entities into text; `p` is a share of the characters to escape, or of the entities.

    Args:
        batch: the texts.
        direction: "escape" writes the entities of quotes, dashes, & < > and other symbols, but not
            of letters; "unescape" writes the characters.
    """
    if direction == "escape":
        return batch.substitutions(_escapes(), unit="place")
    characters = {name: character for character, names in _entities().items() for name in names}
    pattern = re.compile("|".join(map(re.escape, characters)))
    return rewrites(batch, pattern, lambda match: [characters[match[0]]])


@cache
def _escapes() -> Alternatives:
    return Alternatives({character: names[:1] for character, names in _entities().items()})


@cache
def _entities() -> dict[str, list[str]]:
    """Return the entities of each character, the one to write first."""
    rows = read_rows("languages", "html_entities.tsv")
    return {chr(int(code, 16)): names.split(" ") for code, names in rows}
