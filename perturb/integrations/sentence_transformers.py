"""Models of `sentence-transformers` as search engines: from queries to ids, best first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["replies"]


def replies(
    model: Any, corpus: Mapping[Any, str], top: int = 10, **options: Any
) -> Callable[[list[str]], list[list[Any]]]:
    """Return the function for `perturb.evaluation.evaluate(..., batched=N)` that asks a model.

    An answer is the list of ids that `match="recall:K"`, `"mrr"` and `"ndcg:K"` read. The corpus is
    embedded once, here.

    Args:
        model: a model, as `SentenceTransformer("all-MiniLM-L6-v2")` makes it.
        corpus: the texts to search in, by their ids.
        top: how many ids an answer has at most.
        options: passed on to the model where it embeds, such as `batch_size=64`.
    """
    ids, texts = list(corpus), list(corpus.values())
    index = model.encode_document(texts, **options)

    def system(queries: list[str]) -> list[list[Any]]:
        nearness = model.similarity(model.encode_query(queries, **options), index)
        places = nearness.topk(min(top, len(ids))).indices.tolist()
        return [[ids[place] for place in each] for each in places]

    return system
