"""The kernels of words against what defines them."""

from pathlib import Path

import numpy as np
import pytest
from cases import SENTENCE
from hypothesis import example, given
from hypothesis import strategies as st
from spelled import lookup

from perturb.engine.batch import Batch, word_classes
from perturb.engine.native import words as kernels
from perturb.engine.native.contexts import tags
from perturb.engine.native.kernels import draws
from perturb.engine.text.strings import Strings, ranges
from perturb.lexicon import hashing
from perturb.lexicon.english import language_numbers
from perturb.lexicon.hashing import HashTable
from perturb.lexicon.store import load
from perturb.lexicon.tagger import tag
from perturb.lexicon.tagger_tables import columns_of, known, tables_of
from perturb.lexicon.tokens import Words, read_batch
from perturb.rng import uniform
from perturb.testing import HOSTILE

# Words, and what stands in and between them; a block of characters has 64.
PIECES = [
    *(
        "a",
        "I",
        "dog",
        "Dogs",
        "NASA",
        "eBay",
        "3rd",
        "12",
        "don't",
        "well-known",
        "e.g",
        "x'",
        "é",
    ),
    *("not", "will", "has", "the", "of", "runs", "Josh's", "please", "watches", "very", "Ärger"),
    *(
        "3.14",
        "1,000",
        "9:30",
        "_",
        "--",
        "'",
        ".",
        ". ",
        "?\n",
        ", ",
        " ",
        " ",
        " ",
        "\t",
        "  (  ; ",
    ),
    *(
        "x" * 8,
        "Y" * 9,
        "z" * 16,
        "w" * 47,
        "w" * 48,
        "v" * 49,
        "u" * 63,
        "t" * 64,
        "s" * 130,
        "\r\n",
    ),
]
some_texts = st.lists(st.lists(st.sampled_from(PIECES), max_size=40).map("".join), max_size=6)
# Enough that kernels pay, so that no text decides whether they are asked.
REST = [f"{SENTENCE} {SENTENCE}", SENTENCE.upper()]


def batch_of(texts):
    return Batch.of([*texts, *REST])


def both(compiled, using, make):
    made = []
    for each in (compiled, None):
        with using(each):
            made.append([np.asarray(column).tolist() for column in make()])
    return made


@pytest.mark.slow
@given(some_texts)
def test_words_are_found_as_by_numpy(compiled, using, texts) -> None:
    def words():
        found = batch_of(texts).words
        return found.starts, found.ends

    ours, theirs = both(compiled, using, words)
    assert ours == theirs


def test_words_are_found_by_the_kernel(compiled, using) -> None:
    batch = batch_of([])
    with using(compiled):
        starts, _ = kernels.find_words(batch.codes, word_classes())
        assert starts.tolist() == batch.words.starts.tolist() != []
        # What a word begins or ends the array with has no separator there.
        assert kernels.find_words(np.frombuffer(b"a b ", np.uint8), word_classes()) is None
        assert kernels.find_words(np.zeros(0, np.uint8), word_classes())[0].tolist() == []


@given(some_texts, st.booleans())
def test_words_are_hashed_as_by_numpy(compiled, using, texts, accents) -> None:
    ours, theirs = both(compiled, using, lambda: [_hashes(batch_of(texts), accents)])
    assert ours == theirs


def _hashes(batch, accents=False):
    return hashing.hash_spans(batch, batch.words.starts, batch.words.ends, accents)


@pytest.mark.slow
@given(some_texts, st.integers(0, 300))
def test_words_are_numbered_by_their_hashes(compiled, using, texts, more) -> None:
    """So many that the kernel's table has to grow are among them."""
    texts = [*texts, " ".join(f"{number} word{number % 7}" for number in range(more * more))]
    batch = batch_of(texts)
    with using(compiled):
        numbers, distinct, _ = hashing.vocabulary(batch)
    assert len(set(distinct.tolist())) == len(distinct) == numbers[-1]
    assert distinct[numbers[:-1]].tolist() == _hashes(batch).tolist()
    with using(None):
        plain = hashing.vocabulary(batch_of(texts))
    assert plain.hashes[plain.numbers[:-1]].tolist() == _hashes(batch).tolist()
    assert numbers.dtype == plain.numbers.dtype


