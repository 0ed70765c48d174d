"""The page of more than two systems."""

import re

import orjson
import pytest
from pages import tables

from perturb.cli import main
from perturb.robustness import compare

GRADED = ("--prediction", "answer", "--target", "target")


@pytest.fixture(scope="module")
def systems(rows, tmp_path_factory):
    """The rows of three systems: as they are, always right, and wrong about all that is noisy."""
    folder = tmp_path_factory.mktemp("many") / "systems"
    folder.mkdir()

    def wrong(row):
        return row["answer"] if row["perturbation"]["status"] == "original" else 0

    each = {"some": lambda row: row["answer"], "all": lambda row: row["target"], "<none>": wrong}
    answered = {name: [{**row, "answer": says(row)} for row in rows] for name, says in each.items()}
    for name, lines in answered.items():
        (folder / f"{name}.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in lines))
    return folder, answered


@pytest.mark.slow
def test_the_page_has_the_table_of_the_command_and_all_figures(systems, tmp_path):
    folder, answered = systems
    path = tmp_path / "page.html"
    assert main(["compare", str(folder), *GRADED, "--lose", "0.1", "-o", str(path)]) == 0
    text = path.read_text("utf-8")
    found = compare(answered, prediction="answer", target="target", lose=0.1)
    shown = tables(text)
    table = [row for row in shown if row["table"] == "standings"]
    assert [row["row"] for row in table] == ["all", "some", "<none>"]
    assert [row["rank"]["text"] for row in table] == [one.place for one in found.overall]
    assert table[0]["keyboard_typos: loses 0.1"]["text"].startswith("> 20 %")
    assert "all loses least</h1>" in text.replace("<bdi>", "").replace("</bdi>", "")
    assert "<none>" not in text  # but escaped
    figures = [row for row in shown if row["table"] == "score"]
    wanted = {(one.system, one.finding.difference) for one in found.conditions}
    values = {(row["row"].split()[0], row["difference"]["values"][0]) for row in figures}
    assert wanted <= values
    for name in answered:
        assert f"{name.replace('<', '&lt;').replace('>', '&gt;')}</bdi></span>" in text
    assert 'id="flips"' not in text
    said = map(int, re.findall(r'<data value="(\d+)">\d+</data> broke', text))
    effects = [one.finding.comparison.effect for one in (*found.conditions, *found.overall)]
    assert sorted(said) == sorted(effect.flips_to_bad for effect in effects)


@pytest.mark.slow
def test_report_takes_several_files_and_says_the_same(systems, tmp_path):
    folder, _ = systems
    files, pages = sorted(map(str, folder.iterdir())), []
    for command in ("compare", "report"):
        path = tmp_path / f"{command}.html"
        assert main([command, *files, *GRADED, "-o", str(path)]) == 0
        pages.append(path.read_text("utf-8").replace(f"{command}.html", ""))
    assert pages[0] == pages[1]


def test_a_folder_without_manifests_is_compared_where_its_rows_are_there_again(systems, tmp_path):
    folder, _ = systems
    path = tmp_path / "page.html"
    assert main(["report", str(folder), *GRADED, "-o", str(path)]) == 0
    assert "<title>3 systems" in path.read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--slice", "topic"], "make a page of each"),
        (["--clean", "x"], "need their own originals"),
    ],
)
def test_slips(systems, tmp_path, capsys, option, message):
    files = [*map(str, systems[0].iterdir())]
    assert main(["report", *files, *GRADED, *option, "-o", str(tmp_path / "page.html")]) == 2
    assert message in capsys.readouterr().err
