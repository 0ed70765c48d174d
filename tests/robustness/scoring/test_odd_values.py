"""Rows with values that JSON can hold and the fast writer can't, at every command that judges."""

import csv
import json
import os
import random

import orjson
import pytest

from perturb.errors import DataError, UsageError

HUGE = 10**30
DOORS = {
    "score": (),
    "score --json": ("--json",),
    "tolerance": (),
    "flips": (),
    "flips --json": ("--json",),
    "report": ("-o", "page.html"),
    "compare": (),
}


@pytest.fixture
def doors(command, tmp_path, monkeypatch):
    """Call every command that judges with a file and options; return what each printed."""
    monkeypatch.chdir(tmp_path)

    def call(file, *options):
        return [
            command(door.split()[0], file, *(file,) * (door == "compare"), *more, *options)
            for door, more in DOORS.items()
        ]

    return call


@pytest.fixture
def scored(tmp_path, linked):
    """Write originals that are right and versions that are sometimes wrong, with more fields."""

    def write(right, wrong=None):
        rows = []
        for at in range(8):
            same = {"answer": right, "group": HUGE + at // 2}
            rows.append({"id": at, "text": "cl\ud800an text", "prediction": right, **same})
            said = wrong if at % 2 else right
            rows += [
                linked(at, p=p, original="cl\ud800an text", prediction=said, **same)
                for p in (0.1, 0.2)
            ]
        path = tmp_path / "s.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path

    return write


@pytest.mark.parametrize(
    ("right", "wrong", "options"),
    [
        (HUGE, 1, ()),
        (HUGE, 1, ("--match", "close:1")),
        ([HUGE, 1], [1], ("--match", "set")),
        ({"label": HUGE, "score": 1}, {"label": "b", "score": 1}, ("--match", "label")),
        ("4", "\ud800 5", ()),
        (["\ud800"], ["a"], ("--match", "set")),
        (["\ud800"], ["a"], ("--match", "f1")),
        ("\ud800", "b", ()),
    ],
)
def test_odd_values_are_judged(doors, scored, right, wrong, options):
    _, judged, *_ = doors(scored(right, wrong), *options)
    assert orjson.loads(judged)["overall"][0]["difference"] == -0.5


def test_clusters_may_be_numbers_of_any_size_but_not_null(command, scored):
    path = scored("4", "5")
    assert "8 originals in 4 clusters" in " ".join(
        command("score", path, "--cluster", "group").split()
    )
    path.write_text(path.read_text().replace(f'"group": {HUGE + 1}', '"group": null'))
    with pytest.raises(DataError, match=r"s\.jsonl:7: the field 'group' is null"):
        command("score", path, "--cluster", "group")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
@pytest.mark.parametrize("door", DOORS)
def test_rows_that_can_be_read_once_are_refused_unread(command, tmp_path, door):
    os.mkfifo(pipe := tmp_path / "pipe.jsonl")
    name, *options = door.split()
    files = (pipe,) * (1 + (name == "compare"))
    options += ["-o", tmp_path / "page.html"] if name == "report" else []
    for given, told in ((files, "pipe.jsonl"), (("-",) * len(files), "standard input")):
        with pytest.raises(UsageError, match=f"give a file, since .*{told} can be read only once"):
            command(name, *given, *options)


def test_a_record_without_a_condition_is_refused_at_every_door(command, scored, tmp_path):
    path = scored("4", "5")
    path.write_text(path.read_text().replace('"condition": "typos:p=0.1"', '"condition": null'))
    for door, options in DOORS.items():
        name = door.split()[0]
        more = [tmp_path / "page.html" if each == "page.html" else each for each in options]
        with pytest.raises(DataError, match=r"s\.jsonl:2: the 'perturbation' has no condition"):
            command(name, path, *(path,) * (name == "compare"), *more)


def test_results_do_not_depend_on_the_order_of_rows(command, scored):
    path = scored("4", None)
    lines = path.read_text().splitlines()
    lines[1] = lines[1].replace('"4"', '"I cannot help with that."', 1)
    printed = set()
    for seed in range(5):
        random.Random(seed).shuffle(lines)
        path.write_text("\n".join(lines))
        printed.add(command("score", path, "--json"))
    assert len(printed) == 1
    assert "Lost replies" in printed.pop()


@pytest.mark.parametrize("options", [(), ("--match", "number")])
def test_a_table_is_judged_as_the_same_rows_of_json(command, scored, options):
    """Blank cells of a record are an original's, and a blank cell of a reply is none."""
    path = scored("4", None)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    records = [row.pop("perturbation", {}) for row in rows]
    names = [*records[1]]
    table = path.with_suffix(".csv")
    with table.open("w", newline="", encoding="utf-8", errors="replace") as file:
        writer = csv.writer(file)
        writer.writerow([*rows[0], *(f"perturbation.{name}" for name in names)])
        for row, record in zip(rows, records, strict=True):
            values = {**dict.fromkeys(rows[0]), **row}.values()
            writer.writerow([*values, *map(record.get, names)])
    assert command("score", table, "--json", *options) == command("score", path, "--json", *options)


def test_a_comparison_tells_of_lost_replies_once_a_system(command, scored):
    path = scored("4", None)
    other = path.with_name("other.jsonl")
    other.write_text(path.read_text())
    told = " ".join(command("compare", path, other).split())
    assert [told.count(f"Lost replies of {name},") for name in ("s", "other")] == [1, 1]
    assert told.count("Lost replies") == 2
