"""Which numbers in digits are quantities: not years, labels, codes or parts of something larger.

In doubt a number is none.
"""

from __future__ import annotations

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.places import are_among
from perturb.engine.text.characters import Kind, set_of
from perturb.lexicon.contexts import about_works, bare_texts
from perturb.lexicon.hashing import hashes_of
from perturb.lexicon.numerals import Numbers
from perturb.lexicon.phrases import after, among, before, begins_with_digit, is_capital, parted
from perturb.lexicon.store import is_function, is_rather, may_be, surfaces_of
from perturb.lexicon.stray import LEGAL, TECHNICAL, in_code, in_rows, of_trade
from perturb.lexicon.tags import NN, NNS, NOUN, VB, VBD, VBN, VBZ, VERB
from perturb.perturbators.shared.character_tables import is_blank
from perturb.perturbators.shared.names import is_name
from perturb.perturbators.words import dates
from perturb.values.arrays import Bool, Codes, Int64

OPENING = "([{\"'“‘«"
CURRENCIES = "$€£¥"
_CLOSING = ".,;:?!]}\"'”’»"
# Four digits that may be a year. From `_RECENT` on they stay even before a plural noun (the 2012
# games); earlier ones rather count it (1,500 people without its comma). Set by hand on 22 November
# 2026.
_FIRST_YEAR, _LAST_YEAR = 1000, 2099
_RECENT = 1900
_MONTHS = frozenset(map(str.lower, dates.NUMBER))
# The digits of a day.
_DAY = 2
_ERAS = frozenset("ad bc bce ce bp".split())
_LEADS_TO_YEAR = "in since by from until till circa year years after before during around and"
# Next to these characters a number is part of a formula, of code or of data.
CODE = "=+*/<>^%&|[]{}\\~@#_×÷−"
_BULLETS = "*+-–•·"
DASHES = "-–−"
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
# Nouns and adjectives before a number that counts all the same.
_BEFORE_COUNT = frozenset("age first last next past previous other only top about".split())
# After a value, as of a flag.
_MEANS = frozenset("for if means indicates and or".split())
_ALTERNATIVES = frozenset(["or", "to"])
_COUNTED = frozenset("percent hundred thousand million billion trillion dozen total".split())
# Before these a number stays, as no one writes ten mL.
_UNITS = frozenset(
    "ml dl cc mg mcg g kg cm mm mmhg meq ma mhz ghz khz hz db kb mb gb tb kbps ms fps dpi px "
    "v w kw hp psi rpm m km nm ha sq ft yd mi lb lbs oz mph kph h km2 m2 km² m²".split()
)
# A number before these is the name of a road.
_ROADS = frozenset("freeway highway expressway interstate motorway turnpike".split())
_MULTIPLIES = frozenset(["x", "×"])
_PAIRS = "and or"
_RANGES = "and or to through until"
# From here on, digits without commas and without a plural noun after them are rather a telephone or
# account number. Set by hand on 23 November 2026.
_UNPARTED = 10**6


def alone(batch: Batch, numbers: Numbers, opening: str) -> Numbers:
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


def followed(batch: Batch, numbers: Numbers) -> Numbers:
    """Return the numbers without those that another paragraph, as a field of a row is, keeps."""
    codes, words = batch.codes, batch.words
    (gaps,) = ((codes[:-1] == ord("\n")) & (codes[1:] == ord("\n"))).nonzero()
    if not len(gaps):
        return numbers
    (rows,) = of_kind(Kind.DIGIT).mask(codes[words.starts]).nonzero()
    text = batch.text_of(words.starts[rows])
    part = text + gaps.searchsorted(words.starts[rows])
    numerals = np.unique(hashes_of(batch, rows), return_inverse=True)[1]
    in_text, in_part = (each * len(rows) + numerals for each in (text, part))
    sites = rows.searchsorted(numbers.first)
    stays = in_text[~np.isin(in_part, in_part[sites])]
    return numbers.keep(~np.isin(in_text[sites], stays))


