"""One short text in one call, against the way of all others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.engine.planned import SingleOutcome
from perturb.testing import HOSTILE

WHOLE = [
    ("keyboard_typos", {}),
    ("keyboard_typos:digits=true,layout=de", {}),
    ("keyboard_typos:min_edits=2,max_edits=3", {}),
    ("keyboard_typos", {"count": 4, "id": "row 7", "replicate": 3, "seed": -1}),
    ("yz_swap", {}),
    ("leetspeak", {}),
    ("char_delete", {}),
    ("char_delete:digits=true", {}),
]
OTHERS = [
    ("char_delete:fill=X", {}),
    ("homoglyph", {}),
    ("keyboard_typos:layout=ru", {}),
    ("keyboard_typos", {"protect": "number"}),
    ("keyboard_typos", {"only": "word:fox"}),
    ("keyboard_typos", {"spans": [(0, 3)]}),
    ("keyboard_typos:skip_first=1", {}),
    ("sometimes(0.5, keyboard_typos)", {}),
]
ascii_texts = st.text(st.characters(max_codepoint=127), max_size=200)
TEXT = "It's 12:30, and 7x7 is 49; the lazy fox paid $3.14 twice. Why?"


def both(compiled, using, text, name, given):
    """The records with the kernels and without; each made by a configuration of its own."""
    made = []
    for each in (compiled, None):
        with using(each):
            record = perturb.apply(text, name, **given)
            made.append((record, record.to_dict(), record.edits, record.steps, record.rate))
    assert made[0] == made[1]
    return made[0][0]._source.outcome


@pytest.mark.slow
@pytest.mark.parametrize(("name", "given"), WHOLE)
@given(text=ascii_texts | st.text("aZ9., 3x", max_size=40), p=st.sampled_from([0, 0.05, 0.5, 1]))
def test_a_text_is_the_same_in_one_call(compiled, using, name, given, text, p) -> None:
    share = {} if "count" in given else {"p": p}
    outcome = both(compiled, using, text, name, {**given, **share})
    # A table is the engine's.
    assert isinstance(outcome, SingleOutcome) or "|" in text


@pytest.mark.parametrize(("name", "given"), OTHERS)
def test_what_hangs_on_the_text_goes_the_way_of_all(compiled, using, name, given) -> None:
    outcome = both(compiled, using, TEXT, name, {**given, **({} if "(" in name else {"p": 0.3})})
    assert not isinstance(outcome, SingleOutcome)


def test_texts_of_all_kinds_and_lengths_are_the_same(compiled, using) -> None:
    for text in (*HOSTILE, "", TEXT * 20, (TEXT * 90)[:4096], (TEXT * 90)[:4097], TEXT * 90):
        both(compiled, using, text, "keyboard_typos", {"p": 0.2})


def test_without_kernels_no_text_goes_this_way(using) -> None:
    with using(None):
        record = perturb.apply(TEXT, "keyboard_typos", p=0.2)
    assert not isinstance(record._source.outcome, SingleOutcome)
