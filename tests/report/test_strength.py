"""The score over strength on the page: curves, and tolerances shaded on them."""

import re

import linkage
import orjson
import pytest
from pages import clean, linked

from perturb.cli import main


@pytest.mark.slow
def test_conditions_without_a_strength_have_no_curves(page):
    text = page([clean(1, 1), linked("1", 0, steps="typos@1")], "--score", "score")
    assert 'id="strength"' not in text
    assert len(text) < 80_000


@pytest.mark.slow
def test_a_tolerance_is_shaded_on_its_curve(page):
    """The loss rises by .01 a percent, so .1 is lost somewhere between .05 and .15."""
    strengths = (0.05, 0.15, 0.25)
    rows = [{"id": str(at), "answer": "a", "prediction": "a"} for at in range(400)]
    for p in strengths:
        rows += [
            {
                **linkage.row(at, f"keyboard_typos@1:p={p}", field="text"),
                "answer": "a",
                "prediction": "ab"[at < 400 * p],
            }
            for at in range(400)
        ]
    text = page(rows, "--lose", "0.1")
    low, width = map(
        float, re.search(r'class="band" x="([\d.]+)" y="0" width="([\d.]+)"', text).groups()
    )
    places = [
        float(place) for place in re.findall(r'class="point[^"]*" style="left:([\d.]+)%', text)
    ]
    assert (low, low + width) == pytest.approx(places[:2], abs=0.01)
    assert "Tolerance, shaded: 10 % [" in text
    assert "--lose 0.1" in text
    # Without a loss it is the usual one, below the weakest that was asked; the words are shown.
    assert 'class="band"' in page(rows)


@pytest.mark.slow
def test_tolerances_of_two_are_shaded_beside_their_ratio(tmp_path):
    """A loses .01 a percent of one noise and B half of it; of another, neither loses anything."""
    paths = []
    for name, loss in (("a", 1.0), ("b", 0.5)):
        rows = [{"id": str(at), "answer": "a", "prediction": "a"} for at in range(400)]
        for p in (0.05, 0.15, 0.25, 0.35):
            for step in ("keyboard_typos@1", "ocr@1"):
                limit = 400 * p * loss * step.startswith("key")
                rows += [
                    {
                        **linkage.row(at, f"{step}:p={p}", field="text"),
                        "answer": "a",
                        "prediction": "ab"[at < limit],
                    }
                    for at in range(400)
                ]
        paths.append(str(tmp_path / f"{name}.jsonl"))
        lines = b"".join(orjson.dumps(row) + b"\n" for row in rows)
        tmp_path.joinpath(f"{name}.jsonl").write_bytes(lines)
    target = tmp_path / "page.html"
    for command in ("report", "compare"):
        assert main([command, *paths, "--lose", "0.1", "-o", str(target)]) == 0
        text = target.read_text("utf-8")
        typos, ocr = re.findall("Tolerance, shaded: ([^<]*)", text)
        assert re.match(r"a 10 % \[.*loses; b 20 % \[.*loses; b / a 2 \[.* undecided\.", typos)
        assert ocr.startswith("a &gt; 35 % [35, &gt; 35] of characters, tolerates; b &gt; 35 % [")
        assert ocr.rstrip().endswith("b / a unknown, undecided.")
        assert len(re.findall('<rect class="band series-[AB]"', text)) == 4
