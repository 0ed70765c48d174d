"""Units that are open: only of these is `p` a share."""

from dataclasses import dataclass

import numpy as np
import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sizes import of_all

import perturb
from perturb.engine.batch import Batch
from perturb.engine.placement import EVERYWHERE, Placement
from perturb.engine.scope import Scope, Spans
from perturb.engine.sites import COUNT, MaskSites, Sites
from perturb.engine.step import NOT_ENGLISH, REASONS, perform
from perturb.engine.text.characters import Script
from perturb.engine.text.strings import Strings, repeated
from perturb.rng import hash32, key64, uniform

LATIN, CYRILLIC, GREEK = Script.LATIN, Script.CYRILLIC, Script.GREEK
SCRIPTS = {
    **dict.fromkeys("abeÉß", LATIN),
    **dict.fromkeys("яЖ", CYRILLIC),
    **dict.fromkeys("λ", GREEK),
    **dict.fromkeys("中", Script.HAN),
}
UNITS = ("character", "word", "sentence", "line", "text", "place")


@dataclass
class Act:
    """A step that edits the characters in which a `#` stands in a pattern of the same length."""

    patterns: list
    unit: str
    p: float | None = 0.5
    count: int | None = None
    scripts: frozenset | None = None
    refused: np.ndarray | None = None
    spread: float = 0.0
    min_edits: int = 0
    max_edits: int | None = None
    placement: Placement = EVERYWHERE

    @property
    def share(self):
        return self.p

    def sites(self, batch):
        marks = np.zeros(len(batch.codes), np.bool_)
        for start, pattern in zip(batch.texts.starts.tolist(), self.patterns, strict=True):
            marks[start : start + len(pattern)] = [sign == "#" for sign in pattern]
        starts = batch.characters.starts[marks[batch.characters.starts]]
        write = lambda chosen: repeated("#", len(chosen))  # noqa: E731
        if batch.boundaries is None:
            found = MaskSites(marks, self.unit, write)
        else:
            ends = batch.characters.ends[marks[batch.characters.starts]]
            found = Sites(starts, ends, self.unit, write)
        return found.limited(self.scripts, self.refused)


def spans_of(batch, row, unit):
    """The spans of the units of one text; `Batch` itself is tested elsewhere."""
    text = batch.texts.to_list()[row]
    if unit == "character":
        return [match.span() for match in regex.finditer(r"\X", text)]
    found = batch.spans_of(unit)
    base, end = int(batch.texts.starts[row]), int(batch.texts.ends[row])
    spans = zip(found.starts.tolist(), found.ends.tolist(), strict=True)
    return [
        (a - base, b - base)
        for a, b in spans
        if base <= a and b <= end and (a < end or a == b == end)
    ]


def walked(text, spans, sites, closed, scripts):
    """Return for each unit whether it is open, one after the other.

    Args:
        text: the text.
        spans: the span of each unit.
        sites: where the sites start.
        closed: the characters that may not be edited.
        scripts: what the step can write; None for everything.
    """
    home = [max((i for i, (a, _) in enumerate(spans) if a <= at), default=None) for at in sites]
    for number, (start, end) in enumerate(spans):
        letter = next((SCRIPTS[c] for c in text[start:end] if c in SCRIPTS), None)
        foreign = scripts is not None and letter is not None and letter not in scripts
        shut = foreign or not closed.isdisjoint(range(start, end))
        yield not shut or number in home


pieces = st.sampled_from(["a", "b", "É", "ß", "я", "Ж", "λ", "中", "e\u0301", "1", "7", " ", " ", ". ", "\n", "\r\n", "-", "'", "👍🏽", "", "a b. "])  # fmt: skip
plain = st.sampled_from([*"abab17 É", ". ", "\n", "-", "a b. "])
texts = st.lists(st.one_of(pieces, plain), max_size=12).map("".join) | st.lists(plain).map("".join)


@st.composite
def cases(draw):
    """Texts, with the pattern of the sites, protected spans, and the scope of each."""
    rows = []
    for text in draw(st.lists(texts, min_size=1, max_size=4)):
        size = len(text)
        pattern = draw(st.text("#-", min_size=size, max_size=size))
        span = st.tuples(st.integers(0, size), st.integers(0, size)).map(sorted).map(tuple)
        rows.append(
            (text, pattern, draw(st.lists(span, max_size=2)), draw(st.lists(span, max_size=2)))
        )
    return rows


