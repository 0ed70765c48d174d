"""Every kernel against what defines it."""

from hashlib import blake2b
from itertools import pairwise

import numpy as np
import pytest
import regex
from hypothesis import assume, given
from hypothesis import strategies as st

import perturb
from perturb.engine.batch import in_tables
from perturb.engine.edits import Edits, _composed
from perturb.engine.native import binding, kernels
from perturb.engine.presets import PRESETS, number_spans
from perturb.engine.selection import choose
from perturb.engine.sites import MaskSites, OrderedSites, Sites
from perturb.engine.text.strings import Strings, column
from perturb.records.ids import keys_of_texts
from perturb.rng import hash32, key64
from perturb.testing import HOSTILE, texts

some_texts = st.lists(texts, max_size=9)
# Lengths about those at which BLAKE2b, runs of characters and few ranks come to an end.
LENGTHS = [0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1000, 5000]


def keys_of(count, seed=0):
    return np.array([key64(seed, n) for n in range(count)], np.uint64)


@pytest.fixture
def called(monkeypatch):
    """The names of the kernels that are called."""
    names, real = [], binding.called
    monkeypatch.setattr(binding, "called", lambda name, *_: (names.append(name), real(name, *_))[1])
    return names


# Keys


def check_keys(some, compiled, using):
    with using(compiled):
        made = keys_of_texts(some)
    expected = [blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8) for text in some]
    assert made.astype("<u8").tobytes() == b"".join(each.digest() for each in expected)


@given(st.lists(st.text(st.characters(), max_size=300), max_size=20))
def test_keys_of_texts(compiled, using, some) -> None:
    check_keys(some, compiled, using)


def test_keys_of_all_lengths(compiled, using) -> None:
    check_keys(["x" * length for length in LENGTHS], compiled, using)
    check_keys(["ß" * length for length in reversed(LENGTHS)], compiled, using)
    check_keys([*HOSTILE, "\ud800", "\udc00", "", "\0"], compiled, using)


TABLES = st.text("|- a1\n\r\x85ÿ:", max_size=30)


@given(st.lists(TABLES, max_size=5))
def test_table_markup_is_the_same(compiled, using, some) -> None:
    places = in_tables.__wrapped__
    texts = Strings.of_texts([*some, "a|b\n|--|\n||"])
    with using(None):
        expected = places(texts)
    with using(compiled):
        assert places(texts).tolist() == expected.tolist()
        assert kernels.in_tables(texts, np.zeros(256, np.uint8)) is not None


def test_texts_with_tables_lie_in_their_array(compiled, using) -> None:
    codes = np.full(4, ord("|"), np.uint8)
    for starts, ends in (([0], [5]), ([-1], [2]), ([2], [1]), ([0, 1], [3, 4])):
        texts = Strings(codes, np.array(starts), np.array(ends))
        with using(compiled), pytest.raises(IndexError, match="in_tables"):
            kernels.in_tables(texts, np.zeros(256, np.uint8))


NUMBERS = st.text("0127٣-+−$€.,:/'_’eExbo½Ⅷ%° a\n", max_size=12) | st.text(max_size=8)


@pytest.mark.slow
@given(st.lists(NUMBERS, min_size=1, max_size=5))
def test_numbers_are_those_of_the_pattern(compiled, using, some) -> None:
    texts, pattern = Strings.of_texts(some), regex.compile(PRESETS["number"])
    with using(compiled):
        starts, ends = number_spans(texts)
    expected = [
        (at + match.start(), at + match.end())
        for at, text in zip(texts.starts.tolist(), some, strict=True)
        for match in pattern.finditer(text)
    ]
    assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == expected


@pytest.mark.parametrize("codes", [[0, 49], [49, 0], [0], [0, 0x110000, 0], [0, 1 << 31, 0]])
def test_numbers_lie_between_separators(compiled, using, codes) -> None:
    with using(compiled), pytest.raises(IndexError, match="perturb_numbers"):
        kernels.numbers(np.array(codes, np.uint32), np.zeros(0x110000, np.uint16))


# Selection


def lowest(starts, ends, keys, edges, counts, wanted):
    """The slow and obvious walk in the order of the ranks."""
    made, first = [], 0
    for text, count in enumerate(counts):
        sites = range(first, first + count)
        key = np.full(count, keys[text])
        ranks = hash32(key, np.array([starts[site] - edges[text] for site in sites], np.int64))
        taken: list[int] = []
        for _, site in sorted(zip(ranks.tolist(), sites, strict=True)):
            if len(taken) == wanted[text]:
                break
            if all(ends[s] <= starts[site] or ends[site] <= starts[s] for s in taken):
                taken.append(site)
        made += sorted(taken)
        first += count
    return made


