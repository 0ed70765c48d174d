"""Check that records reproduce their own texts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import orjson

from perturb._version import CONTRACT
from perturb.errors import PerturbError, UsageError, VerificationError, shown
from perturb.io.jsonl import dumps
from perturb.pipeline.pipeline import Pipeline
from perturb.records.edit import edits_and_original, rebuild
from perturb.records.ids import id_of_text, is_name_of_text
from perturb.records.json_columns import joined, to_bytes
from perturb.records.perturb_texts import perturb_batches, perturb_texts
from perturb.records.record import Record, TextRecord, records_in
from perturb.records.run_config import RunConfig
from perturb.records.schema import LINKAGE
from perturb.records.texts import Texts
from perturb.registry.definition import Perturbator
from perturb.registry.parameters import trusting
from perturb.registry.registry import lookup

# What a step found and did, and not what it was told; of contract 1 it is known in part.
_FOUND = ("units", "closed", "sites", "edits", "saturated", "note")
_NOT_IN_1 = ("units", "closed", "saturated", "intensity")
_COMPARED = ("pipeline", "edits", "steps", "status", "reason", "rate", "categories")
_COMPARED_OF_1 = ("pipeline", "edits", "steps", "status", "reason")


def verify(record: Record | Mapping[str, Any], *, trust: Collection[str] = ()) -> bool:
    """Check that a record's edits give its text, and that its steps give the same again.

    Args:
        record: the record; or a row that holds one, or several, in any of its fields.
        trust: files (by their paths) and functions (as "module:function") that the steps of the
            record may use. A record is data: what it names is neither opened nor run otherwise.

    A record of a function that is not reproducible is checked for consistency only.

    Returns:
        True.

    Raises:
        VerificationError: they do not; the message says what differs.
        UsageError: a perturbator, or a version of it, is not installed; or the record names a file
            or a function that is not trusted.
        DataError: the row holds no record, or a damaged one.
        TypeError: it is neither a record nor a row.

    Examples:
        >>> import perturb
        >>> perturb.verify(perturb.apply("The quick brown fox", "keyboard_typos", p=0.2))
        True
        >>> rows = [{"question": "How many eggs?"}]
        >>> (row,) = perturb.augment(rows, "keyboard_typos", p=0.2, field="question")
        >>> perturb.verify(row)
        True
    """
    verify_all(list(records_in(record)) if isinstance(record, Mapping) else [record], trust)
    return True


def verify_all(records: Sequence[Record], trust: Collection[str] = ()) -> int:
    """Check many records, those of one pipeline together; see `verify`.

    Returns:
        The number of records that were checked for consistency only, since a step of theirs is not
        reproducible.

    Raises:
        VerificationError: a record does not agree with itself; the first of the list that does not.
        UsageError: a perturbator, or a version of it, is not installed.
    """
    alike: dict[bytes, list[Record]] = {}
    for record in records:
        if not isinstance(record, Record):
            raise TypeError(f"expected a record, as perturb.apply returns it; got {shown(record)}")
        _check_edits(record)
        if record.status != "original":
            alike.setdefault(_settings_of(record), []).append(record)
    made_again, consistent = {}, 0
    with trusting(trust):
        for group in alike.values():
            if not all(_perturbator(group[0], step.name).reproducible for step in group[0].steps):
                consistent += len(group)
                continue
            for record, now in zip(group, _again(group), strict=True):
                made_again[id(record)] = now.to_dict()[LINKAGE]
    for record in records:
        if record.status != "original" and id(record) in made_again:
            _compare(record, made_again[id(record)])
    return consistent


def are_same_again(found: Sequence[TextRecord], trust: Collection[str] = ()) -> bool:
    """Make the texts and records of rows again, and compare their bytes.

    Records that come out the same need no other check, since what makes them makes no others.

    Returns:
        Whether all are the same; `verify_all` says what is wrong with one, if anything is.
    """
    alike: dict[bytes, list[TextRecord]] = {}
    try:
        for one in found:
            alike.setdefault(_told_settings(one.linkage), []).append(one)
        with trusting(trust):
            return all(map(_same_again, alike.values()))
    except (PerturbError, LookupError, TypeError, ValueError, AttributeError):
        return False  # something is damaged, or was not written by perturb


def _told_settings(linkage: Mapping[str, Any]) -> bytes:
    """Return what records must share to be made again together, before they are checked."""
    drawn = linkage["pipeline"] or list(map(_spec, linkage["steps"]))
    shared = (linkage["seed"], linkage["replicate"], linkage["scope"], "[" in linkage["field"])
    return dumps((drawn, *shared, linkage["status"] == "original", "original" in linkage))


def _same_again(found: Sequence[TextRecord]) -> bool:
    """Return true if records that share their settings come out the same when made again."""
    first = found[0].checked()
    if first.status == "original":
        for one in found:
            _check_edits(one.checked())
        return True
    if not all(_perturbator(first, step.name).reproducible for step in first.steps):
        return False
    compact = "original" not in found[0].linkage
    originals = [_told_original(one, compact) for one in found]
    texts = Texts(
        originals,
        [one.linkage["original_id"] for one in found],
        [one.linkage["field"] for one in found],
    )
    return all(
        batch.texts == [found[row].text for row in rows]
        and list(to_bytes(joined(batch.json_pieces(compact), len(rows))))
        == [orjson.dumps(found[row].linkage) for row in rows]
        for rows, batch in perturb_batches(texts, _config_of(first))
    )


def _told_original(one: TextRecord, compact: bool) -> str:
    """Return the original of a text, as its record tells it or what its edits removed.

    Raises:
        ValueError: its id is that of another text, or there is none.
    """
    original = edits_and_original(one.linkage, one.text)[1] if compact else one.linkage["original"]
    name, field = one.linkage["original_id"], one.linkage["field"]
    if not isinstance(original, str):
        raise ValueError("no original")
    if compact and is_name_of_text(name, field) and id_of_text(original) != name:
        raise ValueError("another original")
    return original


def _settings_of(record: Record) -> bytes:
    """Return what records must share to be made again together."""
    try:
        shared = (
            _steps(record),
            record.seed,
            record.replicate,
            record.protect,
            record.only,
            "[" in record.field,
        )
    except (TypeError, ValueError, AttributeError) as error:
        raise _damaged(record, error) from error
    return dumps(shared)


def _perturbator(record: Record, name: str) -> Perturbator:
    """Return the perturbator of a step, or say what its record lacks."""
    try:
        return lookup(name)
    except UsageError as error:
        raise UsageError(
            f"{record.id}: its edits give its text, but it names the perturbator {name!r}, which "
            "is not known here, so the edits can't be made again; --plugin FILE makes those of a "
            "file known, and in Python perturb.register(...) or an import of the module that "
            f"defines it ({error})"
        ) from None


def _steps(record: Record) -> str | list[dict[str, Any]]:
    """Return what the steps of a record were drawn from, or the steps themselves."""
    return record.pipeline or [_spec(step) for step in record.to_dict()[LINKAGE]["steps"]]


def _spec(step: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in step.items() if key not in _FOUND}


def _damaged(record: Record, error: Exception) -> VerificationError:
    return VerificationError(f"{record.id}: its record is damaged: {error}")


def _again(records: Sequence[Record]) -> list[Record]:
    """Make records again from their originals; all have the settings of the first."""
    texts = Texts(
        [record.original for record in records],
        [record.original_id for record in records],
        [record.field for record in records],
    )
    return perturb_texts(texts, _config_of(records[0]))


def _config_of(record: Record) -> RunConfig:
    """Return the settings under which a record was made."""
    try:
        return RunConfig.of(
            Pipeline.of(_steps(record)),
            seed=record.seed,
            replicate=record.replicate,
            protect=record.protect or None,
            only=record.only,
        )
    except TypeError as error:
        raise _damaged(record, error) from error


def _check_edits(record: Record) -> None:
    if record.contract not in (1, CONTRACT):
        raise VerificationError(
            f"{record.id}: written under contract {record.contract}, but this release reads "
            f"contract {CONTRACT} and 1"
        )
    built = rebuild(record.original, record.edits)
    if built != record.text:
        raise VerificationError(
            f"{record.id}: its edits do not give its text: {_difference(built, record.text)}"
        )
    said = record.to_dict()[LINKAGE]
    if (
        said.get("original") is None
        and is_name_of_text(record.original_id, record.field)
        and id_of_text(record.original) != record.original_id
    ):
        raise VerificationError(f"{record.id}: its original is not the text that its id is made of")
    if record.status == "original" and (record.edits or said["steps"]):
        raise VerificationError(f"{record.id}: it is an original, but has steps or edits")


def _compare(record: Record, now: Mapping[str, Any]) -> None:
    said = record.to_dict()[LINKAGE]
    for key in _COMPARED if record.contract == CONTRACT else _COMPARED_OF_1:
        got, wanted = _comparable(record, key, said), _comparable(record, key, now)
        if got != wanted:
            where, was, again = _first(key, got, wanted)
            raise VerificationError(
                f"{record.id}: {where} is {shown(was)}; made again it is {shown(again)}"
            )


def _comparable(record: Record, key: str, linkage: Mapping[str, Any]) -> Any:
    """Return a value of a record without what depends on the contract or on compactness."""
    value = linkage[key]
    if key == "edits":
        return [{part: edit[part] for part in ("start", "end", "text")} for edit in value]
    if key == "steps" and record.contract == 1:
        return [{k: v for k, v in step.items() if k not in _NOT_IN_1} for step in value]
    return value


def _first(key: str, got: Any, now: Any) -> tuple[str, Any, Any]:
    """Return where two values first differ, and what stands there."""
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
