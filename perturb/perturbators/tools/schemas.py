"""Lists of tools as models get them: other names and descriptions, another order, lookalikes."""

from __future__ import annotations

import json
import re
from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import Literal, NamedTuple, TypeVar

import numpy as np
import regex

from perturb.engine.batch import Batch
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.strings import Strings
from perturb.perturbators.declaration import text_perturbator
from perturb.perturbators.tools._json import Value, values_in
from perturb.perturbators.tools._sites import Edit, shuffled, text_sites
from perturb.perturbators.words.wordnet import synonym
from perturb.registry.from_regex import KeyedRandom
from perturb.values.spans import rebuild

Kind = Literal["name", "description", "order", "decoy"]
T = TypeVar("T")
# Of a name what leads to it, its words in lower case, and it with synonyms.
_Name = tuple[str, list[str], str]

_BEGINS = re.compile(r"[\[{]")
_DECODER = json.JSONDecoder()
# Brackets without JSON after which a text is given up, as each error counts the lines before it.
_MOST_FAILED = 100
# Where OpenAI, Anthropic and MCP keep the schema of a tool's parameters.
_SCHEMAS = ("parameters", "input_schema", "inputSchema")
# A name, after those of its server: other names stay.
_NAME = re.compile(r"(?P<lead>_*(?:\w+?__)*)(?P<own>[A-Za-z0-9]+(?:[_./-][A-Za-z0-9]+)*)")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_FORMS: Mapping[str, Callable[[Sequence[str]], str]] = {
    "snake": "_".join,
    "kebab": "-".join,
    "camel": lambda words: words[0] + "".join(map(str.title, words[1:])),
    "pascal": lambda words: "".join(map(str.title, words)),
}
# Where a row names a tool: a word such as search only as the name of a call, alone in its line or
# before a bracket, since it may mean anything elsewhere; other names wherever they are.
_MENTIONS = (
    r"""(?<=\\?["']name\\?["']\s*:\s*\\?["'])(?:{0})(?=\\?["'])|"""
    r"""(?<![^\n])(?:{0})(?![^\n])|(?<![\w.])(?:{0})(?=\()|(?:(?<![\w./-])|(?<=\\[nrt]))(?:{1})(?![\w-])"""
)
# Words that mean something else in descriptions of tools than elsewhere, found in 3,641 lists of a
# public benchmark: no port is a harbor, and no cookie a biscuit.
_TECHNICAL = frozenset(
    """
    client clients cookie cookies custom execute executed executes fabric method methods null
    package packages path paths port ports queries query record records show significance
    version versions
    """.split()
)
# OpenAI and Anthropic allow names of this length.
_LONGEST = 64
# What a lookalike does, which is never what its model does: a word for its name, and its text.
_DECOYS = (
    ("quota", "Return how many calls of {} are left today. It does nothing else."),
    ("log", "List the times of past calls of {}, without their results."),
    ("help", "Return the manual of {} as text, without calling it."),
    ("status", "Return whether {} is online, without calling it."),
)


class Tool(NamedTuple):
    """A tool in a text.

    Attributes:
        start: where it starts.
        end: where it ends.
        name: its name.
        at: where its name starts.
        described: where its own description starts and ends, if it has one.
        descriptions: where that and those of its parameters start and end.
        parameters: where its parameters start and end, with their names.
    """

    start: int
    end: int
    name: str
    at: int
    described: tuple[int, int] | None
    descriptions: Sequence[tuple[int, int]]
    parameters: Sequence[tuple[int, int]]


@text_perturbator(
    "tool_schema",
    version=4,
    touches={"letters", "words", "case", "punctuation", "space", "digits", "order"},
    consistent=True,
    reads_json=True,
    expect="same",
    source="tools as OpenAI, Anthropic and MCP describe them",
    example='[{"name": "get_weather", "description": "Get the current weather of a city.", '
    '"input_schema": {"type": "object", "properties": {"city": {"type": "string"}, '
    '"unit": {"enum": ["celsius", "fahrenheit"]}}}}]',
)
def tool_schema(batch: Batch, *, kind: Kind = "name") -> Sites:
    """Reword, reorder or add to the tools that a model is offered.

    Change each list of tools; `p` is a share of texts, of `description` one of its words.

    The list is JSON, alone or within a text. A name that changes does so wherever the texts of the
    row have it, and in the right answer, so name the fields with calls too. A text without such a
    list, or with one that offers no place, has no site, and the note of the step says why.

    Args:
        batch: the texts.
        kind: "name" gives each tool a synonym or another form (getWeather for get_weather);
            "description" writes synonyms in the descriptions of tools and parameters; "order" puts
            the tools and their parameters in another order; "decoy" adds a tool that looks like
            one of them, and does something else.
    """
    if kind == "description":
        return _described(batch)
    tools = [tools_in(text) for text in batch.texts.to_list()]
    names = _names(batch, tools) if kind == "name" else []

    def edits_of(row: int, text: str, rng: KeyedRandom) -> Sequence[Edit] | str:
        if not tools[row]:
            return "no list of tools"
        if kind == "name":
            return _renamed(text, names[row], {tool.name for tool in tools[row]}, rng)
        return (_ordered if kind == "order" else _with_decoy)(text, tools[row], rng)

    return text_sites(batch, edits_of)


