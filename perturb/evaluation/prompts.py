"""Prompts: templates with a `{field}` for each field of the row, and sets of prompts."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple

from perturb.boundary import text_in, yaml_of
from perturb.errors import DataError, UsageError, unknown
from perturb.evaluation.questions import Message, Row
from perturb.io import json_path
from perturb.io.jsonl import loads

_SUFFIXES = (".yaml", ".yml")
SHIPPED = ("math", "mcq")


class Prompt(NamedTuple):
    r"""Templates of the user's message and, perhaps, of the system's.

    `{field}` is replaced by a field of the row, or by the value at a path such as `{meta.topic}`;
    literal braces are doubled, as in `\boxed{{}}`.

    Attributes:
        user: the template of the user's message.
        system: the template of the system's message.
        examples: the worked examples that replace `{examples}`; None if a field of the row does.
    """

    user: str
    system: str | None = None
    examples: str | None = None

    def messages(self, row: Row) -> list[Message]:
        """Return the messages for a row.

        Raises:
            DataError: a field is missing, or is neither a text nor a number.
        """
        fields = row if self.examples is None else {**row, "examples": self.examples}
        user = {"role": "user", "content": _filled(self.user, fields)}
        if not self.system:
            return [user]
        return [{"role": "system", "content": _filled(self.system, fields)}, user]


def load_prompt(path: Path) -> Prompt:
    """Read a prompt: YAML with `user` and maybe `system`, or a file with the user's message.

    With `few_shot_examples` in the YAML, worked examples replace `{examples}`: `prefix`, then the
    `template` filled with each of `examples`, then `suffix`. The examples are a list of objects, or
    the name of a JSON Lines file beside the prompt; without any, `{examples}` is left empty.

    Raises:
        UsageError: the file can't be read or isn't a prompt.
    """
    text = text_in(path)
    return _prompt(yaml_of(text, path) if path.suffix in _SUFFIXES else {"user": text}, path)


def _prompt(fields: Any, path: Path) -> Prompt:
    """Return the prompt that YAML describes."""
    if not isinstance(fields, dict) or not isinstance(fields.get("user"), str):
        raise UsageError(f"{path}: a prompt is YAML with a text `user` and maybe `system`")
    user, system, shots = fields["user"], fields.get("system"), fields.get("few_shot_examples")
    if not isinstance(system, str | None):
        raise UsageError(f"{path}: `system` must be a text; got {system!r}")
    if unknown := sorted(map(str, fields.keys() - {"user", "system", "few_shot_examples"})):
        raise UsageError(f"{path}: a prompt has only `user` and `system`; got {', '.join(unknown)}")
    named = {name for template in (user, system or "") for name in _check(template, path)}
    examples = None if shots is None else _examples(shots, path)
    if not named - ({None} if shots is None else {None, "examples"}):
        raise UsageError(
            f"{path}: the prompt has no {{field}} of the row, so every row would be asked the "
            "same; write one where its text belongs, such as {question}"
        )
    return Prompt(user, system, examples)


def _examples(fields: Any, path: Path) -> str:
    """Return the text of worked examples."""
    none = {"prefix": "", "suffix": "", "examples": []}
    texts = {**none, **fields} if isinstance(fields, dict) else {}
    match texts:
        case {"prefix": str(), "suffix": str(), "template": str(template), "examples": examples}:
            pass
        case _:
            raise UsageError(
                f"{path}: `few_shot_examples` needs a text `template`, and maybe `prefix`, "
                f"`suffix` and `examples`; got {fields!r:.80}"
            )
    if len(texts) > 4:
        raise UsageError(f"{path}: `few_shot_examples` has unknown keys: {', '.join(texts)}")
    _check(template, path)
    try:
        if isinstance(examples, str):
            lines = text_in(path.parent / examples).encode().splitlines()
            examples = [loads(line) for line in lines if line.strip()]
        if not isinstance(examples, list) or not all(isinstance(row, dict) for row in examples):
            raise DataError(
                f"expected a list of objects or the name of a file; got {examples!r:.60}"
            )
        filled = [_filled(template, row) for row in examples]
    except DataError as error:
        raise UsageError(f"{path}: an example of `few_shot_examples`: {error}") from None
    return f"{texts['prefix']}{''.join(filled)}{texts['suffix']}" if filled else ""


class Variant(NamedTuple):
    """One prompt of a set, with its own rule, if any, for finding the answer."""

    prompt: Prompt
    extract: str | None = None


def shipped_set(name: str, field: str = "problem") -> dict[str, Variant]:
    """Return the prompts that come with perturb: 20 each for `math` and `mcq`.

    Args:
        name: `math`, or `mcq` for multiple choice, where the problem holds the options.
        field: the field of the row with the problem.

    Raises:
        UsageError: there is no such set.
    """
    if name not in SHIPPED:
        raise unknown("prompt set", name, SHIPPED)
    path = Path(str(files("perturb.evaluation") / "prompt_sets" / f"{name}.yaml"))
    entries = yaml_of(text_in(path).replace("{problem}", f"{{{field}}}"), path)
    return _variants(path, name, entries)


def load_set(path: Path) -> dict[str, dict[str, Variant]]:
    """Read a prompt set: YAML, from the name of each benchmark to a list of prompts.

    Each is the name of a file, an object with that as `prompt_config`, or an object with a `name`
    and the fields of a prompt file. The last match of an object's pattern `extract_regex` has the
    answer. Files are looked up in the folder of the set, the one above, and the working one;
    `.yaml` may be left out. `math` and `mcq` name the sets that come with perturb, within the list
    or in place of it.

    Returns:
        For each benchmark its prompts, by the names of their files without suffix.

    Raises:
        UsageError: a file can't be read or has another form.

    Source: "Robustness Evaluation" (NeMo-Skills), `prompt_set_config`.
    """
    path = _with_suffix(path)
    benchmarks = yaml_of(text_in(path), path)
    if not isinstance(benchmarks, dict) or not benchmarks:
        raise UsageError(f"{path}: a prompt set is YAML, from a benchmark to a list of prompts")
    return {str(name): _variants(path, str(name), entries) for name, entries in benchmarks.items()}


def _variants(path: Path, benchmark: str, entries: Any) -> dict[str, Variant]:
    if isinstance(entries, str) and entries in SHIPPED:
        return shipped_set(entries)
    if not isinstance(entries, list) or not entries:
        raise UsageError(f"{path}: {benchmark} must have a list of prompts; got {entries!r}")
    variants: dict[str, Variant] = {}
    for entry in entries:
        is_set = entry in SHIPPED and not _file(path, entry).exists()
        new = shipped_set(entry) if is_set else dict([_entry(path, benchmark, entry)])
        if both := variants.keys() & new:
            raise UsageError(f"{path}: {benchmark} has two prompts named {min(both)}: rename one")
        variants |= new
    return variants


def _entry(path: Path, benchmark: str, entry: Any) -> tuple[str, Variant]:
    """Return a prompt of a set, with its name."""
    fields = {"prompt_config": entry} if isinstance(entry, str) else entry
    rest = {**fields} if isinstance(fields, dict) else {}
    pattern = rest.pop("extract_regex", None)
    rule = None if pattern is None else f"regex:{pattern}"
    match rest:
        case {"prompt_config": str(name)} if len(rest) == 1 and isinstance(pattern, str | None):
            file = _file(path, name)
            return file.stem, Variant(load_prompt(file), rule)
        case {"name": str(name), "user": str(), **prompt} if isinstance(pattern, str | None):
            return name, Variant(_prompt({**prompt, "user": rest["user"]}, path), rule)
    raise UsageError(
        f"{path}: a prompt of {benchmark} is the name of a file, or an object with prompt_config, "
        f"or with name and user, and maybe extract_regex; got {entry!r}"
    )


def _file(path: Path, name: str) -> Path:
    folders = path.parent, path.parent.parent, Path()
    near, *others = (_with_suffix(folder / name) for folder in folders)
    return next((file for file in (near, *others) if file.exists()), near)


def _with_suffix(path: Path) -> Path:
    longer = path.with_name(f"{path.name}.yaml")
    return longer if not path.exists() and longer.exists() else path


def _check(template: str, path: Path) -> list[str | None]:
    """Return the fields of a template, None for the text behind the last, if all are valid."""
    try:
        names = [name for _, name in _parts(template)]
        for name in names:
            if name is not None:
                json_path.parse(name)
    except ValueError as error:
        raise UsageError(
            f"{path}: {error}; {{field}} is replaced by a field, so double literal braces: {{{{ "
            "and }}"
        ) from None
    return names


def _filled(template: str, row: Row) -> str:
    return "".join(
        literal if name is None else literal + _value(row, name)
        for literal, name in _parts(template)
    )


def _parts(template: str) -> Iterator[tuple[str, str | None]]:
    """Yield the texts between the fields, each with the field that follows it."""
    for literal, name, spec, conversion in Formatter().parse(template):
        if spec or conversion:
            raise ValueError(f"{{{name}}} has a format specification")
        yield literal, name


def _value(row: Row, name: str) -> str:
    match json_path.locate(row, name):
        case [(_, str() | int() | float() as value)]:
            return str(value)
    raise DataError(f"{{{name}}} in the prompt must match one text or number in the row")
