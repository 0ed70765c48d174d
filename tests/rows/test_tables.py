"""Tables: texts that go through the engine apart come back in their order."""

import pytest

import perturb

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
