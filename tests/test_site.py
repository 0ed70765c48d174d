"""The site as it was built: its search answers from a file, without a server.

CI builds the site and names its folder in PERTURB_SITE; so may you.
"""

import os
import re
from pathlib import Path

import pytest

SITE = os.environ.get("PERTURB_SITE")


# What people ask, written before the pages were searched; each leads to a page, or to where it is
# named in other words.
QUESTIONS = {
    "keyboard_typos": "keyboard_typos", "option_shuffle": "multiple-choice", "jupyter": "find",
    "parallel": "find", "LLM judge": "find", "BIO tags": "find", "code comments": "find",
    "continuous integration": "continuous-integration", "CI": "continuous-integration", "undo": "find",
    "restore original": "restore", "large files": "find", "custom perturbator": "find",
    "license": "find", "typos in 10% of words": "strength", "temperature": "ask-a-model",
    "reproducible": "reproduce", "named entities": "labels", "multiple choice": "multiple-choice",
    "chat messages": "chat-logs", "csv": "csv-and-parquet", "pandas": "hugging-face",
    "german keyboard": "yz_swap", "chinese": "find", "ocr errors": "ocr",
    "speech recognition": "find", "homoglyph attack": "find", "prompt injection": "find",
    "paraphrase": "paraphrase", "back translation": "any-function", "nlpaug": "nlpaug",
    "compare two models": "compare-models", "confidence interval": "find",
    "statistical power": "find", "how many samples": "find", "stop early": "find", "s3": "folders",
    "gzip": "find", "rate limit": "find", "api key": "ask-a-model", "protect urls": "protect",
    "plugin": "own-perturbator", "json schema": "record", "spark": "hugging-face",
    "lm-eval": "evaluation-frameworks", "cite": "faq", "uninstall": "faq", "emoji": "emoji",
    "negation": "negation", "data leakage": "find", "vllm": "find", "langchain": "ask-a-model",
    "docker": "faq", "cost of API calls": "find", "semantic equivalence check": "find",
}  # fmt: skip


@pytest.mark.skipif(SITE is None, reason="PERTURB_SITE names no folder with the built site")
def test_search_answers_without_a_server(browser) -> None:
    tab = browser.new_page()
    wrong: list[str] = []
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    for asked, page in QUESTIONS.items():
        tab.goto((Path(SITE or "") / "search.html").as_uri() + f"?q={asked}")
        links = tab.locator("#search-results ul.search li a")
        tab.locator("#search-results ul.search.search-done, #search-results p").first.wait_for()
        tab.wait_for_function(
            "document.querySelector('#search-results h2')?.innerText === 'Search Results'"
        )
        found = [Path(link.get_attribute("href").partition("?")[0]).stem for link in links.all()]
        assert page in (found[:2] if page == "find" else found), (asked, found)
    assert not wrong
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
