"""The page as a file: its numbers, its limits, its escapes, and its command lines."""

import argparse
import html
import re
import shlex
import sys

import orjson
import pytest

import perturb as package
from perturb.cli import main
from perturb.errors import DataError, UsageError
from perturb.report.contents import gather
from perturb.report.flips import chosen
from perturb.report.row_texts import notes
from perturb.robustness.scoring.columns import collect
from perturb.robustness.scoring.grade import by_fields, by_match
from perturb.robustness.scoring.join import join
from perturb.robustness.scoring.metric import SCORE
from perturb.robustness.scoring.score import judge_pairs
from perturb.robustness.scoring.sources import listed_source
from perturb.robustness.scoring.verdict import by_slice, verdict

METRICS = {"score": SCORE}
GRADE = by_match("exact", "answer", "target")


@pytest.fixture
def page(tmp_path):
    """Write rows to a file and the page beside it; return the page's text."""

    def page(rows, *arguments, name="scored.jsonl"):
        path = tmp_path / name
        path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
        assert main(["report", str(path), *arguments, "-o", str(tmp_path / "page.html")]) == 0
        return (tmp_path / "page.html").read_text("utf-8")

    return page


def gathered(rows, **more):
    sources = [listed_source(rows)]
    return gather(sources, judge_pairs(sources, by_fields(["score"])), **more)


def linked(original_id, score, *, name="typos", p=0.1, replicate=0, text="eggz", **fields):
    edits = [[3, 4, "z"]]
    record = {
        "original_id": original_id,
        "original": "eggs",
        "field": "text",
        "replicate": replicate,
        "seed": 0,
        "steps": [{"name": name, "p": p, "params": {}}],
        "edits": edits,
        "status": "changed",
    }
    return {"text": text, "score": score, **fields, "perturbation": record}


def clean(id, score, **fields):
    return {"id": id, "text": "eggs", "score": score, **fields}


def test_the_same_rows_give_the_same_bytes(report, scored, tmp_path):
    again = tmp_path / "again.html"
    given = ["--prediction", "answer", "--target", "target", "--slice", "topic"]
    assert main(["report", str(scored), *given, "-o", str(again)]) == 0
    text = report.read_text("utf-8").replace(str(report), str(again))
    assert again.read_text("utf-8") == text


def test_it_names_nothing_that_a_browser_would_fetch(report):
    text = report.read_text("utf-8")
    program = text.index("<script>const ")
    own = text[:program] + text[text.index("</script>", program) :]
    assert not re.search(r"(?:src|href|action)=[\"'](?!#)", own)
    assert not re.search(r"url\(|@import|https?://", own)
    assert "default-src 'none'" in own


def test_what_stands_in_names_and_texts_is_escaped(page):
    bad = "</script><script>alert('&')</script>"
    text = page(
        [clean(bad, 1), linked(bad, 0, name=bad, text=bad), clean(2, 1), linked(2, 0, name=bad)],
        "--score",
        "score",
        "--slice",
        "text",
    )
    assert "<script>alert" not in text
    assert text.lower().count("</script") == 3
    island = re.search(r'<script type="application/json" id="charts">(.*?)</script>', text)[1]
    values = orjson.loads(island)["heat"]["data"]["values"]
    assert values[0]["perturbator"] == bad
    assert html.escape("alert('&')").replace("&#x27;", "&#39;") in text


def test_the_numbers_are_those_of_the_verdict(rows, report):
    source = listed_source(rows)
    found = verdict(join(collect([source], GRADE), [source]), METRICS)
    text = report.read_text("utf-8").replace("−", "-")
    for finding in (*found.conditions, *found.overall):
        if finding.scope == "all":
            compared = finding.comparison
            cells = f"<td><b>{compared.difference:+.3f}</b></td>"
            assert cells in text
            assert f"<td>{compared.perturbed_mean:.3f}</td>" in text
    assert f"From {found.overall[0].comparison.clean_mean:.3f} on the originals" in text


def test_a_slice_is_the_verdict_on_its_rows_alone(rows):
    source = listed_source(rows)
    pairs = join(collect([source], GRADE), [source])
    values = notes([source], pairs, ["topic"]).values["topic"]
    slices = by_slice(pairs, values, sorted(set(values)), METRICS)
    assert [one.value for one in slices] == ['a "quoted" <b>topic</b>', "crates", "hens", "null"]
    for one in slices:
        topic = None if one.value == "null" else one.value
        alone = listed_source([row for row in rows if row["topic"] == topic])
        found = verdict(join(collect([alone], GRADE), [alone]), METRICS).overall[0]
        assert one.comparison._replace(uncertainty=None) == found.comparison._replace(
            uncertainty=None
        )
        assert one.comparison.uncertainty.p_value == found.comparison.uncertainty.p_value
        assert one.comparison.uncertainty.low == pytest.approx(found.comparison.uncertainty.low)
    smallest = min(one.comparison.uncertainty.p_value for one in slices)
    assert all(one.p_adjusted >= smallest for one in slices)


