"""`perturb fit`: noise from pairs of a clean and a noisy text."""

from __future__ import annotations

import argparse
from typing import Any

from perturb.boundary import display
from perturb.cli.apply import QUOTING, unquoted
from perturb.errors import DataError

MANUAL = f"""
Count the errors in pairs of a clean and a noisy text, and write them to a file for the step
fitted:file=NOISE. The file leaves out errors that fewer than five texts have. The report says how
close the noise comes to pairs that were held out.

pairs PAIRS  a file of rows, each with two texts; - is standard input
-o, --output! NOISE  where to write the noise, JSON
--clean FIELD [clean]  the field with the correct text (default: clean)
--noisy FIELD [noisy]  the field with the text that has errors (default: noisy)
--format FORMAT  the format of PAIRS, overruling its file extension
{QUOTING}
"""
TYPES = {"clean": str}


def run(args: argparse.Namespace) -> int:
    """Fit and write the noise, and report how close it comes."""
    from perturb.fitting.fit import fit
    from perturb.io.inputs import open_input

    clean: list[str] = []
    noisy: list[str] = []
    file = open_input(args.pairs, unquoted(args))
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
            f"{place} has no text in the field {field!r}; name the fields with --clean and "
            f"--noisy; its fields are {there}"
        )
    return text
