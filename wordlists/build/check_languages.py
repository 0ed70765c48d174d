"""Check the tables of languages other than English against dictionaries and a synthesiser.

    apt-get install espeak-ng hunspell hunspell-de-de hunspell-es hunspell-fr hunspell-it \
        hunspell-nl hunspell-pt-br hunspell-pt-pt
    PYTHONPATH=. python wordlists/build/check_languages.py

Every word of the homophones, contractions, fillers, function words and words that begin sentences
has to be in the dictionary of its language, but for those of `NOT_LISTED` and for informal
contractions, which no dictionary lists. The Italian one lists few elisions, so that of these only
the word behind the apostrophe is looked up. The words of a group of homophones have to get the same
phonemes from espeak-ng, by one of the voices of the language, but for those of `DIFFER`. Stress and
the spaces between words don't count, nor does what `MERGED` puts together, which most speakers
don't tell apart. A row that passes although it is excepted fails too, so that no exception is left
that nothing needs.
"""

import subprocess
import sys
from functools import cache

from perturb.resources import read_rows

DICTIONARIES = {
    "de": ["de_DE"], "es": ["es_ES"], "fr": ["fr_FR"], "it": ["it_IT"], "nl": ["nl_NL"],
    "pt": ["pt_PT", "pt_BR"],
}  # fmt: skip
VOICES = {
    "de": ["de"], "es": ["es", "es-419"], "fr": ["fr"], "it": ["it"], "nl": ["nl"],
    "pt": ["pt", "pt-br"],
}  # fmt: skip
MERGED = {
    "es": str.maketrans({"ʎ": "ʝ"}),
    "fr": str.maketrans("ɛɑ", "ea", "ː"),
    "it": str.maketrans("ɛɔ", "eo"),
}
_SOUND = "a sound, not a word"
# Words that the dictionary lacks, and why they are right.
NOT_LISTED = {
    ("de", "hm"): _SOUND,
    ("de", "äh"): _SOUND,
    ("de", "ähm"): _SOUND,
    ("es", "em"): _SOUND,
    ("it", "mmm"): _SOUND,
    ("nl", "ehm"): _SOUND,
    ("de", "daß"): "as dass was spelled until 1996",
    ("de", "na"): "in na ja",
    ("de", "währe"): "the subjunctive of währen",
}
_LETTER = "espeak-ng lengthens the word that stands alone"
_SCHWA = "the vowel that it writes apart is mute, or weakened alike, in a sentence"
_DOUBLED = "a doubles the consonant that follows in speech, which it does not for words alone"
# Groups that espeak-ng tells apart, and why they are kept.
DIFFER = {
    ("de", "Verse / Ferse"): "it takes Verse for a foreign word",
    ("de", "malt / mahlt"): "the l that it writes twice is one",
    ("es", "hay / ahí / ay"): "only the stress is another; schools teach the three together",
    ("es", "aun / aún"): "only the stress is another",
    ("fr", "as / a"): "it reads the card as, not the verb",
    ("fr", "tout / tous"): "it reads the pronoun tous, not the determiner",
    ("fr", "quoique / quoi que"): _SCHWA,
    ("fr", "parce que / par ce que"): _SCHWA,
    ("it", "a / ha"): _LETTER,
    ("it", "o / ho"): _LETTER,
    ("it", "ce / c'è"): _LETTER,
    ("it", "s'è / se"): _LETTER,
    ("it", "sì / si"): _LETTER,
    ("it", "ce n'è / ce ne"): _LETTER,
    ("it", "affianco / a fianco"): _DOUBLED,
    ("it", "apposto / a posto"): _DOUBLED,
    ("pt", "mas / mais"): "they sound alike in much of Brazil",
    ("pt", "a / à"): "it spells à as a letter with its accent",
    ("pt", "há / a / à"): "it spells à as a letter with its accent",
    ("pt", "porque / por que"): _SCHWA,
    ("pt", "porquê / por quê"): _SCHWA,
}


