"""Every figure on a page, recomputed from the file with scipy and statsmodels, within 1e-9."""

import json
import re
from itertools import combinations

import likelihood
import linkage
import numpy as np
import pytest
import scipy
from pages import flips, more, tables

from perturb.cli import main
from perturb.records.notation import read

CONDITIONS = {"mild p=0.1": 2, "harsh p=0.1": 2, "harsh p=0.3": 1}
CLOSE = {"rel": 0, "abs": 1e-9}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """40 originals; two conditions in two versions, one in one; some rows without an edit."""
    rng = np.random.default_rng(7)
    rows = []
    for original in range(40):
        rows.append({"id": original, "text": "eggs 12", "answer": "1", "prediction": "1",
                     "topic": "ab"[original % 2]})  # fmt: skip
        rows[-1]["prediction"] = "10"[int(rng.random() < 0.1)]
        weak = rng.random() < 0.4
        for name, versions in CONDITIONS.items():
            perturbator, p = name.split(" p=")
            for replicate in range(versions):
                edited = rng.random() < 0.85
                lost = rng.random() < (0.02 + 0.6 * weak * float(p) * 3 * (perturbator == "harsh"))
                place = int(rng.integers(0, 6))
                made = linkage.row(
                    original, f"{perturbator}@1:p={p}", original="eggs 12", replicate=replicate,
                    edits=[(place, place + 1, "z")], status="changed" if edited else "no site",
                )  # fmt: skip
                said = "2" if lost else "1"
                topic = "ab"[original % 2]
                rows.append({**made, "answer": "1", "prediction": said, "topic": topic})
    path = tmp_path_factory.mktemp("figures") / "scored.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = path.with_suffix(".html")
    assert main(["report", str(path), "--slice", "topic", "-o", str(out)]) == 0
    return [json.loads(line) for line in path.read_text().splitlines()], out.read_text("utf-8")


def start_of(record):
    """Where the first edit is."""
    return read(record["edits"]).texts["text"][0].start


def chosen(rows, condition=None, scope="all"):
    """Of each perturbed row: its original, its clean and its own score and answer, its record."""
    clean = {str(row["id"]): row["prediction"] for row in rows if "perturbation" not in row}
    found = []
    for row in rows:
        record = row.get("perturbation")
        if record is None:
            continue
        name = record["condition"].replace(":", " ")
        edits = read(record["edits"]).texts.get("text", ())
        touched = any(edit.start >= 5 for edit in edits)
        if condition not in (None, name) or (scope == "undamaged" and touched):
            continue
        if scope == "changed" and record["status"] != "changed":
            continue
        found.append(
            (record["original_id"], clean[record["original_id"]], row["prediction"], record)
        )
    return found


def agreement(found):
    agree = pairs = 0
    for group in {one[0] for one in found}:
        answers = [one[2] for one in found if one[0] == group]
        answers.append(next(one[1] for one in found if one[0] == group))
        for a, b in combinations(answers, 2):
            pairs, agree = pairs + 1, agree + (a == b)
    return 100 * agree / pairs


def detectable(low, high, originals):
    """Found in 4 of 5 sets, by the interval; and by as many whole falls, five of which are enough."""
    error = (high - low) / (2 * scipy.stats.norm.ppf(0.975))
    rare = scipy.optimize.brentq(
        lambda mean: scipy.stats.poisson.sf(4, mean) - 0.8, 1, 60, xtol=1e-14
    )
    drop = max(
        (scipy.stats.norm.ppf(0.975) + scipy.stats.norm.ppf(0.8)) * error,
        round(rare, 2) / originals,
    )
    return [drop] if drop <= 1 else []


def expected(found):
    """The cells of one row of the table, but for the adjusted p-value."""
    from statsmodels.stats.proportion import proportion_effectsize  # not for a collection

    groups = [one[0] for one in found]
    clean, noisy = ([int(one[at] == "1") for one in found] for at in (1, 2))
    bad = [b > a for b, a in zip(clean, noisy, strict=True)]
    good = [b < a for b, a in zip(clean, noisy, strict=True)]
    still = [one[3]["status"] != "changed" for one in found]
    low, high = likelihood.limits(np.subtract(noisy, clean), groups)
    worst = {g: min(a for h, a in zip(groups, noisy, strict=True) if h == g) for g in groups}
    first = dict(zip(groups, clean, strict=True))
    a, b = np.mean(clean), np.mean(noisy)
    return {
        "difference": [b - a],
        "95\xa0%": [low, high],
        "clean": [a],
        "perturbed": [b],
        "95 % of perturbed": likelihood.limits(noisy, groups, ends=(0.0, 1.0)),
        "rows": [len(found)],
        "changed": [still.count(False)],
        "originals": [len(set(groups))],
        "change %": [100 * (b / a - 1)],
        "h/pi": [proportion_effectsize(b, a) / np.pi],
        "d": [],
        "broke": [sum(bad)],
        "recovered": [sum(good)],
        "unedited flips": [
            sum(s and (x or y) for s, x, y in zip(still, bad, good, strict=True)),
            sum(still),
        ],
        "worst": [np.mean(list(worst.values()))],
        "clean worst": [np.mean(list(first.values()))],
        "agree %": [agreement(found)],
        "unread %": [0],
        "refused %": [0],
        "cut off %": [0],
        "no reply %": [0],
        "missing %": [0],
        "detectable": detectable(low, high, len(set(groups))),
    }


