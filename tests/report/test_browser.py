"""The page in a browser: Debian's chromium, without a display or a network."""

import re

import linkage
import orjson
import pytest
from pages import all_shown, flips, listed_rows, shown

from perturb.cli import main
from perturb.records.notation import read

pytestmark = pytest.mark.slow


def listed(report):
    return list(flips(report.read_text("utf-8")))


@pytest.fixture(scope="module")
def comparison(scored, rows):
    """The page of two systems: the other one errs on every perturbed question about hens."""
    other = scored.with_name("other.jsonl")
    made = [{**row} for row in rows]
    for row in made:
        if row["topic"] == "hens" and row["perturbation"]["status"] != "original":
            row["answer"] = 0
    other.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in made))
    path = scored.with_name("compare.html")
    given = ["--prediction", "answer", "--target", "target", "-o", str(path)]
    assert main(["compare", str(scored), str(other), *given]) == 0
    return path


@pytest.fixture(scope="module")
def many(scored, comparison):
    """The page of three systems, the last like the first."""
    paths = [scored, comparison.with_name("other.jsonl"), scored.with_name("third-system.jsonl")]
    paths[2].write_bytes(scored.read_bytes())
    path = scored.with_name("many.html")
    given = ["--prediction", "answer", "--target", "target", "--lose", "0.1", "-o", str(path)]
    assert main(["report", *map(str, paths), *given]) == 0
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 360, 800, 1440])
@pytest.mark.slow
def test_it_is_readable_and_nothing_sticks_out(visit, scheme, width, report, comparison, many):
    """No scroll to the side; and, by the fixture, not a word on the console and no request."""
    for path in (report, comparison, many):
        page = visit(path, color_scheme=scheme, viewport={"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") == width
        sizes = page.locator("main *").evaluate_all(
            "all => all.filter(one => one.innerText && one.offsetParent)"
            ".map(one => parseFloat(getComputedStyle(one).fontSize))"
        )
        assert min(sizes) >= 11
        cut = page.locator("h1, h2, .condition, .word, .facts dd").evaluate_all(
            "all => all.filter(one => one.offsetParent && one.scrollWidth > one.clientWidth + 1"
            " && getComputedStyle(one).display !== 'inline').map(one => one.innerText)"
        )
        assert cut == []


def test_the_first_screen_says_what_breaks_and_what_to_do(visit):
    page = visit(viewport={"width": 1440, "height": 900})
    assert page.locator("h1").inner_text().startswith("Breaks under ")
    for selector in ("h1", ".next", ".facts"):
        box = page.locator(selector).bounding_box()
        assert box["y"] + box["height"] <= 900, selector
    assert page.locator(".next code").inner_text().startswith("perturb ")


def test_the_flips_are_those_of_the_rows_with_their_edits_marked(visit, rows, report):
    """Of every listed flip, text and marks are those of its record, to the code point."""
    items = all_shown(visit())
    made = {(row["perturbation"]["original_id"], row["question"]): row for row in rows}
    wanted = []
    for row in rows:
        record = row["perturbation"]
        first = next(r for r in rows if r["id"] == record["original_id"])
        if (first["answer"] == first["target"]) != (row["answer"] == row["target"]):
            wanted.append(_marks(row))
    assert made
    found = items.evaluate_all(
        """all => all.map(one => [...one.querySelectorAll('.text')].flatMap(text => [
            text.textContent, ...[...text.querySelectorAll('del, ins')].map(m => m.textContent)
        ]))"""
    )
    assert sorted(found) == sorted(wanted)
    assert len(found) == len(listed(report)) > 30


def _marks(row):
    record = row["perturbation"]
    edits = read(record["edits"]).texts["question"]
    removed = [edit.removed for edit in edits]
    written = [edit.text for edit in edits]
    return [
        record["original"],
        *filter(None, removed),
        row["question"],
        *filter(None, written),
    ]


def test_the_explained_come_first_and_their_edits_stand_out(visit):
    items = shown(visit())
    assert items.locator("nth=0").locator(".cause").count() >= 1
    explained = [items.nth(at).locator("text=flips the answer").count() for at in range(6)]
    assert explained == [1, 1, 1, 1, 1, 0]


def test_spaces_that_came_and_went_can_be_seen(visit):
    page = visit(state="#condition=whitespace+p%3D0.1")
    mark = page.locator("ins[data-seen='␣']").first
    assert mark.evaluate("one => getComputedStyle(one, '::after').content") == '"␣"'
    assert mark.text_content() == " "


def test_the_filters_work_from_the_keyboard_and_stand_in_the_address(visit, report):
    """Tab to each field, choose with letters and arrows, read the count; load it again."""
    page = visit()
    count, form = page.locator("#count"), page.locator("#filter")
    whole = len(listed(report))
    assert count.inner_text() == f"25 of {whole} shown"
    form.locator("[name=condition]").focus()
    page.keyboard.press("w")  # whitespace
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")  # good to bad
    wanted = [
        one
        for one in listed(report)
        if one["condition"] == "whitespace p=0.1" and one["after"] < one["before"]
    ]
    assert count.inner_text() == f"{len(wanted)} of {len(wanted)} shown"
    form.locator("[name=text]").focus()
    page.keyboard.type("CRATES")
    some = [one for one in wanted if "crates" in one["text"].lower()]
    assert 0 < len(some) < len(wanted) < whole
    assert count.inner_text() == f"{len(some)} of {len(some)} shown"
    state = page.evaluate("location.hash")
    again = visit(state=state)
    assert again.locator("#count").inner_text() == count.inner_text()
    assert again.locator("#filter [name=text]").input_value() == "CRATES"
    assert again.locator("#filter [name=direction]").input_value() == "worse"
    again.locator("#clear").click()
    assert again.locator("#count").inner_text() == f"25 of {whole} shown"
    assert again.evaluate("location.hash") == ""


def test_kinds_slices_and_explanations_filter(visit, report):
    page = visit(state="#kind=transposition&slice.topic=hens")
    wanted = [
        one
        for one in listed(report)
        if one["condition"] == "word_swap p=0.3" and one["slices"] == ["hens"]
    ]
    assert page.locator("#count").inner_text() == f"{len(wanted)} of {len(wanted)} shown"
    page.locator("#filter [name='slice.topic']").select_option("")
    page.locator("#filter [name=kind]").select_option("")
    page.locator("#filter [name=explained]").select_option("yes")
    assert page.locator("#count").inner_text() == "5 of 5 shown"


def test_the_order_is_chosen(visit, report):
    page = visit(state="#sort=edits")
    said = all_shown(page).locator(".what").all_inner_texts()
    edits = [int(re.search(r"(\d+) edit", one)[1]) for one in said]
    assert edits == sorted(len(one["edits"]) for one in listed(report))


def test_rows_that_broke_come_before_those_that_recovered(visit):
    """Behind those whose cause was found, which come first."""
    said = all_shown(visit(state="#explained=no")).locator(".what").all_inner_texts()
    recovered = [at for at, one in enumerate(said) if one.startswith("bad → good")]
    assert recovered
    assert min(recovered) == len(said) - len(recovered)


def test_more_are_shown_on_demand_and_the_focus_goes_there(visit):
    page = visit()
    assert shown(page).count() == 25
    page.locator("#more").focus()
    page.keyboard.press("Enter")
    assert shown(page).count() > 25
    assert shown(page).nth(25).evaluate("one => one === document.activeElement")
    assert "shown=50" in page.evaluate("location.hash")


def test_a_condition_leads_to_its_flips(visit):
    page = visit()
    page.locator(".strip a.condition", has_text="p = 0.2").focus()
    page.keyboard.press("Enter")
    said = all_shown(page).locator(".what").all_inner_texts()
    assert said
    assert all("keyboard_typos" in one and "p = 0.2" in one for one in said)


def test_the_matrix_is_walked_with_arrows(visit, report):
    """The first cell is the original that breaks most, under the worst condition."""
    page = visit()
    page.locator("#matrix").focus()
    assert "under" in page.locator("#cell").inner_text()
    first = page.locator("#cell").inner_text()
    page.keyboard.press("ArrowRight")
    assert page.locator("#cell").inner_text() != first
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    name = re.match(r"(q\d+) under (\w+) p = ([\d.]+): worse", first)
    wanted = [
        one
        for one in listed(report)
        if (one["original"], one["condition"]) == (name[1], f"{name[2]} p={name[3]}")
    ]
    shown(page).nth(1).wait_for(state="detached")  # the others are taken out with the next frame
    assert shown(page).count() == len(wanted) == 1


def test_each_cell_of_the_matrix_tells_what_became_of_its_row(visit, report):
    """160 rows of 40 originals under 4 conditions, of which none is left out."""
    page = visit()
    wanted = {
        (row["original"], row["condition"]): row["after"][0] - row["before"][0]
        for row in listed_rows(report.read_text("utf-8"))
    }
    page.locator("#matrix").focus()
    words = {-1: "worse", 0: "as before", 1: "better"}
    columns = len({condition for _, condition in wanted})
    found = set()
    for at in range(len(wanted)):
        name, condition, word = re.match(
            r"(.*) under (.*): (.*)", page.locator("#cell").inner_text()
        ).groups()
        key = name, condition.replace(" = ", "=")
        assert word == words[wanted[key]], key
        found.add(key)
        at_end = at % columns == columns - 1
        for key in ["ArrowDown", *["ArrowLeft"] * columns] if at_end else ["ArrowRight"]:
            page.keyboard.press(key)
    assert found == wanted.keys()


def test_a_click_into_the_matrix_does_as_well(visit):
    page = visit()
    page.locator("#matrix canvas").click(position={"x": 5, "y": 5})
    assert shown(page).count() == 1
    assert "original=" in page.evaluate("location.hash")


def test_two_systems_are_compared_on_one_page(visit, comparison):
    page = visit(comparison)
    assert page.title() == "scored.jsonl and other.jsonl · perturb compare"
    found = list(flips(comparison.read_text("utf-8")))
    b_alone = [
        one
        for one in found
        if one["after"][1] < one["before"][1] and one["after"][0] >= one["before"][0]
    ]
    a_alone = [
        one
        for one in found
        if one["after"][0] < one["before"][0] and one["after"][1] >= one["before"][1]
    ]
    for who, wanted in (("B", b_alone), ("A", a_alone)):
        page.locator("#filter [name=who]").select_option(who)
        assert page.locator("#count").inner_text().endswith(f"of {len(wanted)} shown")
    assert b_alone
    assert not a_alone
    assert page.locator(".strip .mark.series-A .dot").count() == 5
    assert page.locator(".plot polyline").count() == 2


def test_what_stands_in_the_rows_stays_text(visit, report):
    page = visit()
    assert page.title() == "scored.jsonl · perturb report"
    assert page.locator("main script, main b:has-text('topic')").count() == 0
    assert page.get_by_text("<script>document.title = 'run'</script>").count() > 0
    assert page.get_by_role("rowheader", name='a "quoted" <b>topic</b>').count() == 1


@pytest.mark.parametrize(
    "name", ["\u202egnp.exe", "</script><img src=x onerror=alert(1)>", "\x00\x1b["]
)
def test_hostile_names_do_nothing(visit, tmp_path, name):
    """As id, perturbator, text and answer: no script, no picture, no word of ours reversed."""
    made = linkage.row(name, condition=name, original=f"{name} eggs", edits=[(0, 1, "z")])
    rows = [{"id": name, "text": f"{name} eggs", "answer": "1", "prediction": "1"}]
    rows.append({**made, "answer": "1", "prediction": name})
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    assert main(["report", str(path), "--slice", "answer", "-o", str(tmp_path / "p.html")]) == 0
    page = visit(tmp_path / "p.html")
    assert shown(page).count() == 1
    assert page.locator("main img, main script").count() == 0
    text = page.locator("main").inner_text()
    assert not re.search("[\x00\x1b\u202e]", text)


def test_every_control_has_a_name_and_can_be_reached(visit):
    page = visit()
    tree = page.locator("body").aria_snapshot()
    for line in ('button "Theme: auto"', 'combobox "Condition"', 'searchbox "Text"', "main"):
        assert line in tree
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the verdict"
    seen = []
    for _ in range(90):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.id || document.activeElement.name"))
    assert {"theme", "matrix", "condition", "direction", "text", "more"} <= set(seen)
    assert page.get_by_role("status").evaluate_all("all => all.map(one => one.id)") == [
        "cell",
        "count",
    ]


def colours(page):
    return page.evaluate(
        """() => {
            const body = getComputedStyle(document.body);
            const line = document.querySelector(".plot polyline");
            return [body.backgroundColor, body.color, getComputedStyle(line).stroke];
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
    assert page.locator("#theme").inner_text() == "Theme: dark"
    page.reload()
    page.wait_for_selector("html[data-ready]", state="attached")
    assert colours(page) == dark


def test_in_print_it_is_light_and_the_widest_table_fits(visit, report, comparison):
    """The figures are on sheets of A4 in landscape, 277 mm between the margins."""
    for path in (report, comparison):
        page = visit(path, color_scheme="dark", viewport={"width": 1047, "height": 700})
        page.emulate_media(media="print")
        assert (
            page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        )
        assert page.evaluate("document.documentElement.scrollWidth") == 1047
        assert not page.locator("nav, #filter, #theme, .copy").filter(visible=True).count()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(visit, scheme):
    """Contrast of at least 4.5 to 1 (WCAG 2.2, AA) for every colour that text has."""
    page = visit(color_scheme=scheme)
    ratios = page.evaluate(
        """() => {
            const light = (name) => {
                document.body.style.color = `var(${name})`;
                const parts = getComputedStyle(document.body).color.match(/[0-9]+/g);
                return [0.2126, 0.7152, 0.0722].reduce((sum, weight, at) => {
                    const part = parts[at] / 255;
                    return sum + weight * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
                }, 0);
            };
            const ratio = (one, two) => {
                const [low, high] = [light(one), light(two)].sort((a, b) => a - b);
                return (high + 0.05) / (low + 0.05);
            };
            const pairs = [...["--ink", "--muted", "--accent", "--worse", "--better"].map(c => [c, "--page"]),
                ["--muted", "--raised"], ["--ink", "--raised"],
                ["--series-a", "--page"], ["--series-b", "--page"],
                ["--worse", "--worse-soft"], ["--better", "--better-soft"]];
            return pairs.map(([one, two]) => [one, two, ratio(one, two)]);
        }"""
    )
    assert len(ratios) == 11
    assert [ratio for ratio in ratios if ratio[2] < 4.5] == []


def test_without_scripts_the_figures_are_there_and_the_way_to_the_flips(visit):
    page = visit(java_script_enabled=False)
    assert page.locator(".strip .dot").count() == 5
    assert page.locator(".plot polyline").count() == 1
    assert "perturb flips" in page.locator("#unscripted").inner_text()
    assert not page.locator("#filter").is_visible()
    assert not page.locator("#theme").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(visit, findings, scheme, comparison):
    for path in (None, comparison):
        assert findings(visit(*filter(None, [path]), color_scheme=scheme)) == []
