"""Changes to the form of prompts: the marks of fields and items, and the order of examples."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import Any, Literal

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.grouped_sites import GroupedSites
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.strings import Strings, column, decode
from perturb.perturbators.declaration import place_perturbator
from perturb.perturbators.prompts._permutations import shuffled
from perturb.registry.definition import WHOLE, Count
from perturb.values.arrays import Int64

Span = tuple[int, int]
Casing = Literal["random", "keep", "lower", "upper", "title"]

_SEPARATORS = (
    *(": ", " : ", ":: ", " :: ", ":\n", ":\n\t", "= ", " = ", " - ", " -- ", " | ", " || "),
    *(" -> ", " ~ ", ". ", "\t", "\n", "\n\t"),
)
_CASINGS = ("keep", "lower", "upper", "title")
_MARKERS = ("-", "*", "•", "+", "–", "·")
_NAMES = (
    "q a question query problem task instruction instructions input output text sentence passage "
    "paragraph document article context background premise hypothesis claim statement evidence "
    "fact facts title topic review tweet post summary dialogue conversation code options choices "
    "answer response completion label category class sentiment translation explanation reasoning "
    "rationale solution example note hint english french german spanish"
).split()
_BLANK_LINES = re.compile(r"(?:[ \t]*(?:\r\n|\n|\r)){2,}")


@lru_cache(maxsize=32)
def _places(further: str) -> re.Pattern[str]:
    """Return a pattern for a bullet, or a field name with its colon, at the start of a line."""
    own = filter(None, map(str.strip, further.split(",")))
    names = "|".join(map(re.escape, sorted([*_NAMES, *own], key=len, reverse=True)))
    return re.compile(
        r"(?<![^\n\r\0])[ \t]*(?:(?P<bullet>[-*•+–·])(?=[ \t]+[^\s\0])"
        rf"|(?:\#{{1,6}}[ \t]+)?(?P<field>(?P<name>(?P<word>{names})(?: \d{{1,3}})?)"
        r"(?P<separator>[ \t]*:[ \t]*)))",
        re.IGNORECASE,
    )


@place_perturbator(
    "prompt_format",
    touches={"case", "punctuation", "space", "layout"},
    source="M. Sclar et al., Quantifying Language Models' Sensitivity to Spurious Features in "
    "Prompt Design, ICLR 2024 (separators, casings, spaces)",
    intensities=WHOLE,
    example="Question: What is 2 + 2?\nOptions:\n- three\n- four\nAnswer: four",
)
def prompt_format(
    batch: Batch,
    *,
    separator: str = "random",
    casing: Casing = "random",
    marker: str = "random",
    names: str = "",
) -> Sites:
    """Write field names such as Question: and bullets in another form.

    Rewrite field names with their separators, and bullets, in one form a text.

    `p` is a share of these places. A field name begins a line, and a colon follows it; it may have
    a number (Example 2:). A bullet begins a line, and a space follows it.

    Args:
        batch: the texts.
        separator: the text between a field's name and its content: any string, "keep" or "random".
            At the end of a line it loses its spaces.
        casing: the casing of field names: "lower", "upper", "title", "keep" or "random".
        marker: the bullet: any string, "keep" or "random".
        names: further field names, between commas. Known are Question, Answer, Q, A, Input, Output,
            Context, Passage, Premise, Hypothesis, Options, Instruction and some fifty more.
    """
    separators = {"random": _SEPARATORS, "keep": (None,)}.get(separator, (separator,))
    forms = tuple(product(separators, _CASINGS if casing == "random" else (casing,)))
    markers = {"random": _MARKERS, "keep": ()}.get(marker, (marker,))

    def rewritten(place: re.Match[str], draw: int) -> str | None:
        """Return the form drawn for a place; if the place has it already, the next form."""
        ways: Sequence[Any] = markers if place["bullet"] else forms
        first = draw * len(ways) >> 32
        texts = (_in_form(place, way) for way in (*ways[first:], *ways[:first]))
        return next((text for text in texts if text != place[_kind(place)]), None)

    matches = _places(names).finditer(decode(batch.codes))
    places = [place for place in matches if rewritten(place, 0) is not None]
    starts, ends = _columns([place.span(_kind(place)) for place in places])

    def written(chosen: Chosen) -> Strings:
        # One draw a text, as if all its places were at its start.
        texts = chosen.with_origins(np.zeros_like(chosen.origins))
        rows = chosen.rows.tolist()
        pairs = zip(rows, texts.draw().tolist(), strict=True)
        return column(rewritten(places[row], draw) or "" for row, draw in pairs)

    return Sites(starts, ends, "place", written)


def _kind(place: re.Match[str]) -> str:
    return "bullet" if place["bullet"] else "field"


def _in_form(place: re.Match[str], form: Any) -> str:
    """Write a bullet, or a field's name and separator, in a form."""
    if place["bullet"]:
        return str(form)
    separator, casing = form
    name, written = place["name"], place["separator"] if separator is None else separator
    if place.string[place.end()] in "\n\r\0":
        written = written.rstrip(" \t")
    cased = {"lower": name.lower(), "upper": name.upper(), "title": name.title()}
    return str(cased.get(casing, name) + written)


