"""Published layouts of rows by name: where their rows, ids, texts, options and answers are.

Each is a line of `shapes.jsonl`, and nothing else in the package knows a benchmark. To add one, add
a line there and an example to `tests/cli/test_shapes.py`, and run `python scripts/formats.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import orjson

from perturb.boundary import read_whole
from perturb.errors import DataError, UsageError, unknown
from perturb.io import json_path
from perturb.io.inner_rows import InnerRows
from perturb.plan.recipe_text import cut
from perturb.resources import folder


class Shape(NamedTuple):
    """A layout.

    Attributes:
        name: its name in `--shape`.
        title: the benchmark, and the form of its file.
        options: the options of a job that say so, by their names in Python.
        source: where the layout is described or published.
        keys: further fields of a value of its files, which other layouts lack.
        tried: the public file that was read; "" if its rows were made after the source.
        step: the step whose texts these are; "" for any.
        alone: whether its rows have no other fields but an id; only then does a hint name it.
    """

    name: str
    title: str
    options: Mapping[str, Any]
    source: str
    keys: Sequence[str] = ()
    tried: str = ""
    step: str = ""
    alone: bool = False


@cache
def shapes() -> Mapping[str, Shape]:
    """Return the layouts by their names; of those that a file fits, the first is named."""
    lines = read_whole(folder() / "plan" / "shapes.jsonl").splitlines()
    return {shape.name: shape for shape in (Shape(**orjson.loads(line)) for line in lines)}


def shape_options(name: str, steps: Any = "") -> Mapping[str, Any]:
    """Return the options of a job that a shape replaces.

    Args:
        name: its name.
        steps: the steps of the job, as they are given.

    Raises:
        UsageError: there is no such shape, or a step is meant for other texts of the same layout.
    """
    if name not in shapes():
        raise unknown("shape", name, shapes())
    if other := _meant(name, str(steps)):
        raise UsageError(
            f"{other.step} doesn't belong in the texts of the shape {name!r}; take "
            f"{other.name!r} (--shape {other.name}), {other.title}"
        )
    return shapes()[name].options


def _meant(name: str, steps: Container[str]) -> Shape | None:
    """Return the shape of other texts in a layout for which one of the steps is meant, if any."""
    others = (shape for shape in shapes().values() if shape.name.startswith(f"{name}_"))
    return next((shape for shape in others if shape.step and shape.step in steps), None)


def fitting(value: Any, steps: Collection[str] = ()) -> Shape | None:
    """Return the shape that names the most fields of a value of a file, if one fits.

    Of several, one that is meant for one of the steps, or else the first of the table.
    """
    named = [
        (shape.step != "", count, shape)
        for shape in shapes().values()
        if (shape.step in steps if shape.step else not _meant(shape.name, steps))
        and (count := fields_in(value, shape))
    ]
    return max(named, key=lambda each: each[:2], default=(False, 0, None))[2]


def fields_in(value: Any, shape: Shape) -> int:
    """Return how many fields a shape names; 0 if a value lacks one of them."""
    options = dict(shape.options)
    path, name = options.pop("rows", None), options.pop("id_field", None)
    texts, paths = options.pop("field", []), options.keys() - {"only", "fixed"}
    others = [cut(text)[1] for option in paths for text in options[option]]
    try:
        row = value if path is None else next(InnerRows.of(path, texts).rows_of(value))
        for each in others:
            json_path.locate(row, each)
        there = all(json_path.locate(row, each) for each in texts)
        there = there and all(key in value for key in shape.keys)
    except (DataError, StopIteration, TypeError):
        return 0
    if not there or (name is not None and name not in row):
        return 0
    if shape.alone and len(row.keys() - {"id"}) > len([*texts, *others]):
        return 0
    return len([*texts, *others, *shape.keys]) + (name is not None)
