"""Answers that follow their row: names that were swapped, labels of options that moved."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import regex

from perturb.errors import DataError, shown
from perturb.plan.options import LINKAGE
from perturb.records.notation import read
from perturb.robustness.grading.option_labels import option_of_label, options_of
from perturb.robustness.scoring.record_text import (
    has_items,
    has_target,
    original_and_edits,
    record_of,
    written_text,
)
from perturb.robustness.scoring.sources import Row


def check_followed(row: Row, target: str) -> None:
    """Refuse a right answer that the edits of its row left behind.

    Raises:
        DataError: its option or its name is another one now, and perturb apply was told of none.
    """
    linkage = row.get(LINKAGE)
    nested = linkage if isinstance(linkage, dict) else {}
    expect = nested.get("expect") or row.get(f"{LINKAGE}.expect")
    if expect != "mapped" or has_target(record_of(row)):
        return
    answer = row[target]
    if mapping(row)(answer) != answer:
        raise DataError(
            f"the right answer {shown(answer)} in {target!r} is that of the original, and what it "
            f"names was moved or renamed: perturb apply with --target {target}, or judge options "
            "with --match choice, or agreement with --against original"
        )


def mapping(row: Row) -> Callable[[Any], Any]:
    """Return what says of an output for the original what it is for this row."""
    record = record_of(row)
    if record is None or record["expect"] != "mapped":
        return lambda output: output
    items = has_items(row)
    before = options_of(original_and_edits(row)[0] or "", items=items)
    after = options_of(written_text(row) or "", items=items)
    names: dict[str, str | None] = {}
    for edits in read(record["edits"]).texts.values():
        for edit in edits:
            same = names.setdefault(edit.removed, edit.text) == edit.text
            names[edit.removed] = edit.text if same else None
    places: dict[int, int] = {}
    if before is not None and after is not None:
        for place, text in enumerate(before.texts):
            once = after.texts.count(text) == 1
            places[place] = after.texts.index(text) if once else min(place, len(after.labels) - 1)
        names = {old: new for old, new in names.items() if old not in after.texts}
    words = [old for old, new in names.items() if new is not None and regex.search(r"\w", old)]
    longest = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    pattern = re.compile(rf"(?<!\w)(?:{longest})(?!\w)") if words else None

    def mapped(output: Any) -> Any:
        if not isinstance(output, str):
            return places.get(output, output) if isinstance(output, int) else output
        label = output.strip("()[]{}.: \t\n")
        place = None if before is None else option_of_label(label, before, strict=True)
        if place in places and after is not None:
            return output.replace(label, after.labels[places[place]])
        return output if pattern is None else pattern.sub(lambda old: str(names[old[0]]), output)

    return mapped
