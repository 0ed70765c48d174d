"""The site as it was built: its search answers from a file, without a server.

CI builds the site and names its folder in PERTURB_SITE; so may you.
"""

import os
from pathlib import Path

import pytest

SITE = os.environ.get("PERTURB_SITE")


@pytest.mark.skipif(SITE is None, reason="PERTURB_SITE names no folder with the built site")
@pytest.mark.parametrize(
    ("asked", "page"),
    [("keyboard_typos", "keyboard_typos.html"), ("option_shuffle", "multiple-choice.html")],
)
def test_search_needs_no_server(browser, asked, page) -> None:
    tab = browser.new_page()
    wrong: list[str] = []
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.goto((Path(SITE or "") / "search.html").as_uri() + f"?q={asked}")
    links = tab.locator("#search-results ul.search li a")
    links.first.wait_for()
    found = [link.get_attribute("href") for link in links.all()]
    assert any(page in (one or "") for one in found), found
    assert not wrong
    tab.close()
