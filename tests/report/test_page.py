"""The page as a file: its numbers, what it lists, its escapes, and its command lines."""

import re
import sys

import linkage
import numpy as np
import orjson
import pytest
from pages import clean, flips, linked, listed_rows, series, tables, unpacked

import perturb as package
from perturb.cli import main
from perturb.cli.parser import parsed
from perturb.errors import DataError, UsageError, installing
from perturb.records.edit import Edit
from perturb.report.contents import gather
from perturb.report.listing import Fields
from perturb.robustness.grading.grade import by_match
from perturb.robustness.linking.sources import listed_source
from perturb.robustness.measures.findings import ALL
from perturb.robustness.measures.metric import SCORE
from perturb.robustness.pairs.columns import collect
from perturb.robustness.pairs.join import join
from perturb.robustness.scoring.verdict import by_slice, verdict
from perturb.values.spans import rebuild

METRICS = {"score": SCORE}
GRADE = by_match("exact", "answer", "target")


@pytest.mark.slow
def test_the_same_rows_give_the_same_bytes(report, scored, tmp_path):
    again = tmp_path / "again.html"
    given = ["--prediction", "answer", "--target", "target", "--slice", "topic"]
    assert main(["report", str(scored), *given, "-o", str(again)]) == 0
    text = report.read_text("utf-8").replace(str(report), str(again))
    assert again.read_text("utf-8") == text


def test_it_names_nothing_that_a_browser_would_fetch(report):
    text = report.read_text("utf-8")
    assert not re.search(r"(?:src|href|action)=[\"'](?!#)", text)
    assert not re.search(r"url\(|@import|https?://|fetch\(|XMLHttpRequest", text)
    assert "default-src 'none'" in text


HOSTILE = (
    "</script><script>alert('&')</script>",
    "<!--<script>",
    "\u2028]]>\u2029",
    "\u202egnp.exe",
    "\x00\x1b[31m\x7f\x9b",
    '"><img src=x onerror=alert(1)>',
    "{{ 7 * 7 }}{% raw %}",
    "__proto__",
)


@pytest.mark.slow
@pytest.mark.parametrize("bad", HOSTILE)
def test_what_stands_in_names_and_texts_is_escaped(page, bad):
    """As an id, a perturbator, a text, an answer and a value to slice by."""
    rows = [clean(bad, 1), clean(2, 1), linked(bad, 0, condition=bad, text=bad)]
    rows = [{**row, "prediction": bad} for row in (*rows, linked("2", 0, condition=bad))]
    text = page(rows, "--score", "score", "--prediction", "prediction", "--slice", "text")
    assert text.lower().count("</script") == 2
    assert text.lower().count("<script") == 2
    assert "<img" not in text
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\ufeff]", text)
    assert {flip["condition"] for flip in flips(text)} == {bad}
    assert {flip["original"] for flip in flips(text)} == {bad, "2"}
    assert bad in {flip["answers"][0] for flip in flips(text)}


@pytest.mark.slow
def test_the_numbers_are_those_of_the_verdict(rows, report):
    """With all of their digits."""
    source = listed_source(rows)
    found = verdict(join(collect([source], GRADE), [source]), METRICS)
    shown = [row for row in tables(report.read_text("utf-8")) if row["table"] == "score"]
    whole = [
        row for row in shown if "rows alone" not in row["row"] and "left whole" not in row["row"]
    ]
    assert len(whole) == len([one for one in found.conditions if one.scope == ALL]) + 1
    by_name = {row["row"].replace(" = ", "="): row for row in whole}
    for finding in (*found.conditions, *found.overall):
        if finding.scope == ALL:
            row, compared = by_name[finding.name], finding.comparison
            sure = compared.uncertainty
            assert row["difference"]["values"] == [compared.difference]
            assert row["95\xa0%"]["values"] == [sure.low, sure.high]
            assert row["perturbed"]["values"] == [compared.perturbed_mean]
            assert row["verdict"]["text"] == finding.verdict
            assert row["worst"]["values"] == [compared.worst_of_k]


