"""The kernels of counted noise against what defines them."""

from functools import cache

import numpy as np
import pytest
from cases import SENTENCE
from hypothesis import given
from hypothesis import strategies as st

from perturb.engine.batch import Batch
from perturb.engine.native import noise as kernels
from perturb.engine.native.noise import Places
from perturb.engine.text.strings import Strings
from perturb.perturbators.letters.slips import Slips
from perturb.perturbators.machines.fitted import shipped
from perturb.perturbators.shared.edit_tables import noisy_sites
from perturb.perturbators.shared.noise import Noise
from perturb.rng import key64

# Edits of all kinds and sides, many of them within each other, and of words.
KINDS = [
    *(["", "", "", "x", 0.01], ["a", "", "", "y", 0.2], ["", "", "b", "z", 0.2]),
    *(["\n", "", "", "“", 0.5], ["b", "", "\n", "”", 0.9], [" ", "", "a", "w", 0.1]),
    *(["", "a", "", "ee", 0.1], ["b", "a", "", "", 0.2], ["", "b", "c", "d", 0.3]),
    *([" ", "c", " ", "€", 0.4], ["", "ab", "", "q", 0.5], ["c", "ba", "", "w", 0.6]),
    *(["", "abc", "", "m", 0.9], ["", "a b", "", "", 0.4], ["", "λ", "", "l", 0.5]),
]
WORDS = [["abcab", "word", 1.0], ["abcab", "", 0.2], ["λb", "b", 0.5], ["ba", "ab", 0.7]]
TABLES = [
    Noise({"rate": 0.1, "bursts": bursts, "spread": 0, "edits": KINDS, "words": words})
    for bursts in (0, 1.5)
    for words in ([], WORDS)
]
PIECES = ["a", "b", "c", " ", "ab", "abc", "ba", " abcab ", " ba ", "\n", "7", "x", "λb", "é", ""]
PIECES += ["нн", "B?"]
some_texts = st.lists(st.lists(st.sampled_from(PIECES), max_size=30).map("".join), min_size=1)


def batch_of(texts, seed=0):
    keys = np.array([key64(seed, row) for row in range(len(texts))], np.uint64)
    return Batch(Strings.of_texts(texts), keys)


def found(batch, noise):
    """The sites of a noise, their ranks, and what would be written at each."""
    sites = noisy_sites(batch, noise, batch.in_numbers())
    edges = Strings(batch.codes, sites.starts, sites.ends)
    written = sites.write(batch.chosen(edges)).to_list()
    ranks = sites.ranks(batch.keys, batch.edges)
    return sites.starts.tolist(), sites.ends.tolist(), ranks.tolist(), written


# Made where they are used, as reading them takes a third of a second.
SHIPPED = {
    "typing": lambda: shipped("typing"),
    "ocr": lambda: shipped("tesseract"),
    "slips": lambda: Slips("any", "auto"),
    "slips of French": lambda: Slips("own", "fr"),
}


@cache
def noise_of(name):
    return SHIPPED[name]() if name in SHIPPED else TABLES[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*range(len(TABLES)), *SHIPPED])
@given(texts=some_texts, seed=st.integers(0, 1 << 20))
def test_sites_and_edits_are_those_of_numpy(compiled, using, name, texts, seed) -> None:
    noise = noise_of(name)
    made = []
    for each in (compiled, None):
        with using(each):
            made.append(found(batch_of(texts, seed), noise))
    assert made[0] == made[1]


@pytest.mark.parametrize("noise", TABLES)
def test_edits_of_all_kinds_are_made_by_the_kernel(compiled, using, noise) -> None:
    """Of 400 texts; no site ends before one that starts before it."""
    texts = ["abc ba abcab cab a c b", "λb a ba 7 abcab"] * 200
    with using(compiled):
        starts, ends, _, written = found(batch_of(texts), noise)
    assert {end - start for start, end in zip(starts, ends, strict=True)} >= {0, 1, 2, 3}
    assert sorted(ends) == ends
    assert set(written) >= {row[3] for row in KINDS}
    assert ("word" in written) == noise.words(batch_of(texts)).any()


