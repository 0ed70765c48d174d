"""Words of Chinese, Japanese and Thai, found by a library since no spaces separate them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from perturb.boundary import needed
from perturb.engine.text.characters import Script
from perturb.engine.text.scripts import of_texts, of_words, unspaced
from perturb.engine.text.strings import Strings
from perturb.errors import UsageError, shown
from perturb.values.arrays import Bool

if TYPE_CHECKING:
    from perturb.engine.batch import Batch

_LIBRARY = "budoux"
# The models of the library by the script of a text; kana make a text Japanese.
_MODELS = {Script.HIRAGANA: "japanese", Script.HAN: "simplified_chinese", Script.THAI: "thai"}


def versioned(segmenter: object) -> str:
    """Return the name of a segmenter with its installed version, such as `budoux@0.10.1`.

    Raises:
        UsageError: the segmenter is unknown, or isn't installed in this version.
    """
    name, _, wanted = segmenter.partition("@") if isinstance(segmenter, str) else ("", "", "")
    if name != _LIBRARY:
        raise UsageError(f"the segmenter is {_LIBRARY}; got {shown(segmenter)}")
    needed(_LIBRARY, "segments", "words of Chinese, Japanese and Thai need")
    from importlib.metadata import version  # it loads a package for mail

    installed = version(_LIBRARY)
    if wanted not in ("", installed):
        raise UsageError(
            f"the words come from {name} {wanted}, but {installed} is installed: "
            f"pip install {name}=={wanted}"
        )
    return f"{name}@{installed}"


def segmented(batch: Batch) -> Batch:
    """Return a batch with segments as words in texts without spaces between words."""
    words, written = batch.words, of_texts(batch)[batch.text_of(batch.words.starts)]
    (rows,) = (unspaced(of_words(words)) & np.isin(written, list(_MODELS))).nonzero()
    solid, cuts = words.take(rows), [np.zeros(0, np.intp)]
    for start, script, text in zip(solid.starts, written[rows], solid.to_list(), strict=True):
        lengths = [len(segment) for segment in _parser(_MODELS[script]).parse(text)]
        cuts.append(start + np.cumsum(lengths[:-1], dtype=np.intp))
    inner = np.concatenate(cuts)
    if batch.boundaries is not None:
        inner = inner[batch.boundaries[inner]]
    starts, ends = np.append(words.starts, inner), np.append(words.ends, inner)
    return batch.with_words(Strings(words.codes, np.sort(starts), np.sort(ends)))


def unsegmented(batch: Batch) -> Bool | None:
    """Mark the texts without word spaces that aren't segmented; None for none."""
    if batch.codes.dtype == np.uint8:
        return None
    written = of_texts(batch)
    marks = unspaced(written)
    if batch.has_segments:
        marks &= ~np.isin(written, list(_MODELS))
    return marks if marks.any() else None


@cache
def _parser(model: str) -> Any:
    """Return the library's parser of a language."""
    module = needed(_LIBRARY, "segments", "words of Chinese, Japanese and Thai need")
    return getattr(module, f"load_default_{model}_parser")()
