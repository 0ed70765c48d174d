"""Normalization against Python's own, on what both of their versions of Unicode know."""

import unicodedata
from functools import cache
from random import Random

import numpy as np
import pytest

from perturb.engine.text.characters import Kind, kinds
from perturb.engine.text.normalization import (
    combining_classes,
    compositions,
    firm,
    normalized,
    unsettled,
)
from perturb.engine.text.strings import column

FORMS = ("NFC", "NFD", "NFKC", "NFKD")


def known(codes):
    """The characters that both know; what is assigned stays as it is in every later version."""
    ours = kinds() != Kind.OTHER
    return [chr(code) for code in codes if ours[code] and unicodedata.category(chr(code)) != "Cn"]


@cache
def all_known():
    return known(range(1, 0x110000))


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_every_character(form):
    got = normalized(column(all_known()), form).to_list()
    assert got == [unicodedata.normalize(form, char) for char in all_known()]


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_random_strings_of_what_interacts(form):
    """20,000 strings of marks, halves of compositions, Hangul letters and what decomposes."""
    random = Random(5)
    first, second, composite = compositions()
    pools = [
        known(np.flatnonzero(combining_classes())),
        known(np.concatenate([first, second])),
        known(composite),
        known(range(0x1100, 0x1200)),
        known(range(0xAC00, 0xAC40)),
        [chr(code) for code in range(0x300, 0x330)],
        list("aeoE ﬁÅ²"),
    ]
    strings = [
        "".join(random.choice(random.choice(pools)) for _ in range(random.randint(1, 9)))
        for _ in range(20_000)
    ]
    got = normalized(column(strings), form).to_list()
    assert got == [unicodedata.normalize(form, string) for string in strings]


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_settled_characters_stay_in_any_neighbourhood(form):
    """Between any two others a character that is not unsettled is left as it is, and parts them."""
    random = Random(6)
    settled = [char for char in all_known() if not unsettled(form).mask(np.array([ord(char)]))[0]]
    assert "a" in settled
    assert len(settled) > 100_000
    for char in random.sample(settled, 3000):
        left, right = random.choice(all_known()), random.choice(all_known())
        parts = [unicodedata.normalize(form, part) for part in (left, char, right)]
        whole = unicodedata.normalize(form, left + char + right)
        assert whole.startswith(parts[0] + char), (left, char, right)


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_text_may_be_cut_before_a_firm_character(form):
    random = Random(7)
    loose = [c for c in all_known() if unsettled(form).mask(np.array([ord(c)]))[0]]
    cuts = [c for c in loose if firm(form).mask(np.array([ord(c)]))[0]]
    for _ in range(5000):
        left = "".join(random.choice(loose) for _ in range(3))
        right = random.choice(cuts or ["a"]) + random.choice(loose)
        whole = unicodedata.normalize(form, left + right)
        assert whole == unicodedata.normalize(form, left) + unicodedata.normalize(form, right)


def test_newer_than_pythons_tables():
    """Kirat Rai of Unicode 16: its vowel sign E is both halves of AI."""
    assert normalized(column(["\U00016d67\U00016d67"]), "NFC").to_list() == ["\U00016d68"]
    assert normalized(column(["\U00016d68"]), "NFD").to_list() == ["\U00016d67\U00016d67"]


def test_nothing():
    for form in FORMS:
        assert normalized(column([]), form).to_list() == []
