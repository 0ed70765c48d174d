"""Steps that are known before their texts, on many texts, against the way of all others."""

import gc
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.engine import planned, spread
from perturb.engine.native import binding
from perturb.engine.native.binding import Struct
from perturb.engine.reading import narrow
from perturb.engine.text.strings import Strings
from perturb.pipeline.pipeline import Pipeline
from perturb.testing import HOSTILE

STEPS = [
    "keyboard_typos",
    "keyboard_typos:digits=true,layout=de",
    "keyboard_typos:layout=ru",
    "keyboard_typos:min_edits=2,max_edits=3",
    "yz_swap",
    "leetspeak",
    "char_delete",
    "char_delete:digits=true,max_edits=3",
]
# A byte for each character is enough for the first; the others have letters of other scripts,
# digits that are not of ASCII, or characters of several code points.
PLAIN = [
    "It's 12:30, and 7x7 is 49.\r\nThe lazy fox\rpaid $3.14\n",
    "Grüße, naïve façade: 3½ µm",
    "“Quoted” – it’s €5… 🙂 Łódź",
    "",
    "\x80 a control character, and \ud800 half a character",
]
OTHERS = ["Привет, fox", "٣ foxes", "e\u0301te\u0301’", "👩\u200d🚀", "κ’"]
LONG = ["fox " * 5000, "fox\r\n" * 900]
characters = st.characters(exclude_categories=["Cs"]) | st.sampled_from("aZ9.3x ’é\r\n\u0301é\x80")
texts = st.lists(st.text(characters, max_size=60), min_size=2, max_size=6)


def of_records(some, name, given):
    """What the records of texts say."""
    records = perturb.apply(some, name, **given)
    return [(record.to_dict(), record.edits, record.status) for record in records]


def same(compiled, using, some, name, given) -> None:
    made = []
    for each in (compiled, None):
        with using(each):
            made.append(of_records(some, name, given))
    assert made[0] == made[1]


LIMITS = (
    {"protect": "number"},
    {"protect": ["number", "word:the", "regex:o."]},
    {"protect": "regex:(?s:.)"},
    {"only": "regex:[a-n0-9 ]{3,}"},
    {"only": "number", "protect": "regex:[02468]"},
)


@pytest.mark.slow
@pytest.mark.parametrize("name", STEPS)
@given(some=texts, p=st.sampled_from([0, 0.05, 0.5, 1]), limits=st.sampled_from(({}, *LIMITS)))
def test_texts_are_the_same_in_one_call(compiled, using, name, some, p, limits) -> None:
    same(compiled, using, some, name, {"p": p, **limits})


@pytest.mark.parametrize("name", STEPS)
def test_texts_of_all_kinds_are_the_same(compiled, using, name) -> None:
    for some in (PLAIN, OTHERS, [*PLAIN, *OTHERS], [*HOSTILE.values()], LONG):
        same(compiled, using, some, name, {"p": 0.3})
        same(compiled, using, some, name, {"count": 3, "seed": -1, "replicate": 2})


@pytest.mark.slow
@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("name", STEPS)
def test_what_is_protected_is_left_in_one_call(compiled, using, name, limits) -> None:
    for some in (PLAIN, OTHERS, [*PLAIN, *OTHERS], [*HOSTILE.values()], LONG):
        same(compiled, using, some, name, {"p": 0.3, **limits})


@pytest.fixture
def counts(monkeypatch):
    """The number of texts of each call of `planned.perform`."""
    counts, real = [], planned.perform

    def noted(source, *given):
        counts.append(len(source))
        return real(source, *given)

    monkeypatch.setattr(planned, "perform", noted)
    return counts


def test_texts_that_need_the_engine_take_no_others_along(compiled, using, counts) -> None:
    some = [*PLAIN[1:3], OTHERS[0], *OTHERS[2:4], PLAIN[4]]
    with using(compiled):
        together = of_records(some, "keyboard_typos:layout=us", {"p": 0.3})
        assert sum(counts) == len(some) - 3
        apart = [of_records([text], "keyboard_typos:layout=us", {"p": 0.3})[0] for text in some]
    assert together == apart


@pytest.mark.parametrize(("some", "fused"), [(PLAIN, True), (OTHERS, False)])
def test_plain_texts_are_one_call(compiled, using, monkeypatch, some, fused) -> None:
    called, call = [], binding.called

    def noted(name, *arguments):
        called.append(name)
        return call(name, *arguments)

    for text in some:
        called.clear()
        with using(compiled), monkeypatch.context() as patched:
            patched.setattr(binding, "called", noted)
            perturb.apply([text, text], "keyboard_typos:layout=us", p=0.3)
        assert ("perturb_texts" in called) == fused, text