@pytest.mark.slow
def test_a_slice_is_the_verdict_on_its_rows_alone(rows):
    source = listed_source(rows)
    pairs = join(collect([source], GRADE), [source])
    values = [str(rows[place]["topic"]) for place in pairs.place]
    names = {name: number for number, name in enumerate(sorted(set(values)))}
    numbers = np.array([names[value] for value in values])
    for one in by_slice(pairs, numbers, names, METRICS):
        topic = None if one.perturbator == "None" else one.perturbator
        alone = listed_source([row for row in rows if row["topic"] == topic])
        found = verdict(join(collect([alone], GRADE), [alone]), METRICS).overall[0]
        assert one.comparison._replace(uncertainty=None) == found.comparison._replace(
            uncertainty=None
        )
        assert one.comparison.uncertainty.p_value == found.comparison.uncertainty.p_value
        assert one.comparison.uncertainty.low == pytest.approx(found.comparison.uncertainty.low)


def test_slices_are_named_by_the_values_of_the_field(report):
    shown = [row for row in tables(report.read_text("utf-8")) if row["table"] == "slice"]
    assert [row["row"] for row in shown] == ['a "quoted" <b>topic</b>', "crates", "hens", "null"]
    assert sum(row["rows"]["values"][0] for row in shown) == 160


@pytest.mark.parametrize(
    ("field", "message"),
    [("colour", "row 1: no field 'colour'"), ("list[*].a", "leads to 2 values; expected one")],
)
def test_a_field_that_cannot_be_sliced_by(field, message):
    rows = [clean(1, 1), linked("1", 0, list=[{"a": 1}, {"a": 2}])]
    with pytest.raises(DataError, match=re.escape(message)):
        gather([series(rows)], fields=Fields([field]))


@pytest.mark.slow
def test_of_very_many_slices_those_with_the_most_rows_are_compared():
    """120 originals, the first 100 with two perturbed rows, the others with one."""
    rows = [clean(n, 1) for n in range(120)]
    rows += [linked(str(n), 0, name=str(n)) for n in range(120)]
    rows += [linked(str(n), 1, replicate=1, name=str(n)) for n in range(20, 120)]
    for row in rows:
        row["name"] = str(row["id"]).partition("#")[0]
    (sliced,) = gather([series(rows)], fields=Fields(["name"])).slices
    assert [one.perturbator for one in sliced.slices[0]] == sorted(map(str, range(20, 120)))
    assert sliced.left_out == 20


def test_all_flips_are_listed_with_their_edits(rows, report):
    """Each row with an edit and another score than its original, and the text it was made into."""
    right = {row["id"]: row["answer"] == row["target"] for row in rows}
    wanted = []
    for row in rows:
        record = row["perturbation"]
        before, after = right[record["original_id"]], row["answer"] == row["target"]
        if record["status"] == "changed" and before != after:
            wanted.append((record["original_id"], row["question"], [before], [after]))
    found = [
        (
            one["original"],
            rebuild(one["text"], [Edit(*edit, "") for edit in one["edits"]]),
            one["before"],
            one["after"],
        )
        for one in flips(report.read_text("utf-8"))
    ]
    assert found == wanted
    assert len(found) > 30


@pytest.mark.slow
def test_rows_without_an_edit_are_the_noise_floor_and_no_flips(page):
    """Of 20 rows without an edit 5 change sides: said, not listed."""
    rows = [clean(n, 1) for n in range(20)] + [linked(str(n), 0) for n in range(20)]
    rows += [linked(str(n), int(n >= 5), name="still", status="no site") for n in range(20)]
    text = page(rows, "--score", "score")
    assert len(list(flips(text))) == 20
    assert re.search(r'noise floor</dt><dd><data value="5">5</data> of <data value="20">', text)
    (whole,) = (row for row in tables(text) if row["row"] == "overall")
    assert (whole["rows"]["values"], whole["difference"]["values"]) == ([20], [-1])


