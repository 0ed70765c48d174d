"""People of another gender, or with other names."""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.text.characters import set_of
from perturb.lexicon.contexts import ASKING, about_works, bare_texts
from perturb.lexicon.numerals import in_digits
from perturb.lexicon.phrases import (
    Found,
    Phrases,
    after,
    among,
    before,
    begins_with_digit,
    count_among,
    decent,
    is_capital,
    words_among,
)
from perturb.lexicon.store import is_function, is_rather, load, may_be, surfaces_of
from perturb.lexicon.stray import TECHNICAL, in_code, in_heads, of_trade
from perturb.lexicon.tags import ADJECTIVE, NOUN, VB, VBD, VBZ, VERB
from perturb.perturbators.declaration import consistent_perturbator
from perturb.perturbators.people._name_tables import (
    FEMALE,
    MALE,
    ORIGINS,
    names,
    surnames,
    without_possessive,
)
from perturb.perturbators.people._names import (
    KNOWN_ALONE,
    TITLES,
    does,
    find_names,
    find_people,
    is_titled,
    marked,
    other_names,
    other_surnames,
    with_longer_names,
)
from perturb.perturbators.people._searches import with_full_names
from perturb.perturbators.shared.names import has_capital, in_names, is_name
from perturb.perturbators.shared.written import Written, in_order, rephrased, together
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64, distinct

Origin = Literal["any", "european", "african_american", "hispanic", "asian"]
Direction = Literal["both", "to_female", "to_male"]
Kind = Literal["any", "pronouns", "words", "names"]
NameKind = Literal["any", "first", "last"]

# Function words that may follow a possessive.
_NUMBERS = frozenset(
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty hundred half double".split()
)
_OWNED = _NUMBERS | frozenset(
    "back own other first second third fourth fifth sixth seventh eighth ninth tenth last next "
    "only whole very most many few little more".split()
)
_JOINS, _POSSESSIVES = frozenset(["or", "and"]), frozenset(["his", "her", "their"])
_GIVES = frozenset(
    "give gives gave given giving pay pays paid paying cost costs charge charges charged owe owes "
    "owed offer offers offered hand hands handed lend lends lent send sends sent show shows showed "
    "tell tells told ask asks asked teach teaches taught bring brings brought buy buys bought "
    "leave leaves left leaving take takes took save saves saved earn earns earned".split()
)
_LETS = frozenset("help helps helped helping let lets make makes made see sees saw hear".split())
_COUNTS = _NUMBERS | frozenset("one a an the some another any enough all each".split())
# A first name this many times further down its list than down that of surnames is rather a surname:
# Anderson. With 4, 44 of the 2,277 first names are; with 2 Cole and Grant would be as well, with 8
# Allen and Mitchell would not. Chosen by hand on 24 November 2026.
_RATHER = 4
_ROYAL = frozenset("king queen prince princess duke duchess emperor empress".split())
_ENDS = ".,;:!?)\n"
# A text with one of these is about what only a man or only a woman has or does.
_OF_ONE_SEX = frozenset(
    "abortion cervical cervix circumcised circumcision endometriosis foreskin gestation "
    "gestational gravida gyn gynecologic gynecologist gynecology hypospadias hysterectomy labia "
    "mammogram mammography maternity menarche menopausal menopause menses menstrual menstruation "
    "midwife miscarriage nulliparous obstetric obstetrician obstetrics ovarian ovaries ovary pap "
    "paternity penile penis placenta postmenopausal postpartum pregnancies pregnancy pregnant "
    "prenatal prostate prostatic psa scrotal scrotum semen sperm testes testicle testicles "
    "testicular uterine uterus vagina vaginal vasectomy vulva".split()
)
# Sisters that are no people: a sister species.
_KINDRED = frozenset(
    "lineage lineages species group groups taxon taxa clade clades ship ships city cities company "
    "companies project projects site sites publication channel station cell cells".split()
)
_YEARS = 1000, 2099
_ONESELF = frozenset("i i'm i've me we us".split())
_PRIVATE = frozenset("i i'm i've my mine myself our your yours".split())


