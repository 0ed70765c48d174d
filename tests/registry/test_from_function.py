"""Any function of a text keeps the contract."""

import asyncio
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.registry import registry
from perturb.registry.from_function import from_function

TEXTS = ["The quick brown fox jumps.", "", "Over 12 lazy dogs", "Why not today, then?"]


def swapped(text, seed=None):
    """Swap two words; which, `seed` says, or the global generator."""
    words = text.split(" ")
    draw = random if seed is None else random.Random(seed)
    at = draw.randrange(max(len(words) - 1, 1))
    words[at : at + 2] = reversed(words[at : at + 2])
    return " ".join(words)


async def shouted(text):
    await asyncio.sleep(0)
    return text.upper()


def test_a_record_says_what_the_function_did():
    step = from_function("polite", lambda text: f"Please: {text}")
    record = perturb.apply("Add 3 and 4.", step, p=1.0)
    assert record.text == "Please: Add 3 and 4."
    assert record.restore() == "Add 3 and 4."
    assert (record.units, record.sites, len(record.edits)) == (1, 1, 1)
    assert perturb.apply("Add.", from_function("same", str), p=1.0).reason == "no site"


@pytest.mark.parametrize("seeded", [None, "seed"])
def test_texts_do_not_depend_on_each_other(seeded):
    """In a list, alone and in another order; the state of the caller's generators stays."""
    step = from_function("swap_two", swapped, seeded=seeded)
    random.seed(5)
    np.random.seed(5)
    state = random.getstate(), np.random.get_state()[1].tolist()
    together = [r.text for r in perturb.apply(TEXTS, step, p=1.0, seed=3)]
    assert (random.getstate(), np.random.get_state()[1].tolist()) == state
    assert [perturb.apply(text, step, p=1.0, seed=3).text for text in TEXTS] == together
    assert [r.text for r in perturb.apply(TEXTS[::-1], step, p=1.0, seed=3)] == together[::-1]
    assert [r.text for r in perturb.apply(TEXTS, step, p=1.0, seed=4)] != together


def test_edits_of_a_text_go_together_or_one_by_one():
    step = from_function("upper", str.upper)
    protected = perturb.apply("one two three", step, p=1.0, protect="word:two")
    assert (protected.text, protected.reason) == ("one two three", "protected")
    apart = from_function("upper_each", lambda text: text.replace("o", "0"), together=False)
    record = perturb.apply("one two oooo door", apart, p=1.0, protect="word:two")
    assert record.text == "0ne two 0000 d00r"
    half = perturb.apply("o n o n o n o n", apart, p=0.5)
    assert 0 < len(half.edits) < 4


@given(st.text(max_size=30), st.floats(0, 1))
def test_larger_shares_add_edits(text, p):
    step = from_function(
        "spaced", lambda text: text.replace("a", "4").replace(" ", "  "), together=False
    )
    few = {*perturb.apply(text, step, p=p / 2).edits}
    assert few <= {*perturb.apply(text, step, p=p).edits}


def test_async_and_batched_functions():
    assert [r.text for r in perturb.apply(TEXTS, from_function("shouted", shouted), p=1.0)] == [
        text.upper() for text in TEXTS
    ]
    seeds = []

    def many(texts, seeds_of):
        seeds.extend(seeds_of)
        return [text[::-1] for text in texts]

    step = from_function("reversed", many, batched=True, seeded="seeds_of")
    assert [r.text for r in perturb.apply(TEXTS, step, p=1.0)] == [text[::-1] for text in TEXTS]
    assert len(set(seeds)) == 3  # none for the empty text

    async def inside():
        return perturb.apply("abc", from_function("shouted", shouted), p=1.0).text

    assert asyncio.run(inside()) == "ABC"


def test_what_a_function_may_not_return():
    with pytest.raises(TypeError, match="must return a string for 'a'; got int"):
        perturb.apply("a", from_function("five", lambda _: 5))
    with pytest.raises(perturb.UsageError, match="must return a list of 1 texts"):
        perturb.apply("a", from_function("one", lambda _: "a", batched=True))
    with pytest.raises(ZeroDivisionError) as caught:
        perturb.apply("a", from_function("broken", lambda _: 1 / 0))
    assert "perturbator broken" in caught.value.__notes__[0]


def test_verify_says_what_is_missing_and_does_what_can_be_done():
    """An own perturbator has to be known; one that is not reproducible is not made again."""
    step = from_function("upper_own", str.upper)
    record = perturb.apply("abc", step, p=1.0)
    with pytest.raises(
        perturb.UsageError, match=r"but it names the perturbator 'upper_own'.*register"
    ):
        perturb.verify(record)
    drifting = iter("xyz")
    loose = from_function("drifts", lambda text: text + next(drifting), reproducible=False)
    for known in (step, loose):
        perturb.register(known)
    try:
        assert perturb.verify(record)
        assert perturb.verify(perturb.apply("abc", loose, p=1.0))
    finally:
        for known in (step, loose):
            registry._registered.pop(known.name)
