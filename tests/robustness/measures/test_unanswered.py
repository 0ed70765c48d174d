"""Replies that never came, and rows that are not there: what is said holds whatever they were."""

import json

import pytest
from likelihood import limits

import perturb
from perturb.cli import main
from perturb.robustness import compare, score, tolerance

SORRY = "I'm sorry, I can't help with that."


@pytest.fixture
def asked(linked):
    """Rows of 400 originals, all right but what `said` and `clean` say otherwise, by number."""

    def asked(said=None, clean=None, count=400, versions=1):
        said, clean = said or {}, clean or {}
        rows = []
        for at in range(count):
            rows.append({"id": str(at), "prediction": clean.get(at, "a"), "answer": "a"})
            rows += [
                linked(str(at), replicate=one, prediction=said.get(at, "a"), answer="a")
                for one in range(versions)
            ]
        return rows

    return asked


def found(rows, **how):
    return score(rows, **how).conditions[0]


@pytest.mark.slow
@pytest.mark.parametrize("reply", [None, SORRY])
def test_no_verdict_rests_on_lost_replies_alone(asked, reply):
    """20 of 400 replies never came: wrong if they were, robust if they were not."""
    rows = asked(dict.fromkeys(range(20), reply))
    one = found(rows)
    assert one.verdict == "cannot judge"
    assert one.reason.endswith(
        "the difference is -0.050 if all that are lost are wrong, +0.000 if they are right and "
        "+0.000 without them, and none of the rest breaks"
    )
    assert (one.comparison.rows, one.comparison.quality.lost) == (380, 20)
    assert found(rows, unanswered="wrong").verdict == "worse"
    assert found(rows, unanswered="wrong").difference == pytest.approx(-0.05)
    assert found(rows, unanswered="out").verdict == "robust"
    kind = "refusals" if reply else "without a reply or score"
    (hint,) = (hint for hint in score(rows).hints if hint.startswith("Lost replies"))
    assert hint.startswith(f"Lost replies, typos p=0.1: 20 {kind} of 400. Means leave them out")


@pytest.mark.slow
def test_what_all_ways_to_count_say_stands(asked):
    few = asked(dict.fromkeys(range(2), None))
    assert found(few).verdict == "robust"
    bad = asked({**dict.fromkeys(range(2), None), **dict.fromkeys(range(10, 60), "b")})
    one = found(bad)
    assert one.verdict == "worse"
    assert one.difference == pytest.approx(-50 / 398)
    cases = [-1.0] * 52 + [0.0] * 348, [-1.0] * 50 + [0.0] * 350, [-1.0] * 50 + [0.0] * 348
    each = [limits(values, range(len(values))) for values in cases]
    hull = min(low for low, _ in each), max(high for _, high in each)
    assert (one.low, one.high) == pytest.approx(hull, abs=1e-7)
    assert [one.comparison.uncertainty.least, one.comparison.uncertainty.most] == pytest.approx(
        [-52 / 400, -50 / 400]
    )


@pytest.mark.slow
def test_a_lost_reply_to_an_original_is_no_variance_of_the_system(asked, linked):
    """Controls beside it, of which none flips: nobody says that the system varies."""
    rows = asked(clean=dict.fromkeys(range(0, 200, 10), None), count=200)
    rows += [
        linked(str(at), steps="identity@1:p=1", status="no site", prediction="a", answer="a")
        for at in range(200)
    ]
    verdict = score(rows)
    assert not [hint for hint in verdict.hints if "varies by itself" in hint]
    assert any("originals: 20 without a reply or score of 200" in hint for hint in verdict.hints)
    for how in ("out", "wrong"):
        hints = score(rows, unanswered=how).hints
        assert not [hint for hint in hints if "varies by itself" in hint]


@pytest.mark.slow
def test_rows_that_the_file_lacks_are_missing(asked):
    """34 of 800 perturbed rows deleted: of 34 originals one version of two."""
    kept = asked(versions=2)
    gone = [at for at, row in enumerate(kept) if "perturbation" in row][:68:2]
    one = found([row for at, row in enumerate(kept) if at not in gone])
    assert one.verdict == "cannot judge"
    assert one.reason.startswith("4.2 % of the perturbed replies are missing: the difference is ")
    assert one.comparison.quality.missing == pytest.approx(4.25)
    assert one.comparison.rows == 766


