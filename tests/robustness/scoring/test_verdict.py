import numpy as np
import orjson
import pytest

from perturb.robustness import compare, score
from perturb.robustness.metrics.sampling import uniforms
from perturb.robustness.tables.formats import FORMS


@pytest.fixture
def run(linked):
    """Scored rows of so many originals and versions, from chances of being right."""

    def run(originals, clean, perturbed, versions=1, key=1, **fields):
        chance = iter(uniforms(key, originals * (versions + 1)).tolist())
        rows = []
        for at in range(originals):
            said = _said(next(chance) < clean)
            rows.append({"id": str(at), "text": "clean text", "prediction": said, "answer": "4"})
            rows += [
                linked(at, replicate=one, prediction=_said(next(chance) < perturbed), answer="4")
                for one in range(versions)
            ]
        return [{**row, **fields} for row in rows]

    return run


def _said(right):
    return "4" if right else "5"


@pytest.mark.slow
def test_words(run):
    assert score(run(500, 1, 0.8)).overall[0].verdict == "worse"
    assert score(run(500, 0.5, 1)).overall[0].verdict == "better"
    assert score(run(500, 1, 1)).overall[0].verdict == "robust"
    assert score(run(30, 1, 0.98)).overall[0].verdict == "undecided"
    assert score(run(500, 1, 0.9), margin=0.5).overall[0].verdict == "robust"


def test_undecided_says_about_how_many_more_would_decide(run):
    """No flip in 60: the interval is about 3.9 / 63, so that some 200 are needed for .02."""
    verdict = score(run(60, 1, 1))
    (finding,) = [one for one in verdict.overall if one.scope == "all"]
    assert finding.more_originals == 90  # 3 / margin - 60
    assert f"about {finding.more_originals} more originals would decide" in verdict.sentence
    head, _, row, *_ = FORMS["table"](verdict, True).partition("\n\n")[2].splitlines()
    names, cells = ([cell.strip() for cell in line.split("|")] for line in (head, row))
    assert cells[names.index("more needed")] == str(finding.more_originals)


@pytest.mark.slow
def test_the_verdict_hangs_on_no_seed(command, write, run):
    """12 versions of 100 originals, 60 of which have more or fewer right.

    Only the interval of the bootstrap is drawn; without a seed there is none.
    """
    path = write("s", run(100, 0.97, 0.92, versions=12))
    plain = orjson.loads(command("score", path, "--json"))
    assert plain["sentence"].startswith("Breaks")
    drawn = {}
    for seed in (0, 1, 50, 99):
        report = orjson.loads(command("score", path, "--seed", str(seed), "--json"))
        findings = [*report["conditions"], *report["overall"]]
        drawn[seed] = [(one.pop("bootstrap_low"), one.pop("bootstrap_high")) for one in findings]
        for one, other in zip(findings, [*plain["conditions"], *plain["overall"]], strict=True):
            assert one == {name: value for name, value in other.items() if name in one}
        assert report["sentence"] == plain["sentence"]
    assert drawn[0] != drawn[1]
    assert all(one["bootstrap_low"] is None for one in plain["conditions"])


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("I'm sorry, but I can't help with that.", "100 % of the clean replies are refusals"),
        ("I cannot assist with this request.", "100 % of the clean replies are refusals"),
        (None, "100 % of the clean replies are without a reply or score"),
        ("The answer is 5.", "no original is answered correctly"),
    ],
)
def test_a_dead_experiment_is_not_judged(run, said, reason):
    verdict = score(run(50, 1, 1, prediction=said))
    assert verdict.sentence.startswith(f"Cannot judge: {reason}")
    assert {one.verdict for one in verdict.conditions} == {"cannot judge"}


def test_refusals_that_the_endpoint_marks_are_none_that_was_unread(run):
    """OpenAI's chat completions have no content then, and finish with "stop"."""
    response = {"seed": None, "finish": "stop", "refusal": "No, I can't."}
    verdict = score([{**row, "prediction": None, "response": response} for row in run(50, 1, 1)])
    assert verdict.sentence.startswith("Cannot judge: 100 % of the clean replies are refusals")


@pytest.mark.parametrize(("share", "judged"), [(0.01, True), (0.04, False)])
def test_replies_cut_off_are_not_judged(run, share, judged):
    rows = run(100, 1, 1)
    for row in [row for row in rows if "perturbation" in row][: int(100 * share)]:
        row["response"] = {"seed": None, "finish": "length"}
    finding = score(rows).overall[0]
    assert (finding.verdict == "robust" or finding.verdict == "undecided") == judged
    assert finding.comparison.quality.truncated == pytest.approx(100 * share)