@consistent_perturbator(
    "name_swap",
    version=10,
    touches={"words"},
    source="first names of the Social Security Administration, with the origins of K. Tzioumis, "
    "Demographic aspects of first names, 2018 (wordlists/english/first_names.tsv); surnames of the "
    "2020 Census (wordlists/english/surnames.tsv)",
    example="Janet told Tom Olson that Tom's sister had seen Mrs. Olson. She and Janet laughed.",
)
def name_swap(
    batch: Batch, *, origin: Origin = "any", replaced: Origin = "any", kind: NameKind = "any"
) -> Sites:
    """Rename people, consistently throughout a text, and keep genders.

    Replace all names of people in a text, each by one other; `p` is a share of such texts.

    A first name becomes one of its gender, so pronouns still agree. A surname is known by the first
    name or title before it (Ann Young, Mr. Brown), and replaced throughout its text. A new name is
    never one that the text has already. Some names stay: first names of both genders (Chris), words
    at the start of a sentence (Rose), famous people in WordNet (Abraham Lincoln) and those whom a
    law or a firm is named after (Dalton's theory, the Miller-Urey experiment), and names next to
    another word with a capital, which may be a famous person, a place or a work (Albert Einstein,
    St. John). A name that is a word or a surname as well needs evidence of a person: a pronoun, a
    verb, a title, somebody else's name. In a text without capitals a first name counts right before
    a surname, if neither is a word and nothing makes them a title. A nickname is a name of its own:
    Tom and Thomas become two people.

    The risk: a question about a famous person who is on no list (how old was Josh Norman) then has
    no answer. Give question, passage and answer as fields of one row, which change together, or
    leave knowledge questions out.

    Args:
        batch: the texts.
        origin: the origin of the new names, as most frequent in the United States: "european",
            "african_american", "hispanic", "asian", or "any".
        replaced: the origin of the names to replace; "any" for all.
        kind: "first" or "last" for first names or surnames alone, or "any".
    """
    people, number = with_full_names(batch, find_people(batch)), (*ORIGINS, "any").index(origin)
    first, last = people.first, people.last
    genders, origins = names().genders[first.rows], np.full(len(first.rows), number)
    others = other_names(batch, first, genders, origins)
    firsts = (others >= 0) & (kind != "last")
    other_lasts = other_surnames(batch, people, number)
    lasts = (other_lasts >= 0) & (kind != "first")
    if replaced != "any":
        firsts &= names().origins[first.rows] == ORIGINS.index(replaced)
        lasts &= surnames().origins[last.rows] == ORIGINS.index(replaced)
    renamed = names().writes(batch, first, firsts, others)
    families = surnames().writes(batch, last, lasts, other_lasts)
    return together(batch, in_order([renamed, families]))


@consistent_perturbator(
    "gender_swap",
    version=11,
    touches={"words"},
    source="R. H. Maudslay et al., It's All in the Name, EMNLP 2019 (names and words swapped "
    "together); own table (wordlists/english/gender_words.tsv)",
    example="Tom's sister gave him her book. He and his wife thanked her for it; it was hers.",
)
def gender_swap(batch: Batch, *, direction: Direction = "both", kind: Kind = "any") -> Sites:
    """Write she for he, sister for brother, and Anna for Tom, throughout a text.

    Exchange the genders of all people in a text; `p` is a share of the texts with any.

    The next word decides whether "her" becomes "his" or "him", with an error now and then. A text
    with a longer name (Marie Curie) stays, since pronouns may refer to a famous person, and so does
    one that names people by surnames alone (Hutton published his ideas; in 1943 Tesla died), unless
    these are words as well (Baker) or not in the table; surnames themselves never change. So does a
    text without capitals, unless it is about the writer's or the reader's people and names nobody
    (my brother and his wife). Names of both genders (see `name_swap`) and other words with a
    capital (King Lear) stay, and so do things that only a man or a woman can be or have: a beard. A
    text about what only one of them has, such as a pregnancy or a prostate, stays as a whole.

    The risk: a statement about a famous person who is on no list (what did Saladin write in his
    letter) becomes false. Give question, passage and answer as fields of one row, which change
    together, or leave knowledge questions out.

    Args:
        batch: the texts.
        direction: "both" exchanges, "to_female" writes she for he alone, "to_male" he for she.
        kind: "pronouns", "words" (nouns and titles) or "names" alone, even if the rest of the text
            then contradicts them; or "any" of these.
    """
    people, table = find_names(batch), names()
    genders = table.genders[people.rows]
    # A name without a typical origin gets one of the largest.
    others = other_names(batch, people, 1 - genders, np.maximum(table.origins[people.rows], 0))
    fits = (others >= 0) & (kind in ("any", "names"))
    fits &= genders != {"both": -1, "to_female": FEMALE, "to_male": MALE}[direction]
    words = _gendered(batch, direction, kind)
    places = in_order([words, table.writes(batch, people, fits, others)])
    if kind == "any":
        known = with_longer_names(batch) | _of_others(batch) | _of_surnames(batch)
        known |= count_among(batch, _OF_ONE_SEX) > 0
        # In a search for a song or a film any word may be of its title: my two dads.
        asked, private = (count_among(batch, words) > 0 for words in (ASKING, _ONESELF))
        known |= (about_works(batch) | ~private) & asked & bare_texts(batch)
        places = places.keep(~known[batch.text_of(places.starts)])
    return together(batch, places)