@pytest.mark.slow
def test_missing_rows_have_edits_as_often_as_those_that_are_there():
    """60 of 800 rows are missing; of each 400, 40 have an edit, 20 of them of a number."""
    texts = [
        {"id": at, "text": f"Line {'7a'[at % 2] if at % 10 < 1 else '?'}"} for at in range(400)
    ]
    step = perturb.from_regex("z", "[7a]", lambda *_: "z")
    made = [*perturb.augment(texts, step, p=1.0, replicates=2)]
    rows = [
        {**row, "prediction": "a", "answer": "a"} for row in (*texts, *made[:680], *made[680::2])
    ]
    for how, every in ({}, 740), ({"unanswered": "wrong"}, 800):
        counts = {one.scope: one.comparison for one in score(rows, **how).conditions}
        assert counts["all"].rows == every
        assert [one.quality.missing for one in counts.values()] == pytest.approx([7.5] * 3, abs=1)
        assert counts["all"].changed == pytest.approx(every / 10, abs=1)


NUMBER = perturb.from_regex("more", r"\d+", lambda match, _: f"{match[0]}0")


@pytest.mark.slow
@pytest.mark.parametrize(("step", "p"), [("char_swap", 1e-9), (NUMBER, 1.0)])
def test_a_missing_row_alone_is_no_comparison(step, p):
    """Neither where no row was changed, nor where each edit touches a number."""
    texts = [{"id": at, "text": f"Question number {at}", "answer": "a"} for at in range(40)]
    rows = [*perturb.augment(texts, step, p=p, replicates=2, with_original=True)][:-1]
    rows += perturb.augment(texts, "word_swap:p=0.9", only=["regex:Question number"])
    verdict = score([{**row, "prediction": "a"} for row in rows])
    assert verdict.overall[0].comparison.rows == (40 if p < 1 else 119)
    scopes = {(one.perturbator, one.scope) for one in verdict.conditions}
    assert ("word_swap", "changed") in scopes
    assert (verdict.conditions[0].perturbator, "changed" if p < 1 else "undamaged") not in scopes


@pytest.mark.slow
def test_what_few_originals_have_was_not_planned_for_all(asked, linked):
    rows = asked(count=100)
    rows += [linked(str(at), "ocr", prediction="a", answer="a") for at in range(30)]
    verdict = score(rows)
    assert not [hint for hint in verdict.hints if hint.startswith("Lost")]
    rows += [linked(str(at), "ocr", prediction="a", answer="a") for at in range(30, 90)]
    (hint,) = (hint for hint in score(rows).hints if hint.startswith("Lost"))
    assert hint.startswith("Lost replies, ocr p=0.1: 10 missing of 100.")


@pytest.mark.slow
def test_rows_are_missing_seed_by_seed(asked):
    """Each original was asked with two seeds; what broke was deleted, and what one seed never had
    is not missing of the other."""
    rows = [
        {**row, "id": f"{row['id']}#rs{seed}", "response": {"seed": seed}}
        if "perturbation" in row
        else {**row, "response": {"seed": seed}}
        for seed in (1, 2)
        for row in asked(versions=2)
    ]
    perturbed = [at for at, row in enumerate(rows) if "perturbation" in row]
    gone = {*perturbed[:60:2]}
    left = [row for at, row in enumerate(rows) if at not in gone]
    one = score(left)
    assert one.conditions[0].comparison.quality.lost == 30
    assert any("30 missing of 1,600" in hint for hint in one.hints)
    assert one.conditions[0].verdict != "robust"


@pytest.mark.slow
def test_a_condition_that_few_originals_have_is_told_of(asked, linked):
    rows = asked()
    rows += [linked(str(at), steps="ocr@1:p=0.1", prediction="a", answer="a") for at in range(150)]
    result = score(rows)
    assert not [hint for hint in result.hints if hint.startswith("Lost")]
    assert (
        "Of 400 originals 150 have rows under ocr p=0.1: the others count as never planned, not as "
        "missing." in result.hints
    )
    assert not [hint for hint in score(asked(versions=2)).hints if "never planned" in hint]


