"""Split leaks: variants of one original on both sides of a split."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from perturb.errors import DataError
from perturb.plan.recipe_text import read_options
from perturb.rng import key64
from perturb.robustness.linking.conditions import link
from perturb.robustness.linking.record_text import original_text
from perturb.robustness.linking.sources import RowSource, file_source
from perturb.robustness.pairs.originals import parted
from perturb.robustness.pairs.proofs import a_record

_SHOWN = 5  # enough to look some up; the count of all stands beside them


def check_split(train: Path, test: Path) -> tuple[int, int, int]:
    """Return how many originals each file holds, if they share none, by its id or by its text.

    Returns:
        The two numbers, and that of the originals whose text is in no row, known by id alone.

    Raises:
        DataError: the files share an original (named), or a row cannot be read or linked.
    """
    sources = [file_source(train), file_source(test)]
    fields = read_options((a_record(sources) or {"recipe": ""})["recipe"])["field"]
    # Of each original its text, all of them as keys.
    in_train, in_test = (
        {key64(name): text and key64(text) for name, text in _originals(source, fields)}
        for source in sources
    )
    texts = {*filter(None, in_train.values())}
    shared = [name for name, text in in_test.items() if name in in_train or text in texts]
    if shared:
        some = shared[:_SHOWN]
        here = {name: text for name, text in _originals(sources[1], fields) if key64(name) in some}
        there = {
            name: text
            for name, text in _originals(sources[0], fields)
            if name in here or (text and text in here.values())
        }
        names = [_described(name, text, there, train) for name, text in here.items()]
        raise DataError(
            f"{train} and {test} share {len(shared):,} originals: {', '.join(names)}"
            f"{', ...' * (len(shared) > len(names))}; keep all variants of an original on one side"
        )
    bare = sum(not text for each in (in_train, in_test) for text in each.values())
    return len(in_train), len(in_test), bare


def _originals(source: RowSource, fields: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    for number, row in source.rows:
        with source.naming(number):
            yield link(row).original_id, original_text(row, fields)


def _described(name: str, text: str | None, there: Mapping[str, str | None], train: Path) -> str:
    """Name an original of the test file, and the row in the other file that it equals."""
    if name not in there:
        other = next(other for other, same in there.items() if same == text)
        return f"{name!r} (which is {other!r} in {train})"
    if text and there[name] and text != there[name]:
        return f"{name!r} (by its id; the texts differ: {parted(str(there[name]), text)})"
    return repr(name)