def _in_code(batch: Batch, numbers: Numbers) -> Bool:
    """Mark the numbers next to characters of formulas and code, and those that begin lines."""
    codes, starts, ends = batch.codes, numbers.starts, numbers.ends
    space, signs = of_kind(Kind.SPACE), set_of(CODE)
    left, right = space.back(codes, starts), space.past(codes, ends)
    head, lead, behind = codes[left - 1], codes[starts - 1], codes[ends]
    bullet = set_of(_BULLETS).mask(head) & _opens_line(codes, left - 1)
    code = (signs.mask(head) | (set_of(DASHES).mask(head) & (left < starts))) & ~bullet
    code |= signs.mask(codes[right]) | ((behind == ord(";")) & _closes_line(codes, ends + 1))
    # Values of JSON, arguments of calls, lists and labels: "n": 3, f(3), (3), 3) and 1. at the
    # start of a line.
    code |= (head == ord(":")) & set_of("\"'").mask(codes[np.maximum(left - 2, 0)])
    name = of_kind(Kind.LETTER, Kind.DIGIT, Kind.CONNECTOR)
    beyond = codes[np.maximum(starts - 2, 0)]
    code |= (lead == ord("(")) & name.mask(beyond)
    # H 2 O, and CO with the number in the next line.
    alone = space.mask(lead) & ~name.mask(codes[np.maximum(starts - 3, 0)])
    alone &= ~set_of("AI").mask(beyond)
    code |= is_capital(beyond) & (of_kind(Kind.NEWLINE).mask(lead) | alone)
    marker = set_of(".:").mask(behind) | _closes_line(codes, ends)
    # A text that is only a number, perhaps with a stop, is an answer: "42."
    text = batch.text_of(starts)
    answer = (batch.texts.starts[text] == starts) & (batch.texts.ends[text] - ends <= 1)
    # So is one that is a paragraph, as the texts of a row are.
    after_it = codes[np.minimum(ends + 1, len(codes) - 1)]
    begins = breaks(lead) & breaks(beyond) & (lead != 0)
    answer |= begins & ((behind == 0) | (breaks(behind) & breaks(after_it)))
    marks: Bool = code | (_opens_line(codes, starts) & marker & ~answer)
    return marks


def _is_label(batch: Batch, numbers: Numbers) -> Bool:
    """Mark the numbers that name something: page 7, Apollo 11, No. 5, 10 Downing Street."""
    left, right = before(batch, numbers.first), after(batch, numbers.last)
    label = among(batch, left, _LABELS) | among(batch, right, _MULTIPLIES | _ROADS)
    # My phone number is 6287822.
    label |= among(batch, left, "is was are were") & among(batch, before(batch, left), _LABELS)
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
    titled |= (right >= 0) & ~is_function(batch, right) & ~counts
    titled |= about_works(batch)[batch.text_of(numbers.starts)]
    return numbered | (titled & bare_texts(batch)[batch.text_of(numbers.starts)])


def _is_cited(batch: Batch, numbers: Numbers) -> Bool:
    """Mark the pages of a series, which ends in a digit and a letter: S.W.2d 786, 787."""
    words, codes = batch.words, batch.codes
    left = before(batch, numbers.first)
    listed = begins_with_digit(batch, parted(batch, numbers.first, ","))
    series = np.where(listed, before(batch, numbers.first - 1), left)
    letter = of_kind(Kind.LETTER).mask(codes[words.ends[series] - 1])
    cited = (series >= 0) & begins_with_digit(batch, series) & letter
    following = np.where(parted(batch, numbers.last + 1, ",") < 0, -1, numbers.last + 1)
    cited |= (listed | begins_with_digit(batch, following)) & (numbers.values >= _LISTED)
    # 200 U. S. 321.
    previous = parted(batch, numbers.first, ".")
    short = words.ends[previous] - words.starts[previous] <= _SHORT
    abbreviated = short & is_capital(codes[words.starts[previous]]) & (previous >= 0)
    abbreviated &= ~_opens_line(codes, words.starts[previous])  # the label of an option: A. 29
    return cited | abbreviated