@pytest.mark.parametrize(
    ("field", "message"),
    [("colour", "row 1: no field 'colour'"), ("list[*].a", "leads to 2 values; expected one")],
)
def test_a_field_that_cannot_be_sliced_by(field, message):
    rows = [clean(1, 1), linked("1", 0, list=[{"a": 1}, {"a": 2}])]
    with pytest.raises(DataError, match=re.escape(message)):
        gathered(rows, slices=[field])


def test_of_very_many_slices_those_with_the_most_rows_are_compared():
    """120 originals, the first 100 with two perturbed rows, the others with one."""
    rows = [clean(n, 1) for n in range(120)]
    rows += [linked(str(n), 0, name=str(n)) for n in range(120)]
    rows += [linked(str(n), 1, replicate=1, name=str(n)) for n in range(20, 120)]
    for row in rows:
        row["name"] = row["id"] if "id" in row else row["perturbation"]["original_id"]
    data = gathered(rows, slices=["name"])
    (sliced,) = data.slices
    assert [one.value for one in sliced.slices] == sorted(map(str, range(20, 120)))
    assert sliced.left_out == 20


@pytest.mark.parametrize("most", [1, 2, 7, 1000])
def test_what_is_listed_is_what_a_slow_walk_lists(rows, most):
    source = listed_source(rows)
    pairs = join(collect([source], GRADE), [source])
    noted = notes([source], pairs, [])
    listed, changed = chosen(pairs, noted, most)
    groups = {}
    for at, place in enumerate(pairs.place):
        change = pairs.perturbed[at, 0] - pairs.clean[at, 0]
        if change:
            edits = len(rows[place]["perturbation"]["edits"])
            groups.setdefault((pairs.condition[at], change > 0), []).append((edits, at))
    assert changed == sum(map(len, groups.values()))
    wanted = [sorted(group)[:most] for group in groups.values()]
    assert listed.size == sum(map(len, wanted))
    kept = noted.edits[listed].tolist()
    assert sorted(kept) == sorted(edits for group in wanted for edits, _ in group)
    better = (pairs.perturbed[listed, 0] > pairs.clean[listed, 0]).tolist()
    assert better == sorted(better)
    worse = [edits for edits, up in zip(kept, better, strict=True) if not up]
    assert worse == sorted(worse)


def test_many_flips_are_limited_and_the_rest_is_said(page, capsys, tmp_path):
    """400 flips of two conditions: 50 of each are listed; the named command lists all."""
    rows = [clean(number, 1) for number in range(200)]
    rows += [linked(str(n), 0, p=p) for p in (0.1, 0.2) for n in range(200)]
    text = page(rows, "--score", "score")
    assert text.count("<li data-perturbator=") == 100
    said = html.unescape(re.search(r'<p class="note">(Listed are.*?)</p>', text)[1])
    assert "Listed are 100 of 400" in said
    assert "300 are left out" in said
    command = shlex.split(re.search(r"<code>(.*?)</code>", said)[1])
    assert command[:2] == ["perturb", "flips"]
    assert main(command[1:]) == 0
    assert capsys.readouterr().out.endswith("380 more; -n 0 lists all\n")


def test_a_hundred_thousand_rows_give_a_page_of_sane_size(page, in_full):
    """At 100 conditions all flips would take some 20 MB; listed are 5 of each and direction."""
    originals = 1000 if in_full else 100
    rows = [clean(number, number % 2, text="eggs " * 40) for number in range(originals)]
    for name in range(20):
        for p in (0.1, 0.2, 0.3, 0.4, 0.5):
            rows += [linked(str(n), 1 - n % 2, name=f"n{name}", p=p) for n in range(originals)]
    text = page(rows, "--score", "score")
    assert text.count("<li data-perturbator=") == 1000
    assert len(text) < 3_000_000


def test_scores_that_are_no_flips_are_changes(page):
    rows = [clean(n, 20 + n) for n in range(5)] + [linked(str(n), 20, name="a b") for n in range(5)]
    text = page(rows, "--score", "score")
    assert "Largest changes" in text
    found = re.findall(r'<span class="word worse">([\d.]+) → ([\d.]+)</span> <b>', text)
    assert found == [(f"{20 + n:.3f}", "20.000") for n in (4, 3, 2, 1)]
    assert "good → bad" not in text


