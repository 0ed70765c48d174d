"""The engine against slow and obvious references."""

import string
from itertools import pairwise

import numpy as np
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from sizes import of_all

from perturb.engine.batch import Batch, of_kind
from perturb.engine.edits import Edits, compose
from perturb.engine.grouped_sites import GroupedSites
from perturb.engine.selection import choose
from perturb.engine.sites import Chosen, OrderedSites, Sites
from perturb.engine.text.case import capitals, case_maps, draw_from_alphabet, in_alphabet
from perturb.engine.text.characters import Kind
from perturb.engine.text.strings import Strings, column, concatenate, same
from perturb.rng import hash32, key64
from perturb.testing import texts

some_texts = st.lists(texts, max_size=5)


# Strings


@given(some_texts)
def test_texts_come_back(batch) -> None:
    assert Strings.of_texts(batch).to_list() == batch
    assert column(batch).to_list() == batch


@pytest.mark.slow
@given(st.lists(st.tuples(texts, texts, texts), max_size=4))
def test_concatenate_joins_row_by_row(rows) -> None:
    columns = [column(part) for part in zip(*rows, strict=True)] or [column([])]
    assert concatenate(*columns).to_list() == ["".join(row) for row in rows]


@given(st.lists(st.tuples(st.text("ab", max_size=3), st.text("abé☃", max_size=3))))
def test_same_compares_row_by_row(rows) -> None:
    left, right = (column(row[i] for row in rows) for i in (0, 1))
    assert same(left, right).tolist() == [a == b for a, b in rows]


# Units


@given(some_texts)
def test_characters_are_grapheme_clusters(batch) -> None:
    found = Batch.of(batch)
    wanted = [regex.findall(r"\X", text) for text in batch]
    assert found.characters.to_list() == [cluster for text in wanted for cluster in text]
    assert found.units("character").tolist() == list(map(len, wanted))


WORD = regex.compile(
    r"[\p{L}\p{M}\p{N}\p{Pc}]+"
    r"(?:(?:(?<=[\p{L}\p{M}])['’.\-‐‑\u00ad\u200c\u200d](?=[\p{L}\p{M}])"
    r"|(?<=\p{Nd})[.,:'’](?=\p{Nd}))[\p{L}\p{M}\p{N}\p{Pc}]+)*"
)


@given(some_texts)
def test_words_are_what_the_pattern_finds(batch) -> None:
    wanted = [WORD.findall(text) for text in batch]
    found = Batch.of(batch)
    assert found.words.to_list() == [word for text in wanted for word in text]
    assert found.units("word").tolist() == list(map(len, wanted))


def test_words_by_example() -> None:
    text = "Don't e-mail me: it's 3.14 or 1,000 at 12:30, e.g. x_y -- 'quoted' and/or state-of-the-art."
    assert Batch.of([text]).words.to_list() == [
        "Don't", "e-mail", "me", "it's", "3.14", "or", "1,000", "at", "12:30", "e.g", "x_y",
        "quoted", "and", "or", "state-of-the-art",
    ]  # fmt: skip


def test_a_rule_never_looks_into_the_next_text() -> None:
    """A mark, a line feed or a letter at the start of a text belongs to it alone."""
    batch = ["e", "\u0301", "one\r", "\n", "word", "word", "", "🇩", "🇪"]
    found = Batch.of(batch)
    assert found.characters.to_list() == [c for text in batch for c in regex.findall(r"\X", text)]
    assert found.words.to_list() == ["e", "\u0301", "one", "word", "word"]


# Choice


def walked(starts, ends, ranks, wanted):
    """Take the sites in the order of their ranks, and pass over those that overlap a taken one."""
    taken = []
    for site in sorted(range(len(starts)), key=lambda i: ranks[i]):
        apart = all(ends[site] <= starts[t] or ends[t] <= starts[site] for t in taken)
        if apart and len(taken) < wanted:
            taken.append(site)
    return sorted(taken)


@st.composite
def choices(draw):
    """Texts, each with its sites and how many are wanted."""
    rows = []
    for _ in range(draw(st.integers(0, 4))):
        width = draw(st.integers(0, 3))
        starts = sorted(draw(st.sets(st.integers(0, 60), max_size=40)))
        ends = np.maximum.accumulate(
            [start + draw(st.integers(min(width, 1), width)) for start in starts] or [0]
        )[: len(starts)]
        ranks = draw(
            st.lists(
                st.integers(0, 2**32 - 1), min_size=len(starts), max_size=len(starts), unique=True
            )
        )
        rows.append((starts, ends.tolist(), ranks, draw(st.integers(0, len(starts)))))
    return rows


