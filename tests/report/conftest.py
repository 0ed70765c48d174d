"""Scored rows with all that a page may show, and the page made of them."""

import contextlib

import orjson
import pytest

import perturb
from perturb.cli import main
from perturb.records.notation import read
from perturb.rng import key64

SCRIPT = "<script>document.title = 'run'</script>"
TEXTS = (
    "How many large brown eggs are left in the basket after breakfast on Sunday morning?",
    f"A crate holds 12 eggs. {SCRIPT} How many crates are needed for 60 eggs & 2 more?",
    'Ann\'s hens lay "twelve" eggs a day; how many is that in a week? Η κότα κάνει αυγά.',
    "One egg weighs 60 g.\nWhat do nine of them weigh?",
)
STEPS = ("keyboard_typos:p=0.05", "keyboard_typos:p=0.2", "whitespace:p=0.1", "word_swap:p=0.3")


def edits_of(row):
    """The edits of the question."""
    return read(row["perturbation"]["edits"]).texts.get("question", ())


def answer(row):
    """A system that is the more often wrong the more was edited."""
    edits = row["perturbation"]["edits"].count("|")
    right = key64(row["id"]) % 100 < 90 - 6 * edits
    return row["target"] if right else 0


@pytest.fixture(scope="session")
def rows():
    """Forty originals and four perturbed versions of each."""
    originals = [
        {
            "id": f"q{number}",
            "question": TEXTS[number % 4],
            "target": number + 1,
            "topic": ("hens", "crates", 'a "quoted" <b>topic</b>', None)[number % 4],
        }
        for number in range(40)
    ]
    made = [
        row
        for at, step in enumerate(STEPS)
        for row in perturb.augment(originals, step, field="question", with_original=not at)
    ]
    for row in made:
        row["answer"] = answer(row)
    return made


@pytest.fixture(scope="session")
def scored(rows, tmp_path_factory):
    """The rows as a file; some flips are explained."""
    path = tmp_path_factory.mktemp("report") / "scored.jsonl"
    explained = 0
    with path.open("wb") as out:
        for row in rows:
            edits = edits_of(row)
            if row["answer"] != row["target"] and len(edits) > 1 and explained < 5:
                explained += 1
                row = {
                    **row,
                    "explanation": {"status": "minimal", "edits": [edits[0]._asdict()], "calls": 7},
                }
            out.write(orjson.dumps(row) + b"\n")
    return path


GRADED = ("--prediction", "answer", "--target", "target")


@pytest.fixture(scope="session")
def report(scored):
    """The path of the page."""
    path = scored.with_name("report.html")
    given = [str(scored), *GRADED, "--slice", "topic", "-o", str(path)]
    assert main(["report", *given]) == 0
    return path


@pytest.fixture
def page(tmp_path):
    """Write rows to a file and the page beside it; return the page's text."""

    def page(rows, *arguments, name="scored.jsonl"):
        path = tmp_path / name
        path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
        assert main(["report", str(path), *arguments, "-o", str(tmp_path / "page.html")]) == 0
        return (tmp_path / "page.html").read_text("utf-8")

    return page


@pytest.fixture
def visit(browser, report):
    """Open the page in a window of its own; whatever it says or asks for fails the test."""
    with contextlib.ExitStack() as stack:
        said, asked, visited = [], [], set()

        def visit(path=report, state="", beside=(), **settings):
            visited.update(one.as_uri() for one in (path, *beside))
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
            page.goto(path.as_uri() + state)
            if settings.get("java_script_enabled", True):
                page.wait_for_selector("html[data-ready]", state="attached")
            return page

        yield visit
        assert said == []
        assert {url.partition("#")[0] for url in asked} <= visited
