"""Compare a manifest with the rows that it describes, and with itself."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from perturb.errors import VerificationError, shown
from perturb.rows.job import Job, RowCounts

CHECKSUM = "manifest_sha256"


def checksum(manifest: Mapping[str, Any]) -> str:
    """Return the SHA-256 of all that a manifest says beside its checksum."""
    said = {key: value for key, value in manifest.items() if key != CHECKSUM}
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


@dataclass
class SeenRecords:
    """The counts and settings that the records of a file tell.

    Attributes:
        counts: of the rows and of the texts in them.
        seeds: of all records.
        contracts: of all records.
    """

    counts: RowCounts = field(default_factory=RowCounts)
    seeds: set[int] = field(default_factory=set)
    contracts: set[int] = field(default_factory=set)

    def see(self, linkage: Mapping[str, Any]) -> None:
        """Add a record, the object of which was checked."""
        self.seeds.add(linkage["seed"])
        self.contracts.add(linkage["contract"])
        if linkage["status"] == "original" or linkage["contract"] == 1:
            return
        counts = self.counts
        counts.edits += sum(step["edits"] for step in linkage["steps"])
        counts.units += sum(step["units"] for step in linkage["steps"])
        if linkage["status"] == "changed":
            counts.changed += 1
        else:
            reason = linkage["reason"]
            counts.reasons[reason] = counts.reasons.get(reason, 0) + 1


def counted(counts: RowCounts) -> dict[str, Any]:
    """Return counts as a manifest holds them."""
    return {
        "rows_read": counts.rows,
        "rows_written": counts.written,
        "changed": counts.changed,
        "unchanged": dict(sorted(counts.reasons.items())),
        "units": counts.units,
        "edits": counts.edits,
        "rate": round(counts.edits / max(counts.units, 1), 6),
    }


def compare_with_records(
    name: str, manifest: Mapping[str, Any], job: Job, seen: SeenRecords, rows: int
) -> None:
    """Check that a manifest says what its file shows.

    Args:
        name: of the manifest, for messages.
        manifest: its content.
        job: the job that it describes.
        seen: the records of the file.
        rows: the number of its rows.

    Raises:
        VerificationError: they differ; the message says where.
    """
    said, counts = manifest.get("counts", {}), seen.counts
    if any(manifest.get("contract") != contract for contract in seen.contracts):
        raise _differs(name, "contract", manifest.get("contract"), sorted(seen.contracts))
    if seen.seeds - {job.seed}:
        raise _differs(name, "seed", job.seed, sorted(seen.seeds)[:3])
    counts.written = rows
    counts.rows = rows // job.versions
    if 1 not in seen.contracts:
        compare(name, "counts", said, counted(counts), "the rows of the file give")
    if CHECKSUM not in manifest or manifest[CHECKSUM] != checksum(manifest):
        raise VerificationError(
            f"{name}: it was changed since it was written: {CHECKSUM} is not that of its content"
        )


def compare(name: str, part: str, said: Any, wanted: Mapping[str, Any], origin: str) -> None:
    """Compare a part of a manifest with what it should be.

    Raises:
        VerificationError: a value differs; the message names it.
    """
    for key, value in wanted.items():
        got = said.get(key) if isinstance(said, Mapping) else None
        if type(got) is not type(value) or got != value:
            raise VerificationError(
                f"{name}: {part}.{key} is {shown(got)}, but {origin} {shown(value)}"
            )


def _differs(name: str, key: str, said: Any, found: Any) -> VerificationError:
    return VerificationError(f"{name}: {key} is {shown(said)}, but the records say {shown(found)}")
