"""Write the types of the functions in `perturb.steps`: `python scripts/steps.py`."""

import subprocess
import sys
from inspect import signature
from pathlib import Path
from textwrap import indent
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from perturb import steps
from perturb.boundary import Code, File, Lexicon
from perturb.pipeline.step import Step
from perturb.registry.definition import FieldPath, Intensity, Severity

STUB = Path(__file__).parents[1] / "perturb" / "steps.pyi"
HEAD = '''\
"""One function for each perturbator; written by `python scripts/steps.py`."""

from collections.abc import Callable
from typing import Any, Literal

from perturb.pipeline.step import Step
from perturb.registry.definition import Intensity, Severity
'''
WRITTEN = {
    Intensity: "Intensity",
    Severity: "Severity",
    Step: "Step",
    NoneType: "None",
    File: "str",
    FieldPath: "str",
    Lexicon: "str",
    Code: "str | Callable[..., Any]",
}


def shown(kind: Any) -> str:
    """Return a type as source."""
    if kind in WRITTEN:
        return WRITTEN[kind]
    if get_origin(kind) is Literal:
        return f"Literal[{', '.join(map(repr, get_args(kind)))}]"
    if get_origin(kind) in (Union, UnionType):
        return " | ".join(map(shown, get_args(kind)))
    return str(kind.__name__)


def function(name: str) -> str:
    """Return the declaration of a function of `perturb.steps`."""
    step = getattr(steps, name)
    first, *others = (
        f"{parameter.name}: {shown(parameter.annotation)} = {parameter.default!r}"
        for parameter in signature(step).parameters.values()
    )
    doc = indent(step.__doc__, " " * 4, lambda line: bool(line.strip()))
    return f'def {name}({first}, *, {", ".join(others)}) -> Step:\n    """{doc.lstrip()}    """\n'


def stub() -> str:
    """Return the stub, formatted."""
    names = [name for name in steps.__all__ if name != "StepName"]
    parts = [HEAD, f"__all__ = {steps.__all__}\n", f"StepName = Literal{names}\n"]
    parts += map(function, names)
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(STUB), "-"]
    done = subprocess.run(command, input="\n".join(parts), stdout=-1, text=True, check=True)
    return done.stdout


if __name__ == "__main__":
    STUB.write_text(stub(), "utf-8")
