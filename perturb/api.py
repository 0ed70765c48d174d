"""The front door: `apply` for texts, `augment` for rows, `verify` for records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from typing import Any, overload

from perturb.errors import UsageError, VerificationError
from perturb.linkage import Columns, Settings, Texts, checked_settings
from perturb.pipeline import Pipeline, Step, make_step
from perturb.record import Record, rebuild
from perturb.registry import Perturbator, aliases, lookup, names

Steps = str | Step | Pipeline | Perturbator | Mapping[str, Any] | Sequence[Any]

# So much text at a time stays in the processor's cache and still spreads the cost of a call.
_BATCH_TEXTS = 128
_BATCH_CHARACTERS = 1 << 15


@overload
def apply(text: str, steps: Steps, p: float | None = None, **settings: Any) -> Record: ...
@overload
def apply(text: Sequence[str], steps: Steps, p: float | None = None, **settings: Any) -> list[Record]: ...


def apply(
    text: str | Sequence[str],
    steps: Steps,
    p: float | None = None,
    *,
    intensity: str | None = None,
    seed: int = 0,
    id: str | int | Sequence[str | int] | None = None,
    replicate: int = 0,
    protect: Any = None,
    only: Any = None,
    spans: Sequence[Any] | None = None,
    span_policy: str = "grow",
    **params: Any,
) -> Record | list[Record]:
    """Perturb one text, or each of a list of texts.

    What comes out for a text depends on the seed, its id (or, without one, the text itself), the
    steps and the replicate; not on the other texts, their order, or the process.

    Args:
        text: one text, or a sequence of texts.
        steps: what to do: a name, a spec such as `"keyboard_typos:p=0.05,layout=de"`, a
            perturbator, a mapping, a pipeline, or a sequence of these, applied one after another.
        p: the share of the perturbator's units to edit, in [0, 1]. The number of edits is
            `p * units` on average, also in short texts. Without any strength: intensity "low".
        intensity: in place of `p`: very_low, low, medium, high, very_high or extreme.
        seed: any integer; 0 is a seed like any other.
        id: names the original; with a sequence of texts, one for each.
        replicate: which of several versions this is, from 0.
        protect: what no edit may touch: presets (url, email, number, placeholder, code, latex,
            html, mention, option_label, chat_token), "word:...", "regex:...", compiled patterns,
            or, for one text, spans (start, end). One or a list.
        only: the inverse: where alone edits may be. `p` is then a share of the units there.
        spans: spans (start, end) to carry along, in code points; with a sequence of texts, a list
            for each.
        span_policy: a span that an edit touches is to "grow", to "drop", or to "refuse" (raise).
        params: the perturbator's parameters; and `count`, `min_edits`, `max_edits` (edits a text).

    Returns:
        A record, or a list of records in the order of the texts.

    Raises:
        UsageError: an unknown name or parameter, or a value that can't be.
        DataError: a span was touched and the policy is to refuse.
        TypeError: a value of a wrong type; the message says which.

    Examples:
        >>> record = apply("The quick brown fox", "char_delete", p=0.1, seed=7)
        >>> str(record)
        'The quick rown fox'
        >>> record.edits
        (Edit(start=10, end=11, replacement=''),)
    """
    strength = {"p": p, "intensity": intensity, **params}
    settings = checked_settings(
        _pipeline(steps, {key: value for key, value in strength.items() if value is not None}),
        seed=seed,
        replicate=replicate,
        protect=protect,
        only=only,
        span_policy=span_policy,
    )
    if isinstance(text, str):
        texts = Texts(
            [text],
            None if id is None else [checked_id(id)],
            spans=None if spans is None else [spans],
        )
        columns = Columns(texts, settings)
        _ = columns.spans
        return Record(columns, 0)
    texts = _checked_texts(text, id, spans)
    if settings.protect.offsets or (settings.only and settings.only.offsets):
        raise UsageError(
            "offsets to protect hold for one text, but a list of texts was given; "
            "call apply for each, or name the field that holds them in augment"
        )
    return records(texts, settings)


def records(texts: Texts, settings: Settings) -> list[Record]:
    """The records of many texts, batch by batch."""
    made: list[Any] = [None] * len(texts.texts)
    for rows in batches(texts.texts):
        columns = Columns(texts.take(rows), settings)
        _ = columns.spans
        for row, record in zip(rows, map(Record, repeat(columns), range(len(rows))), strict=True):
            made[row] = record
    return made


def batches(texts: Sequence[str]) -> Iterator[list[int]]:
    """Cut texts into batches; those of ASCII apart, since their characters fit into bytes."""
    for narrow in (True, False):
        batch: list[int] = []
        size = 0
        for row, text in enumerate(texts):
            if text.isascii() is narrow:
                batch.append(row)
                size += len(text)
                if size >= _BATCH_CHARACTERS or len(batch) >= _BATCH_TEXTS:
                    yield batch
                    batch, size = [], 0
        if batch:
            yield batch


def checked_id(id: Any) -> str:
    """An id as a string.

    Raises:
        TypeError: it is neither a string nor a whole number.
    """
    if isinstance(id, str):
        return id
    if isinstance(id, int) and not isinstance(id, bool):
        return str(id)
    raise TypeError(f"an id is a string or a whole number; got {id!r}")


def _checked_texts(texts: Sequence[str], ids: Any, spans: Any) -> Texts:
    if isinstance(texts, bytes) or not isinstance(texts, Iterable):
        raise TypeError(f"a text or a sequence of texts is wanted; got {type(texts).__name__}")
    texts = list(texts)
    for row, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"texts[{row}] must be a string; got {text!r}")
    for name, column in (("id", ids), ("spans", spans)):
        if column is not None and (isinstance(column, (str, int)) or len(column) != len(texts)):
            raise UsageError(f"{name} must have one entry for each of the {len(texts)} texts")
    return Texts(texts, None if ids is None else list(map(checked_id, ids)), spans=spans)


def _pipeline(steps: Steps, strength: Mapping[str, Any]) -> Pipeline:
    try:
        return _made(steps, tuple(strength.items()))
    except TypeError as error:
        if "unhashable" not in str(error):
            raise
    return _make(steps, strength)


@lru_cache(maxsize=256)
def _made(steps: Any, strength: tuple[tuple[str, Any], ...]) -> Pipeline:
    return _make(steps, dict(strength))


def _make(steps: Steps, strength: Mapping[str, Any]) -> Pipeline:
    if not strength:
        return Pipeline.of(steps)
    if isinstance(steps, (list, tuple)) and len(steps) == 1:
        steps = steps[0]
    if isinstance(steps, (str, Step, Perturbator, Mapping)):
        return Pipeline((make_step(steps, **strength),))
    raise UsageError(
        f"{' and '.join(strength)} can't be shared by several steps; give each its own, "
        "such as ['keyboard_typos:p=0.05', 'word_swap:p=0.1']"
    )
