"""The mix of typing errors: the rate it reaches, the shares of the kinds, what it writes."""

import unicodedata
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lines import EXAMPLES, rows_in
from rapidfuzz.distance import Levenshtein

import perturb
from perturb.engine.batch import Batch
from perturb.engine.sites import Chosen
from perturb.engine.text.case import in_alphabet
from perturb.engine.text.strings import Strings
from perturb.perturbators.letters.typos import _opens, _pairs
from perturb.registry.registry import lookup
from perturb.resources import read_rows

KINDS = ("insert", "delete", "substitute", "swap", "repeat")
QUESTIONS = [row["question"] for row in rows_in(EXAMPLES)]


def only(*kinds):
    return {kind: float(kind in kinds) for kind in KINDS}


def mixed(texts, p, **weights):
    return perturb.apply(texts, perturb.steps.typo_mix(p=p, **weights), id=list(range(len(texts))))


def kind_of(edit, text):
    """The kind of an edit, which is exact: it covers no more than the error."""
    here = text[edit.start : edit.end]
    if not here:
        return "repeat" if text[edit.start] == edit.text else "insert"
    if not edit.text:
        return "delete"
    if len(here) == 2:
        assert edit.text == here[::-1]
        return "swap"
    assert len(edit.text) == 1
    return "substitute"


@pytest.mark.slow
@pytest.mark.parametrize("p", [0.05, 0.1, 0.3])
@pytest.mark.parametrize(
    "weights",
    [{}, {"layout": "us"}, dict.fromkeys(KINDS, 1.0), only("insert", "delete", "substitute")],
    ids=["as it comes", "layout", "all alike", "no swaps"],
)
def test_the_error_rate_is_p(p, weights):
    """N = 4850: the questions that have a site, 50 times each; the rate is within 2 % of p.

    The sum of N whole numbers of edits, each with a variance of at most 1/4, has a standard
    deviation of at most 35 in at least 20,000.
    """
    texts = [one.original for one in mixed(QUESTIONS, 0.0) if one.sites] * 50
    distance = sum(
        Levenshtein.distance(one.original, one.text) for one in mixed(texts, p, **weights)
    )
    assert distance / sum(map(len, texts)) == pytest.approx(p, rel=0.02)


@given(
    st.tuples(*[st.sampled_from([0.0, 0.0, 0.1, 1.0]) | st.floats(0, 5) for _ in KINDS]).filter(
        lambda weights: sum(weights) > 1e-6
    ),
    st.lists(st.floats(0, 1), min_size=2, max_size=6),
)
@settings(derandomize=True)
def test_the_share_of_edits_never_falls(weights, shares):
    share = lookup("typo_mix").share
    given = dict(zip(KINDS, weights, strict=True), layout=None, digits=False)
    got = [share(p, **given) for p in (0.0, *sorted(shares), 1.0)]
    assert got[0] == 0
    assert got == sorted(got)
    assert got[-1] <= 1


def test_a_single_kind_costs_one_and_its_share_is_p():
    for kind in ("insert", "delete", "substitute", "repeat"):
        assert lookup("typo_mix").share(0.3, **only(kind), layout=None, digits=False) == 0.3


@pytest.mark.parametrize("kind", KINDS)
def test_only_one_kind(kind):
    for one in mixed(QUESTIONS, 0.2, **only(kind)):
        got = {kind_of(edit, one.original) for edit in one.edits if one.original.isascii()}
        assert got <= ({"insert", "repeat"} if kind == "insert" else {kind})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("weight", "others"), [(1.0, 1.0), (3.0, 1.0), (0.1, 1.0)])
def test_each_kind_has_its_weight(kind, weight, others):
    """N = 20000 words at a low p: each share is within 5 standard deviations of the wanted one.

    An insertion or repeat behind a swap is no site, so these lose the share that swaps have; a
    hundredth more is for short words, in which they lose more.
    """
    text = " ".join(["lazy", "brown", "foxes", "by", "measure", "my", "journals"] * 2860)
    weights = {**dict.fromkeys(KINDS, others), kind: weight}
    one = perturb.apply(text, perturb.steps.typo_mix(p=0.04, **weights), seed=3)
    found = Counter(kind_of(edit, text) for edit in one.edits)
    wanted = {name: weights[name] / sum(weights.values()) for name in KINDS}
    beside = 1 - wanted["swap"]
    wanted = {k: w * beside if k in ("insert", "repeat") else w for k, w in wanted.items()}
    for name in KINDS:
        share = wanted[name] / sum(wanted.values())
        edits = len(one.edits)
        off = 5 * (share * (1 - share) / edits) ** 0.5
        assert found[name] / edits == pytest.approx(share, abs=off + 0.01), (name, found)


def test_swaps_alone_take_whole_words():
    made = {
        perturb.apply("ab cc d", perturb.steps.typo_mix(p=1.0, **only("swap")), seed=s).text
        for s in range(9)
    }
    assert made == {"ba cc d"}


@pytest.mark.slow
def test_the_kind_is_the_same_at_every_p():
    for text in QUESTIONS:
        few, more = (set(mixed([text], p)[0].edits) for p in (0.05, 0.3))
        assert few <= more


