"""Rows in the page and beside it: those that held, what was read, long replies."""

import linkage
import orjson
import pytest
from pages import all_shown, listed_rows, shown

from perturb.cli import main

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wordy(tmp_path_factory):
    """60 originals with long replies of a number; of the noisy 19 are wrong, and one has none."""
    path = tmp_path_factory.mktemp("wordy") / "wordy.jsonl"
    rows = []
    for at in range(60):
        reply = f"Let me think. {'So it goes on. ' * 90} The answer is"
        rows.append({"id": f"q{at}", "text": "eggs", "answer": 4, "prediction": f"{reply} 4."})
        said = f"{reply} {4 + (at % 3 == 0)}." if at else "A few dozen."
        rows.append({**linkage.row(f"q{at}"), "answer": 4, "prediction": said})
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    return path


def test_rows_that_held_can_be_browsed_and_tell_what_was_read(visit, wordy):
    out = wordy.with_suffix(".html")
    assert main(["report", str(wordy), "--match", "number", "-o", str(out)]) == 0
    page = visit(out)
    assert page.locator("#count").inner_text() == "19 of 19 shown"
    first = shown(page).first
    reads = shown(page).locator("dt:text-is('read') + dd")
    assert {*reads.all_inner_texts()} == {"4 → 5"}
    page.get_by_label("Rows").select_option("others")
    assert page.locator("#count").inner_text() == "25 of 41 shown"
    words = shown(page).locator(".word")
    assert {*words.all_inner_texts()} == {"stays good", "reply lost"}
    page.get_by_label("Text").fill("few dozen")
    assert words.all_inner_texts() == ["reply lost"]
    assert reads.all_inner_texts() == ["4 → nothing"]
    page.get_by_label("Direction").select_option("worse")
    assert page.locator("#count").inner_text() == "0 of 0 shown"
    page.get_by_label("Direction").select_option("")
    page.get_by_label("Text").fill("")
    assert page.evaluate("location.hash") == "#rows=others"
    page.get_by_label("Rows").select_option("every")
    assert page.locator("#count").inner_text() == "25 of 60 shown"
    reply = first.locator("details").first
    assert "781 characters" in reply.inner_text()
    assert "So it goes on. " * 90 not in reply.inner_text()
    reply.locator("summary").click()
    assert ("So it goes on. " * 90).strip() in reply.inner_text()


def test_scores_that_stay_on_their_side_are_no_flips_in_words(visit, tmp_path):
    """Of two metrics, one falls by .2 above its threshold and one crosses it."""
    metrics, path, out = (tmp_path / name for name in ("m.yaml", "s.jsonl", "p.html"))
    metrics.write_text("quality: {threshold: 0.5}\nstyle: {threshold: 0.5}")
    rows = [{"id": str(at), "text": "eggs", "quality": 0.9, "style": 0.9} for at in range(9)]
    rows += [{**linkage.row(f"{at}"), "quality": 0.7, "style": 0.4} for at in range(9)]
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    assert main(["report", str(path), "--metrics", str(metrics), "-o", str(out)]) == 0
    page = visit(out, "#rows=every")
    words = {}
    for name in ("quality", "style"):
        page.get_by_label("Metric").select_option(name)
        words[name] = set(shown(page).locator(".word").all_inner_texts())
    assert words == {"quality": {"0.9 → 0.7"}, "style": {"good → bad, 0.9 → 0.4"}}


def test_rows_beside_the_page_are_loaded_when_asked_for(visit, wordy, monkeypatch):
    """With room for a few rows in the page, and in each file beside it."""
    monkeypatch.setattr("perturb.report.flip_data._TOGETHER", 2_500)
    out = wordy.with_name("small.html")
    assert main(["report", str(wordy), "--match", "number", "-o", str(out)]) == 0
    files = sorted(wordy.parent.glob("small.rows-*.js"))
    assert len(files) > 2
    page = visit(out, "#rows=every", beside=files)
    few = len(list(listed_rows(out.read_text("utf-8"))))
    assert page.locator("#count").inner_text() == f"{few} of {few} shown"
    page.locator("#beside").click()
    page.wait_for_selector("#count:has-text('of 60')")
    assert page.locator("#beside").is_hidden()
    everything = wordy.with_name("whole.html")
    monkeypatch.undo()
    assert main(["report", str(wordy), "--match", "number", "-o", str(everything)]) == 0
    texts = [all_shown(one).all_inner_texts() for one in (page, visit(everything, "#rows=every"))]
    assert texts[0] == texts[1]
    assert len(texts[0]) == 60


def test_a_file_that_is_not_beside_the_page_is_named(browser, wordy, monkeypatch):
    monkeypatch.setattr("perturb.report.flip_data._TOGETHER", 2_500)
    out = wordy.with_name("alone.html")
    assert main(["report", str(wordy), "--match", "number", "-o", str(out)]) == 0
    wordy.with_name("alone.rows-2.js").unlink()
    page = browser.new_page()
    page.goto(out.as_uri())
    page.locator("#beside").click()
    page.wait_for_selector("text=alone.rows-2.js is not beside this page; try again")
    page.close()
