"""Errors of character recognition."""

from __future__ import annotations

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.perturbators.declaration import perturbator
from perturb.perturbators.machines.fitted import shipped
from perturb.perturbators.shared.edit_tables import beside_numbers, noisy_sites


@perturbator(
    "ocr",
    unit="character",
    summary="Misread a text as a scanner does: c for e, rn for m, signs lost and seen.",
    label_risk="high",
    scripts=("latin",),
    touches={"letters", "punctuation", "case", "space"},
    source="counts of what Tesseract 5.3 reads of 20,363 bad scans (wordlists/noise/ocr.json)",
    version=7,
    aliases={"random_OCR": {"digits": True}},
)
def ocr(batch: Batch, *, digits: bool = False) -> Sites:
    """Misread characters as often as an engine of recognition was seen to, each where it was.

    Letters are read as others, as two or as none, strings of letters as other strings, signs are
    lost, swapped and seen where none are, spaces are lost and seen. Rates differ from scan to scan:
    `spread=1.2` is what was counted.

    Args:
        batch: the texts.
        digits: whether digits are misread as well, and letters as digits: 0 for O. Without it,
            numbers stay, and so does what stands beside one.
    """
    # No edit is of digits, so one that reaches to a number begins or ends beside it.
    closed = None if digits else beside_numbers(batch)
    return noisy_sites(batch, shipped("ocr", digits), closed)
