"""`perturb show`: the description of one perturbator, or of the record."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from perturb.boundary import Escaped, display
from perturb.cli.list import REACHED, all_languages, expectation
from perturb.cli.talk import diff_style, display_json
from perturb.records.edit import joined, marked
from perturb.registry.registry import is_drop_in

_WIDTH, _INDENT = 100, 12
# The measured facts, which few readers need.
_OF_MORE = ("lost", "scale", "spread")


MANUAL = """
names NAME+  one or more names or aliases from perturb list; or record, for the fields of a record
    (with --json its JSON Schema)
--more  also the losses of meaning, the scale of severities and the spread of texts
--json  as JSON
"""


def run(*, names: list[str], more: bool, json: bool, **_: Any) -> int:
    """Print descriptions, one after another."""
    for place, name in enumerate(names):
        facts, show = _of(name, more)
        if json:
            display_json(facts)
        else:
            if place:
                display()
            show(facts)
    return 0


def _of(name: str, more: bool) -> tuple[dict[str, Any], Callable[[dict[str, Any]], None]]:
    """Return the facts about a name, and the function that prints them."""
    if name == "record":
        from perturb.records.notation import json_schema

        return json_schema(), _show_record
    if is_drop_in(name):
        from perturb.pipeline.drop_in_names import drop_ins, steps_of

        show = partial(_show_drop_in, name, steps_of(name))  # refuses a name that there is not
        return drop_ins()[name]._asdict(), show
    from perturb import describe

    return describe(name), partial(_show, more)


def _show(more: bool, facts: Mapping[str, Any]) -> None:
    """Print the description of a perturbator, and an example at three strengths."""
    from perturb.cli.examples import versions
    from perturb.registry.describe import documented

    body, arguments = documented(facts["doc"])
    display(f"{facts['name']}: {facts['summary']}\n")
    for label, text in _entries(facts):
        if more or label not in _OF_MORE:
            display(_entry(label, text))
    if body:
        display(f"\n{body}")
    if facts["parameters"]:
        display()
    for name, default in facts["parameters"].items():
        about = arguments.get(name, "")
        about += f" Allowed: {facts['ranges'][name]}." if name in facts["ranges"] else ""
        display(_entry(f"{name}={'' if default is None else default}", about))
    display()
    display(_entry("before", facts["example"], wrap=False))
    style = diff_style()
    for label, record in versions(facts["name"]):
        edits = joined(record.original, record.edits)
        text = marked(record.original, edits, style)
        display(Escaped(_entry(label, text, wrap=False)))


def _entries(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the facts about a perturbator, each with its label."""
    yield "unit", facts["unit"]
    yield "label risk", facts["label_risk"]
    if facts["risk"]:
        counts = ", ".join(f"{kind} {100 * share:.0f}" for kind, share in facts["risk"].items())
        yield "lost", f"at medium strength, per 100 texts: {counts}"
    if facts["reach"]:
        yield "reach", f"{REACHED} (of their words) p = 1 changes: {_changed(facts['reach'])}"
    yield "source", facts["source"]
    yield "version", str(facts["version"])
    yield "languages", all_languages(facts)
    yield "touches", ", ".join(facts["touches"]) or "nothing"
    yield "expect", expectation(facts)
    yield "intensity", _pairs(facts["intensities"]) or "none"
    yield "severity", _pairs(facts["severities"]) or "none"
    if facts["spread"]:
        yield "rates", f"differ from text to text as counted: spread={facts['spread']:g}"
    if facts["scale"]:
        yield from _scale(facts["scale"], facts["severities"])
    for alias, parameters in facts["aliases"].items():
        settings = ", ".join(f"{key}={value!r}" for key, value in parameters.items())
        yield "alias", f"{alias}{f' ({settings})' if settings else ''}"


def _changed(reach: Mapping[str, Mapping[str, float]]) -> str:
    """Return the share of texts and of words that p = 1 changes, by class."""
    return ", ".join(
        f"{kind} {each['texts']:.0%} ({each['words']:.0%})" for kind, each in reach.items()
    )


def _scale(scale: Mapping[str, Any], severities: Mapping[int, float]) -> Iterator[tuple[str, str]]:
    """Yield the meaning of the severities, and how much the texts differ."""
    from perturb.registry.severity import RATES, SCALES

    if severities:
        yield "scale", f"a severity is {SCALES[scale['unit']]}: {_pairs(RATES)}"
    if scale["texts"]:
        spread = (
            f"texts that p = 1 changes typically have an error rate of {scale['typical']:g}, and "
            f"80 % of them {scale['low']:g} to {scale['high']:g}"
        )
        yield "spread", spread


def _show_record(_: object) -> None:
    """Print the fields of a record, each with its type."""
    from perturb.plan.options import LINKAGE
    from perturb.records.notation import RECORD

    display(f"{LINKAGE}: the record of a row. Each field is a string.\n")
    for field in RECORD:
        display(_entry(field.name, field.about))


def _pairs(values: Mapping[Any, float]) -> str:
    return ", ".join(f"{key} {value:g}" for key, value in values.items())


def _entry(label: str, text: str, *, wrap: bool = True) -> str:
    """Return a label with a text beside it in a column, or below it if it is too long."""
    lines = text.split("\n")
    if wrap:
        lines = textwrap.wrap(text, _WIDTH - _INDENT, break_long_words=False)
    column = textwrap.indent("\n".join(lines), " " * _INDENT)
    return f"{label:<{_INDENT}}{column[_INDENT:]}" if len(label) < _INDENT else f"{label}\n{column}"


def _show_drop_in(name: str, steps: str, drop_in: Mapping[str, Any]) -> None:
    """Print the steps of another library's name, and an example."""
    from perturb import apply
    from perturb.registry.definition import EXAMPLE

    display(f"{name} means {steps}\n")
    display(_entry("theirs", drop_in["theirs"]))
    display(_entry("ours", drop_in["ours"]))
    display()
    display(_entry("before", EXAMPLE))
    display(_entry("after", str(apply(EXAMPLE, name)), wrap=False))
