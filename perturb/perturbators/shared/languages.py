"""Languages besides English that some word tables have: `wordlists/languages/`."""

from __future__ import annotations

from functools import cache
from typing import Literal

from perturb.resources import read_rows

AnyLanguage = Literal["auto", "en", "de", "es", "fr", "it", "nl", "pt"]
# Of those that a table has, English first: it is what "auto" looks for.
LANGUAGES = ("en", "de", "es", "fr", "it", "nl", "pt")


def is_english(language: str) -> bool:
    """Return whether the English tables are asked for."""
    return language in ("auto", "en")


def rows_of(language: str, table: str) -> list[list[str]]:
    """Return the rows of a language without its code, which is the first column."""
    return [row for code, *row in read_rows("languages", table) if code == language]


@cache
def function_words(language: str) -> frozenset[str]:
    """Return words of closed classes, in lower case."""
    ((words,),) = rows_of(language, "function_words.tsv")
    return frozenset(words.split())