def test_conditions_without_a_strength_have_no_charts(page):
    text = page([clean(1, 1), linked("1", 0, p=None)], "--score", "score")
    assert "vegaEmbed" not in text.split('"use strict"')[0]
    assert 'id="heat"' not in text
    assert len(text) < 60_000


def test_nothing_changed(page):
    text = page([clean(1, 1), linked("1", 1), clean(2, 1), linked("2", 1)], "--score", "score")
    assert "Undecided: perturbing may or may not change the score" in text
    assert "No perturbed row scored otherwise than its original." in text


def test_rows_without_edits_show_their_texts(page):
    row = linked("1", 0, text="whole other text")
    del row["perturbation"]["edits"]
    text = page([clean(1, 1), row], "--score", "score")
    assert '<dd class="text">whole other text</dd>' in text
    assert '<dd class="text">eggs</dd>' in text


def test_compact_records_and_paths_are_read(page):
    rows = [{"id": "q", "chat": {"user": "How many eggs?"}}]
    job = {"field": "chat.user", "with_original": True}
    made = list(package.augment(rows, "char_delete", p=0.3, **job))
    for row in made:
        record = row["perturbation"]
        row["score"] = int(record["status"] == "original")
        if record["edits"]:
            original = record.pop("original")
            for edit in record["edits"]:
                edit["removed"] = original[edit["start"] : edit["end"]]
    text = page(made, "--score", "score")
    found = re.search(r'<dt>original</dt><dd class="text">(.*?)</dd>', text)[1]
    assert html.unescape(re.sub(r"<[^>]*>", "", found)) == "How many eggs?"


def test_long_answers_stand_apart_and_keep_their_end(page):
    said = "Let me think. " * 80 + "So it is 4."
    rows = [clean(1, 1, prediction="3", answer="3"), linked("1", 0, prediction=said, answer="3")]
    text = page(rows)
    assert '<dt>answer before</dt><dd class="answers">3</dd>' in text
    left = len(said) - 600
    assert f" … {left} characters … {said[-400:]}</dd>" in text
    assert '<dt>right answer</dt><dd class="answers">3</dd>' in text
    rows[1]["prediction"] = "4"
    assert '3 <span aria-label="became">→</span> 4 <span class="id">right: 3</span>' in page(rows)


def test_damaged_edits_are_named(page, capsys, tmp_path):
    row = linked("1", 0)
    row["perturbation"]["edits"] = [[3, "4"]]
    path = tmp_path / "bad.jsonl"
    path.write_bytes(b"".join(orjson.dumps(one) + b"\n" for one in [clean(1, 1), row]))
    assert main(["report", str(path), "--score", "score", "-o", str(tmp_path / "p.html")]) == 1
    assert (
        "bad.jsonl:2: the edits of the perturbation record are damaged" in capsys.readouterr().err
    )
    assert not (tmp_path / "p.html").exists()


def test_explanations_of_another_form_are_named():
    for explanation in ({"edits": [[1, 2]], "status": "minimal"}, {"edits": []}, "because"):
        rows = [clean(1, 1), linked("1", 0, explanation=explanation)]
        with pytest.raises(DataError, match="row 1: explanation must have a status and edits"):
            gathered(rows)


def test_the_command_of_the_manifest_gives_the_rows_again(page, tmp_path, monkeypatch):
    """The page of answered rows, with the manifest of the perturbed ones beside them."""
    monkeypatch.chdir(tmp_path)
    given = tmp_path / "in put.jsonl"
    given.write_text('{"id": 1, "q": "How many eggs at http://a.example?"}\n')
    steps = ["char_delete:p=0.2,fill=_", "ocr:p=0.3", "--grid", "--seed", "7", "--replicates", "2"]
    more = ["--field", "q", "--protect", "url,number", "--protect", "word:eggs", "--with-original"]
    assert main(["apply", *steps, *more, "-i", str(given), "-o", "made.jsonl"]) == 0
    rows = list(map(orjson.loads, (tmp_path / "made.jsonl").read_bytes().splitlines()))
    (tmp_path / "made.jsonl.manifest.json").rename("scored.jsonl.manifest.json")
    text = page([{**row, "score": 1} for row in rows], "--score", "score")
    assert "The manifest of scored.jsonl" in text
    commands = [html.unescape(one) for one in re.findall(r"<code>(perturb .*?)</code>", text)]
    apply, again, score = map(shlex.split, commands)
    assert main(apply[1:]) == 0
    assert (tmp_path / "perturbed.jsonl").read_bytes() == (tmp_path / "made.jsonl").read_bytes()
    before = (tmp_path / "page.html").read_bytes()
    (tmp_path / "page.html").unlink()
    assert main(again[1:]) == main(score[1:]) == 0
    assert (tmp_path / "page.html").read_bytes() == before