def ranked(starts, ends, ranks) -> OrderedSites:
    """Sites with ranks that are given and not drawn."""
    columns = (np.array(column, np.int64) for column in (starts, ends))
    return OrderedSites(*columns, "place", np.array(ranks, np.uint32))


@pytest.mark.slow
@settings(max_examples=of_all(300))
@given(choices())
def test_choose_is_a_walk_in_the_order_of_the_ranks(rows) -> None:
    starts, ends, ranks, wanted, expected = [], [], [], [], []
    for number, (s, e, r, k) in enumerate(rows):
        base = number * 1000
        expected += [base + s[site] for site in walked(s, e, r, k)]
        starts += [base + start for start in s]
        ends += [base + end for end in e]
        ranks += r
        wanted.append(k)
    counts = np.array([len(row[0]) for row in rows], np.int64)
    edges = np.arange(len(rows) + 1) * 1000
    keys = np.zeros(len(rows), np.uint64)
    got, _, made = choose(
        ranked(starts, ends, ranks), keys, edges, counts, np.array(wanted, np.int64)
    )
    assert got.tolist() == expected
    assert made.tolist() == np.bincount(got // 1000, minlength=len(rows)).tolist()


def test_a_shortfall_of_low_ranks_is_made_good() -> None:
    """Ranks that all lie above the limit of the first look are found by the second."""
    n = 1000
    sites = ranked(
        range(2 * n), range(1, 2 * n + 1), [*range(n), *range(0xFFFF0000, 0xFFFF0000 + n)]
    )
    edges, keys = np.array([0, n, 2 * n]), np.zeros(2, np.uint64)
    chosen, _, made = choose(sites, keys, edges, np.array([n, n]), np.array([2, 3]))
    assert chosen.tolist() == [0, 1, n, n + 1, n + 2]
    assert made.tolist() == [2, 3]


@pytest.mark.slow
@given(some_texts)
def test_marks_rank_as_lists_of_sites_do(batch) -> None:
    found = Batch(Strings.of_texts(batch), np.array([key64(t) for t in batch], np.uint64))
    if not batch:
        return
    for inserts in (False, True):
        marks = found.sites_where(of_kind(Kind.LETTER), inserts=inserts)
        sites = Sites(marks.starts, marks.ends, "character")
        assert marks.count(found.edges).tolist() == sites.count(found.edges).tolist()
        every_other = np.arange(len(batch)) % 2 == 1
        some, same = (one.of_texts(every_other, found.edges) for one in (marks, sites))
        assert (some.starts.tolist(), some.ends.tolist()) == (
            same.starts.tolist(),
            same.ends.tolist(),
        )
        text = np.searchsorted(found.texts.starts, sites.starts, "right") - 1
        origins = sites.starts - found.texts.starts[text]
        for one in (marks, sites):
            ranks = one.ranks(found.keys, found.edges)
            assert ranks.tolist() == hash32(found.keys[text], origins).tolist()


@st.composite
def grouped(draw):
    """Parts on a line of 40 places, in order and apart, cut into groups; and what is blocked."""
    cuts = sorted(draw(st.sets(st.integers(1, 39), max_size=16)))
    parts = list(zip(cuts[::2], cuts[1::2], strict=False))
    sizes, left = [], len(parts)
    while left:
        sizes.append(draw(st.integers(1, left)))
        left -= sizes[-1]
    return parts, sizes, draw(st.lists(st.booleans(), min_size=40, max_size=40))


@pytest.mark.slow
@settings(max_examples=of_all(200))
@given(grouped())
def test_groups_are_taken_whole_or_not_at_all(drawn) -> None:
    parts, sizes, blocked = drawn
    columns = np.array(parts, np.int64).reshape(-1, 2)
    groups = GroupedSites(
        columns[:, 0], columns[:, 1], np.array(sizes, np.int64), "place", lambda _: _
    )
    at = [sum(sizes[:n]) for n in range(len(sizes) + 1)]
    wanted = [parts[a:b] for a, b in pairwise(at)]
    open_ = [
        group for group in wanted if not any(blocked[i] for a, b in group for i in range(a, b))
    ]
    free = groups.free(np.array(blocked))
    assert free.starts.tolist() == [group[0][0] for group in open_]
    assert free.ends.tolist() == [group[-1][1] for group in open_]
    chosen = open_[::2]
    starts = np.array([group[0][0] for group in chosen], np.int64)
    spans = Strings(np.zeros(40, np.uint8), starts, starts)
    got = free.parts(Chosen(spans, starts.astype(np.uint64), starts - 1))
    flat = [part for group in chosen for part in group]
    assert list(zip(got.texts.starts.tolist(), got.texts.ends.tolist(), strict=True)) == flat
    assert got.origins.tolist() == [start - 1 for start, _ in flat]
    assert got.keys.tolist() == [group[0][0] for group in chosen for _ in group]
    assert free.holding(got.texts.starts).tolist() == starts.tolist()


# Edits


def rebuilt(text, edits):
    """Apply edits one by one, from the last to the first."""
    for start, end, replacement in reversed(edits):
        text = text[:start] + replacement + text[end:]
    return text


@st.composite
def edited(draw, text):
    """Edits of a text: in order, apart, each a change."""
    edits, at = [], 0
    while at <= len(text) and draw(st.booleans()):
        start = draw(st.integers(at, len(text)))
        end = draw(st.integers(start, min(start + 3, len(text))))
        replacement = draw(st.text("abX☃", max_size=3))
        if replacement != text[start:end]:
            edits.append((start, end, replacement))
            at = end + (start == end)
    return edits


@st.composite
def twice_edited(draw):
    """Texts, edits of each, and edits of what these give."""
    batch = draw(st.lists(st.text("abcdé☃ ", max_size=12), max_size=4))
    first = [draw(edited(text)) for text in batch]
    middle = [rebuilt(text, edits) for text, edits in zip(batch, first, strict=True)]
    return batch, first, middle, [draw(edited(text)) for text in middle]


def as_arrays(source, edits):
    flat = [
        (base + s, base + e, new)
        for base, row in zip(source.starts.tolist(), edits, strict=True)
        for s, e, new in row
    ]
    places = np.array([edit[:2] for edit in flat], np.int64).reshape(-1, 2)
    return Edits(places[:, 0], places[:, 1], column(edit[2] for edit in flat))


@pytest.mark.slow
@settings(max_examples=of_all(400))
@given(twice_edited())
def test_edits_apply_and_compose(drawn) -> None:
    batch, first, middle, second = drawn
    source = Strings.of_texts(batch)
    one = as_arrays(source, first)
    between = one.apply(source)
    assert between.to_list() == middle
    two = as_arrays(between, second)
    result = two.apply(between)
    assert result.to_list() == [rebuilt(t, e) for t, e in zip(middle, second, strict=True)]
    whole = compose(one, two, source, result)
    assert whole.apply(source).to_list() == result.to_list()
    assert (whole.starts[1:] >= whole.ends[:-1]).all()
    assert whole.changing(source).all()


def composed(batch, first, second):
    """For each text its composed edits."""
    source = Strings.of_texts(batch)
    one = as_arrays(source, first)
    two = as_arrays(one.apply(source), second)
    whole = compose(one, two, source, two.apply(one.apply(source)))
    row = np.searchsorted(source.starts, whole.starts, "right") - 1
    found = [[] for _ in batch]
    for at, start, end, new in zip(
        row.tolist(), whole.starts, whole.ends, whole.replacements.to_list(), strict=True
    ):
        found[at].append((start - source.starts[at], end - source.starts[at], new))
    return found


@pytest.mark.slow
@given(twice_edited())
def test_composing_a_batch_composes_each_text(drawn) -> None:
    batch, first, _, second = drawn
    alone = [composed([t], [a], [b])[0] for t, a, b in zip(batch, first, second, strict=True)]
    assert composed(batch, first, second) == alone


# Letters


def test_case_maps_are_pairs() -> None:
    lower, upper = case_maps()
    for capital, small in zip("AZÉÑЖΩԱ", "azéñжωա", strict=True):
        assert (chr(lower[ord(capital)]), chr(upper[ord(small)])) == (small, capital)
    for character in "ßẞİıǅŉაᲐ1 ":
        assert chr(lower[ord(character)]) == chr(upper[ord(character)]) == character


@given(
    st.lists(st.sampled_from(string.ascii_letters + string.digits + "éÉжЖωΩשبकกあア"), min_size=1)
)
def test_a_letter_drawn_is_another_of_the_same_alphabet_and_case(characters) -> None:
    codes = np.array(list(map(ord, characters)), np.uint32)
    draws = hash32(np.full(len(codes), key64("d"), np.uint64), np.arange(len(codes)))
    drawn = draw_from_alphabet(codes, draws)
    assert (drawn != codes).all()
    assert in_alphabet().mask(drawn).all()
    assert (capitals().mask(drawn) == capitals().mask(codes)).all()
    digits = of_kind(Kind.DIGIT)
    assert (digits.mask(drawn) == digits.mask(codes)).all()
