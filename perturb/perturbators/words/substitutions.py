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
from perturb.engine.text.characters import Kind
from perturb.lexicon.phrases import Found, Phrases, after, among, before, decent
from perturb.lexicon.store import load, may_be, surfaces_of
from perturb.lexicon.tags import ADJECTIVE, VB, VBN, VERB
from perturb.perturbators.declaration import english_perturbator, place_perturbator
from perturb.perturbators.shared.character_tables import has_digit
from perturb.perturbators.shared.english import (
    LANGUAGES,
    AnyLanguage,
    in_english,
    is_english,
    rows_of,
)
from perturb.perturbators.shared.names import in_names
from perturb.perturbators.shared.written import in_order, rephrased
from perturb.perturbators.words._sounds import mistyped
from perturb.registry.definition import WORDS
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64


@place_perturbator(
    "homophone",
    languages=(*LANGUAGES, "ja", "zh"),
    touches={"words", "meaning"},
    expect="same",
    version=6,
    source="CMUdict pronunciations of common words (wordlists/english/homophones.tsv); counts of "
    "the Birkbeck spelling error corpus (wordlists/english/homophone_confusions.tsv); own table of "
    "other languages (wordlists/languages/homophones.tsv); pinyin by pypinyin "
    "(wordlists/languages/pinyin.tsv); readings of kanji by mecab-ipadic, own table of kana "
    "(wordlists/languages/kanji_readings.tsv, kana.tsv)",
    intensities=WORDS,
    example="They wait for their son by the sea, and know whether it's the right week to sail.",
)
def homophone(
    batch: Batch,
    *,
    profile: Literal["common", "all"] = "common",
    language: Literal[AnyLanguage, "ja", "zh"] = "auto",
) -> Sites:
    """Write a word that sounds the same: their for there.

    Replace words by others of the same sound; `p` is a share of the words that have any.

    In Chinese ("zh") a common character is replaced by another with the same syllable of pinyin,
    whatever its tone; texts with kana are Japanese, and stay. In Japanese ("ja") kana are replaced
    by others of the same sound, small ones by large, long vowels by other spellings or short ones,
    and keys are dropped that a conversion from Latin letters needs; and a noun of two kanji becomes
    another with the same reading. Texts without kana stay.

    Args:
        batch: the texts.
        profile: "common" takes words that writers are known to confuse (their and there, its and
            it's, principal and principle), in proportion to counts; "all" takes all common words of
            the same sound. Other languages have one table, of words that writers confuse (das and
            dass), without counts: all are equally likely.
        language: "auto" leaves texts alone that are evidently not English; any other treats all
            texts as that language.
    """
    if language in ("ja", "zh"):
        return mistyped(batch, language)
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
    """Yield words of a language other than English, each with a replacement."""
    for (group,) in rows_of(language, "homophones.tsv"):
        word, one_way, others = group.partition(" > ")
        written = (others if one_way else group).split(" / ")
        yield from product([word], written) if one_way else permutations(written, 2)


@english_perturbator(
    "misspelling",
    touches={"letters"},
    version=4,
    source="own table (wordlists/english/misspellings.tsv), and rules",
    intensities=WORDS,
    example="I definitely received their address, but was it necessary to believe them?",
)
def misspelling(batch: Batch, *, rules: bool = True) -> Sites:
    """Misspell a word as people do: recieve, definately, alot.

    Replace words by common misspellings; `p` is a share of the words that have any.

    Args:
        batch: the texts.
        rules: whether rules misspell words outside the table: ie and ei exchanged, a double
            consonant written once, -able and -ible, -ance and -ence exchanged. Words of fewer than
            five letters stay, and no rule makes another word of the lexicon.
    """
    table = _misspellings(rules)
    return table.sites(table.find(batch), "place")


@cache
def _misspellings(rules: bool) -> Phrases:
    attested = [row[:2] for row in read_rows("english", "misspellings.tsv")]
    if not rules:
        return Phrases(attested)
    known = {right for right, _ in attested}
    made = read_rows("english", "rule_misspellings.tsv")
    return Phrases(attested + [row for row in made if row[0] not in known])


@english_perturbator(
    "spelling_variant",
    touches={"letters"},
    version=4,
    source="SCOWL's American and British spellings (wordlists/english/spelling_variants.tsv)",
    example="The colour of the theater at the center of my neighbor’s town is grey.",
)
def spelling_variant(
    batch: Batch, *, direction: Literal["us_to_gb", "gb_to_us", "both"] = "both"
) -> Sites:
    """Spell a word as on the other side of the Atlantic: colour for color.

    Exchange American and British spellings; `p` is a share of the words that have both.

    Names stay, that is words with a capital inside a sentence: Pearl Harbor.

    Args:
        batch: the texts.
        direction: "us_to_gb" writes the British spelling, "gb_to_us" the American one, "both" the
            other one.
    """
    table = _variants(direction)
    matches = table.find(batch)
    return table.sites(matches.keep(~in_names(batch, matches)), "place")


