"""Numbers that are quantities: neither years nor labels, codes or parts of something larger."""

from __future__ import annotations

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.text.characters import blank, set_of
from perturb.engine.text.unicode import Kind
from perturb.lexicon.features import ADJECTIVE, NN, NNS, NOUN
from perturb.lexicon.lookup import surfaces_of_words
from perturb.lexicon.numerals import Numbers
from perturb.lexicon.phrases import after, among, before
from perturb.lexicon.store import load
from perturb.perturbators.shared.names import is_name
from perturb.values.arrays import Bool, Codes, Int64

_CLOSING = ".,;:?!]}\"'”’»"
# Four digits that may be a year, and those that more likely are one than a quantity.
_FIRST_YEAR, _LAST_YEAR = 1000, 2099
_RECENT = 1900
_MONTHS = frozenset(
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
_ERAS = frozenset("ad bc bce ce bp".split())
_LEADS_TO_YEAR = frozenset(
    "in since by from until till circa year years after before during around of and".split()
)
# Signs beside which a number is a part of a formula, of code or of data.
_CODE = "=+*/<>^%&|[]{}\\~@#_×÷−"
_BULLETS = "*+-–•·"
_DASHES = "-–−"
# What may stand between the groups of a number.
_GAPS = " \u00a0\u202f()-"
# A number behind one of these names something, as "page 7" does.
_LABELS = frozenset(
    "no nos nr num number numbers page pages p pp chapter chapters section sections figure "
    "figures fig table tables step steps question questions problem problems exercise exercises "
    "example examples version versions room flight form article articles rule law route highway "
    "interstate volume vol issue unit grade level part parts item items option options line "
    "lines row rows column columns port id code zip pin isbn issn type model windows day week "
    "month phase case group team player test task lesson appendix equation eq theorem lemma act "
    "scene verse psalm agent gate platform channel area district lane exit suite apartment apt "
    "building floor invoice order ticket account case call dial phone telephone tel mobile fax "
    "class round stage season episode track book paragraph note footnote answer x ×".split()
)
# The bit of adjectives that are not compared.
_PLAIN = 1
_MULTIPLIES = frozenset(["x", "×"])
# Where "one" is a pronoun: after some words, before others.
_LEADS_TO_ONE = frozenset(
    "no any every some each this that the which another other either neither first last".split()
)
_FOLLOWS_ONE = frozenset(
    "another by day who of should would could can may might must will shall needs has had is was "
    "does did".split()
)


def alone(batch: Batch, numbers: Numbers, opening: str) -> Numbers:
    """Return the numbers in digits that are quantities of their own.

    Args:
        batch: the texts.
        numbers: numbers in digits.
        opening: the signs that may stand right before one.
    """
    codes, ends = batch.codes, numbers.ends
    fits = _bounds(opening, codes[numbers.starts - 1]) & _bounds(_CLOSING, codes[ends])
    # What a sign ties to the number, as in 5.a, makes a code of it.
    apart = blank().mask(codes[ends]) | (codes[ends] == 0)
    fits &= apart | ~_starts_word(batch, ends + 1)
    for refused in (_in_code, _is_label, _is_grouped, _is_date, _is_year):
        fits[fits] = ~refused(batch, numbers.keep(fits))
    return numbers.keep(fits)


def is_pronoun(batch: Batch, numbers: Numbers) -> Bool:
    """Mark each "one" that is a pronoun, and those that may be: before no noun or adjective."""
    left, right = before(batch, numbers.first), after(batch, numbers.last)
    counts = _may_be(batch, right, NOUN, NN) | _may_be(batch, right, ADJECTIVE, _PLAIN)
    found = among(batch, left, _LEADS_TO_ONE) | among(batch, right, _FOLLOWS_ONE) | ~counts
    pronoun: Bool = found & (numbers.values == 1)
    return pronoun


def _in_code(batch: Batch, numbers: Numbers) -> Bool:
    """Mark the numbers beside the signs of formulas and code, and those that lines begin with."""
    codes, starts, ends = batch.codes, numbers.starts, numbers.ends
    space, signs = of_kind(Kind.SPACE), set_of(_CODE)
    left, right = space.back(codes, starts), space.past(codes, ends)
    bullet = set_of(_BULLETS).mask(codes[left - 1]) & _opens_line(codes, left - 1)
    found = signs.mask(codes[left - 1]) & ~bullet
    found |= set_of(_DASHES).mask(codes[left - 1]) & ~bullet & (left < starts)
    found |= signs.mask(codes[right])
    found |= (codes[ends] == ord(";")) & _closes_line(codes, ends + 1)
    # Values of JSON, arguments of calls, lists and labels: "n": 3, f(3), (3), 3) and 1. at the
    # start of a line.
    found |= (codes[left - 1] == ord(":")) & set_of("\"'").mask(codes[np.maximum(left - 2, 0)])
    called = of_kind(Kind.LETTER, Kind.DIGIT, Kind.CONNECTOR).mask(codes[np.maximum(starts - 2, 0)])
    found |= (codes[starts - 1] == ord("(")) & called
    opens = _opens_line(codes, starts)
    marker = set_of(".:").mask(codes[ends]) | _closes_line(codes, ends)
    return found | (opens & marker & ~_opens_text(batch, starts, ends))


def _opens_text(batch: Batch, starts: Int64, ends: Int64) -> Bool:
    """Mark the spans that are a text of their own but for a stop: an answer, such as "42."."""
    text = batch.text_of(starts)
    edge = batch.texts.ends[text]
    opens: Bool = (batch.texts.starts[text] == starts) & (edge - ends <= 1)
    return opens


def _is_label(batch: Batch, numbers: Numbers) -> Bool:
    """Mark the numbers that name something: page 7, Apollo 11, No. 5, 10 Downing Street."""
    codes, words = batch.codes, batch.words
    left, right = before(batch, numbers.first), after(batch, numbers.last)
    found = among(batch, left, _LABELS) | among(batch, right, _MULTIPLIES)
    # The stop of an abbreviation.
    previous = np.maximum(numbers.first - 1, 0)
    stopped = (words.ends[previous] + 2 == numbers.starts) & (numbers.first > 0)
    stopped &= set_of(".:").mask(codes[words.ends[previous]])
    found |= stopped & among(batch, previous, _LABELS)
    for beside in (left, right):
        found |= is_name(batch, beside)
    return found


def _is_grouped(batch: Batch, numbers: Numbers) -> Bool:
    """Mark the numbers beside another in digits: 162 584, 555 0134, (020) 7946."""
    codes, digit, gap = batch.codes, of_kind(Kind.DIGIT), set_of(_GAPS)
    left, right = gap.back(codes, numbers.starts), gap.past(codes, numbers.ends)
    found: Bool = digit.mask(codes[left - 1]) | digit.mask(codes[right])
    return found


def _is_date(batch: Batch, numbers: Numbers) -> Bool:
    """Mark the numbers beside the name of a month or an era."""
    first = numbers.first
    left, right = before(batch, first), after(batch, numbers.last)
    dates: Bool = among(batch, left, _MONTHS) | among(batch, right, _MONTHS | _ERAS)
    dates |= among(batch, left, _ERAS)
    # May 5, 1776.
    day = np.maximum(first - 1, 0)
    codes, starts = batch.codes, numbers.starts
    comma = (first > 1) & (codes[starts - 1] == ord(" ")) & (codes[starts - 2] == ord(","))
    dates |= comma & among(batch, before(batch, day), _MONTHS)
    return dates


def _is_year(batch: Batch, numbers: Numbers) -> Bool:
    """Mark the numbers that may be years: of four digits, and not before what they count."""
    values, right = numbers.values, after(batch, numbers.last)
    years: Bool = (values >= _FIRST_YEAR) & (values <= _LAST_YEAR) & ~numbers.grouped
    counts = _may_be(batch, right, NOUN, NNS) & (values < _RECENT)
    counts &= ~among(batch, before(batch, numbers.first), _LEADS_TO_YEAR)
    return years & ~counts


def _may_be(batch: Batch, rows: Int64, part: int, bits: int) -> Bool:
    """Mark the words at `rows` that can have one of the tags `bits` of a part of speech."""
    (some,) = (rows >= 0).nonzero()
    surfaces = surfaces_of_words(batch)[rows[some]]
    found = np.zeros(len(rows), np.bool_)
    found[some] = (surfaces >= 0) & (load().masks[surfaces, part] & bits > 0)
    return found


def _opens_line(codes: Codes, places: Int64) -> Bool:
    """Mark the places before which only spaces stand in their line."""
    before = codes[of_kind(Kind.SPACE).back(codes, places) - 1]
    return _breaks(before)


def _closes_line(codes: Codes, places: Int64) -> Bool:
    """Mark the places behind which only spaces stand in their line."""
    places = np.minimum(places, len(codes) - 1)
    return _breaks(codes[of_kind(Kind.SPACE).past(codes, places)])


def _breaks(codes: Codes) -> Bool:
    """Mark line ends and the borders of texts."""
    breaks: Bool = of_kind(Kind.NEWLINE).mask(codes) | (codes == 0)
    return breaks


def _starts_word(batch: Batch, places: Int64) -> Bool:
    starts = np.append(batch.words.starts, -1)
    found: Bool = starts[np.searchsorted(batch.words.starts, places)] == places
    return found


def _bounds(signs: str, codes: Codes) -> Bool:
    """Mark the code points that are white space, one of `signs`, or the border of a text."""
    bounds: Bool = blank().mask(codes) | set_of(signs).mask(codes) | (codes == 0)
    return bounds
