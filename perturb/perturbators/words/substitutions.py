"""Words and phrases in place of others: misspelled, sounding alike, longer or shorter."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import permutations, product
from typing import Literal

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.sites import Sites
from perturb.engine.text.case import capitals
from perturb.engine.text.strings import Strings
from perturb.engine.text.unicode import Kind
from perturb.lexicon.features import VB, VBN, VERB
from perturb.lexicon.lookup import lookup
from perturb.lexicon.phrases import Found, Phrases, after, among, before
from perturb.lexicon.store import load
from perturb.lexicon.taboo import decent
from perturb.perturbators.shared.english import Language, in_english
from perturb.perturbators.shared.languages import LANGUAGES, AnyLanguage, is_english, rows_of
from perturb.perturbators.shared.names import in_names
from perturb.perturbators.shared.tables import has_digit
from perturb.registry.definition import PLACES, WORDS
from perturb.registry.registry import perturbator
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64


@perturbator(
    "homophone",
    unit="place",
    summary="Write a word that sounds the same: their for there.",
    label_risk="medium",
    languages=LANGUAGES,
    touches={"words", "meaning"},
    expect="same",
    version=5,
    source="CMUdict pronunciations of common words (wordlists/english/homophones.tsv); counts of "
    "the Birkbeck spelling error corpus (wordlists/english/homophone_confusions.tsv); own table of "
    "other languages (wordlists/languages/homophones.tsv)",
    intensities=WORDS,
    example="They wait for their son by the sea, and know whether it's the right week to sail.",
)
def homophone(
    batch: Batch, *, profile: Literal["common", "all"] = "common", language: AnyLanguage = "auto"
) -> Sites:
    """Replace words by others of the same sound; `p` is a share of the words that have any.

    Args:
        batch: the texts.
        profile: "common" takes words that writers are known to confuse (their and there, its and
            it's, principal and principle), the more often the more they do; "all" takes all common
            words of the same sound. Other languages have one table, of words that writers confuse
            (das and dass), and no counts: each is as likely.
        language: "auto" leaves texts alone that are evidently not English; any other takes all
            texts for that language.
    """
    table = homophones(profile, language)
    return in_english(batch, table.sites(table.find(batch), "place"), language)


@cache
def homophones(profile: str, language: str = "en") -> Phrases:
    """Return the homophones of a profile, or of another language than English."""
    if not is_english(language):
        return Phrases(decent(_other_homophones(language)), accents=True)
    if profile == "common":
        rows = decent(read_rows("english", "homophone_confusions.tsv"))
        return Phrases((row[:2] for row in rows for _ in range(int(row[2]))), weighted=True)
    groups = (row[0].split(" ") for row in read_rows("english", "homophones.tsv"))
    return Phrases(decent(pair for group in groups for pair in permutations(group, 2)))


def _other_homophones(language: str) -> Iterator[tuple[str, str]]:
    """Yield words of another language than English, each with one that is written for it."""
    for (group,) in rows_of(language, "homophones.tsv"):
        word, one_way, others = group.partition(" > ")
        written = (others if one_way else group).split(" / ")
        yield from product([word], written) if one_way else permutations(written, 2)


@perturbator(
    "misspelling",
    unit="place",
    summary="Misspell a word as people do: recieve, definately, alot.",
    label_risk="low",
    languages=("en",),
    touches={"letters"},
    version=4,
    source="own table (wordlists/english/misspellings.tsv), and rules",
    intensities=WORDS,
    example="I definitely received their address, but was it necessary to believe them?",
)
def misspelling(batch: Batch, *, rules: bool = True, language: Language = "auto") -> Sites:
    """Replace words by common misspellings; `p` is a share of the words that have any.

    Args:
        batch: the texts.
        rules: whether words that the table lacks are misspelled by rules: ie and ei exchanged, a
            doubled consonant written once, -able and -ible, -ance and -ence exchanged. Words of
            fewer than five letters stay, and no rule makes another word of the lexicon.
        language: "auto" leaves texts alone that are evidently not English; "en" takes all for
            English.
    """
    table = _misspellings(rules)
    return in_english(batch, table.sites(table.find(batch), "place"), language)


@cache
def _misspellings(rules: bool) -> Phrases:
    attested = [row[:2] for row in read_rows("english", "misspellings.tsv")]
    if not rules:
        return Phrases(attested)
    known = {right for right, _ in attested}
    made = read_rows("english", "rule_misspellings.tsv")
    return Phrases(attested + [row for row in made if row[0] not in known])


@perturbator(
    "spelling_variant",
    unit="place",
    summary="Spell a word as on the other side of the Atlantic: colour for color.",
    label_risk="low",
    languages=("en",),
    touches={"letters"},
    version=4,
    source="SCOWL's American and British spellings (wordlists/english/spelling_variants.tsv)",
    intensities=PLACES,
    example="The colour of the theater at the center of my neighbor’s town is grey.",
)
def spelling_variant(
    batch: Batch,
    *,
    direction: Literal["us_to_gb", "gb_to_us", "both"] = "both",
    language: Language = "auto",
) -> Sites:
    """Exchange American and British spellings; `p` is a share of the words that have both.

    Names stay, which are words with a capital that no sentence begins with: Pearl Harbor.

    Args:
        batch: the texts.
        direction: "us_to_gb" writes the British spelling, "gb_to_us" the American one, "both" the
            one that is not there.
        language: "auto" leaves texts alone that are evidently not English; "en" takes all for
            English.
    """
    table = _variants(direction)
    found = table.find(batch)
    found = found.keep(~in_names(batch, found))
    return in_english(batch, table.sites(found, "place"), language)


@cache
def _variants(direction: str) -> Phrases:
    rows = [(us, gb) for us, gb in read_rows("english", "spelling_variants.tsv")]
    back = [(gb, us) for us, gb in rows]
    return Phrases(decent({"us_to_gb": rows, "gb_to_us": back, "both": rows + back}[direction]))


@perturbator(
    "abbreviation",
    unit="place",
    summary="Write as in chats and notes: asap for as soon as possible, pls for please.",
    label_risk="low",
    languages=("en",),
    touches={"words"},
    source="own table (wordlists/english/abbreviations.tsv)",
    version=5,
    intensities=PLACES,
    example="BTW, please reply as soon as possible, thanks. See you tomorrow before noon.",
)
def abbreviation(
    batch: Batch,
    *,
    direction: Literal["shorten", "expand"] = "shorten",
    kind: Literal["any", "chat", "notes", "sms"] = "any",
    digits: bool = False,
    language: Language = "auto",
) -> Sites:
    """Shorten words and phrases, or write them out; `p` is a share of those that can be.

    Args:
        batch: the texts.
        direction: "shorten", or "expand", which leaves alone what may not be an abbreviation at
            all: numbers, single letters, units and common words, such as 2, u, cm and st.
        kind: "chat" has initials and short words of chats (btw, lol, pls), "notes" what is written
            in a hurry on paper and at work (w/, dept, approx, eta), "sms" spellings that save
            letters (u, wk, luv); "any" has all.
        digits: whether words are written with digits as well (2moro, gr8, 4 for for), but not
            beside a number.
        language: "auto" leaves texts alone that are evidently not English; "en" takes all for
            English.
    """
    table = _abbreviations(direction, kind, digits)
    found = table.find(batch)
    if digits and direction == "shorten":
        found = found.keep(~_beside_number(batch, found))
    return in_english(batch, table.sites(found, "place"), language)


def _beside_number(batch: Batch, found: Found) -> Bool:
    """Mark the phrases with a number before or behind them, in digits or in words."""
    beside = np.zeros(len(found.rows), np.bool_)
    for rows in (before(batch, found.first), after(batch, found.last)):
        starts = batch.words.starts[rows]
        number = among(batch, rows, _number_words())
        beside |= number | ((rows >= 0) & of_kind(Kind.DIGIT).mask(batch.codes[starts]))
    return beside


@cache
def _number_words() -> frozenset[str]:
    return frozenset(word for row in read_rows("english", "numbers.tsv") for word in row[1:])


# SCOWL's sizes up to here hold the words that everyone knows.
_COMMON = 35
# More often a unit, a time of day, a name, a sign or a word of another kind.
_SOMETHING_ELSE = frozenset(
    "atm br cc cm cn da dm eta gl gm hu ic im max mb mid nm np op pm ps sm sn st tc tia tm ty wb "
    "xx yo".split()
)


@cache
def _abbreviations(direction: str, kind: str, digits: bool) -> Phrases:
    rows = [
        (full, short)
        for full, short, own_kind in read_rows("english", "abbreviations.tsv")
        if kind in ("any", own_kind) and (digits or not has_digit(short))
    ]
    if direction == "shorten":
        return Phrases(rows)
    sizes = read_rows("english", "word_sizes.tsv")
    words = {word for word, size in sizes if int(size) <= _COMMON} | _SOMETHING_ELSE
    return Phrases(
        (short, full) for full, short in rows if len(short) > 1 and short.rstrip(".") not in words
    )


Direction = Literal["contract", "expand", "both"]
# What must follow for a contraction to read well.
_ANYTHING, _WORD, _PARTICIPLE, _NO_SUBJECT, _BASE_FORM = range(5)
# In "what he has left" it is no part of the verb.
_REMAINING = frozenset(["left"])
_SUBJECTS = frozenset("i you he she it we they there".split())
# Verbs, but in "let us in" none.
_PARTICLES = frozenset("in out off down up on by through over along around back".split())


@perturbator(
    "contraction",
    unit="place",
    summary="Write don't for do not, and do not for don't.",
    label_risk="low",
    languages=tuple(code for code in LANGUAGES if code != "es"),
    touches={"words", "punctuation", "space"},
    version=5,
    source="own tables (wordlists/english/contractions.tsv, wordlists/languages/contractions.tsv)",
    intensities=PLACES,
    example="I do not know why it's late, so he can't say what they have done, and I am not told.",
)
def contraction(
    batch: Batch,
    *,
    direction: Direction = "both",
    informal: bool = False,
    language: Literal["auto", "en", "de", "fr", "it", "nl", "pt"] = "auto",
) -> Sites:
    """Contract and expand; `p` is a share of the places where that can be done.

    What reads badly is no site: a contraction with nothing after it (yes, I am), "has" and its like
    where no participle follows (he has two), n't before its subject (don't you), and "let us" where
    no verb follows (let us in). In other languages only those count that may be written or not:
    German in dem and im, Italian come è and com'è, Portuguese em um and num. Spanish has none.

    Args:
        batch: the texts.
        direction: "contract", "expand" or "both". A contraction of several full forms (it's: it is
            or it has) is never expanded.
        informal: whether the table's informal ones are used as well: gonna, wanna, 'cause. Nearly
            all of French (tu as and t'as) and Dutch (het and 't) are.
        language: "auto" leaves texts alone that are evidently not English; any other takes all
            texts for that language.
    """
    if not is_english(language):
        return in_english(batch, _contracted(batch, direction, informal, language), language)
    table, follows = _contractions(direction, informal)
    found = table.find(batch)
    fitting = found.keep(_fitting(batch, found, follows[found.rows]))
    return in_english(batch, table.sites(fitting, "place"), language)


@cache
def _contractions(direction: Direction, informal: bool) -> tuple[Phrases, Int64]:
    """Return the pairs, and what must follow each of them."""
    pairs: list[tuple[str, str]] = []
    for full, short, style, meanings in read_rows("english", "contractions.tsv"):
        if style == "standard" or informal:
            if direction != "expand":
                pairs.append((full, short))
            if direction != "contract" and meanings == "one":
                pairs.append((short, full))
    table = Phrases(pairs)
    return table, np.array([_what_follows(key) for key in table.keys])


def _what_follows(key: str) -> int:
    words = key.split(" ")
    if key.endswith("n't"):
        return _NO_SUBJECT
    if key == "let us":
        return _BASE_FORM
    if len(words) != 2 or words[1] == "not":
        return _ANYTHING
    return _PARTICIPLE if words[1] in ("have", "has", "had") else _WORD


def _fitting(batch: Batch, found: Found, follows: Int64) -> Bool:
    """Mark the phrases that are followed by what they need."""
    behind = after(batch, found.last)
    rows = np.flatnonzero(behind >= 0)
    met = np.zeros((len(follows), 5), np.bool_)
    met[:, _ANYTHING] = True
    met[rows, _WORD] = True
    met[rows, _PARTICIPLE] = _verbs(batch.words.take(behind[rows]), VBN)
    met[rows, _BASE_FORM] = _verbs(batch.words.take(behind[rows]), VB)
    met[:, _BASE_FORM] &= ~among(batch, behind, _PARTICLES)
    met[:, _PARTICIPLE] &= ~among(batch, behind, _REMAINING)
    met[:, _NO_SUBJECT] = ~among(batch, behind, _SUBJECTS)
    fitting: Bool = met[np.arange(len(follows)), follows]
    return fitting


def _verbs(words: Strings, form: int) -> Bool:
    """Mark the words that can be a form of a verb."""
    surfaces = lookup(words.codes, words.starts, words.ends)
    verbs: Bool = (surfaces >= 0) & (load().masks[surfaces, VERB] & form > 0)
    return verbs


def _contracted(batch: Batch, direction: Direction, informal: bool, language: str) -> Sites:
    """Return where another language than English contracts or expands."""
    table, wants = _other_contractions(direction, informal, language)
    found = table.find(batch)
    words, codes, letters = batch.words, batch.codes, capitals()
    behind = after(batch, found.last)
    before_capital = (behind >= 0) & letters.mask(codes[words.starts[behind]])
    comma = (codes[found.starts - 1] == ord(" ")) & (codes[found.starts - 2] == ord(","))
    small = ~letters.mask(codes[words.starts[found.first]])
    met = np.array(
        [np.ones_like(small), before_capital & ~comma, small & ~before_capital],
    )
    fitting: Bool = met[wants[found.rows], np.arange(len(found.rows))]
    return table.sites(found.keep(fitting), "place")


_WANTS = ("any", "noun", "small")


@cache
def _other_contractions(
    direction: Direction, informal: bool, language: str
) -> tuple[Phrases, Int64]:
    """Return the pairs of a language, and what each wants around it, as a row of `_WANTS`."""
    pairs: dict[tuple[str, str], str] = {}
    for full, short, style, way, wants in rows_of(language, "contractions.tsv"):
        if style == "standard" or informal:
            if way != "expand" and direction != "expand":
                pairs[full, short] = wants
            if way != "contract" and direction != "contract":
                pairs[short, full] = wants
    table = Phrases(pairs, accents=True)
    wanted = {key: wants for (key, _), wants in pairs.items()}
    return table, np.array([_WANTS.index(wanted[key]) for key in table.keys])