def walked_pairs(text):
    """Which letters, in order, have another one right behind."""
    letters = [at for at, char in enumerate(text) if char.isalnum()]
    return [
        at + 1 < len(text) and text[at + 1].isalnum() and text[at + 1] != text[at] for at in letters
    ]


@given(st.lists(st.text("aabB1 .é", max_size=9), min_size=1, max_size=4))
@settings(derandomize=True)
def test_pairs_against_a_slow_walk(texts):
    batch = Batch.of(texts)
    sites = batch.sites_at_clusters(in_alphabet())
    units = Strings(batch.codes, sites.starts, sites.ends)
    got = _pairs(units, _opens(units))
    assert got.tolist() == [pair for text in texts for pair in walked_pairs(text)]


SCRIPTS = {
    "CYRILLIC": "быстрая коричневая лиса прыгает через ленивую собаку",
    "GREEK": "η γρήγορη καφέ αλεπού πηδάει πάνω από τον τεμπέλη σκύλο",
    "DEVANAGARI": "तेज़ भूरी लोमड़ी आलसी कुत्ते के ऊपर से कूदती है",
    "THAI": "สุนัขจิ้งจอกสีน้ำตาลที่รวดเร็วกระโดดข้ามสุนัขขี้เกียจ",
    "ARABIC": "الثعلب البني السريع يقفز فوق الكلب الكسول",
    "HEBREW": "השועל החום המהיר קופץ מעל הכלב העצלן",
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_letters_are_of_their_own_alphabet(script):
    for seed in range(20):
        one = perturb.apply(SCRIPTS[script], "typo_mix", p=0.4, seed=seed)
        assert one.edits
        for character in one.text:
            assert character == " " or unicodedata.name(character).startswith(script)


def test_where_there_is_no_alphabet():
    text = "敏捷的棕色狐狸跳过了懒狗"
    assert perturb.apply(text, "typo_mix", p=1.0).status == "no site"
    one = perturb.apply(text, perturb.steps.typo_mix(p=1.0, **only("swap", "delete", "repeat")))
    assert one.edits
    assert set(one.text) <= set(text)


def test_case_is_kept():
    for seed in range(20):
        loud = perturb.apply("THE QUICK BROWN FOX", "typo_mix", p=0.5, seed=seed).text
        assert loud == loud.upper()
        quiet = perturb.apply("the quick brown fox", "typo_mix", p=0.5, seed=seed).text
        assert quiet == quiet.lower()


def test_clusters_are_whole():
    text = "ne\u0301e\u0301 क्षत्रिय"
    for seed in range(20):
        one = perturb.apply(text, perturb.steps.typo_mix(p=1.0, **only("repeat")), seed=seed)
        assert one.text == "nne\u0301e\u0301e\u0301e\u0301 क्षक्षत्रित्रियय"


def test_neighbours_on_a_keyboard():
    near = dict(read_rows("keyboards", "us.tsv"))
    one = perturb.apply(
        "the quick brown fox", perturb.steps.typo_mix(p=1.0, layout="us", **only("substitute"))
    )
    assert len(one.edits) == 16
    for edit in one.edits:
        assert edit.text in near[one.original[edit.start]]
    far = perturb.apply(
        "лиса", perturb.steps.typo_mix(p=1.0, layout="us", **only("substitute"))
    ).text
    assert all(unicodedata.name(letter).startswith("CYRILLIC") for letter in far)


@pytest.mark.parametrize("texts", [[], ["", "a"], ["some text"]])
@pytest.mark.parametrize(
    "weights",
    [dict.fromkeys(KINDS, 0.0), {"insert": 1e308, "delete": 1e308}],
)
def test_weights_that_can_not_be(texts, weights):
    with pytest.raises(
        perturb.UsageError,
        match="one weight must be above 0, and their sum finite; got",
    ):
        perturb.apply(texts, perturb.steps.typo_mix(p=0.1, **weights))


def test_a_layout_that_is_not_there():
    with pytest.raises(perturb.UsageError, match="keyboard layout 'uss'"):
        perturb.apply([], perturb.steps.typo_mix(layout="uss"))


def test_draws_of_a_batch_are_those_of_the_chosen():
    batch = Batch(Strings.of_texts(["some", "", "text"]), np.array([7, 8, 1 << 63], np.uint64))
    starts = np.array([1, 3, 4, 7, 9])
    text = np.array([0, 0, 0, 2, 2])
    chosen = Chosen(
        Strings(batch.codes, starts, starts + 1),
        batch.keys[text],
        starts - batch.texts.starts[text],
    )
    for lane in (0, 5):
        assert batch.draw(starts, lane).tolist() == chosen.draw(lane).tolist()


def test_a_share_of_another_kind():
    """The record keeps p; the number of edits is that of the share."""
    half = perturb.registry.making.build_perturbator(
        "half",
        lambda batch: batch.sites_where("x"),
        unit="character",
        summary="Drop half of what is asked for.",
        label_risk="low",
        source="",
        version=1,
        intensities=perturb.registry.definition.CHARACTERS,
        share=lambda p: p / 2,
    )
    one = perturb.apply("x" * 100, half, p=0.5)
    assert (one.steps[0].p, one.steps[0].edits, one.rate) == (0.5, 25, 0.25)
    assert perturb.apply("x" * 100, half, count=3).steps[0].edits == 3