def test_the_commands_go_back_to_the_rows(tmp_path, monkeypatch):
    """apply, run and explain, as their manifests say; each gives the bytes that it gave."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.jsonl").write_text('{"id": 1, "text": "How many eggs?", "answer": "3"}\n')
    program = "import sys; [print(3 + ('eggs' not in line), flush=True) for line in sys.stdin]"
    system = ["--command", shlex.join([sys.executable, "-c", program])]
    made = [
        ["apply", "char_delete:p=0.9", "--with-original", "-i", "in.jsonl", "-o", "rows.jsonl"],
        ["run", "rows.jsonl", "-o", "answered.jsonl", *system],
        ["explain", "answered.jsonl", "-o", "explained.jsonl", *system],
        ["report", "explained.jsonl", "-o", "page.html"],
    ]
    assert [main(call) for call in made] == [0] * 4
    names = ("rows.jsonl", "answered.jsonl", "explained.jsonl")
    files = [tmp_path / f"{name}{end}" for name in names for end in ("", ".manifest.json")]
    before = [file.read_bytes() for file in files]
    text = (tmp_path / "page.html").read_text("utf-8")
    commands = [html.unescape(one) for one in re.findall(r"<code>(perturb .*?)</code>", text)]
    for file in (*files, *tmp_path.glob("*.journal")):
        file.unlink()
    assert [main(shlex.split(command)[1:]) for command in commands[:3]] == [0] * 3
    assert [file.read_bytes() for file in files] == before
    assert '"status":"minimal"' in (tmp_path / "explained.jsonl").read_text()


def test_a_manifest_of_another_kind_is_shown_as_it_is(page, tmp_path):
    rows = [clean(1, 1), linked("1", 0)]
    for held in ('{"system": "<b>"}', '{"system": "<b>", "asked": {}, "input": 1}'):
        (tmp_path / "scored.jsonl.manifest.json").write_text(held)
        assert "&#34;system&#34;: &#34;&lt;b&gt;&#34;" in page(rows, "--score", "score")


@pytest.mark.parametrize("held", ["{", "[]"])
def test_a_manifest_that_is_none(tmp_path, held, capsys):
    (tmp_path / "s.manifest.json").write_text(held)
    (tmp_path / "s").write_bytes(
        b"".join(orjson.dumps(r) + b"\n" for r in [clean(1, 1), linked("1", 0)])
    )
    assert main(["report", str(tmp_path / "s"), "--score", "score", "-o", str(tmp_path / "p")]) == 1
    assert "the manifest" in capsys.readouterr().err


@pytest.mark.parametrize("library", ["jinja2", "vl_convert"])
def test_without_its_libraries_the_error_says_what_to_install(
    tmp_path, monkeypatch, library, capsys
):
    monkeypatch.delitem(sys.modules, "perturb.report.page", raising=False)
    monkeypatch.setitem(sys.modules, library, None)
    (tmp_path / "s").write_bytes(
        b"".join(orjson.dumps(r) + b"\n" for r in [clean(1, 1), linked("1", 0)])
    )
    assert main(["report", str(tmp_path / "s"), "--score", "score", "-o", str(tmp_path / "p")]) == 2
    assert "pip install 'perturb-text[report]'" in capsys.readouterr().err


def test_flips_are_graded_one_way_at_a_time(tmp_path):
    from perturb.cli import flips

    metrics = tmp_path / "metrics.yaml"
    metrics.write_text("score: {threshold: 0.5}")
    parser = argparse.ArgumentParser()
    flips.add_arguments(parser)
    both = parser.parse_args(["s", "--metrics", str(metrics), "--score", "score"])
    with pytest.raises(UsageError, match="leave out --score, or --metrics"):
        flips.run(both)


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
    assert 'class="verdict is-worse"' in written
    assert f"--metrics {settings}" in written
    assert main(["report", str(scored), *metrics, "--margin", "0.5", "-o", out]) == 0
    written = (tmp_path / "p.html").read_text("utf-8")
    assert 'class="verdict is-robust"' in written
    assert "--margin 0.5" in written
