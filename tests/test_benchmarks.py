"""The benchmarks judge and compare as they say; nothing is timed here."""

import json
from pathlib import Path
from xml.etree import ElementTree

import fidelity
import files
import memory
import pytest
import smoke
from common import read_result

import perturb

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


def test_the_plot_shows_the_figures_of_the_runs() -> None:
    """If it does not: python benchmarks/plot.py."""
    import plot  # and matplotlib: not for a collection

    drawn = ElementTree.parse(plot.TARGET).find(".//{http://purl.org/dc/elements/1.1/}description")
    assert json.loads(drawn.text) == plot.data()


def test_the_table_of_memory_is_that_of_the_run() -> None:
    """If it is not: python benchmarks/memory.py [--steps], which writes it."""
    said = (BENCHMARKS / "README.md").read_text("utf-8")
    stored = read_result("memory")
    assert memory.peaks(stored["rows"]) in said
    assert memory.bands(stored["bytes_a_byte"]) in said
    assert sorted(stored["bytes_a_byte"]) == sorted(perturb.names())


def test_every_dear_perturbator_has_a_reason() -> None:
    """In benchmarks/README.md, if it costs more than 4 times what keyboard_typos does."""
    costs = ("ratio", "with_options")
    said = (BENCHMARKS / "README.md").read_text("utf-8")
    rows = read_result("perturbators")["rows"]
    assert len(rows) > 50
    dear = {row["name"] for row in rows if any(row[cost] > 4 for cost in costs)}
    assert not [name for name in dear if f"`{name}`" not in said]


@pytest.mark.parametrize(("stored", "fell"), [(1e-9, ["part"]), (1e9, [])])
def test_the_smoke_run_names_what_fell(stored, fell, monkeypatch, capsys) -> None:
    """Against a part that cost almost nothing, or almost all."""
    monkeypatch.setattr(smoke, "ROUNDS", 3)
    monkeypatch.setattr(smoke, "PAUSE", 0)
    pair = (lambda: sum(range(20_000)), lambda: sum(range(20_000)))
    assert smoke.compare({"part": pair}, {"part": stored}) == fell
    assert "part" in capsys.readouterr().out


def test_a_part_that_looks_slow_is_measured_again(monkeypatch, capsys) -> None:
    costs = iter([2.0, 1.5, 1.2])
    monkeypatch.setattr(smoke, "PAUSE", 0)
    monkeypatch.setattr(smoke, "cost", lambda part, floor: next(costs))
    assert smoke.compare({"part": (None, None)}, {"part": 1.0}) == []
    assert not list(costs)


def test_a_large_file_is_rows_under_new_ids(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(files, "ROWS", 100)
    files.write_rows(tmp_path / "rows.jsonl", 1)
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_bytes().splitlines()]
    assert len({row["id"] for row in rows}) == len(rows) > 1000
    assert 990_000 < (tmp_path / "rows.jsonl").stat().st_size <= 1_000_000


@pytest.mark.parametrize(
    ("after", "whole"),
    [
        ("a 👩‍👩‍👧 and 🇩🇪", True),
        ("a 🇩🇪 nad", True),
        ("a 👩‍👩 and 🇩🇪", False),
        ("a 👩‍👩‍👧 and 🇩x🇪", False),
        ("a 👩x‍👩‍👧 and 🇩🇪", False),
    ],
)
def test_a_cluster_is_whole_or_gone(after, whole) -> None:
    assert fidelity.whole_clusters("a 👩‍👩‍👧 and 🇩🇪", after) is whole


def test_white_space_is_compared_run_by_run() -> None:
    assert fidelity.same_white_space("a  b\n\nc", "x  yy\n\nz")
    assert not fidelity.same_white_space("a  b\n\nc", "a b\n\nc")
    assert not fidelity.same_white_space("a  b\n\nc", "a\n\nb  c")


def test_the_error_rate_is_the_distance_a_character() -> None:
    """Two substitutions in one text of four, an insertion of a space in another of six."""
    texts, made = ["abcd", "efghij"], ["xbcx", "efg hij"]
    assert fidelity.rate(texts, made) == 0.3
    assert fidelity.rate(texts, made, fidelity.without_white_space) == 0.2