@pytest.mark.slow
@given(
    st.lists(st.integers(0, 2**64 - 2), max_size=300),
    st.lists(st.integers(0, 2**64 - 1), min_size=40, max_size=300),
    st.integers(3, 12),
    st.integers(0, 60),
)
@example([2**64 - 2], [2**64 - 1] * 40, 4, 0)
def test_hashes_are_found_as_in_a_dictionary(compiled, using, entries, asked, bits, shift) -> None:
    """Entries that are shifted share a slot."""
    entries = sorted({entry >> shift for entry in entries})
    asked = [*entries, *asked, *(one >> shift for one in asked)]
    table = HashTable.of(np.array(entries, np.uint64), bits)
    ours, theirs = both(compiled, using, lambda: table.find(np.array(asked, np.uint64)))
    place = {entry: place for place, entry in enumerate(entries)}
    expected = [(row, place[one]) for row, one in enumerate(asked) if one in place]
    assert ours == theirs
    assert list(zip(*ours, strict=True)) == expected


@pytest.mark.slow
@given(some_texts)
def test_forms_and_tags_of_words_are_as_by_numpy(compiled, using, texts) -> None:
    def tagged():
        words = read_batch(batch_of(texts))
        wanted = np.arange(len(words.surfaces)) % 3 > 0
        return *words, tag(words), tag(words, wanted)

    ours, theirs = both(compiled, using, tagged)
    assert ours == theirs


def test_many_words_are_read_and_tagged_as_by_numpy(compiled, using) -> None:
    """So many that the kernel that reads them cuts them into blocks."""
    texts = [
        f"{'so ' * number}{SENTENCE} The dogs bark and Tom watches ice cream."
        for number in range(90)
    ]
    ours, theirs = both(
        compiled, using, lambda: [*read_batch(batch_of(texts)), tag(read_batch(batch_of(texts)))]
    )
    assert ours == theirs
    assert len(ours[0]) > 4 * 512


@pytest.mark.slow
@given(some_texts, st.sampled_from([*HOSTILE.values()]))
def test_any_text_may_stand_among_them(compiled, using, texts, hostile) -> None:
    """Where it is not of Latin-1, NumPy does it."""

    def around():
        batch = batch_of([hostile, *texts])
        words = batch.words
        return (
            words.starts,
            _hashes(batch),
            lookup(batch.codes, words.starts, words.ends),
        )

    ours, theirs = both(compiled, using, around)
    assert ours == theirs


# Hostile arrays


@pytest.mark.parametrize("edges", [[-1, 5], [3, 2], [0, 99], [0, 1 << 62], [-(1 << 62), 4]])
def test_words_out_of_range_are_refused(compiled, using, edges) -> None:
    codes, table = np.full(64, ord("a"), np.uint8), np.arange(256, dtype=np.uint8)
    starts, ends = (np.repeat(edge, 40) for edge in edges)
    with using(compiled):
        with pytest.raises(IndexError, match="perturb_hash_words"):
            kernels.hash_words(codes, table, starts, ends)
        with pytest.raises(IndexError, match="perturb_read_words"):
            kernels.read_words(codes, table, starts, ends)


def test_tables_that_cannot_be_are_refused(compiled, using) -> None:
    hashes = np.arange(40, dtype=np.uint64)
    table = HashTable.of(hashes)
    with using(compiled):
        for first in (-1, 41, 1 << 30):
            firsts = np.full_like(table.firsts, first)
            with pytest.raises(IndexError, match="perturb_find_hashes"):
                kernels.find_hashes(hashes, table.hashes, table.taken_bits, firsts, table.bits)
        for bits in (-1, 0, 2, 63, 1 << 20):
            with pytest.raises(IndexError, match="perturb_find_hashes"):
                kernels.find_hashes(hashes, table.hashes, table.taken_bits, table.firsts, bits)
        with pytest.raises(IndexError, match="perturb_find_hashes"):
            kernels.find_hashes(
                hashes, table.hashes[:-1], table.taken_bits, table.firsts, table.bits
            )