def p_of(found):
    change = [int(one[2] == "1") - int(one[1] == "1") for one in found]
    return likelihood.p_value(change, [one[0] for one in found])


@pytest.mark.slow
@pytest.mark.parametrize("scope", ["all", "changed", "undamaged"])
def test_the_table_of_conditions(page, scope):
    rows, text = page
    parts = {
        "changed": "changed rows alone",
        "undamaged": "question left whole",
    }
    shown, whole = {}, None
    for row in (row for row in tables(text) if row["table"] == "score"):
        if row["row"] not in parts.values():
            whole = row["row"].replace(" p = ", " p=")
        if row["row"] == parts.get(scope, row["row"]) and whole is not None:
            shown.setdefault(whole, row)
    names = [*CONDITIONS, None]
    found = {name: chosen(rows, name, scope) for name in names}
    adjusted = scipy.stats.false_discovery_control([p_of(found[name]) for name in CONDITIONS])
    p_adjusted = dict(zip(CONDITIONS, adjusted, strict=True)) | {None: p_of(found[None])}
    assert len(shown) == len(names)
    for name in names:
        row = shown[name or "overall"]
        wanted = expected(found[name]) | {"p adj.": [p_adjusted[name]]}
        for column, values in wanted.items():
            assert row[column]["values"] == pytest.approx(values, **CLOSE), (name, column)


def test_the_slices(page):
    rows, text = page
    shown = [row for row in tables(text) if row["table"] == "slice"]
    by_topic = {
        topic: [one for one in chosen(rows) if int(one[0]) % 2 == number]
        for number, topic in enumerate("ab")
    }
    adjusted = scipy.stats.false_discovery_control([p_of(found) for found in by_topic.values()])
    assert len(shown) == 2
    for row, (topic, found), p in zip(shown, by_topic.items(), adjusted, strict=True):
        assert row["row"] == topic
        wanted = expected(found) | {"p adj.": [p]}
        for column in (
            "difference",
            "95\xa0%",
            "p adj.",
            "clean",
            "perturbed",
            "rows",
            "originals",
        ):
            assert row[column]["values"] == pytest.approx(wanted[column], **CLOSE), column


def worst_of(slices):
    """The slice whose interval ends lowest, of two that hold together, with that interval."""
    found = []
    for at, rows in enumerate(slices):
        clean, noisy = ([int(one[side] == "1") for one in rows] for side in (1, 2))
        groups = [one[0] for one in rows]
        limits = likelihood.limits(np.subtract(noisy, clean), groups, level=1 - 0.05 / 2)
        found.append((limits[1], at, limits))
    _, at, limits = min(found)
    return at, *limits


def test_the_worst_slice_allows_for_being_chosen(page):
    rows, text = page
    slices = [[one for one in chosen(rows) if int(one[0]) % 2 == number] for number in (0, 1)]
    at, low, high = worst_of(slices)
    note = text.partition("The worst value, by the better end of its interval, is ")[2]
    said = [
        float(one.split('"')[0]) for one in note.partition("</p>")[0].split('<data value="')[1:]
    ]
    (difference,) = expected(slices[at])["difference"]
    assert said == pytest.approx([difference, low, high], **CLOSE)
    assert note.startswith(f"<bdi>{'ab'[at]}</bdi>")
    assert "The intervals of all 2 values hold together" in note


def test_the_tallies_and_the_flips(page):
    rows, text = page
    changed = [one for one in chosen(rows) if one[3]["status"] == "changed"]
    sound = [one for one in changed if one[1] == "1"]
    classes = {
        "number": lambda start: start >= 5,
        "space between words": lambda start: start == 4,
        "other word": lambda start: start < 4,
    }
    shown = {row["row"]: row for row in tables(text) if row["table"] == "tally"}
    for name, touches in classes.items():
        has = [one for one in sound if touches(start_of(one[3]))]
        broke = sum(one[2] != "1" for one in has)
        assert shown[name]["rows"]["values"] == [len(has)]
        assert shown[name]["broke"]["values"] == pytest.approx([100 * broke / len(has)], **CLOSE)
    turned = [
        (o, [int(b == "1")], [int(a == "1")]) for o, b, a, _ in changed if (a == "1") != (b == "1")
    ]
    assert [(one["original"], one["before"], one["after"]) for one in flips(text)] == turned


