"""The kernels of spans of characters, and of how often they are hit, against what defines them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.engine.batch import Batch
from perturb.engine.native.spans import find_pairs, rates_of, spans_of_lengths
from perturb.engine.text.strings import Strings
from perturb.perturbators.machines.ocr import _RANKED, _differences, _Misread, _rates
from perturb.perturbators.shared.confusions import confusions
from perturb.rng import key64, uniform

latin = st.text(st.sampled_from("rnmcl iI,é\n0.3") | st.characters(max_codepoint=255), max_size=200)
some_texts = st.lists(latin, min_size=1, max_size=6)


def batch_of(texts):
    return Batch(
        Strings.of_texts(texts), np.array([key64("spans", n) for n in range(len(texts))], np.uint64)
    )


@given(some_texts, st.sets(st.tuples(*[st.sampled_from(b"rnmcl iI,\xe9\n0.3")] * 2)))
def test_pairs_of_characters(compiled, using, texts, pairs) -> None:
    codes = batch_of(texts).codes
    wanted = np.zeros(1 << 16, np.bool_)
    wanted[[first << 8 | second for first, second in pairs]] = True
    bits = np.packbits(wanted, bitorder="little")
    expected = [pair in pairs for pair in zip(codes[:-1].tolist(), codes[1:].tolist(), strict=True)]
    for each in (compiled, None):
        with using(each):
            assert find_pairs(codes, bits).tolist() == [*expected, False]
            assert find_pairs(codes.astype(np.uint32), bits).tolist() == [*expected, False]
            assert find_pairs(codes[:0], bits).tolist() == []
            assert find_pairs(codes[:1], bits).tolist() == [False]


@given(st.lists(st.integers(-1, 100), max_size=300))
def test_spans_of_lengths(compiled, using, lengths) -> None:
    expected = [(start, start + length) for start, length in enumerate(lengths) if length >= 0]
    for each in (compiled, None):
        with using(each):
            starts, ends = spans_of_lengths(np.array(lengths, np.int8))
        assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == expected


@st.composite
def sites(draw):
    """Sites of up to two characters in texts, empty ones before letters."""
    batch = batch_of(draw(some_texts))
    table = confusions(draw(st.booleans()))
    spans = []
    for start, end in zip(batch.texts.starts.tolist(), batch.texts.ends.tolist(), strict=True):
        for place in range(start, end):
            pair = batch.codes[place : place + 2]
            lengths = [None, 1, *([0] if pair[0] != ord(" ") else [])]
            if place + 1 < end and table._pairs(pair[:1], pair[1:])[0] >= 0:
                lengths.append(2)
            length = draw(st.sampled_from(lengths))
            spans += [] if length is None else [(place, place + length)]
    starts, ends = np.array(spans, np.int64).reshape(-1, 2).T
    return batch, table, Strings(batch.codes, starts, ends)


def rates_by_numpy(batch, table, spans):
    """The rate of each site, and a uniform draw for each, both negated."""
    rates = _rates(batch, table, spans)
    return rates, -uniform(batch.draw(spans.starts, _RANKED))


@given(sites())
def test_rates_are_those_of_numpy(compiled, using, case) -> None:
    batch, table, spans = case
    counts = batch.count(spans.starts)
    misread = _Misread(spans.starts, spans.ends, batch, table)
    with using(compiled):
        ours = rates_of(spans, batch.keys, batch.texts.starts, counts, _differences(table))
        ranks = misread.ranks(batch.keys, batch.edges)
    with using(None):
        theirs = rates_by_numpy(batch, table, spans)
        assert ranks.tolist() == misread.ranks(batch.keys, batch.edges).tolist()
    for column, other in zip(ours, theirs, strict=True):
        assert column.tolist() == other.tolist()


def test_a_long_text_has_many_stretches(compiled, using) -> None:
    batch = batch_of(["The rnodern cl " * 500, "", "rn" * 400])
    starts = np.flatnonzero(batch.codes != 0)
    spans, table = Strings(batch.codes, starts, starts + 1), confusions(False)
    counts = batch.count(starts)
    with using(compiled):
        ours = rates_of(spans, batch.keys, batch.texts.starts, counts, _differences(table))
    with using(None):
        theirs = rates_by_numpy(batch, table, spans)
    assert [column.tolist() for column in ours] == [column.tolist() for column in theirs]


@pytest.mark.parametrize("edges", [[-1, 5], [3, 2], [3, 6], [0, 99], [0, 1 << 62], [98, 100]])
def test_sites_that_cannot_be_are_refused(compiled, using, edges) -> None:
    codes = np.frombuffer(b"\0" + b"rn" * 49, np.uint8)
    spans = Strings(codes, np.array(edges[:1]), np.array(edges[1:]))
    one, keys = np.array([1]), np.zeros(1, np.uint64)
    table = _differences(confusions(False))
    with using(compiled):
        with pytest.raises(IndexError, match="perturb_rates"):
            rates_of(spans, keys, one, one, table)
        for counts in (-one, 0 * one, 2 * one):
            with pytest.raises(IndexError, match="perturb_rates"):
                rates_of(Strings(codes, one, one + 1), keys, one, counts, table)
        for wrong in (
            table._replace(kinds=np.full(256, -1, np.int16)),
            table._replace(kinds=np.full(256, 9999, np.int16)),
            table._replace(stretch=0),
        ):
            with pytest.raises(IndexError, match="perturb_rates"):
                rates_of(Strings(codes, one, one + 1), keys, one, one, wrong)
