"""`perturb show`: the description of one perturbator, or of the record."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from perturb.boundary import Escaped, display
from perturb.cli.list import all_languages, expectation
from perturb.cli.talk import diff_style, display_json

_WIDTH, _INDENT = 100, 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.add_argument("name", metavar="NAME", help="a name or an alias, which perturb list "
        "has; or record, for the fields of a record (with --json its JSON Schema)")  # fmt: skip
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    """Print the description of a perturbator, and an example at three strengths."""
    from perturb import describe
    from perturb.cli.examples import documented, versions
    from perturb.records.marked import joined, marked
    from perturb.registry.built_in import is_drop_in

    if args.name == "record":
        return _show_record(args.json)
    if is_drop_in(args.name):
        return _show_drop_in(args.name, args.json)
    said = describe(args.name)
    if args.json:
        display_json(said)
        return 0
    body, arguments = documented(said["doc"])
    display(f"{said['name']}: {said['summary']}\n")
    for label, text in _facts(said):
        display(_entry(label, text))
    display(f"\n{body}" + "\n" * bool(said["parameters"]))
    for name, default in said["parameters"].items():
        display(_entry(f"{name}={'' if default is None else default}", arguments.get(name, "")))
    display()
    display(_entry("before", said["example"], wrap=False))
    style = diff_style()
    for label, record in versions(said["name"]):
        edits = joined(record.original, record.edits)
        shown = marked(record.original, edits, style)
        display(Escaped(_entry(label, shown, wrap=False)))
    return 0


def _facts(said: dict[str, Any]) -> list[tuple[str, str]]:
    facts = [("unit", said["unit"]), ("label risk", said["label_risk"])]
    if said["risk"]:
        counts = ", ".join(f"{kind} {100 * share:.0f}" for kind, share in said["risk"].items())
        facts.append(("lost", f"in 100 texts at medium: {counts}"))
    facts += [("source", said["source"]), ("version", str(said["version"]))]
    facts += [("languages", all_languages(said))]
    facts += [("touches", ", ".join(said["touches"]) or "nothing")]
    facts += [("expect", expectation(said))]
    for label, known in (("intensity", said["intensities"]), ("severity", said["severities"])):
        facts.append((label, _pairs(known) or "none"))
    if said["scale"]:
        facts += _scale(said["scale"], said["severities"])
    for alias, parameters in said["aliases"].items():
        given = ", ".join(f"{key}={value!r}" for key, value in parameters.items())
        facts.append(("alias", f"{alias}{f' ({given})' if given else ''}"))
    return facts


def _scale(scale: Mapping[str, Any], reached: Mapping[int, float]) -> list[tuple[str, str]]:
    """Return what the severities are rates of, and how much the texts differ."""
    from perturb.registry.severity import RATES, SCALES

    facts = []
    if reached:
        facts.append(("scale", f"a severity is {SCALES[scale['unit']]}: {_pairs(RATES)}"))
    if scale["texts"]:
        spread = (
            f"at p = 1 it changes {100 * scale['texts']:.0f} of 100 texts; of these the rate is "
            f"{scale['typical']:g} in typical ones, below {scale['low']:g} in one of ten, above "
            f"{scale['high']:g} in another"
        )
        facts.append(("spread", spread))
    return facts


def _show_record(as_json: bool) -> int:
    """Print the fields of a record, each with its type; or the JSON Schema of a row."""
    from perturb.plan.options import LINKAGE
    from perturb.records.schema import RECORD, json_schema

    if as_json:
        display_json(json_schema())
        return 0
    display(f"{LINKAGE}: what was done to a row. Each field is a string.\n")
    for field in RECORD:
        display(_entry(field.name, field.about))
    return 0


def _pairs(known: Mapping[Any, float]) -> str:
    return ", ".join(f"{key} {value:g}" for key, value in known.items())


def _entry(label: str, text: str, *, wrap: bool = True) -> str:
    """Return a label with a text beside it in a column, or below a label that is too long."""
    from textwrap import indent
    from textwrap import wrap as wrapped

    lines = wrapped(text, _WIDTH - _INDENT, break_long_words=False) if wrap else text.split("\n")
    column = indent("\n".join(lines), " " * _INDENT)
    return f"{label:<{_INDENT}}{column[_INDENT:]}" if len(label) < _INDENT else f"{label}\n{column}"


def _show_drop_in(name: str, as_json: bool) -> int:
    """Print what another library's name stands for, and an example."""
    from perturb import apply
    from perturb.pipeline.drop_in_names import drop_ins, steps_of
    from perturb.registry.definition import EXAMPLE

    steps = steps_of(name)
    said = drop_ins()[name]
    if as_json:
        display_json(said._asdict())
        return 0
    display(f"{name} stands for {steps}\n")
    for label, text in (("theirs", said.theirs), ("ours", said.ours)):
        display(_entry(label, text))
    display()
    display(_entry("before", EXAMPLE))
    display(_entry("after", str(apply(EXAMPLE, name)), wrap=False))
    return 0
