"""Published layouts on the command line: the list of them, and hints that name one."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Sequence

from perturb.boundary import display
from perturb.errors import PerturbError
from perturb.io.files import STANDARD
from perturb.io.inputs import Inputs, expanded
from perturb.plan.job import Job
from perturb.plan.options import to_words
from perturb.plan.shapes import Shape, fields_in, fitting, shapes


def show() -> int:
    """Print each layout with its options."""
    for shape in shapes().values():
        display(f"{shape.name}: {shape.title}", f"    {shlex.join(to_words(shape.options))}")
    return 0


def shape_hint(
    sources: Sequence[str], job: Job, shape: str | None, format: str | None, encoding: str | None
) -> str:
    """Return a clause that names the shape of the first value of the input.

    It is empty if none fits, or the one that was given does. To steps on whole items it names the
    option for their list.
    """
    if job.moves_whole_items:
        return "" if job.choices else "; --choices names a list whose items move"
    if STANDARD in sources:
        return ""
    steps = {step.perturbator.name for step in job.steps}
    with contextlib.suppress(PerturbError, StopIteration):
        inputs = Inputs(expanded(sources)[:1], format, encoding=encoding)
        with contextlib.closing(inputs) as file:
            _, value = next(file.rows())
        fits = shape is not None and fields_in(value, shapes()[shape])
        layout = None if fits else fitting(value, steps)
        # The options of a shape may be given by themselves, as `perturb test` does.
        if layout and list(layout.options.get("field", ())) != list(job.field):
            return f"; {naming(layout)}"
    return ""


def naming(shape: Shape) -> str:
    """Return the clause that names the shape of a file."""
    return f"this looks like {shape.title}: --shape {shape.name} names its fields"
