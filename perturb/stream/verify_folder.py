"""Check a folder of perturbed rows: each shard as the file that it is, and all of them together."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from perturb.errors import DataError, VerificationError
from perturb.io.addresses import plain_path, public
from perturb.io.inputs import FOLDER_MANIFEST, STRIDE, expanded, place_of
from perturb.rows.counts import RowCounts
from perturb.rows.seen_ids import SeenIds
from perturb.stream import manifest
from perturb.stream.verify_file import WITHOUT_INPUT, Checked, verify_file


class CheckedFolder(NamedTuple):
    """The checks that a folder passed.

    Attributes:
        shards: how many were checked.
        all: what was checked of their rows together.
        shared_ids: rows of one id in two shards, by their places; one pair a shard at most.
    """

    shards: int
    all: Checked
    shared_ids: list[tuple[str, str]]


def verify_folder(
    path: str, *, source: str | Sequence[str] | None = None, trust: Collection[str] = ()
) -> CheckedFolder:
    """Check every shard of a folder, and that it holds no other and all that its manifest says.

    Args:
        path: the path of a folder that `perturb apply` wrote, or its address.
        source: the input, to make all shards again.
        trust: see `verify_file`.

    Raises:
        VerificationError: a row, a shard or the manifest is not as it was written.
        DataError: a file can't be read, or the folder has no manifest.
    """
    root = plain_path(path).rstrip("/")
    described = manifest.load(f"{root}/", trust)
    if described is None:
        raise DataError(f"{public(path)} has no {FOLDER_MANIFEST}: apply it to the end")
    content, rows, consistent = described.content, 0, 0
    shards = content["shards"]
    places = [member.place for member in expanded([f"{root}/"])] if shards else []
    for name in sorted({*places} ^ {*shards}):
        what = "is not there" if name in shards else "is in no manifest"
        raise VerificationError(f"{public(root)}/{name}: the shard {what}")
    inputs = None
    if source is not None:
        inputs = {
            member.place: str(member)
            for member in expanded([source] if isinstance(source, str) else source)
        }
        for name in sorted(inputs.keys() ^ {*shards}):
            what = "is of a file that is not among the inputs" if name in shards else "is missing"
            raise VerificationError(f"{public(root)}/{name}: the shard {what}")
    seen, counts, shared = SeenIds(), RowCounts(), []
    names = list(shards)
    for index, (name, about) in enumerate(shards.items()):
        done = verify_file(
            f"{root}/{name}",
            source=None if inputs is None else inputs[name],
            trust=trust,
            described=described.of_shard(name),
        )
        rows, consistent = rows + done.rows, consistent + done.consistent
        counts.add(RowCounts.of(about["counts"]))
        assert done.ids is not None  # `verify_file` has read them
        seen.not_kept += done.ids.not_kept
        if (pair := seen.add_at(done.ids.all, index * STRIDE)) is not None:
            shared.append((place_of(names, pair[0]), place_of(names, pair[1])))
    if content["counts"] != counts.to_dict():
        raise VerificationError(f"{described.path}: its counts are not the sums of those of shards")
    all_rows = Checked(rows, True, consistent, "" if inputs else WITHOUT_INPUT)
    return CheckedFolder(len(shards), all_rows, shared)
