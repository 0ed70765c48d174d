"""From a row to what is asked: a text, chat messages, or a prompt made of the row's fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from perturb.errors import DataError, UsageError
from perturb.io import json_path
from perturb.io.jsonl import dumps
from perturb.plan.recipe_text import read_options
from perturb.records.ids import checked_id, id_of_text
from perturb.records.notation import checked
from perturb.rows.stored import linkage_in
from perturb.values.scalars import plain

_ADDED = ("perturbation", "response", "explanation")

Row = dict[str, Any]
Message = dict[str, Any]
Content = Callable[[Row], Any]


class Question(NamedTuple):
    """One thing to ask.

    Attributes:
        key: names it among all questions of a run.
        content: what is asked, as JSON holds it: chat messages, a text or a row.
        seed: the seed of the system's own randomness; None to leave that to the system.
        repeat: how often the same was asked before, where the answers may differ.
    """

    key: str
    content: Any
    seed: int | None = None
    repeat: int = 0

    def seed_alone(self) -> dict[str, int]:
        """Return the seed by its name, if there is one."""
        return {} if self.seed is None else {"seed": self.seed}

    def digest(self) -> str:
        """Return a hash that tells it from a question of the same key that asks something else."""
        return blake2b(dumps([self.content, self.seed]), digest_size=8).hexdigest()


def checked_seeds(seeds: Sequence[int] | None) -> Sequence[int | None]:
    """Return the seeds that each row is asked with; without any, it is asked once and without one.

    Raises:
        UsageError: a seed is no whole number of 64 bits, or stands there twice.
    """
    if seeds is None:
        return [None]
    seeds = [*map(plain, seeds)]
    for seed in seeds:
        if type(seed) is not int or not -(1 << 63) <= seed < 1 << 63:
            raise UsageError(f"a seed is a whole number of at most 64 bits; got {seed!r}")
    if len(set(seeds)) < len(seeds) or not seeds:
        raise UsageError(f"seeds must be given, each once; got {seeds!r}")
    return seeds


def versions(
    row: Row, content: Content, prediction: str, seeds: Sequence[int | None], seen: set[str]
) -> Iterator[Question]:
    """Yield the questions of a row, one a seed, by the ids of the rows that take the answers.

    Args:
        row: what should be a row without an answer.
        content: from the row to what is asked of it.
        prediction: the field that the answer is to have.
        seeds: as `checked_seeds` gives them.
        seen: the keys so far; those of this row are added.

    Raises:
        DataError: it is no row or has an answer, or its id is none or not unique.
    """
    if not isinstance(row, Mapping):
        raise DataError(f"a row is a JSON object; got {row!r:.40}")
    if prediction in row:
        raise DataError(
            f"the row has a field {prediction!r} already; name another for the answers with "
            "prediction (--prediction)"
        )
    if "response" in row:
        raise DataError("the row has a field 'response' already, as if it had been answered")
    asked = content(row)
    if row.get("id") is None:
        name = id_of_text(asked if isinstance(asked, str) else dumps(asked).decode())
    else:
        try:
            name = checked_id(row["id"])
        except TypeError as error:
            raise DataError(f"the field 'id': {error}") from None
    for seed in seeds:
        key = f"{name}#rs{seed}" if len(seeds) > 1 else name
        if key in seen:
            raise DataError(f"there is a row {key!r} already: ids must be unique")
        seen.add(key)
        yield Question(key, asked, seed)


def named(row: Row, key: str) -> Row:
    """Return the row with the id of its question; an id that reads the same stays as it is."""
    return dict(row) if str(row.get("id")) == key else {**row, "id": key}


def without_records(row: Row) -> Row:
    """Return the row as a system may see it: without the record of what was done to it."""
    return {name: value for name, value in row.items() if name.partition(".")[0] not in _ADDED}


def text_at(path: str) -> Content:
    """Return a function from a row to the one text that a path leads to."""
    json_path.parse(path)

    def text(row: Row) -> str:
        value = _only(row, path)
        if not isinstance(value, str):
            raise DataError(f"the field {path!r} must be a string; got {value!r:.60}")
        return value

    return text


def messages_at(path: str | None, system: str | None = None) -> Content:
    """Return a function from a row to the chat messages at a path, or to one with the text there.

    Args:
        path: as `question` or `messages`; None for what the row's record says was perturbed, or all
            messages where that was one of a list, and for `text` in rows without a record.
        system: a message of the system to put in front.
    """
    json_path.parse(path or "text")
    opening = [{"role": "system", "content": system}] if system is not None else []

    def messages(row: Row) -> list[Message]:
        field = path or _perturbed(row)
        value = _only(row, field)
        if isinstance(value, str):
            return [*opening, {"role": "user", "content": value}]
        if isinstance(value, list) and value and all(map(_is_message, value)):
            return [*opening, *value]
        raise DataError(
            f"the field {field!r} must be a text, or a list of messages with a role and content; "
            f"got {value!r:.60}"
        )

    return messages


def _perturbed(row: Row) -> str:
    """Return the field that was perturbed, as the record says; of a chat the field of all of it."""
    try:
        recipe = checked(linkage_in(row))["recipe"]
    except DataError:  # it was not perturbed
        return "text"
    path: str = read_options(recipe)["field"][0]
    return path.partition("[")[0]


def _is_message(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("role"), str) and "content" in value


def _only(row: Row, path: str) -> Any:
    try:
        values = [value for _, value in json_path.locate(row, path)]
    except DataError as error:
        raise DataError(f"{error}; say with --field (field= in Python) what to ask") from None
    if len(values) != 1:
        raise DataError(f"the path {path!r} must lead to one text; here it leads to {len(values)}")
    return values[0]