def test_the_tally_counts_rows_by_the_kinds_of_their_edits(rows, report):
    """Of the transpositions, which word_swap alone makes: by hand."""
    right = {row["id"]: row["answer"] == row["target"] for row in rows}
    swapped = [
        row
        for row in rows
        if row["perturbation"]["status"] == "changed"
        and row["perturbation"]["condition"].startswith("word_swap")
        and right[row["perturbation"]["original_id"]]
    ]
    broke = sum(row["answer"] != row["target"] for row in swapped)
    (row,) = (row for row in tables(report.read_text("utf-8")) if row["row"] == "transposition")
    assert row["rows"]["values"] == [len(swapped)]
    assert row["broke"]["values"] == pytest.approx([100 * broke / len(swapped)], rel=1e-12)


@pytest.mark.slow
def test_a_hundred_thousand_rows_give_a_page_of_sane_size(page, in_full):
    """All flips, with --heavy of 100 conditions: some 20 bytes each where texts recur."""
    originals, names = (1000, 20) if in_full else (100, 2)
    rows = [
        clean(number, number % 2, text="eggs", more="eggs " * 40) for number in range(originals)
    ]
    for name in range(names):
        for p in (0.1, 0.2, 0.3, 0.4, 0.5):
            rows += [linked(str(n), 1 - n % 2, name=f"n{name}", p=p) for n in range(originals)]
    text = page(rows, "--score", "score")
    assert len(unpacked(text)["flips"]["original"]) == 5 * names * originals
    assert len(text) < 150_000 + 5 * names * (2_000 + 20 * originals)


@pytest.mark.slow
def test_flips_come_first_where_not_all_rows_are_listed(page, monkeypatch):
    """Of 60 rows with 20 flips room for 30, and for 10."""
    rows = [clean(n, 1) for n in range(60)] + [linked(str(n), int(n % 3 > 0)) for n in range(60)]
    for room, others in ((30, 10), (10, 0)):
        monkeypatch.setattr("perturb.report.contents._ROWS", room)
        text = page(rows, "--score", "score")
        assert len(list(listed_rows(text))) == room
        assert len(list(flips(text))) == room - others
        assert f"{60 - room} more rows are in no list." in text


@pytest.mark.slow
def test_scores_that_are_no_flips_are_changes(page):
    rows = [clean(n, 20 + n) for n in range(5)] + [linked(str(n), 20, name="ab") for n in range(5)]
    text = page(rows, "--score", "score")
    assert '<h2 id="flips-title">Changes</h2>' in text
    found = [(one["before"], one["after"]) for one in flips(text)]
    assert found == [([20 + n], [20]) for n in (1, 2, 3, 4)]
    assert "good → bad" not in text.partition("<script")[0]


@pytest.mark.slow
def test_metrics_have_directions_and_thresholds_of_their_own(page, tmp_path):
    """Hallucination rises from 0.3 to 0.8 over its threshold: worse, though the figure grows."""
    metrics = tmp_path / "metrics.yaml"
    metrics.write_text(
        "hallucination: {threshold: 0.75, higher_is_better: false}\nquality: {threshold: 0.5}"
    )
    rows = [clean(n, 1, hallucination=0.3, quality=0.9 - n / 400) for n in range(40)]
    rows += [
        linked(str(n), 1, hallucination=(0.8, 0.9)[n % 2], quality=0.7 - n / 500) for n in range(40)
    ]
    text = page(rows, "--metrics", str(metrics))
    assert "Breaks under <bdi>typos p=0.1</bdi>" in text
    found = list(flips(text))
    assert {one["metric"] for one in found} == {"hallucination"}
    assert [(one["before"], one["after"]) for one in found[:2]] == [([0.3], [0.8]), ([0.3], [0.9])]
    assert len(found) == 40
    others = [one for one in listed_rows(text) if not one["flip"]]
    assert {one["metric"] for one in others} == {"quality"}
    assert [one["after"] for one in others] == [[0.7 - n / 500] for n in range(40)]
    assert "40 flips and 40 other rows, counted by each metric, are in this file" in text
    words = {
        row["table"]: row["verdict"]["text"] for row in tables(text) if row["row"] == "overall"
    }
    assert words == {"hallucination": "worse", "quality": "worse"}
    assert "lower is better, threshold 0.75" in text