def _of_others(batch: Batch) -> Bool:
    """Mark texts without capitals that have a name, or aren't about the writer's own people."""
    named = batch.count(names().phrases.find(batch).starts) > 0
    private = count_among(batch, _PRIVATE) > 0
    return (named | ~private) & bare_texts(batch)


def _of_surnames(batch: Batch) -> Bool:
    """Mark texts that name people by surnames alone, and nobody by a first name or a title.

    Beside surnames, which the table has, these are names in texts with a year, of rarer people.
    """
    known, found = names().phrases.find(batch), surnames().phrases.find(batch)
    _, single = without_possessive(known, names())
    _, last = without_possessive(found, surnames())
    first = marked(batch, known.first[~_are_surnames()[single.rows]])
    sure = ~surnames().words[last.rows] | is_name(batch, found.first)
    alone = found.first[sure & ~first[found.first] & ~is_titled(batch, found.first)]
    alone = alone[has_capital(batch, alone)]
    alone = distinct(np.append(alone, _in_history(batch)))
    (people,) = first[:-1].nonzero()
    people = people[has_capital(batch, people)]
    people = distinct(np.append(people, words_among(batch, TITLES)))
    starts = batch.words.starts
    marks: Bool = (batch.count(starts[alone]) > 0) & (batch.count(starts[people]) == 0)
    return marks


def _in_history(batch: Batch) -> Int64:
    """Return the names, of texts with a year, that do something: Tesla died in 1943."""
    (rows,) = has_capital(batch, np.arange(len(batch.words))).nonzero()
    rows = rows[is_name(batch, rows) & ~has_capital(batch, before(batch, rows))]
    verbs, numbers = after(batch, rows), in_digits(batch)
    acts = does(batch, verbs, VBD | VBZ)
    years = numbers.keep((numbers.values >= _YEARS[0]) & (numbers.values <= _YEARS[1]))
    dated = batch.count(years.starts) > 0
    return rows[acts & dated[batch.text_of(batch.words.starts[rows])]]


@cache
def _are_surnames() -> Bool:
    """Mark the first names that are rather surnames: far commoner as such, or of famous people."""
    firsts, lasts = (list(map(str.lower, t.spelled.to_list())) for t in (names(), surnames()))
    last = {name: place for place, name in enumerate(lasts)}
    common = [_RATHER * last.get(name, place + 1) < place for place, name in enumerate(firsts)]
    return np.array(common) | np.isin(firsts, [*KNOWN_ALONE])


class _Table(NamedTuple):
    """The pairs, the length of the ending of each key, and the keys with a capital but no name."""

    phrases: Phrases
    endings: Int64
    titles: Bool


@cache
def _table(direction: Direction, kind: Kind) -> _Table:
    """Return the words to replace, with their replacements; endings stay."""
    pairs: list[tuple[str, str]] = []
    endings: dict[str, int] = {}
    titles = set()
    for male, female, ways, sort in read_rows("english", "gender_words.tsv"):
        if kind in ("any", "names", {"pronoun": "pronouns"}.get(sort, "words")):
            both = [(male, female)] if ways != "female" and direction != "to_male" else []
            both += [(female, male)] if ways != "male" and direction != "to_female" else []
            spoken = ("'d", "'ll", "'d've") if sort == "pronoun" else ()
            for ending in ("", "'s", *spoken, *("s" * (male == "he"))):  # shes, in chats
                pairs += [(key + ending, other) for key, other in both]
                endings |= {key + ending: len(ending) for key, _ in both}
                titles |= {key + ending for key, _ in both if sort != "noun"}
    phrases = Phrases(decent(pairs))
    lengths = [endings[key] for key in phrases.keys]
    return _Table(phrases, np.array(lengths), np.array([key in titles for key in phrases.keys]))


