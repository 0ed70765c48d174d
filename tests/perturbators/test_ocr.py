"""Errors of character recognition: the rate, what is misread, and where."""

from collections import Counter

import numpy as np
import pytest

import perturb
from perturb import resources
from perturb.engine.native import binding
from perturb.perturbators.machines.fitted import ENGINES, shipped
from perturb.resources import read_json

TEXT = "The miller told Anna that old mills in the hills are full of grain. " * 60


@pytest.fixture(scope="module")
def edits():
    """Each edit of 40 texts, some 8,000 in all."""
    records = perturb.apply([TEXT] * 40, "ocr", p=0.05, id=list(range(40)))
    return [(edit.start, edit.removed, edit.text) for record in records for edit in record.edits]


def share_of(edits, wanted):
    return sum(wanted(removed, text) for _, removed, text in edits) / len(edits)


def test_signs_and_spaces_are_lost_and_seen(edits) -> None:
    """N = 8,000: a share of 2 % has a standard error below 0.2 %."""
    assert share_of(edits, lambda removed, text: " " in removed) > 0.02
    assert share_of(edits, lambda removed, text: " " in text and " " not in removed) > 0.01
    signs = share_of(edits, lambda removed, text: not (removed + text).replace(" ", "").isalpha())
    assert signs > 0.1
    assert share_of(edits, lambda removed, text: removed == ".") > 0.02


def test_what_is_often_misread_comes_first(edits) -> None:
    """The table has more for l than for d; N is over 100 for each."""
    table = Counter()
    for _, removed, _, _, rate in read_json("noise", "tesseract.json")["edits"]:
        table[removed] += rate
    counts = Counter(removed for _, removed, _ in edits)
    assert table["l"] > 2 * table["d"]
    assert counts["l"] / TEXT.count("l") > 1.3 * counts["d"] / TEXT.count("d")


def test_a_letter_is_taken_for_several_in_a_text() -> None:
    record = perturb.apply(TEXT, "ocr", p=0.3)
    assert len({edit.text for edit in record.edits if edit.removed == "l"}) > 2


def test_a_third_of_short_texts_has_no_error() -> None:
    """As of the scans, which have a spread of 1.1. N = 1000: the standard error is 0.015."""
    texts = ["The miller told Anna that old mills in the hills are full of grain."] * 1000
    made = perturb.apply(texts, "ocr:p=0.026,spread=1.1", id=list(range(1000)))
    assert sum(not record.edits for record in made) / 1000 == pytest.approx(0.33, abs=0.06)


def test_p_is_the_share_of_the_characters() -> None:
    for p in (0.05, 0.3, 0.6):
        records = perturb.apply([TEXT] * 10, "ocr:spread=0", p=p, id=list(range(10)))
        assert np.mean([record.rate for record in records]) == pytest.approx(p, abs=0.005)


@pytest.mark.slow
def test_numbers_and_what_stands_beside_them_stay() -> None:
    text = "Of 1,200 mills, 37 cost $4.50 each (in 1870), and 5 more. " * 20
    stays = [
        at for at in range(len(text)) if any(c.isdigit() for c in text[max(at - 1, 0) : at + 2])
    ]
    record = perturb.apply(text, "ocr", p=1)
    assert len(record.edits) > 300
    for edit in record.edits:
        assert not {*range(edit.start, max(edit.end, edit.start + 1))} & {*stays}
        assert not any(map(str.isdigit, edit.text))
    edits = perturb.apply(text, "ocr:digits=true", p=1).edits
    assert any(map(str.isdigit, "".join(edit.removed for edit in edits)))


@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_an_engine_has_the_spread_and_the_lost_spaces_of_its_counts(engine) -> None:
    """N is over 2,000 edits, so that a share has a standard error below 0.011."""
    table = read_json("noise", f"{engine}.json")
    assert ENGINES[engine] == pytest.approx(table["spread"], abs=0.05)
    records = perturb.apply([TEXT] * 20, f"ocr:engine={engine}", p=0.05, id=list(range(20)))
    edits = [edit for record in records for edit in record.edits]
    lost = sum(edit.removed == " " and not edit.text for edit in edits) / len(edits)
    assert (lost > 0.4) if engine == "ppocr_v4" else (lost < 0.15)


def test_an_engine_that_was_not_counted() -> None:
    with pytest.raises(perturb.UsageError, match="'ppocr' or 'ppocr_v4'; got 'abbyy'"):
        perturb.apply("a", "ocr:engine=abbyy")


@pytest.mark.parametrize("content", ["", "{}", '{"format": "perturb noise 1", "rate": 2}'])
def test_a_damaged_table_is_refused_with_the_reason(monkeypatch, tmp_path, content) -> None:
    """One that is empty, or is no table of noise, or holds what can't be."""
    (tmp_path / "noise").mkdir()
    (tmp_path / "noise" / "ppocr.json").write_text(content)
    monkeypatch.setattr(resources, "_FOLDER", tmp_path)
    shipped.cache_clear()
    refused = perturb.UsageError, resources.TableError
    with pytest.raises(refused, match=r"ppocr.*(damaged|not a file of|rate must)"):
        perturb.apply("a sea", "ocr:engine=ppocr", p=1)


@pytest.mark.parametrize("native", [True, False])
def test_texts_are_misread_alike_beside_a_text_beyond_latin_1(monkeypatch, native) -> None:
    if not native:
        monkeypatch.setattr(binding, "LIBRARY", None)
    alone = perturb.apply(TEXT, "ocr", p=0.5, seed=1).text
    assert perturb.apply([TEXT, "ЖЖЖ"], "ocr", p=0.5, seed=1)[0].text == alone


@pytest.mark.slow
def test_a_number_at_the_start_of_a_text_closes_no_place_of_the_text_before() -> None:
    texts = ["So said the miller", "12 mills"] * 50
    ids = list(range(100))
    together = perturb.apply(texts, "ocr", p=0.5, id=ids)
    alone = [perturb.apply(text, "ocr", p=0.5, id=at) for text, at in zip(texts, ids, strict=True)]
    assert [record.text for record in together] == [record.text for record in alone]
