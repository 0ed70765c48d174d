"""Chinese and Japanese typed by sound, and converted to text that sounds or is typed alike."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from itertools import permutations

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.text.characters import Alternatives, Script
from perturb.perturbators.shared.written import Match, rewrites
from perturb.resources import read_rows

_HAN, _KATAKANA = "\u3005\u3400-\u9fff", "\u30a1-\u30fc"


def mistyped(batch: Batch, language: str) -> Sites:
    """Return a site at each part of a text that is typed like another; kana mean Japanese.

    Args:
        batch: the texts.
        language: "zh" for characters of one syllable of pinyin; "ja" for kana, and for words of two
            kanji that are read alike and have no other kanji beside them.
    """
    written = batch.scripts
    kana = batch.count(np.isin(written, (Script.HIRAGANA, Script.KATAKANA)).nonzero()[0]) > 0
    if language == "zh":
        sites = batch.substitutions(_pinyin(), unit="place")
    else:
        sites = rewrites(batch, _typed_japanese(), _written_for)
    return sites.keep(kana[batch.text_of(sites.starts)] == (language == "ja"))


@cache
def _pinyin() -> Alternatives:
    groups = [own for _, own in read_rows("languages", "pinyin.tsv")]
    return Alternatives({sign: own.replace(sign, "") for own in groups for sign in own})


@cache
def _typed_japanese() -> re.Pattern[str]:
    """Return a pattern for the kana of the table, the longest first, and for words of two kanji."""
    kana = sorted(_kana(), key=len, reverse=True)
    return re.compile(rf"(?<![{_HAN}])[{_HAN}]{{2}}(?![{_HAN}])|{'|'.join(kana)}")


def _written_for(match: Match) -> list[str]:
    """Return the replacements of kana in their place, or of a word of two kanji."""
    before = match.string[match.start() - 1]
    slips = [text for behind, text in _kana().get(match[0], ()) if behind(before)]
    return slips or _words().get(match[0], [])


@cache
def _kana() -> dict[str, list[tuple[Callable[[str], object], str]]]:
    """Return the replacements of kana, each with a test of the character before it."""
    slips = defaultdict[str, list[tuple[Callable[[str], object], str]]](list)
    for kana, text, behind in read_rows("languages", "kana.tsv"):
        characters = behind.replace("kanji", _HAN + _KATAKANA)
        before = re.compile("." if behind == "-" else f"[{characters}]", re.DOTALL).match
        slips[kana].append((before, text.strip("-")))
    return dict(slips)


@cache
def _words() -> dict[str, list[str]]:
    """Return for each word of two kanji the others that are read alike."""
    others = defaultdict(list)
    for (group,) in read_rows("languages", "kanji_readings.tsv"):
        for word, other in permutations(group.split(" "), 2):
            others[word].append(other)
    return dict(others)
