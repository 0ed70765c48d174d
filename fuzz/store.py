"""Add the counts of a run to those that are stored; nothing is counted twice."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def parser(doc: str, cases: int) -> argparse.ArgumentParser:
    """Return the parser of the options that all checkers take.

    Args:
        doc: the docstring of the checker.
        cases: how many it runs by default.
    """
    made = argparse.ArgumentParser(description=doc.partition("\n")[0])
    made.add_argument("--cases", type=int, default=cases)
    made.add_argument("--seconds", type=float, default=math.inf, help="begin no case after")
    made.add_argument("--seed", type=int, default=0)
    made.add_argument("--store", type=Path, metavar="FILE", help="add the counts to this file")
    return made


def ended(
    args: argparse.Namespace, checker: str, cases: int, counts: Mapping[str, int], wrong: list[str]
) -> int:
    """Print what was wrong, or else store the counts if that is asked; return the status."""
    for one in wrong:
        print(one, file=sys.stderr)
    if args.store and not wrong:
        add(args.store, checker, args.seed, cases, counts)
    return bool(wrong)


def add(path: Path, checker: str, seed: int, cases: int, counts: Mapping[str, int]) -> None:
    """Add the counts of a run that found nothing wrong.

    Args:
        path: of the file of counts.
        checker: the name of the checker.
        seed: of the run; a seed is stored once.
        cases: how many were run.
        counts: what was checked, by claim.

    Raises:
        SystemExit: the seed is there already.
    """
    said: dict[str, Any] = json.loads(path.read_bytes()) if path.exists() else {}
    before = said.setdefault(checker, {"cases": 0, "counts": {}, "seeds": []})
    if seed in before["seeds"]:
        raise SystemExit(f"{path} has the seed {seed} of {checker} already")
    summed = Counter(before["counts"]) + Counter(counts)
    said[checker] = {
        "cases": before["cases"] + cases,
        "counts": dict(sorted(summed.items())),
        "seeds": sorted([*before["seeds"], seed]),
    }
    path.write_text(json.dumps(dict(sorted(said.items())), indent=2) + "\n")
