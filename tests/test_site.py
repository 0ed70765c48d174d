"""The site as it was built: its search answers from a file, without a server.

CI builds the site and names its folder in PERTURB_SITE; so may you.
"""

import os
import re
from pathlib import Path

import pytest

SITE = os.environ.get("PERTURB_SITE")


# What people ask, most of it written before the search was tried, and the pages that answer it.
QUESTIONS = [
    line.split("\t")
    for line in Path(__file__).with_name("site_questions.tsv").read_text("utf-8").splitlines()[1:]
]


@pytest.mark.skipif(SITE is None, reason="PERTURB_SITE names no folder with the built site")
def test_search_has_an_answer_among_its_first_three_results_without_a_server(browser) -> None:
    tab = browser.new_page()
    wrong: list[str] = []
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.goto((Path(SITE or "") / "search.html").as_uri())
    missed = {}
    for asked, pages in QUESTIONS:
        tab.locator("#search-again input").fill(asked)
        links = tab.locator("#search-results li a").evaluate_all("all => all.map(one => one.href)")
        found = [Path(link.partition("#")[0]).stem for link in links[:3]]
        if not set(found) & set(pages.split()):
            missed[asked] = found
    assert not wrong
    for kind in (
        [asked for asked, _ in QUESTIONS if " " in asked],
        [asked for asked, _ in QUESTIONS if " " not in asked],
    ):
        assert len(missed.keys() & set(kind)) <= 0.15 * len(kind), missed
    tab.close()


@pytest.mark.skipif(SITE is None, reason="PERTURB_SITE names no folder with the built site")
def test_search_shows_where_a_page_has_the_words_or_that_none_has(browser) -> None:
    tab = browser.new_page()
    tab.goto((Path(SITE or "") / "search.html").as_uri() + "?q=whether+my+data+is+sent+anywhere")
    first = tab.locator("#search-results li").first
    assert first.locator("a").get_attribute("href") == "faq.html#is-my-data-sent-anywhere"
    assert "network" in first.locator("p").inner_text()
    tab.locator("#search-again input").fill("vllm")
    assert tab.locator("#search-results mark").first.inner_text() == "vLLM"
    tab.locator("#search-again input").fill("xyzzyq")
    assert tab.locator("#search-results a").all_inner_texts() == ["Where is it?"]
    tab.close()


@pytest.mark.skipif(SITE is None, reason="PERTURB_SITE names no folder with the built site")
def test_no_mark_of_markdown_is_left() -> None:
    left = re.compile(r"~~\w[^~\n]*~~")
    pages = {page.name: page.read_text("utf-8") for page in Path(SITE or "").rglob("*.html")}
    assert len(pages) > 100
    assert [name for name, text in pages.items() if left.search(text)] == []


# Returns the words in tables that a line break cuts, and the width of the page.
CUT = r"""() => {
  const cut = [];
  for (const cell of document.querySelectorAll("th, td")) {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode()); ) {
      for (const word of node.data.matchAll(/\w+/g)) {
        const range = document.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        const tops = [...range.getClientRects()].filter((one) => one.width > 0.5).map((one) => Math.round(one.top));
        if (new Set(tops).size > 1) cut.push(word[0]);
      }
    }
  }
  return [cut, document.documentElement.scrollWidth];
}"""


@pytest.mark.skipif(SITE is None, reason="PERTURB_SITE names no folder with the built site")
@pytest.mark.parametrize(
    "page",
    [
        "migration/textattack.html",
        "reference/perturbators/index.html",
        "reference/perturbators/char_insert.html",
        "reference/tables/names.html",
        "reference/tables/record.html",
    ],
)
def test_no_name_in_a_table_is_cut_at_any_letter(browser, page) -> None:
    tab = browser.new_page(viewport={"width": 360, "height": 800})
    tab.goto((Path(SITE or "") / page).as_uri())
    assert tab.evaluate(CUT) == [[], 360]
    tab.close()


@pytest.mark.skipif(SITE is None, reason="PERTURB_SITE names no folder with the built site")
def test_a_slider_moves_text_and_commands(browser) -> None:
    tab = browser.new_page()
    page = (Path(SITE or "") / "reference/perturbators/keyboard_typos.html").as_uri()
    counts = []
    for p in ("0.05", "0.5"):
        tab.goto(f"{page}#p={p}")
        tab.reload()
        counts.append(tab.locator(".at-p [data-p]:not(.off)").count())
        typed = tab.locator(".at-p pre").all_inner_texts()
        assert [line for line in typed if p not in line] == []
    assert counts[0] < counts[1] < tab.locator(".at-p [data-p]").count()
    tab.locator(".at-p input").fill("1")
    assert tab.locator(".at-p .off").count() == 0
    tab.close()


@pytest.mark.skipif(SITE is None, reason="PERTURB_SITE names no folder with the built site")
@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 360)])
def test_axe_finds_nothing_serious(browser, findings, scheme, width) -> None:
    tab = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 900})
    for page in (
        *("index", "tutorial", "search", "comparison", "reference/perturbators/gallery"),
        *("reference/perturbators/keyboard_typos", "reference/tables/names"),
    ):
        tab.goto((Path(SITE or "") / f"{page}.html").as_uri())
        assert findings(tab) == [], page
    tab.close()
