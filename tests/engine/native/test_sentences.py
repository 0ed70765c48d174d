"""The kernels of stops and of clauses that ask against what defines them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.engine.batch import Batch
from perturb.engine.native import kernels, words
from perturb.engine.text import sentences
from perturb.engine.text.strings import Strings
from perturb.perturbators.shared.clauses import in_question
from perturb.testing import HOSTILE

PIECES = [
    *("Dr", "e.g", "p.m", "No", "J", "A", "I", "U.S", "He", "the", "etc", "3", "12", "word"),
    *(".", ".", ". ", "? ", "!", "...", "…", "。", "।", ".\n", "\n", "  ", " ", "\u00a0", "\0"),
    *('"', "” ", ".)", "(", "«", "¿", ",", ";", "É", "é", "ǅ", "абв", "你好", "\u0301", "x" * 9),
]
some_texts = st.lists(st.lists(st.sampled_from(PIECES), max_size=30).map("".join), max_size=6)


@pytest.mark.slow
@given(some_texts)
@pytest.mark.parametrize("narrow", [True, False])
def test_stops_are_as_by_numpy(compiled, using, narrow, texts) -> None:
    if narrow:
        texts = [text.encode("latin-1", "ignore").decode("latin-1") for text in texts]
    _compare(compiled, using, texts)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_any_text_may_hold_stops(compiled, using, text) -> None:
    _compare(compiled, using, [text, f"{text}. {text}", text.swapcase() + ". He."])


def _compare(compiled, using, texts):
    strings = Strings.of_texts([*texts, "The end. No."])
    with using(compiled):
        ours = sentences.stops_of(strings)
    with using(None):
        theirs = sentences.stops_of(strings)
    assert [column.tolist() for column in ours] == [column.tolist() for column in theirs]


@pytest.mark.slow
@given(
    st.lists(
        st.lists(
            st.sampled_from(
                ("what ", "is ", "Tom ", "a,", ", ", ",", "? ", "?", ". ", "1,000", "\n")
            ),
            max_size=20,
        ).map("".join),
        max_size=6,
    )
)
def test_clauses_ask_as_by_numpy(compiled, using, texts) -> None:
    def asking():
        batch = Batch.of([*texts, "What, Tom, is it? If so, who is it, and how, why, a?"])
        return in_question(batch, np.arange(len(batch.words))).tolist()

    with using(compiled):
        ours = asking()
    with using(None):
        assert ours == asking()


@pytest.mark.parametrize(
    ("ends", "numbers"), [([6, 5], [0]), ([3, 99], [0]), ([3, 6], [2]), ([3, 6], [-1])]
)
def test_sentences_and_numbers_out_of_range_are_refused(compiled, using, ends, numbers) -> None:
    codes, opens = np.frombuffer(b"\0a? b?\0", np.uint8), np.zeros(2, np.bool_)
    spans = np.array([1, 4]), np.array(ends)
    with using(compiled), pytest.raises(IndexError, match="perturb_asking"):
        words.asking(codes, spans, np.array([1]), np.array(numbers), opens)


def _found(codes, starts, ends, classes=None):
    classes = np.ones(256, np.uint16) if classes is None else classes
    classes[0] = 0
    tables = (np.zeros(1, np.uint64), np.zeros((1, 9), np.uint32), np.zeros(1, np.uint8))
    texts = Strings(codes, np.array(starts), np.array(ends))
    return kernels.stops(texts, classes, (*tables, *tables))


@pytest.mark.parametrize(
    ("starts", "ends"), [([-1], [3]), ([1], [99]), ([3], [2]), ([1, 1], [4, 4]), ([1 << 62], [2])]
)
def test_texts_out_of_range_are_refused(compiled, using, starts, ends) -> None:
    codes = np.frombuffer(b"\0abc.\0", np.uint8)
    with using(compiled), pytest.raises(IndexError, match="perturb_stops"):
        _found(codes, starts, ends)


def test_classes_have_to_be_of_all_code_points(compiled, using) -> None:
    wide = np.array([0, 300, 46, 0], np.uint32)
    with using(compiled):
        with pytest.raises(IndexError, match="perturb_stops"):
            _found(wide, [1], [3])
        with pytest.raises(IndexError, match="perturb_stops"):
            _found(np.zeros(3, np.uint8), [1], [2], np.zeros(255, np.uint16))


@pytest.mark.parametrize("codes", [b"abc.", b"\0abc.", b"abc.\0", b"\0", b""])
def test_texts_without_separators_are_left_to_numpy(compiled, using, codes) -> None:
    with using(compiled):
        assert _found(np.frombuffer(codes, np.uint8), [], []) is None


def test_stops_before_all_texts_are_left_to_numpy(compiled, using) -> None:
    with using(compiled):
        assert _found(np.frombuffer(b"\0a. b. \0", np.uint8), [4], [7]) is None
