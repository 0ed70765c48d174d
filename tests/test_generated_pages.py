"""The pages that are made from the code say all there is."""

import json
import re
import sys
from argparse import SUPPRESS
from html import unescape
from pathlib import Path

import pytest

import perturb
from perturb.cli.parser import COMMANDS, parser_of

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "docs" / "_ext"))
import benchmark_page  # noqa: E402
import command_pages  # noqa: E402
import perturbator_pages  # noqa: E402
import python_pages  # noqa: E402
import record_page  # noqa: E402
import sliders  # noqa: E402

CHANGE = re.compile(r"<(?:del|ins) style=")


def test_every_perturbator_has_a_page() -> None:
    listed = perturbator_pages.index()
    assert all(f"[`{name}`]({name}.md)" in listed for name in perturb.names())
    assert perturbator_pages.built_in() == perturb.names()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["keyboard_typos", "word_swap", "encode", "ocr", "whitespace"])
@pytest.mark.parametrize("p", [0.05, 0.3, 1.0])
def test_a_slider_shows_what_a_strength_makes(name, p) -> None:
    """The edits that are on are those of the text at that strength."""
    facts = perturb.describe(name)
    record = perturb.apply(facts["example"], name, p=p, seed=sliders.versions(name)[0][1].seed)
    shown = sliders.text_at(facts, p)
    assert shown.count("data-p=") - shown.count('class="off"') == len(record.edits)
    assert 'data-p="0"' not in shown
    off = re.sub(
        r'<span data-p="[^"]+" class="off">(?:<del [^>]+>(.*?)</del>)?.*?</span>', r"\1", shown
    )
    text = re.sub(r"<del .*?</del>", "", off, flags=re.DOTALL)
    if name != "whitespace":  # whose edits are shown escaped
        assert unescape(re.sub(r"<[^>]+>", "", text)) == record.text


@pytest.mark.parametrize("name", perturb.names())
@pytest.mark.slow
def test_a_page_of_a_perturbator(name) -> None:
    """It says all there is, and shows a change that can be seen, if there can be one."""
    said, page = perturb.describe(name), perturbator_pages.page(name)
    plain = page.replace("\\", "")
    assert said["source"]
    for fact in ("summary", "unit", "label_risk", "source"):
        assert said[fact] in plain
    (languages,) = re.findall(r"^\| languages \| (.*) \|$", page, re.MULTILINE)
    _, of_letters, scripts = languages.partition(" in letters of ")
    assert (
        re.findall(r"\b(?:any|[a-z]{2})\b", languages.removesuffix(of_letters + scripts))
        == (said["languages"])
    )
    assert scripts.lower().split(", ") == (said["scripts"] if of_letters else [""])
    assert f"| touches | {', '.join(said['touches']) or 'nothing'} |" in page
    assert re.search(rf"^\| right answer \| {said['expect']}\b", page, re.MULTILINE)
    for kind, each in said["reach"].items():
        assert f"| {kind} | {each['texts']:.0%} | {each['words']:.0%} |" in page
    for parameter in said["parameters"]:
        assert re.search(rf"^\| `{parameter}` \| .* \| .", page, re.MULTILINE)
    shown = page.partition('<dl class="edits">')[2].partition("</dl>")[0]
    before, *versions = shown.split("<dt>")[1:]
    assert said["example"] in unescape(before.replace("&#10;", "\n"))
    assert not CHANGE.search(before)
    assert bool(CHANGE.search(versions[-1]) if versions else None) == (name != "identity")
    for severity in said["severities"]:
        assert f"<dt>severity {severity} (p = " in shown


@pytest.mark.slow
def test_a_page_names_the_counterparts_of_peers() -> None:
    page = perturbator_pages.page("keyboard_typos")
    for theirs in ("helm.typos", "nlpaug `KeyboardAug`", "TextAttack `WordSwapQWERTY`"):
        assert theirs.strip("`") in page.replace("`helm", "helm")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_page_of_a_command(name) -> None:
    """It has every option."""
    page = command_pages.page(name)
    for action in parser_of(name)._actions:
        for option in action.option_strings if action.help != SUPPRESS else ():
            assert re.search(rf"`{option}[ `]", page), option


@pytest.mark.slow
def test_the_other_pages() -> None:
    """Every public name, every field of a record, every name of another library."""
    python = dict(python_pages.pages())
    assert set(perturb.__all__) <= set(
        re.findall(r"^## (\w+)", python["reference/python/perturb.md"], re.MULTILINE)
    )
    tables = dict(record_page.pages())
    assert "| `check` | x, and the first 8" in tables["reference/tables/record.md"]
    assert (
        "| `helm.typos` | `keyboard_typos:p=0.05,of=letters,signs=false` |"
        in tables["reference/tables/names.md"]
    )


def test_the_page_of_benchmarks_has_every_claim_and_what_was_stored() -> None:
    ((_, page),) = benchmark_page.pages()
    claims = re.findall(
        r"^- `(?:\.\./fuzz/)?(\w+\.py)",
        (ROOT / "benchmarks" / "README.md").read_text("utf-8"),
        re.MULTILINE,
    )
    assert [name for name in claims if f"### `{name}`\n" not in page] == []
    for results in (ROOT / "benchmarks" / "results").glob("*.json"):
        if f"{results.stem}.py" in claims:
            assert f"[{results.name}](../../../benchmarks/results/{results.name})" in page
    row = json.loads((ROOT / "benchmarks/results/fidelity.json").read_text("utf-8"))["rows"][0]
    assert "| " + " | ".join(map(benchmark_page.cell, row.values())) + " |" in page
    assert max(map(len, re.findall(r"(?m)^\|.*$", page))) < 2000
