"""The page of benchmarks: what each script claims, its last run, and its figures as stored."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
# What is longer is in the file alone, from there on.
MOST = 30
WIDEST = 8  # columns
LONGEST = 240  # characters of a cell
HEAD = """\
# Benchmarks

This page is made of `benchmarks/README.md` and of the results that the scripts stored: nothing on
it was typed in. A figure holds for the machine, the versions and the texts that are named above it.
[Goals, and whether they are reached](#performance-goals); [memory](#memory);
[where the time goes](#where-the-time-goes).
"""
# What says how a run was, in place of what it found.
ABOUT = ("machine", "load", "versions", "corpus", "rounds", "source", "texts", "sets", "settings")


def pages() -> Iterator[tuple[str, str]]:
    """Yield the page."""
    start, scripts, *rest = re.split(
        r"^(?=## )", (BENCHMARKS / "README.md").read_text("utf-8"), flags=re.MULTILINE
    )
    parts = [HEAD, start.partition("\n")[2], "## The scripts\n", *sections(scripts), *rest]
    text = "\n".join(parts).replace("](../docs/", "](../../")
    yield "reference/tables/benchmarks.md", text


def sections(scripts: str) -> Iterator[str]:
    """Yield a section for each script: what it claims, the caveats, and what it found."""
    for item in re.split(r"^- (?=`)", scripts, flags=re.MULTILINE)[1:]:
        name = re.match(r"`(?:\.\./fuzz/)?(\w+)\.py", item)
        assert name, item
        yield f"### `{name[1]}.py`\n"
        yield re.sub(r"^  ", "", item, flags=re.MULTILINE)
        results = BENCHMARKS / "results" / f"{name[1]}.json"
        if results.exists():
            yield from result(json.loads(results.read_text("utf-8")))
            yield f"All of it: [{results.name}](../../../benchmarks/results/{results.name}).\n"


def result(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is said of a run, and its figures as tables."""
    about = [f"{key} {cell(found[key])}" for key in ABOUT if key in found]
    single = [f"{key} {value}" for key, value in found.items() if key not in ABOUT and plain(value)]
    if about or single:
        yield f"*{'; '.join([*about, *single])}*\n"
    whole = {key: value for key, value in found.items() if key not in ABOUT and not plain(value)}
    shapes = {tuple(each) if isinstance(each, dict) else () for each in whole.values()}
    if len(whole) > 1 and len(shapes) == 1 and () not in shapes:
        whole = {"": whole}
    for key, value in whole.items():
        rows = value
        if isinstance(value, dict):
            many = not (all(map(plain, value.values())) and len(value) <= WIDEST)
            rows = [named(*each) for each in value.items()] if many else [value]
        if rows and isinstance(rows[0], dict):
            yield from table(key, rows)


def named(name: str, value: Any) -> dict[str, Any]:
    """Return a row of a table: a name, and one figure or a column for each."""
    wide = not isinstance(value, dict) or len(value) > WIDEST
    return {"name": name, **({"figure": value} if wide else value)}


def table(name: str, rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield a table of rows, a column for each key."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    yield f"{name}:\n" if name not in ("", "rows") else ""
    yield "| " + " | ".join(columns) + " |"
    yield "|---" * len(columns) + "|"
    for row in rows[:MOST]:
        cells = (cell(row.get(column, "")) for column in columns)
        yield (
            "| "
            + " | ".join(f"{each[:LONGEST]} ..." if each[LONGEST:] else each for each in cells)
            + " |"
        )
    yield f"\n{len(rows) - MOST} more rows are in the file.\n" if len(rows) > MOST else ""


def plain(value: Any) -> bool:
    """Return true if a value is one figure or one word."""
    return not isinstance(value, dict | list)


def cell(value: Any) -> str:
    """Return a value as a cell of a table."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {cell(each)}" for key, each in value.items())
    if isinstance(value, list) and len(value) > 4 and all(isinstance(one, float) for one in value):
        return f"{min(value):.4g} to {max(value):.4g}"
    if isinstance(value, list):
        return ", ".join(map(cell, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return "" if value is None else str(value).replace("|", "\\|")
