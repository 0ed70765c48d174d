"""`perturb fit`: noise from pairs of a clean and a noisy text."""

from __future__ import annotations

from typing import Any

from perturb.boundary import display
from perturb.cli.apply import QUOTING

MANUAL = f"""
Count the errors in pairs of a clean and a noisy text, and write them to a file for the step
fitted:file=NOISE. The file leaves out errors that few texts have, and takes others of their kind
from a table that ships. The report says how close the noise comes to pairs that were held out.

pairs PAIRS  a file of rows, each with two texts (- is standard input); sentences with corrections,
    .m2; or the clean texts alone, plain text a line each, or the segments of a recogniser, .stm
beside NOISY?  the noisy texts of another file, a line each; or the words of a recogniser, .ctm
-o, --output! NOISE  where to write the noise, JSON
--clean FIELD [clean]  the field with the correct text
--noisy FIELD [noisy]  the field with the text that has errors
--least N [5]  how many texts must have an error, as pairs may be private; 1 for texts that anyone
    may see
--words  count whole words that are replaced, added and lost, without case and punctuation: for
    speech, and for there in place of their
--like TABLE [auto]  the table that makes the errors that the pairs are too few for: tesseract,
    ppocr, ppocr_v4 or typing, and with --words asr or whisper; none; auto, the nearest
--format FORMAT  the format of PAIRS, overruling its file extension
{QUOTING}
"""
TYPES = {"clean": str}


def run(
    *,
    pairs: str,
    beside: str | None,
    output: str,
    clean: str,
    noisy: str,
    least: int,
    words: bool,
    like: str,
    format: str | None,
    quoting: str | None,
) -> int:
    """Fit and write the noise, and report how close it comes."""
    from perturb.fitting.fit import fit
    from perturb.fitting.sources import pairs_of
    from perturb.io.formats import with_quoting

    found = pairs_of(pairs, beside, with_quoting(format, quoting), (clean, noisy))
    table: Any = like  # refused there if there is none
    result = fit(*found, least=least, like=table, words=words)
    result.save(output)
    display(
        str(result),
        f"perturb apply fitted:file={output},p={result.noise['rate']:.3g},"
        f"spread={result.noise['spread']:g}",
    )
    return 0