def _gendered(batch: Batch, direction: Direction, kind: Kind) -> Written:
    """Return the words with a gender, in the form that fits the next word, without endings."""
    table = _table(direction, kind)
    phrases, matches = table.phrases, table.phrases.find(batch)
    technical = of_trade(batch, TECHNICAL)[batch.text_of(matches.starts)]
    fits = table.titles[matches.rows] | ~(in_names(batch, matches) | technical)
    fits &= ~among(batch, after(batch, matches.last), _KINDRED) & ~in_code(batch)[matches.first]
    fits &= ~(_is_sign(batch, matches) | _is_other(batch, matches))
    fits &= ~(among(batch, matches.first, _ROYAL) & among(batch, after(batch, matches.last), "of"))
    matches = matches.keep(fits & (kind != "names"))
    matches = matches.keep(~_is_kindred(batch, matches))
    ends, rows = matches.ends - table.endings[matches.rows], matches.rows.copy()
    number = {key: row for row, key in enumerate(phrases.keys)}
    for word, form, holds in (("her", "her_alone", _is_object), ("his", "his_alone", _is_alone)):
        if word in number:
            of_word = rows == number[word]
            alone = holds(batch, matches.keep(of_word))
            rows[of_word] = np.where(alone, number[form], number[word])
    matches = matches._replace(ends=ends, rows=rows)
    return rephrased(batch, phrases, matches, lane=0)


def _is_kindred(batch: Batch, matches: Found) -> Bool:
    """Mark "sister to" in texts with nobody else, where it is said of species: A is sister to B."""
    marks: Bool = among(batch, matches.first, "sister brother")
    marks &= among(batch, after(batch, matches.last), "to")
    others = batch.count(matches.starts[~marks]) + batch.count(find_names(batch).starts)
    marks &= (others == 0)[batch.text_of(matches.starts)]
    return marks


def _is_other(batch: Batch, matches: Found) -> Bool:
    """Mark milliseconds, heads of columns, and "man" alone, which is a command: 5 ms, run man."""
    left, heads = before(batch, matches.first), batch.codes[matches.starts]
    units = among(batch, matches.first, "ms") & ~is_capital(heads)
    led = is_function(batch, left) | may_be(batch, left, ADJECTIVE, 1)
    alone = among(batch, matches.first, "man") & ~((left >= 0) & led)
    return units | alone | in_heads(batch, matches.starts)


def _is_sign(batch: Batch, matches: Found) -> Bool:
    """Mark the words in capitals beside others that aren't, as in (HE)."""
    left, right = before(batch, matches.first), after(batch, matches.last)
    seconds = batch.codes[np.append(batch.words.starts + 1, 0)]
    alone: Bool = ~is_capital(seconds[left]) & ~is_capital(seconds[right])
    alone &= is_capital(batch.codes[matches.starts + 1])
    return alone


def _is_object(batch: Batch, matches: Found) -> Bool:
    """Mark each "her" that is "him" rather than "his": nothing that one owns follows."""
    left, right = before(batch, matches.first), after(batch, matches.last)
    counted = among(batch, right, _COUNTS) | begins_with_digit(batch, right)
    lets = among(batch, left, _LETS) & _is_result(batch, right)
    return ~_is_owned(batch, right) | (among(batch, left, _GIVES) & counted) | lets


def _is_alone(batch: Batch, matches: Found) -> Bool:
    """Mark each "his" that is "hers" rather than "her"."""
    right = after(batch, matches.last)
    codes = batch.codes[matches.ends]
    ends = set_of(_ENDS).mask(codes) | (codes == 0)
    return np.where(right < 0, ends, ~_is_owned(batch, right))


def _is_owned(batch: Batch, rows: Int64) -> Bool:
    """Mark the words that may follow a possessive; a row of -1 never does."""
    owned = (rows >= 0) & (~is_function(batch, rows) | among(batch, rows, _OWNED))
    # His or her.
    beyond = after(batch, rows)
    return owned | (among(batch, rows, _JOINS) & among(batch, beyond, _POSSESSIVES))


def _is_result(batch: Batch, rows: Int64) -> Bool:
    """Mark verbs in their base form, and adjectives at an end, that are rarely nouns."""
    surfaces = surfaces_of(batch, rows)
    weights = load().weights[surfaces]
    verb = is_rather(batch, rows, VERB, VB, NOUN)
    adjective = (surfaces >= 0) & (weights[:, ADJECTIVE] > weights[:, NOUN])
    return verb | (adjective & (after(batch, rows) < 0))
