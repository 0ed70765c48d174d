"""Write which features of grammar each variety of English has.

    git clone https://github.com/cldf-datasets/ewave
    PYTHONPATH=. python wordlists/build/dialects.py ewave/cldf wordlists

Of the features that `dialect` writes, those that eWAVE rates A (pervasive or obligatory) or B
(neither pervasive nor extremely rare) in the variety.
"""

import csv
import sys
from pathlib import Path

from perturb.perturbators.people.dialect import _FEATURES as FEATURES

HEADER = """\
# Features of the grammar of varieties of English
# Source: B. Kortmann, K. Lunkenheimer, K. Ehret (eds.), The Electronic World Atlas of Varieties of
#   English, 2020, ewave-atlas.org (github.com/cldf-datasets/ewave)
# Licence: licenses/EWAVE.txt (CC BY 3.0)
# Made by: wordlists/build/dialects.py
# Columns: variety; number of the feature; A for pervasive, B for neither pervasive nor rare

"""
VARIETIES = {
    "african_american": "15",
    "appalachian": "19",
    "indian": "52",
    "irish": "3",
    "newfoundland": "13",
    "nigerian": "41",
    "scottish": "2",
    "singapore": "57",
}


def main(data, folder):
    with (Path(data) / "values.csv").open(encoding="utf-8") as file:
        values = {
            (row["Language_ID"], row["Parameter_ID"]): row["Value"] for row in csv.DictReader(file)
        }
    lines = [
        f"{variety}\t{number}\t{rating}\n"
        for variety, language in VARIETIES.items()
        for number in FEATURES
        if (rating := values.get((language, str(number)))) in ("A", "B")
    ]
    table = Path(folder) / "english" / "dialects.tsv"
    table.write_text(HEADER + "".join(lines), "utf-8", newline="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
