"""What `normalize` writes in each form, and that powers and fractions stay beside their digit."""

import itertools
import unicodedata

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from sizes import of_all

import perturb
from perturb import testing

FORMS = ("NFC", "NFD", "NFKC", "NFKD")
texts = st.lists(
    st.one_of(
        st.sampled_from(
            [*testing.HOSTILE.values(), "Ål, ﬁn ² ½ Å ｶﾞ 한글 각 各\u0301", "10²³ 3½ ⅠⅡ"]
        ),
        st.text(alphabet="aeo é\u0301\u0323\u0327\u0345ñ각\u1100\u1161\u11a8\n-\"'", max_size=8),
    ),
    max_size=4,
).map("".join)

# A number of this kind belongs to the digit before it.
POWER = regex.compile(r"(?<=\p{Nd})[\p{No}\p{Nl}⁺⁻₊₋]+\p{M}*")


def in_form(text, form):
    """Normalize a text the slow way, but for powers and fractions behind a digit."""
    if form in ("NFC", "NFD"):
        return unicodedata.normalize(form, text)
    kept = ["", *POWER.findall(text)]
    others = (unicodedata.normalize(form, part) for part in POWER.split(text))
    return "".join(itertools.chain(*zip(kept, others, strict=True)))


@pytest.mark.slow
@settings(max_examples=of_all(200), derandomize=True)
@given(texts, st.sampled_from(FORMS))
def test_normalize_gives_the_form(text, form):
    record = perturb.apply(text, perturb.steps.normalize(p=1.0, form=form))
    assert record.text == in_form(text, form)
    again = perturb.apply(record.text, perturb.steps.normalize(p=1.0, form=form))
    assert again.status == "no site"


@pytest.mark.slow
@settings(max_examples=of_all(200), derandomize=True)
@given(texts, st.sampled_from(FORMS), st.integers(0, 9))
def test_normalize_changes_each_place_on_its_own(text, form, seed):
    for edit in perturb.apply(text, perturb.steps.normalize(p=0.5, form=form), seed=seed).edits:
        before = text[edit.start : edit.end]
        assert edit.text == unicodedata.normalize(form, before)


@pytest.mark.parametrize(
    ("form", "before", "edits"),
    [
        ("NFD", "né été", [(1, 2, "e\u0301"), (3, 4, "e\u0301"), (5, 6, "e\u0301")]),
        ("NFC", "ne\u0301 a", [(1, 3, "é")]),
        # Out of order, but nothing to compose.
        ("NFC", "q\u0301\u0323", [(0, 3, "q\u0323\u0301")]),
        ("NFC", "\u1100\u1161\u11a8.", [(0, 3, "각")]),
        ("NFD", "각", [(0, 1, "\u1100\u1161\u11a8")]),
        ("NFC", "\u212b", [(0, 1, "Å")]),
        ("NFKC", "ﬁx²", [(0, 1, "fi"), (2, 3, "2")]),
        ("NFKC", "10² m², 3½ or ½, 10⁻³, \uff11\uff12", [
            (5, 6, "2"), (14, 15, "1\u20442"), (23, 24, "1"), (24, 25, "2"),
        ]),
        # The mark goes to what the digraph ends in.
        ("NFKC", "ĳ\u0301", [(0, 2, "ij\u0301")]),
        ("NFKC", "ｶﾞ", [(0, 2, "ガ")]),
        # Composition exclusion.
        ("NFC", "\u0958", [(0, 1, "\u0915\u093c")]),
        ("NFC", "plain, é, 각", []),
    ],
)  # fmt: skip
def test_normalize(form, before, edits):
    record = perturb.apply(before, perturb.steps.normalize(p=1.0, form=form))
    assert [edit[:3] for edit in record.edits] == edits
