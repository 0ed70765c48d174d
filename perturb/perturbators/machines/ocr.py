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
    summary="Misread a text as a scanner does: c for e, rn for m, punctuation lost or made up.",
    label_risk="high",
    scripts=("latin",),
    touches={"letters", "punctuation", "case", "space"},
    source="counts of errors of Tesseract 5.3 on 20,363 bad scans (wordlists/noise/ocr.json)",
    version=7,
    aliases={"random_OCR": {"digits": True}},
)
def ocr(batch: Batch, *, digits: bool = False) -> Sites:
    """Misread characters at the rates counted for a recognition engine, each in its context.

    Characters are substituted, split, merged or dropped; punctuation and spaces appear and
    disappear. Rates differ from scan to scan: the counts have `spread=1.2`.

    Args:
        batch: the texts.
        digits: whether to misread digits as well, and letters as digits: 0 for O. Without it,
            numbers and their neighbours stay.
    """
    # No edit changes digits, so one that touches a number begins or ends next to it.
    closed = None if digits else beside_numbers(batch)
    return noisy_sites(batch, shipped("ocr", digits), closed)