def test_the_match_that_would_work_is_named(run):
    rows = run(100, 1, 0.9)
    for row in rows:
        row["prediction"] = f"The answer is **{row['prediction']}**."
    verdict = score(rows)
    assert verdict.sentence.startswith("Cannot judge: no original is answered correctly")
    assert verdict.hints[0] == "--match number reads 100 % and finds 100 % of the originals right."


def test_what_no_match_reads_is_shown(run):
    verdict = score([{**row, "prediction": "positive"} for row in run(20, 1, 1)])
    example = "the right answer of the first original is '4', and its reply is 'positive'."
    assert verdict.hints[0] == f"For example, {example}"


def test_flips_without_an_edit_are_the_noise_floor(run):
    rows = run(300, 0.9, 0.9, versions=2)
    for row in rows:
        if row["id"].endswith("#1"):
            row["perturbation"]["status"] = "no site"
    verdict = score(rows)
    quality = verdict.overall[0].comparison.quality
    assert quality.unedited == 300
    assert 20 < quality.unedited_flips < 90
    assert f"{quality.unedited_flips} of 300 rows without an edit flipped too" in verdict.hints[0]
    changed = next(one for one in verdict.overall if one.scope == "changed")
    assert (changed.comparison.rows, changed.comparison.quality.unedited) == (300, 0)


def test_hints_name_the_metric_where_there_are_several(run):
    rows = run(40, 1, 1)
    for at, row in enumerate(rows):
        row |= {"calm": 1.0, "moody": float(at % 2), "text": "No."}
        if "perturbation" in row:
            edited = {"edits": "text|0:N>M"} if at // 2 % 2 else {"status": "no site"}
            row["perturbation"] |= {"original": "No.", **edited}
    hints = score(rows, metrics={"calm": {"threshold": 0.5}, "moody": {"threshold": 0.5}}).hints
    assert [hint.partition(" ")[0] for hint in hints] == ["moody:", "Edits"]
    assert "the difference of calm is +0.000" in hints[1]


def test_edits_that_touch_numbers_are_left_out_on_the_side(run):
    """Where a digit went, the system is wrong; elsewhere it is right."""
    rows = run(100, 1, 1, text="He has 67 eggs, not 2")
    for at, row in enumerate(row for row in rows if "perturbation" in row):
        edits = "text|7:6>7" if at < 40 else "text|0:H>h"
        row["perturbation"].update(original="He has 67 eggs, not 2", edits=edits)
        if at < 40:
            row["prediction"] = "5"
    verdict = score(rows)
    rest = next(one for one in verdict.overall if one.scope == "undamaged")
    assert (rest.comparison.rows, rest.comparison.difference) == (60, 0)
    assert verdict.overall[0].comparison.quality.touching == (40, 0, 0)
    assert (
        "of 100 rows 40 touch numbers; without these rows the difference is +0.000"
        in (verdict.hints[0])
    )
    assert verdict.hints[0].endswith("perturb with --protect number.")


def test_a_step_on_numbers_alone_is_not_advised_to_leave_them_alone(linked):
    """It would have no place to act: each row that it changed touches a number."""
    answers = {"answer": "5", "prediction": "5"}
    rows = [{"id": str(at), "text": "He has 67 eggs", **answers} for at in range(100)]
    for at in range(100):
        row = linked(at, "number_format", answer="5", prediction="6" if at % 2 and at % 3 else "5")
        edits, status = ("text|7:6>7", "changed") if at % 2 else ("", "no site")
        row["perturbation"].update(original="He has 67 eggs", edits=edits, status=status)
        rows.append(row)
    hint = next(one for one in score(rows).hints if one.startswith("Edits change the question"))
    assert "of 100 rows 50 touch numbers" in hint
    assert "--protect" not in hint


def test_lower_is_better(linked):
    rows = [{"id": str(at), "hallucination": 0.3} for at in range(40)]
    rows += [linked(at, hallucination=0.8 - at % 2 / 100) for at in range(40)]
    metrics = {"hallucination": {"threshold": 0.75, "higher_is_better": False}}
    finding = score(rows, metrics=metrics).overall[0]
    assert (finding.verdict, finding.comparison.effect.flips_to_bad) == ("worse", 40)
    assert finding.comparison.worst_of_k == pytest.approx(0.795)
    metrics["hallucination"]["higher_is_better"] = True
    finding = score(rows, metrics=metrics).overall[0]
    assert (finding.verdict, finding.comparison.effect.flips_to_good) == ("better", 40)


