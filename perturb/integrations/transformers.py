"""Pipelines of Hugging Face's `transformers` as systems: from their outputs to answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from perturb.errors import unknown

__all__ = ["replies"]


def replies(pipe: Any, **options: Any) -> Callable[[list[Any]], list[Any]]:
    """Return the function for `perturb.evaluation.evaluate(..., batched=N)` that asks a pipeline.

    An answer is a label with its score, spans with labels, or a text, as the task of the pipeline
    has it; of several labels that with the highest score, of other outputs the first. A generated
    text comes without its prompt.

    Args:
        pipe: a pipeline for texts, as `transformers.pipeline("text-classification")` makes it. One
            that answers questions gets rows with `question` and `context`, by `field=None`.
        options: passed on with each call, such as `batch_size=64` or `candidate_labels=[...]`.

    Raises:
        UsageError: the task of the pipeline has no answer of this kind.

    Examples:
        >>> def pipe(texts):
        ...     return [[{"label": text.split()[0], "score": 0.9}] for text in texts]
        >>> pipe.task = "text-classification"
        >>> replies(pipe)(["Nice work", "Poor thing"])
        [{'label': 'Nice', 'score': 0.9}, {'label': 'Poor', 'score': 0.9}]
    """
    task = pipe.task.partition("_")[0]  # of translation_en_to_de
    if task not in _TASKS:
        raise unknown("task of a pipeline", task, _TASKS)
    read, settings = _TASKS[task]
    fields = ("question", "context") if task == "question-answering" else ()

    def system(asked: list[Any]) -> list[Any]:
        # Of a generator, pipelines return one output each; of a list of one text, some return less.
        contents = ({name: each[name] for name in fields} if fields else each for each in asked)
        return [*map(read, pipe(contents, **{**settings, **options}))]

    return system


def _first(output: Any) -> Any:
    while isinstance(output, list):
        output = output[0]
    return output


def _at(key: str) -> Callable[[Any], Any]:
    return lambda output: _first(output)[key]


def _label(output: Any) -> dict[str, Any]:
    scores = [output] if isinstance(output, dict) else output
    scores = scores if isinstance(scores[0], dict) else scores[0]
    best = max(scores, key=lambda each: each["score"])
    return {"label": best["label"], "score": best["score"]}


def _best_label(output: Any) -> dict[str, Any]:
    return {"label": output["labels"][0], "score": output["scores"][0]}


def _spans(output: Any) -> list[list[Any]]:
    return [
        [span["start"], span["end"], span.get("entity_group", span.get("entity"))]
        for span in output
    ]


def _tokens(output: Any) -> Any:
    masks = output if isinstance(output[0], list) else [output]
    words = [mask[0]["token_str"].strip() for mask in masks]
    return words if len(words) > 1 else words[0]


def _generated(output: Any) -> Any:
    text = _first(output)["generated_text"]
    return text if isinstance(text, str) else text[-1]["content"]


# Of each task, what reads its output, and the options of its calls.
_TASKS: Mapping[str, tuple[Callable[[Any], Any], Mapping[str, Any]]] = {
    "text-classification": (_label, {}),
    "sentiment-analysis": (_label, {}),
    "zero-shot-classification": (_best_label, {}),
    "token-classification": (_spans, {}),
    "ner": (_spans, {}),
    "fill-mask": (_tokens, {}),
    "text-generation": (_generated, {"return_full_text": False}),
    "text2text-generation": (_generated, {}),
    "summarization": (_at("summary_text"), {}),
    "translation": (_at("translation_text"), {}),
    "question-answering": (_at("answer"), {}),
}
