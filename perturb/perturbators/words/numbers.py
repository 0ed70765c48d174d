"""Numbers in another form: in words, in digits, with commas or without.

Only quantities change: not years, labels, codes or parts of something larger.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Literal

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.places import are_among
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.characters import Kind, set_of
from perturb.engine.text.strings import Strings, packed, stack
from perturb.lexicon.contexts import about_works, bare_texts
from perturb.lexicon.numerals import Numbers, digits, in_digits, in_words, named
from perturb.lexicon.phrases import (
    after,
    among,
    before,
    begins_with_digit,
    is_capital,
    latin,
    parted,
)
from perturb.lexicon.store import is_function, is_rather, may_be, surfaces_of
from perturb.lexicon.stray import LEGAL, TECHNICAL, in_code, in_rows, of_trade
from perturb.lexicon.tags import ADJECTIVE, NN, NNS, NOUN, VB, VBD, VBN, VBZ, VERB
from perturb.perturbators.declaration import english_perturbator
from perturb.perturbators.machines._spoken import numbers_said
from perturb.perturbators.shared.character_tables import is_blank
from perturb.perturbators.shared.names import is_name
from perturb.perturbators.shared.written import alike
from perturb.perturbators.words import dates
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Codes, Int64

To = Literal["words", "digits", "separators", "speech"]
_OPENING = "([{\"'“‘«"
_CURRENCIES = "$€£¥"
_CLOSING = ".,;:?!]}\"'”’»"
# Four digits that may be a year. From `_RECENT` on they stay even before a plural noun (the 2012
# games); earlier ones rather count it (1,500 people without its comma). Set by hand on 22 November
# 2026.
_FIRST_YEAR, _LAST_YEAR = 1000, 2099
_RECENT = 1900
_MONTHS = frozenset(map(str.lower, dates.NUMBER))
_ERAS = frozenset("ad bc bce ce bp".split())
_LEADS_TO_YEAR = frozenset(
    "in since by from until till circa year years after before during around and".split()
)
# Next to these characters a number is part of a formula, of code or of data.
_CODE = "=+*/<>^%&|[]{}\\~@#_×÷−"
_BULLETS = "*+-–•·"
_DASHES = "-–−"
# Characters that may separate the groups of a number.
_GAPS = " \u00a0\u202f()-"
# A number after one of these names something: page 7.
_LABELS = frozenset(
    "no nos nr num number numbers page pages p pp chapter chapters section sections figure "
    "figures fig table tables step steps question questions problem problems exercise exercises "
    "example examples version versions room flight form article articles rule law route highway "
    "interstate volume vol issue unit grade level part parts item items option options line "
    "lines row rows column columns port id code zip pin isbn issn type model windows day "
    "week decimal octal hexadecimal rfc "
    "month phase case group team player test task lesson appendix equation eq theorem lemma act "
    "scene verse psalm agent gate platform channel area district lane exit suite apartment apt "
    "building floor invoice order ticket account case call dial phone telephone tel mobile fax "
    "class round stage season episode track book paragraph note footnote answer sec secs "
    "stat status value values x ×".split()
)
# A number before one of these is a code: 404 errors.
_CODED = frozenset("error errors exception exceptions status response responses code codes".split())
_NEAR = 3
_LEAST_STATUS, _MOST_STATUS = 100, 599
# Numbers from here on that commas part are pages, ports or codes: 272-275, 315.
_LISTED = 100
# Up to so many letters before a stop are an abbreviation: 200 U. S. 321.
_SHORT = 3
_AT = frozenset(["at"])
# Nouns and adjectives before a number that counts all the same.
_BEFORE_COUNT = frozenset("age first last next past previous other only top about".split())
# After a value, as of a flag.
_MEANS = frozenset("for if means indicates and or".split())
_SCALES = frozenset("km m mi lb lbs oz ft inch mph kmh".split())
_ALTERNATIVES = frozenset(["or", "to"])
_COUNTED = frozenset("percent hundred thousand million billion trillion dozen total".split())
# Before these a number stays, as no one writes ten mL.
_UNITS = frozenset(
    "ml dl cc mg mcg g kg cm mm mmhg meq ma mhz ghz khz hz db kb mb gb tb kbps ms fps dpi px "
    "v w kw hp psi rpm".split()
)
# The bit of the positive form of adjectives.
_PLAIN = 1
_MULTIPLIES = frozenset(["x", "×"])
_PAIRS = frozenset(["and", "or"])
_IS, _RANGES = frozenset("is was are were".split()), frozenset("and or to through until".split())
# From here on, digits without commas and without a plural noun after them are rather a telephone or
# account number. Set by hand on 23 November 2026.
_UNPARTED = 10**6
# "one" is a pronoun after some words and before others.
_LEADS_TO_ONE = frozenset(
    "no any every some each this that the which another other either neither first last".split()
)
_FOLLOWS_ONE = frozenset(
    "another by day who of should would could can may might must will shall needs has had is was "
    "does did".split()
)


@english_perturbator(
    "number_format",
    summary="Write a number in words, in digits, as it is said, or with or without commas.",
    touches={"digits", "words", "punctuation"},
    version=11,
    consistent=True,
    source="own table (wordlists/english/numbers.tsv)",
    example="She sold 12500 tickets in 24 days, twelve a minute, and 1,200 more to 3 schools.",
)
def number_format(batch: Batch, *, to: To = "words") -> Sites:
    """Write whole numbers below a trillion in another form; `p` is a share of them.

    Except for "speech", only quantities change: not parts of decimals, fractions, dates, times,
    ranges, phone numbers, formulas, code or percentages, nor labels (page 7, Apollo 11, 10 Downing
    Street), list markers and possible years; in documentation and law, only numbers that count
    something. In doubt a number stays.

    Args:
        batch: the texts.
        to: "words" spells numbers in digits (21 becomes twenty-one), but not amounts of money;
            "digits" writes numbers in words as digits; "separators" adds the commas of thousands to
            a number without them, and removes them from others; "speech" writes the spoken form of
            any number in digits, with its currency or percent sign and its unit: 99.2 is
            ninety-nine point two, 5:10 five ten, 5 kg five kilograms.
    """
    if to == "speech":
        said = numbers_said(batch)
        tied = set_of(_CODE + _DASHES)
        said = said.keep(
            ~tied.mask(batch.codes[said.starts - 1]) & ~tied.mask(batch.codes[said.ends])
        )
        return _spelled(batch, said.starts, said.ends, said.texts.take)
    if to == "digits":
        spelled = _quantities(batch, in_words(batch))
        return _sites(batch, spelled, lambda rows: digits(spelled.values[rows], commas=False))
    if to == "words":
        numbers = quantities_in_digits(batch)
        values = numbers.values
        return _spelled(batch, numbers.starts, numbers.ends, lambda rows: named(values[rows]))
    large = in_digits(batch)
    large = _alone(batch, large.keep(large.values >= 1000), _OPENING + _CURRENCIES)
    return _sites(batch, large, lambda rows: _regrouped(large, rows))


def quantities_in_digits(batch: Batch) -> Numbers:
    """Return the numbers in digits that can be spelled out, not next to another script."""
    numbers = _alone(batch, in_digits(batch), _OPENING)
    words, codes = batch.words, batch.codes
    left, right = before(batch, numbers.first), after(batch, numbers.last)
    fits = (left < 0) | latin().mask(codes[words.ends[left] - 1])
    return numbers.keep(fits & ((right < 0) | latin().mask(codes[words.starts[right]])))


def _sites(batch: Batch, numbers: Numbers, write: Callable[[Int64], Strings]) -> Sites:
    """Return a site at each number; `write` gives the replacements of those at some rows."""
    sites = Sites(numbers.starts, numbers.ends, "place", lambda chosen: write(chosen.rows))
    return alike(batch, sites)


def _spelled(batch: Batch, starts: Int64, ends: Int64, words: Callable[[Int64], Strings]) -> Sites:
    """Return sites whose words have a capital at the start of a text or sentence."""

    def write(chosen: Chosen) -> Strings:
        codes, places = batch.codes, chosen.texts.starts
        before_it, beyond = codes[places - 1], codes[places - 2]
        # A number alone in its line, as an answer is among the texts of a row, opens no sentence.
        opens = of_kind(Kind.NEWLINE).mask(before_it) & ~_breaks(codes[chosen.texts.ends])
        opens &= ~of_kind(Kind.LETTER).mask(beyond)  # a line that goes on
        opens |= before_it == 0
        opens |= of_kind(Kind.SPACE).mask(before_it) & set_of(".!?").mask(beyond)
        spelled = words(chosen.rows)
        spelled = packed(spelled.flat(), spelled.lengths)
        spelled.codes[spelled.starts[opens]] -= ord("a") - ord("A")
        return spelled

    return alike(batch, Sites(starts, ends, "place", write))


def _regrouped(numbers: Numbers, rows: Int64) -> Strings:
    """Add commas to the numbers at `rows` that have none, and remove them from the others."""
    values, had = numbers.values[rows], numbers.grouped[rows]
    other = np.arange(len(rows)) + np.where(had, len(rows), 0)
    return stack(digits(values, commas=True), digits(values, commas=False)).take(other)


def _quantities(batch: Batch, numbers: Numbers) -> Numbers:
    """Return the spelled numbers without "one" as a pronoun and without parts of fractions."""
    left, right = before(batch, numbers.first), after(batch, numbers.last)
    part = among(batch, left, frozenset(["point"])) | among(batch, right, _parts())
    return numbers.keep(~part & ~_is_pronoun(batch, numbers))


@cache
def _parts() -> frozenset[str]:
    """Return the words that make a fraction or a decimal of the number before them."""
    ordinals = [ordinal for _, _, ordinal in read_rows("english", "numbers.tsv")]
    plurals = [ordinal + "s" for ordinal in ordinals]
    return frozenset([*ordinals, *plurals, *"half halves quarter quarters point".split()])


def _alone(batch: Batch, numbers: Numbers, opening: str) -> Numbers:
    """Return the numbers in digits that are quantities of their own.

    Args:
        batch: the texts.
        numbers: numbers in digits.
        opening: the characters that may come right before one.
    """
    codes, ends, starts = batch.codes, numbers.ends, batch.words.starts
    before_it, behind = codes[numbers.starts - 1], codes[ends]
    fits = is_blank(before_it) | set_of(opening).mask(before_it)
    # A character tied to the number by punctuation, as in 5.a, makes it a code.
    fits &= is_blank(behind) | (set_of(_CLOSING).mask(behind) & ~are_among(ends + 1, starts))
    for refused in (_in_code, _is_label, _is_grouped, _is_date, _is_year, _is_term):
        fits[fits] = ~refused(batch, numbers.keep(fits))
    return numbers.keep(fits)


def _is_pronoun(batch: Batch, numbers: Numbers) -> Bool:
    """Mark each "one" that is or may be a pronoun: not before a noun or adjective."""
    left, right = before(batch, numbers.first), after(batch, numbers.last)
    counts = may_be(batch, right, NOUN, NN) | may_be(batch, right, ADJECTIVE, _PLAIN)
    pronoun = among(batch, left, _LEADS_TO_ONE) | among(batch, right, _FOLLOWS_ONE) | ~counts
    marks: Bool = pronoun & (numbers.values == 1)
    return marks


def _in_code(batch: Batch, numbers: Numbers) -> Bool:
    """Mark the numbers next to characters of formulas and code, and those that begin lines."""
    codes, starts, ends = batch.codes, numbers.starts, numbers.ends
    space, signs = of_kind(Kind.SPACE), set_of(_CODE)
    left, right = space.back(codes, starts), space.past(codes, ends)
    head, lead, behind = codes[left - 1], codes[starts - 1], codes[ends]
    bullet = set_of(_BULLETS).mask(head) & _opens_line(codes, left - 1)
    code = (signs.mask(head) | (set_of(_DASHES).mask(head) & (left < starts))) & ~bullet
    code |= signs.mask(codes[right]) | ((behind == ord(";")) & _closes_line(codes, ends + 1))
    # Values of JSON, arguments of calls, lists and labels: "n": 3, f(3), (3), 3) and 1. at the
    # start of a line.
    code |= (head == ord(":")) & set_of("\"'").mask(codes[np.maximum(left - 2, 0)])
    name = of_kind(Kind.LETTER, Kind.DIGIT, Kind.CONNECTOR)
    code |= (lead == ord("(")) & name.mask(codes[np.maximum(starts - 2, 0)])
    marker = set_of(".:").mask(behind) | _closes_line(codes, ends)
    # A text that is only a number, perhaps with a stop, is an answer: "42."
    text = batch.text_of(starts)
    answer = (batch.texts.starts[text] == starts) & (batch.texts.ends[text] - ends <= 1)
    # So is one that is a paragraph, as the texts of a row are.
    beyond = codes[np.minimum(ends + 1, len(codes) - 1)]
    answer |= (
        _breaks(lead)
        & _breaks(codes[np.maximum(starts - 2, 0)])
        & (lead != 0)
        & ((behind == 0) | (_breaks(behind) & _breaks(beyond)))
    )
    marks: Bool = code | (_opens_line(codes, starts) & marker & ~answer)
    return marks


def _is_label(batch: Batch, numbers: Numbers) -> Bool:
    """Mark the numbers that name something: page 7, Apollo 11, No. 5, 10 Downing Street."""
    left, right = before(batch, numbers.first), after(batch, numbers.last)
    label = among(batch, left, _LABELS) | among(batch, right, _MULTIPLIES)
    # My phone number is 6287822.
    label |= among(batch, left, _IS) & among(batch, before(batch, np.maximum(left, 0)), _LABELS)
    label |= (numbers.values >= _UNPARTED) & ~numbers.grouped & ~may_be(batch, right, NOUN, NNS)
    # The stop of an abbreviation.
    label |= among(batch, parted(batch, numbers.first, ".:"), _LABELS)
    label |= _is_cited(batch, numbers) | _is_status(batch, numbers, right)
    label |= _is_numbered(batch, numbers, left, right)
    return label | is_name(batch, left) | is_name(batch, right)


def _is_numbered(batch: Batch, numbers: Numbers, left: Int64, right: Int64) -> Bool:
    """Mark the numbers after the noun that they number: year 2, loan 1, subbasin 5.

    Without capitals a word before or after a number may be of a title, too: big 12, 30 rock.
    """
    counts = may_be(batch, right, NOUN, NNS) | among(batch, right, _COUNTED | _ALTERNATIVES)
    counts |= (numbers.values == 1) & may_be(batch, right, NOUN, NN)
    behind = (left >= 0) & ~is_function(batch, left) & ~among(batch, left, _BEFORE_COUNT)
    unknown = surfaces_of(batch, left) < 0
    # 0 for a match, 1 for none; "0".
    first = begins_with_digit(batch, before(batch, left)) & among(batch, left, _PAIRS)
    flag = (numbers.values <= 1) & (among(batch, right, _MEANS) | first)
    quotes, codes = set_of("\"'“‘"), batch.codes
    flag |= quotes.mask(codes[numbers.starts - 1]) & set_of("\"'”’").mask(codes[numbers.ends])
    numbered = flag | (behind & (is_rather(batch, left, NOUN, NN, VERB) | unknown) & ~counts)
    titled = behind & ~is_rather(batch, left, VERB, VB | VBD | VBN | VBZ, NOUN)
    titled |= (right >= 0) & ~is_function(batch, right) & ~counts & ~among(batch, right, _SCALES)
    titled |= about_works(batch)[batch.text_of(numbers.starts)]
    return numbered | (titled & bare_texts(batch)[batch.text_of(numbers.starts)])


def _is_cited(batch: Batch, numbers: Numbers) -> Bool:
    """Mark the pages of a series, which ends in a digit and a letter: S.W.2d 786, 787."""
    words, codes = batch.words, batch.codes
    left = before(batch, numbers.first)
    listed = begins_with_digit(batch, parted(batch, numbers.first, ","))
    series = np.where(listed, before(batch, np.maximum(numbers.first - 1, 0)), left)
    letter = of_kind(Kind.LETTER).mask(codes[words.ends[series] - 1])
    cited = (series >= 0) & begins_with_digit(batch, series) & letter
    following = np.where(parted(batch, numbers.last + 1, ",") < 0, -1, numbers.last + 1)
    cited |= (listed | begins_with_digit(batch, following)) & (numbers.values >= _LISTED)
    # 200 U. S. 321.
    previous = parted(batch, numbers.first, ".")
    short = words.ends[previous] - words.starts[previous] <= _SHORT
    abbreviated = short & is_capital(codes[words.starts[previous]]) & (previous >= 0)
    abbreviated &= ~_opens_line(codes, words.starts[previous])  # the label of an option: A. 29
    marks: Bool = cited | abbreviated
    return marks


def _is_status(batch: Batch, numbers: Numbers, right: Int64) -> Bool:
    """Mark the codes of errors: 404 and 405 exceptions, set the status code to 404."""
    coded = among(batch, right, _CODED)
    near = before(batch, numbers.first)
    for _ in range(_NEAR):
        coded |= among(batch, near, _CODED)
        near = np.where(near < 0, -1, before(batch, np.maximum(near, 0)))
    other = np.where(among(batch, right, _PAIRS), after(batch, np.maximum(right, 0)), -1)
    coded |= begins_with_digit(batch, other) & among(
        batch, after(batch, np.maximum(other, 0)), _CODED
    )
    return coded & (numbers.values >= _LEAST_STATUS) & (numbers.values <= _MOST_STATUS)


def _is_term(batch: Batch, numbers: Numbers) -> Bool:
    """Mark the numbers of documentation and law that count nothing, and those set apart.

    They are codes, ports, positions and pages: a 404 page, 539 U. S., at 326. Others mark an item
    of a list (1. Neck pain. 2. Back pain), are a column, or have a unit of measure.
    """
    codes, starts, ends = batch.codes, numbers.starts, numbers.ends
    left, right = before(batch, numbers.first), after(batch, numbers.last)
    texts = batch.text_of(starts)
    trade = of_trade(batch, TECHNICAL)[texts] | of_trade(batch, LEGAL)[texts]
    marks = trade & ~may_be(batch, right, NOUN, NNS) & ~among(batch, right, _COUNTED)
    leads = batch.words.starts[left]
    marks |= among(batch, left, _AT) & (codes[leads - 2] == ord(",")) & (codes[leads - 1] != 0)
    marks |= among(batch, right, _UNITS)
    space, stop = of_kind(Kind.SPACE), set_of(".!?;")
    back, past = space.back(codes, starts), space.past(codes, ends)
    marks |= (starts - back > 1) & ~_breaks(codes[back - 1]) & ~stop.mask(codes[back - 1])
    marks |= (past - ends > 1) & ~_breaks(codes[past])
    item = (codes[ends] == ord(".")) & ~_closes_line(codes, ends + 1) & (back < starts)
    sign = codes[back - 1]
    marks |= item & (stop.mask(sign) | ((sign == ord(":")) & (numbers.values == 1)))
    # 2 – 1; US$ 20; the value of an option, -mindepth 1.
    marks |= set_of(_DASHES).mask(codes[past]) & (past > ends)
    marks |= set_of(_CURRENCIES).mask(sign) & (back < starts)
    marks |= in_code(batch)[left] & (left >= 0)
    # Ports 80 or 443.
    other = np.where(among(batch, left, _PAIRS), before(batch, np.maximum(left, 0)), -1)
    first = begins_with_digit(batch, other)
    marks |= first & among(batch, before(batch, np.maximum(other, 0)), _LABELS)
    stray: Bool = (in_code(batch) | in_rows(batch))[numbers.first]
    return marks | stray


def _is_grouped(batch: Batch, numbers: Numbers) -> Bool:
    """Mark the numbers next to another in digits: 162 584, 555 0134, (020) 7946."""
    codes, digit, gap = batch.codes, of_kind(Kind.DIGIT), set_of(_GAPS)
    left, right = gap.back(codes, numbers.starts), gap.past(codes, numbers.ends)
    return digit.mask(codes[left - 1]) | digit.mask(codes[right])


def _is_date(batch: Batch, numbers: Numbers) -> Bool:
    """Mark the numbers next to the name of a month or an era."""
    first, right = numbers.first, after(batch, numbers.last)
    date = among(batch, before(batch, first), _MONTHS | _ERAS)
    date |= among(batch, right, _MONTHS | _ERAS)
    # Between 24 and 26 December.
    other = np.where(among(batch, right, _RANGES), after(batch, np.maximum(right, 0)), -1)
    month = after(batch, np.maximum(other, 0))
    date |= begins_with_digit(batch, other) & among(batch, month, _MONTHS)
    # May 5, 1776.
    day = parted(batch, first, ",")
    return date | ((day >= 0) & among(batch, before(batch, np.maximum(day, 0)), _MONTHS))


def _is_year(batch: Batch, numbers: Numbers) -> Bool:
    """Mark the numbers that may be years: four digits, and no plural that they count."""
    values, right = numbers.values, after(batch, numbers.last)
    years = (values >= _FIRST_YEAR) & (values <= _LAST_YEAR) & ~numbers.grouped
    counts = may_be(batch, right, NOUN, NNS) & (values < _RECENT)
    return years & ~(counts & ~among(batch, before(batch, numbers.first), _LEADS_TO_YEAR))


def _opens_line(codes: Codes, places: Int64) -> Bool:
    """Mark the places with only spaces before them in their line."""
    return _breaks(codes[of_kind(Kind.SPACE).back(codes, places) - 1])


def _closes_line(codes: Codes, places: Int64) -> Bool:
    """Mark the places with only spaces after them in their line."""
    places = np.minimum(places, len(codes) - 1)
    return _breaks(codes[of_kind(Kind.SPACE).past(codes, places)])


def _breaks(codes: Codes) -> Bool:
    """Mark line ends and the borders of texts."""
    marks: Bool = of_kind(Kind.NEWLINE).mask(codes) | (codes == 0)
    return marks
