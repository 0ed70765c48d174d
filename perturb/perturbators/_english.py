"""English tables are for English texts."""

from __future__ import annotations

from typing import Literal

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.text.unicode import Script
from perturb.lexicon.english import is_foreign

Language = Literal["auto", "en"]
_LATIN = frozenset({Script.LATIN})


def in_english(batch: Batch, sites: Sites, language: Language) -> Sites:
    """Return the sites, with the texts refused that are evidently not English.

    Args:
        batch: the texts.
        sites: where English would be written.
        language: "auto" looks at each text; "en" takes all for English.
    """
    return sites.limited(scripts=_LATIN, refused=None if language == "en" else is_foreign(batch))
