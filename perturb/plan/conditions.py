"""Conditions of a job: its pipelines, each with a label and what becomes of the right answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from perturb.errors import UsageError, shown
from perturb.pipeline import grammar
from perturb.pipeline.pipeline import Pipeline, cells_of
from perturb.rng import blake2b

# A label is in every id and in the first column of every table, beside some 50 columns of figures.
# A longer one is cut to leave room for ~ and eight digits of a hash.
_LONGEST_LABEL, _KEPT = 48, 39


class Condition(NamedTuple):
    """One kind of noise, whose rows are judged together.

    Attributes:
        label: its name in ids, tables and pages.
        pipeline: the steps.
        expect: what becomes of the right answer, if the caller declares it; None to believe the
            steps.
    """

    label: str
    pipeline: Pipeline
    expect: str | None = None


def conditions_of(
    steps: Any, strength: Mapping[str, Any], expect: Any = None
) -> tuple[Condition, ...]:
    """Return the conditions that a caller's steps or grid describe; see `job_of`."""
    cells = cells_of(steps, strength)
    return expected([(shortened(label), pipeline) for pipeline, label in cells], expect)


def expected(cells: Sequence[tuple[str, Pipeline]], expect: Any) -> tuple[Condition, ...]:
    """Return conditions with the caller's expectation for the right answer under each.

    Args:
        cells: their labels and steps.
        expect: a word for all, `LABEL=WORD`, a list of these, or a mapping from labels to words.

    Raises:
        UsageError: an unknown word, an unknown label, or two words for one condition.
    """
    said: list[tuple[str, Any]] = []
    if isinstance(expect, Mapping):
        said = [*expect.items()]
    elif expect is not None:
        for text in expect if isinstance(expect, list | tuple) else [expect]:
            label, _, word = text.rpartition("=") if isinstance(text, str) else ("", "", text)
            said.append((grammar.unquoted(label), word))
    words = {shortened(label): word for label, word in said}
    if len(words) < len(said):
        raise UsageError(f"expect has two words for one condition; got {shown(expect)}")
    labels = [label for label, _ in cells]
    for label in words:
        if label not in (*labels, ""):
            raise UsageError(
                f"expect names no condition {label!r}; the conditions are {', '.join(labels)}"
            )
    return tuple(
        Condition(label, pipeline, words.get(label, words.get(""))) for label, pipeline in cells
    )


def shortened(label: str) -> str:
    """Return a label, cut to 48 characters with a hash at its end if it is longer."""
    label = " ".join(label.split())
    if len(label) <= _LONGEST_LABEL:
        return label
    digest = blake2b(label.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{label[:_KEPT].rstrip(' ,:')}~{digest}"
