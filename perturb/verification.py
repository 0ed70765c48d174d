"""Check that records give their own texts again."""

from __future__ import annotations

from perturb.errors import VerificationError
from perturb.linkage import Columns, Texts, checked_settings
from perturb.pipeline import Pipeline
from perturb.record import CONTRACT, Record, rebuild


def verify(record: Record) -> bool:
    """Check that a record's edits give its text, and that its steps give the same again.

    Returns:
        True.

    Raises:
        VerificationError: they do not; the message says what differs.
        UsageError: a perturbator, or a version of it, is not installed.

    Examples:
        >>> import perturb
        >>> perturb.verify(perturb.apply("The quick brown fox", "keyboard_typos", p=0.2))
        True
    """
    if record.contract != CONTRACT:
        raise VerificationError(
            f"{record.id}: written under contract {record.contract}, this is contract {CONTRACT}"
        )
    built = rebuild(record.original, record.edits)
    if built != record.text:
        raise VerificationError(
            f"{record.id}: its edits do not give its text: {_difference(built, record.text)}"
        )
    if record.status == "original":
        return True
    said, now = (one.to_dict()["perturbation"] for one in (record, again(record)))
    for key in ("edits", "steps", "status", "reason", "rate", "categories"):
        got = [edit[:3] for edit in said[key]] if key == "edits" else said[key]
        if got != now[key]:
            raise VerificationError(f"{record.id}: {key} is {got!r}; made again it is {now[key]!r}")
    return True


def again(record: Record) -> Record:
    """Make a record again from its original, its steps and its seed."""
    steps = [
        {"name": step.name, "version": step.version, "p": step.p, "params": step.params}
        | dict(step.settings)
        for step in record.steps
    ]
    settings = checked_settings(
        Pipeline.of(steps),
        seed=record.seed,
        replicate=record.replicate,
        protect=record.protect or None,
        only=record.only,
    )
    fields = None if record.field is None else [record.field]
    return Record(Columns(Texts([record.original], [record.original_id], fields), settings), 0)


def _difference(wanted: str, got: str) -> str:
    pairs = enumerate(zip(wanted, got, strict=False))
    at = next((i for i, (a, b) in pairs if a != b), min(len(wanted), len(got)))
    near = slice(max(at - 10, 0), at + 20)
    return f"from code point {at} it should be {wanted[near]!r}, but is {got[near]!r}"
