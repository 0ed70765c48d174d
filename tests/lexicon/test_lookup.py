import re
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from spelled import lookup, spell

from perturb.lexicon.store import load, spellings, takes_an

SINGLE = len(load().hash_order) - 1
WORDS = st.one_of(
    st.sampled_from(["mice", "don't", "mother-in-law", "a", "hello"]),
    st.integers(0, SINGLE - 1).map(spell),
    st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=60),
)


@cache
def by_spelling():
    return {spell(number): number for number in range(SINGLE)}


def look_up(words, encoding="utf-32-le"):
    """Join words with blanks, as a batch does, and look them up."""
    text = " ".join(words)
    lengths = np.array([len(word) for word in words], np.int64)
    ends = np.cumsum(lengths + 1) - 1
    starts = ends - lengths
    width = {"latin-1": np.uint8, "utf-32-le": np.uint32}[encoding]
    return lookup(np.frombuffer(text.encode(encoding), width), starts, ends)


def reference(word):
    folded = re.sub("[A-Z]", lambda match: match[0].lower(), word).replace("’", "'")
    return by_spelling().get(folded, -1)


@given(st.lists(WORDS))
def test_equals_a_dict(words):
    assert look_up(words).tolist() == [reference(word) for word in words]


@pytest.mark.slow
@given(st.lists(WORDS.map(str.upper)))
def test_latin1_equals_utf32(words):
    words = [word for word in words if word.isascii()]
    assert look_up(words, "latin-1").tolist() == look_up(words).tolist()


def test_every_surface_finds_itself():
    words = list(by_spelling())
    assert (look_up(words, "latin-1") == np.arange(len(words))).all()


def test_no_words():
    assert look_up([]).tolist() == []


@pytest.mark.parametrize("word", ["fox", "Fox", "FOX", "fOx"])
def test_any_case(word):
    assert spell(look_up([word])[0]) == "fox"


def test_spellings_are_slices_of_one_array():
    surfaces = look_up(["mice", "running"])
    spelled = spellings(surfaces)
    assert spelled.codes is load().codes
    assert spelled.to_list() == ["mice", "running"]


@pytest.mark.parametrize(
    ("word", "an"),
    [("apple", True), ("hour", True), ("unit", False), ("one", False), ("house", False),
     ("honest", True), ("european", False), ("user", False), ("umbrella", True), ("heir", True)],
)  # fmt: skip
def test_takes_an(word, an):
    surfaces = look_up([word])
    assert surfaces[0] < 0 or takes_an(surfaces)[0] == an