@pytest.mark.slow
def test_each_of_two_edits_is_chosen_as_often_as_its_rate_says() -> None:
    """N = 40,000 texts of two places, one of which is chosen: the standard error is 0.002."""
    edits = [["", "a", "", "x", 0.03], ["", "b", "", "y", 0.01]]
    noise = Noise({"rate": 0.02, "bursts": 0, "spread": 0, "edits": edits, "words": []})
    batch = batch_of(["ab"] * 40_000)
    sites = noisy_sites(batch, noise)
    ranks = sites.ranks(batch.keys, batch.edges).reshape(-1, 2) / 2**32
    # A rank is below r for a draw below rate * r / (1 - r).
    assert (ranks[:, 0] < 0.1).mean() == pytest.approx(1.5 / 9, abs=0.008)
    assert (ranks[:, 1] < 0.1).mean() == pytest.approx(0.5 / 9, abs=0.005)


def places_of(noise):
    batch = batch_of([SENTENCE] * 3)
    size = len(batch.codes) - 1
    draws = np.zeros(size, np.uint32)
    return Places(noise.numbers(batch.codes), noise.words(batch), None, None, draws, draws)


@pytest.mark.parametrize(("column", "number"), [("numbers", 99), ("words", -1), ("words", 99)])
def test_what_is_in_no_table_is_refused(compiled, using, column, number) -> None:
    noise = TABLES[1]
    places = places_of(noise)
    odd = getattr(places, column).copy()
    odd[-1] = number
    with using(compiled), pytest.raises(IndexError, match="perturb_noise"):
        kernels.noisy_sites(noise.struct, places._replace(**{column: odd}))


def test_words_that_reach_over_the_end_are_refused(compiled, using) -> None:
    noise = TABLES[1]
    places = places_of(noise)
    words = noise.words(batch_of(["abcab"])).max() + np.zeros_like(places.words)
    with using(compiled), pytest.raises(IndexError, match="perturb_noise"):
        kernels.noisy_sites(noise.struct, places._replace(words=words))


@pytest.mark.parametrize(("row", "kind"), [(-1, 0), (1 << 40, 0), (0, 5)])
def test_edits_at_no_place_are_refused(compiled, using, row, kind) -> None:
    noise = TABLES[0]
    places = places_of(noise)
    kinds = np.full(len(places.words), kind, np.uint8)
    draws = np.zeros(1, np.uint32)
    with using(compiled), pytest.raises(IndexError, match="perturb_noise_edits"):
        kernels.noisy_edits(noise.struct, places, kinds, np.array([row]), draws)


@pytest.mark.parametrize(("column", "number"), [("numbers", 99), ("words", -1), ("words", 1 << 30)])
def test_edits_of_what_is_in_no_table_are_refused(compiled, using, column, number) -> None:
    noise = TABLES[0]
    places = places_of(noise)
    odd = getattr(places, column).copy()
    odd[0] = number
    kinds = np.full(len(places.words), 4, np.uint8)
    places = places._replace(**{column: odd})
    with using(compiled), pytest.raises(IndexError, match="perturb_noise_edits"):
        kernels.noisy_edits(noise.struct, places, kinds, np.array([0]), np.zeros(1, np.uint32))


def test_there_are_no_sites_where_a_noise_has_no_rates(compiled, using) -> None:
    noise = Noise(
        {"rate": 0.1, "bursts": 0, "spread": 0, "edits": [["", "a", "", "b", 0.5]], "words": []}
    )
    for each in (compiled, None):
        with using(each):
            starts, ends, *_ = found(batch_of(["a cat", "no", "a"]), noise)
        assert (starts, ends) == ([1, 4, 10], [2, 5, 11])
