"""Join and split recipes as text, without reading their steps. Imports nothing heavy.

recipe      STEPS --NAME VALUE ... --contract N
STEPS       a pipeline; `grid(LABEL=PIPELINE | ...)` for several conditions; none for originals
PIPELINE    see the grammar of pipelines; each step is pinned by its version: `ocr@2:p=0.1`
VALUE       quoted as in JSON if it has white space, a quote or a backslash, or is empty
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import orjson

from perturb._version import CONTRACT
from perturb.errors import UsageError, unknown
from perturb.pipeline.grammar import QUOTED, quoted
from perturb.plan.options import OPTIONS, flag, to_words

_WORD = re.compile(rf"\s*({QUOTED}|\S+)")
_FIRST_OPTION = re.compile(rf'((?:{QUOTED}|[^"])*?)(?:(?:^|\s)(--[a-z].*))?$', re.DOTALL)
_SIGN = re.compile(rf"{QUOTED}|[\[\]()=]")
_STEP = re.compile(rf'([a-z_][\w.]*)@(\d+)(?::((?:{QUOTED}|[^\s|()"])*))?')
_SETTING = re.compile(rf"([^=,\s]+)=({QUOTED}|[^,]*)(?:,|$)")


# Only JSON strings contain white space, and they may hold these ends of lines unescaped.
_LINE_END = re.compile("[\x85\u2028\u2029]")
# A grid with many replicates repeats its recipes for each original, which come in order.
_RECIPES = 1 << 13
_PLAIN = r'(?!--)[^\s"\\]+'


class StepText(NamedTuple):
    """A step of a recipe, as text.

    Attributes:
        name: the name of the perturbator.
        version: the version of the perturbator.
        settings: its strength, limits and parameters as text.
    """

    name: str
    version: int
    settings: Mapping[str, str]


@lru_cache(maxsize=1024)
def cut(spec: str) -> tuple[str, str]:
    """Split `NAME=REST` at the first = outside brackets and quotes; the name may be missing.

    Examples:
        >>> cut("messages[role=user].content=labels"), cut("labels")
        (('messages[role=user].content', 'labels'), ('', 'labels'))
    """
    depth = 0
    for sign in _SIGN.finditer(spec):
        if sign[0] in "[(":
            depth += 1
        elif sign[0] in "])":
            depth -= 1
        elif sign[0] == "=" and not depth:
            return spec[: sign.start()], spec[sign.end() :]
    return "", spec


def first_label(choices: Iterable[str]) -> str:
    """Return the label of the first option, if one of the paths to options gives it; else ""."""
    return next((label for label, _ in map(cut, choices) if label), "")


def joined(steps: str, options: Mapping[str, Any]) -> str:
    """Return a recipe from its steps and its options, which go by their names in Python.

    Examples:
        >>> joined("ocr@3:p=0.1", {"field": ["question"], "replicate": 2})
        'ocr@3:p=0.1 --field question --replicate 2 --contract 4'
    """
    words = [steps] if steps else []
    words += to_words(options, lambda value: quoted(value, _PLAIN))
    if "replicate" in options:
        words += ["--replicate", str(options["replicate"])]
    return on_one_line(" ".join([*words, f"--contract {CONTRACT}"]))


def on_one_line(text: str) -> str:
    """Return a recipe, or a part of one, with line ends in its strings escaped."""
    return _LINE_END.sub(lambda end: f"\\u{ord(end[0]):04x}", text)


@lru_cache(maxsize=_RECIPES)
def split(recipe: str) -> tuple[str, Mapping[str, Any]]:
    """Split a recipe into its steps and its options, which go by their names in Python.

    Raises:
        UsageError: it isn't a recipe.

    Examples:
        >>> split("ocr@3:p=0.1 --field question --contract 4")
        ('ocr@3:p=0.1', {'field': ('question',), 'contract': 4})
    """
    match = _FIRST_OPTION.fullmatch(recipe)
    if match is None:
        raise UsageError(f"can't read the recipe {recipe!r}: a quote isn't closed")
    return match[1].strip(), _options(match[2] or "")


@lru_cache(maxsize=_RECIPES)
def read_options(recipe: str) -> Mapping[str, Any]:
    """Return the options of a recipe that say which texts of a row it perturbed, and how often.

    Returns:
        `field`, `target`, `choices`, `fixed`, `spans`, `missing`, `id_field`, `replicate` and
        `seed`.

    Raises:
        UsageError: it isn't a recipe.
    """
    _, options = split(recipe)
    field = () if "choices" in options else ("text",)
    usual: dict[str, Any] = {"field": field, "target": (), "choices": (), "fixed": ()}
    usual |= {"spans": (), "missing": "error", "id_field": "id", "replicate": 0, "seed": 0}
    return {name: options.get(name, usual[name]) for name in usual}


@lru_cache(maxsize=1024)
def only_step(recipe: str) -> StepText | None:
    """Return the step of a recipe with one step and no combinator; else None.

    Raises:
        UsageError: it isn't a recipe.

    Examples:
        >>> only_step("ocr@3:severity=2 --contract 4").settings
        {'severity': '2'}
    """
    match = _STEP.fullmatch(split(recipe)[0])
    if match is None:
        return None
    return StepText(match[1], int(match[2]), dict(_SETTING.findall(match[3] or "")))


def _options(text: str) -> dict[str, Any]:
    words = [match[1] for match in _WORD.finditer(text)]
    options: dict[str, Any] = {}
    while words:
        word = words.pop(0)
        name = word.removeprefix("--").replace("-", "_")
        if name not in (*OPTIONS, "replicate", "contract"):
            raise unknown("option of a recipe", word, map(flag, OPTIONS))
        kind = OPTIONS.get(name, "number")
        if kind == "switch":
            options[name] = True
            continue
        if not words:
            raise UsageError(f"the option {word} of a recipe needs a value")
        value = words.pop(0)
        if value.startswith('"'):
            try:
                value = orjson.loads(value)
            except orjson.JSONDecodeError as error:
                raise UsageError(f"can't read {value} after {word} in a recipe: {error}") from None
        if kind == "texts":
            options[name] = (*options.get(name, ()), value)
        elif name in options:
            raise UsageError(f"the option {word} of a recipe is given twice")
        elif kind == "number":
            try:
                options[name] = int(value)
            except ValueError:
                raise UsageError(f"{word} needs a whole number; got {value!r}") from None
        else:
            options[name] = value
    return options
