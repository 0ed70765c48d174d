"""From a row to its question: a text, chat messages, or a prompt made of the row's fields."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from perturb.errors import DataError, UsageError, shown
from perturb.io import json_path
from perturb.io.jsonl import dumps
from perturb.plan.recipe_text import read_options
from perturb.records.ids import checked_id, given_id, hashes_of_rows, id_of_text, row_in, with_id
from perturb.records.notation import checked
from perturb.records.option_sets import option_sets, options_in
from perturb.robustness.grading.option_labels import LETTERS, options_of
from perturb.robustness.linking.record_text import id_field_of
from perturb.rows.stored import linkage_in
from perturb.values.fields import plain

_ADDED = ("perturbation", "response", "explanation")

_NO_LINE = re.compile("[\n\r\ud800-\udfff]")
# Behind the path of a chat that ends with its answer: the turns before that.
BEFORE_ANSWER = "[:-1]"
_ANSWERING = {"ai", "assistant", "gpt", "model"}
_GIVEN_AWAY = (
    "the chat in {0!r} ends with the assistant's answer, and the system gets it: ask the turns "
    "before it with --field {0}[:-1] (field= in Python), and grade with --target {0}[-1].{1}"
)

Row = dict[str, Any]
Message = dict[str, Any]
Content = Callable[[Row], Any]


class Question(NamedTuple):
    """One question.

    Attributes:
        key: its name, unique within a run.
        content: the question, as JSON: chat messages, a text or a row.
        seed: the seed of the system's own randomness; None to leave that to the system.
        repeat: how often it was asked before, if answers may differ.
    """

    key: str
    content: Any
    seed: int | None = None
    repeat: int = 0

    def seed_alone(self) -> dict[str, int]:
        """Return the seed as a mapping, empty without one."""
        return {} if self.seed is None else {"seed": self.seed}

    def digest(self) -> str:
        """Return a hash that distinguishes it from other questions under the same key."""
        return blake2b(dumps([self.content, self.seed]), digest_size=8).hexdigest()


def checked_seeds(seeds: Sequence[int] | None) -> Sequence[int | None]:
    """Return the seeds to ask each row with; without any, rows are asked once without a seed.

    Raises:
        UsageError: a seed isn't a whole number of 64 bits, or is given twice.
    """
    if seeds is None:
        return [None]
    seeds = [*map(plain, seeds)]
    for seed in seeds:
        if type(seed) is not int or not -(1 << 63) <= seed < 1 << 63:
            raise UsageError(f"a seed is a whole number of at most 64 bits; got {seed!r}")
    if len(set(seeds)) < len(seeds) or not seeds:
        raise UsageError(f"seeds must be at least one, and all different; got {seeds!r}")
    return seeds


def versions(
    row: Row,
    content: Content,
    prediction: str,
    seeds: Sequence[int | None],
    seen: dict[str, str | None],
) -> Iterator[Question]:
    """Yield the questions of a row, one per seed, by the ids of the rows that take the answers.

    Rows without an id of their own that are equal in everything share an id, and so their question.

    Args:
        row: a row without an answer, not yet checked.
        content: from the row to its question.
        prediction: the field for the answer.
        seeds: from `checked_seeds`.
        seen: the keys so far; those of this row are added, each with the hash of its question if
            it may repeat.

    Raises:
        DataError: it isn't a row or has an answer, or its id is invalid or not unique.
    """
    if not isinstance(row, Mapping):
        raise DataError(f"a row is a JSON object; got {row!r:.40}")
    if prediction in row:
        raise DataError(
            f"the row already has a field {prediction!r}; rename it, or name another for the "
            "answers with perturb run --prediction (prediction= in Python)"
        )
    if "response" in row:
        raise DataError("the row already has a field 'response', as if it had been answered")
    asked = content(row)
    field = id_field_of(row)
    if (given := given_id(row, field)) is None:
        text = asked if isinstance(asked, str) else dumps(asked).decode()
        name = id_of_text(text, *hashes_of_rows([row]))
    else:
        try:
            name = checked_id(given)
        except TypeError as error:
            raise DataError(f"the field {field!r}: {error}") from None
    for seed in seeds:
        key = f"{name}#rs{seed}" if len(seeds) > 1 else name
        digest = hashes_of_rows([{"asked": asked}])[0] if row_in(key) else None
        if key in seen and (digest is None or seen[key] != digest):
            raise DataError(f"there is already a row {key!r}: ids must be unique; keep one of them")
        seen[key] = digest
        yield Question(key, asked, seed)


def named(row: Row, key: str) -> Row:
    """Return the row with the id of its question; an equivalent id stays unchanged."""
    field = id_field_of(row)
    return dict(row) if str(given_id(row, field)) == key else with_id(row, field, key)


def without_records(row: Row) -> Row:
    """Return the row as a system may see it, without its record."""
    return {name: value for name, value in row.items() if name.partition(".")[0] not in _ADDED}


def text_at(path: str) -> Content:
    """Return a function from a row to the one text at a path."""
    json_path.parse(path)

    def text(row: Row) -> str:
        value = _only(row, path)
        if not isinstance(value, str):
            raise DataError(f"the field {path!r} must be a string; got {value!r:.60}")
        return value

    return text


def value_at(paths: Sequence[str], choices: Sequence[str] = ()) -> Content:
    """Return a function from a row to the one value at a path, such as a text or a chat.

    Args:
        paths: the path, of a chat perhaps with `[:-1]` behind it, the turns before its answer; of
            several the texts, one below the other.
        choices: the paths to options, which are listed below with their labels; see `Job`.
    """
    if len(paths) == 1 and not choices:
        json_path.parse(paths[0].removesuffix(BEFORE_ANSWER))
        return lambda row: _asked(row, paths[0])
    texts = list(map(text_at, paths))

    def listed(row: Row) -> str:
        lines = [text(row) for text in texts]
        for options, text in option_sets(row, choices):
            named = map("{}. {}".format, options.labels or LETTERS.labels, options_in(text))
            lines += options_in(text) if options_of(text) else named  # as `A. red` already
        return "\n".join(lines)

    return listed


def line_at(paths: Sequence[str], choices: Sequence[str] = ()) -> Content:
    """Return a function from a row to the text at a path, without line breaks; see `value_at`."""
    text = text_at(paths[0]) if len(paths) == 1 and not choices else value_at(paths, choices)

    def line(row: Row) -> str:
        content: str = text(row)
        if _NO_LINE.search(content):
            raise DataError(
                f"the field {paths[0]!r} has a line break or half of a surrogate pair, and the "
                "command gets a line of UTF-8 for each text; without --field it gets rows as JSON; "
                f"got {shown(content)}"
            )
        return content

    return line


def messages_at(
    paths: Sequence[str] | None, system: str | None = None, choices: Sequence[str] | None = ()
) -> Content:
    """Return a function from a row to the chat messages at a path, or one with the text there.

    Args:
        paths: such as `question` or `messages`; None for the field that was perturbed according to
            the record, or all messages if that was one of a list; `text` without a record.
        system: a system message to put first.
        choices: see `value_at`.
    """
    given = value_at(paths, choices or ()) if paths else None
    opening = [{"role": "system", "content": system}] if system is not None else []

    def messages(row: Row) -> list[Message]:
        fields = paths or [_perturbed(row)]
        value = (given or value_at(fields, choices or ()))(row)
        if isinstance(value, str):
            return [*opening, {"role": "user", "content": value}]
        if isinstance(value, list) and value and all(map(_is_message, value)):
            return [*opening, *value]
        raise DataError(
            f"the field {fields[0]!r} must be a text, or a list of messages with a role and "
            f"content; got {value!r:.60}"
        )

    return messages


def _perturbed(row: Row) -> str:
    """Return the perturbed field in the record; for a chat, the field with all messages."""
    try:
        recipe = checked(linkage_in(row))["recipe"]
    except DataError:  # it was not perturbed
        return "text"
    path: str = read_options(recipe)["field"][0]
    return path.partition("[")[0]


def ends_answered(value: Any) -> bool:
    """Return whether a value is a chat that ends with what an assistant said."""
    last = value[-1] if isinstance(value, list) and value else None
    return isinstance(last, Mapping) and (last.get("role") or last.get("from")) in _ANSWERING


def _asked(row: Row, path: str) -> Any:
    """Return the value at a path; of one with `BEFORE_ANSWER`, the chat without its answer."""
    whole = path.removesuffix(BEFORE_ANSWER)
    value = _only(row, whole)
    if whole == path:
        if ends_answered(value):
            key = "value" if "value" in value[-1] else "content"
            warnings.warn(_GIVEN_AWAY.format(path, key), stacklevel=2)
        return value
    if not ends_answered(value):
        raise DataError(
            f"{path} leaves out the answer that a chat ends with, and the one in {whole!r} ends "
            f"with none; got {shown(value)}: ask such rows apart, with --field {whole} (field= in "
            "Python)"
        )
    return value[:-1]


def _is_message(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("role"), str) and "content" in value


def _only(row: Row, path: str) -> Any:
    try:
        values = [value for _, value in json_path.locate(row, path)]
    except DataError as error:
        raise DataError(f"{error}; name the field to ask with --field (field= in Python)") from None
    if len(values) != 1:
        raise DataError(f"the path {path!r} must select one text; here it selects {len(values)}")
    return values[0]