def test_the_first_screen_has_the_figures_of_the_table(page):
    rows, text = page
    first = text[text.index('<section class="first"') : text.index('<section id="conditions"')]
    wanted = expected(chosen(rows))
    for value in (*wanted["difference"], *wanted["95\xa0%"], *wanted["clean"], *wanted["worst"]):
        said = [float(one.split('"')[0]) for one in first.split('<data value="')[1:]]
        assert min(abs(value - one) for one in said) < 1e-9


def tallies(rows):
    """By the name of a tally, its rows, the share that broke and `more`: of sound, changed rows."""
    changed = [one for one in chosen(rows) if one[3]["status"] == "changed" and one[1] == "1"]
    touched = {"number": range(5, 7), "space between words": [4], "other word": range(4)}
    fifths = ("first", "second", "third", "fourth", "last")
    groups = dict(touched) | {
        f"{name} fifth": [at for at in range(7) if int(at / 1.4) == number]
        for number, name in enumerate(fifths)
    }
    groups["substitution"] = range(7)
    for name, places in groups.items():
        found = [one for one in changed if start_of(one[3]) in places]
        if found:
            share = 100 * sum(one[2] != "1" for one in found) / len(found)
            rows = [(r["condition"], o, start_of(r) in places, a != "1") for o, _, a, r in changed]
            yield name, len(found), share, *more(rows)


def test_every_tally(page):
    rows, text = page
    shown = {
        row["row"]: [
            *row["rows"]["values"],
            *row["broke"]["values"],
            *row["more [95\xa0%]"]["values"],
        ]
        for row in tables(text)
        if row["table"] == "tally"
    }
    wanted = {name: values for name, *values in tallies(rows)}
    assert shown.keys() == wanted.keys()
    for name, values in wanted.items():
        assert shown[name] == pytest.approx(values, **CLOSE), name


@pytest.mark.slow
def test_there_is_no_figure_on_the_page_that_was_not_recomputed(page):
    """All that is written as a figure, wherever it stands, is one of those of the tests above."""
    rows, text = page
    known = [float(p) for p in (0.1, 0.3)] + [0.02, 0.5]  # strengths, margin, threshold
    for scope in ("all", "changed", "undamaged"):
        named = {name: chosen(rows, name, scope) for name in (*CONDITIONS, None)}
        known += [
            value for found in named.values() for part in expected(found).values() for value in part
        ]
        known += list(
            scipy.stats.false_discovery_control([p_of(named[name]) for name in CONDITIONS])
        )
        known.append(p_of(named[None]))
    slices = [[one for one in chosen(rows) if int(one[0]) % 2 == number] for number in (0, 1)]
    known += [value for found in slices for part in expected(found).values() for value in part]
    known += list(scipy.stats.false_discovery_control([p_of(found) for found in slices]))
    known += worst_of(slices)[1:]
    known += [value for _, *values in tallies(rows) for value in values]
    known.append(len(chosen(rows)) - len(chosen(rows, None, "undamaged")))
    known.append(0.0)  # replies that were lost
    # Tests of judgements recompute how many more originals would decide.
    cells = [row["more needed"] for row in tables(text) if row["table"] == "score"]
    known += [value for cell in cells for value in cell["values"]]
    said = [float(one.split('"')[0]) for one in text.split('<data value="')[1:]]
    distance = np.abs(np.subtract.outer(said, known)).min(axis=1)
    assert len(said) > 200
    assert not [value for value, far in zip(said, distance, strict=True) if far > 1e-9]


