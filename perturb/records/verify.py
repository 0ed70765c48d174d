"""Check that records give their own texts again."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from perturb._version import CONTRACT
from perturb.errors import VerificationError
from perturb.io.jsonl import dumps
from perturb.pipeline.pipeline import Pipeline
from perturb.records.batch import Texts, perturbed
from perturb.records.ids import id_of_text
from perturb.records.record import LINKAGE, Record, rebuild
from perturb.records.run_config import checked_settings
from perturb.registry.parameters import trusting

# What a step did, and not what it was told.
_FOUND = ("units", "sites", "edits", "note")
_COMPARED = ("pipeline", "edits", "steps", "status", "reason", "rate", "categories")


def verify(record: Record, *, trust: Collection[str] = ()) -> bool:
    """Check that a record's edits give its text, and that its steps give the same again.

    Args:
        record: the record.
        trust: files (by their paths) and functions (as "module:function") that the steps of the
            record may use. A record is data: what it names is neither opened nor run otherwise.

    Returns:
        True.

    Raises:
        VerificationError: they do not; the message says what differs.
        UsageError: a perturbator, or a version of it, is not installed; or the record names a file
            or a function that is not trusted.
        TypeError: it is no record.

    Examples:
        >>> import perturb
        >>> perturb.verify(perturb.apply("The quick brown fox", "keyboard_typos", p=0.2))
        True
    """
    verify_all([record], trust)
    return True


def verify_all(records: Sequence[Record], trust: Collection[str] = ()) -> None:
    """Check many records, those of one pipeline together; see `verify`.

    Raises:
        VerificationError: a record does not agree with itself; the first of the list that does not.
        UsageError: a perturbator, or a version of it, is not installed.
    """
    alike: dict[bytes, list[Record]] = {}
    for record in records:
        if not isinstance(record, Record):
            raise TypeError(f"a record is wanted, as perturb.apply gives it; got {record!r}")
        _check_edits(record)
        if record.status != "original":
            alike.setdefault(_settings_of(record), []).append(record)
    made_again = {}
    with trusting(trust):
        for group in alike.values():
            for record, now in zip(group, _again(group), strict=True):
                made_again[id(record)] = now.to_dict()[LINKAGE]
    for record in records:
        if record.status != "original":
            _compare(record, made_again[id(record)])


def _settings_of(record: Record) -> bytes:
    """What records must share to be made again together."""
    in_list = "[" in (record.field or "")
    try:
        shared = (
            _steps(record),
            record.seed,
            record.replicate,
            record.protect,
            record.only,
            in_list,
        )
    except TypeError as error:
        raise _damaged(record, error) from error
    return dumps(shared)


def _steps(record: Record) -> str | list[dict[str, Any]]:
    """What the steps of a record were chosen from, or the steps themselves."""
    if record.pipeline is None:
        return [_spec(step) for step in record.to_dict()[LINKAGE]["steps"]]
    if not isinstance(record.pipeline, str):
        raise TypeError(f"a pipeline is a string; got {record.pipeline!r}")
    return record.pipeline


def _spec(step: Any) -> dict[str, Any]:
    if not isinstance(step, Mapping):
        raise TypeError(f"a step is a mapping; got {step!r}")
    return {key: value for key, value in step.items() if key not in _FOUND}


def _damaged(record: Record, error: TypeError) -> VerificationError:
    return VerificationError(f"{record.id}: its record is damaged: {error}")


def _again(records: Sequence[Record]) -> list[Record]:
    """Make records again from their originals; all have the settings of the first."""
    first = records[0]
    try:
        settings = checked_settings(
            Pipeline.of(_steps(first)),
            seed=first.seed,
            replicate=first.replicate,
            protect=first.protect or None,
            only=first.only,
        )
    except TypeError as error:
        raise _damaged(first, error) from error
    texts = Texts(
        [record.original for record in records],
        [record.original_id for record in records],
        [record.field or "" for record in records],
    )
    return perturbed(texts, settings)


def _check_edits(record: Record) -> None:
    if record.contract != CONTRACT:
        raise VerificationError(
            f"{record.id}: written under contract {record.contract}, this is contract {CONTRACT}"
        )
    try:
        built = rebuild(record.original, record.edits)
    except TypeError as error:
        raise _damaged(record, error) from error
    if built != record.text:
        raise VerificationError(
            f"{record.id}: its edits do not give its text: {_difference(built, record.text)}"
        )
    said = record.to_dict()[LINKAGE]
    by_text = record.original_id.startswith("text:") and "[" not in (record.field or "")
    if "original" not in said and by_text and id_of_text(record.original) != record.original_id:
        raise VerificationError(f"{record.id}: its original is not the text that its id is made of")
    if record.status == "original" and (record.edits or said["steps"]):
        raise VerificationError(f"{record.id}: it is an original, but has steps or edits")


def _compare(record: Record, now: Mapping[str, Any]) -> None:
    said = record.to_dict()[LINKAGE]
    for key in _COMPARED:
        got = [edit[:3] for edit in said[key]] if key == "edits" else said.get(key)
        if got != now.get(key):
            where, was, wanted = _first(key, got, now.get(key))
            raise VerificationError(f"{record.id}: {where} is {was!r}; made again it is {wanted!r}")


def _first(key: str, got: Any, now: Any) -> tuple[str, Any, Any]:
    """The first difference between two values: where it is, and what stands there."""
    if isinstance(got, list) and isinstance(now, list):
        for index, (was, wanted) in enumerate(zip_longest(got, now)):
            if was != wanted:
                return f"{key}[{index}]", was, wanted
    return key, got, now


def _difference(wanted: str, got: str) -> str:
    pairs = enumerate(zip(wanted, got, strict=False))
    at = next((i for i, (a, b) in pairs if a != b), min(len(wanted), len(got)))
    near = slice(max(at - 10, 0), at + 20)
    return f"from code point {at} it should be {wanted[near]!r}, but is {got[near]!r}"
