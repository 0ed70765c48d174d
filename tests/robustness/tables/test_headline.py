"""One headline, and the truth in it: the same in every form, by condition where they disagree."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import orjson
import pytest

import perturb
from perturb.cli import main
from perturb.robustness import compare, score
from perturb.robustness.tables.headline import footnote, headlines


@pytest.fixture
def experiment(linked):
    """Rows of originals that are right, in conditions that keep some of them right.

    A condition is given by its name and, for each original in turn, whether its row stays right; a
    None is a row that was not changed.
    """

    def experiment(originals, clean=lambda _: True, **conditions):
        rows = [{"id": str(at), "correct": clean(at)} for at in range(originals)]
        for name, right in conditions.items():
            for at in range(originals):
                outcome = right(at)
                status = "no site" if outcome is None else "changed"
                correct = clean(at) if outcome is None else outcome
                rows.append(linked(at, name, status=status, correct=correct))
        return rows

    return experiment


METRICS = {"correct": {"threshold": 0.5}}


def judged(rows):
    return score(rows, metrics=METRICS)


def h1(path):
    found = re.search(r"<h1.*?</h1>", path.read_text("utf-8"))[0]
    return re.sub("<[^>]+>", "", found).replace("−", "-")


@pytest.mark.slow
def test_where_conditions_disagree_each_is_told_and_never_their_average(experiment):
    """One helps by .2 and one hurts by as much; over both nothing happens."""
    rows = experiment(
        400, lambda at: at % 2 == 0, helps=lambda at: at % 2 == 0 or at % 5 == 1,
        hurts=lambda at: at % 2 == 0 and at % 5 > 1,
    )  # fmt: skip
    sentence = judged(rows).sentence
    assert sentence == (
        "Breaks under hurts p=0.1 (-0.200). Gains under helps p=0.1 (+0.100). "
        "All 800 rows changed. Of 2 conditions: 1 worse, 1 better."
    )


@pytest.mark.slow
def test_where_conditions_cancel_out_nothing_is_said_of_all_together(experiment):
    """One helps by as much as the other hurts, so that both together are robust."""
    rows = experiment(
        400, lambda at: at % 2 == 0, helps=lambda at: at % 2 == 0 or at % 5 == 1,
        hurts=lambda at: at % 2 == 0 and at % 5 != 2,
    )  # fmt: skip
    found = score(rows, metrics=METRICS, margin=0.05)
    assert found.overall[0].verdict == "robust"
    assert found.sentence == (
        "Breaks under hurts p=0.1 (-0.100). Gains under helps p=0.1 (+0.100). "
        "All 800 rows changed. Of 2 conditions: 1 worse, 1 better."
    )


@pytest.mark.slow
def test_every_form_has_the_same_words(experiment, write, tmp_path, capsys):
    path = write("s.jsonl", experiment(400, hurts=lambda at: at % 5 > 1, case=lambda _: True))
    rows = map(orjson.loads, path.read_bytes().splitlines())
    sentence = judged(list(rows)).sentence
    said = "Breaks under hurts p=0.1 (-0.400). Holds under case. Overall from 1.000 to 0.800 ("
    assert sentence.startswith(said)
    given = ["score", str(path), "--score", "correct"]
    for form in ("table", "md", "latex", "json"):
        assert main([*given, "--format", form]) == 0
        assert sentence in capsys.readouterr().out.replace("\n", " ")
    junit, page = tmp_path / "junit.xml", tmp_path / "page.html"
    assert main([*given, "--fail-if", "drop>.9", "--junit", str(junit)]) == 0
    assert ElementTree.parse(junit).getroot().findtext("system-out").splitlines()[0] == sentence
    assert main(["report", str(path), "--score", "correct", "-o", str(page)]) == 0
    assert h1(page) == "Breaks under hurts p=0.1 -0.400."


@pytest.mark.slow
def test_terminal_and_page_of_a_comparison_say_the_same(experiment, write, tmp_path, capsys):
    """Over all conditions together A loses more; under each alone B loses no more."""
    conditions = {f"n{at}": (lambda one, at=at: (one + 7 * at) % 40 > 1) for at in range(6)}
    a, b = experiment(80, **conditions), experiment(80, **dict.fromkeys(conditions, lambda _: True))
    found = replace(compare(a, b, metrics=METRICS), systems=("a", "b"))
    assert {one.verdict for one in found.conditions} == {"B loses no more"}
    assert found.overall[0].verdict == "A loses more"
    lead = "a loses more than b over all 6 conditions together."
    assert found.sentence.startswith(f"{lead} b loses no more than a under n")
    paths = [str(write(name, rows)) for name, rows in (("a", a), ("b", b))]
    page = tmp_path / "page.html"
    assert main(["compare", *paths, "--score", "correct", "-o", str(page)]) == 0
    assert capsys.readouterr().out.replace("\n", " ").startswith(found.sentence)
    assert h1(page) == lead


@pytest.fixture
def untouched(experiment, write):
    rows = experiment(60, accents=lambda _: None, german=lambda _: None)
    return write("s.jsonl", rows)


WHY = "no row was changed (no site 120)"


@pytest.mark.slow
def test_an_experiment_without_a_change_is_not_judged(untouched, tmp_path, capsys):
    junit, page = tmp_path / "junit.xml", tmp_path / "page.html"
    given = [str(untouched), "--score", "correct"]
    rule = ["--fail-if", "drop>0.9", "--junit", str(junit)]
    for command in (["score", *given], ["compare", str(untouched), *given]):
        assert main([*command, *rule]) == 3
        done = capsys.readouterr()
        assert done.out.startswith(f"Cannot judge: {WHY}.\n")
        assert f"overall cannot be judged: {WHY}" in done.err
        suite = ElementTree.parse(junit).getroot()
        assert suite.findtext("system-out").splitlines()[0] == f"Cannot judge: {WHY}."
        assert suite.get("failures") == suite.get("tests") == "3"
    assert main(["report", *given, "-o", str(page)]) == 0
    assert h1(page) == f"Cannot judge: {WHY}."
    assert main(["compare", str(untouched), *given, "-o", str(page)]) == 0
    assert h1(page) == f"Cannot judge: {WHY}."


@pytest.mark.slow
def test_where_few_rows_were_changed_the_headline_says_what_became_of_these(experiment):
    """8 of 1,000, all of which break: the mean stays within the margin whatever they do."""
    rows = experiment(1000, rare=lambda at: False if at < 8 else None)
    verdict = judged(rows)
    why = "only 8 of 1,000 rows were changed (no site 992), these by -1.000"
    assert verdict.sentence == f"Cannot judge: {why}."
    assert [row[0] for row in verdict._table().rows] == ["rare p=0.1", "overall"]
    assert "- 8 of 1,000 changed" in [row[0] for row in verdict._table(wide=True).rows]
    other = experiment(1000, rare=lambda at: False if at < 8 else None, hurts=lambda at: at % 2)
    told = judged(other).sentence
    assert f". Cannot judge rare: {why}. Overall" in told
    assert "1,008 of 2,000 rows changed, these by -0.504" in told
    both = compare(rows, experiment(1000, rare=lambda at: at > 3 if at < 8 else None),
                   metrics=METRICS)  # fmt: skip
    assert both.sentence.endswith("(no site 992), these by -1.000 of A and -0.500 of B.")


@pytest.mark.slow
def test_the_share_that_changed_stands_beside_the_figures(experiment):
    verdict = judged(experiment(200, half=lambda at: at % 4 > 1 if at % 2 else None))
    assert verdict.overall[0].verdict == "worse"
    assert "200 originals, 100 of 200 rows changed, these by -0.500)" in verdict.sentence
    assert "- 100 of 200 changed" not in str(verdict)
    assert "- 100 of 200 changed" in [row[0] for row in verdict._table(wide=True).rows]
    assert "200 originals, all 200 rows changed)" in judged(
        experiment(200, every=lambda at: at % 4 > 1)
    ).sentence  # fmt: skip


def test_what_changed_rows_lose_is_what_their_line_says(linked, experiment):
    """Beside the mean of both answers to an original, of which a control is right less often."""
    rows = experiment(200, half=lambda at: at % 4 > 1 if at % 2 else None)
    rows += [
        linked(at, "identity", 1.0, status="no site", correct=at % 10 > 0) for at in range(200)
    ]
    found = judged(rows)
    (changed,) = [one for one in found.overall if one.scope == "changed"]
    edited = found.overall[0].comparison.quality.edited_difference
    assert edited == changed.difference != found.overall[0].difference
    assert f"100 of 200 rows changed, these by {changed.difference:+.3f})" in found.sentence


@pytest.mark.slow
def test_the_tally_has_every_verdict(experiment):
    found = judged(experiment(
        300, hurts=lambda at: at % 5 > 1, case=lambda _: True, odd=lambda at: at % 40 > 0,
        slight=lambda at: None if at % 3 else at > 3,
    ))  # fmt: skip
    counted = re.findall(r"(\d+) (?=worse|undecided|no worse|robust|better|cannot)", found.sentence)
    assert sum(map(int, counted)) == 4


@pytest.mark.slow
@pytest.mark.parametrize("control", [("identity", 1.0), ("typos", 0.0)])
def test_a_control_is_in_no_average_no_tally_and_no_adjustment(linked, experiment, control):
    rows = experiment(200, hurts=lambda at: at % 20 > 0, harms=lambda at: at % 25 > 0)
    alone = judged(rows)
    rows += [linked(at, *control, status="p is 0", correct=at > 4) for at in range(200)]
    found = judged(rows)
    judged_too = [one for one in found.conditions if one.verdict != "control"]
    pairs = zip([*judged_too, *found.overall], [*alone.conditions, *alone.overall], strict=True)
    for one, before in pairs:  # the mean of both answers to each original is the baseline
        assert one.comparison.rows == before.comparison.rows
        assert one.comparison.perturbed_mean == before.comparison.perturbed_mean
        assert one.comparison.clean_mean == pytest.approx((1 + 0.975) / 2)
        assert one.comparison.effect.flips_to_bad == before.comparison.effect.flips_to_bad
    assert (
        found.sentence.endswith("; 200 originals, all 400 rows changed).")
        or "Of 2" in found.sentence
    )
    (beside,) = [one for one in found.conditions if one.verdict == "control"]
    assert (beside.p_adjusted, beside.comparison.quality.unedited_flips) == (None, 5)
    name = beside.name
    assert found.hints[0] == (
        f"Clean means pool up to 2 answers to each original: its own and those to {name}, in which "
        f"nothing is perturbed. The clean mean beside {name} is that of its own answer alone."
    )
    assert beside.comparison.clean_mean == 1
    assert found.hints[1].startswith(
        "5 of 200 rows without an edit flipped too (2.5 %), and 18 of 400 with one (4.5 %)"
    )
    assert [one.verdict for one in compare(rows, rows, metrics=METRICS).conditions].count(
        "control"
    ) == 1  # fmt: skip


@pytest.mark.slow
def test_a_rule_about_every_condition_leaves_controls_out(linked, experiment, write):
    rows = experiment(100, case=lambda _: True)
    rows += [linked(at, "identity", 1.0, status="no site", correct=at > 40) for at in range(100)]
    path = str(write("s.jsonl", rows))
    rules = {"difference<-0.1": 0, "identity: difference<-0.1": 3}
    for rule, status in rules.items():
        assert main(["score", path, "--score", "correct", "--fail-if", rule]) == status


@pytest.mark.slow
def test_undecided_beside_an_interval_without_0_has_a_footnote(experiment):
    """6 of 200 break: alone that is worse; beside 9 conditions where nothing does, undecided."""
    still = {f"n{at}": lambda _: True for at in range(9)}
    rows = experiment(200, drops=lambda at: at > 6, **still)
    found = judged(rows)
    one = next(each for each in found.conditions if each.perturbator == "drops")
    assert one.verdict == "undecided"
    assert one.comparison.uncertainty.high < 0
    note = next(hint for hint in found.hints if "although" in hint)
    assert note.startswith("Not decided although the interval excludes 0: drops p=0.1, p 0.")
    assert "although" not in " ".join(judged(experiment(200, drops=lambda at: at > 6)).hints)
    alone = one._replace(p_adjusted=one.p_value, verdict="undecided")
    assert list(footnote([one]))
    assert not list(footnote([alone]))  # nothing was adjusted, so nothing is explained by that
    assert any("although" in hint for hint in compare(
        experiment(200, drops=lambda _: True, **still), rows, metrics=METRICS).hints)  # fmt: skip


@pytest.mark.slow
def test_of_many_only_the_worst_are_named(experiment):
    lost = {f"n{at}": (lambda one, at=at: one % 10 > at) for at in range(5)}
    (head,) = headlines(judged(experiment(200, **lost)))
    assert str(head.clauses[0]) == (
        "Breaks under n4 p=0.1 (-0.500), n3 p=0.1 (-0.400), n2 p=0.1 (-0.300) and 2 more."
    )


def test_digits_that_a_step_writes_are_no_numbers_that_it_touches():
    """A text without a digit has no number to protect."""
    text = {"text": "How many eggs are there in the basket of the baker?", "answer": "4"}
    rows = list(
        perturb.augment(
            [{"id": str(at), **text} for at in range(60)],
            "leetspeak", p=0.5, field="text", with_original=True,
        )
    )  # fmt: skip
    for row in rows:
        row["prediction"] = "4" if row["perturbation"]["status"] == "original" else "5"
    verdict = score(rows)
    assert verdict.overall[0].verdict == "worse"
    assert verdict.hints == (
        "In 60 of 60 rows a step writes digits into words; no number of the original changes by "
        "these edits.",
    )


@pytest.mark.parametrize(("breaks", "advised"), [(True, True), (False, False)])
def test_protection_is_advised_only_where_it_would_help(linked, breaks, advised):
    """Half of the edits touch a number; the system breaks by these, or by the others alike."""
    rows = []
    for at in range(200):
        rows.append({"id": at, "text": "He has 6 eggs", "prediction": "4", "answer": "4"})
        lost = at % 4 == 0 if breaks else at % 10 < 2
        edits = [(7, 8, "7") if at % 2 == 0 else (9, 10, "a")]
        rows.append(
            linked(at, original="He has 6 eggs", edits=edits, prediction="5" if lost else "4",
                   answer="4")
        )  # fmt: skip
    (hint,) = score(rows).hints
    assert "of 200 rows 100 touch numbers; without these rows the difference is" in hint
    assert ("--protect number" in hint) == advised


@pytest.mark.slow
def test_protection_is_not_advised_for_what_a_noise_does_anyhow(linked):
    """One noise breaks 40 %, whatever it touches, and mostly touches numbers; the other nothing."""
    rows = []
    for at in range(200):
        rows.append({"id": str(at), "prediction": "4", "answer": "4"})
        for name, every in (("harsh", 5), ("mild", 50)):
            edits = [(7, 8, "7") if (at % every == 0) == (name == "mild") else (9, 10, "a")]
            lost = name == "harsh" and at % 10 in (0, 1, 2, 3)
            rows.append(
                linked(at, name=name, original="He has 6 eggs", edits=edits, answer="4",
                       prediction="5" if lost else "4")
            )  # fmt: skip
    hints = score(rows).hints
    (hint,) = [one for one in hints if "touch numbers" in one]
    assert "--protect" not in hint


def test_the_example_is_of_what_is_in_the_way(linked):
    """One reply in three is cut off; that of the first original is a good one."""
    rows = []
    for at in range(60):
        said = {"prediction": "It is" if at % 3 == 2 else "18", "answer": "18"}
        ended = {"response": {"seed": None, "finish": "length" if at % 3 == 2 else "stop"}}
        rows += [{"id": at, "text": "clean text", **said, **ended}, linked(at, **said, **ended)]
    verdict = score(rows)
    assert verdict.sentence.startswith("Cannot judge: 33 % of the clean replies are truncated")
    example = "For example, this clean reply was cut off: 'It is'; the right answer is '18'."
    lost = "Lost replies, originals: 20 truncated of 60; typos p=0.1: 20 truncated of 60. Means "
    assert verdict.hints[0] == example
    assert verdict.hints[1].startswith(lost)


def test_the_match_that_finds_most_is_named(linked):
    """`contains` takes any reply as read and finds few; `number` finds more and reads most."""
    rows = []
    for at in range(100):
        said = "a few dozen" if at < 15 else "1 or 2" if at < 60 else "So it is 1.8e3 in all."
        said = "It is 1800." if at > 77 else said
        one = {"prediction": said, "answer": "1800"}
        rows += [{"id": str(at), **one}, linked(at, **one)]
    hint = "--match number reads 85 % and finds 40 % of the originals right."
    assert score(rows).hints[0] == hint


def test_a_clean_run_says_first_that_nothing_changed_and_which_loss_that_rules_out(experiment):
    found = judged(experiment(200, case=lambda _: True, typos=lambda at: None if at % 2 else True))
    limit = max(abs(found.overall[0].low), found.overall[0].high)
    said = f"in 300 rows with an edit, which rules out a mean loss above {limit:.3f} (95 %)."
    assert found.sentence.startswith(f"No outcome changed {said} Holds under case and typos.")
    broken = judged(experiment(200, case=lambda _: True, typos=lambda at: at > 0))
    assert "rules out" not in broken.sentence
    turned = judged(experiment(200, lambda at: at != 1, typos=lambda at: at != 0))
    assert turned.overall[0].difference == 0
    assert "rules out" not in turned.sentence


def test_a_wrong_answer_that_changes_into_another_is_no_flip_and_no_unchanged_answer(linked):
    rows = [
        {"id": str(at), "text": "clean text", "answer": "a", "prediction": "a"} for at in range(100)
    ]
    rows += [linked(at, answer="a", prediction="a") for at in range(100)]
    assert score(rows).sentence.startswith("No outcome changed in 100 rows with an edit, which")
    rows[-1]["prediction"] = rows[99]["prediction"] = "b"
    assert score(rows).sentence.startswith("No outcome changed in 100 rows with an edit, which")
    rows[-1]["prediction"] = "c"
    assert score(rows).sentence.startswith("No row flipped in 100 rows with an edit, which")
    rows[99]["prediction"] = "a"
    assert "rules out" not in score(rows).sentence


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ((90, 40, 60), "noise from p=0.1, most at p=0.2 (-0.600)"),
        ((99, 60, 50), "noise from p=0.2, most at p=0.3 (-0.500)"),
        ((50, 60, 70), "noise p=0.1 (-0.500)"),
    ],
)
def test_the_first_strength_that_breaks_is_named(linked, held, said):
    """The worst strength of a step needn't be its first that breaks, nor its last."""
    rows = [{"id": str(at), "correct": True} for at in range(100)]
    for p, right in zip((0.1, 0.2, 0.3), held, strict=True):
        rows += [linked(at, "noise", p, correct=at < right) for at in range(100)]
    assert judged(rows).sentence.startswith(f"Breaks under {said}.")


def test_the_largest_gain_is_named_first(linked):
    """Also where its step has a strength without any, and the other one none."""
    rows = [{"id": str(at), "correct": at > 79} for at in range(100)]
    for name, p, right in (("much", 0.1, 0), ("much", 0.2, 60), ("some", 0.1, 30)):
        rows += [linked(at, name, p, correct=at > 79 or at < right) for at in range(100)]
    said = "Gains under much p=0.2 (+0.600) and some p=0.1 (+0.300)."
    assert judged(rows).sentence.startswith(said)
