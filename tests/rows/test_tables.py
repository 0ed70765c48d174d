"""Tables: texts that go through the engine apart come back in their order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.engine.text.strings import Strings
from perturb.rows.table_rows import _apart

ROWS = [
    {"id": str(n), "text": f"Some words, number {n}" + (" and naïve cafés" if n % 7 == 3 else "")}
    for n in range(60)
]


def test_texts_of_several_batches_keep_their_order():
    """Those of ASCII alone are a batch of their own; the others are put between them again."""
    pa = pytest.importorskip("pyarrow")
    transform = perturb.Transform("char_swap", p=0.3)
    made = transform(pa.Table.from_pylist(ROWS)).to_pylist()
    wanted = transform(ROWS)
    assert [row["text"] for row in made] == [row["text"] for row in wanted]
    records = [row["perturbation"] for row in made]
    assert [record["original"] for record in records] == [row["text"] for row in ROWS]
    assert [record["edits"] for record in records] == [
        row["perturbation"]["edits"] for row in wanted
    ]


@given(st.lists(st.text(st.characters(max_codepoint=127), max_size=6), min_size=2), st.booleans())
def test_texts_of_a_table_of_ascii_lie_as_other_texts(texts, many):
    """They lie one behind the other in the table, and with separators in the engine."""
    texts = texts * 200 if many else texts  # which kernels put in
    lengths = np.array([len(text) for text in texts])
    ends = np.cumsum(lengths)
    codes = np.frombuffer("".join(texts).encode(), np.uint8)
    made, wanted = _apart(Strings(codes, ends - lengths, ends)), Strings.of_texts(texts)
    for one, other in zip(
        (made.codes, made.starts, made.ends),
        (wanted.codes, wanted.starts, wanted.ends),
        strict=True,
    ):
        assert one.tolist() == other.tolist()
