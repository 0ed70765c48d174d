"""The page in a browser: Debian's chromium, without a display or a network."""

import contextlib
import re
import shutil

import pytest

from perturb.robustness.scoring.columns import collect
from perturb.robustness.scoring.grade import by_match
from perturb.robustness.scoring.join import join
from perturb.robustness.scoring.sources import listed_source

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
DRAWN = "document.querySelectorAll('.chart:not([data-drawn])').length === 0"


@pytest.fixture(scope="module")
def browser():
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(f"none of {', '.join(BROWSERS)} is installed: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path)
        yield started
        started.close()


@pytest.fixture
def visit(browser, report):
    """Open the page in a window of its own; whatever it says or asks for fails the test."""
    with contextlib.ExitStack() as stack:
        said, asked = [], []

        def visit(path=report, **settings):
            context = browser.new_context(
                **{"viewport": {"width": 1280, "height": 900}, **settings}
            )
            stack.callback(context.close)
            page = context.new_page()
            page.set_default_timeout(10_000)
            page.on("console", lambda message: said.append(message.text))
            page.on("pageerror", lambda error: said.append(str(error)))
            page.on("dialog", lambda dialog: said.append(dialog.message))
            page.on("request", lambda request: asked.append(request.url))
            page.goto(path.as_uri())
            if settings.get("java_script_enabled", True):
                page.wait_for_function(DRAWN)
            return page

        yield visit
        assert said == []
        assert set(asked) <= {report.as_uri()}


@pytest.fixture(scope="module")
def pairs(rows):
    source = listed_source(rows)
    return join(collect([source], by_match("exact", "answer", "target")), [source])


def shown(page):
    return page.locator(".flips > li:visible")


def all_shown(page):
    while page.locator("#more").is_visible():
        page.locator("#more").click()
    return shown(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 360, 1280])