@place_perturbator(
    "example_shuffle",
    touches={"order"},
    source="Y. Lu et al., Fantastically Ordered Prompts and Where to Find Them, ACL 2022",
    intensities=WHOLE,
    aliases={"few_shot_order": {}},
    example="Q: 2 + 2?\nA: 4\n\nQ: 3 + 5?\nA: 8\n\nQ: 9 - 2?\nA: 7\n\nQ: 6 + 1?\nA:",
)
def example_shuffle(
    batch: Batch, *, blocks: Literal["field", "paragraph"] = "field", skip: Count = 0
) -> Sites:
    """Put the examples of a few-shot prompt in another order; the last block stays.

    Move whole examples; every text with examples is one place.

    The last block is the query and stays, and so does the text before the first. The note of the
    step has the number of the example that is now at each place, from 0.

    Args:
        batch: the texts.
        blocks: "field" for blocks that begin with the same field name (Q: or Question:, see
            `prompt_format`), the first name that begins at least three lines; "paragraph" for
            blocks with blank lines between them.
        skip: the number of blocks at the start that stay as well, such as an instruction.
    """
    whole = decode(batch.codes)
    find = _fielded if blocks == "field" else _paragraphs
    spans: list[Span] = []
    sizes = np.zeros(len(batch.texts), np.intp)
    edges = zip(batch.texts.starts.tolist(), batch.texts.ends.tolist(), strict=True)
    for text, (start, end) in enumerate(edges):
        examples = find(whole, start, end)[skip:-1]
        if len({whole[slice(*example)] for example in examples}) > 1:
            spans += examples
            sizes[text] = len(examples)
    starts, ends = _columns(spans)
    text_of = np.arange(len(sizes)).repeat(sizes)

    def order(parts: Chosen) -> tuple[Int64, Int64]:
        """Return the text of each part, and the part that moves to its place."""
        texts = text_of[parts.rows]
        return texts, shuffled(parts, texts)

    def note(parts: Chosen) -> Mapping[int, Mapping[str, Any]]:
        texts, places = order(parts)
        chosen, firsts = np.unique(texts, return_index=True)
        return {
            row: {"order": (places[first : first + sizes[row]] - first).tolist()}
            for row, first in zip(chosen.tolist(), firsts.tolist(), strict=True)
        }

    def written(parts: Chosen) -> Strings:
        return parts.texts.take(order(parts)[1])

    return GroupedSites(starts, ends, sizes[sizes > 0], "place", written, note)


def _fielded(whole: str, start: int, end: int) -> list[Span]:
    """Return the blocks that begin with the same field name, without white space at their ends."""
    matches = _places("").finditer(whole, start, end)
    fields = [(match["word"].lower(), match.start("field")) for match in matches if match["field"]]
    counts = Counter(name for name, _ in fields)
    leader = next((name for name, _ in fields if counts[name] > 2), None)
    begins = [place for name, place in fields if name == leader]
    spans = [
        (begin, begin + len(whole[begin:beyond].rstrip()))
        for begin, beyond in pairwise([*begins, end])
    ]
    if len(spans) > 1 and not any(_BLANK_LINES.search(whole, *span) for span in spans[:-2]):
        # Text before the query, after a blank line, is not part of the last example.
        gap = _BLANK_LINES.search(whole, *spans[-2])
        spans[-2] = (spans[-2][0], spans[-2][1] if gap is None else gap.start())
    return spans


def _paragraphs(whole: str, start: int, end: int) -> list[Span]:
    """Return the blocks with blank lines between them."""
    gaps = _BLANK_LINES.finditer(whole, start, end)
    edges = [start, *(edge for gap in gaps for edge in gap.span()), end]
    spans = zip(edges[::2], edges[1::2], strict=True)
    return [span for span in spans if whole[slice(*span)].strip()]


def _columns(spans: Sequence[Span]) -> tuple[Int64, Int64]:
    starts, ends = np.array(spans, np.intp).reshape(-1, 2).T
    return starts, ends
