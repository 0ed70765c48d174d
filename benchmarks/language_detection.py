"""How often English texts are refused as foreign, and how often foreign ones are not.

    python benchmarks/language_detection.py

The texts are those of tests/lexicon/languages.tsv. A short text has up to five words between white
space. Words were added to wordlists/languages/function_words.tsv by looking at what was missed in
the odd rows of each language, so the even ones have columns of their own. They are not quite blind:
the same author wrote all rows, and which words that English has too were taken out of the table
was weighed on all of them.
"""

from pathlib import Path

from common import write_result

import perturb
from perturb.engine.batch import Batch
from perturb.lexicon.english import is_foreign
from perturb.resources import parse

TEXTS = Path(__file__).parents[1] / "tests/lexicon/languages.tsv"
SHORT = 5
# Whether a column has the short texts, and the even rows alone.
COLUMNS = {
    "short": (True, False),
    "sentences": (False, False),
    "short, even rows": (True, True),
    "sentences, even rows": (False, True),
}


def measure(rows):
    """The number of refused texts and of all, by language and column."""
    refused = is_foreign(Batch.of([text for _, text in rows])).tolist()
    by_language = {}
    for (language, text), each in zip(rows, refused, strict=True):
        by_language.setdefault(language, []).append((len(text.split()), each))
    found = {language: counted(texts) for language, texts in by_language.items()}
    foreign = [columns for language, columns in found.items() if language != "en"]
    found["all but en"] = {name: total(foreign, name) for name in COLUMNS}
    return found


def counted(texts):
    """The number of refused texts and of all in each column, of one language."""
    columns = {}
    for name, (short, even) in COLUMNS.items():
        chosen = [
            refused
            for number, (words, refused) in enumerate(texts, 1)
            if (words <= SHORT) is short and not (even and number % 2)
        ]
        columns[name] = {"refused": sum(chosen), "texts": len(chosen)}
    return columns


def total(languages, name):
    return {key: sum(columns[name][key] for columns in languages) for key in ("refused", "texts")}


def main():
    found = measure(parse(TEXTS))
    print(f"{'refused of all':12}" + "".join(f"{name:>22}" for name in COLUMNS))
    for language, columns in found.items():
        print(f"{language:14}" + "".join(f"{share(columns[name]):>22}" for name in COLUMNS))
    write_result("language_detection", {"perturb": perturb.__version__, "languages": found})


def share(column):
    refused, texts = column["refused"], column["texts"]
    return f"{refused} of {texts}" + (f" ({refused / texts:4.0%})" if texts else "       ")


if __name__ == "__main__":
    main()