@pytest.mark.slow
def test_nothing_changed(page):
    text = page([clean(1, 1), linked("1", 1), clean(2, 1), linked("2", 1)], "--score", "score")
    assert '<b class="undecided">Undecided under</b> <bdi>typos</bdi>.' in text
    assert "No perturbed row scored otherwise than its original." in text


@pytest.mark.slow
def test_rows_without_edits_show_their_texts(page):
    row = linked("1", 0, text="whole other text")
    row["perturbation"]["edits"] = ""
    (flip,) = flips(page([clean(1, 1), row], "--score", "score"))
    assert (flip["text"], flip["written"], flip["edits"]) == ("eggs", "whole other text", [])


@pytest.mark.slow
def test_lean_records_and_paths_are_read(page):
    rows = [{"id": "q", "chat": {"user": "How many eggs?"}}]
    job = {"field": "chat.user", "with_original": True, "lean": True}
    made = list(package.augment(rows, "char_delete", p=0.3, **job))
    for row in made:
        row["score"] = int(row["perturbation"]["status"] == "original")
        assert row["perturbation"]["original"] == ""
    (flip,) = flips(page(made, "--score", "score"))
    assert flip["text"] == "How many eggs?"


@pytest.mark.slow
def test_long_answers_keep_their_end(page):
    said = "Let me think. " * 800 + "So it is 4."
    rows = [clean(1, 1, prediction="3", answer="3"), linked("1", 0, prediction=said, answer="3")]
    (flip,) = flips(page(rows))
    assert flip["cleanAnswers"] == ["3"]
    assert flip["answers"][0].endswith(f" … {len(said) - 8000:,} characters … {said[-4000:]}")
    assert flip["target"] == "3"


@pytest.mark.slow
def test_against_originals_there_are_no_sides_and_answers_are_json(page):
    """Asked again, every second one says b, and b under typos, which agrees with one of both."""

    def said(label):
        return {"label": label, "score": 0.5}

    rows = [{"id": str(at), "text": "eggs", "prediction": said("a")} for at in range(20)]
    for name in ("identity", "typos"):
        made = (linked(str(at), 0, name=name, p=None, steps=f"{name}@1", status="no site"
                       if name == "identity" else "changed") for at in range(20))  # fmt: skip
        rows += [{**row, "prediction": said("ab"[at % 2])} for at, row in enumerate(made)]
    text = page(rows, "--against", "original")
    words = re.sub("<[^>]*>", "", text)
    assert "Agreement with the answer to the original from 0.500 to 0.750" in words
    assert "<dt>noise floor" not in text
    assert next(listed_rows(text))["answers"] == ['{"label":"b","score":0.5}']


def test_damaged_edits_are_named(page, capsys, tmp_path):
    row = linked("1", 0)
    row["perturbation"]["edits"] = "text|3:s"
    path = tmp_path / "bad.jsonl"
    path.write_bytes(b"".join(orjson.dumps(one) + b"\n" for one in [clean(1, 1), row]))
    assert main(["report", str(path), "--score", "score", "-o", str(tmp_path / "p.html")]) == 1
    assert "bad.jsonl:2: the edits of a record are damaged at '3:s'" in capsys.readouterr().err
    assert not (tmp_path / "p.html").exists()


def test_explanations_of_another_form_are_named():
    for explanation in ({"edits": [[1, 2]], "status": "minimal"}, {"edits": []}, "because"):
        rows = [clean(1, 1), linked("1", 0, explanation=explanation)]
        with pytest.raises(DataError, match="row 1: explanation must have a status and edits"):
            gather([series(rows)])


def test_without_its_libraries_the_error_says_what_to_install(tmp_path, monkeypatch, capsys):
    monkeypatch.delitem(sys.modules, "perturb.report.page", raising=False)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    (tmp_path / "s").write_bytes(
        b"".join(orjson.dumps(r) + b"\n" for r in [clean(1, 1), linked("1", 0)])
    )
    assert main(["report", str(tmp_path / "s"), "--score", "score", "-o", str(tmp_path / "p")]) == 2
    assert installing("report") in capsys.readouterr().err


def test_flips_are_graded_one_way_at_a_time(tmp_path):
    metrics = tmp_path / "metrics.yaml"
    metrics.write_text("score: {threshold: 0.5}")
    run, both = parsed(["flips", "s", "--metrics", str(metrics), "--score", "score"])
    with pytest.raises(UsageError, match="leave out --score, or --metrics"):
        run(**both)


