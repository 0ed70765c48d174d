"""How often English texts are refused as foreign, and how often foreign ones are not.

    python benchmarks/language_detection.py [--english FILE.jsonl [--field question]]

A short text has up to five words between white space; the English ones of our own quote other
languages on purpose. Other English texts must all be left alone.
"""

from pathlib import Path

from common import FOLDER, options, rows_of, show, write_result

import perturb
from perturb.engine.batch import Batch
from perturb.lexicon.english import is_foreign
from perturb.resources import parse

TEXTS = FOLDER.parent / "tests/lexicon"
SHORT = 5
OTHER_SCRIPTS = ("ru", "ar", "hi", "zh", "ja")  # closed by their letters, not by this


def counted(rows, has_length):
    """The number of refused texts and of all, by language, of those with a number of words."""
    rows = [(code, text) for code, text in rows if has_length(len(text.split()))]
    refused = is_foreign(Batch.of([text for _, text in rows])).tolist()
    counts = {}
    for (language, _), each in zip(rows, refused, strict=True):
        if language not in OTHER_SCRIPTS:
            count = counts.setdefault(language, {"refused": 0, "texts": 0})
            count["refused"] += each
            count["texts"] += 1
    counts["all but en"] = {
        key: sum(count[key] for language, count in counts.items() if language != "en")
        for key in ("refused", "texts")
    }
    return counts


def main():
    parser = options(__doc__, "field")
    parser.add_argument("--english", type=Path, help="English rows as JSON lines")
    args = parser.parse_args()
    held_out, seen = (parse(TEXTS / name) for name in ("declaration.tsv", "languages.tsv"))
    columns = {
        "held out": counted(held_out, lambda words: words > SHORT),
        "seen, sentences": counted(seen, lambda words: words > SHORT),
        "seen, short": counted(seen, lambda words: words <= SHORT),
    }
    if args.english is not None:
        rows = [("en", row[args.field]) for row in rows_of(args.english)]
        columns[args.english.name] = {"en": counted(rows, bool)["en"]}
    for title, counts in columns.items():
        show(title, counts)
    write_result("language_detection", {"perturb": perturb.__version__, **columns})


if __name__ == "__main__":
    main()
