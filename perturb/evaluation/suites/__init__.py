"""Suites: which noise tests a system, chosen by what its rows are. Private.

A suite is a folder with a job for each kind of rows, as `perturb apply --config` reads it. Its name
has a version, `standard@1`: the jobs of a version never change.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from perturb.errors import DataError, unknown
from perturb.evaluation.questions import BEFORE_ANSWER, ends_answered
from perturb.io import json_path
from perturb.records.text_field import texts_at

Row = Mapping[str, Any]

# The fields that benchmarks keep a question in, and a right answer, the likelier ones first; also
# as titles: Correct Answer.
_FIELDS = (
    *("question", "prompt", "messages", "instruction", "problem", "text", "input", "query"),
    "user_input",
)
_TARGETS = (
    *("answer", "target", "label", "expected_answer", "correct_answer", "expected"),
    *("gold", "ground_truth", "ideal", "output"),
)
# The fields of answer options, and their paths there; or fields that count up, an option in each.
_OPTIONS = ("choices", "options", "endings", "candidates")
_OPTION_PATHS = ("A={}", "{}.text", "{}[*].text")
# The fields of texts that a question may be about, and can't be answered without.
PASSAGES = ("context", "passage", "article", "paragraph", "document", "story", "input")
_COUNTED = re.compile(r"(?:(?:option|choice|ans|answer)_?)?(?:[A-Ja-j]|\d)")
# A right answer that is a number, with its unit in a sign; in GSM8K it ends a solution.
_NUMBER = re.compile(r"(?:^|#### )[^\w\s]*\d[\d,.]*[^\w\s]*$")
# So many rows tell what a file has. Chosen by hand.
LOOKED_AT = 100
# The characters from which a text is a passage, of more than three paragraphs. Chosen by hand.
_PASSAGE = 1500


class Rows(NamedTuple):
    """What the first rows of a file are.

    Attributes:
        kind: the kind of rows, a key of `KINDS`.
        field: the paths of the question; for a chat those of its messages of a user.
        asked: the fields that a system gets; of a chat that ends with its answer, the turns before.
        target: the path of the right answer, or None.
        match: how answers are compared with it.
        choices: the paths of options in fields of their own.
        unknown: those that may hold options, in a form that perturb doesn't know, or a passage.
    """

    kind: str
    field: list[str]
    asked: list[str]
    target: str | None
    match: str
    choices: Sequence[str]
    unknown: Sequence[str]


def looked_at(
    rows: Sequence[Row],
    field: Sequence[str] | None,
    target: str | None,
    choices: Sequence[str] | None = None,
) -> Rows:
    """Return what rows are, from the first of them.

    Args:
        rows: the first rows of a file.
        field: the paths of the question, or None to find it.
        target: the path of the right answer, or None to find it.
        choices: the paths of options in fields of their own, or None to find them.

    Raises:
        DataError: there are no rows, or none of the usual fields holds a question.
    """
    rows = [row for row in rows if isinstance(row, Mapping)]  # perturbing them refuses the others
    if not rows:
        raise DataError("there are no rows to test a system with: a row is a JSON object")
    known = dict.fromkeys(name for row in rows for name in row if row[name] not in (None, "", []))
    by_name = {str(name).lower().replace(" ", "_"): name for name in known}
    by_name |= {name: name for name in known}
    fields = field or [by_name[name] for name in _FIELDS if name in by_name][:1]
    if not fields:
        raise DataError(
            f"no row has one of the fields {', '.join(_FIELDS)}; name that of the question with "
            f"--field; the rows have {', '.join(map(str, known))}"
        )
    asked = [path.partition("[")[0] if json_path.is_many(path) else path for path in fields]
    found_here = target is None
    target = target or next((by_name[name] for name in _TARGETS if name in by_name), None)
    held = [value for value in _values(rows, asked) if value is not None]
    is_chat = any(map(_is_list, held))
    if is_chat and not all(map(_is_list, held)):
        raise DataError(
            f"the field {asked[0]!r} holds a chat, which is a list, in some rows, and a text in "
            "others: test them apart, or name another field with --field"
        )
    paths = [f"{path}[role=user].content" if is_chat and path in asked else path for path in fields]
    texts = [each for each in _values(rows, paths, texts_at) if each is not None]
    if not texts or not all(isinstance(text, str) for text in texts):
        raise DataError(
            f"the field {asked[0]!r} must hold a text or a chat; name the question's with --field"
        )
    if is_chat and any(map(ends_answered, held)):
        target = _answer_at(asked[0], held, target)
        asked = [f"{asked[0]}{BEFORE_ANSWER}"]
    kinds = (name for name, is_kind in KINDS.items() if is_kind(texts, is_chat))
    kind, unknown = next(kinds), []
    if choices is None and kind != "options":
        choices = () if is_chat else _options_in(rows)
        unknown = [name for name in _OPTIONS if name in known and name not in (*paths, target)]
    if choices:
        kind, unknown = "choices", []
    unknown += [name for name in PASSAGES if name in known and name not in asked]
    rights = [] if target is None else _values(rows, [target])
    parts = next((list(right) for right in rights if isinstance(right, Mapping)), ())
    if parts and found_here:
        raise DataError(
            f"the right answers in {target!r} are objects; name the part that is right with "
            f"--target: {', '.join(f'{target}.{part}' for part in parts)}"
        )
    is_list = bool(rights) and all(map(_is_list, rights))
    if is_list and found_here and not choices:
        target = f"{target}[*]"  # any of them is right
    is_list |= target is not None and json_path.is_many(target)
    match = "f1" if is_list and not choices else _match(kind, rights)
    return Rows(kind, paths, asked, target, match, choices or (), unknown)


def _answer_at(path: str, chats: Sequence[Any], target: str | None) -> str:
    """Return the path of the right answer, of chats that end with it unless it is known."""
    if not all(map(ends_answered, chats)):
        raise DataError(
            f"the chats in {path!r} end with the assistant's answer in some rows, and with a "
            "question in others: test them apart"
        )
    if target is not None:
        return target
    for key in ("content", "value"):
        if all(isinstance(chat[-1].get(key), str) for chat in chats):
            return f"{path}[-1].{key}"
    raise DataError(
        f"the chats in {path!r} end with the assistant's answer, and not all of these are texts; "
        f"name the right one with --target, such as {path}[-1].content[0].text"
    )


def _options_in(rows: Sequence[Row]) -> Sequence[str]:
    """Return the paths of the options that each row has in fields of their own; none without."""
    from perturb.records.option_sets import option_sets

    counted = [name for name in rows[0] if _COUNTED.fullmatch(name)]
    named = [[path.format(name)] for name in _OPTIONS for path in _OPTION_PATHS]
    for paths in [*named, counted][: len(named) + (len(counted) > 1)]:
        with contextlib.suppress(DataError):
            found = [options for row in rows for options, _ in option_sets(row, paths)]
            if found and all(len(options.places) > 1 for options in found):
                return paths
    return ()


def _values(
    rows: Sequence[Row], paths: Sequence[str], locate: Callable[..., Any] = json_path.locate
) -> list[Any]:
    """Return the values at paths, of the rows that have them; perturbing refuses the others."""
    firsts = {path: json_path.parse(path)[0] for path in paths}
    having = {path: [row for row in rows if key in row] for path, key in firsts.items()}
    return [
        value
        for path, some in having.items()
        for row in some or rows  # which says that there is no such field
        for _, value in locate(row, path)
    ]


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _match(kind: str, rights: Sequence[Any]) -> str:
    """Return how replies are compared with such right answers."""
    from perturb.robustness.grading.said_truth import truth_of  # which loads what reads replies

    if kind in ("options", "choices") or (rights and None not in map(truth_of, rights)):
        return "choice"
    numbers = bool(rights) and all(_NUMBER.search(str(right)) for right in rights)
    return "number" if numbers else "exact"


def _have_options(texts: Sequence[str], _: bool) -> bool:
    from perturb.robustness.grading.option_labels import options_of

    return all(options_of(text) is not None for text in texts)


def _name_people(texts: Sequence[str], _: bool) -> bool:
    from perturb.api import apply

    changed = sum(record.edits != () for record in apply(list(texts), "name_swap", p=1.0))
    return 2 * changed > len(texts)


# Whether texts, and whether they are of a chat, are of a kind; the first that they are of counts.
KINDS: Mapping[str, Callable[[Sequence[str], bool], bool]] = {
    "chats": lambda _, is_chat: is_chat,
    "options": _have_options,
    "choices": lambda *_: False,  # options in fields of their own, which no text shows
    "passages": lambda texts, _: sorted(map(len, texts))[len(texts) // 2] >= _PASSAGE,
    "entities": _name_people,
    "questions": lambda *_: True,
}


def job_file(suite: str, kind: str) -> Path:
    """Return the path of the job for rows of a kind.

    Args:
        suite: the name of a suite, or the path of a job of the caller's.
        kind: a key of `KINDS`.

    Raises:
        UsageError: there is no such suite.
    """
    if suite.endswith((".yaml", ".yml", ".json")):
        return Path(suite)
    here = Path(__file__).parent
    known = sorted(path.name for path in here.iterdir() if "@" in path.name)
    if suite not in known:
        raise unknown("suite", suite, [*known, "FILE.yaml"])
    return here / suite / f"{kind}.yaml"