def test_a_drop_has_one_sign(run, linked):
    found = score(run(300, 1, 0.5)).overall[0].comparison
    assert found.difference < 0
    assert found.effect.relative_change < 0
    assert found.effect.cohens_h < 0
    rows = [{"id": str(at), "bleu": 30.0 + at % 7} for at in range(40)]
    rows += [linked(at, bleu=20.0 + at % 5) for at in range(40)]
    finding = score(rows, metrics={"bleu": {"threshold": 25}}).overall[0]
    assert finding.comparison.effect.cohens_d < 0


def test_a_verdict_as_data(run):
    pandas = pytest.importorskip("pandas")
    verdict = score(run(40, 1, 0.5))
    found = verdict.to_dict()
    assert orjson.loads(orjson.dumps(found)) == found
    frame = verdict.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame["verdict"]) == ["worse"] * 4
    assert "<b>Breaks" in verdict._repr_html_()
    assert str(verdict).startswith("Breaks under typos p=0.1 (-0.")


def test_intervals_of_scores_that_do_not_vary_have_width(linked):
    rows = [{"id": str(at), "similarity": 0.7} for at in range(20)]
    rows += [linked(at, similarity=0.7) for at in range(20)]
    finding = score(rows, metrics={"similarity": {"threshold": 0.5}}).overall[0]
    sure = finding.comparison.uncertainty
    assert sure.low < 0 < sure.high
    assert finding.verdict == "undecided"


def test_no_interval_reaches_beyond_what_is_possible(linked):
    """Three originals with scores in [0, 1]."""
    found = {}
    for name, drops in (("a", (0.9, 0.05, 0.9)), ("b", (0.0, 0.9, 0.0))):
        rows = [{"id": str(at), "bleu": 0.95} for at in range(3)]
        rows += [linked(at, bleu=0.95 - drop) for at, drop in enumerate(drops)]
        found[name] = rows
    sure = score(found["a"], metrics={"bleu": {"threshold": 0.5}}).overall[0].comparison.uncertainty
    assert -1 < sure.low < sure.high < 1
    assert 0 < sure.perturbed_low < sure.perturbed_high < 1
    both = compare(found["a"], found["b"], metrics={"bleu": {"threshold": 0.5}}).overall[0]
    assert -1.5 < both.low < both.high < 1.5


@pytest.mark.parametrize("form", ["table", "md", "latex", "tsv", "csv", "json"])
def test_formats(command, write, run, form):
    text = command("score", write("s", run(60, 1, 0.5)), "--format", form)
    first = {"table": "Breaks", "md": "**Breaks", "latex": "% Breaks", "json": "{"}
    assert text.startswith(first.get(form, "perturbator"))
    assert len(text.splitlines()) > 3
    if form == "latex":
        assert r"typos p=0.1 & 1.000 $\rightarrow$ 0." in text
    if form == "tsv":
        assert np.unique([line.count("\t") for line in text.splitlines()]).size == 1


@pytest.mark.slow
def test_the_narrow_table_loses_neither_severity_nor_reason(command, write, linked):
    """One reply in ten of one condition is a refusal; the other is named by two lines."""
    rows = []
    for at in range(40):
        rows.append({"id": at, "prediction": "4", "answer": "4"})
        steps = "keyboard_typos_2@1:severity=2"
        rows.append(linked(at, steps=steps, prediction="4", answer="4"))
        said = "I'm sorry, I can't help with that." if at % 10 == 0 else "4"
        rows.append(linked(at, "ocr", 0.1, prediction=said, answer="4"))
    path = write("s", rows)
    printed = command("score", path)
    lines = printed.split("\n")
    assert max(map(len, lines)) <= 80
    start = next(at for at, line in enumerate(lines) if line.startswith("keyboard_typos_2"))
    assert lines[start + 1] == "  severity=2"
    start = next(at for at, line in enumerate(lines) if line.startswith("ocr p=0.1"))
    assert lines[start].endswith("| cannot judge")
    reason = (
        "Cannot judge ocr: 10 % of the perturbed replies are refusals: the difference is -0.100"
    )
    assert reason in " ".join(printed.split())
    assert printed.count("replies are refusals") == 2  # of ocr, and of all together
    assert "Of 2 conditions: 1 cannot be judged, 1 undecided." in printed.replace("\n", " ")
    for form in ("md", "latex"):
        assert "cannot judge: 10 " in command("score", path, "--format", form)
    assert "<td>cannot judge: 10 % of" in score(rows)._repr_html_()


def test_a_function_may_compare_the_answers(run):
    verdict = score(run(100, 1, 0.5), match=lambda said, right: int(said == right) / 2)
    assert verdict.overall[0].comparison.clean_mean == 0.5
    assert verdict.sentence.startswith("Breaks")
