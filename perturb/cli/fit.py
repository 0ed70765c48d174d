"""`perturb fit`: noise from pairs of a clean and a noisy text."""

from __future__ import annotations

import argparse
from typing import Any

from perturb.boundary import display
from perturb.errors import DataError

MANUAL = """
Count the errors of pairs of a clean and a noisy text, and write them to a file that the step
fitted:file=NOISE takes. What fewer than five texts show is not written. What is printed says how
near the noise comes to pairs that were held back.

pairs PAIRS  a file of rows, each with two texts; - is standard input
-o, --output! NOISE  where to write the noise, JSON
--clean FIELD [clean]  the text as it should be (clean)
--noisy FIELD [noisy]  the text with errors (noisy)
--format FORMAT  the format of PAIRS, whatever its name says
"""
TYPES = {"clean": str}


def run(args: argparse.Namespace) -> int:
    """Fit, write, and say what is known of the noise."""
    from perturb.fitting.fit import fit
    from perturb.io.inputs import open_input

    clean: list[str] = []
    noisy: list[str] = []
    file = open_input(args.pairs, args.format)
    try:
        for number, row in file.rows():
            for texts, field in ((clean, args.clean), (noisy, args.noisy)):
                texts.append(_text(row, field, file.at(number)))
    finally:
        file.close()
    result = fit(clean, noisy)
    result.save(args.output)
    display(
        str(result),
        f"perturb apply fitted:file={args.output},p={result.noise['rate']:.3g},"
        f"spread={result.noise['spread']:g}",
    )
    return 0


def _text(row: Any, field: str, place: str) -> str:
    """Return the text of a field of a row."""
    text = row.get(field) if isinstance(row, dict) else None
    if not isinstance(text, str):
        there = ", ".join(row) if isinstance(row, dict) else "none"
        raise DataError(
            f"{place} has no text in the field {field!r}; its fields are {there}: name them by "
            "--clean and --noisy"
        )
    return text
