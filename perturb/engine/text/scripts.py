"""The scripts of words and texts, which put spaces between words, and the words of the others.

Words of Chinese, Japanese and Thai are found by a library, since no spaces separate them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from perturb.boundary import needed
from perturb.engine.text.characters import CharacterSet, Script, of_script, scripts
from perturb.engine.text.strings import Strings
from perturb.errors import UsageError, shown
from perturb.values.arrays import Bool, Codes, UInt8

if TYPE_CHECKING:
    from perturb.engine.batch import Batch

_KANA = (Script.HIRAGANA, Script.KATAKANA)
_SOLID = (*_KANA, Script.HAN, Script.BOPOMOFO)
_UNSPACED = (*_SOLID, Script.THAI, Script.LAO, Script.KHMER, Script.MYANMAR, Script.TIBETAN)

# The last code point of Latin Extended-B: letters up to here are Latin.
_LAST_LATIN = 0x24F
# Characters beyond that are looked up by themselves if they are at most one in so many. At one in
# 16 that takes as long as looking up all characters, and at one in 4 five times as long.
_RARE = 16
# Classes of characters.
OWN, FOREIGN = 1, 2


@cache
def latin_beyond_ascii() -> CharacterSet:
    """Return the letters of Latin script beyond ASCII that languages are written in."""

    def member(part: slice) -> Bool:
        letters: Bool = scripts()[part] == Script.LATIN
        letters[:0xC0], letters[0x250:0x1E00], letters[0x1F00:] = False, False, False
        return letters

    return CharacterSet(member)


def letter_classes(batch: Batch, written: frozenset[Script]) -> UInt8 | None:
    """Return a class for each code point: `OWN` for the letters and marks of the scripts written.

    Letters and marks of other scripts are `FOREIGN`, and everything else is 0.

    Returns:
        Shape (code points,); None where nothing is foreign.
    """
    if Script.LATIN in written and _is_latin_at_sight(batch.codes):
        return None
    classes = batch.scripts.tobytes().translate(_class_of_script(written))
    return np.frombuffer(classes, np.uint8) if FOREIGN in classes else None


def _is_latin_at_sight(codes: Codes) -> bool:
    """Return true if all letters are certainly Latin, by a check that is fast."""
    if codes.dtype == np.uint8:
        return True
    beyond = codes > _LAST_LATIN
    if np.count_nonzero(beyond) * _RARE > len(codes):
        return False
    return not scripts().take(codes[beyond].astype(np.intp)).any()


@lru_cache(maxsize=32)
def _class_of_script(written: frozenset[Script]) -> bytes:
    classes = bytearray([FOREIGN]) * 256
    for script in written:
        classes[script] = OWN
    classes[Script.OTHER] = 0
    return bytes(classes)


def of_words(words: Strings) -> UInt8:
    """Return the `Script` of the first character of each word; OTHER for numbers."""
    return scripts()[words.codes[words.starts]]


def of_texts(batch: Batch) -> UInt8:
    """Return the `Script` of most words of each text; HIRAGANA for Japanese, OTHER for none.

    Words count by their length, and numbers don't count; a text that contains kana is Japanese.
    """
    words = batch.words
    if batch.codes.dtype == np.uint8:  # all letters are Latin
        (rows,) = (of_words(words) == Script.LATIN).nonzero()
        latin = batch.count(words.starts[rows]) > 0
        return np.where(latin, Script.LATIN, Script.OTHER).astype(np.uint8)
    text = np.repeat(np.arange(len(batch.texts)), batch.count(words.starts))
    of_word = of_words(words)
    weights = np.where(of_word == Script.OTHER, 0, words.lengths)
    cells = len(batch.texts) * len(Script)
    table = np.bincount(text * len(Script) + of_word, weights, cells).reshape(-1, len(Script))
    script: UInt8 = table.argmax(axis=1).astype(np.uint8)
    script[batch.count(np.flatnonzero(of_script(*_KANA).mask(batch.codes))) > 0] = Script.HIRAGANA
    return script


def unspaced(written: UInt8) -> Bool:
    """Mark the scripts that put no space between words."""
    return np.isin(written, _UNSPACED)


def solid(written: UInt8) -> Bool:
    """Mark the scripts that put no space between sentences either."""
    return np.isin(written, _SOLID)


Cut = Callable[[str], Sequence[str]]
# The models of the libraries that find words, by the script of a text; kana make it Japanese.
_MODELS = {
    "budoux": {Script.HIRAGANA: "japanese", Script.HAN: "simplified_chinese", Script.THAI: "thai"},
    "jieba": {Script.HAN: "chinese"},
}
_EXTRAS = {"budoux": "segments", "jieba": "chinese"}


def versioned(segmenter: object) -> str:
    """Return the name of a segmenter with its installed version, such as `budoux@0.10.1`.

    Raises:
        UsageError: the segmenter is unknown, or isn't installed in this version.
    """
    name, _, wanted = segmenter.partition("@") if isinstance(segmenter, str) else ("", "", "")
    if name not in _MODELS:
        raise UsageError(f"the segmenter is {' or '.join(_MODELS)}; got {shown(segmenter)}")
    _library(name)
    from importlib.metadata import version  # it loads a package for mail

    installed = version(name)
    if wanted not in ("", installed):
        raise UsageError(
            f"the words come from {name} {wanted}, but {installed} is installed: "
            f"pip install {name}=={wanted}"
        )
    return f"{name}@{installed}"


def segmented(batch: Batch, segmenter: str) -> Batch:
    """Return a batch with segments as words in texts without spaces between words."""
    library = segmenter.partition("@")[0]
    models = _MODELS[library]
    words, written = batch.words, of_texts(batch)[batch.text_of(batch.words.starts)]
    (rows,) = (unspaced(of_words(words)) & np.isin(written, list(models))).nonzero()
    solid, cuts = words.take(rows), [np.zeros(0, np.intp)]
    for start, script, text in zip(solid.starts, written[rows], solid.to_list(), strict=True):
        lengths = [len(segment) for segment in _cut(library, models[script])(text)]
        cuts.append(start + np.cumsum(lengths[:-1], dtype=np.intp))
    inner = np.concatenate(cuts)
    if batch.boundaries is not None:
        inner = inner[batch.boundaries[inner]]
    starts, ends = np.append(words.starts, inner), np.append(words.ends, inner)
    return batch.with_words(Strings(words.codes, np.sort(starts), np.sort(ends)), frozenset(models))


def unsegmented(batch: Batch) -> Bool | None:
    """Mark the texts without word spaces that aren't segmented; None for none."""
    if batch.codes.dtype == np.uint8:
        return None
    written = of_texts(batch)
    marks = unspaced(written) & ~np.isin(written, list(batch.segmented))
    return marks if marks.any() else None


def _library(name: str) -> Any:
    return needed(name, _EXTRAS[name], "words of Chinese, Japanese and Thai need")


@cache
def _cut(library: str, model: str) -> Cut:
    """Return the library's function from a text to its segments."""
    module = _library(library)
    if library == "budoux":
        return cast(Cut, getattr(module, f"load_default_{model}_parser")().parse)
    tokenizer = module.Tokenizer()
    # Its own way to load the dictionary trusts a file of code in the shared folder for such files.
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    return cast(Cut, tokenizer.lcut)
