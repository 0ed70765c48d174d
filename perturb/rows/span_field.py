"""Labels: spans of a text in a field of its row, read and written back in the form they have there.

The forms are lists of `[start, end]`, `[start, end, label]` or objects such as entities of Hugging
Face, the answers of SQuAD, and, where the text is a list of tokens, a list with a tag for each.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from perturb.engine.protection import Span
from perturb.errors import DataError, shown
from perturb.io import json_path
from perturb.rows.text_field import kind_of

# The names of the ends of a span in an object, in the order in which they are looked for.
_ENDS = (
    ("start", "end"),
    ("start_char", "end_char"),
    ("start_offset", "end_offset"),
    ("begin", "end"),
)
# The names of what repeats the text of a span, in an object.
_COPIES = ("word", "text", "surface", "mention")
_SQUAD = "answer_start"


def spans_in(row: Mapping[str, Any], path: str | None, texts: Sequence[str]) -> Sequence[Span]:
    """Return the spans in a field, as pairs; none where no field is named."""
    return () if path is None else [ends_of(label) for label in labels_in(row, path, texts)]


def labels_in(
    row: Mapping[str, Any], path: str | None, texts: Sequence[str], items: int | None = None
) -> Sequence[Any]:
    """Return the spans in a field: pairs, pairs with a label, or mappings.

    Args:
        row: the row.
        path: to the field; None for no spans.
        texts: the texts of the row.
        items: how many tokens the text is a list of, which may have a tag each; such tags are no
            spans, and `with_moved` checks that they still hold.
    """
    if path is None:
        return ()
    if len(texts) != 1:
        raise DataError(f"the spans in {path!r} are for one text, but the row has {len(texts)}")
    labels = _value(row, path)
    if isinstance(labels, Mapping) and _SQUAD in labels:
        labels = _by_answer(labels, path)
    if not isinstance(labels, (list, tuple)):
        raise DataError(f"the field {path!r} must be a list of spans; got {kind_of(labels)}")
    if items is not None and _are_tags(labels):
        if len(labels) != items:
            raise DataError(f"{path!r} has {len(labels)} tags for {items} tokens")
        return ()
    for label in labels:
        _check(label, path, texts[0])
    return labels


def _value(row: Mapping[str, Any], path: str) -> Any:
    found = json_path.locate(row, path)
    if len(found) != 1:
        raise DataError(f"the path {path!r} must lead to one list of spans; found {len(found)}")
    return found[0][1]


def _are_tags(labels: Sequence[Any]) -> bool:
    """Return whether labels are tags of tokens, as names or numbers."""
    return bool(labels) and all(isinstance(label, (str, int)) for label in labels)


def _by_answer(columns: Mapping[str, Any], path: str) -> list[dict[str, Any]]:
    """Return the answers of SQuAD, which are lists side by side, as a list of objects."""
    if not all(isinstance(values, (list, tuple)) for values in columns.values()):
        raise DataError(f"the field {path!r} must be an object of lists; got {shown(columns)}")
    if len(set(map(len, columns.values()))) != 1:
        raise DataError(f"the lists in the field {path!r} differ in length")
    return [
        dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)
    ]


def _check(label: Any, path: str, text: str) -> None:
    """Refuse a span that does not lie in its text, or whose own text does not stand there."""
    start, end = ends_of(label)
    if not 0 <= start <= end <= len(text):
        raise DataError(
            f"the span {shown(label)} in {path!r} does not lie in its text, "
            f"of {len(text)} code points"
        )
    said = label.get("text") if isinstance(label, Mapping) else None
    if isinstance(said, str) and said != text[start:end]:
        raise DataError(
            f"the span {shown(label)} in {path!r} says that its text is {shown(said)}, but at "
            f"{start} to {end} stands {shown(text[start:end])}; offsets count code points of the "
            "perturbed field"
        )


def ends_of(label: Any) -> Span:
    """Return the start and the end of a span in any of its forms.

    Raises:
        DataError: it is none.
    """
    match label:
        case {"answer_start": int(start), "text": str(text)}:
            return start, start + len(text)
        case Mapping():
            label = next(
                ([label[one], label[other]] for one, other in _ENDS if {one, other} <= {*label}),
                label,
            )
    match label:
        case [int(start), int(end), *_]:
            return start, end
    raise DataError(
        "a span is written [start, end], [start, end, label], "
        f'{{"start": ..., "end": ...}} or {{"answer_start": ..., "text": ...}}; got {shown(label)}'
        ". Tags of tokens need the list of tokens as the field of the text"
    )


def with_moved(
    row: dict[str, Any],
    path: str,
    labels: Sequence[Any],
    linkage: Mapping[str, Any],
    texts: tuple[str, str],
    reordering: Collection[str],
) -> dict[str, Any]:
    """Return the row with its spans moved; those that were dropped are left out.

    Args:
        row: the row.
        path: to its spans.
        labels: the spans, as `labels_in` returns them.
        linkage: the record of the text.
        texts: the text before and after.
        reordering: the names of the steps that may move words.

    Raises:
        DataError: tags of tokens can't be told to hold any more.
    """
    ((location, value),) = json_path.locate(row, path)
    if not labels:
        if isinstance(value, (list, tuple)) and value:
            _check_tags(path, linkage, texts, reordering)
        return row
    pairs = zip(labels, linkage["spans"], strict=True)
    kept = [_moved(label, span, texts[1]) for label, span in pairs if span["start"] >= 0]
    if isinstance(value, Mapping):
        kept = {key: [one[key] for one in kept] for key in value}  # type: ignore[assignment]
    changed: dict[str, Any] = json_path.put(row, location, kept)
    return changed


def _moved(label: Any, span: Mapping[str, int], text: str) -> Any:
    start, end = span["start"], span["end"]
    if not isinstance(label, Mapping):
        return [start, end, *label[2:]]
    copies = {key: text[start:end] for key in _COPIES if isinstance(label.get(key), str)}
    if _SQUAD in label:
        return {**label, **copies, _SQUAD: start}
    ends = next(names for names in _ENDS if {*names} <= {*label})
    return {**label, **dict(zip(ends, (start, end), strict=True)), **copies}


def _check_tags(
    path: str, linkage: Mapping[str, Any], texts: tuple[str, str], reordering: Collection[str]
) -> None:
    """Refuse edits after which the tag of a token may be that of another, or of none."""
    before, after = texts
    moving = [step["name"] for step in linkage["steps"] if step["name"] in reordering]
    if before == after:
        return
    if moving:
        why = f"{moving[0]} may move words, as its `touches` says"
    elif any("\n" in before[e["start"] : e["end"]] + e["text"] for e in linkage["edits"]):
        why = "an edit reaches over two tokens"
    elif "" in after.split("\n"):
        why = "a token is left empty"
    else:
        return
    raise DataError(
        f"the tags in {path!r} can't be kept with their tokens: {why}; leave the tags out, or "
        "choose steps that write within words"
    )
