"""The page in a browser."""

import json

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture
def page(browser, server):
    """A window on the page; whatever it says, or asks of others, fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    said, asked = [], []
    page = context.new_page()
    page.set_default_timeout(10_000)
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(server.url)
    page.wait_for_selector("#diff del")
    yield page
    assert said == []
    assert all(url.startswith((server.url, "data:")) for url in asked)
    context.close()


# Functions, since the page's policy forbids to evaluate strings.
ORIGINAL = "[...document.querySelector('#diff').childNodes].filter(n => n.nodeName !== 'INS')"


def wait_for_original(page, text):
    """Wait for the marked text, without what was written, to be `text`."""
    found = f"{ORIGINAL}.map(node => node.textContent).join('')"
    page.wait_for_function(f"text => {found} === text", arg=text)


def test_edits_are_marked_as_one_types(page) -> None:
    page.fill("#text", "zzz aaa zzz")
    wait_for_original(page, "zzz aaa zzz")
    page.fill("[aria-label='p of keyboard_typos']", "1")
    page.wait_for_function("() => document.querySelectorAll('#diff del').length === 9")
    page.fill("#text", "12 34")
    page.wait_for_function(
        "() => document.querySelector('#said').textContent === 'unchanged: no site'"
    )


def test_markup_is_text(page) -> None:
    hostile = "<img src=x onerror=alert(1)> <b>bold</b> \u202e"
    page.fill("#text", hostile)
    wait_for_original(page, hostile.replace("\u202e", "\\u202e"))
    assert page.locator("#diff img, #diff b").count() == 0


def test_a_selection_is_protected(page) -> None:
    """Behind a character of two UTF-16 units, so that offsets differ."""
    page.fill("#text", "🥚 keep this, change that")
    page.evaluate("document.querySelector('#text').setSelectionRange(3, 12)")
    page.click("#protect")
    page.fill("[aria-label='p of keyboard_typos']", "1")
    page.wait_for_function("() => document.querySelectorAll('#diff del').length > 8")
    kept = f"{ORIGINAL}.filter(node => node.nodeType === Node.TEXT_NODE)"
    page.wait_for_function(f"() => {kept}.some(node => node.textContent.includes('keep this'))")
    page.click("#tab-record")
    record = json.loads(page.inner_text("#code"))
    assert "--protect 2-11" in record["perturbation"]["recipe"]


def test_steps_are_found_and_added(page) -> None:
    page.click("#adding summary")
    page.fill("#find", "synonym")
    page.select_option("#language", "en")
    page.click("#found button >> nth=0")
    assert page.locator("#steps h3").all_inner_texts() == ["keyboard_typos", "synonym"]
    page.select_option("#risk", "none")
    assert page.inner_text("#found") == "No perturbator fits."
    page.click("[aria-label='Remove synonym']")
    page.click("[aria-label='Remove keyboard_typos']")
    assert page.inner_text("#said") == "add a step below"


def test_a_mistake_is_told_as_on_the_command_line(page) -> None:
    page.locator("#steps input[type=text]").fill("qwerzy")
    page.wait_for_function("() => document.querySelector('#said.wrong')")
    assert "unknown keyboard layout 'qwerzy'" in page.inner_text("#said")


def test_rows_of_a_file(page, tmp_path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"id": 1, "question": "First one?"}\n{"id": 2, "question": "Second one?"}\n')
    page.set_input_files("#file", path)
    wait_for_original(page, "First one?")
    assert page.inner_text("#row") == "row 1 of 2"
    page.click("#next")
    assert page.input_value("#text") == "Second one?"
    path.write_text("no JSON")
    page.set_input_files("#file", path)
    page.wait_for_function("() => document.querySelector('#said.wrong')")
    assert "rows.jsonl: not JSON lines" in page.inner_text("#said")


def test_a_late_answer_leaves_what_is_said_of_a_file(page, tmp_path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("no JSON")
    held = []
    page.route("**/perturb", lambda route: held.append(route))
    with page.expect_request("**/perturb"):
        page.fill("#text", "Another one?")
    page.set_input_files("#file", path)
    page.wait_for_function("() => document.querySelector('#said.wrong')")
    held[-1].continue_()
    wait_for_original(page, "Another one?")
    assert "rows.jsonl: not JSON lines" in page.inner_text("#said")


def test_the_keyboard_reaches_the_tabs(page) -> None:
    page.focus("#tab-text")
    for label in ("record", "command", "python", "yaml", "share", "text"):
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.id") == f"tab-{label}"
        assert page.get_attribute(f"#tab-{label}", "aria-selected") == "true"


def controls(page) -> list[tuple[str, str]]:
    """Return the role and the name of all that can have the focus, as assistive software sees it."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    seen = [node for node in nodes if not node["ignored"] and node["role"]["value"] != "option"]
    reached = [
        node
        for node in seen
        if any(one["name"] == "focusable" and one["value"]["value"] for one in node["properties"])
    ]
    return [(node["role"]["value"], node["name"]["value"]) for node in reached]


