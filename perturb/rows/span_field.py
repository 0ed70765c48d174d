"""Labels: spans of a text in a field of its row, read and written back in the form they have there.

The forms are lists of `[start, end]`, `[start, end, label]` or objects such as entities of Hugging
Face, the answers of SQuAD, and, where the text is a list of tokens, a list with a tag for each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any, NamedTuple

from perturb.engine.scope import Span
from perturb.errors import DataError, shown
from perturb.io import json_path
from perturb.plan.job import Version
from perturb.plan.parts import SpanSource
from perturb.records.batch import StaysError, is_dropped
from perturb.records.edit import Edit
from perturb.records.text_field import kind_of
from perturb.values.spans import ends_of, in_characters, in_units, with_ends

# The names of what repeats the text of a span, in an object.
_COPIES = ("word", "text", "surface", "mention", "quote", "cited_text")
# Those of them that are the text itself.
EXACT = ("text", "quote", "cited_text")
_SQUAD = "answer_start"
# The name of a token that a span is; its annotation holds for one word.
_TOKEN = "token"
_GAPS = re.compile(r"\s+")


class Labels(NamedTuple):
    """The spans of a text in a field of its row.

    Attributes:
        location: the location of the field.
        value: the value of the field.
        spans: each in the form that it has there; none for tags of tokens.
    """

    location: json_path.Location
    value: Any
    spans: Sequence[Any]


def labels_of(location: json_path.Location, value: Any, items: int | None) -> Labels:
    """Return the spans in the value of a field: pairs, pairs with a label, or mappings.

    Args:
        location: the location of the field.
        value: the value of the field.
        items: how many tokens their text is a list of, which may have a tag each; such tags are no
            spans, and `check_tags` says whether they still hold.

    Raises:
        DataError: it holds none.
    """
    path = json_path.written(location)
    spans = value
    if isinstance(value, Mapping):
        squad = isinstance(value.get(_SQUAD), (list, tuple))
        spans = _by_answer(value, path) if squad else [value]
    elif items is None and isinstance(value, list) and _is_span(value, location):
        spans = [value]
    if not isinstance(spans, (list, tuple)):
        raise DataError(f"the field {path!r} must be a list of spans; got {kind_of(spans)}")
    if items is not None and spans and all(isinstance(label, (str, int)) for label in spans):
        if len(spans) != items:
            raise DataError(f"{path!r} has {len(spans)} tags for {items} tokens")
        return Labels(location, value, ())
    return Labels(location, value, spans)


def _is_span(value: Sequence[Any], location: json_path.Location) -> bool:
    """Return whether a list is itself a span: with a label, or one of several in a list.

    A field with two numbers alone may have the tags of two tokens.
    """
    ends, label = value[:2], value[2:]
    if len(ends) < 2 or not all(type(end) is int for end in ends):
        return False
    return (len(label) == 1 and isinstance(label[0], str)) or (
        not label and any(isinstance(part, int) for part in location)
    )


def labels_in_characters(labels: Labels, text: str, unit: str) -> Labels:
    """Return spans whose offsets count units of their text as those that count characters."""
    return labels._replace(spans=[in_characters(label, text, unit) for label in labels.spans])


def _by_answer(columns: Mapping[str, Any], path: str) -> list[dict[str, Any]]:
    """Return the answers of SQuAD, which are lists side by side, as a list of objects."""
    if not all(isinstance(values, (list, tuple)) for values in columns.values()):
        raise DataError(f"the field {path!r} must be an object of lists; got {shown(columns)}")
    if len(set(map(len, columns.values()))) != 1:
        raise DataError(f"the lists in the field {path!r} differ in length")
    return [
        dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)
    ]


def has_text(label: Mapping[str, Any]) -> bool:
    """Return whether a span has something that depends on its text as well as on its place."""
    return not label.keys().isdisjoint((*_COPIES, _TOKEN))


def check_span(label: Any, path: str, text: str) -> None:
    """Refuse a span that does not lie in its text, or whose own text does not stand there."""
    start, end = ends_of(label)
    if not 0 <= start <= end <= len(text):
        raise DataError(
            f"the span {shown(label)} in {path!r} does not lie in its text, "
            f"of {len(text)} code points"
        )
    copies = [label[key] for key in EXACT if key in label] if isinstance(label, Mapping) else ()
    for copy in (each for each in copies if isinstance(each, str) and each != text[start:end]):
        raise DataError(
            f"the span {shown(label)} in {path!r} says that its text is {shown(copy)}, but at "
            f"{start} to {end} stands {shown(text[start:end])}; offsets count code points of the "
            "perturbed field, if --offsets doesn't say utf16 or bytes"
        )


def moved_labels(labels: Labels, spans: Sequence[Span | None], text: str, version: Version) -> Any:
    """Return the value of a field of spans after the edits; spans that were dropped are left out.

    Args:
        labels: the spans before.
        spans: where they are now, in characters; None for one that was dropped.
        text: the text now.
        version: the job, with the unit of the offsets, and its steps.

    Raises:
        DataError: the spans are the tokens of a treebank, and edits don't keep them.
    """
    if labels.spans and _is_object(labels.spans[0]) and _TOKEN in labels.spans[0]:
        spans = _kept_tokens(labels, spans, text, version)
    return with_spans(labels, spans, repeat(text), version.job.offsets)


def with_spans(
    labels: Labels, spans: Sequence[Span | None], texts: Iterable[str | None], unit: str
) -> Any:
    """Return the value of a field with its spans at other places.

    Args:
        labels: the spans before.
        spans: where they are now, in characters; None for one that is left out.
        texts: the text of each; None for a span that stays as it is.
        unit: what offsets count.
    """
    moved = [
        label if text is None else _moved(label, span, text, unit)
        for label, span, text in zip(labels.spans, spans, texts, strict=False)  # one text for all
        if span is not None
    ]
    value, is_object = labels.value, _is_object(labels.value)
    if is_object and isinstance(value.get(_SQUAD), (list, tuple)):
        return {key: [label[key] for label in moved] for key in value}
    if is_object or (labels.spans and isinstance(value[0], int)):
        return moved[0] if moved else None
    return moved


def _is_object(value: Any) -> bool:
    return type(value) is not list and isinstance(value, (dict, Mapping))  # from quick to slow


def _moved(label: Any, span: Span, text: str, unit: str) -> Any:
    start, end = span
    ends = span if unit == "characters" else in_units(span, text, unit)
    if not _is_object(label):
        return [*ends, *label[2:]]
    moved = with_ends(label, *ends)
    copies = {key: text[start:end] for key in _COPIES if isinstance(label.get(key), str)}
    return {**moved, **copies}


def check_tags(labels: Labels, before: str, after: str, across: bool, version: Version) -> None:
    """Refuse edits that may give the tag of a token to another token, or to none.

    Args:
        labels: the tags.
        before: the tokens, a line each.
        after: the tokens after the edits.
        across: whether an edit takes or writes the end of a line.
        version: the steps; some may move words.

    Raises:
        DataError: there are such edits.
    """
    if before == after:
        return
    if moving := _moving(version):
        why = moving
    elif across:
        why = "an edit reaches over two tokens"
    elif "" in after.split("\n"):
        why = "a token is left empty"
    else:
        return
    raise DataError(
        f"the tags in {json_path.written(labels.location)!r} can't be kept with their tokens: "
        f"{why}; leave the tags out, or choose steps that write within words"
    )


def check_place(
    span: Span, now: Span | None, before: str, edits: Sequence[Edit], version: Version
) -> None:
    """Refuse the edits that a span refuses, or that write its text again as a whole.

    Args:
        span: the span in the text.
        now: where it is after the edits; None if they touched it and it doesn't grow.
        before: the text.
        edits: the edits.
        version: the steps, with the policy for spans.

    Raises:
        StaysError: there are such edits.
    """
    if now is None:
        is_dropped(version.job.span_policy)
    is_whole = len(edits) == 1 and edits[0].removed == before != before[slice(*span)]
    if is_whole and now == (0, len(edits[0].text)):
        raise StaysError(
            "a text is written again as a whole, so nothing says where its spans are; leave them "
            "out, or drop them with --span-policy drop"
        )


def _moving(version: Version) -> str:
    """Return why words may have moved; "" if they can't have."""
    steps = (step.perturbator for step in version.condition.pipeline.steps)
    moving = next((step.name for step in steps if "order" in step.touches), None)
    return f"{moving} may move words, as its `touches` says" if moving else ""