@cache
def _variants(direction: str) -> Phrases:
    rows = [(us, gb) for us, gb in read_rows("english", "spelling_variants.tsv")]
    back = [(gb, us) for us, gb in rows]
    return Phrases(decent({"us_to_gb": rows, "gb_to_us": back, "both": rows + back}[direction]))


@english_perturbator(
    "abbreviation",
    touches={"words"},
    source="own table (wordlists/english/abbreviations.tsv)",
    version=6,
    example="BTW, please reply as soon as possible, thanks. See you tomorrow before noon.",
)
def abbreviation(
    batch: Batch,
    *,
    direction: Literal["shorten", "expand"] = "shorten",
    kind: Literal["any", "chat", "notes", "sms", "slang"] = "any",
    digits: bool = False,
) -> Sites:
    """Write as in chats and notes: asap for as soon as possible, pls for please.

    Shorten words and phrases, or write them out; `p` is a share of those that can be.

    Args:
        batch: the texts.
        direction: "shorten", or "expand", which leaves doubtful abbreviations alone: numbers,
            single letters, units and common words, such as 2, u, cm and st.
        kind: "chat" has initials and short words of chats (btw, lol, pls), "notes" abbreviations of
            hurried notes and work (w/, dept, approx, eta), "sms" spellings that save letters (u,
            wk, luv); "any" has all of these, and "slang" also writes the commonest words by ear
            (da, wuz).
        digits: whether to write words with digits as well (2moro, gr8, 4 for for), but not next to
            a number.
    """
    table = _abbreviations(direction, kind, digits)
    matches = table.find(batch)
    if digits and direction == "shorten":
        matches = matches.keep(~_beside_number(batch, matches))
    return table.sites(matches, "place")


def _beside_number(batch: Batch, matches: Found) -> Bool:
    """Mark the phrases with a number before or behind them, in digits or in words."""
    beside = np.zeros(len(matches.rows), np.bool_)
    for rows in (before(batch, matches.first), after(batch, matches.last)):
        starts = batch.words.starts[rows]
        number = among(batch, rows, _number_words())
        beside |= number | ((rows >= 0) & of_kind(Kind.DIGIT).mask(batch.codes[starts]))
    return beside


@cache
def _number_words() -> frozenset[str]:
    return frozenset(word for row in read_rows("english", "numbers.tsv") for word in row[1:])


# SCOWL's sizes up to this one hold its small dictionary, the words that nearly everyone knows. Set
# by hand on 21 November 2026: a larger size would keep more abbreviations from being expanded.
_COMMON = 35
# More often a unit, a time of day, a name, a symbol or a word of another kind.
_SOMETHING_ELSE = frozenset(
    "atm br cc cm cn da dm eta gl gm hu ic im km max mb mid min nm np op pm ps sm sn st tc tia tm "
    "ty wb xx yo".split()
)


@cache
def _abbreviations(direction: str, kind: str, digits: bool) -> Phrases:
    rows = [
        (full, short)
        for full, short, own_kind in read_rows("english", "abbreviations.tsv")
        if (kind in ("slang", own_kind) or (kind == "any" and own_kind != "slang"))
        and (digits or not has_digit(short))
    ]
    if direction == "shorten":
        return Phrases(rows)
    sizes = read_rows("english", "word_sizes.tsv")
    words = {word for word, size in sizes if int(size) <= _COMMON} | _SOMETHING_ELSE
    return Phrases(
        (short, full) for full, short in rows if len(short) > 1 and short.rstrip(".") not in words
    )


Direction = Literal["contract", "expand", "both"]
# The words that must follow for a contraction to read well, in the order of `_met_in_english`.
_ANYTHING, _WORD, _PARTICIPLE, _NO_SUBJECT, _BASE_FORM, _IS, _HAS, _WOULD, _HAD = range(9)
# The need that identifies each full form of an ambiguous contraction: it's late, it's been late.
_READINGS = {"is": _IS, "has": _HAS, "would": _WOULD, "had": _HAD}
# The needs of contractions in other languages.
_NEEDS = ("any", "noun", "small")
# Nobody asks cela va.
_CA, _VA = frozenset(["ça"]), frozenset(["va"])
_SUBJECTS = frozenset("i you he she it we they there".split())
# After "let us" these may also be verbs, but not in "let us in".
_PARTICLES = frozenset("in out off down up on by through over along around back".split())
# Between a verb and its participle.
_ADVERBS = frozenset(
    "already also always certainly ever even finally just never not now often only probably rather "
    "really simply sometimes soon still usually".split()
)


