"""Pipelines of spaCy as systems, and an augmenter for its training.

The augmenter carries entities, span groups and categories along; in a training configuration:

    [corpora.train.augmenter]
    @augmenters = "perturb.augmenter.v1"
    steps = "keyboard_typos:p=0.05"
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from spacy import registry
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from perturb.api import apply
from perturb.errors import DataError, unknown
from perturb.pipeline.pipeline import Pipeline

__all__ = ["augmenter", "replies"]

# Annotations of tokens, which are different ones after the steps.
_OF_TOKENS = ("TAG", "POS", "MORPH", "LEMMA", "DEP", "HEAD", "SENT_START")

# What may be read of a document.
_READ: dict[str, Callable[[Doc], Any]] = {
    "cats": lambda doc: max(
        ({"label": label, "score": score} for label, score in doc.cats.items()),
        key=lambda each: each["score"],
        default=None,
    ),
    "ents": lambda doc: [[span.start_char, span.end_char, span.label_] for span in doc.ents],
    "sents": lambda doc: [[span.start_char, span.end_char, "sentence"] for span in doc.sents],
}

Augmenter = Callable[[Language, Example], Iterator[Example]]


@registry.augmenters("perturb.augmenter.v1")  # type: ignore[misc, untyped-decorator, unused-ignore]
def augmenter(steps: str, p: float | None = None, seed: int = 0) -> Augmenter:
    """Return an augmenter that perturbs each example, differently each time.

    An entity that begins or ends within a token grows to whole tokens. If two would then overlap,
    the example stays unchanged.

    Args:
        steps: see `perturb.apply`.
        p: see `perturb.apply`.
        seed: see `perturb.apply`.

    Raises:
        DataError: while augmenting, if an example has tags, lemmas, a parse or the like, which
            can't be carried to other tokens.
    """
    pipeline = Pipeline.of(steps, **({} if p is None else {"p": p}))
    seen: Counter[str] = Counter()

    def augment(nlp: Language, example: Example) -> Iterator[Example]:
        reference = example.reference
        _check(reference)
        text = reference.text
        groups = {key: list(group) for key, group in reference.spans.items()}
        spans = [*reference.ents, *(span for group in groups.values() for span in group)]
        record = apply(
            text,
            pipeline,
            seed=seed,
            replicate=seen[text],
            spans=[(span.start_char, span.end_char) for span in spans],
        )
        seen[text] += 1
        doc = nlp.make_doc(record.text)
        moved = [
            doc.char_span(*ends, span.label_, kb_id=span.kb_id_, alignment_mode="expand")
            for span, ends in zip(spans, record.spans or (), strict=True)
            if ends is not None
        ]
        entities = moved[: len(reference.ents)]
        places = sorted((span.start, span.end) for span in entities if span is not None)
        if None in moved or any(left[1] > right[0] for left, right in pairwise(places)):
            yield example
            return
        if reference.has_annotation("ENT_IOB"):
            partly = any(token.ent_iob == 0 for token in reference)
            doc.set_ents(entities, default="missing" if partly else "outside")
        rest = iter(moved[len(entities) :])
        for key, group in groups.items():
            doc.spans[key] = [next(rest) for _ in group]
        doc.cats = dict(reference.cats)
        yield Example(nlp.make_doc(record.text), doc)

    return augment


def _check(doc: Doc) -> None:
    """Refuse annotations of tokens."""
    there = [name for name in _OF_TOKENS if doc.has_annotation(name)]
    if there:
        raise DataError(
            f"the example {doc.text[:40]!r} has {', '.join(there)}, which belong to its tokens and "
            "can't be carried to those of a perturbed text; train such components on other examples"
        )


def replies(nlp: Language, read: str = "ents", **options: Any) -> Callable[[list[str]], list[Any]]:
    """Return the function for `perturb.evaluation.evaluate(..., batched=N)` that asks a pipeline.

    Args:
        nlp: the pipeline.
        read: the answer: "ents" or "sents", spans for `match="entities"`; or "cats", the best
            label with its score.
        options: passed on to `nlp.pipe`.

    Raises:
        UsageError: nothing else is read.
    """
    if read not in _READ:
        raise unknown("part of a document", read, _READ)
    return lambda texts: [*map(_READ[read], nlp.pipe(texts, **options))]