@st.composite
def marked(draw):
    """A mask over texts, and how many of the marks of each are wanted."""
    lengths = draw(st.lists(st.sampled_from(LENGTHS[:-1]) | st.integers(0, 300), max_size=6))
    seed = draw(st.integers(0, 1 << 20))
    edges = np.cumsum([1, *lengths])
    density = draw(st.sampled_from([1, 2, 2, 10, 100]))
    drawn = hash32(np.full(edges[-1], key64(seed), np.uint64), np.arange(edges[-1]))
    mask = drawn % np.uint32(density) == 0
    mask[0] = False
    counts = [int(mask[a:b].sum()) for a, b in pairwise(edges)]
    wanted = [draw(st.integers(0, count) | st.sampled_from([0, count])) for count in counts]
    return mask, keys_of(len(lengths), seed), edges, np.array(counts, int), np.array(wanted, int)


@pytest.mark.slow
@given(marked())
def test_marks_are_chosen_as_by_a_walk(compiled, using, case) -> None:
    mask, keys, edges, counts, wanted = case
    (starts,) = mask.nonzero()
    with using(compiled):
        chosen = kernels.choose_marks(mask, keys, edges, counts, wanted)
    rows = lowest(starts, starts + 1, keys, edges, counts, wanted)
    assert chosen.tolist() == starts[rows].tolist()


@pytest.mark.slow
@given(marked(), st.booleans())
def test_marks_are_chosen_as_by_numpy(compiled, using, case, inserts) -> None:
    mask, *rest = case
    made = []
    for each in (compiled, None):
        with using(each):
            made.append(choose(MaskSites(mask, "character", inserts=inserts), *rest))
    for ours, theirs in zip(*made, strict=True):
        assert ours.tolist() == theirs.tolist()


@st.composite
def spread(draw):
    """Sites of texts, which may overlap, and how many of each text are wanted."""
    mask, keys, edges, counts, wanted = draw(marked())
    (starts,) = mask.nonzero()
    reach = draw(st.sampled_from([0, 1, 2, 5, 40]))
    ends = np.minimum(starts + reach, np.repeat(edges[1:], counts))
    return starts, ends, keys, edges, counts, wanted


@pytest.mark.slow
@given(spread())
def test_sites_are_chosen_as_by_a_walk_and_by_numpy(compiled, using, case) -> None:
    starts, ends, *rest = case
    sites = Sites(starts, ends, "place")
    with using(compiled):
        rows, made = kernels.choose_sites(starts, ends, sites.apart(), *rest)
    assert rows.tolist() == lowest(*case)
    with using(None):
        by_numpy = choose(sites, *rest)
    assert starts[rows].tolist() == by_numpy[0].tolist()
    assert ends[rows].tolist() == by_numpy[1].tolist()
    assert made.tolist() == by_numpy[2].tolist()


def test_sites_that_nest_are_left_to_numpy(compiled, using) -> None:
    """The walk looks beside a site for those that overlap it."""
    edges, one, keys = np.array([0, 20]), np.array([1]), keys_of(1)
    starts, ends = np.array([1, 2]), np.array([9, 4])
    with using(compiled):
        assert kernels.choose_sites(starts, ends, False, keys, edges, 2 * one, one) is None


# Edits