def _is_status(batch: Batch, numbers: Numbers, right: Int64) -> Bool:
    """Mark the codes of errors: 404 and 405 exceptions, set the status code to 404."""
    coded = among(batch, right, _CODED)
    near = before(batch, numbers.first)
    for _ in range(_NEAR):
        coded |= among(batch, near, _CODED)
        near = before(batch, near)
    other = np.where(among(batch, right, _PAIRS), after(batch, right), -1)
    coded |= begins_with_digit(batch, other) & among(batch, after(batch, other), _CODED)
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
    marks |= among(batch, left, "at") & (codes[leads - 2] == ord(",")) & (codes[leads - 1] != 0)
    # 5 km, 30 °C, 5 ft 2, 20 to 30 km, 20 to 30%.
    other = np.where(among(batch, right, _RANGES), after(batch, right), -1)
    percent = codes[batch.words.ends[other]] == ord("%")
    marks |= begins_with_digit(batch, other) & (percent | among(batch, after(batch, other), _UNITS))
    marks |= among(batch, right, _UNITS) | among(batch, left, "ft")
    space, stop = of_kind(Kind.SPACE), set_of(".!?;")
    back, past = space.back(codes, starts), space.past(codes, ends)
    marks |= (starts - back > 1) & ~breaks(codes[back - 1]) & ~stop.mask(codes[back - 1])
    marks |= (past - ends > 1) & ~breaks(codes[past])
    item = (codes[ends] == ord(".")) & ~_closes_line(codes, ends + 1) & (back < starts)
    sign = codes[back - 1]
    marks |= item & (stop.mask(sign) | ((sign == ord(":")) & (numbers.values == 1)))
    # 2 – 1; US$ 20; the value of an option, -mindepth 1.
    marks |= (set_of(DASHES).mask(codes[past]) & (past > ends)) | (codes[past] == ord("°"))
    marks |= set_of(CURRENCIES).mask(sign) & (back < starts)
    marks |= in_code(batch)[left] & (left >= 0)
    # Ports 80 or 443.
    other = np.where(among(batch, left, _PAIRS), before(batch, left), -1)
    first = begins_with_digit(batch, other)
    marks |= first & among(batch, before(batch, other), _LABELS)
    stray: Bool = (in_code(batch) | in_rows(batch))[numbers.first]
    return marks | stray


def _is_grouped(batch: Batch, numbers: Numbers) -> Bool:
    """Mark the numbers next to another in digits: 162 584, 555 0134, (020) 7946."""
    codes, digit, gap = batch.codes, of_kind(Kind.DIGIT), set_of(_GAPS)
    left, right = gap.back(codes, numbers.starts), gap.past(codes, numbers.ends)
    # On May 12 300 people came: a day is no group of the number behind it.
    day = before(batch, numbers.first)
    dated = among(batch, before(batch, day), _MONTHS) & (batch.words.lengths[day] <= _DAY)
    return (digit.mask(codes[left - 1]) & ~dated) | digit.mask(codes[right])


def _is_date(batch: Batch, numbers: Numbers) -> Bool:
    """Mark the numbers next to the name of a month or an era."""
    first, right = numbers.first, after(batch, numbers.last)
    date = among(batch, before(batch, first), _MONTHS | _ERAS)
    date |= among(batch, right, _MONTHS | _ERAS)
    # Between 24 and 26 December.
    other = np.where(among(batch, right, _RANGES), after(batch, right), -1)
    month = after(batch, other)
    date |= begins_with_digit(batch, other) & among(batch, month, _MONTHS)
    # May 5, 1776.
    day = parted(batch, first, ",")
    return date | among(batch, before(batch, day), _MONTHS)


def _is_year(batch: Batch, numbers: Numbers) -> Bool:
    """Mark the numbers that may be years: four digits, and no plural that they count."""
    values, right = numbers.values, after(batch, numbers.last)
    years = (values >= _FIRST_YEAR) & (values <= _LAST_YEAR) & ~numbers.grouped
    left = before(batch, numbers.first)
    counts = may_be(batch, right, NOUN, NNS) & (values < _RECENT)
    # An average of 1000 tornadoes, but: the confession of 1559 shows.
    leads = among(batch, left, "of") & may_be(batch, right, VERB, VBZ)
    return years & ~(counts & ~among(batch, left, _LEADS_TO_YEAR) & ~leads)


def _opens_line(codes: Codes, places: Int64) -> Bool:
    """Mark the places with only spaces before them in their line."""
    return breaks(codes[of_kind(Kind.SPACE).back(codes, places) - 1])


def _closes_line(codes: Codes, places: Int64) -> Bool:
    """Mark the places with only spaces after them in their line."""
    places = np.minimum(places, len(codes) - 1)
    return breaks(codes[of_kind(Kind.SPACE).past(codes, places)])


def breaks(codes: Codes) -> Bool:
    """Mark line ends and the borders of texts."""
    marks: Bool = of_kind(Kind.NEWLINE).mask(codes) | (codes == 0)
    return marks
