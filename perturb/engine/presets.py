"""Presets of protection: the patterns of URLs, numbers, placeholders, code and the like.

Each takes time in proportion to the text, whatever the text is: no failed scan begins again within
text that it has passed. So quantifiers are possessive, and an opening without an end stops at the
next opening.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import regex

from perturb.engine.native import kernels
from perturb.engine.text.characters import CODE_POINTS, set_of
from perturb.engine.text.strings import Strings, decode
from perturb.values.arrays import Int64, UInt16

# The characters that end a URL: white space, quotes, CJK brackets, and others that no URL has.
_NO_URL = r"\s<>\"'`{}|\\^“”‘’«»。，、；！？（）「」『』【】《》"
# Braces three deep, as formats nest them; a brace without its end is no placeholder.
_BRACED = r"\{[^{}\n]*+(?:\{[^{}\n]*+(?:\{[^{}\n]*+\}[^{}\n]*+)*+\}[^{}\n]*+)*+\}"

# A name such as example.com that doesn't continue another word, path or address.
_HOST = r"(?<![\w.@/:-])(?:[a-zA-Z\d][a-zA-Z\d-]*+\.)++[a-zA-Z]{2,}+(?::\d++)?+"

PRESETS = {
    "url": r"(?:(?<![a-zA-Z\d])[a-zA-Z][a-zA-Z\d+.-]{0,30}+://|\b[wW]{3}\."
    rf"|{_HOST}(?=/))"
    rf"[^{_NO_URL}]*[^{_NO_URL}.,;:!?)\]]",
    "email": r"(?<![\w.+-])[\w.+-]++@[\w-]++(?:\.[\w-]++)++",
    "number": r"[-+−]?+\p{Sc}?+(?:0[xX][\da-fA-F]++|0[bB][01]++|0[oO][0-7]++"
    r"|(?:(?<![\p{Nd}.])\.)?+\p{Nd}++(?:[.,:/’'_٫٬⁄\u202f\u00a0]\p{Nd}++)*+(?:[eE][-+−]?+\p{Nd}++)?+"
    r"[\p{No}\p{Nl}]*+|[\p{No}\p{Nl}]++)(?:\p{Sc}|[%‰٪°])?+",
    "placeholder": rf"\$?{_BRACED}"
    r"|\{\{(?:(?!\{\{|\}\})[^\n])*+\}\}"
    r"|\{%(?:[^%{\n]++|%(?!\})|\{(?!%))*+%\}"
    r"|%(?:\(\w++\))?+(?:\d++\$)?+[-+#0]*+(?:\d++|\*)?+(?:\.(?:\d++|\*)?+)?+(?:hh?|ll?|[Lqjzt])?+"
    r"[@diouxXeEfFgGcrsaAp](?!\w)"
    r"|\$[A-Za-z_]\w*+|\$[1-9](?![\w]|[.,]\d)"
    r"|\[(?!.\])[A-Z][A-Z\d]*+(?:[ _-][A-Z\d]++)*+\]|<<(?!\s*+>)[^<>\n]++>>",
    "code": r"```(?s:.*?)(?:```|\Z)|(?m:^[ \t]*+~~~)(?s:.*?)(?:~~~|\Z)"
    r"|(?<!`)(`{1,2})(?!`)[^\n]*?(?<!`)\1(?!`)",
    "latex": r"(?s:\$\$.+?\$\$|\\\[(?:(?!\\[\[\]]).)++\\\]|\\\((?:(?!\\[()]).)++\\\))"
    r"|(?<![\\$\w])\$(?=\S)[^$\n]+?(?<=\S)\$(?![\d$])|\\[a-zA-Z]++(?:\{[^{}\n]*+\})*+",
    "html": r"<!--(?s:.*?)(?:-->|\Z)|</?[a-zA-Z][^<>]*+>|&(?:#\d++|#[xX][\da-fA-F]++|\w++);",
    "mention": r"(?<![\w@#])[@#]\w++",
    "option_label": r"(?m)^[ \t]*+[(\[]?(?:[A-Za-z]|\d{1,2}|[ivxIVX]{1,4})[)\].:](?=\s)",
    "chat_token": r"<\|[^|<>\n]*+\|>|\[/?INST\]|<</?SYS>>|</?s>"
    r"|<(?:unk|pad|mask|bos|eos|sep|cls|image|video|audio|extra_id_\d++"
    r"|(?:start|end)_of_(?:turn|image)|fim_(?:prefix|middle|suffix))>"
    r"|(?<!\w)__[A-Z](?:[A-Z\d]|_(?!_))*+__(?!\w)"
    r"|(?m:^(?:System|User|Human|Assistant|AI):)",
    "negation": r"(?i:\b(?:n(?:o(?:t|ne|body|thing|r|where)?|ever|either)|without|cannot"
    r"|\w++(?<=n)['’]t)\b)",
}
# A text matches a preset only if it contains one of these, ignoring case. Most texts contain none,
# and that check takes a fiftieth of the time of the pattern for URLs.
_NEEDED = {
    "url": ("/", "www."),
    "email": ("@",),
    "placeholder": ("{", "%", "$", "[", "<<"),
    "code": ("`", "~~~"),
    "latex": ("$", "\\"),
    "html": ("<", "&"),
    "mention": ("@", "#"),
}
# No match contains one of these characters, or depends on text beyond one.
_SPACE = " \t\n\r"
_APART = {"url": _SPACE, "email": _SPACE, "placeholder": "\n", "code": "", "mention": _SPACE}
_ENVIRONMENT = regex.compile(r"\\(begin|end)\{(\w++\*?)\}")


def may_match(rule: str, text: str) -> bool:
    """Return false if a rule is a preset that can't match a text."""
    if rule not in _NEEDED:
        return True
    lower = text.lower()
    return any(needed in lower for needed in _NEEDED[rule])


