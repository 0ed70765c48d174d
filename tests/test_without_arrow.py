"""Data frames where pyarrow is not installed."""

import subprocess
import sys

import pytest

import perturb
from perturb.transform import Transform

WITHOUT_ARROW = """
import sys
sys.modules["pyarrow"] = None
import perturb, {library}
rows = [{{"id": "a", "text": "How many eggs?"}}, {{"id": "b", "text": "Who came?"}}]
for given in ({{}}, {{"with_original": True}}, {{"replicates": 2}}, {{"missing": "keep"}}):
    t = perturb.Transform("char_swap", p=0.2, **given)
    want = list(perturb.augment(rows, "char_swap", p=0.2, **given)) if "missing" not in given else t(rows)
    frame = t({library}.DataFrame(rows))
    assert type(frame) is {library}.DataFrame
    assert list(frame["text"]) == [row["text"] for row in want]
    assert list(frame["id"]) == [row["id"] for row in want]
    assert list(frame["perturbation"]) == [row["perturbation"] for row in want]
    read = list(perturb.read_records(frame))
    assert [one.text for one in read] == [row["text"] for row in want]
    assert all(map(perturb.verify, read))
gaps = {library}.DataFrame([*rows, {{"id": "c", "text": None}}])
kept = perturb.Transform("char_swap", p=0.2, missing="keep")(gaps)
assert len(kept) == 3 and list(kept["perturbation"])[2]["status"] == "original"
"""


@pytest.mark.slow
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames_need_no_arrow(library) -> None:
    """Neither library installs pyarrow; the records are mappings then."""
    pytest.importorskip(library)
    code = WITHOUT_ARROW.format(library=library)
    subprocess.run([sys.executable, "-W", "error::UserWarning:perturb", "-c", code], check=True)


def test_types_without_arrow_say_what_to_install(monkeypatch) -> None:
    polars = pytest.importorskip("polars")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(perturb.UsageError, match=r"pip install '.*\[arrow\]'"):
        Transform("char_swap", p=0.2)(polars.LazyFrame({"text": ["How many eggs?"]}))