@place_perturbator(
    "contraction",
    languages=tuple(code for code in LANGUAGES if code != "es"),
    touches={"words", "punctuation", "space"},
    version=7,
    source="own tables (wordlists/english/contractions.tsv, wordlists/languages/contractions.tsv)",
    example="I do not know why it's late, so he can't say what they have done, and I am not told.",
)
def contraction(
    batch: Batch,
    *,
    direction: Direction = "both",
    informal: bool = False,
    language: Literal["auto", "en", "de", "fr", "it", "nl", "pt"] = "auto",
) -> Sites:
    """Write don't for do not, and do not for don't.

    Contract and expand; `p` is a share of the places where that is possible.

    Awkward contractions are avoided: one with nothing after it (yes, I am), "has" and the like
    without a participle (he has two), n't before its subject (don't you), and "let us" without a
    verb (let us in). In other languages only optional contractions count: German in dem and im,
    Italian come è and com'è, Portuguese em um and num. Spanish has none.

    Args:
        batch: the texts.
        direction: "contract", "expand" or "both". A contraction with two full forms is expanded if
            the next word decides between them: it's late, it's been late, he'd go, he'd gone; not
            "it's rained", nor a possible possessive (Ann's here).
        informal: whether to use informal ones as well: gonna, wanna, 'cause. Nearly all of French
            (tu as and t'as) and Dutch (het and 't) are informal.
        language: "auto" leaves texts alone that are evidently not English; any other treats all
            texts as that language.
    """
    places = []
    for table, needs in _contractions(direction, informal, language):
        matches = table.find(batch)
        meets = _met_in_english if is_english(language) else _met_elsewhere
        matches = matches.keep(np.choose(needs[matches.rows], meets(batch, matches)))
        places.append(rephrased(batch, table, matches, lane=0))
    return in_english(batch, in_order(places).sites(), language)


@cache
def _contractions(
    direction: Direction, informal: bool, language: str = "en"
) -> list[tuple[Phrases, Int64]]:
    """Return the pairs of a language, and the number of the need of each.

    The second full form of a contraction, it has for it's, has a table of its own.
    """
    if is_english(language):
        rows = [
            [*row, "both", "" if meanings == "one" else row[0].rpartition(" ")[2]]
            for *row, meanings in read_rows("english", "contractions.tsv")
        ]
    else:
        rows = rows_of(language, "contractions.tsv")
    tables: list[dict[tuple[str, str], int]] = [{}, {}]
    for full, short, style, way, need in rows:
        if style == "standard" or informal:
            plain = _NEEDS.index(need) if need in _NEEDS else _what_follows(full)
            if "expand" not in (way, direction):
                tables[0][full, short] = plain
            if "contract" not in (way, direction):
                needed = _READINGS.get(need, plain if need else _what_follows(short))
                tables[need in ("has", "had")][short, full] = needed
    return [_with_needs(pairs, accents=not is_english(language)) for pairs in tables if pairs]


def _with_needs(pairs: dict[tuple[str, str], int], accents: bool) -> tuple[Phrases, Int64]:
    """Return the table of some pairs, and the need of each of its phrases."""
    needs = {key.lower(): need for (key, _), need in pairs.items()}
    table = Phrases(pairs, accents=accents)
    return table, np.array([needs[key] for key in table.keys])


def _what_follows(key: str) -> int:
    words = key.split(" ")
    if key.endswith("n't"):
        return _NO_SUBJECT
    if key == "let us":
        return _BASE_FORM
    if len(words) != 2 or words[1] == "not":
        return _ANYTHING
    return _PARTICIPLE if words[1] in ("have", "has", "had") else _WORD


def _met_in_english(batch: Batch, matches: Found) -> list[Bool]:
    """Mark, for each need, the phrases whose next words meet it."""
    behind = after(batch, matches.last)
    verb = _past_adverbs(batch, behind)
    participle, base = may_be(batch, verb, VERB, VBN), may_be(batch, verb, VERB, VB)
    has, subject = among(batch, verb, "been got had"), among(batch, behind, _SUBJECTS)
    better, weights = among(batch, verb, "better"), load().weights[surfaces_of(batch, verb)]
    adjective = weights[:, ADJECTIVE] > weights[:, VERB]
    return [
        np.ones(len(behind), np.bool_),
        behind >= 0,
        # In "the money he has left" it isn't part of the verb.
        may_be(batch, behind, VERB, VBN) & ~among(batch, behind, "left"),
        ~subject,
        may_be(batch, behind, VERB, VB) & ~among(batch, behind, _PARTICLES),
        (verb >= 0) & ~has & ~subject & (~participle | adjective),
        has,
        base & ~participle & ~better,
        (participle & ~base) | better,
    ]


def _past_adverbs(batch: Batch, rows: Int64) -> Int64:
    """Return the words at `rows`, or the words after them if these are adverbs of verbs."""
    for _ in range(2):
        behind = after(batch, rows)
        rows = np.where((behind >= 0) & among(batch, rows, _ADVERBS), behind, rows)
    return rows


def _met_elsewhere(batch: Batch, matches: Found) -> list[Bool]:
    """Mark, for each of `_NEEDS`, the phrases whose surroundings meet it."""
    words, codes, letters = batch.words, batch.codes, capitals()
    behind = after(batch, matches.last)
    before_capital = (behind >= 0) & letters.mask(codes[words.starts[behind]])
    comma = (codes[matches.starts - 1] == ord(" ")) & (codes[matches.starts - 2] == ord(","))
    small = ~letters.mask(codes[words.starts[matches.first]])
    fixed = among(batch, matches.first, _CA, accents=True) & among(batch, behind, _VA)
    return [~fixed, before_capital & ~comma, small & ~before_capital]