@pytest.mark.slow
def test_metrics_and_margin_judge_as_in_score(tmp_path, capsys):
    """Lower is better, and a rise of .1 lies within a margin of .5."""
    rows = [clean(n, 0.3) for n in range(40)]
    rows += [linked(str(n), 0.38 + n % 2 / 20) for n in range(40)]
    scored, settings = tmp_path / "s.jsonl", tmp_path / "m.yaml"
    scored.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    settings.write_text("score: {threshold: 0.35, higher_is_better: false}")
    metrics = ["--metrics", str(settings)]
    out = str(tmp_path / "p.html")
    assert main(["report", str(scored), *metrics, "-o", out]) == 0
    written = (tmp_path / "p.html").read_text("utf-8")
    assert "Breaks under <bdi>typos p=0.1</bdi>" in written
    assert f"--metrics {settings}" in written
    assert main(["report", str(scored), *metrics, "--margin", "0.5", "-o", out]) == 0
    written = (tmp_path / "p.html").read_text("utf-8")
    assert "Holds under <bdi>typos</bdi>" in written
    assert "--margin 0.5" in written


@pytest.mark.slow
@pytest.mark.parametrize("worse", "AB")
def test_two_systems_the_largest_loss_is_named_first(tmp_path, worse):
    """One system breaks under four conditions, under each more than under the one before."""
    for system in "AB":
        rows = [clean(n, 1) for n in range(60)]
        for at in range(4):
            kept = 40 - 10 * at if system == worse else 60
            rows += [linked(str(n), int(n < kept), name=f"n{at}") for n in range(60)]
        (tmp_path / system).write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    out = tmp_path / "page.html"
    files = [str(tmp_path / system) for system in "AB"]
    assert main(["compare", *files, "--score", "score", "-o", str(out)]) == 0
    written = out.read_text("utf-8")
    said = re.sub("<[^>]+>", "", re.search(r"<h1.*?</h1>", written)[0])
    assert said.startswith(f"{worse} loses more than {'AB'.replace(worse, '')} under n3 p=0.1")
    assert said.endswith("and 1 more.")
    assert "n0" not in said
    links = re.findall(r'class="condition" href="#condition=(n\d)', written)
    assert links[:4] == ["n3", "n2", "n1", "n0"]


@pytest.mark.slow
def test_two_reactions_stand_beside_each_other(tmp_path):
    """B follows every antonym and A none; scores say that B loses all of its points."""
    for system, said in (("A", "a"), ("B", "b")):
        rows = [{"id": str(n), "text": "eggs", "answer": "a", "prediction": "a"} for n in range(60)]
        for step, expect, reply in (("typos", "same", "a"), ("antonym", "other", said)):
            made = (linkage.row(n, f"{step}@1:p=1", expect=expect) for n in range(60))
            rows += [{**row, "answer": "a", "prediction": reply} for row in made]
        (tmp_path / system).write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    out = tmp_path / "page.html"
    assert main(["compare", *(str(tmp_path / system) for system in "AB"), "-o", str(out)]) == 0
    written = out.read_text("utf-8")
    assert "B reacts more than A under" in re.search(r"<h1.*?</h1>", written)[0]
    assert '<span class="word B-reacts-more"><bdi>B reacts more</bdi></span>' in written
    strip = re.search(r'<li>\s*<a class="condition"[^>]*antonym.*?</li>', written, re.DOTALL)[0]
    assert re.findall(r'value="([^"]*)"', strip) == ["1.0", "0.0", "1.0"]


@pytest.mark.slow
@pytest.mark.parametrize("lost", [0, 1])
def test_what_broke_is_told_only_where_something_did(page, lost):
    rows = [clean(n, 1) for n in range(60)]
    rows += [linked(str(n), float(n >= lost)) for n in range(60)]
    text = page(rows, "--score", "score")
    assert ("What broke it" in text) == bool(lost)
    assert ("No outcome changed in 60 rows with an edit" in text) == (not lost)