def parts(rule: str, texts: Strings) -> Strings | None:
    """Return the parts of texts that hold all matches of a preset; None where only texts do.

    Other texts may lie between these, before and after.
    """
    if rule not in _APART:
        return None
    needed = "".join(string[-1] for string in _NEEDED[rule])  # a character of each match
    places = np.flatnonzero(set_of(needed).mask(texts.codes))
    begun, ended = (at.searchsorted(places, "right") for at in (texts.starts, texts.ends))
    places = places[begun > ended]
    is_edge = set_of(_APART[rule]).mask(texts.codes).copy()
    is_edge[texts.starts - 1] = is_edge[texts.ends] = True
    edges = np.flatnonzero(is_edge)
    before = np.unique(edges.searchsorted(places))
    return Strings(texts.codes, edges[before - 1] + 1, edges[before])


def number_spans(texts: Strings) -> tuple[Int64, Int64] | None:
    """Return where the numbers in texts start and end, if there are kernels."""
    return kernels.numbers(texts.codes, _classes_in_numbers())


@lru_cache(maxsize=1)
def _classes_in_numbers() -> UInt16:
    """Return what each character is in a number, in the bits of numbers.h."""
    classes = np.zeros(CODE_POINTS, np.uint16)
    characters = decode(np.arange(CODE_POINTS, dtype=np.uint32))
    of_bits = (
        *("[01]", "[0-7]", r"[\da-fA-F]", r"\p{Nd}", r"[\p{No}\p{Nl}]"),
        *("[.,:/’'_٫٬⁄\u202f\u00a0]", "[-+−]", r"\p{Sc}", r"[\p{Sc}%‰٪°]"),
    )
    for bit, members in enumerate(of_bits):
        classes[[match.start() for match in regex.finditer(members, characters)]] |= 1 << bit
    return classes


def environments(text: str) -> Iterator[tuple[int, int]]:
    r"""Yield the spans of LaTeX environments, from `\begin{...}` to the `\end` of the same name."""
    open_: dict[str, list[int]] = {}
    for match in _ENVIRONMENT.finditer(text):
        starts = open_.setdefault(match[2], [])
        if match[1] == "begin":
            starts.append(match.start())
        elif starts:
            yield starts.pop(), match.end()