def tools_in(text: str) -> list[Tool]:
    """Return the tools of the first list of them in a text, or in an object such as a request."""
    for start, part in _json_in(text):
        values = values_in(part) or []
        ends = [value.end for value in values]
        for value in sorted(values, key=attrgetter("start")):  # the whole before its parts
            items = value.parts if value.kind == "list" else ()
            inside = (values[bisect(ends, first) : bisect(ends, last)] for first, last in items)
            if found := [tool for each in inside if (tool := _tool(start, part, each))]:
                return found
    return []


def _json_in(text: str) -> Iterator[tuple[int, str]]:
    """Yield the objects and lists of JSON in a text, each with its start."""
    at = failed = 0
    while failed < _MOST_FAILED and (match := _BEGINS.search(text, at)):
        try:
            _, at = _DECODER.raw_decode(text, match.start())
        except json.JSONDecodeError as error:
            at, failed = max(error.pos, match.end()), failed + 1
            continue
        except RecursionError:  # nested more deeply than any tool
            return
        yield match.start(), text[match.start() : at]


def _tool(base: int, text: str, values: Sequence[Value]) -> Tool | None:
    """Return the tool that an object describes; None if it is none, as a call and a server's.

    Args:
        base: where the text starts in a longer one.
        text: the text.
        values: the object, last, and those in it.
    """
    item, at_end = values[-1], {value.end: value for value in values}

    def member(of: Value, *names: str) -> Value | None:
        parts = (at_end[end] for _, end in of.parts) if of.kind == "object" else ()
        return next((part for part in parts if part.name in names), None)

    function = member(item, "function")
    own = function if function and function.kind == "object" else item
    name, schema, kind = member(own, "name"), member(own, *_SCHEMAS), member(item, "type")
    is_function = kind is not None and text[kind.start : kind.end] == '"function"'
    if not name or name.kind != "string" or member(own, "arguments"):
        return None
    if not schema and not is_function:
        return None
    listed = schema and (member(schema, "properties") or schema)
    parts = listed.parts if listed and listed.kind == "object" else ()
    if any(at_end[end].kind != "object" for _, end in parts):  # a schema without properties
        parts = ()

    def inside(text: Value) -> tuple[int, int]:
        return base + text.start + 1, base + text.end - 1

    described = member(own, "description")
    texts = [each for each in values if each.name == "description" and each.kind == "string"]
    return Tool(
        base + item.start,
        base + item.end,
        text[name.start + 1 : name.end - 1],
        base + name.start + 1,
        inside(described) if described and described.kind == "string" else None,
        [*map(inside, texts)],
        [(base + start, base + end) for start, end in parts],
    )


def _described(batch: Batch) -> Sites:
    """Return the sites of synonyms in descriptions."""
    pairs = zip(batch.texts.starts.tolist(), batch.texts.to_list(), strict=True)
    described = [
        (base + start, base + end)
        for base, text in pairs
        for tool in tools_in(text)
        for start, end in sorted(tool.descriptions)
    ]
    spans = np.array(described, np.intp).reshape(-1, 2)
    sites = synonym(batch)
    starts, ends = sites.starts, sites.ends
    last = spans[:, 0].searchsorted(starts, "right") - 1
    inside = (last >= 0) & (ends <= np.append(spans[:, 1], 0)[last])
    # No part of a name such as get_weather, and no word that an escape such as \\n runs into.
    joined = np.isin(batch.codes, [ord("_"), ord("\\")])
    inside &= ~joined[starts - 1] & ~np.append(joined, False)[ends]
    words = Strings(batch.codes, starts, ends).to_list()
    return sites.keep(inside & ~np.array([word.lower() in _TECHNICAL for word in words], bool))