# Languages in Latin letters, texts that only seem to be in one, and what needs the engine.
GERMAN, POLISH = "Der Fuß ist für die Tür nicht zu groß.", "Łódź się z nią nie zgadza, jak że."
NATIONAL = [
    *("Turistas não sabem que é para nós.", "La fille est très contente de l’été."),
    *("Der Hund ist nicht für die Katze: 12:30 “da” €5.", "The naïve fiancé ate crème brûlée."),
    *("안녕하세요 여러분", "Der Hund “und” die Katze sind nicht da.", "für", "½ µm × 2", "plain"),
]


def test_texts_are_typed_on_the_keys_of_their_language_in_one_call(compiled, using, counts) -> None:
    some = [GERMAN, POLISH, *NATIONAL]
    with using(compiled):
        perturb.apply(some, "keyboard_typos", p=0.3)
    assert sum(counts) == len(some) - 1  # all but Korean
    for limits in ({}, *LIMITS):
        same(compiled, using, some, "keyboard_typos", {"p": 0.4, **limits})


@pytest.mark.parametrize("steps", ["keyboard_typos", ["keyboard_typos", "leetspeak"], "shift_slip"])
def test_a_text_is_typed_alike_alone_and_beside_others(steps) -> None:
    some = [GERMAN, POLISH, *NATIONAL, "The fox says 안녕하세요 여러분 and jumps over the dog."]
    together = perturb.apply(some, steps, p=0.4)
    assert list(map(str, together)) == [str(perturb.apply(text, steps, p=0.4)) for text in some]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["keyboard_typos:spread=1.5", "char_delete:spread=0.7"])
def test_a_kernel_draws_the_same_rates_of_texts(compiled, using, name) -> None:
    some = [f"The quick brown fox jumps over the lazy dog near river {i}." for i in range(200)]
    for p in (0, 0.1, 0.7, 1):
        same(compiled, using, some, name, {"p": p})
    with using(compiled):
        together = of_records(some, name, {"p": 0.1})
        assert together == [of_records([text], name, {"p": 0.1})[0] for text in some]
        assert [str(perturb.apply(text, name, p=0.1)) for text in some] == [
            record["text"] for record, _, _ in together
        ]


def test_rates_of_texts_stay_in_memory_as_long_as_a_plan_has_their_address() -> None:
    """A grid of many strengths drops the rates of the first from the cache before its last file."""
    stages = Pipeline.of("keyboard_typos:p=0.25,spread=1").stages(0, 0)
    step = planned.planned_step(stages)
    spread.rates.cache_clear()
    step._kinds((0, 1))  # as a later block asks for them; the step keeps them
    rates = weakref.ref(spread.rates(0.25, 1.0))
    spread.rates.cache_clear()
    gc.collect()
    assert rates() is not None


@pytest.mark.slow
@given(st.lists(st.text(st.characters(), max_size=60), max_size=9), st.integers(0, 3))
def test_characters_as_bytes_of_tables(compiled, using, some, at) -> None:
    texts = Strings.of_texts(some)
    tables = [np.arange(0x110000).astype(np.uint8), np.full(0x110000, 0x80, np.uint8)]
    tables[1][:0x80] = np.arange(0x80)
    of = (np.arange(len(some)) % 3 == at).astype(np.uint8)
    with using(compiled):
        made = narrow(texts, Struct(*tables), of, 0x80)
    expected, odd = np.zeros(len(texts.codes), np.uint8), np.zeros(len(some), np.bool_)
    for row, (start, end) in enumerate(zip(texts.starts, texts.ends, strict=True)):
        expected[start:end] = tables[of[row]][texts.codes[start:end]]
        odd[row] = (expected[start:end] == 0x80).any()
    assert made[0].tolist() == expected.tolist()
    assert made[1].tolist() == odd.tolist()


@pytest.mark.parametrize(("code", "of"), [(0x110000, 0), (0x41, 1)])
def test_characters_and_tables_out_of_range_are_refused(compiled, using, code, of) -> None:
    texts = Strings(np.array([0, code, 0], np.uint32), np.array([1]), np.array([2]))
    with using(compiled), pytest.raises(IndexError, match="perturb_narrow"):
        narrow(texts, Struct(np.zeros(0x110000, np.uint8)), np.array([of], np.uint8), 1)