def performed(rows, act, with_only=False):
    source = Strings.of_texts([row[0] for row in rows])
    keys = np.array([key64(*row[:2]) for row in rows], np.uint64)
    protect, only = (Spans.of(source, [row[n] for row in rows]) for n in (2, 3))
    batch = Batch(source, keys)
    return batch, *perform(batch, act, Scope(protect, only if with_only else None))


some_scripts = st.none() | st.frozensets(st.sampled_from([LATIN, CYRILLIC, GREEK]), min_size=1)


@pytest.mark.slow
@settings(max_examples=of_all(400))
@given(
    cases(), st.sampled_from(UNITS), some_scripts, st.floats(0, 1), st.booleans(), st.integers(0, 2)
)
@example([("я1 a", "-#-#", [], [])], "word", frozenset({LATIN}), 1.0, False, 0)
@example([(" a", "#-", [(1, 2)], []), ("b", "-", [(0, 1)], [])], "word", None, 1.0, False, 0)
def test_open_units_against_a_walk(rows, unit, scripts, p, with_only, skipped) -> None:
    """The numbers of units are those of the walk, and the edits are `floor(p * open + u)`."""
    act = Act(
        [row[1] for row in rows],
        unit,
        p,
        scripts=scripts,
        placement=Placement(min_word_length=skipped),
    )
    batch, edits, tally = performed(rows, act, with_only)
    for row, (text, pattern, protect, only) in enumerate(rows):
        inside = {at for a, b in only for at in range(a, b)}
        closed = {at for a, b in protect for at in range(a, b)}
        closed |= set(range(len(text))) - inside if with_only else set()
        for a, b in spans_of(batch, row, "word"):
            if len(regex.findall(r"\X", text[a:b])) < skipped:
                closed |= set(range(a, b))
        clusters = spans_of(batch, row, "character")
        marked = [(a, b) for a, b in clusters if pattern[a] == "#"]
        free = [a for a, b in marked if closed.isdisjoint(range(a, b))]
        if unit == "place":
            open_ = [a in free for a, _ in marked]
        else:
            spans = spans_of(batch, row, unit)
            open_ = [*walked(text, spans, free, closed, scripts)]
        assert tally.units[row] == sum(open_), (text, unit)
        assert tally.closed[row] == len(open_) - sum(open_), (text, unit)
        assert tally.sites[row] == len(free)
        drawn = uniform(hash32(batch.keys[row : row + 1], np.array([0]), COUNT))[0]
        wanted = int(p * sum(open_) + drawn)
        assert tally.edits[row] == min(len(free), wanted), (text, unit)
        assert tally.saturated[row] == (len(free) < wanted)
    assert edits.per_text(batch.texts).tolist() == tally.edits.tolist()


def said(tally, row):
    columns = (tally.units, tally.closed, tally.sites, tally.edits, tally.saturated, tally.reasons)
    return [column[row].item() for column in columns]


@pytest.mark.slow
@settings(max_examples=of_all(150))
@given(cases(), st.sampled_from(UNITS), some_scripts, st.floats(0, 1), st.floats(0, 1))
def test_a_text_is_counted_alone_as_among_others_and_more_only_adds(
    rows, unit, scripts, p, q
) -> None:
    low, high = sorted((p, q))
    together = {}
    for share in (low, high):
        act = Act([row[1] for row in rows], unit, share, scripts=scripts)
        _, edits, tally = performed(rows, act)
        together[share] = set(zip(edits.starts.tolist(), edits.ends.tolist(), strict=True))
        for number, row in enumerate(rows):
            _, _, alone = performed([row], Act([row[1]], unit, share, scripts=scripts))
            assert said(alone, 0) == said(tally, number), row
    assert together[low] <= together[high]


