"""Whole texts in other words, from a table that was made and checked before."""

from __future__ import annotations

import numpy as np

from perturb.boundary import File
from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.errors import DataError, shown
from perturb.perturbators.declaration import text_perturbator
from perturb.perturbators.shared.rewordings import can_be_reworded, rewordings_of
from perturb.registry.definition import EXAMPLE
from perturb.registry.from_function import sites_by_call

_EXAMPLE = {EXAMPLE: "By any measure, the quick brown fox may leap over 12 lazy dogs today."}


@text_perturbator(
    "paraphrase",
    touches={"words", "letters", "case", "punctuation", "space", "order", "digits", "meaning"},
    expect="same",
    source="the model that the table names",
)
def paraphrase(batch: Batch, *, file: File | None = None) -> Sites:
    """Put a text into other words, from a table that perturb paraphrase made and checked.

    Replace each text by its accepted rewording; `p` is a share of texts.

    No model is asked, so the same table gives the same texts anywhere. A text whose rewordings all
    failed a check, or which a person refused, stays, and says `no rewording`. A text that the table
    doesn't have at all is an error: put this step first, and make the table of these texts.

    Args:
        batch: the texts.
        file: a table that `perturb paraphrase` wrote; the step then holds its SHA-256 after the
            path. Without it, there is a rewording of the step's example alone.

    Raises:
        DataError: the table is damaged, or lacks a text.
    """
    known = dict[str, str | None](_EXAMPLE) if file is None else rewordings_of(file)
    texts = batch.texts.to_list()
    for text in texts:
        if file is not None and text not in known and can_be_reworded(text):
            raise DataError(
                f"{file.path} is a table of other texts: it doesn't have {shown(text)}; make it "
                "again of these by perturb paraphrase, or give the step the field that the table "
                "is of (field=question), and put it before other steps"
            )
    found = [known.get(text) for text in texts]
    after = {text: new for text, new in zip(texts, found, strict=True) if new is not None}
    sites = sites_by_call(
        batch, lambda before, _: [after.get(text, text) for text in before], together=True
    )
    sites.refused = np.array([new is None for new in found], np.bool_)
    sites.why_refused = "no rewording"
    return sites
