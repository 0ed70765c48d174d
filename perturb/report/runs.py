"""Runs: the answers of one system to one job, in a file or in several."""

from __future__ import annotations

import json
import os.path
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from perturb.errors import UsageError
from perturb.io.addresses import plain_path
from perturb.io.inputs import Member, expanded
from perturb.records.ids import given_id
from perturb.report.follow_up import between, days, system_name
from perturb.robustness.linking.record_text import id_field_of
from perturb.robustness.linking.sources import FileRows
from perturb.stream.manifest import read
from perturb.stream.reproduce import rows_manifest, system_options

# The options of a system that change how fast it is asked, and nothing it says.
_PACE = {"concurrency", "rpm", "tpm", "key_env"}


class Run(NamedTuple):
    """The answers of one system to one job.

    Attributes:
        name: that of its file, or what its files have in common.
        files: at least one.
        system: the model or the command that was asked, as far as it is known; "" otherwise.
        asked: the day or days of the answers; "" where they are not known.
        manifest: that of the first file; None if it has none.
    """

    name: str
    files: list[Member]
    system: str
    asked: str
    manifest: dict[str, Any] | None


def runs_of(paths: Sequence[str], *, apart: bool | None) -> list[Run]:
    """Return the runs that paths name: each is one, but for those in the only folder or pattern.

    There the files of one job and one system are one run, as their manifests tell; where the same
    rows were asked twice, each time is a run.

    Args:
        paths: the paths of files, folders, patterns or addresses.
        apart: whether each file without a manifest is a run, or all of them are one; None to see by
            their first rows, which parts of one run don't share.

    Raises:
        UsageError: two of more than two runs have one name.
        DataError: a manifest can't be read, or no file matches.
    """
    if len(paths) > 1:
        groups = [expanded([path]) for path in paths]
        names = [_common([Path(plain_path(path)).name]) for path in paths]
    else:
        members = expanded(paths)
        groups = _grouped(members, _begin_alike(members) if apart is None else apart)
        names = [_common([member.place for member in files]) for files in groups]
    if len({*names}) < len(names):
        names = [str(files[0]) for files in groups]
    runs = [_run(name, files) for name, files in zip(names, groups, strict=True)]
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice and len(runs) > 2:
        raise UsageError(f"two of the systems are {twice[0]}: name each file once")
    return runs


def _begin_alike(members: Sequence[Member]) -> bool:
    """Return whether all files begin with the same row, as answers of several systems do."""
    first = [next(iter(FileRows([str(member)], None, ())), (0, {}))[1] for member in members]
    ids = {str(given_id(row, id_field_of(row))) for row in first}
    return len(members) > 1 and len(ids) == 1 and ids != {"None"}


def _grouped(members: Sequence[Member], apart: bool) -> list[list[Member]]:
    groups: dict[tuple[str, int], list[Member]] = {}
    times = Counter[tuple[str, str]]()
    for member in members:
        key, rows = _key(read(member), str(member) if apart else "")
        groups.setdefault((key, times[key, rows]), []).append(member)
        times[key, rows] += bool(rows)
    return list(groups.values())


def _key(manifest: Any, name: str) -> tuple[str, str]:
    """Return what the files of one run share, and the hash of the rows that a file answers."""
    match manifest:
        case {"asked": dict(asked), "input": {"sha256": rows}}:
            options = system_options(manifest).items()
            system = {name: value for name, value in options if name not in _PACE}
            recipe = (rows_manifest(manifest) or {}).get("recipe")
            return json.dumps([recipe, system, asked.get("program")], sort_keys=True), str(rows)
    return name, ""


def _common(places: Sequence[str]) -> str:
    """Return the name of a file without its suffixes, or the folder that several share.

    Examples:
        >>> _common(["small-1.5b.jsonl.gz"]), _common(["big/1.jsonl", "big/2.jsonl"])
        ('small-1.5b', 'big')
    """
    plain = (place.removesuffix(".gz").removesuffix(".zst") for place in places)
    return os.path.commonpath([os.path.splitext(place)[0] for place in plain])  # noqa: PTH122


def _run(name: str, files: list[Member]) -> Run:
    manifest = read(files[0])
    dates = sorted(filter(None, (_date(member) for member in files)))
    asked = between(dates[0][:10], dates[-1][-10:]) if dates else ""
    return Run(name or system_name(manifest), files, system_name(manifest), asked, manifest)


def _date(member: Member) -> str:
    """Return the days of a file's answers, from a folder such as date=2026-01-31 or its journal."""
    return str(member.columns.get("date") or "") or days(Path(member))


def successions(runs: Sequence[Run]) -> list[tuple[str, str]]:
    """Return the names of runs that follow each other in time, of one system each."""
    dated = sorted((run.system, run.asked, run.name) for run in runs if run.system and run.asked)
    return [
        (earlier, later)
        for (system, day, earlier), (same, other, later) in pairwise(dated)
        if system == same and day != other
    ]