def test_each_control_has_a_name_of_its_own(page) -> None:
    """Two steps of one perturbator beside another, and the same word protected twice."""
    page.fill("#text", "hens and hens and 1 egg")
    for start, end in ((0, 4), (9, 13)):
        page.evaluate(f"document.querySelector('#text').setSelectionRange({start}, {end})")
        page.click("#protect")
    for summary in page.query_selector_all("summary"):
        summary.click()
    page.click("#found button:has(b:text-is('keyboard_typos'))")
    page.click("#found button:has(b:text-is('synonym'))")
    found = controls(page)
    assert ("spinbutton", "p of keyboard_typos") in found
    assert ("slider", "Strength of keyboard_typos#2") in found
    assert ("textbox", "layout of keyboard_typos#2") in found
    assert ("button", "Remove keyboard_typos#2") in found
    assert ("button", "Stop protecting hens, characters 10 to 13") in found
    assert ("button", "Copy: Output") in found
    assert ("tabpanel", "Output") in found
    names = [name for role, name in found if role not in ("tab", "RootWebArea")]
    assert [name for name in names if not name.strip() or names.count(name) > 1] == []


def test_what_was_copied_is_said(page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("#tab-command")
    page.click("#copy")
    page.wait_for_function("() => document.querySelector('#copied').textContent === 'Copied'")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.inner_text("#code")


@pytest.mark.parametrize("width", [1440, 800, 360])
def test_nothing_is_wider_than_the_window(page, width) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.fill("#text", "unbroken" * 200)
    wait_for_original(page, "unbroken" * 200)
    page.click("#adding summary")
    for tab in ("record", "command", "python", "yaml"):
        page.click(f"#tab-{tab}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_every_example_changes_its_text(page) -> None:
    """So does what stands beside it, at another strength."""
    page.select_option("#factor", "2")
    for name in page.locator("#example option").all_inner_texts():
        page.select_option("#example", name)
        page.wait_for_function("text => document.querySelector('#text').value !== text", arg="")
        wait_for_original(page, page.input_value("#text"))
        page.wait_for_selector("#diff :is(del, ins)")
        page.wait_for_selector("#beside :is(del, ins)")
        assert "wrong" not in (page.get_attribute("#said", "class") or "")
    page.select_option("#factor", "")
    page.wait_for_selector("#beside", state="hidden")


def test_the_page_begins_with_what_was_shared(browser, shared_server) -> None:
    page = browser.new_page()
    page.goto(shared_server.url)
    wait_for_original(page, "A line of text to be read.")
    assert page.locator("#steps h3").all_inner_texts() == ["ocr"]
    assert page.input_value("#steps [type=number]") == "0.5"
    page.close()


def test_axe_finds_nothing_serious(page, findings) -> None:
    assert findings(page) == []
