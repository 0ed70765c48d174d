"""Published layouts on the command line: the list of them, and hints that name one."""

from __future__ import annotations

import argparse
import contextlib
import shlex
from collections.abc import Sequence

from perturb.boundary import display
from perturb.errors import DataError, PerturbError
from perturb.io.files import STANDARD
from perturb.io.inputs import Inputs, expanded
from perturb.plan.options import to_words
from perturb.plan.shapes import fitting, shapes


def show() -> int:
    """Print each layout with its options."""
    for shape in shapes().values():
        display(f"{shape.name}: {shape.title}", f"    {shlex.join(to_words(shape.options))}")
    return 0


def shape_hint(args: argparse.Namespace, sources: Sequence[str]) -> str:
    """Return a clause that names the shape of the first value of the input; "" if none fits."""
    if args.shape is not None or STANDARD in sources:
        return ""
    with contextlib.suppress(PerturbError, StopIteration):
        first = expanded(sources)[:1]
        with contextlib.closing(Inputs(first, args.format, encoding=args.encoding)) as file:
            _, value = next(file.rows())
        if shape := fitting(value):
            return f"; this looks like {shape.title}: --shape {shape.name} names its fields"
    return ""


def with_hint(error: DataError, args: argparse.Namespace, sources: Sequence[str]) -> DataError:
    """Return an error with the shape of the input if no option says where its texts are."""
    if {"field", "rows"} & {*vars(args)} or not (hint := shape_hint(args, sources)):
        return error
    return DataError(f"{error}{hint}")