@pytest.mark.slow
def test_two_systems_and_tolerances_are_bounded_too(asked, linked):
    whole, some = asked(), asked(dict.fromkeys(range(20), None))
    contrast = compare(whole, some)
    assert contrast.conditions[0].verdict == "cannot judge"
    assert any(hint.startswith("Lost replies of B, typos p=0.1: 20") for hint in contrast.hints)
    assert compare(whole, some, unanswered="wrong").conditions[0].verdict == "B loses more"
    ranks = compare({"a": whole, "b": some, "c": whole}).overall
    assert {(one.rank_low, one.rank_high) for one in ranks if one.rank} == {(1, 2)}
    rows = list(some)
    for p, lost in ((0.2, 40), (0.4, 200)):
        rows += [linked(str(at), p=p, prediction="ab"[at < lost], answer="a") for at in range(400)]
    (step,) = tolerance(rows, lose=0.04).steps
    assert (step.low, step.high) == (0.0, 0.2)
    (step,) = tolerance(rows, lose=0.04, unanswered="out").steps
    assert (step.low, step.high) == (0.1, 0.2)


@pytest.mark.slow
def test_every_form_tells_of_them(asked, write, command, tmp_path):
    path = write("s.jsonl", asked(dict.fromkeys(range(20), None)))
    report = json.loads(command("score", path, "--json"))
    wrong = json.loads(command("score", path, "--unanswered", "wrong", "--json"))
    assert wrong["conditions"][0]["verdict"] == "worse"
    texts = [report["sentence"]]
    texts += [command("score", path, "--format", form) for form in ("table", "md", "latex")]
    page, junit = tmp_path / "page.html", tmp_path / "junit.xml"
    assert main(["report", str(path), "-o", str(page)]) == 0
    assert main(["score", str(path), "--fail-if", "drop>0.01", "--junit", str(junit)]) == 3
    texts += [page.read_text("utf-8"), junit.read_text("utf-8")]
    for text in texts:
        plain = " ".join(text.replace("\\", "").replace("\u2212", "-").split())
        assert "5.0 % of the perturbed replies are without a reply or score" in plain.replace(
            "\xa0", " "
        )
        assert "+0.000 without them, and none of the rest breaks" in plain
    assert report["conditions"][0]["no_reply"] == 5


@pytest.mark.parametrize("unanswered", ["out", "bounds"])
def test_a_condition_whose_replies_are_all_lost_is_not_judged(asked, linked, unanswered):
    """It stays in the verdict, whose means count them as wrong; the rest is judged without it."""
    rows, typos = asked(count=300), "typos p=0.1"
    lost = [linked(str(at), "case", prediction=None, answer="a") for at in range(299)]
    told = score([*rows, *lost], unanswered=unanswered)
    case, rest = told.conditions[:2]
    assert (case.name, case.verdict, case.difference) == ("case p=0.1", "cannot judge", -1)
    assert (rest.name, rest.verdict) == (typos, "robust")
    assert "If a condition has no others, its means count them as wrong." in told.hints[0]
    whole = (told.overall[0].verdict, told.overall[0].comparison.quality.lost)
    assert whole == (("robust", 0) if unanswered == "out" else ("cannot judge", 300))
    pair = compare(rows + lost, rows + lost, unanswered=unanswered)
    assert [one.verdict for one in pair.conditions] == ["cannot judge", "same"]
    nothing = score(asked(dict.fromkeys(range(400))), unanswered=unanswered)
    assert (
        nothing.sentence
        == "Cannot judge: 100 % of the perturbed replies are without a reply or score."
    )


@pytest.mark.parametrize(("match", "most"), [("wer", 3), ("corpus-wer", 1)])
def test_where_less_is_better_all_that_are_lost_count_as_wrong(asked, match, most):
    """At the end of the range; of a corpus, with each of their words wrong."""
    one = found(asked(dict.fromkeys(range(40)), count=40), match=match, range=(0, 3))
    assert (one.verdict, one.difference) == ("cannot judge", most)


@pytest.mark.parametrize(("lost", "ends"), [(0, "+0.000 to +0.300"), (1, "-0.300 to +0.000")])
def test_lost_replies_of_two_systems_are_of_the_one_that_lost_them(asked, lost, ends):
    """What is wrong of the first makes the difference rise, so nothing is said of wrong or right."""
    sides = [asked(count=100), asked(count=100)]
    sides[lost] = asked(dict.fromkeys(range(30)), count=100)
    assert compare(*sides).conditions[0].reason == (
        f"of {'AB'[lost]}, 30 % of the perturbed replies are without a reply or score: the difference is "
        f"from {ends}, whatever those that are lost are, and +0.000 without them"
    )