@pytest.mark.slow
def test_the_table_of_two_systems(tmp_path):
    """60 originals in two conditions, two versions each; B loses more under one of them."""
    rng = np.random.default_rng(3)
    steps, losses = ("mild", "harsh"), {"A": (0.1, 0.2), "B": (0.1, 0.5)}
    scores, paths = {}, []
    for system, lost in losses.items():
        rows = []
        for at in range(60):
            clean = int(rng.random() < 0.9)
            rows.append({"id": str(at), "text": "eggs", "right": clean})
            for step, share in zip(steps, lost, strict=True):
                for replicate in range(2):
                    right = int(clean and rng.random() > share)
                    scores.setdefault(step, {}).setdefault((at, replicate), []).append(
                        (clean, right)
                    )
                    made = linkage.row(at, f"{step}@1:p=0.1", replicate=replicate)
                    rows.append({**made, "right": right})
        paths.append(tmp_path / f"{system}.jsonl")
        paths[-1].write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = tmp_path / "page.html"
    assert main(["compare", *map(str, paths), "--score", "right", "-o", str(out)]) == 0
    shown = {
        row["row"]: row for row in tables(out.read_text("utf-8")) if row["table"] == "contrast"
    }
    found = {f"{step} p=0.1": one for step, one in scores.items()}
    found["overall"] = {
        (step, *at): one for step, both in scores.items() for at, one in both.items()
    }
    p_values = {}
    for name, both in found.items():
        groups = [str(at[-2]) for at in both]
        (before_a, after_a), (before_b, after_b) = (
            np.array([one[system] for one in both.values()]).T for system in (0, 1)
        )
        a, b = after_a - before_a, after_b - before_b
        p_values[name] = likelihood.p_value(b - a, groups)
        wanted = {
            "change of A": [a.mean()],
            "change of B": [b.mean()],
            "B − A": [(b - a).mean()],
            "95\xa0%": likelihood.limits(b - a, groups),
            "A holds, B breaks": [sum((b < 0) & (a >= 0) & (before_a == 1))],
            "B holds, A breaks": [sum((a < 0) & (b >= 0) & (before_b == 1))],
            "rows": [len(both)],
            "changed": [len(both)],
            "originals": [60],
        }
        for column, values in wanted.items():
            assert shown[name][column]["values"] == pytest.approx(values, **CLOSE), (name, column)
    conditions = [f"{step} p=0.1" for step in steps]
    adjusted = scipy.stats.false_discovery_control([p_values[name] for name in conditions])
    for name, p in [*zip(conditions, adjusted, strict=True), ("overall", p_values["overall"])]:
        assert shown[name]["p adj."]["values"] == pytest.approx([p], **CLOSE)


@pytest.mark.slow
def test_a_condition_with_no_row_in_both_systems_has_a_figure_of_each(tmp_path):
    """A was asked the first version of it alone, and B the second: neither stands for the other."""
    paths = [tmp_path / "A.jsonl", tmp_path / "B.jsonl"]
    for replicate, path in enumerate(paths):
        rows = [{"id": str(at), "text": "eggs", "right": 1} for at in range(40)]
        rows += [{**linkage.row(at, "mild@1:p=0.1"), "right": 1} for at in range(40)]
        rows += [
            {
                **linkage.row(at, "harsh@1:p=0.1", replicate=replicate),
                "right": int(at > 9 * replicate),
            }
            for at in range(40)
        ]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = tmp_path / "page.html"
    assert main(["compare", *map(str, paths), "--score", "right", "-o", str(out)]) == 0
    strip = out.read_text("utf-8").partition('href="#condition=harsh')[2].partition("</li>")[0]
    assert '<span class="difference">–</span>' in strip
    way = strip.partition('<span class="way">')[2].partition("</span>")[0]
    assert re.sub("<.*?>", "", way) == "−0.025 → −0.250"
    assert "no row in both" in strip


@pytest.mark.slow
def test_the_bars_of_two_systems_are_of_the_rows_of_their_figures(tmp_path):
    """A alone has rows that break, and a reply that B lost; their shared rows all hold."""
    paths = [tmp_path / "A.jsonl", tmp_path / "B.jsonl"]
    for system, path in enumerate(paths):
        rows = []
        for at in range((50, 40)[system]):
            rows.append({"id": str(at), "text": "eggs", "right": 1})
            right = None if system and not at else int(0 < at < 40)
            rows += [{**linkage.row(at, f"mild@1:p=0.{p}"), "right": right} for p in (1, 2)]
            rows += [{**linkage.row(at, "harsh@1:p=0.1"), "right": 0}] * (not system)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert main(["compare", *map(str, paths), "--score", "right", "-o", f"{tmp_path}/p.html"]) == 0
    text = (tmp_path / "p.html").read_text("utf-8")
    assert {*re.findall("A mild, p = 0.[12]: score (.....)", text)} == {"0.975"}
    total = text.partition('<ul class="total">')[2].partition("</ul>")[0]
    for strip in (total, text.partition('href="#condition=mild')[2].partition("</li>")[0]):
        assert "+0.000 → +0.000" in re.sub("<.*?>", "", strip)
        assert all(f"{name} difference +0.000, 95 % interval" in strip for name in "AB")
    shown = re.findall("clean to perturbed</dt><dd>(.*?)</dd>", text)
    assert [re.sub("<.*?>", "", one) for one in shown] == ["1.000 → 0.975", "1.000 → 1.000"]
