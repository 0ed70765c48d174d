"""The gallery shows every perturbator as it is, and the README names each."""

from pathlib import Path

import pytest
import regex

import perturb

ROOT = Path(__file__).parents[1]
GALLERY = (ROOT / "docs" / "gallery.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")
ENTRIES = dict(regex.findall(r"^### (\w+)\n(.*?)(?=^##|\Z)", GALLERY, regex.S | regex.M))
CHANGE = regex.compile(r"\[-.+?-\]|\{\+.+?\+\}", regex.S)


@pytest.fixture(scope="module")
def script():
    """What scripts/gallery.py defines."""
    path = ROOT / "scripts" / "gallery.py"
    namespace = {"__file__": str(path), "__name__": "gallery"}
    exec(compile(path.read_text("utf-8"), path, "exec"), namespace)
    return namespace


def test_the_gallery_and_the_readme_are_up_to_date(script) -> None:
    """If they are not: python scripts/gallery.py."""
    assert script["gallery"]() == GALLERY
    assert script["with_overview"](README) == README


def test_every_perturbator_has_an_entry() -> None:
    assert sorted(ENTRIES) == perturb.names()


@pytest.mark.parametrize("name", perturb.names())
def test_an_entry_says_all_there_is(name) -> None:
    said, entry = perturb.describe(name), ENTRIES[name]
    assert said["source"]
    assert f"languages: {', '.join(said['languages'])};" in entry
    assert f"touches: {', '.join(said['touches']) or 'nothing'}" in entry
    for fact in ("summary", "unit", "label_risk", "source"):
        assert said[fact] in entry
    for parameter in said["parameters"]:
        assert regex.search(rf"^- `{parameter}`( \(`.*`\))?: .", entry, regex.M)


@pytest.mark.parametrize("name", sorted({*perturb.names()} - {"identity"}))
def test_an_entry_shows_a_change_that_can_be_seen(name) -> None:
    """At the strongest of the three strengths and seeds, and not in the text before."""
    shown = ENTRIES[name].partition("```text\n")[2]
    before, *versions = regex.split(r"^(?=(?:p|seed) = )", shown, flags=regex.M)
    assert before.startswith("before      ")
    assert not CHANGE.search(before)
    assert CHANGE.search(versions[-1])


def test_identity_shows_none() -> None:
    assert not CHANGE.search(ENTRIES["identity"])