@st.composite
def edits_of(draw, source):
    """Edits of texts, in order."""
    places = sorted(
        place
        for start, end in zip(source.starts.tolist(), source.ends.tolist(), strict=True)
        for place in draw(
            st.lists(st.integers(start, end), max_size=4).map(lambda v: v[: len(v) // 2 * 2])
        )
    )
    text = np.searchsorted(source.starts, places, "right")
    pairs = [
        (a, b)
        for a, b, s, t in zip(places[::2], places[1::2], text[::2], text[1::2], strict=True)
        if s == t
    ]
    written = column([draw(texts) for _ in pairs])
    starts, ends = np.array(pairs, np.int64).reshape(-1, 2).T
    return Edits(starts, ends, written)


@pytest.mark.slow
@given(some_texts.map(Strings.of_texts), st.data())
def test_edits_are_applied_as_by_numpy(compiled, using, source, data) -> None:
    edits = data.draw(edits_of(source))
    with using(compiled):
        ours = kernels.apply_edits(edits.starts, edits.ends, edits.replacements, source)
    with using(None):
        theirs = edits.apply(source)
    assert ours.to_list() == theirs.to_list()
    assert ours.codes.tolist() == theirs.codes.tolist()
    assert ours.starts.tolist() == theirs.starts.tolist()


def three_columns(edits):
    """What the kernel takes of edits."""
    return edits.starts, edits.ends, edits.replacements.lengths


short = st.text("aaaabé☃", max_size=9)


@pytest.mark.slow
@given(st.lists(short | texts, max_size=5).map(Strings.of_texts), st.data())
def test_edits_are_composed_as_by_numpy(compiled, using, source, data) -> None:
    first = data.draw(edits_of(source))
    between = first.apply(source)
    second = data.draw(edits_of(between))
    result = second.apply(between)
    assume(len(first) and len(second))
    with using(compiled):
        *edges, starts, ends = kernels.compose_edits(
            three_columns(first), three_columns(second), source.codes, result.codes
        )
    expected = _composed(first, second, source, result)
    written = expected.replacements
    assert [*map(np.ndarray.tolist, edges)] == [expected.starts.tolist(), expected.ends.tolist()]
    assert (starts.tolist(), ends.tolist()) == (written.starts.tolist(), written.ends.tolist())


def test_several_steps_are_composed_by_a_kernel(compiled, using, called) -> None:
    with using(compiled):
        perturb.apply(["The quick brown fox", "jumps over it"], ["char_delete", "case"], p=0.5)
    assert called.count("perturb_compose") == 1


# Hostile arrays

BAD_EDGES = [[-1, 5], [3, 2], [0, 99], [0, 1 << 62], [-(1 << 62), 4]]


@pytest.mark.parametrize("edges", BAD_EDGES)
def test_offsets_out_of_range_are_refused(compiled, using, edges) -> None:
    edges, keys, one = np.array(edges), keys_of(1), np.array([1])
    mask = np.ones(8, np.bool_)
    strings = Strings(np.zeros(8, np.uint8), edges[:1], edges[1:])
    good = column(["abcdefgh"])
    with using(compiled):
        with pytest.raises(IndexError, match="perturb_choose_marks"):
            kernels.choose_marks(mask, keys, edges, one, one)
        with pytest.raises(IndexError, match="perturb_keys"):
            kernels.keys_of_texts(strings)
        with pytest.raises((IndexError, MemoryError, ValueError)):
            kernels.apply_edits(one, one, strings, good)
        with pytest.raises((IndexError, MemoryError, ValueError)):
            kernels.apply_edits(edges[:1], edges[1:], column(["x"]), good)
        bad, fine = (edges[:1], edges[1:], one), (one, one, one)
        codes = np.zeros(10, np.uint8)
        for edits in ((bad, fine), (fine, bad)):
            with pytest.raises(IndexError, match="perturb_compose"):
                kernels.compose_edits(*edits, codes[:8], codes)


def test_more_sites_than_there_is_room_for_are_refused(compiled, using) -> None:
    starts, one = np.arange(1, 5), np.array([1])
    taken, wanted = np.empty(2, np.int64), np.array([2, 2])
    with using(compiled), pytest.raises(IndexError, match="perturb_choose_sites"):
        binding.called(
            "perturb_choose_sites",
            *(starts, starts + 1, None, 4, True, np.array([1, 3, 5]), 2, keys_of(2), wanted),
            *(wanted, 3, np.empty(3, np.int64), taken),
        )
    with using(compiled), pytest.raises(IndexError, match="perturb_choose_sites"):
        kernels.choose_sites(one, one + 1, True, keys_of(1), np.array([1, 3]), one, np.array([2]))


@pytest.mark.parametrize(
    "edges", [[0, 99], [2, 101], [101, 0], [0, -(1 << 63)], [1 << 62, 1 << 63 - 1]]
)
@pytest.mark.parametrize("first", [1, -(1 << 63)])
def test_draws_for_places_beyond_the_edges_are_refused(compiled, using, edges, first) -> None:
    places = np.arange(1, 101)
    places[0] = first
    with using(compiled), pytest.raises(IndexError, match="perturb_draws"):
        kernels.draws(keys_of(1), np.array(edges), places, 0)


@pytest.mark.parametrize("length", [-1, 9, 1 << 60, (1 << 63) - 1, -(1 << 63)])
def test_lengths_that_cannot_be_are_refused(compiled, using, length) -> None:
    one, codes, wrong = np.array([1]), np.zeros(9, np.uint8), np.array([length])
    with using(compiled):
        for lengths in ((wrong, one), (one, wrong), (wrong, wrong)):
            with pytest.raises(IndexError, match="perturb_compose"):
                kernels.compose_edits(*((one, one, each) for each in lengths), codes[:7], codes)


@pytest.mark.parametrize("wanted", [-1, 9, 1 << 62])
def test_numbers_that_cannot_be_are_refused(compiled, using, wanted) -> None:
    mask, edges, one = np.ones(8, np.bool_), np.array([0, 8]), np.array([1])
    places = np.arange(8)
    with using(compiled), pytest.raises((IndexError, MemoryError, ValueError)):
        kernels.choose_marks(mask, keys_of(1), edges, 8 * one, wanted * one)
    with using(compiled), pytest.raises((IndexError, MemoryError, ValueError)):
        kernels.choose_sites(places, places + 1, True, keys_of(1), edges, 8 * one, wanted * one)


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.integers(1, 3), st.integers(0, 3)), min_size=1, max_size=150),
    st.sampled_from([3, 50, 0xFFFFFFFF]),
    st.integers(0, 40),
    st.integers(0, 2**32 - 1),
)
def test_given_ranks_are_walked_in_order(compiled, using, steps, most, take, seed) -> None:
    """Of two alike the first comes first; one that overlaps a chosen one is passed over."""
    starts = np.cumsum([step for step, _ in steps])
    ends = np.maximum.accumulate(starts + [length for _, length in steps])
    ranks = np.random.default_rng(seed).integers(0, most, len(starts), np.uint32, endpoint=True)
    sites = OrderedSites(starts, ends, "place", ranks)
    wanted = min(take, len(starts))
    walked: list[int] = []
    for row in sorted(range(len(starts)), key=lambda row: (ranks[row], row)):
        apart = all(ends[row] <= starts[other] or ends[other] <= starts[row] for other in walked)
        if apart and len(walked) < wanted:
            walked.append(row)
    edges = np.array([0, ends[-1] + 1, ends[-1] + 2])  # a kernel pays from two texts on
    counts, asked = np.array([len(starts), 0]), np.array([wanted, 0])
    for each in (compiled, None):
        with using(each):
            begun, _, made = choose(sites, keys_of(2), edges, counts, asked)
        assert begun.tolist() == starts[sorted(walked)].tolist()
        assert made.tolist() == [len(walked), 0]