def _kept_tokens(
    labels: Labels, spans: Sequence[Span | None], text: str, version: Version
) -> list[Span]:
    """Return the places of tokens, each with all text that touches it.

    Raises:
        DataError: a token is no single word any more, or a word belongs to no token.
    """
    pairs = list(zip(labels.spans, spans, strict=True))
    changed = any(span is None or text[slice(*span)] != each["text"] for each, span in pairs)
    kept, why = list[Span](), _moving(version) if changed else ""
    for label, span in zip([*labels.spans, None], [*spans, (len(text), len(text))], strict=True):
        if why:
            break
        at = kept[-1][1] if kept else 0
        if span is None or (label and label["text"].strip() and not text[slice(*span)].strip()):
            why = f"{_named(label)} is left empty"
        elif span[0] < at:
            why = f"an edit reaches over {_named(label)} and the one before it"
        else:
            *apart, own = _GAPS.split(text[at : span[0]])
            if label is None:
                apart, own = [*apart, own], ""
            if apart and kept:
                kept[-1] = kept[-1][0], at + len(apart.pop(0))
            if any(apart):
                why = f"{shown(' '.join(apart))} before {_named(label)} belongs to no token"
            kept.append((span[0] - len(own), span[1]))
    written = [text[slice(*span)] for span in kept]
    for label, word in zip(labels.spans, written, strict=False):
        if len(word.split()) != len(label["text"].split()) and not why:
            why = f"{_named(label)} is split into {shown(word)}"
    if why:
        raise DataError(
            f"the tokens in {json_path.written(labels.location)!r} can't be kept: {why}; choose "
            "steps that write within words"
        )
    return kept[:-1]


