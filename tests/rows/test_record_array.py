"""Arrays of records."""

import gc
import weakref

import pytest

from perturb.plan.job import job_of
from perturb.records.perturb_texts import perturb_batch
from perturb.records.texts import Texts
from perturb.rows.table_rows import record_array


@pytest.mark.slow
def test_a_batch_is_freed_when_its_array_is_made() -> None:
    """Without the garbage collector, which runs rarely while a file is perturbed."""
    pytest.importorskip("pyarrow")
    (version,) = job_of("keyboard_typos", p=0.2).versions
    gc.collect()
    gc.disable()
    try:
        batch = perturb_batch(Texts(["some words", "42", "more words"], ["a", "b", "c"]), version)
        made = record_array(batch.columns(), len(batch))
        alive = weakref.ref(batch)
        del batch
        assert alive() is None
    finally:
        gc.enable()
    assert [one["status"] for one in made.to_pylist()] == ["changed", "no site", "changed"]