def test_marks_that_are_fewer_than_said_are_all_chosen(compiled, using) -> None:
    mask, edges, one = np.eye(1, 100, 7, np.bool_)[0], np.array([0, 100]), np.array([1])
    with using(compiled):
        for count, wanted in ((50, 20), (50, 50)):
            chosen = kernels.choose_marks(mask, keys_of(1), edges, count * one, wanted * one)
            assert chosen.tolist() == [7]


def odd(array):
    """The same numbers in other places: apart, misaligned, or with their bytes swapped."""
    apart = np.repeat(array, 2)[::2]
    room = np.zeros(array.nbytes + 1, np.uint8)
    misaligned = room[1:].view(array.dtype)
    misaligned[:] = array
    return apart, misaligned, array.astype(array.dtype.newbyteorder())


def test_arrays_may_lie_as_they_like(compiled, using) -> None:
    source = Strings.of_texts(["The quick brown fox", "žluťoučký kůň"])
    starts = np.array([1, 4, 22])
    written = column(["čč", "x", ""])
    edges = np.append(source.starts, len(source.codes))
    counts, wanted, keys = np.array([2, 1]), np.array([1, 1]), keys_of(2)
    mask = np.zeros(len(source.codes), np.bool_)
    mask[starts] = True
    with using(compiled):
        applied = kernels.apply_edits(starts, starts + 1, written, source)
        chosen = kernels.choose_marks(mask, keys, edges, counts, wanted)
        rows, made = kernels.choose_sites(starts, starts + 1, True, keys, edges, counts, wanted)
        for n in range(3):
            strange = Strings(
                *(odd(part)[n] for part in (source.codes, source.starts, source.ends))
            )
            others = [odd(part)[n] for part in (keys, edges, counts, wanted)]
            again = kernels.apply_edits(odd(starts)[n], odd(starts + 1)[n], written, strange)
            assert again.to_list() == applied.to_list()
            assert kernels.choose_marks(odd(mask)[n], *others).tolist() == chosen.tolist()
            again, number = kernels.choose_sites(odd(starts)[n], odd(starts + 1)[n], True, *others)
            assert (again.tolist(), number.tolist()) == (rows.tolist(), made.tolist())


# Whole steps


@pytest.mark.slow
@given(st.lists(texts, min_size=2, max_size=8), st.sampled_from([0.0, 0.05, 0.5, 1.0]))
def test_substitutions_are_made_as_by_numpy(compiled, using, some, p) -> None:
    made = []
    for each in (compiled, None):
        with using(each):
            records = perturb.apply(some, "keyboard_typos", p=p, protect="url")
            made.append([(record.text, record.edits, record.steps) for record in records])
    assert made[0] == made[1]