@pytest.mark.parametrize("surface", [-2, 1 << 30, -(1 << 31)])
def test_surfaces_that_cannot_be_are_refused(compiled, using, surface) -> None:
    facts, no = known(), np.zeros(3, np.bool_)
    words = Words(np.array([0, surface, 1], np.int32), np.zeros(3, np.uint8), no, no)
    with using(compiled), pytest.raises(IndexError, match="perturb_tags"):
        tags(words, None, columns_of(facts), tables_of(facts))


def test_facts_are_as_the_kernel_takes_them() -> None:
    facts = known()
    for column, kind in zip(
        (*facts[:2], facts.names, facts.scores, facts.roles, facts.before, facts.after),
        (np.uint8, np.uint8, np.bool_, np.float32, np.uint16, np.float32, np.float32),
        strict=True,
    ):
        assert column.dtype == kind
        assert column.flags.c_contiguous
    kinds = (np.float32, np.float32, np.int8, np.int8, np.uint8, np.uint8, np.uint64, np.int32)
    assert [column.dtype for column in tables_of(facts)] == [*kinds]
    assert len(facts.left) == 9 * 4 * 2 * 128
    assert len(facts.right) == len(facts.nouns) == 4 * len(facts.roles)
    assert len(facts.verbs) == 32 * 32
    assert len(facts.after) == 2 * len(facts.before) == 2 * 128 * len(facts.roles)
    assert len(load().bounds) == len(facts.kinds)
    assert facts.edges[-1] == len(load().collocations)


# Draws


@given(
    st.lists(st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 60)), min_size=1, max_size=20),
    st.integers(0, 29),
)
def test_draws_are_those_of_numpy(compiled, using, texts, lane) -> None:
    keys = np.array([key for key, _ in texts], np.uint64)
    counts = np.array([count for _, count in texts])
    batch = Batch(Strings.of_texts(["x" * count for count in counts.tolist()]), keys)
    places = ranges(batch.texts.starts, counts)
    ours, theirs = both(
        compiled,
        using,
        lambda: (batch.draw(places, lane), batch.uniform(places, lane)),
    )
    chosen = batch.chosen(Strings(batch.codes, places, places))
    assert ours == theirs
    assert ours[0] == chosen.draw(lane).tolist()
    assert ours[1] == uniform(chosen.draw(lane)).tolist()


@pytest.mark.parametrize("edges", [[0, 50, 99], [0, -1, 50], [0, 0, -(1 << 62)]])
def test_places_beyond_the_last_text_are_refused(compiled, using, edges) -> None:
    with using(compiled), pytest.raises(IndexError, match="perturb_draws"):
        draws(np.zeros(2, np.uint64), np.array(edges), np.arange(100), 0)


LETTERS = (
    "Łódź Äpfel ÄRGER NÃO né où đi l’été ٣x 字x x\u0301 ¿Cuándo ¿Qué und der les que się".split()
)
SPOKEN = st.lists(
    st.sampled_from([*LETTERS, *PIECES, "not", "THE"]) | st.text(max_size=3), max_size=14
)


@pytest.mark.slow
@given(
    st.lists(SPOKEN, min_size=1, max_size=9), st.sampled_from([" ", "’", "-", ". "]), st.booleans()
)
def test_languages_of_texts(compiled, using, some, between, has_letter) -> None:
    texts, made = Strings.of_texts([between.join(words) for words in some]), []
    for each in (compiled, None):
        with using(each):
            made.append(language_numbers(texts, has_letter).tolist())
    assert made[0] == made[1]


def test_languages_of_known_texts(compiled, using) -> None:
    file = Path(__file__).parents[2] / "lexicon" / "languages.tsv"
    lines = [line.split("\t")[-1] for line in file.read_text("utf-8").splitlines()]
    for texts in (lines, [*map(str.upper, lines)], [line[:9] for line in lines]):
        made = []
        for each in (compiled, None):
            with using(each):
                made.append(language_numbers(Strings.of_texts(texts)).tolist())
        assert made[0] == made[1]


def test_letters_of_languages_out_of_range_are_refused(compiled, using) -> None:
    texts = Strings(np.array([0, 0x110000, 0], np.uint32), np.array([1]), np.array([2]))
    with using(compiled), pytest.raises(IndexError, match="perturb_languages"):
        language_numbers(texts)
