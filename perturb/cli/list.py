"""`perturb list`: the perturbators in a table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from textwrap import wrap
from typing import Any

from perturb.boundary import display
from perturb.cli.talk import display_json, say
from perturb.errors import UsageError
from perturb.registry.definition import ANY, EXPECTS, LABEL_RISKS, TOUCHES
from perturb.registry.described import built_in, chosen, installed

# Columns: at 80 half of the summaries would take three lines beside the names and languages.
_WIDTH = 100
# They are counted in perturb's own texts, so other ones have other shares.
REACHED = "of English texts of each class"
MANUAL = f"""
word WORD? []  only perturbators with this word in their name or description
--language CODE  only perturbators that can write this language, such as de
--max-risk {{{",".join(LABEL_RISKS)}}}  only perturbators with at most this label risk
--keeps* {{{",".join(TOUCHES)}}} []  only perturbators that leave this unchanged; may be repeated
--expect {{{",".join(EXPECTS)}}}  only perturbators that do this to the right answer
--aliases  list aliases, and names from other libraries, instead
--json  as JSON
"""


def run(
    *,
    word: str,
    language: str | None,
    max_risk: str | None,
    keeps: list[str],
    expect: str | None,
    aliases: bool,
    json: bool,
    plugin: list[str],
) -> int:
    """Print the perturbators."""
    if aliases:
        return _run_aliases(json)
    described = dict(built_in())
    if plugin or installed():  # without plugins, the table does without even NumPy
        from perturb import describe, names

        described |= {name: describe(name) for name in names() if name not in described}
    filters = {"language": language, "max_risk": max_risk, "expect": expect}
    facts_of = map(described.__getitem__, chosen(described.values(), keeps=keeps, **filters))
    perturbators = [
        each for each in facts_of if word.lower() in f"{each['name']} {each['summary']}".lower()
    ]
    if json:
        display_json(perturbators)
        return 0
    if not perturbators:
        what = repr(word) if word else "these options"
        raise UsageError(f"no perturbator matches {what}; perturb list shows all perturbators")
    rows = [("NAME", "UNIT", "TEXTS", "LABEL RISK", "EXPECT", "LANGUAGES", "DESCRIPTION")]
    for facts in perturbators:
        cells = facts["unit"], texts_changed(facts), facts["label_risk"], facts["expect"]
        asked = language in other_languages(facts)
        name = f"{facts['name']}:language={language}" if asked else facts["name"]
        rows.append((name, *cells, in_words(facts), facts["summary"]))
    _print(rows, _WIDTH)
    say(f"TEXTS is the share {REACHED} that p = 1 changes; perturb show has the classes")
    if language is not None and not any(map(_writes_words(language), perturbators)):
        say(f"no step of these replaces words by others of the language {language}")
    return 0


def _writes_words(language: str) -> Callable[[Mapping[str, Any]], bool]:
    """Return whether a described perturbator writes words of a language, not whole sentences."""
    return lambda facts: (
        language in facts["languages"] and "words" in facts["touches"] and facts["unit"] != "text"
    )


def in_words(facts: Mapping[str, Any]) -> str:
    """Return the languages of a described perturbator for a cell of a table: up to three."""
    languages, others = facts["languages"], other_languages(facts)
    if others:
        return f"{languages[0]} (+{len(others)})"
    if facts["scripts"] != list(ANY):
        several = len(facts["scripts"]) > 1
        return f"{len(facts['scripts'])} scripts" if several else facts["scripts"][0].title()
    return f"{len(languages)} languages" if len(languages) > 3 else ", ".join(languages)


def texts_changed(facts: Mapping[str, Any]) -> str:
    """Return the share of texts that p = 1 changes, of the class with the least to the most."""
    shares = [each["texts"] for each in facts["reach"].values()]
    low, high = (f"{share:.0%}" for share in (min(shares), max(shares))) if shares else ("-", "-")
    return low if low == high else f"{low[:-1]}-{high}"


def all_languages(facts: Mapping[str, Any]) -> str:
    """Return the languages of a described perturbator, and which of them need `language=`."""
    others = other_languages(facts)
    if facts["scripts"] != list(ANY):
        return f"any in letters of {', '.join(map(str.title, facts['scripts']))}"
    if not others:
        return ", ".join(facts["languages"])
    return f"{facts['languages'][0]}; with language=: {', '.join(others)}"


def other_languages(facts: Mapping[str, Any]) -> list[str]:
    """Return the languages that need the parameter `language`; "auto" writes only the first."""
    languages: list[str] = facts["languages"]
    return languages[1:] if facts["parameters"].get("language") == "auto" else []


def expectation(facts: Mapping[str, Any]) -> str:
    """Return what a described perturbator does to the right answer."""
    said = str(facts["expect"])
    if facts["expect_alone"] != said:
        said += f"; {facts['expect_alone']} if a row has one text and no target"
    for word in dict.fromkeys(facts["expect_of_kind"].values()):
        kinds = [kind for kind, own in facts["expect_of_kind"].items() if own == word]
        said += f"; {word} with kind={' or '.join(kinds)}"
    return said


def _run_aliases(as_json: bool) -> int:
    """Print other names with the steps that they mean."""
    from perturb.pipeline.drop_in_names import drop_ins
    from perturb.pipeline.specs import spelled
    from perturb.registry.registry import aliases

    steps = {alias: spelled(alias) for alias in aliases()}
    steps |= {name: drop_in.steps for name, drop_in in drop_ins().items()}
    if as_json:
        display_json(steps)
    else:
        _print([("NAME", "STEPS"), *steps.items()], sys.maxsize)  # so that a spec can be copied
    return 0


def _print(rows: Sequence[tuple[str, ...]], width: int) -> None:
    """Print rows in columns; a long last cell continues on the next lines, indented."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    indent = sum(widths) + 2 * len(widths)
    for *cells, last in rows:
        padded = (f"{cell:<{size}}  " for cell, size in zip(cells, widths, strict=True))
        lines = wrap(last, width - indent, break_on_hyphens=False)
        display("".join(padded) + f"\n{'':<{indent}}".join(lines))
