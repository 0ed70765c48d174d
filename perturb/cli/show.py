"""`perturb show`: all about one perturbator."""

from __future__ import annotations

import argparse

_EXAMPLE = "The quick brown fox, by any measure, may jump over 12 lazy dogs today."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.add_argument("name", help="a name or an alias; perturb list has the names")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    """Print what a perturbator is, and an example."""
    from perturb import apply, describe
    from perturb.io.jsonl import dumps

    if "." in args.name:
        return _show_drop_in(args.name, args.json)
    said = describe(args.name)
    if args.json:
        print(dumps(said).decode(), end="")
        return 0
    print(f"{said['name']} (version {said['version']}): {said['summary']}\n")
    print(f"unit        {said['unit']}")
    print(f"label risk  {said['label_risk']}")
    print(f"source      {said['source']}")
    print("intensity   " + ", ".join(f"{k} {v:g}" for k, v in said["intensities"].items()))
    print(
        "severity    " + (", ".join(f"{k} {v:g}" for k, v in said["severities"].items()) or "none")
    )
    for name, default in said["parameters"].items():
        print(f"parameter   {name}={'' if default is None else default}")
    for alias, parameters in said["aliases"].items():
        given = ", ".join(f"{key}={value!r}" for key, value in parameters.items())
        print(f"alias       {alias}{f' ({given})' if given else ''}")
    print(f"\n{said['doc']}\n")
    print(f"before      {_EXAMPLE}")
    for p in (0.05, 0.2, 1.0):
        print(f"p = {p:<6g}  {apply(_EXAMPLE, args.name, p=p)}")
    return 0


def _show_drop_in(name: str, as_json: bool) -> int:
    """Print what another library's name stands for, and an example."""
    from perturb import apply
    from perturb.dropins import DROP_INS, steps_of
    from perturb.io.jsonl import dumps

    steps = steps_of(name)
    said = DROP_INS[name]
    if as_json:
        print(dumps(said._asdict()).decode(), end="")
        return 0
    print(f"{name} stands for {steps}\n")
    print(f"theirs      {said.theirs}")
    print(f"ours        {said.ours}\n")
    print(f"before      {_EXAMPLE}")
    print(f"after       {apply(_EXAMPLE, name)}")
    return 0
