"""Prompts: templates whose `{field}` stands for a field of the row, and sets of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple

import yaml

from perturb.errors import DataError, UsageError
from perturb.evaluation.questions import Message, Row
from perturb.io import json_path

_SUFFIXES = (".yaml", ".yml")


class Prompt(NamedTuple):
    r"""Templates of the user's message and, where there is one, of the system's.

    `{field}` stands for a field of the row, or for what a path such as `{meta.topic}` leads to;
    braces that are meant are written twice, as in `\boxed{{}}`.
    """

    user: str
    system: str | None = None

    def messages(self, row: Row) -> list[Message]:
        """The messages for a row.

        Raises:
            DataError: the row lacks a field, or it is neither a text nor a number.
        """
        user = {"role": "user", "content": _filled(self.user, row)}
        if not self.system:
            return [user]
        return [{"role": "system", "content": _filled(self.system, row)}, user]


def load_prompt(path: Path) -> Prompt:
    """Read a prompt: YAML with `user` and perhaps `system`, or a file with the user's message.

    Raises:
        UsageError: the file can't be read or is no prompt.
    """
    text = _read(path)
    found = _yaml(text, path) if path.suffix in _SUFFIXES else {"user": text}
    if not isinstance(found, dict) or not isinstance(found.get("user"), str):
        raise UsageError(f"{path}: a prompt is YAML with the text of `user`, and maybe of `system`")
    if not isinstance(found.get("system"), str | None):
        raise UsageError(f"{path}: `system` must be a text; got {found['system']!r}")
    if unknown := sorted(map(str, found.keys() - {"user", "system"})):
        raise UsageError(f"{path}: a prompt has `user` and `system`; got {', '.join(unknown)} too")
    prompt = Prompt(found["user"], found.get("system"))
    for template in filter(None, prompt):
        _check(template, path)
    return prompt


class Variant(NamedTuple):
    """One prompt of a set; and the rule of its own, if any, that finds the answer to it."""

    prompt: Prompt
    extract: str | None = None


def load_set(path: Path) -> dict[str, dict[str, Variant]]:
    """Read a prompt set: YAML, from the name of each benchmark to a list of prompts.

    Each is the name of a file, or an object with that as `prompt_config` and with `extract_regex`,
    a pattern whose last match holds the answer. Files are named from the folder of the set, or the
    one above; `.yaml` may be left out.

    Returns:
        For each benchmark its prompts, by the names of their files without ending.

    Raises:
        UsageError: a file can't be read or isn't what it should be.

    Source: "Robustness Evaluation" (NeMo-Skills), `prompt_set_config`.
    """
    path = _with_suffix(path)
    found = _yaml(_read(path), path)
    if not isinstance(found, dict) or not found:
        raise UsageError(f"{path}: a prompt set is YAML, from a benchmark to a list of prompts")
    return {str(name): _variants(path, str(name), entries) for name, entries in found.items()}


def _variants(path: Path, benchmark: str, entries: Any) -> dict[str, Variant]:
    if not isinstance(entries, list) or not entries:
        raise UsageError(f"{path}: {benchmark} must have a list of prompts; got {entries!r}")
    variants: dict[str, Variant] = {}
    for entry in entries:
        file, extract = _entry(path, benchmark, entry)
        if file.stem in variants:
            raise UsageError(f"{path}: {benchmark} has two prompts named {file.stem}: rename one")
        variants[file.stem] = Variant(load_prompt(file), extract)
    return variants


def _entry(path: Path, benchmark: str, entry: Any) -> tuple[Path, str | None]:
    """The file of a prompt, and its rule."""
    fields = {"prompt_config": entry} if isinstance(entry, str) else entry
    match fields:
        case {"prompt_config": str(name), "extract_regex": str(pattern)} if len(fields) == 2:
            return _file(path, name), f"regex:{pattern}"
        case {"prompt_config": str(name)} if len(fields) == 1:
            return _file(path, name), None
    raise UsageError(
        f"{path}: a prompt of {benchmark} is the name of a file, or prompt_config with it and "
        f"extract_regex; got {entry!r}"
    )


def _file(path: Path, name: str) -> Path:
    near, above = (_with_suffix(folder / name) for folder in (path.parent, path.parent.parent))
    return above if above.exists() and not near.exists() else near


def _with_suffix(path: Path) -> Path:
    named = path.with_name(f"{path.name}.yaml")
    return named if not path.exists() and named.exists() else path


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except OSError as error:
        raise UsageError(f"can't read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8: byte {error.start + 1}") from None


def _yaml(text: str, path: Path) -> Any:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise UsageError(f"{path} is not YAML: {error}") from None


def _check(template: str, path: Path) -> None:
    try:
        for _, name in _parts(template):
            if name is not None:
                json_path.parse(name)
    except ValueError as error:
        raise UsageError(
            f"{path}: {error}; {{field}} stands for a field, and braces that are meant are "
            "written twice"
        ) from None


def _filled(template: str, row: Row) -> str:
    return "".join(
        literal if name is None else literal + _value(row, name)
        for literal, name in _parts(template)
    )


def _parts(template: str) -> Iterator[tuple[str, str | None]]:
    """The texts between the fields, each with the field that follows it."""
    for literal, name, spec, conversion in Formatter().parse(template):
        if spec or conversion:
            raise ValueError(f"{{{name}}} asks for a format")
        yield literal, name


def _value(row: Row, name: str) -> str:
    found = json_path.locate(row, name)
    if len(found) != 1 or not isinstance(found[0][1], str | int | float):
        raise DataError(f"{{{name}}} in the prompt must be one text or number in the row")
    return str(found[0][1])
