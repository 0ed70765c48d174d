import sys

import pytest

from perturb.errors import UsageError


def test_plots_that_do_not_exist_for_the_data_are_left_out(command, write, linked, tmp_path):
    rows = [
        {"id": 1, "bleu": 30},
        linked(1, steps="typos@1", bleu=20),
        linked(1, steps="swap@1", bleu=25),
    ]
    command("score", write("s", rows), "--score", "bleu", "--plot", tmp_path / "plots")
    assert list((tmp_path / "plots").iterdir()) == []


@pytest.mark.slow
def test_an_original_alone_has_a_point_and_plots_are_the_same_bytes_every_time(
    command, write, linked, tmp_path
):
    rows = [{"id": 1, "correct": 1}, linked(1, correct=0)]
    command("score", write("s", rows), "--score", "correct", "--plot", tmp_path / "plots")
    first = {path: path.read_bytes() for path in (tmp_path / "plots").iterdir()}
    names = ("score_over_p", "gamma_curve", "flips")
    assert {path.name for path in first} == {
        f"{one}.{kind}" for one in names for kind in ("png", "svg")
    }
    command("score", write("s", rows), "--score", "correct", "--plot", tmp_path / "plots")
    assert {path: path.read_bytes() for path in first} == first


def test_without_matplotlib_the_error_says_what_to_install(
    command, write, linked, tmp_path, monkeypatch
):
    monkeypatch.delitem(sys.modules, "perturb.robustness.tables.plots", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    rows = [{"id": 1, "correct": 1}, linked(1, correct=0)]
    with pytest.raises(UsageError, match=r"pip install '.*\[report\]'"):
        command("score", write("s", rows), "--score", "correct", "--plot", tmp_path)
