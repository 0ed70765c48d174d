"""What becomes of the right answer: declared by every perturbator, composed over those that acted."""

import pickle
import random
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.records.batch import composed_codes
from perturb.registry.definition import EXPECTS
from perturb.registry.registry import lookup

DECLARED = {
    "other": "antonym negation",
    "mapped": "entity_swap gender_swap name_swap number_variant option_labels option_shuffle",
    "unknown": "hypernym truncate word_delete word_mask",
    "same": "abbreviation add_context add_diacritics asr bidi case char_delete char_insert char_repeat "
    "char_replace char_swap code_switch combining_marks comma_insert contraction currency_format "
    "date_format dialect dictation distractor duplicate edge_whitespace elongate emoji encode "
    "example_shuffle exotic_whitespace filler fitted grammar_errors homoglyph homophone html_entities "
    "human_typos identity instruction_style keyboard_typos layout_swap leetspeak line_breaks misspelling "
    "mojibake normalize number_format ocr prompt_format punctuation sentence_shuffle shift_slip "
    "smart_punctuation spelling_variant strip_diacritics styled_letters synonym transliterate typo_mix "
    "unit_format whitespace word_duplicate word_insert word_merge word_shuffle word_split word_swap "
    "yz_swap zero_width",
}
WORDS = st.sampled_from(EXPECTS)


@pytest.mark.parametrize("word", EXPECTS)
def test_every_perturbator_declares_it(word) -> None:
    """Those of the table this word; one that is new is in the lists by what it declares."""
    assert {*DECLARED.get(word, "").split()} <= {*perturb.names(expect=word)}
    for name in perturb.names(expect=word):
        said = perturb.describe(name)
        alone = (
            "unknown" if name in ("entity_swap", "number_variant") else lookup(name).expect_alone
        )
        assert (said["expect"], said["expect_alone"]) == (word, alone)
        assert (lookup(name).expect, lookup(name).expect_alone) == (word, alone)


def composed(words):
    """What becomes of one answer if all steps acted."""
    (code,) = composed_codes(words, np.ones((len(words), 1), bool))
    return EXPECTS[code]


def reference(words):
    """The rule in words."""
    rest = [word for word in words if word != "same"]
    if len(rest) == 1 or set(rest) in ({"mapped"}, {"abstain"}, {"mapped", "abstain"}):
        return min(rest)  # what is lost stays lost, wherever the rest moves
    return "unknown" if rest else "same"


def test_steps_that_acted_are_composed() -> None:
    assert {pair: composed(pair) for pair in product(EXPECTS, repeat=2)} == {
        ("same", "same"): "same",
        **{pair: word for word in EXPECTS[1:] for pair in (("same", word), (word, "same"))},
        **dict.fromkeys(product(["mapped", "abstain"], repeat=2), "abstain"),
        ("mapped", "mapped"): "mapped",
        ("other", "abstain"): "unknown",
        ("abstain", "other"): "unknown",
        **dict.fromkeys([("mapped", "other"), ("other", "mapped"), ("other", "other")], "unknown"),
        **dict.fromkeys(product(EXPECTS[1:], ["unknown"]), "unknown"),
        **dict.fromkeys(product(["unknown"], EXPECTS[1:]), "unknown"),
    }
    assert composed([]) == "same"


@given(WORDS, WORDS, WORDS)
def test_order_and_grouping_make_no_difference(a, b, c) -> None:
    assert composed([a, b]) == composed([b, a])
    assert composed([composed([a, b]), c]) == composed([a, composed([b, c])]) == composed([a, b, c])
    assert composed([a, b, c]) == reference([a, b, c])


@pytest.mark.slow
@given(st.lists(WORDS, max_size=6), st.integers(0, 5), st.randoms(use_true_random=False))
def test_many_texts_are_as_each_alone(words, texts, draw: random.Random) -> None:
    acted = np.array([[draw.random() < 0.5 for _ in range(texts)] for _ in words], bool)
    acted = acted.reshape(len(words), texts)
    codes = composed_codes(words, acted)
    assert codes.dtype == np.int8
    assert [EXPECTS[code] for code in codes] == [
        reference([word for word, took in zip(words, column, strict=True) if took])
        for column in acted.T.tolist() or [[]] * texts
    ]
    assert [EXPECTS[code] for code in codes] == [
        composed(np.array(words, object)[column]) for column in acted.T
    ]


def test_steps_and_who_acted_are_as_many() -> None:
    with pytest.raises(ValueError, match="zip"):
        composed_codes(["same"], [[True], [True]])


@pytest.mark.parametrize(("span", "wanted"), [((0, 4), "mapped"), ((9, 13), "same")])
def test_an_answer_that_was_rewritten_is_mapped_where_it_would_be_the_same(span, wanted) -> None:
    """A label whose text an edit changes is mapped; one that merely moves is not."""
    row = {"id": "r", "text": "lazy and calm", "spans": [[*span, "X"]]}
    (same,) = perturb.augment([row], "char_repeat:p=1", only="word:lazy", spans="spans")
    assert (same["perturbation"]["status"], same["perturbation"]["expect"]) == ("changed", wanted)
    assert same["spans"] != row["spans"]
    (other,) = perturb.augment([row], "char_repeat:p=1", spans="spans", expect="other")
    assert other["perturbation"]["expect"] == "other"


def made(**given):
    return perturb.from_regex("made", "a", "b", **given)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({}, ("same", "same")),
        ({"touches": ("letters",)}, ("same", "same")),
        ({"touches": ("words", "meaning")}, ("unknown", "unknown")),
        ({"touches": ("meaning",), "expect": "same"}, ("same", "same")),
        ({"expect": "other"}, ("other", "other")),
        ({"expect": "mapped", "expect_alone": "unknown"}, ("mapped", "unknown")),
    ],
)
def test_own_perturbators_declare_it_too(given, wanted) -> None:
    """Where they say nothing: same, or unknown if they say that they touch the meaning."""
    one = made(**given)
    assert (one.expect, one.expect_alone) == wanted


def test_functions_and_plugins_declare_it() -> None:
    swap = perturb.from_function("swap", str.swapcase, expect="mapped", expect_alone="other")
    again = pickle.loads(pickle.dumps(perturb.from_regex("sent", "a", "b", expect="other")))
    assert (swap.expect, swap.expect_alone, again.expect) == ("mapped", "other", "other")
    with perturb.registry.registry.known(made(expect="other")):
        assert perturb.describe("made")["expect"] == "other"
        assert "made" in perturb.names(expect="other")


@pytest.mark.parametrize("keyword", ["expect", "expect_alone"])
def test_another_word_is_refused(keyword) -> None:
    message = f"made: {keyword} must be one of same, mapped, other, abstain, unknown; got 'changed'"
    with pytest.raises(perturb.UsageError, match=message):
        made(**{keyword: "changed"})
    with pytest.raises(
        perturb.UsageError, match=r"names: expect must be one of same, .*got 'equal'"
    ):
        perturb.names(expect="equal")