def test_it_is_readable_and_nothing_sticks_out(visit, scheme, width):
    """No scroll to the side; and, by the fixture, not a word on the console and no request."""
    page = visit(color_scheme=scheme, viewport={"width": width, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") == width
    widths = page.locator("main > section").evaluate_all("all => all.map(one => one.clientWidth)")
    assert min(widths) > width * 0.85
    small = page.evaluate(
        "Math.min(...[...document.querySelectorAll('main *')].filter(one => one.innerText)"
        ".map(one => parseFloat(getComputedStyle(one).fontSize)))"
    )
    assert small >= 11


def test_every_condition_is_in_the_charts(visit, pairs):
    page = visit()
    cells = page.locator(".chart[data-chart=heat] [aria-roledescription='rect mark']")
    assert cells.count() == len(pairs.conditions) == 4
    labels = cells.evaluate_all("all => all.map(one => one.ariaLabel)")
    assert sum(label.startswith("keyboard_typos at p = 0.") for label in labels) == 2
    assert page.locator("figcaption").all_inner_texts() == ["keyboard_typos"]
    points = page.locator(".chart[data-focus=keyboard_typos] [aria-roledescription='point']")
    assert points.count() == 2


def test_a_point_says_its_figures_under_the_pointer(visit):
    page = visit()
    page.locator("[data-focus=keyboard_typos] [aria-roledescription='point']").first.hover()
    tip = page.locator("#vg-tooltip-element")
    tip.wait_for(state="visible")
    assert "keyboard_typos" in tip.inner_text()
    assert "95 %" in tip.inner_text()


def test_the_flips_are_those_of_the_rows_with_their_edits_marked(visit, rows, pairs):
    """Of every listed flip, text and marks are those of its record, to the code point."""
    page = visit()
    items = all_shown(page)
    flipped = pairs.place[pairs.clean[:, 0] != pairs.perturbed[:, 0]]
    assert items.count() == flipped.size > 30
    wanted = sorted(_marks(rows[place]) for place in flipped)
    found = items.evaluate_all(
        """all => all.map(one => [...one.querySelectorAll('.text')].flatMap(text => [
            text.textContent, ...[...text.querySelectorAll('del, ins')].map(m => m.textContent)
        ]))"""
    )
    assert sorted(found) == wanted


def _marks(row):
    record = row["perturbation"]
    removed = [record["original"][edit["start"] : edit["end"]] for edit in record["edits"]]
    written = [edit["text"] for edit in record["edits"]]
    return [
        record["original"],
        *filter(None, removed),
        row["question"],
        *filter(None, written),
    ]


def test_what_stands_in_the_rows_stays_text(visit, report):
    page = visit()
    assert page.title() == "scored.jsonl · perturb report"
    assert page.locator("main script, main b:has-text('topic')").count() == 0
    assert page.get_by_text("<script>document.title = 'run'</script>").count() > 0
    assert page.get_by_role("rowheader", name='a "quoted" <b>topic</b>').count() == 1


def test_spaces_that_came_and_went_can_be_seen(visit):
    page = visit()
    mark = page.locator("ins[data-seen='␣']").first
    assert mark.evaluate("one => getComputedStyle(one, '::after').content") == '"␣"'
    assert mark.text_content() == " "


def test_the_edits_that_explain_a_flip_stand_out(visit):
    page = visit()
    item = all_shown(page).filter(has=page.locator(".cause")).first
    assert "The marked edit alone flips the answer." in item.inner_text()
    assert item.locator("dd.text").last.locator(".cause").count() <= 1
    assert page.locator("li:has(.cause)").count() == 5


def test_the_filter_works_from_the_keyboard(visit):
    """Tab to each field, choose with letters and arrows, read the count."""
    page = visit()
    count = page.locator("#count")
    before = int(re.search(r"of (\d+)", count.inner_text())[1])
    page.locator("#filter select").first.focus()
    page.keyboard.press("w")  # whitespace
    assert page.locator("#filter select").first.input_value() == "whitespace"
    names = all_shown(page).evaluate_all("all => all.map(one => one.dataset.perturbator)")
    assert set(names) == {"whitespace"}
    assert count.inner_text() == f"{len(names)} of {len(names)} shown"
    assert 0 < len(names) < before
    page.locator("#filter select").first.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")  # good to bad
    ways = shown(page).evaluate_all("all => all.map(one => one.dataset.direction)")
    assert set(ways) == {"worse"}
    page.keyboard.press("Tab")
    page.keyboard.type("CRATES")
    texts = shown(page).all_inner_texts()
    assert 0 < len(texts) < len(ways)
    assert all("crates" in text.lower() for text in texts)
    page.keyboard.type(" no row has this")
    assert count.inner_text() == "0 of 0 shown"


def test_the_count_is_announced(visit):
    assert visit().get_by_role("status").get_attribute("id") == "count"


def test_more_are_shown_on_demand_and_the_focus_goes_there(visit):
    page = visit()
    assert shown(page).count() == 25
    page.locator("#more").focus()
    page.keyboard.press("Enter")
    assert shown(page).count() > 25
    assert shown(page).nth(25).evaluate("one => one === document.activeElement")


def test_the_table_leads_to_the_flips_of_a_condition(visit):
    page = visit()
    page.locator("a[data-perturbator=keyboard_typos][data-p='0.2']").focus()
    page.keyboard.press("Enter")
    kinds = all_shown(page).evaluate_all(
        "all => all.map(one => [one.dataset.perturbator, one.dataset.p])"
    )
    assert kinds
    assert all(kind == ["keyboard_typos", "0.2"] for kind in kinds)


def test_a_click_into_the_heat_map_does_as_well(visit):
    page = visit()
    page.locator(".chart[data-chart=heat] [aria-label*='p = 0.3:']").first.click(force=True)
    assert page.locator("select[name=perturbator]").input_value() == "word_swap"
    assert page.locator("select[name=p]").input_value() == "0.3"


def test_every_control_has_a_name_and_can_be_reached(visit):
    page = visit()
    tree = page.locator("body").aria_snapshot()
    for line in ('button "Theme: auto"', 'combobox "Perturbator"', 'searchbox "Text"', "main"):
        assert line in tree
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the verdict"
    seen = []
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.id || document.activeElement.name"))
    assert {"theme", "perturbator", "direction", "text", "more"} <= set(seen)


def colours(page):
    return page.evaluate(
        """() => {
            const body = getComputedStyle(document.body);
            const line = document.querySelector("[data-focus] [aria-roledescription='point']");
            return [body.backgroundColor, body.color, getComputedStyle(line).fill];
        }"""
    )


def test_light_and_dark(visit):
    """As the system says; the button overrules it, also for the charts, and is remembered."""
    light, dark = colours(visit(color_scheme="light")), colours(visit(color_scheme="dark"))
    assert light[0] == "rgb(252, 252, 250)"
    assert dark[0] == "rgb(20, 22, 24)"
    assert all(one != other for one, other in zip(light, dark, strict=True))
    page = visit(color_scheme="light")
    page.locator("#theme").focus()
    for wanted, theme in ((light, "light"), (dark, "dark"), (light, "auto"), (light, "light")):
        page.keyboard.press("Enter")
        assert page.locator("#theme").inner_text() == f"Theme: {theme}"
        assert colours(page) == wanted
    page.keyboard.press("Enter")
    page.reload()
    page.wait_for_function(DRAWN)
    assert colours(page) == dark


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(visit, scheme):
    """Contrast of at least 4.5 to 1 (WCAG 2.2, AA) for every colour that text has."""
    page = visit(color_scheme=scheme)
    ratios = page.evaluate(
        """() => {
            const style = getComputedStyle(document.documentElement);
            const light = (name) => {
                const code = style.getPropertyValue(name).trim().slice(1);
                return [0.2126, 0.7152, 0.0722].reduce((sum, weight, at) => {
                    const part = parseInt(code.slice(2 * at, 2 * at + 2), 16) / 255;
                    return sum + weight * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
                }, 0);
            };
            const ratio = (one, two) => {
                const [low, high] = [light(one), light(two)].sort((a, b) => a - b);
                return (high + 0.05) / (low + 0.05);
            };
            const pairs = [...["--ink", "--muted", "--accent", "--worse", "--better"].map(c => [c, "--page"]),
                ["--muted", "--raised"], ["--ink", "--raised"],
                ["--worse", "--worse-soft"], ["--better", "--better-soft"]];
            return pairs.map(([one, two]) => [one, two, ratio(one, two)]);
        }"""
    )
    assert len(ratios) == 9
    assert [ratio for ratio in ratios if ratio[2] < 4.5] == []


def test_without_scripts_all_flips_and_figures_are_there(visit, pairs):
    page = visit(java_script_enabled=False)
    flipped = int((pairs.clean[:, 0] != pairs.perturbed[:, 0]).sum())
    assert shown(page).count() == flipped
    assert page.get_by_text("The charts need JavaScript").is_visible()
    assert not page.locator("#filter").is_visible()
    assert not page.locator("#theme").is_visible()