def _names(batch: Batch, tools: Sequence[Sequence[Tool]]) -> list[dict[str, _Name]]:
    """Return the names of the tools in each text that can have another form, with their words."""
    found = [dict[str, _Name]() for _ in tools]
    matches = [
        (row, match)
        for row, some in enumerate(tools)
        for tool in some
        if (match := _NAME.fullmatch(tool.name))
    ]
    words = [[word.lower() for word in _WORD.findall(match["own"])] for _, match in matches]
    # In such a sentence the first word of most names is read as the verb that it is.
    texts = [f"Please {' '.join(each)}." for each in words]
    own = Batch(Strings.of_texts(texts), batch.keys[[row for row, _ in matches]])
    sites = synonym(own, language="en")
    rows = own.text_of(sites.starts)
    spans, origins = Strings(own.codes, sites.starts, sites.ends), sites.starts - own.edges[rows]
    assert sites.write is not None  # synonyms replace
    written = sites.write(Chosen(spans, own.keys[rows], origins, sites)).to_list()
    ends = (origins + spans.lengths).tolist()
    for row, *edit in reversed([*zip(rows.tolist(), origins.tolist(), ends, written, strict=True)]):
        texts[row] = rebuild(texts[row], [(*edit,)])
    for (row, match), each, text in zip(matches, words, texts, strict=True):
        reworded = text[len("Please ") : -1].split(" ")
        changed = [
            (*place.span(), new.title() if place[0][0].isupper() else new)
            for place, old, new in zip(_WORD.finditer(match["own"]), each, reworded, strict=True)
            if old != new
        ]
        found[row][match[0]] = match["lead"], each, rebuild(match["own"], changed)
    return found


def _renamed(
    text: str, names: Mapping[str, _Name], taken: set[str], rng: KeyedRandom
) -> Sequence[Edit] | str:
    by_words, forms = rng.below(2), [*shuffled(rng, _FORMS.values())]
    new: dict[str, str] = {}
    for name, (lead, words, reworded) in names.items():
        others = [form(words) for form in forms]
        for own in [reworded, *others] if by_words else [*others, reworded]:
            other = lead + own
            if other not in taken and len(other) <= _LONGEST:
                new[name] = other
                taken.add(other)
                break
    if not new:
        return "no name that has another form or a synonym"
    sorts: tuple[list[str], list[str]] = [], []
    for name in new:
        sorts[not (name.isalpha() and name.islower())].append(regex.escape(name))
    mentions = regex.compile(_MENTIONS.format(*("|".join(each) or "(?!)" for each in sorts)))
    return [(*match.span(), new[match[0]]) for match in mentions.finditer(text)]


def _ordered(text: str, tools: Sequence[Tool], rng: KeyedRandom) -> Sequence[Edit] | str:
    def moved(parts: Sequence[T]) -> Iterator[tuple[T, T]]:
        order = rng.sample(parts, len(parts))
        if order == [*parts]:
            order = [*order[1:], *order[:1]]
        return zip(parts, order, strict=True)

    inner = {
        tool.start: [
            (*here, text[slice(*there)]) for here, there in moved(tool.parameters) if here != there
        ]
        for tool in tools
    }
    if len(tools) == 1:
        return inner[tools[0].start] or "one tool with one parameter"
    written = {tool.start: _copy(text, tool, inner[tool.start]) for tool in tools}
    return [(here.start, here.end, written[there.start]) for here, there in moved(tools)]


def _with_decoy(text: str, tools: Sequence[Tool], rng: KeyedRandom) -> Sequence[Edit] | str:
    names = {tool.name for tool in tools}
    for tool in shuffled(rng, tools):
        for word, says in shuffled(rng, _DECOYS):
            sign = "-" if "-" in tool.name else "_" if "_" in tool.name else ""
            is_joined = sign or tool.name.islower()
            name = tool.name + (f"{sign or '_'}{word}" if is_joined else word.title())
            if tool.described is None or name in names or len(name) > _LONGEST:
                continue
            at = tool.at, tool.at + len(tool.name), name
            copy = _copy(text, tool, sorted([at, (*tool.described, says.format(tool.name))]))
            gaps = (text[a.end : b.start] for a, b in pairwise(tools))
            gap = next(
                (gap for gap in gaps if gap.strip() == ","), "," + text[tool.at - 2].strip(":")
            )
            end = rng.choice(tools).end
            return [(end - 1, end, text[end - 1] + gap + copy)]
    return "no tool with a description"


def _copy(text: str, tool: Tool, edits: Sequence[Edit]) -> str:
    """Return the text of a tool after edits."""
    near = [(start - tool.start, end - tool.start, new) for start, end, new in edits]
    return rebuild(text[tool.start : tool.end], near)
