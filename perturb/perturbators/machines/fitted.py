"""Noise counted from pairs of a clean and a noisy text: a caller's, of typing, of scans."""

from __future__ import annotations

from functools import cache
from typing import Literal

from perturb.boundary import File
from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.perturbators.declaration import letter_perturbator
from perturb.perturbators.shared.character_tables import has_digit
from perturb.perturbators.shared.edit_tables import beside_numbers, noisy_sites
from perturb.perturbators.shared.noise import Noise, checked, noise_of
from perturb.resources import read_json


def _own_spread(*, file: File | None = None) -> float:
    """Return the spread of the pairs that a noise was counted from."""
    return (shipped("typing") if file is None else noise_of(file)).spread


@letter_perturbator(
    "fitted",
    scripts=("latin",),
    touches={"letters", "words", "digits", "case", "punctuation", "space", "meaning"},
    expect="same",
    source="counts of typed questions in NoiseQA (A. Ravichander et al., EACL 2021), or the "
    "caller's own",
    version=7,
    spread=_own_spread,
)
def fitted(batch: Batch, *, file: File | None = None) -> Sites:
    """Make the errors counted in a file of noise, as perturb fit writes it.

    Make errors at their counted rates, each where it fits; `p` is a share of characters.

    An error is likelier near others, as in the pairs. Rates differ from text to text as those of
    the pairs did, and some texts stay; `spread=0` gives all the same rate.

    Args:
        batch: the texts.
        file: a file that `perturb fit` wrote; the step then holds its SHA-256 after the path.
            Without it, errors that people make when they type questions.
    """
    return sites_of(batch, shipped("typing") if file is None else noise_of(file))


def sites_of(batch: Batch, noise: Noise) -> Sites:
    """Return the sites at which a noise has edits, of characters or of words."""
    if not noise.of_words:
        return noisy_sites(batch, noise)
    from perturb.perturbators.machines._heard import heard_sites  # it reads tables of words

    return heard_sites(batch, noise)


@cache
def shipped(name: str, digits: bool = True) -> Noise:
    """Return a noise that comes with perturb, with or without its edits of digits."""
    content = checked(read_json("noise", f"{name}.json"), name)
    if not digits:
        content["edits"] = [row for row in content["edits"] if not has_digit("".join(row[:4]))]
        content["words"] = [row for row in content["words"] if not has_digit(row[0] + row[1])]
    return Noise(content)


# The spread of the counts of each engine, as its table has it: a step is made, listed and recorded
# without reading one.
ENGINES = {"tesseract": 1.11, "ppocr": 1.67, "ppocr_v4": 0.79}


@letter_perturbator(
    "ocr",
    scripts=("latin",),
    touches={"letters", "punctuation", "case", "space"},
    source="counts of errors of Tesseract 5.3, PP-OCRv6 and PP-OCRv4 on 3,900, 1,945 and 700 scans "
    "in 20 typefaces (wordlists/noise)",
    version=9,
    spread=lambda engine="tesseract", **_: ENGINES[engine],
    aliases={"random_OCR": {"digits": True}},
)
def ocr(
    batch: Batch,
    *,
    engine: Literal["tesseract", "ppocr", "ppocr_v4"] = "tesseract",
    digits: bool = False,
) -> Sites:
    """Misread a text as a scanner does: c for e, rn for m, punctuation lost or made up.

    Misread characters at the rates counted for a recognition engine, each in its context.

    Characters are substituted, split, merged or dropped; punctuation and spaces appear and
    disappear. Rates differ from scan to scan as they were counted, and many texts stay;
    `spread=0` gives all the same rate.

    Args:
        batch: the texts.
        engine: the engine whose errors are made: Tesseract 5.3, or of PaddleOCR's models PP-OCRv6
            (small), as `rapidocr` 3.10 has it, or PP-OCRv4 (of Chinese and English), as
            `rapidocr-onnxruntime` 1.4 has it; most errors of that are lost spaces.
        digits: whether to misread digits as well, and letters as digits: 0 for O. Without it,
            numbers and their neighbours stay.
    """
    # No edit changes digits, so one that touches a number begins or ends next to it.
    closed = None if digits else beside_numbers(batch)
    return noisy_sites(batch, shipped(engine, digits), closed)