def test_a_refused_text_has_no_open_unit() -> None:
    rows = [("a b", "#-#", [], []), ("b a b", "#-#-#", [], []), ("", "", [], [])]
    refused = np.array([False, True, True])
    for unit, wanted in (
        ("character", [[3, 0, 2], [0, 5, 0], [0, 0, 0]]),
        ("text", [[1, 0, 2], [0, 1, 0], [0, 1, 0]]),
    ):
        for strength in ({"p": 1.0}, {"p": None, "count": 2}, {"p": 0.0, "min_edits": 2}):
            act = Act([row[1] for row in rows], unit, **strength, refused=refused)
            batch, edits, tally = performed(rows, act)
            assert [said(tally, row)[:3] for row in range(3)] == wanted
            assert [REASONS[reason] for reason in tally.reasons[1:]] == ["not English"] * 2
            assert tally.saturated.tolist()[1:] == [False, False]
            assert edits.per_text(batch.texts).tolist()[1:] == [0, 0]
    assert REASONS[NOT_ENGLISH] == "not English"


def protected_texts(share, count=3000):
    """Short texts of lower-case letters in which capitals stand for what is protected."""
    rng = np.random.default_rng(8)
    texts = []
    for number in range(count):
        letters = rng.choice(list("abcdefg "), 3 + number % 12)
        start = int(rng.integers(0, len(letters)))
        held = [(start + n) % len(letters) for n in range(round(share * len(letters)))]
        letters[held] = np.char.upper(np.where(letters[held] == " ", "x", letters[held]))
        texts.append("".join(letters))
    return texts


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("p", [0.05, 0.3])
def test_the_expectation_is_exact_over_what_is_open(share, p) -> None:
    """N = 3000 texts of 3 to 14 characters, of which 10, 50 or 90 % are protected.

    Each text's number of edits is within 1 of p * open, rounded by an independent draw, so the sum
    has a standard deviation of at most sqrt(N) / 2 = 27.4; 4.5 of them are allowed.
    """
    texts = protected_texts(share)
    records = perturb.apply(texts, "char_delete", p=p, protect="regex:[A-Z]+", id=range(len(texts)))
    open_ = [len(regex.sub("[A-Z]", "", text)) for text in texts]
    assert [record.units for record in records] == open_
    made = sum(len(record.edits) for record in records)
    assert abs(made - p * sum(open_)) <= 4.5 * len(texts) ** 0.5 / 2
    assert all(
        abs(record.steps[0].edits - p * n) < 1 for record, n in zip(records, open_, strict=True)
    )


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_protection_takes_its_share_of_edits_away_and_moves_none(share) -> None:
    """The edits outside what is protected are the first of the same order of places."""
    texts = protected_texts(share, 400)
    free = perturb.apply(texts, "char_delete", p=0.4)
    held = perturb.apply(texts, "char_delete", p=0.4, protect="regex:[A-Z]+")
    for text, one, other in zip(texts, free, held, strict=True):
        outside = {edit for edit in one.edits if not text[edit.start].isupper()}
        assert outside <= set(other.edits) or set(other.edits) <= outside, text
        assert other.units == sum(not letter.isupper() for letter in text)
    assert sum(len(one.edits) for one in held) < sum(len(one.edits) for one in free)


@pytest.mark.slow
def test_a_protected_code_block_takes_its_edits_away() -> None:
    """On average p of the open characters are edited, not of all: 9 or 10 characters at p = 0.1."""
    text = "Fix this.\n```\n" + "print(1)\n" * 40 + "```"
    made = [
        perturb.apply(text, "char_delete", p=0.1, protect="code", seed=seed) for seed in range(300)
    ]
    assert {record.units for record in made} == {10}
    assert abs(sum(len(record.edits) for record in made) - 300) <= 4.5 * 300**0.5 / 2


def test_a_partly_protected_text_where_a_step_can_act_is_open() -> None:
    """A text is not lost to a step that acts beside what is protected."""
    text = "See http://a.b now"
    for pattern, wanted in (("#-", [1, 0, 1, 1]), ("-----#", [0, 1, 0, 0])):
        _, _, tally = performed([(text, pattern, [(4, 14)], [])], Act([pattern], "text", 1.0))
        assert said(tally, 0)[:4] == wanted


def test_sites_out_of_order_are_refused() -> None:
    class Backwards(Act):
        def sites(self, batch):
            return Sites(np.array([3, 1]), np.array([4, 2]), "place")

    with pytest.raises(ValueError, match=r"increasing order.*got one at 1 after one at 3"):
        performed([("abcd", "", [], [])], Backwards([""], "place"))