def _named(token: Any) -> str:
    """Return a token as messages name it; None is the end of the text."""
    return "the end" if token is None else f"token {token[_TOKEN]}, {shown(token['text'])},"


def owners_of(
    source: SpanSource, texts: Sequence[json_path.Location]
) -> Callable[[json_path.Location], int]:
    """Return what gives the number of the text that spans at a location are of.

    It is the text with the same numbers in its lists. Texts are kept by each start of their
    locations and what follows there, so that a row with many takes linear time.
    """
    behind: dict[json_path.Location, dict[Any, list[int]]] = {}
    for number, text in enumerate(texts):
        if not source.text or _leads_to(source.text, text):
            for size, kind in enumerate((*map(_kind_of_key, text), None)):
                behind.setdefault(text[:size], {}).setdefault(kind, []).append(number)

    def owner(location: json_path.Location) -> int:
        owners: list[int] = []
        for size, own in enumerate((*map(_kind_of_key, location), ...)):
            kinds = behind.get(location[:size], {})
            owners += [each for kind in kinds if kind != own for each in kinds[kind]]
        if len(owners) == 1:
            return owners[0]
        path = json_path.written(location)
        if not owners:
            raise DataError(f"the spans in {path!r} have no text of this row")
        names = " or ".join(json_path.written(texts[number]) for number in sorted(owners)[:3])
        hint = f"name it, as in TEXT={source.path}"
        raise DataError(f"the spans in {path!r} may be of {names}: {hint}")

    return owner


def _kind_of_key(key: json_path.Key) -> Any:
    """Return what two locations may differ in and yet share their lists: all but the numbers."""
    return int if isinstance(key, int) else key


def _leads_to(path: str, location: json_path.Location) -> bool:
    """Return true if a path, whatever it selects from lists, has the keys of a location."""
    keys = [part for part in json_path.parse(path) if not part.startswith("[")]
    return keys == [key for key in location if isinstance(key, str)] or location == (path,)