def main() -> int:
    """Print what was checked, and each row that fails; return how many do."""
    failures = 0
    for language in DICTIONARIES:
        own = {
            name: [row[1:] for row in read_rows("languages", f"{name}.tsv") if row[0] == language]
            for name in ("homophones", "contractions", "fillers")
        }
        groups = [row[0].replace(" > ", " / ").split(" / ") for row in own["homophones"]]
        entries = [entry for group in groups for entry in group]
        entries += [row[0] for name in ("contractions", "fillers") for row in own[name]]
        entries += [row[1] for row in own["contractions"] if row[2] == "standard"]
        functions = dict(read_rows("languages", "function_words.tsv"))[language].split()
        boundaries = read_rows("languages", "boundaries.tsv")
        starts = [word for word, kind, code in boundaries if (kind, code) == ("start", language)]
        entries += [*functions, *map(str.lower, starts)]
        lacking, apart = _not_listed(language, entries), _told_apart(language, groups)
        failed = _compared("not in the dictionary", lacking, _of(NOT_LISTED, language))
        failed += _compared("told apart by espeak-ng", apart, _of(DIFFER, language))
        words = {word for entry in entries for word in _words(language, entry)}
        print(
            f"{language}: {len(words)} words, {len(_of(NOT_LISTED, language))} excepted; "
            f"{len(groups)} groups of homophones, {len(_of(DIFFER, language))} excepted;\n"
            f"    {len(own['contractions'])} contractions, {len(own['fillers'])} fillers, "
            f"{len(functions)} function words, {len(starts)} words that begin sentences; "
            f"{len(failed)} failures"
        )
        print(*failed, sep="\n", end="\n" * bool(failed))
        failures += len(failed)
    return failures


def _of(table: dict[tuple[str, str], str], language: str) -> set[str]:
    return {entry for own, entry in table if own == language}


def _compared(what: str, found: dict[str, str], excepted: set[str]) -> list[str]:
    """Return a line for each entry found that is not excepted, and the other way round."""
    lines = [f"  {what}: {text}" for entry, text in found.items() if entry not in excepted]
    return lines + [f"  excepted, but not {what}: {entry}" for entry in excepted - {*found}]


def _words(language: str, entry: str) -> list[str]:
    """Return what is looked up: of an elision in Italian, the word behind the apostrophe."""
    words = entry.replace(",", "").split()
    return [word.rpartition("'")[2] for word in words] if language == "it" else words


def _not_listed(language: str, entries: list[str]) -> dict[str, str]:
    """Return the words that no dictionary of the language has, in small letters or as a noun."""
    words = sorted({word for entry in entries for word in _words(language, entry)})
    forms = [form for word in words for form in (word, word[0].upper() + word[1:])]
    known: set[str] = set()
    for dictionary in DICTIONARIES[language]:
        command = ["hunspell", "-a", "-i", "utf-8", "-d", dictionary]
        _, *answers = _run(command, "".join(f"^{form}\n" for form in forms)).split("\n", 1)
        # A block for each line of the input, with a line for each part of a word.
        blocks = answers[0].removesuffix("\n\n").split("\n\n")
        known |= {
            form
            for form, block in zip(forms, blocks, strict=True)
            if all(line[0] in "*+-" for line in block.split("\n"))
        }
    lacking = [word for word in words if known.isdisjoint({word, word[0].upper() + word[1:]})]
    return {word: word for word in lacking}


def _told_apart(language: str, groups: list[list[str]]) -> dict[str, str]:
    """Return the groups whose words sound different, by their first words."""
    found = {}
    for group in groups:
        heard = [[_phonemes(voice, language, one) for one in group] for voice in VOICES[language]]
        if all(len({*sounds}) > 1 for sounds in heard):
            said = "; ".join(" / ".join(sounds) for sounds in heard)
            found[" / ".join(group)] = f"{' / '.join(group)}: {said}"
    return found


@cache
def _phonemes(voice: str, language: str, entry: str) -> str:
    made = _run(["espeak-ng", "-q", "--ipa", "-v", voice, "--", entry])
    plain = "".join(sign for sign in made if sign not in "ˈˌ- \n")
    return plain.translate(MERGED.get(language, {}))


def _run(command: list[str], given: str = "") -> str:
    return subprocess.run(
        command, input=given, capture_output=True, text=True, check=True, encoding="utf-8"
    ).stdout


if __name__ == "__main__":
    sys.exit(min(main(), 1))
